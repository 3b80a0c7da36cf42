//! [`SightConfig`]: the configuration of a field of view.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::decay::Decay;
use super::error::SightError;
use super::method::Method;
use super::radius_shape::RadiusShape;
use super::sector::Sector;
use crate::setters;

/// The configuration of a field of view. By default: two-parent method, linear weights, opacity per cell, no decay,
/// radius 32.
///
/// ```
/// use farsight::SightConfig;
/// use farsight::sight::{Decay, DecayKind, Method, RadiusShape, Sector};
/// let guard = SightConfig::default()
///     .with_radius(12)
///     .with_shape(RadiusShape::Square)
///     .with_sector(Sector::new(180.0, 120.0)) // looks south
///     .with_decay(Decay::of(DecayKind::Linear));
/// assert!(guard.check().is_ok());
/// let error = guard.with_method(Method::Beam).with_beams(99.0).check().unwrap_err();
/// assert_eq!(error.to_string(), "sight.beams: 99 is not valid: expected from 0.5 to 4");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SightConfig {
    /// The range of sight in cells, by the [`shape`](field@Self::shape). Beyond the edge of the map it takes no time:
    /// [`UNLIMITED`](Self::UNLIMITED) reaches up to the map.
    pub radius: u32,
    /// The shape of the cells in range: by default a circle. [Binary](Method::is_binary) methods see a circle whatever it is.
    pub shape: RadiusShape,
    /// The algorithm.
    pub method: Method,
    /// The shares of a cell's two parents in its light ([`Method::TwoParent`]).
    pub weights: Weights,
    /// The effect of a cell's opacity on a line of sight that crosses it at an angle.
    pub path: PathRule,
    /// The number of directions of [`Method::Beam`] in the full turn, in units of 12 · radius, in [0.5, 4]. At 1, one to
    /// three rays cross each cell of the rim. A higher value is more accurate in fog; in clear air the error of shadows is
    /// a few hundredths at 1 already. On a small map, a radius above 256 counts only as the next power of two above the
    /// distance of the farthest corner.
    pub beams: f64,
    /// The lines of [`Method::Exact`] to a cell: `samples` × `samples` points, 1 to 32 per side. The error comes from edges
    /// of shadows that cross a cell. At radius 64 with 7 per side, against 31 per side, the RMSE is 0.007 where 10 % of
    /// the cells are walls, 0.003 where 30 % are, 0.002 in rooms and 0.0001 in haze. It falls about as 1/`samples`; run
    /// time grows with the square.
    pub samples: u32,
    /// The opacity from which a cell is a wall, 0 to 1, for [binary](Method::is_binary) methods. Below it the cell is clear.
    pub wall_at: f64,
    /// The number of lines of [`Method::RaycastCircle`], 1 to 65,536.
    pub rays: u32,
    /// `true` if [`Method::RaycastBorder`] shows the walls behind seen floor.
    pub repair: bool,
    /// The decay of visibility with distance.
    pub decay: Decay,
    /// The directions in which the viewer looks; by default all. Cells outside are not visible.
    #[serde(skip_serializing_if = "Sector::is_default")]
    pub sector: Sector,
}

impl Default for SightConfig {
    fn default() -> Self {
        Self {
            radius: Self::DEFAULT_RADIUS,
            shape: RadiusShape::Circle,
            method: Method::TwoParent,
            weights: Weights::Linear,
            path: PathRule::PerCell,
            beams: Self::DEFAULT_BEAMS,
            samples: Self::DEFAULT_SAMPLES,
            wall_at: Self::DEFAULT_WALL_AT,
            rays: Self::DEFAULT_RAYS,
            repair: true,
            decay: Decay::default(),
            sector: Sector::ALL,
        }
    }
}

impl SightConfig {
    /// The screen of a roguelike in every direction.
    pub const DEFAULT_RADIUS: u32 = 32;

    /// A radius that reaches up to the edge of the map. The map may extend
    /// [`OffsetList::MAX_RADIUS`](crate::sight::OffsetList::MAX_RADIUS) cells from the viewer.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::clear(500, 1)?;
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(SightConfig::UNLIMITED))?;
    /// assert_eq!(fov.compute(&map, ivec2(0, 0))?.get(ivec2(499, 0)), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const UNLIMITED: u32 = u32::MAX;

    /// One to three rays for each cell of the rim, so no cell is between two rays.
    pub const DEFAULT_BEAMS: f64 = 1.0;

    /// 49 lines per cell, as in the published accuracy table.
    pub const DEFAULT_SAMPLES: u32 = 7;

    /// A cell that blocks half of the light or more is a wall.
    pub const DEFAULT_WALL_AT: f64 = 0.5;

    /// One line a degree, as the method is usually described; it leaves gaps from 47 cells on.
    pub const DEFAULT_RAYS: u32 = 360;

    /// The valid range of `beams`.
    pub const BEAMS: RangeInclusive<f64> = 0.5..=4.0;

    /// The valid range of `samples`.
    pub const SAMPLES: RangeInclusive<u32> = 1..=32;

    /// The valid range of `wall_at`.
    pub const WALL_AT: RangeInclusive<f64> = 0.0..=1.0;

    /// The valid range of `rays`.
    pub const RAYS: RangeInclusive<u32> = 1..=65_536;

    setters! {
        with_radius(radius: u32), with_shape(shape: RadiusShape), with_method(method: Method), with_weights(weights: Weights),
        with_path(path: PathRule), with_beams(beams: f64), with_samples(samples: u32), with_wall_at(wall_at: f64),
        with_rays(rays: u32), with_repair(repair: bool), with_decay(decay: Decay), with_sector(sector: Sector),
    }

    /// Checks the ranges of all values.
    ///
    /// # Errors
    /// [`SightError::Decay`] for a decay whose parameters are out of range; [`SightError::OutOfRange`] for `beams`, `samples`,
    /// `wall_at`, `rays` and `sector`.
    pub fn check(&self) -> Result<(), SightError> {
        check_number("sight.beams", self.beams, Self::BEAMS)?;
        check_whole("sight.samples", self.samples, Self::SAMPLES)?;
        check_number("sight.wall_at", self.wall_at, Self::WALL_AT)?;
        check_whole("sight.rays", self.rays, Self::RAYS)?;
        self.sector.check()?;
        self.decay.check().map_err(SightError::Decay)
    }

    /// Returns the shape of the cells in range: that of the configuration, or a circle for a [binary](Method::is_binary) method.
    pub fn shape_in_sight(&self) -> RadiusShape {
        if self.method.is_binary() { RadiusShape::Circle } else { self.shape }
    }
}

fn check_number(key: &'static str, value: f64, range: RangeInclusive<f64>) -> Result<(), SightError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(SightError::OutOfRange { key, value, range: format!("from {} to {}", range.start(), range.end()) })
}

fn check_whole(key: &'static str, value: u32, range: RangeInclusive<u32>) -> Result<(), SightError> {
    if range.contains(&value) {
        return Ok(());
    }
    let range = format!("a whole number from {} to {}", range.start(), range.end());
    Err(SightError::OutOfRange { key, value: value.into(), range })
}

/// The shares of a cell's two parents in its light. M is the longer and m the shorter of |dx| and |dy|, and r is the
/// distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Weights {
    /// The share of the diagonal parent is m / M. Visibility is then the mean over all shortest paths of a chess king (the
    /// orders of M − m straight and m diagonal steps), so it is exactly symmetric where opacities do not depend on the eye:
    /// V(a→b) = V(b→a). Relief and woods of a world depend on it.
    #[default]
    Linear,
    /// The share of the straight parent is M / r, as published. Not symmetric; kept to reproduce the source.
    Projection,
}

/// The effect of a cell's opacity on a line of sight that crosses the cell at an angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PathRule {
    /// A cell takes its opacity from every line, whatever the angle. For walls and hand-drawn maps.
    #[default]
    #[serde(alias = "per-cell")]
    PerCell,
    /// A cell takes its opacity for each cell width of the line. For haze and forest, where a diagonal crossing is √2 as
    /// long.
    #[serde(alias = "per-length")]
    PerLength,
}
