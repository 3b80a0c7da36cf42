//! [`Sector`]: the directions in which a viewer looks.

use std::ops::RangeInclusive;

use crate::grid::ToCell;
use glam::{DVec2, IVec2};
use serde::{Deserialize, Serialize};

use super::error::{OutOfRange, SightError};
use super::sector_edges::SectorEdges;

/// A cone of vision: the directions in which a viewer looks, in degrees.
///
/// A cell is in the sector if its centre is, including the edges; the viewer's own cell always is. By default a viewer
/// looks all around.
///
/// ```
/// use farsight::sight::Sector;
/// use farsight::glam::ivec2;
/// let east = Sector::new(90.0, 90.0); // from north-east to south-east
/// assert!(east.contains(ivec2(5, 0)) && east.contains(ivec2(5, -5)) && !east.contains(ivec2(5, -6)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sector {
    /// The central direction, clockwise from the top of the map: 0 north, 90 east, 180 south, 270 west. Angles wrap:
    /// 450 and -270 are east, too.
    #[serde(skip_serializing_if = "is_north")]
    pub facing: f64,
    /// The angle from edge to edge, 1 to 360; 360 is all directions.
    #[serde(skip_serializing_if = "is_full_turn")]
    pub span: f64,
}

impl Default for Sector {
    fn default() -> Self {
        Self::ALL
    }
}

fn is_north(facing: &f64) -> bool {
    *facing == Sector::ALL.facing
}

fn is_full_turn(span: &f64) -> bool {
    *span == Sector::ALL.span
}

impl Sector {
    /// All directions.
    pub const ALL: Self = Self { facing: 0.0, span: 360.0 };

    /// The range of `facing` for people who choose it, in degrees: -360 to 360. [`check`](Self::check) accepts each finite angle.
    pub const FACING: RangeInclusive<f64> = -360.0..=360.0;

    /// The valid range of `span`, in degrees: 1 to 360.
    pub const SPAN: RangeInclusive<f64> = 1.0..=360.0;

    /// Creates a sector from its central direction (0 north, 90 east, 180 south, 270 west) and its angle, in degrees.
    pub fn new(facing: f64, span: f64) -> Self {
        Self { facing, span }
    }

    /// Creates a sector that faces an offset. `facing` is from 0 to less than 360, and north for a zero offset.
    ///
    /// ```
    /// use farsight::sight::Sector;
    /// assert_eq!(Sector::towards((3, 0), 90.0), Sector::new(90.0, 90.0)); // east
    /// assert_eq!(Sector::towards((0, -5), 60.0), Sector::new(0.0, 60.0)); // north
    /// assert_eq!(Sector::towards((-2, 2), 60.0), Sector::new(225.0, 60.0)); // south-west
    /// assert_eq!(Sector::towards((-1, 0), 60.0), Sector::new(270.0, 60.0)); // west
    /// ```
    pub fn towards(offset: impl ToCell, span: f64) -> Self {
        let offset = offset.to_cell();
        let facing = libm::atan2(f64::from(offset.x), 0.0 - f64::from(offset.y)).to_degrees();
        Self { facing: facing.rem_euclid(360.0), span }
    }

    /// Returns `true` if all directions are in the sector.
    pub fn is_full(&self) -> bool {
        self.span >= 360.0
    }

    /// Returns `true` if this is the default, which files leave out.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::ALL
    }

    /// Returns `true` if a cell at an offset from the viewer is in the sector.
    pub fn contains(&self, offset: impl ToCell) -> bool {
        self.contains_in(offset.to_cell(), DVec2::ONE)
    }

    /// Returns [`contains`](Self::contains) for cells with these ratios of sides.
    pub fn contains_in(&self, offset: IVec2, ratios: DVec2) -> bool {
        offset == IVec2::ZERO || self.is_full() || self.edges(ratios).contains(offset)
    }

    /// Checks both angles.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`].
    pub fn check(&self) -> Result<(), SightError> {
        OutOfRange::check("facing", self.facing, ..)?;
        Ok(OutOfRange::check("span", self.span, Self::SPAN)?)
    }

    /// Returns the edges for cells whose sides have these ratios.
    pub(crate) fn edges(&self, ratios: DVec2) -> SectorEdges {
        let (facing, half) = (self.facing % 360.0, 0.5 * self.span);
        SectorEdges::new([facing - half, facing + half], self.span > 180.0, ratios)
    }
}
