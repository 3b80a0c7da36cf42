//! ESRI ASCII grids, read as heightmaps.

use std::io::BufRead;

use glam::ivec2;

use super::error::ReadError;
use super::georeference::{GeoKeys, Georeference, cell_size_m};
use super::gradient::Gradient;
use super::heightmap::Heightmap;
use crate::files::decode;

/// What is wrong with an ASCII grid. Lines and columns count from 1, a column is a number.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AscError {
    /// A word that no heading begins with.
    #[error(
        "line {line}: {text:?} is no heading of an ASCII grid; they are ncols, nrows, xllcorner or xllcenter, \
        yllcorner or yllcenter, cellsize (or dx and dy) and NODATA_value"
    )]
    Heading {
        /// Its line.
        line: usize,
        /// The word.
        text: String,
    },
    /// A heading that every grid has.
    #[error("the heading {0} is missing")]
    Missing(&'static str),
    /// A word where a number should stand.
    #[error("line {line}, column {column}: {text:?} is not {wanted}")]
    NotANumber {
        /// Its line.
        line: usize,
        /// Its place in the line.
        column: usize,
        /// What stands there.
        text: String,
        /// What should stand there.
        wanted: &'static str,
    },
    /// A cell without an extent.
    #[error("a cellsize of {0}; a cell has a side greater than 0")]
    CellSize(f64),
    /// Fewer values than the heading promises.
    #[error("is cut short: its heading promises {promised} values, but {found} follow")]
    Short {
        /// Columns times rows.
        promised: usize,
        /// Values there are.
        found: usize,
    },
    /// More values than the heading promises.
    #[error("line {line}: more values than the {promised} that the heading promises")]
    Long {
        /// The line of the first of them.
        line: usize,
        /// Columns times rows.
        promised: usize,
    },
}

/// The headings that were read so far.
#[derive(Default)]
struct Heading {
    columns: Option<u64>,
    rows: Option<u64>,
    /// Width and height of a cell.
    cell: [Option<f64>; 2],
    nodata: Option<f64>,
    west: Option<f64>,
    south: Option<f64>,
    /// The west and south are the centre of the lower left cell, not its corner.
    centred: [bool; 2],
}

/// Where a word stands.
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a [u8],
}

impl Word<'_> {
    fn text(&self) -> String {
        String::from_utf8_lossy(self.text).chars().take(40).collect()
    }

    fn parse<T: std::str::FromStr>(&self, wanted: &'static str) -> Result<T, AscError> {
        let number = std::str::from_utf8(self.text).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| AscError::NotANumber { line: self.line, column: self.column, text: self.text(), wanted })
    }
}

/// Reads the headings, in any order, and then the values, however they are broken into lines. Nothing is
/// allocated that the file does not hold.
pub(super) fn decode(mut reader: impl BufRead) -> Result<Heightmap, ReadError> {
    let mut heading = Heading::default();
    let mut size = None;
    let mut cells: Vec<f32> = Vec::new();
    let (mut bytes, mut line) = (Vec::new(), 0);
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        line += 1;
        let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut words = words.enumerate().map(|(i, text)| Word { line, column: i + 1, text }).peekable();
        let Some(first) = words.peek() else { continue };
        if size.is_none() && first.parse::<f64>("").is_err() {
            heading.read(words)?;
            continue;
        }
        let (width, height) = match size {
            Some(size) => size,
            None => *size.insert(heading.size()?),
        };
        let nodata = heading.nodata.unwrap_or(Gradient::NODATA.into()); // as the format has it
        for word in words {
            if cells.len() == width * height {
                return Err(AscError::Long { line, promised: cells.len() }.into());
            }
            let value: f64 = word.parse("a number")?;
            let cell = ivec2((cells.len() % width) as i32, (cells.len() / width) as i32);
            let missing = value == nodata || value.is_nan() && nodata.is_nan();
            cells.push(if missing { f32::NAN } else { super::heightmap::elevation(cell, value)? });
        }
    }
    let (width, height) = size.map_or_else(|| heading.size(), Ok)?;
    if cells.len() < width * height {
        return Err(AscError::Short { promised: width * height, found: cells.len() }.into());
    }
    let [Some(across), Some(along)] = heading.cell else { return Err(AscError::Missing("cellsize").into()) };
    let half = |axis: usize, cell: f64| if heading.centred[axis] { cell / 2.0 } else { 0.0 };
    let corner = |(west, south)| [west - half(0, across), south - half(1, along) + height as f64 * along];
    let place = |corner| Georeference { corner, cell: [across, along], keys: GeoKeys::default() };
    let origin = heading.west.zip(heading.south).map(corner);
    Ok(Heightmap {
        elevation_m: decode::grid(width, height, cells)?,
        cell_size_m: cell_size_m(&place(origin.unwrap_or_default()), [width, height]),
        georeference: origin.map(place),
    })
}

impl Heading {
    fn read<'a>(&mut self, mut words: impl Iterator<Item = Word<'a>>) -> Result<(), AscError> {
        let Some(name) = words.next() else { return Ok(()) };
        let nothing = Word { line: name.line, column: 2, text: b"" };
        let value = words.next().unwrap_or(nothing);
        let number = || value.parse::<f64>("a number");
        match name.text().to_ascii_lowercase().as_str() {
            "ncols" => self.columns = Some(value.parse("a number of columns")?),
            "nrows" => self.rows = Some(value.parse("a number of rows")?),
            "xllcorner" => (self.west, self.centred[0]) = (Some(number()?), false),
            "xllcenter" => (self.west, self.centred[0]) = (Some(number()?), true),
            "yllcorner" => (self.south, self.centred[1]) = (Some(number()?), false),
            "yllcenter" => (self.south, self.centred[1]) = (Some(number()?), true),
            "nodata_value" => self.nodata = Some(number()?),
            name @ ("cellsize" | "dx" | "dy") => {
                let cell = number()?;
                if !(cell.is_finite() && cell > 0.0) {
                    return Err(AscError::CellSize(cell));
                }
                if name != "dy" {
                    self.cell[0] = Some(cell);
                }
                if name != "dx" {
                    self.cell[1] = Some(cell);
                }
            }
            _ => return Err(AscError::Heading { line: name.line, text: name.text() }),
        }
        Ok(())
    }

    fn size(&self) -> Result<(usize, usize), ReadError> {
        let columns = self.columns.ok_or(AscError::Missing("ncols"))?;
        let rows = self.rows.ok_or(AscError::Missing("nrows"))?;
        decode::checked_size(columns, rows)
    }
}
