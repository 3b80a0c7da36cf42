//! Reads maps drawn as text.

use std::io::{self, BufRead, Read};

use super::error::ReadError;
use super::limits::check_size;
use super::max_cells::MAX_CELLS;
use farsight::grid::TextMap;

/// Two bytes per cell, to allow the line ends of a map of one column.
const MAX_BYTES: u64 = 2 * MAX_CELLS;

pub(super) fn read_txt(reader: impl BufRead, length: u64) -> Result<TextMap, ReadError> {
    if length > MAX_BYTES {
        return Err(ReadError::TooLong(MAX_BYTES));
    }
    let mut bytes = Vec::new();
    reader.take(MAX_BYTES).read_to_end(&mut bytes)?;
    let mut cells: Vec<f32> = Vec::new();
    let doors = bytes.iter().filter(|byte| matches!(byte, b'+' | b'\'')).count();
    // A growing vector is copied, and a door is two numbers. Roofs take three bytes per cell, and a group one cell of
    // two numbers.
    let roofs = if bytes.contains(&b'_') { 5 * bytes.len() } else { 0 };
    let growth = 3 * (bytes.len() + 2 * doors) + roofs;
    cells.try_reserve(growth).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    drop(cells);
    let text = text_of(&bytes)?;
    let map = TextMap::parse(text.strip_prefix('\u{FEFF}').unwrap_or(text))?;
    check_size(map.opacity.width() as u64, map.opacity.height() as u64)?;
    Ok(map)
}

fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (good, bad) = bytes.split_at(error.valid_up_to());
        let line_start = good.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
        ReadError::NotText {
            line: good.iter().filter(|&&byte| byte == b'\n').count() + 1,
            column: String::from_utf8_lossy(&good[line_start..]).chars().count() + 1,
            byte: bad.first().copied().unwrap_or_default(),
        }
    })
}
