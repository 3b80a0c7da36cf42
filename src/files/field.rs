//! Rasters of shares, humidity and vegetation, from the bytes of a file.

use std::io::{BufRead, Cursor, Seek};

use glam::IVec2;

use super::error::ReadError;
use super::format::Format;
use super::heightmap::Heightmap;
use crate::files::{npy, png_map};
use crate::grid::Grid;

/// A raster of values from 0 to 1; NaN where there is no data.
///
/// # Errors
/// [`ReadError`] with the place and the value that is wrong.
pub(super) fn decode_field(bytes: &[u8], format: Format) -> Result<Grid<f32>, ReadError> {
    decode_from(Cursor::new(bytes), bytes.len() as u64, format)
}

/// The same from a reader that holds `length` bytes. In a grey picture white is 1.
pub(super) fn decode_from(reader: impl BufRead + Seek, length: u64, format: Format) -> Result<Grid<f32>, ReadError> {
    match format {
        Format::Npy => npy::decode(reader, length, share),
        Format::Png => png_map::decode(reader, length),
        Format::Asc | Format::Tif => {
            let raster = Heightmap::decode_from(reader, length, format)?.elevation_m;
            raster.iter().try_for_each(|(cell, &value)| share(cell, value.into()).map(drop))?;
            Ok(raster)
        }
        other => Err(ReadError::NotAField(other)),
    }
}

fn share(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    let rounded = value as f32;
    let right = rounded.is_nan() || (0.0..=1.0).contains(&rounded);
    if right { Ok(rounded) } else { Err(ReadError::Share { cell, value }) }
}
