//! Reads heightmaps of game engines: squares of 16-bit numbers without a header, `.r16`.
//!
//! # References
//! Epic Games, *Landscape Technical Guide*; Unity, *Terrain: import raw heightmap*: little-endian shares of the whole height.

use std::io::Read;

use super::error::ReadError;
use super::limits::{check_size, grid_of, reserve_cells};
use crate::files::picture_heights::HeightRange;
use farsight::grid::Grid;

/// Reads a square of `length` bytes, whose numbers are relative heights.
pub(super) fn read_r16(mut reader: impl Read, length: u64, heights: HeightRange) -> Result<Grid<f32>, ReadError> {
    let side = (length / 2).isqrt();
    if side == 0 || 2 * side * side != length {
        return Err(ReadError::NoSquare { length });
    }
    let (width, height) = check_size(side, side)?;
    let mut cells = reserve_cells(width, height)?;
    let mut row = vec![0; 2 * width];
    for _ in 0..height {
        reader.read_exact(&mut row)?;
        let shares = row.as_chunks().0.iter().map(|bytes| f64::from(u16::from_le_bytes(*bytes)) / 65_535.0);
        cells.extend(shares.map(|share| heights.at(share)));
    }
    grid_of(width, height, cells)
}
