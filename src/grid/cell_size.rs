//! [`CellSize`]: the sides of a cell on the ground.

use glam::{DVec2, IVec2, dvec2};

use super::to_cell::ToCell;

/// The sides of a cell on the ground in metres, both above 0. Cells of worlds are square; cells of rasters in degrees
/// are higher than wide.
///
/// A straight line of cells is straight on the ground for any sides: only lengths depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellSize {
    /// From west to east.
    pub x_m: f64,
    /// From north to south.
    pub y_m: f64,
}

impl CellSize {
    /// Creates a size from both sides.
    pub fn new(x_m: f64, y_m: f64) -> Self {
        Self { x_m, y_m }
    }

    /// Creates the size of a square.
    pub fn square(side_m: f64) -> Self {
        Self::new(side_m, side_m)
    }

    /// Returns `true` if both sides are equal.
    pub fn is_square(self) -> bool {
        self.x_m == self.y_m
    }

    /// Returns the shorter side.
    pub fn shorter_m(self) -> f64 {
        self.x_m.min(self.y_m)
    }

    /// Returns the geometric mean of the sides: the side of a square of the same area.
    pub fn mean_m(self) -> f64 {
        if self.is_square() { self.x_m } else { (self.x_m * self.y_m).sqrt() }
    }

    /// Returns the size with both sides multiplied by a factor.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self::new(self.x_m * factor, self.y_m * factor)
    }

    /// Returns both sides divided by the shorter one: 1 and at least 1.
    pub fn ratios(self) -> DVec2 {
        dvec2(self.x_m, self.y_m) / self.shorter_m()
    }

    /// Returns `true` if an offset is at most `radius` shorter sides long.
    pub fn is_in_range(self, offset: IVec2, radius: u32) -> bool {
        if self.is_square() {
            // The squares of `i32::MIN` add up to 2⁶³, and that of a radius is below 2⁶⁴.
            return offset.as_i64vec2().abs().as_u64vec2().length_squared() <= u64::from(radius).pow(2);
        }
        (offset.as_dvec2() * self.ratios()).length_squared() <= f64::from(radius) * f64::from(radius)
    }

    /// Returns the length of an offset in metres.
    pub fn distance_m(self, offset: impl ToCell) -> f64 {
        (offset.to_cell().as_dvec2() * self.ratios()).length() * self.shorter_m()
    }
}

impl From<f64> for CellSize {
    fn from(side_m: f64) -> Self {
        Self::square(side_m)
    }
}
