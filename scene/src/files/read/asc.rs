//! Reads heightmaps from ASCII grids: those of Esri, of GRASS and of Surfer.
//!
//! # References
//! Esri, *Esri ASCII raster format*; GRASS, *r.in.ascii*; Golden Software, *Surfer 6 ASCII grid file format*.

use std::io::{BufRead, Read};

use glam::ivec2;

use super::error::{AscError, ReadError};
use super::heightmap::Heightmap;
use super::limits::{check_position, check_size, elevation, grid_of};
use super::number::{LinearScale, NodataNumbers, parse_number};
use super::sidecars::RowOrder;
use crate::files::geo_keys::GeoKeys;
use crate::files::georeference::Georeference;

/// Whether grids of GRASS and Surfer are read. The page has no room for them.
const READS_OTHERS: bool = !cfg!(target_arch = "wasm32");

/// The default nodata value.
const DEFAULT_NODATA: f64 = -9999.0;

/// The number from which on all numbers mean no data in a grid of Surfer.
const SURFER_NODATA: f64 = 1.701_41e38;

/// The first word of a grid of Surfer, and the numbers that follow it before the heights: columns and rows, and the first and the
/// last of x, y and z.
const SURFER: &[u8] = b"DSAA";
const SURFER_NUMBERS: usize = 8;

/// The first bytes of binary grids of Surfer.
const SURFER_BINARY: [&[u8]; 2] = [b"DSBB", b"DSRB"];

/// The word for a cell without data in a grid of GRASS.
const GRASS_NODATA: &[u8] = b"*";

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
    /// The edges that a grid of GRASS has in place of the sides of cells.
    east: Option<f64>,
    north: Option<f64>,
    /// `true` for a grid of GRASS.
    is_grass: bool,
    /// `true` if coordinates are degrees: they end with `N`, `S`, `E` or `W`.
    is_in_degrees: bool,
    /// The number by which a grid of GRASS multiplies its own.
    multiplier: Option<f64>,
    order: RowOrder,
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

    /// Returns a coordinate, and `true` if it is in degrees: `5200180`, `46:30N`, `7:00:30.5W`.
    fn coordinate(&self) -> Result<(f64, bool), ReadError> {
        let error = || self.not_a_number("a finite coordinate");
        let text = std::str::from_utf8(self.text).map_err(|_| error())?;
        let Some(degrees) = text.strip_suffix(['N', 'E', 'S', 'W']).filter(|_| READS_OTHERS) else {
            return self
                .number()
                .and_then(|number| if number.is_finite() { Ok((number, false)) } else { Err(error()) });
        };
        let mut sixtieths = 1.0;
        let parts = degrees.split(':').map(|part| {
            let part = part.parse::<f64>().ok().filter(|part| part.is_finite() && *part >= 0.0)? / sixtieths;
            sixtieths *= 60.0;
            Some(part)
        });
        let degrees: f64 = parts.sum::<Option<f64>>().ok_or_else(error)?;
        Ok((if text.ends_with(['S', 'W']) { -degrees } else { degrees }, true))
    }

    fn not_a_number(&self, expected: &'static str) -> ReadError {
        ReadError::NotANumber { line: self.line as u64, column: self.column, text: self.text(), expected }
    }
}

/// The number of bytes of a line that are read at a time, and the maximum length of a word.
const PIECE: usize = 1 << 16;

/// Reads the lines of the header, in any order, and then the values, in lines of any length. Nothing is allocated that
/// the file does not hold. The numbers stand for metres by `scale`; `nodata` is the number without data if the file declares none, and
/// `keys` are those of the coordinate reference system.
pub(super) fn read_asc(
    mut reader: impl BufRead,
    scale: LinearScale,
    nodata: Option<f64>,
    keys: GeoKeys,
) -> Result<Heightmap, ReadError> {
    if reader.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    if let Some(name) =
        SURFER_BINARY.into_iter().find(|name| reader.fill_buf().is_ok_and(|bytes| bytes.starts_with(name)))
    {
        return Err(AscError::Binary(String::from_utf8_lossy(name).into_owned()).into());
    }
    let mut header = AscHeader::default();
    let mut surfer: Option<Vec<f64>> = None;
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
        if READS_OTHERS && size.is_none() && line == 1 && first.text == SURFER {
            surfer = Some(Vec::new());
            words.next();
        }
        let Some(first) = words.peek() else { continue };
        if READS_OTHERS && let Some(numbers) = surfer.as_mut().filter(|numbers| numbers.len() < SURFER_NUMBERS) {
            while numbers.len() < SURFER_NUMBERS
                && let Some(word) = words.next()
            {
                numbers.push(word.number()?);
            }
            if numbers.len() == SURFER_NUMBERS {
                header = AscHeader::of_surfer(numbers)?;
            }
            if words.peek().is_none() {
                continue;
            }
        } else if size.is_none() && first.number().is_err() && !(header.is_grass && first.text == GRASS_NODATA) {
            header.read_line(words)?;
            continue;
        }
        let (width, height) = match size {
            Some(size) => size,
            None => *size.insert(header.size()?),
        };
        let declared = header.nodata.or(nodata).or(Some(DEFAULT_NODATA));
        let nodata = NodataNumbers { declared, is_f32: true, ..NodataNumbers::default() };
        let scale = LinearScale { factor: scale.factor * header.multiplier.unwrap_or(1.0), ..scale };
        cells.try_reserve(words.size_hint().1.unwrap_or(0)).map_err(|_| ReadError::Memory { width, height })?;
        for word in words {
            if cells.len() == width * height {
                return Err(AscError::TooLong { line, declared: cells.len() }.into());
            }
            let value =
                if READS_OTHERS && header.is_grass && word.text == GRASS_NODATA { f64::NAN } else { word.number()? };
            let cell = ivec2((cells.len() % width) as i32, (cells.len() / width) as i32);
            cells.push(if nodata.contains(value) { f32::NAN } else { elevation(cell, scale.value(value))? });
        }
    }
    let (width, height) = size.map_or_else(|| header.size(), Ok)?;
    if cells.len() < width * height {
        return Err(AscError::TooShort { declared: width * height, found: cells.len() }.into());
    }
    if READS_OTHERS && header.is_grass {
        header.set_cell_sizes(width, height)?;
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
    // Without a corner, files of the map put it at the point 0,0.
    let keys = if header.is_in_degrees && keys.is_empty() { GeoKeys::geographic() } else { keys };
    let georeference = Georeference { corner: corner.unwrap_or_default(), cell: [cell_width, cell_height], keys };
    let sizes = georeference.cell_sizes(ivec2(width as i32, height as i32));
    let position = check_position(georeference, width, height)?;
    let position = corner.is_some().then_some(position);
    header.order.sort(&mut cells, width);
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
        let mut is_in_degrees = self.is_in_degrees;
        let mut coordinate = || {
            let (coordinate, has_degrees) = value.coordinate()?;
            is_in_degrees |= has_degrees;
            Ok::<_, ReadError>(coordinate)
        };
        let is_new = match name.text().to_ascii_lowercase().as_str() {
            "ncols" | "cols:" => self.columns.replace(value.count("a number of columns")?).is_none(),
            "nrows" | "rows:" => self.rows.replace(value.count("a number of rows")?).is_none(),
            word @ ("xllcorner" | "xllcenter") => {
                self.is_west_centre = word == "xllcenter";
                self.west.replace(coordinate()?).is_none()
            }
            word @ ("yllcorner" | "yllcenter") => {
                self.is_south_centre = word == "yllcenter";
                self.south.replace(coordinate()?).is_none()
            }
            "nodata_value" | "nodata" | "null:" => self.nodata.replace(number()?).is_none(),
            "west:" if READS_OTHERS => self.west.replace(coordinate()?).is_none(),
            "south:" if READS_OTHERS => self.south.replace(coordinate()?).is_none(),
            "east:" if READS_OTHERS => self.east.replace(coordinate()?).is_none(),
            "north:" if READS_OTHERS => self.north.replace(coordinate()?).is_none(),
            "multiplier:" if READS_OTHERS => self.multiplier.replace(number()?).is_none(),
            "type:" if READS_OTHERS => true,
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
        self.is_in_degrees = is_in_degrees;
        self.is_grass |= READS_OTHERS && name.text.ends_with(b":");
        if is_new { Ok(()) } else { Err(AscError::Twice { line: name.line, text: name.text() }.into()) }
    }

    /// Returns the header of a grid of Surfer, whose coordinates are the centres of cells, and whose rows follow each other from the
    /// south.
    fn of_surfer(numbers: &[f64]) -> Result<Self, ReadError> {
        let [columns, rows, west, east, south, north] = numbers.first_chunk().copied().unwrap_or_default();
        let count = |number: f64| if number.fract() == 0.0 && number >= 0.0 { Some(number as u64) } else { None };
        let side = |first: f64, last: f64, steps: f64| {
            let side = (last - first) / (steps - 1.0);
            if side.is_finite() && side > 0.0 { Ok(side) } else { Err(AscError::CellSize(side)) }
        };
        let (cell_width, cell_height) = (side(west, east, columns)?, side(south, north, rows)?);
        Ok(Self {
            columns: count(columns),
            rows: count(rows),
            cell_width: Some(cell_width),
            cell_height: Some(cell_height),
            nodata: Some(SURFER_NODATA),
            west: Some(west),
            south: Some(south),
            is_west_centre: true,
            is_south_centre: true,
            order: RowOrder::FromSouth,
            ..Self::default()
        })
    }

    /// Sets the sides of the cells of a grid of GRASS.
    fn set_cell_sizes(&mut self, width: usize, height: usize) -> Result<(), AscError> {
        let side = |[low, high]: [Option<f64>; 2], names: [&'static str; 2], cells: usize| {
            let (low, high) = (low.ok_or(AscError::Missing(names[0]))?, high.ok_or(AscError::Missing(names[1]))?);
            let side = (high - low) / cells as f64;
            if side.is_finite() && side > 0.0 { Ok(Some(side)) } else { Err(AscError::CellSize(side)) }
        };
        self.cell_width = side([self.west, self.east], ["west:", "east:"], width)?;
        self.cell_height = side([self.south, self.north], ["south:", "north:"], height)?;
        Ok(())
    }

    fn size(&self) -> Result<(usize, usize), ReadError> {
        let columns = self.columns.ok_or(AscError::Missing("ncols"))?;
        let rows = self.rows.ok_or(AscError::Missing("nrows"))?;
        check_size(columns, rows)
    }
}
