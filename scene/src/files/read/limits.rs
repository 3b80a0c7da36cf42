//! Checks of sizes and values, and allocation within them; [`Reader`]: one type for files and bytes, so that every decoder is
//! compiled once.

use std::io::{BufRead, Cursor, Seek};

use glam::IVec2;

use super::error::ReadError;
use super::max_cells::MAX_CELLS;
use crate::files::georeference::Georeference;
use crate::files::picture_heights::MAX_HEIGHT_M;
use farsight::grid::Grid;

/// The maximum ratio of the bytes of a raster to those of its file. LZW reaches 2730, Deflate 1032.
pub(super) const MAX_EXPANSION: u64 = 2800;

/// The maximum size in bytes of a raster in ZSTD or LERC, which shrink constant numbers to a few bytes, beyond that ratio.
pub(super) const MAX_CONSTANT_BYTES: u64 = 1 << 28;

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

/// Returns an empty vector with capacity for the cells of a map of a validated size.
pub(super) fn reserve_cells(width: usize, height: usize) -> Result<Vec<f32>, ReadError> {
    let mut cells = Vec::new();
    match cells.try_reserve_exact(width * height) {
        Ok(()) => Ok(cells),
        Err(_) => Err(ReadError::Memory { width, height }),
    }
}

/// Returns the grid of cells whose number was checked before.
pub(super) fn grid_of(width: usize, height: usize, cells: Vec<f32>) -> Result<Grid<f32>, ReadError> {
    Grid::from_vec(width, height, cells).map_err(|_| ReadError::Empty { width: width as u64, height: height as u64 })
}

/// Returns the position of a raster, whose corners are finite.
pub(super) fn check_position(position: Georeference, columns: usize, rows: usize) -> Result<Georeference, ReadError> {
    let upper_left = position.corner;
    let lower_right = [upper_left[0] + columns as f64 * position.cell[0], position.lower_left(rows)[1]];
    if upper_left.iter().chain(&lower_right).all(|coordinate| coordinate.is_finite()) {
        Ok(position)
    } else {
        Err(ReadError::Position { upper_left, lower_right })
    }
}

/// Returns a value as an opacity. The value is rounded to `f32` first, so that a sum of 1 + 2e−16 is 1.
pub(super) fn opacity(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    let rounded = value as f32;
    if (0.0..=1.0).contains(&rounded) { Ok(rounded) } else { Err(ReadError::Opacity { cell, value }) }
}

/// The maximum elevation and depth of any planet.
pub(super) const LIMIT_M: f64 = MAX_HEIGHT_M;

/// Returns a value as an elevation: finite, and within the limit.
pub(super) fn elevation(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    if value.abs() <= LIMIT_M { Ok(value as f32) } else { Err(ReadError::Elevation { cell, value }) }
}

/// Returns a value as a humidity or vegetation; NaN means no data.
pub(super) fn fraction_or_nodata(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    let rounded = value as f32;
    let is_valid = rounded.is_nan() || (0.0..=1.0).contains(&rounded);
    if is_valid { Ok(rounded) } else { Err(ReadError::Fraction { cell, value }) }
}

/// A reader that can seek.
pub(super) trait SeekableReader: BufRead + Seek {}

impl<R: BufRead + Seek> SeekableReader for R {}

/// An open file, or bytes.
pub(super) type Reader<'a> = Box<dyn SeekableReader + 'a>;

/// Returns a reader of bytes.
pub(super) fn reader_of(bytes: &[u8]) -> Reader<'_> {
    Box::new(Cursor::new(bytes))
}
