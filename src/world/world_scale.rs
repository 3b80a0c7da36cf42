//! The sides of the cells of a [`World`].

use glam::IVec2;

use super::cell_sizes::CellSizes;
use super::world::World;
use crate::grid::CellSize;

impl World {
    /// Returns the sides of the cells of the row of a cell. They differ from row to row on ground in degrees.
    pub fn cell_size_at(&self, cell: IVec2) -> CellSize {
        match &self.row_sizes {
            None => CellSize::square(self.config.cell_size_m),
            Some(sizes) => sizes.at_row(self.origin().y + cell.y.clamp(0, self.height() as i32 - 1)),
        }
    }

    /// Returns the shortest side of all cells, in metres.
    pub fn shortest_side_m(&self) -> f64 {
        self.row_sizes.as_ref().map_or(self.config.cell_size_m, |sizes| sizes.shortest_m)
    }

    /// Returns the sides of the cells of the raster that the ground is from, or `None` for squares.
    pub fn cell_sizes(&self) -> Option<CellSizes> {
        self.row_sizes.as_ref().map(|sizes| sizes.sizes)
    }

    /// Returns the distance between two cells, in units of the shorter side that cells have at the first.
    #[cfg(feature = "scene")]
    #[inline]
    pub(crate) fn distance(&self, from: IVec2, to: IVec2) -> f64 {
        let offset = to.as_dvec2() - from.as_dvec2();
        match &self.row_sizes {
            None => offset.length(),
            Some(_) => (offset * self.cell_size_at(from).ratios()).length(),
        }
    }
}
