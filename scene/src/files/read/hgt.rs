//! Reads the tiles of the Shuttle Radar Topography Mission (SRTM): heights without a header, with their position in the
//! name of the file.
//!
//! A tile is a square of one degree. Its cells are points: those of the first and the last row and column lie on the edges of
//! the square, which neighbouring tiles share.
//!
//! # References
//! NASA, *SRTM Topography* (`SRTM_Topo.pdf`), 2.2: rows from the north, big-endian integers of 16 bits, -32768 for voids.

use std::io::Read;

use glam::{IVec2, ivec2};

use super::error::{HgtError, ReadError};
use super::limits::{elevation, grid_of, reserve_cells};
use super::number::LinearScale;
use crate::files::geo_keys::GeoKeys;
use crate::files::georeference::Georeference;
use farsight::grid::Grid;

/// Columns and rows of tiles: of 3, of 1 and of half an arc second, and of 2 by 1 far from the equator.
const SIZES: [[usize; 2]; 4] = [[1201, 1201], [3601, 3601], [7201, 7201], [1801, 3601]];

/// The nodata value.
const VOID: i16 = -32768;

/// Returns columns and rows of a tile of `length` bytes.
pub(super) fn hgt_size(length: u64) -> Result<IVec2, HgtError> {
    let size = SIZES.into_iter().find(|[columns, rows]| (2 * columns * rows) as u64 == length);
    size.map(|[columns, rows]| ivec2(columns as i32, rows as i32)).ok_or(HgtError::Length { found: length })
}

/// Reads a tile of `length` bytes, whose numbers stand for metres by `scale`.
pub(super) fn read_hgt(mut reader: impl Read, length: u64, scale: LinearScale) -> Result<Grid<f32>, ReadError> {
    let [columns, rows] = hgt_size(length)?.to_array().map(|side| side as usize);
    let mut cells = reserve_cells(columns, rows)?;
    let mut row = vec![0; 2 * columns];
    for y in 0..rows {
        reader.read_exact(&mut row)?;
        for (x, bytes) in row.as_chunks().0.iter().enumerate() {
            let number = i16::from_be_bytes(*bytes);
            let cell = ivec2(x as i32, y as i32);
            cells.push(if number == VOID { f32::NAN } else { elevation(cell, scale.value(number.into()))? });
        }
    }
    grid_of(columns, rows, cells)
}

/// Returns the position of a tile with a name such as `N46E007.hgt`, the degrees of its lower left corner; `None` for another
/// name.
pub(super) fn tile_position(name: &str, size: IVec2) -> Option<Georeference> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<f64>().ok())?;
    let signed = |letter: &str, plus: &str, minus: &str, degrees: f64| match letter {
        _ if letter.eq_ignore_ascii_case(plus) => Some(degrees),
        _ if letter.eq_ignore_ascii_case(minus) => Some(-degrees),
        _ => None,
    };
    let south = signed(name.get(0..1)?, "N", "S", digits(name.get(1..3)?)?)?;
    let west = signed(name.get(3..4)?, "E", "W", digits(name.get(4..7)?)?)?;
    let is_on_earth = (-90.0..90.0).contains(&south) && (-180.0..180.0).contains(&west);
    let ends = name.get(7..8).is_none_or(|next| next == "." || next == "_");
    let cell = [size.x, size.y].map(|cells| 1.0 / f64::from(cells - 1));
    (is_on_earth && ends).then(|| Georeference {
        corner: [west - 0.5 * cell[0], south + 1.0 + 0.5 * cell[1]],
        cell,
        keys: GeoKeys::geographic(),
    })
}
