//! [`Heightmap`]: real terrain from the bytes of a file.

use std::io::{BufRead, Cursor, Seek};

use glam::IVec2;

use super::error::ReadError;
use super::format::Format;
use super::georeference::{CellSizeError, Georeference};
use crate::files::{asc_read, npy, png_map, tiff_read};
use crate::grid::Grid;

/// Heights of real terrain as they were read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    /// Metres over the sea, row after row from the north; NaN where the file has no data.
    pub elevation_m: Grid<f32>,
    /// Side of a cell in metres, or why the file does not say.
    pub cell_size_m: Result<f64, CellSizeError>,
    /// Where it lies, if the file says so.
    pub georeference: Option<Georeference>,
}

impl Heightmap {
    /// A heightmap from the bytes of a file.
    ///
    /// | format | what is read |
    /// |---|---|
    /// | [`Asc`](Format::Asc) | an ESRI ASCII grid, with its cell size and cells without data |
    /// | [`Npy`](Format::Npy) | two axes (height, width) of float32 or float64 in metres; NaN is no data |
    /// | [`Png`](Format::Png) | a grey picture of 8 or 16 bits whose whole numbers are metres |
    /// | [`Tif`](Format::Tif) | a GeoTIFF file of one band: whole numbers of 8 to 64 bits, float32 or float64, in strips or tiles, uncompressed or by LZW or Deflate; NaN and the number of `GDAL_NODATA` are no data. Rows run from the north. Cells in degrees are squares only near the equator: elsewhere [`cell_size_m`](Self::cell_size_m) is an error |
    ///
    /// # Errors
    /// [`ReadError`] with the place and the value that is wrong.
    pub fn decode(bytes: &[u8], format: Format) -> Result<Self, ReadError> {
        Self::decode_from(Cursor::new(bytes), bytes.len() as u64, format)
    }

    /// The same from a reader that holds `length` bytes.
    pub(super) fn decode_from(reader: impl BufRead + Seek, length: u64, format: Format) -> Result<Self, ReadError> {
        let elevation_m = match format {
            Format::Asc => return asc_read::decode(reader),
            Format::Npy => npy::decode(reader, length, elevation_or_none)?,
            Format::Png => png_map::decode_whole_numbers(reader, length)?,
            Format::Tif => return tiff_read::decode(reader, length),
            other => return Err(ReadError::NotAHeightmap(other)),
        };
        Ok(Self { elevation_m, cell_size_m: Err(CellSizeError::Untold), georeference: None })
    }
}

/// A value as an elevation: finite, and not beyond what any planet has.
pub(super) fn elevation(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    const MOST_M: f64 = 20_000.0;
    if value.abs() <= MOST_M { Ok(value as f32) } else { Err(ReadError::Elevation { cell, value }) }
}

/// The same, where NaN says that there is no data.
fn elevation_or_none(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    if value.is_nan() { Ok(f32::NAN) } else { elevation(cell, value) }
}
