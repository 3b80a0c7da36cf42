//! Reads heightmaps from Esri ASCII grids.
//!
//! # References
//! Esri, *Esri ASCII raster format*.

use std::io::{BufRead, Read};

use glam::ivec2;

use super::error::{AscError, ReadError};
use super::heightmap::Heightmap;
use super::limits::{check_position, check_size, elevation, grid_of};
use super::number::{NodataNumbers, parse_number};
use crate::files::geo_keys::GeoKeys;
use crate::files::georeference::Georeference;

/// The default nodata value.
const DEFAULT_NODATA: f64 = -9999.0;

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

#[derive(Default)]
struct AscHeader {
    columns: Option<u64>,
    rows: Option<u64>,
    cell_width: Option<f64>,
    cell_height: Option<f64>,
    nodata: Option<f64>,
    west: Option<f64>,
    south: Option<f64>,
    /// `west` is the centre of the lower left cell, not its corner.
    is_west_centre: bool,
    /// `south` is the centre of the lower left cell, not its corner.
    is_south_centre: bool,
}

struct AscWord<'a> {
    line: usize,
    column: usize,
    text: &'a [u8],
}

impl AscWord<'_> {
    /// Returns the word for a message.
    fn text(&self) -> String {
        String::from_utf8_lossy(self.text).chars().take(40).collect()
    }

    fn count(&self, expected: &'static str) -> Result<u64, ReadError> {
        let count = std::str::from_utf8(self.text).ok().and_then(|text| text.parse().ok());
        count.ok_or_else(|| self.not_a_number(expected))
    }

    fn number(&self) -> Result<f64, ReadError> {
        let number = std::str::from_utf8(self.text).ok().and_then(parse_number);
        number.ok_or_else(|| self.not_a_number("a number"))
    }

    fn not_a_number(&self, expected: &'static str) -> ReadError {
        ReadError::NotANumber { line: self.line as u64, column: self.column, text: self.text(), expected }
    }
}

/// The number of bytes of a line that are read at a time, and the maximum length of a word.
const PIECE: usize = 1 << 16;

/// Reads the lines of the header, in any order, and then the values, in lines of any length. It allocates only for data
/// in the file. The numbers are multiplied by `metres`; `keys` are those of the coordinate reference system.
pub(super) fn read_asc(mut reader: impl BufRead, metres: f64, keys: GeoKeys) -> Result<Heightmap, ReadError> {
    if reader.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    let mut header = AscHeader::default();
    let mut size = None;
    let mut cells: Vec<f32> = Vec::new();
    let mut pieces = AscPieces { reader, bytes: Vec::new(), used: 0, line: 1, column: 0, is_line_end: false };
    while pieces.advance()? {
        let (line, column) = (pieces.line, pieces.column);
        let words = pieces.whole_words().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        pieces.column += words.clone().count();
        let words = pieces.whole_words().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut words = words.enumerate().map(|(i, text)| AscWord { line, column: column + i + 1, text }).peekable();
        let Some(first) = words.peek() else { continue };
        if size.is_none() && first.number().is_err() {
            header.read_line(words)?;
            continue;
        }
        let (width, height) = match size {
            Some(size) => size,
            None => *size.insert(header.size()?),
        };
        let nodata = NodataNumbers { declared: header.nodata.or(Some(DEFAULT_NODATA)), is_f32: true };
        cells.try_reserve(words.size_hint().1.unwrap_or(0)).map_err(|_| ReadError::Memory { width, height })?;
        for word in words {
            if cells.len() == width * height {
                return Err(AscError::TooLong { line, declared: cells.len() }.into());
            }
            let value = word.number()?;
            let cell = ivec2((cells.len() % width) as i32, (cells.len() / width) as i32);
            cells.push(if nodata.contains(value) { f32::NAN } else { elevation(cell, value * metres)? });
        }
    }
    let (width, height) = size.map_or_else(|| header.size(), Ok)?;
    if cells.len() < width * height {
        return Err(AscError::TooShort { declared: width * height, found: cells.len() }.into());
    }
    let (Some(cell_width), Some(cell_height)) = (header.cell_width, header.cell_height) else {
        return Err(AscError::Missing("cellsize").into());
    };
    let upper_left = |(west, south)| {
        let west = if header.is_west_centre { west - cell_width / 2.0 } else { west };
        let south = if header.is_south_centre { south - cell_height / 2.0 } else { south };
        [west, south + height as f64 * cell_height]
    };
    let corner = header.west.zip(header.south).map(upper_left);
    // Without a corner, files of the map start at the point 0,0.
    let georeference = Georeference { corner: corner.unwrap_or_default(), cell: [cell_width, cell_height], keys };
    let sizes = georeference.cell_sizes(ivec2(width as i32, height as i32));
    let position = check_position(georeference, width, height)?;
    let position = corner.is_some().then_some(position);
    Ok(Heightmap::with_sizes(grid_of(width, height, cells)?, position, sizes))
}

/// The lines of a file, in pieces that end at word boundaries.
struct AscPieces<R> {
    reader: R,
    bytes: Vec<u8>,
    /// The number of bytes of the piece; later bytes belong to the next one.
    used: usize,
    /// The line of the piece, from 1.
    line: usize,
    /// The number of words of the line before the piece.
    column: usize,
    is_line_end: bool,
}

impl<R: BufRead> AscPieces<R> {
    /// Reads the next piece. Returns `false` at the end.
    fn advance(&mut self) -> Result<bool, ReadError> {
        self.bytes.drain(..self.used);
        if self.is_line_end {
            (self.line, self.column) = (self.line + 1, 0);
        }
        let room = (PIECE - self.bytes.len()) as u64;
        let read = self.reader.by_ref().take(room).read_until(b'\n', &mut self.bytes)?;
        self.is_line_end = self.bytes.last() == Some(&b'\n');
        let is_whole = self.is_line_end || (read as u64) < room;
        self.used = match self.bytes.iter().rposition(u8::is_ascii_whitespace) {
            _ if is_whole => self.bytes.len(),
            Some(last) => last + 1,
            None => return Err(AscError::LongWord { line: self.line, limit: PIECE }.into()),
        };
        Ok(self.used > 0)
    }

    fn whole_words(&self) -> &[u8] {
        &self.bytes[..self.used]
    }
}

impl AscHeader {
    fn read_line<'a>(&mut self, mut words: impl Iterator<Item = AscWord<'a>>) -> Result<(), ReadError> {
        let Some(name) = words.next() else { return Ok(()) };
        let value = words.next().unwrap_or(AscWord { line: name.line, column: 2, text: b"" });
        let number = || value.number();
        let coordinate = || match number()? {
            coordinate if coordinate.is_finite() => Ok(coordinate),
            _ => Err(value.not_a_number("a finite coordinate")),
        };
        let is_new = match name.text().to_ascii_lowercase().as_str() {
            "ncols" => self.columns.replace(value.count("a number of columns")?).is_none(),
            "nrows" => self.rows.replace(value.count("a number of rows")?).is_none(),
            word @ ("xllcorner" | "xllcenter") => {
                self.is_west_centre = word == "xllcenter";
                self.west.replace(coordinate()?).is_none()
            }
            word @ ("yllcorner" | "yllcenter") => {
                self.is_south_centre = word == "yllcenter";
                self.south.replace(coordinate()?).is_none()
            }
            "nodata_value" => self.nodata.replace(number()?).is_none(),
            word @ ("cellsize" | "dx" | "dy") => {
                let side = number()?;
                if !(side.is_finite() && side > 0.0) {
                    return Err(AscError::CellSize(side).into());
                }
                let is_new_width = word == "dy" || self.cell_width.replace(side).is_none();
                let is_new_height = word == "dx" || self.cell_height.replace(side).is_none();
                is_new_width && is_new_height
            }
            _ => return Err(AscError::UnknownKeyword { line: name.line, text: name.text() }.into()),
        };
        if is_new { Ok(()) } else { Err(AscError::Twice { line: name.line, text: name.text() }.into()) }
    }

    fn size(&self) -> Result<(usize, usize), ReadError> {
        let columns = self.columns.ok_or(AscError::Missing("ncols"))?;
        let rows = self.rows.ok_or(AscError::Missing("nrows"))?;
        check_size(columns, rows)
    }
}
