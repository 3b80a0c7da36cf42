//! The sides of the cells of a [`World`].

use glam::IVec2;

use super::cell_sizes::CellSizes;
use super::world::World;
use crate::grid::CellSize;

impl World {
    /// Returns the sides of the cells of the row of a cell. They differ from row to row on ground in degrees.
    pub fn cell_size_at(&self, cell: IVec2) -> CellSize {
        match self.cell_sizes {
            None => CellSize::square(self.config.cell_size_m),
            Some((sizes, factor)) => {
                let row = self.origin().y + cell.y.clamp(0, self.height() as i32 - 1);
                sizes.at_row(row.into()).scaled(factor)
            }
        }
    }

    /// Returns the shortest side of all cells, in metres.
    pub fn shortest_side_m(&self) -> f64 {
        match self.cell_sizes {
            None => self.config.cell_size_m,
            Some((sizes, factor)) => {
                let rows = self.window.map_or(self.height(), |window| window.raster_size.y as usize);
                sizes.shortest_m(rows) * factor
            }
        }
    }

    /// Sets the sides of cells of a raster of some rows.
    pub(super) fn set_cell_sizes(&mut self, cell_sizes: Option<CellSizes>, rows: usize) {
        self.cell_sizes = cell_sizes.map(|sizes| {
            let mean_m = sizes.in_the_middle(rows).mean_m();
            (sizes, self.config.cell_size_m / mean_m)
        });
    }
}
