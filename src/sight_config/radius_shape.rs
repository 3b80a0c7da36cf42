//! [`RadiusShape`]: the shape of the cells within a radius.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::grid::{CellSize, ToCell};
use crate::named_enum;

named_enum! {
    /// The shape of the cells within a radius r.
    ///
    /// ```
    /// use farsight::sight::RadiusShape;
    /// use farsight::glam::ivec2;
    /// let contains = |shape: RadiusShape| shape.contains(ivec2(4, 3), 5);
    /// assert!(contains(RadiusShape::Circle) && contains(RadiusShape::Square) && !contains(RadiusShape::Diamond));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum RadiusShape: "shape" {
        /// dx² + dy² ≤ r².
        #[default]
        Circle = "circle",
        /// max(|dx|, |dy|) ≤ r: the cells that a king of chess reaches in r moves.
        #[doc(alias = "chebyshev")]
        Square = "square",
        /// |dx| + |dy| ≤ r: the cells within r steps without diagonals.
        #[doc(alias = "manhattan")]
        Diamond = "diamond",
    }
}

impl RadiusShape {
    /// Returns `true` if an offset is within a radius in cells.
    pub fn contains(self, offset: impl ToCell, radius: u32) -> bool {
        let (distance, radius) = (offset.to_cell().as_i64vec2().abs(), i64::from(radius));
        match self {
            Self::Circle => {
                let square = |side: i64| i128::from(side).pow(2);
                square(distance.x) + square(distance.y) <= square(radius)
            }
            Self::Square => distance.max_element() <= radius,
            Self::Diamond => distance.element_sum() <= radius,
        }
    }

    /// Returns `true` if an offset is within a radius in units of the shorter side of a cell.
    pub fn contains_on(self, cell_size: CellSize, offset: IVec2, radius: u32) -> bool {
        if cell_size.is_square() {
            return self.contains(offset, radius);
        }
        let distance = (offset.as_dvec2() * cell_size.ratios()).abs();
        match self {
            Self::Circle => cell_size.is_in_range(offset, radius),
            Self::Square => distance.max_element() <= f64::from(radius),
            Self::Diamond => distance.element_sum() <= f64::from(radius),
        }
    }

    /// Returns the radius of the smallest circle that contains the shape, in whole cells.
    pub(crate) fn outer_radius(self, radius: u32) -> u32 {
        match self {
            Self::Circle | Self::Diamond => radius,
            Self::Square => (f64::from(radius) * std::f64::consts::SQRT_2).ceil() as u32,
        }
    }

    /// Returns the number of columns to each side of the viewer in row `dy` that are in the shape, or `None` if the row
    /// is outside.
    pub(crate) fn half_width(self, dy: u32, radius: u32) -> Option<u32> {
        let left = radius.checked_sub(dy)?;
        Some(match self {
            Self::Circle => (u64::from(radius).pow(2) - u64::from(dy).pow(2)).isqrt() as u32,
            Self::Square => radius,
            Self::Diamond => left,
        })
    }

    /// Returns the number of columns to each side of the viewer in row `dy` that are in the shape, or `None` if the row
    /// is outside, on cells of any proportions. The radius is in units of their shorter side.
    pub fn half_width_on(self, cell_size: CellSize, dy: u32, radius: u32) -> Option<u32> {
        if cell_size.is_square() {
            return self.half_width(dy, radius);
        }
        let contains = |dx: u32| self.contains_on(cell_size, IVec2::new(dx as i32, dy as i32), radius);
        let (mut inside, mut outside) = (contains(0).then_some(0)?, radius.saturating_add(1));
        while outside - inside > 1 {
            let middle = inside + (outside - inside) / 2;
            if contains(middle) { inside = middle } else { outside = middle }
        }
        Some(inside)
    }
}
