//! Opacity maps as tables: a line a row of the map, or a line a cell.

use std::io::Read;

use csv::{ByteRecord, ReaderBuilder, Trim};
use glam::{IVec2, ivec2};

use super::decode::MAX_CELLS;
use super::error::ReadError;
use crate::files::decode;
use crate::grid::Grid;

/// What is wrong with a table. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsvError {
    /// Not a single value.
    #[error("the table is empty; it needs at least one number")]
    Empty,
    /// Lines of different lengths.
    #[error("line {line} has {found} values, but the first has {expected}; all lines must be equally long")]
    Ragged {
        /// The first line whose length differs.
        line: u64,
        /// Its length.
        found: usize,
        /// The length of the first line.
        expected: usize,
    },
    /// A field that is no number.
    #[error("line {line}, column {column}: {text:?} is not {wanted}")]
    NotANumber {
        /// Line of the field.
        line: u64,
        /// Column of the field.
        column: usize,
        /// What stands there.
        text: String,
        /// What should stand there.
        wanted: &'static str,
    },
    /// A number that is no opacity.
    #[error("line {line}, column {column}: {text} is not an opacity, a number from 0 (clear) to 1 (wall)")]
    OutOfRange {
        /// Line of the field.
        line: u64,
        /// Column of the field.
        column: usize,
        /// What stands there.
        text: String,
    },
    /// A heading without values.
    #[error("the heading {heading:?} names no column opacity or visibility beside x and y")]
    Heading {
        /// The heading.
        heading: String,
    },
    /// A cell that has two lines.
    #[error("line {line}: cell {},{} a second time", cell.x, cell.y)]
    Twice {
        /// The second line.
        line: u64,
        /// The cell.
        cell: IVec2,
    },
    /// A cell that has no line.
    #[error("no line for cell {},{}; the cells must fill the rectangle {},{} to {},{}",
        cell.x, cell.y, first.x, first.y, last.x, last.y)]
    Hole {
        /// The first cell that is missing.
        cell: IVec2,
        /// The upper left cell of the rectangle.
        first: IVec2,
        /// Its lower right cell.
        last: IVec2,
    },
}

/// A table of opacities as a grid.
pub(super) fn decode(reader: impl Read) -> Result<Grid<f32>, ReadError> {
    let mut table = Table {
        reader: ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(reader),
        record: ByteRecord::new(),
    };
    if !table.advance()? {
        return Err(CsvError::Empty.into());
    }
    let heading: Vec<String> = (0..table.record.len()).map(|column| table.text(column).to_ascii_lowercase()).collect();
    if heading.iter().any(|name| name == "x") && heading.iter().any(|name| name == "y") {
        return cell_by_cell(table, &heading);
    }
    row_by_row(table)
}

fn row_by_row<R: Read>(mut table: Table<R>) -> Result<Grid<f32>, ReadError> {
    let width = table.record.len();
    let mut cells = Vec::new();
    let mut height = 0;
    loop {
        table.check_length(width)?;
        decode::checked_size(width as u64, height as u64 + 1)?;
        cells.try_reserve(width).map_err(|_| ReadError::Memory { width, height: height + 1 })?;
        for column in 0..width {
            cells.push(table.opacity(column)?);
        }
        height += 1;
        if !table.advance()? {
            return decode::grid(width, height, cells);
        }
    }
}

fn cell_by_cell<R: Read>(mut table: Table<R>, heading: &[String]) -> Result<Grid<f32>, ReadError> {
    let column = |name: &str| heading.iter().position(|other| other == name);
    let (Some(x), Some(y), Some(value)) =
        (column("x"), column("y"), column("opacity").or_else(|| column("visibility")))
    else {
        return Err(CsvError::Heading { heading: shorten(&heading.join(",")) }.into());
    };
    let mut cells: Vec<(IVec2, f32, u64)> = Vec::new();
    let (mut first, mut last) = (IVec2::MAX, IVec2::MIN);
    while table.advance()? {
        table.check_length(heading.len())?;
        let cell = ivec2(table.coordinate(x)?, table.coordinate(y)?);
        (first, last) = (first.min(cell), last.max(cell));
        cells.push((cell, table.opacity(value)?, table.line()));
        if cells.len() as u64 > MAX_CELLS {
            return Err(ReadError::TooLarge { width: cells.len() as u64, height: 1 });
        }
    }
    if cells.is_empty() {
        return Err(CsvError::Empty.into());
    }
    let size = last.as_i64vec2() - first.as_i64vec2() + 1;
    let (width, height) = decode::checked_size(size.x as u64, size.y as u64)?;
    cells.sort_by_key(|&(cell, ..)| (cell.y, cell.x)); // stable: of two lines for a cell the later is the second
    if let Some(pair) = cells.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(CsvError::Twice { line: pair[1].2, cell: pair[1].0 }.into());
    }
    let full = Grid::<()>::new(width, height, ());
    let mut there = cells.iter().map(|&(cell, ..)| cell - first);
    if let Some((hole, ())) = full.iter().find(|&(cell, ())| there.next() != Some(cell)) {
        return Err(CsvError::Hole { cell: first + hole, first, last }.into());
    }
    decode::grid(width, height, cells.into_iter().map(|(_, opacity, _)| opacity).collect())
}

/// The lines of a table, one at a time.
struct Table<R> {
    reader: csv::Reader<R>,
    record: ByteRecord,
}

impl<R: Read> Table<R> {
    /// Goes to the next line that is not blank; false at the end.
    fn advance(&mut self) -> Result<bool, ReadError> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => ReadError::Io(error),
            other => ReadError::Io(std::io::Error::other(format!("{other:?}"))),
        })?;
        Ok(more)
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    fn check_length(&self, expected: usize) -> Result<(), CsvError> {
        let found = self.record.len();
        if found == expected { Ok(()) } else { Err(CsvError::Ragged { line: self.line(), found, expected }) }
    }

    fn text(&self, column: usize) -> String {
        let text = String::from_utf8_lossy(self.record.get(column).unwrap_or_default());
        text.trim_start_matches('\u{FEFF}').to_owned()
    }

    fn parse<T: std::str::FromStr>(&self, column: usize, wanted: &'static str) -> Result<T, CsvError> {
        let field = std::str::from_utf8(self.record.get(column).unwrap_or_default()).ok();
        let field = field.map(|text| text.trim_start_matches('\u{FEFF}'));
        field.and_then(|text| text.parse().ok()).ok_or_else(|| CsvError::NotANumber {
            line: self.line(),
            column: column + 1,
            text: shorten(&self.text(column)),
            wanted,
        })
    }

    fn opacity(&self, column: usize) -> Result<f32, CsvError> {
        let value: f64 = self.parse(column, "a number")?;
        decode::opacity(IVec2::ZERO, value).map_err(|_| CsvError::OutOfRange {
            line: self.line(),
            column: column + 1,
            text: shorten(&self.text(column)),
        })
    }

    fn coordinate(&self, column: usize) -> Result<i32, CsvError> {
        self.parse(column, "a whole number")
    }
}

/// Enough of a field to find it again.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
