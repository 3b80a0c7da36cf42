//! [`RowSizes`]: the sides of the cells of each row of measured ground.

use std::sync::Arc;

use glam::IVec2;

use super::cell_sizes::CellSizes;
use super::neighbours::NEIGHBOURS;
use crate::grid::CellSize;

/// The sides of the cells of a raster of rectangular cells, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowSizes {
    pub(super) sizes: CellSizes,
    /// The sides in each row of the whole raster.
    rows: Arc<[CellSize]>,
    middle: CellSize,
    /// The shortest side of all cells, in metres.
    pub(super) shortest_m: f64,
}

impl RowSizes {
    /// Computes the sides in a raster of some rows, in the middle of which the mean side is `mean_m`.
    pub(super) fn new(sizes: CellSizes, mean_m: f64, rows: usize) -> Self {
        let factor = mean_m / sizes.in_the_middle(rows).mean_m();
        Self {
            sizes,
            rows: (0..rows).map(|row| sizes.at_row(row as f64).scaled(factor)).collect(),
            middle: sizes.in_the_middle(rows).scaled(factor),
            shortest_m: sizes.shortest_m(rows) * factor,
        }
    }

    /// Returns the sides in a row of the raster; beyond it, those of its first or last row.
    #[inline]
    pub(super) fn at_row(&self, row: i32) -> CellSize {
        let last = self.rows.len().saturating_sub(1);
        self.rows.get((row.max(0) as usize).min(last)).copied().unwrap_or(self.middle)
    }

    /// Returns the sides in the middle of the raster.
    pub(super) fn in_the_middle(&self) -> CellSize {
        self.middle
    }

    /// Returns the area of a cell of a row, in square kilometres.
    pub(super) fn area_km2(&self, row: usize) -> f64 {
        let size = self.at_row(row as i32);
        size.x_m * size.y_m / 1e6
    }

    /// Returns the inverse of the distance to each neighbour of a cell of a row, in the order of [`NEIGHBOURS`] and with the
    /// shorter side as unit.
    pub(super) fn slope_factors(&self, row: usize) -> [f32; 8] {
        let ratios = self.at_row(row as i32).ratios();
        NEIGHBOURS.map(|to: IVec2| (1.0 / (to.as_dvec2() * ratios).length()) as f32)
    }
}
