//! The size limits of maps, and allocation within them.

use super::error::ReadError;
use crate::grid::Grid;

/// The largest number of cells of a map: 16384 × 16384.
pub const MAX_CELLS: u64 = 16384 * 16384;

/// Returns the width and height of a map.
///
/// # Errors
/// [`ReadError::Empty`] and [`ReadError::TooLarge`].
pub(super) fn check_size(width: u64, height: u64) -> Result<(usize, usize), ReadError> {
    if width == 0 || height == 0 {
        return Err(ReadError::Empty { width, height });
    }
    match width.checked_mul(height) {
        Some(cells) if cells <= MAX_CELLS => Ok((width as usize, height as usize)),
        _ => Err(ReadError::TooLarge { width, height }),
    }
}

/// Returns an empty vector with capacity for the cells of a map whose size is checked.
pub(super) fn reserve_cells(width: usize, height: usize) -> Result<Vec<f32>, ReadError> {
    let mut cells = Vec::new();
    match cells.try_reserve_exact(width * height) {
        Ok(()) => Ok(cells),
        Err(_) => Err(ReadError::Memory { width, height }),
    }
}

/// Returns the grid of cells that were counted before.
pub(super) fn grid_of(width: usize, height: usize, cells: Vec<f32>) -> Result<Grid<f32>, ReadError> {
    Grid::from_vec(width, height, cells).map_err(|_| ReadError::Empty { width: width as u64, height: height as u64 })
}
