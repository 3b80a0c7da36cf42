//! [`MapFile`]: an opacity map from the bytes of a file, whatever its format.

use std::io::{BufRead, Cursor, Seek};

use glam::IVec2;

use super::error::ReadError;
use super::format::Format;
use crate::files::{csv_map, npy, png_map, text, tiff_read};
use crate::grid::Grid;
use crate::sight::OpacityMap;

/// The most cells that a map file may hold: 16384 × 16384.
pub const MAX_CELLS: u64 = 16384 * 16384;

/// An opacity map as it was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The opacities, in [0, 1].
    pub opacity: OpacityMap,
    /// Where the viewer stands, if the file says so: the `@` of a text map.
    pub viewer: Option<IVec2>,
}

impl MapFile {
    /// An opacity map from the bytes of a file.
    ///
    /// | format | what is read |
    /// |---|---|
    /// | [`Txt`](Format::Txt) | a map drawn as text; see [`TextMap`](crate::grid::TextMap) |
    /// | [`Npy`](Format::Npy) | two axes (height, width) of float32 or float64, of either byte order, in C or Fortran order |
    /// | [`Csv`](Format::Csv) | a table of numbers, a line a row of the map; or one line a cell under a heading `x,y,opacity` (or `visibility`) |
    /// | [`Png`](Format::Png) | brightness is opacity: white is a wall. Colours count by their luma (Rec. 709), transparent pixels are clear |
    ///
    /// # Errors
    /// [`ReadError`] with the place and the value that is wrong.
    pub fn decode(bytes: &[u8], format: Format) -> Result<Self, ReadError> {
        Self::decode_from(Cursor::new(bytes), bytes.len() as u64, format)
    }

    /// The same from a reader that holds `length` bytes.
    pub(super) fn decode_from(mut reader: impl BufRead + Seek, length: u64, format: Format) -> Result<Self, ReadError> {
        let grid = match format {
            Format::Txt => return text::decode(reader, length),
            Format::Npy => npy::decode(&mut reader, length, opacity)?,
            Format::Csv => csv_map::decode(reader)?,
            Format::Png => png_map::decode(reader, length)?,
            other => return Err(ReadError::NotAMap(other)),
        };
        Self::checked(grid, None)
    }

    /// The last check, which the readers have made cell by cell already.
    pub(super) fn checked(grid: Grid<f32>, viewer: Option<IVec2>) -> Result<Self, ReadError> {
        use crate::sight::OpacityError::{Empty, OutOfRange, Outside};
        let opacity = OpacityMap::try_from(grid).map_err(|error| match error {
            OutOfRange { cell, value } => ReadError::Opacity { cell, value: value.into() },
            Empty { width, height } | Outside { width, height, .. } => {
                ReadError::Empty { width: width as u64, height: height as u64 }
            }
        })?;
        Ok(Self { opacity, viewer })
    }
}

impl Format {
    /// The likely format of the bytes of a map: NumPy, PNG and TIFF files are marked as such, a comma makes a table,
    /// and the rest is a map drawn as text.
    pub fn sniff(bytes: &[u8]) -> Self {
        if bytes.starts_with(npy::MAGIC) {
            Self::Npy
        } else if bytes.starts_with(png_map::MAGIC) {
            Self::Png
        } else if tiff_read::MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
            Self::Tif
        } else if bytes.contains(&b',') {
            Self::Csv
        } else {
            Self::Txt
        }
    }
}

/// A value as an opacity. It is rounded to `f32` first, so that a sum that ends at 1 + 2e−16 is 1.
pub(super) fn opacity(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    let rounded = value as f32;
    if (0.0..=1.0).contains(&rounded) { Ok(rounded) } else { Err(ReadError::Opacity { cell, value }) }
}

/// Width and height if a map may have them.
pub(super) fn checked_size(width: u64, height: u64) -> Result<(usize, usize), ReadError> {
    if width == 0 || height == 0 {
        return Err(ReadError::Empty { width, height });
    }
    match width.checked_mul(height) {
        Some(cells) if cells <= MAX_CELLS => Ok((width as usize, height as usize)),
        _ => Err(ReadError::TooLarge { width, height }),
    }
}

/// Room for the cells of a map of a size that was checked.
pub(super) fn room_for(width: usize, height: usize) -> Result<Vec<f32>, ReadError> {
    let mut cells = Vec::new();
    match cells.try_reserve_exact(width * height) {
        Ok(()) => Ok(cells),
        Err(_) => Err(ReadError::Memory { width, height }),
    }
}

/// A grid of cells that were counted already.
pub(super) fn grid(width: usize, height: usize, cells: Vec<f32>) -> Result<Grid<f32>, ReadError> {
    Grid::from_vec(width, height, cells).map_err(|_| ReadError::Empty { width: width as u64, height: height as u64 })
}
