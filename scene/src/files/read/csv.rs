//! Reads opacity maps from tables: one line per row of the map, or one line per cell.

use std::io::{self, Read};

use csv::{ByteRecord, ReaderBuilder, Trim};
use glam::{IVec2, ivec2};

use super::error::{CsvError, ReadError};
use super::limits::{check_size, grid_of, opacity};
use super::max_cells::MAX_CELLS;
use farsight::grid::Grid;

/// The maximum bytes of a line: a million cells.
const MAX_LINE: u64 = 1 << 24;

pub(super) fn read_csv(reader: impl Read) -> Result<Grid<f32>, ReadError> {
    let reader = LimitedReader { reader, left: MAX_LINE };
    let mut table = CsvRecords {
        reader: ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(reader),
        record: ByteRecord::new(),
    };
    if !table.advance()? {
        return Err(CsvError::Empty.into());
    }
    let header: Vec<String> = (0..table.record.len()).map(|column| table.text(column).to_ascii_lowercase()).collect();
    let column = |name: &str| header.iter().position(|other| other == name);
    match (column("x"), column("y")) {
        (Some(x), Some(y)) => match column("opacity").or_else(|| column("visibility")) {
            Some(value) => read_cells(table, header.len(), [x, y, value]),
            None => Err(CsvError::NoValueColumn(shorten(&header.join(","))).into()),
        },
        _ => read_rows(table),
    }
}

/// Reads one line per row of the map. The current record is the first row.
fn read_rows<R: Read>(mut table: CsvRecords<R>) -> Result<Grid<f32>, ReadError> {
    let width = table.record.len();
    let mut cells = Vec::new();
    let mut height = 0;
    loop {
        table.check_length(width)?;
        check_size(width as u64, height as u64 + 1)?;
        cells.try_reserve(width).map_err(|_| ReadError::MemoryOfRows { rows: height + 1 })?;
        for column in 0..width {
            cells.push(table.opacity(column)?);
        }
        height += 1;
        if !table.advance()? {
            return grid_of(width, height, cells);
        }
    }
}

/// Reads one line per cell, with x, y and the opacity in the given columns. The current record is the header.
fn read_cells<R: Read>(
    mut table: CsvRecords<R>,
    columns: usize,
    [x, y, value]: [usize; 3],
) -> Result<Grid<f32>, ReadError> {
    let mut cells: Vec<(IVec2, f32, u64)> = Vec::new();
    let (mut first, mut last) = (IVec2::MAX, IVec2::MIN);
    while table.advance()? {
        table.check_length(columns)?;
        let cell = ivec2(table.coordinate(x)?, table.coordinate(y)?);
        (first, last) = (first.min(cell), last.max(cell));
        cells.try_reserve(1).map_err(|_| ReadError::MemoryOfRows { rows: cells.len() })?;
        cells.push((cell, table.opacity(value)?, table.line()));
        if cells.len() as u64 > MAX_CELLS {
            return Err(ReadError::TooLarge { width: cells.len() as u64, height: 1 });
        }
    }
    if cells.is_empty() {
        return Err(CsvError::Empty.into());
    }
    let size = last.as_i64vec2() - first.as_i64vec2() + 1;
    let (width, height) = check_size(size.x as u64, size.y as u64)?;
    cells.sort_by_key(|&(cell, ..)| (cell.y, cell.x)); // a stable sort: of two lines for a cell the later stays second
    if let Some(pair) = cells.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(CsvError::DuplicateCell { line: pair[1].2, cell: pair[1].0 }.into());
    }
    let all_cells = Grid::<()>::new(width, height, ());
    let mut present = cells.iter().map(|&(cell, ..)| cell - first);
    if let Some((missing, ())) = all_cells.iter().find(|&(cell, ())| present.next() != Some(cell)) {
        return Err(CsvError::MissingCell { cell: first + missing, first, last }.into());
    }
    grid_of(width, height, cells.into_iter().map(|(_, opacity, _)| opacity).collect())
}

/// A reader that fails beyond a limit of bytes, since a line, or a quoted text, may be endless.
struct LimitedReader<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Read for LimitedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::ErrorKind::FileTooLarge.into()),
        }
        Ok(count)
    }
}

/// The records of a table, one at a time.
struct CsvRecords<R> {
    reader: csv::Reader<LimitedReader<R>>,
    record: ByteRecord,
}

impl<R: Read> CsvRecords<R> {
    /// Reads the next non-blank line. Returns `false` at the end.
    fn advance(&mut self) -> Result<bool, ReadError> {
        self.reader.get_mut().left = MAX_LINE;
        let line = self.reader.position().line();
        self.reader.read_byte_record(&mut self.record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                CsvError::LongLine { line, limit: MAX_LINE }.into()
            }
            csv::ErrorKind::Io(error) => ReadError::Io(error),
            other => ReadError::Io(io::Error::other(format!("{other:?}"))),
        })
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    fn check_length(&self, expected: usize) -> Result<(), CsvError> {
        let found = self.record.len();
        if found == expected { Ok(()) } else { Err(CsvError::Ragged { line: self.line(), found, expected }) }
    }

    /// Returns a field as text without a byte order mark.
    fn text(&self, column: usize) -> String {
        let text = String::from_utf8_lossy(self.record.get(column).unwrap_or_default());
        text.trim_start_matches('\u{FEFF}').to_owned()
    }

    fn parse<T: std::str::FromStr>(&self, column: usize, expected: &'static str) -> Result<T, ReadError> {
        let field = std::str::from_utf8(self.record.get(column).unwrap_or_default()).ok();
        let field = field.map(|text| text.trim_start_matches('\u{FEFF}'));
        field.and_then(|text| text.parse().ok()).ok_or_else(|| ReadError::NotANumber {
            line: self.line(),
            column: column + 1,
            text: shorten(&self.text(column)),
            expected,
        })
    }

    fn opacity(&self, column: usize) -> Result<f32, ReadError> {
        let value: f64 = self.parse(column, "a number")?;
        opacity(IVec2::ZERO, value).map_err(|_| {
            let text = shorten(&self.text(column));
            CsvError::OutOfRange { line: self.line(), column: column + 1, text }.into()
        })
    }

    fn coordinate(&self, column: usize) -> Result<i32, ReadError> {
        self.parse(column, "a whole number")
    }
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
