//! [`OpacityMap`]: a grid of opacities that was checked once.

use std::sync::OnceLock;

use glam::{IVec2, ivec2};

use crate::grid::AlignedGrid;
use crate::grid::Grid;
#[cfg(target_arch = "x86_64")]
use crate::grid::GridView;
#[cfg(target_arch = "x86_64")]
use crate::sight::two_parent::avx512::mirror;

/// The opacity of every cell of a map: 0 lets all light through, 1 none. Every value is finite and
/// in [0, 1]; that is checked once, here, so that a field of view need not.
///
/// On processors with vectors of sixteen numbers, the first field of view on a map makes a mirror image of it beside, in
/// which its columns are rows; that takes as much memory again.
#[derive(Clone, Debug)]
pub struct OpacityMap {
    grid: Grid<f32>,
    mirrored: OnceLock<AlignedGrid>,
}

impl PartialEq for OpacityMap {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid
    }
}

/// What is wrong with a grid of opacities.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OpacityError {
    /// A map without cells.
    #[error("the map has {width}x{height} cells; it needs at least one")]
    Empty {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A value outside [0, 1], or not a number.
    #[error("cell {},{} has opacity {value}; an opacity is a number from 0 (clear) to 1 (wall)", cell.x, cell.y)]
    OutOfRange {
        /// The first such cell in row-major order.
        cell: IVec2,
        /// Its value.
        value: f32,
    },
    /// No such cell.
    #[error("cell {},{} lies outside the map of {width}x{height} cells", cell.x, cell.y)]
    Outside {
        /// The cell asked for.
        cell: IVec2,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
}

impl OpacityMap {
    /// A map without anything in it.
    ///
    /// # Errors
    /// [`OpacityError::Empty`] if a side is 0.
    pub fn clear(width: usize, height: usize) -> Result<Self, OpacityError> {
        Self::try_from(Grid::new(width, height, 0.0))
    }

    /// Changes one cell: a door that opens, a tree that falls.
    ///
    /// # Errors
    /// [`OpacityError`] if the cell lies outside, or the value is not in [0, 1]; the map is left as it was.
    pub fn set(&mut self, cell: IVec2, opacity: f32) -> Result<(), OpacityError> {
        let (width, height) = (self.grid.width(), self.grid.height());
        let slot = self.grid.get_mut(cell).ok_or(OpacityError::Outside { cell, width, height })?;
        if !(0.0..=1.0).contains(&opacity) {
            return Err(OpacityError::OutOfRange { cell, value: opacity });
        }
        *slot = opacity;
        if let Some(mirrored) = self.mirrored.get_mut() {
            mirrored[ivec2(cell.y, cell.x)] = opacity;
        }
        Ok(())
    }

    /// The opacity of a cell, or `None` outside the map.
    #[inline]
    pub fn get(&self, cell: IVec2) -> Option<f32> {
        self.grid.get(cell).copied()
    }

    /// The values.
    pub fn grid(&self) -> &Grid<f32> {
        &self.grid
    }

    /// The values with rows and columns swapped.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn mirrored(&self) -> GridView<'_, f32> {
        let mirrored = self.mirrored.get_or_init(|| {
            let mut mirrored = AlignedGrid::new(self.grid.height(), self.grid.width());
            mirror(self.grid.view(), &mut mirrored);
            mirrored
        });
        mirrored.view()
    }

    /// The values, no longer guarded.
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
            None => Ok(Self { grid, mirrored: OnceLock::new() }),
        }
    }
}
