//! [`Method`]: the algorithm of a field of view with its parameters; [`MethodKind`]: its name.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::error::OutOfRange;
use crate::named_enum;

/// The algorithm of a field of view. A [`MethodKind`] converts to a method with default parameters.
///
/// The four binary methods distinguish only walls and clear cells: their visibilities are 1 or 0 before the decay. They
/// see a circle, read only opacities, including those of relief, and have neither path rule nor half cells.
///
/// ```
/// use farsight::SightConfig;
/// use farsight::sight::{Method, MethodKind};
/// let fine = SightConfig::default().with_method(Method::Beam { beams: 2.0 });
/// let plain = SightConfig::default().with_method(MethodKind::Beam);
/// assert_eq!(plain.method, Method::Beam { beams: Method::DEFAULT_BEAMS });
/// assert!(fine.check().is_ok() && !fine.method.is_binary());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Method {
    /// Every cell takes its light from up to two cells one step nearer to the viewer: soft shadows, the minimum of time. Values are
    /// brightness, not decisions: behind a door more cells are above 0 than are in sight, see
    /// [`View::sees`](crate::sight::View::sees). Walls at a grazing angle are dim; with
    /// [`View::with_walls`](crate::sight::View::with_walls) they are as bright as the floor in front of them.
    ///
    /// A [`Viewshed`](crate::viewshed::Viewshed) interpolates reference planes.
    TwoParent {
        /// The weights of both.
        weights: Weights,
    },
    /// Rays in all directions, each dimmed by the cells that it crosses: sharp shadows with fractional values at their
    /// edges. Not symmetric. A [`Viewshed`](crate::viewshed::Viewshed) is exact, with beams through the air only.
    Beam {
        /// The number of directions in the full turn, in units of 12 · radius: 0.5 to 4 ([`BEAMS`](Self::BEAMS)). At 1, one to three rays
        /// cross each cell of the rim. A higher value is more accurate in fog; in clear air the error of shadows is a few
        /// hundredths at 1 already. On a small map, a radius above 256 is clipped to the next power of two above the
        /// distance of the farthest corner.
        beams: f64,
    },
    /// Straight lines to many points of every cell: the slow reference for the others. A
    /// [`Viewshed`](crate::viewshed::Viewshed) traces one line to a cell: there it is fast.
    Exact {
        /// The lines to a cell: `samples` × `samples` points, 1 to 32 per side ([`SAMPLES`](Self::SAMPLES)). The error comes from
        /// shadow edges that cross a cell. At radius 64 with 7 per side, against 31 per side, the RMSE is 0.007 where
        /// 10 % of the cells are walls, 0.003 where 30 % are, 0.002 in rooms and 0.0001 in haze. It falls approximately
        /// as 1/`samples`; run time grows with the square.
        samples: u32,
    },
    /// Symmetric shadowcasting: a floor cell is visible if the straight line between the centres of both cells misses
    /// the diamonds of all walls, whose corners are the midpoints of the cell sides, and a wall is visible if it
    /// borders a lit area. Symmetric between floor cells: the binary method for games.
    #[doc(alias = "shadowcasting")]
    SymmetricShadowcast {
        /// The minimum opacity of a wall, 0.001 to 1 ([`WALL_AT`](Self::WALL_AT)). Cells of lower opacity do not dim.
        wall_at: f64,
    },
    /// Recursive shadowcasting: walls narrow intervals of lit slopes, row by row in eight octants. Not symmetric.
    #[doc(alias = "shadowcasting")]
    Shadowcast {
        /// The minimum opacity of a wall, 0.001 to 1.
        wall_at: f64,
    },
    /// Bresenham lines to every cell of the border of the view, clipped to the map, then a repair of the walls behind
    /// visible floor. Not symmetric.
    RaycastBorder {
        /// The minimum opacity of a wall, 0.001 to 1.
        wall_at: f64,
        /// `true` to show the walls behind visible floor that the lines miss.
        repair: bool,
    },
    /// Bresenham lines to points on a far circle. Not symmetric.
    RaycastCircle {
        /// The minimum opacity of a wall, 0.001 to 1.
        wall_at: f64,
        /// The number of lines, 1 to 65,536 ([`RAYS`](Self::RAYS)).
        rays: u32,
    },
}

named_enum! {
    /// The name of a [`Method`], which converts to the method with its default parameters.
    ///
    /// ```
    /// use farsight::sight::MethodKind;
    /// assert_eq!("two-parent".parse(), Ok(MethodKind::TwoParent));
    /// assert!(MethodKind::ALL.iter().any(|kind| kind.is_binary() && *kind == MethodKind::Shadowcast));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum MethodKind: "method" {
        /// [`Method::TwoParent`].
        #[default]
        #[serde(alias = "two-parent")]
        TwoParent = "two-parent",
        /// [`Method::Beam`].
        Beam = "beam",
        /// [`Method::Exact`].
        Exact = "exact",
        /// [`Method::SymmetricShadowcast`].
        #[serde(alias = "symmetric-shadowcast")]
        SymmetricShadowcast = "symmetric-shadowcast",
        /// [`Method::Shadowcast`].
        Shadowcast = "shadowcast",
        /// [`Method::RaycastBorder`].
        #[serde(alias = "raycast-border")]
        RaycastBorder = "raycast-border",
        /// [`Method::RaycastCircle`].
        #[serde(alias = "raycast-circle")]
        RaycastCircle = "raycast-circle",
    }
}

/// [`MethodKind`] for `farsight-scene`: exhaustive, so that the compiler asks there, too, for the decisions about a new method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownMethod {
    /// [`Method::TwoParent`].
    TwoParent,
    /// [`Method::Beam`].
    Beam,
    /// [`Method::Exact`].
    Exact,
    /// [`Method::SymmetricShadowcast`].
    SymmetricShadowcast,
    /// [`Method::Shadowcast`].
    Shadowcast,
    /// [`Method::RaycastBorder`].
    RaycastBorder,
    /// [`Method::RaycastCircle`].
    RaycastCircle,
}

impl From<MethodKind> for KnownMethod {
    fn from(kind: MethodKind) -> Self {
        match kind {
            MethodKind::TwoParent => Self::TwoParent,
            MethodKind::Beam => Self::Beam,
            MethodKind::Exact => Self::Exact,
            MethodKind::SymmetricShadowcast => Self::SymmetricShadowcast,
            MethodKind::Shadowcast => Self::Shadowcast,
            MethodKind::RaycastBorder => Self::RaycastBorder,
            MethodKind::RaycastCircle => Self::RaycastCircle,
        }
    }
}

impl Default for Method {
    fn default() -> Self {
        MethodKind::default().into()
    }
}

impl From<MethodKind> for Method {
    fn from(kind: MethodKind) -> Self {
        let wall_at = Self::DEFAULT_WALL_AT;
        match kind {
            MethodKind::TwoParent => Self::TwoParent { weights: Weights::default() },
            MethodKind::Beam => Self::Beam { beams: Self::DEFAULT_BEAMS },
            MethodKind::Exact => Self::Exact { samples: Self::DEFAULT_SAMPLES },
            MethodKind::SymmetricShadowcast => Self::SymmetricShadowcast { wall_at },
            MethodKind::Shadowcast => Self::Shadowcast { wall_at },
            MethodKind::RaycastBorder => Self::RaycastBorder { wall_at, repair: true },
            MethodKind::RaycastCircle => Self::RaycastCircle { wall_at, rays: Self::DEFAULT_RAYS },
        }
    }
}

impl Method {
    /// One to three rays for each cell of the rim, so no cell is between two rays.
    pub const DEFAULT_BEAMS: f64 = 1.0;

    /// 49 lines per cell, as in the published accuracy table.
    pub const DEFAULT_SAMPLES: u32 = 7;

    /// A cell that blocks at least half of the light is a wall.
    pub const DEFAULT_WALL_AT: f64 = 0.5;

    /// One line per degree, as the method is usually described; it leaves gaps at distances above 47 cells.
    pub const DEFAULT_RAYS: u32 = 360;

    /// The valid range of `beams`: 0.5 to 4.
    pub const BEAMS: RangeInclusive<f64> = 0.5..=4.0;

    /// The valid range of `samples`: 1 to 32.
    pub const SAMPLES: RangeInclusive<u32> = 1..=32;

    /// The valid range of `wall_at`: 0.001 to 1. At 0, clear cells would be walls.
    pub const WALL_AT: RangeInclusive<f64> = 0.001..=1.0;

    /// The valid range of `rays`: 1 to 65,536.
    pub const RAYS: RangeInclusive<u32> = 1..=65_536;

    /// Returns the method without its parameters.
    pub const fn kind(&self) -> MethodKind {
        match self {
            Self::TwoParent { .. } => MethodKind::TwoParent,
            Self::Beam { .. } => MethodKind::Beam,
            Self::Exact { .. } => MethodKind::Exact,
            Self::SymmetricShadowcast { .. } => MethodKind::SymmetricShadowcast,
            Self::Shadowcast { .. } => MethodKind::Shadowcast,
            Self::RaycastBorder { .. } => MethodKind::RaycastBorder,
            Self::RaycastCircle { .. } => MethodKind::RaycastCircle,
        }
    }

    /// Returns the minimum opacity of a wall, for a binary method.
    pub const fn wall_at(&self) -> Option<f64> {
        match *self {
            Self::TwoParent { .. } | Self::Beam { .. } | Self::Exact { .. } => None,
            Self::SymmetricShadowcast { wall_at }
            | Self::Shadowcast { wall_at }
            | Self::RaycastBorder { wall_at, .. }
            | Self::RaycastCircle { wall_at, .. } => Some(wall_at),
        }
    }

    /// Returns `true` for a binary method, which distinguishes only walls and clear cells.
    pub const fn is_binary(&self) -> bool {
        self.wall_at().is_some()
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`OutOfRange`].
    pub fn check(&self) -> Result<(), OutOfRange> {
        if let Some(wall_at) = self.wall_at() {
            OutOfRange::check("wall_at", wall_at, Self::WALL_AT)?;
        }
        match *self {
            Self::Beam { beams } => OutOfRange::check("beams", beams, Self::BEAMS),
            Self::Exact { samples } => OutOfRange::check_whole("samples", samples, Self::SAMPLES),
            Self::RaycastCircle { wall_at: _, rays } => OutOfRange::check_whole("rays", rays, Self::RAYS),
            Self::TwoParent { weights: _ }
            | Self::SymmetricShadowcast { wall_at: _ }
            | Self::Shadowcast { wall_at: _ }
            | Self::RaycastBorder { wall_at: _, repair: _ } => Ok(()),
        }
    }
}

impl MethodKind {
    /// Returns `true` for a binary method, which distinguishes only walls and clear cells.
    pub fn is_binary(self) -> bool {
        Method::from(self).is_binary()
    }
}

named_enum! {
    /// The weights of the two parents of a cell. M is the longer and m the shorter of |dx| and |dy|, and r is the
    /// distance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Weights: "weights" {
        /// The weight of the diagonal parent is m / M. Visibility is then the mean over all shortest paths of a chess
        /// king (the orders of M − m straight and m diagonal steps), so it is exactly symmetric if opacities do not
        /// depend on the eye: V(a→b) = V(b→a). On an [`OpacityMap`](crate::OpacityMap) it is always symmetric. The opacities of
        /// hills, and of woods with a height, as in the worlds of farsight-scene, depend on the eye.
        #[default]
        Linear = "linear",
        /// The weight of the straight parent is M / r, as published. Not symmetric; it reproduces the source.
        Projection = "projection",
    }
}
