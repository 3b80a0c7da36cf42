//! [`OpacityMap`]: a grid of checked opacities.

use std::sync::OnceLock;

use glam::{IVec2, ivec2};

use crate::grid::AlignedGrid;
use crate::grid::Grid;
#[cfg(target_arch = "x86_64")]
use crate::grid::GridView;
#[cfg(target_arch = "x86_64")]
use crate::sight::two_parent::avx512::transpose_grid;

/// The opacity of every cell of a map: 0 lets all light through, 1 lets none through. All values are in [0, 1]; this is
/// checked when the map is made, not by every field of view.
///
/// On processors with AVX-512, the first field of view on a map makes a transposed copy of it, which takes as much memory
/// again.
#[derive(Clone, Debug)]
pub struct OpacityMap {
    grid: Grid<f32>,
    transposed: OnceLock<AlignedGrid>,
}

impl PartialEq for OpacityMap {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid
    }
}

/// An error in a grid of opacities.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OpacityError {
    /// The map has no cells.
    #[error("the map has {width}x{height} cells; it needs at least one")]
    Empty {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
    /// A value is outside [0, 1], or NaN.
    #[error("cell {},{} has opacity {value}; an opacity is a number from 0 (clear) to 1 (wall)", cell.x, cell.y)]
    OutOfRange {
        /// The first such cell in row-major order.
        cell: IVec2,
        /// Its value.
        value: f32,
    },
    /// The cell is not on the map.
    #[error("cell {},{} is outside the map of {width}x{height} cells", cell.x, cell.y)]
    Outside {
        /// The cell.
        cell: IVec2,
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
}

impl OpacityMap {
    /// A map of clear cells.
    ///
    /// # Errors
    /// [`OpacityError::Empty`] if a side is 0.
    ///
    /// # Panics
    /// If width × height overflows a `usize`.
    pub fn clear(width: usize, height: usize) -> Result<Self, OpacityError> {
        Self::try_from(Grid::new(width, height, 0.0))
    }

    /// Changes the opacity of one cell: a door opens, a tree falls.
    ///
    /// # Errors
    /// [`OpacityError`] if the cell is outside the map, or the value is not in [0, 1]. The map does not change then.
    pub fn set(&mut self, cell: IVec2, opacity: f32) -> Result<(), OpacityError> {
        let (width, height) = (self.grid.width(), self.grid.height());
        let slot = self.grid.get_mut(cell).ok_or(OpacityError::Outside { cell, width, height })?;
        if !(0.0..=1.0).contains(&opacity) {
            return Err(OpacityError::OutOfRange { cell, value: opacity });
        }
        *slot = opacity;
        if let Some(transposed) = self.transposed.get_mut() {
            transposed[ivec2(cell.y, cell.x)] = opacity;
        }
        Ok(())
    }

    /// The opacity of a cell, or `None` outside the map.
    #[inline]
    pub fn get(&self, cell: IVec2) -> Option<f32> {
        self.grid.get(cell).copied()
    }

    /// The opacities.
    pub fn grid(&self) -> &Grid<f32> {
        &self.grid
    }

    /// The transposed opacities: the columns of the map as rows.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn transposed(&self) -> GridView<'_, f32> {
        let transposed = self.transposed.get_or_init(|| {
            let mut transposed = AlignedGrid::new(self.grid.height(), self.grid.width());
            transpose_grid(self.grid.view(), &mut transposed);
            transposed
        });
        transposed.view()
    }

    /// Returns the opacities as a grid that can be changed freely.
    pub fn into_grid(self) -> Grid<f32> {
        self.grid
    }
}

impl TryFrom<Grid<f32>> for OpacityMap {
    type Error = OpacityError;

    fn try_from(grid: Grid<f32>) -> Result<Self, OpacityError> {
        if grid.as_slice().is_empty() {
            return Err(OpacityError::Empty { width: grid.width(), height: grid.height() });
        }
        let bad = grid.iter().find(|(_, value)| !(0.0..=1.0).contains(*value)).map(|(cell, &value)| (cell, value));
        match bad {
            Some((cell, value)) => Err(OpacityError::OutOfRange { cell, value }),
            None => Ok(Self { grid, transposed: OnceLock::new() }),
        }
    }
}
