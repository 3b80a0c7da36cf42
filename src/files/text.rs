//! Maps drawn as text: read with [`TextMap`], and written with the same characters.

use std::io::{BufRead, Read, Write};

use super::decode::{MAX_CELLS, MapFile};
use super::error::{ReadError, WriteError};
use super::format::Format;
use super::gradient::Gradient;
use crate::files::decode;
use crate::grid::TextMap;

/// Two bytes a cell: even a map of one column has room for its line ends.
const MAX_BYTES: u64 = 2 * MAX_CELLS;

pub(super) fn decode(reader: impl BufRead, length: u64) -> Result<MapFile, ReadError> {
    if length > MAX_BYTES {
        return Err(ReadError::TooLong { limit: MAX_BYTES });
    }
    let mut bytes = Vec::new();
    reader.take(MAX_BYTES).read_to_end(&mut bytes)?;
    let text = as_text(&bytes)?;
    let map = TextMap::parse(text.strip_prefix('\u{FEFF}').unwrap_or(text))?;
    decode::checked_size(map.opacity.width() as u64, map.opacity.height() as u64)?;
    MapFile::checked(map.opacity, map.viewer)
}

fn as_text(bytes: &[u8]) -> Result<&str, ReadError> {
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

impl Gradient {
    /// Draws the values as text, one character a cell: `.` for 0, `1` to `9` for tenths, `#` for 1, and `@`
    /// for the viewer. Values are rounded to the nearest tenth, so the drawing can be read again as a map.
    ///
    /// # Errors
    /// [`WriteError`] if a value is not in [0, 1], or the writer fails.
    pub fn write_txt(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        self.check_unit_range(Format::Txt)?;
        let mut line = Vec::with_capacity(self.values.width() + 1);
        for y in 0..self.values.height() {
            line.clear();
            line.extend(self.values.row(y).iter().map(|value| match (value * 10.0).round() as u8 {
                0 => b'.',
                tenths @ 1..=9 => b'0' + tenths,
                _ => b'#',
            }));
            let viewer = self.viewer - self.origin;
            if viewer.y == y as i32
                && let Some(cell) = usize::try_from(viewer.x).ok().and_then(|x| line.get_mut(x))
            {
                *cell = b'@';
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }
}
