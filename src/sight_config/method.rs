//! [`Method`]: the algorithm of a field of view.

use serde::{Deserialize, Serialize};

use crate::named_enum;

named_enum! {
    /// The algorithm of a field of view.
    ///
    /// ```
    /// use farsight::sight::Method;
    /// assert_eq!("two-parent".parse(), Ok(Method::TwoParent));
    /// assert!(Method::ALL.into_iter().filter(|method| method.is_binary()).any(|method| method == Method::Shadowcast));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Method: "method" {
        /// Every cell takes its light from up to two cells one step nearer to the viewer.
        #[default]
        #[serde(alias = "two-parent")]
        TwoParent = "two-parent",
        /// Rays in all directions, each dimmed by the cells that it crosses: sharp shadows with fractional values at their
        /// edges. Not symmetric.
        Beam = "beam",
        /// Straight lines to many points of every cell: the slow reference for the others.
        Exact = "exact",
        /// Symmetric shadowcasting: a floor cell is seen if the straight line between the centres of both cells misses the diamonds
        /// over the middles of the sides of all walls, and walls are seen that border what is lit. Symmetric between floor cells:
        /// the yes or no of games. A cell of opacity 0.5 or more, see [`wall_at`](super::SightConfig::wall_at), is a wall, and a thinner
        /// one does not dim.
        #[doc(alias = "shadowcasting")]
        #[serde(alias = "symmetric-shadowcast")]
        SymmetricShadowcast = "symmetric-shadowcast",
        /// Recursive shadowcasting: walls narrow intervals of lit slopes, row by row in eight octants. Not symmetric.
        #[doc(alias = "shadowcasting")]
        Shadowcast = "shadowcast",
        /// Bresenham lines to every cell of the border of the view, clipped to the map, then the walls behind seen floor. Not
        /// symmetric.
        #[serde(alias = "raycast-border")]
        RaycastBorder = "raycast-border",
        /// Bresenham lines to points on a far circle. Not symmetric.
        #[serde(alias = "raycast-circle")]
        RaycastCircle = "raycast-circle",
    }
}

impl Method {
    /// Returns `true` if the method knows only walls and clear cells, and answers yes or no: its visibilities are 1 or 0 before the
    /// decay. A cell is a wall from the opacity [`SightConfig::wall_at`](super::SightConfig::wall_at) on.
    ///
    /// Such a method sees a circle, reads opacities only, also those of relief, and has neither path rule nor half cells.
    pub const fn is_binary(self) -> bool {
        match self {
            Self::TwoParent | Self::Beam | Self::Exact => false,
            Self::SymmetricShadowcast | Self::Shadowcast | Self::RaycastBorder | Self::RaycastCircle => true,
        }
    }
}
