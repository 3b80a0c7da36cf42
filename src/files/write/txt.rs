//! Draws maps as text.

use std::io::Write;

use super::error::WriteError;
use super::raster::Raster;
use crate::files::format::Format;

impl Raster {
    /// Draws the values as text, a character a cell: `.` for 0, `1` to `9` for tenths, `#` for 1, `+` and `'` for closed and open
    /// doors, `_` for 0 under a roof, and `@` for the viewer. Values are rounded to the nearest tenth. The text can be read as a map.
    ///
    /// # Errors
    /// [`WriteError`] if a value is outside [0, 1], or the writer fails.
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
            if let Some(roofs) = &self.roofs {
                let roofed = line.iter_mut().zip(roofs.row(y)).filter(|(cell, has_roof)| **has_roof && **cell == b'.');
                roofed.for_each(|(cell, _)| *cell = b'_');
            }
            let first = self.doors.partition_point(|door| door.y < self.top_left.y + y as i32);
            for door in self.doors[first..].iter().take_while(|door| door.y == self.top_left.y + y as i32) {
                let column = usize::try_from(door.x - self.top_left.x).ok();
                if let Some(cell) = column.and_then(|x| line.get_mut(x)) {
                    *cell = match *cell {
                        b'.' | b'_' => b'\'',
                        b'#' => b'+',
                        tenths => tenths,
                    };
                }
            }
            let viewer = self.viewer - self.top_left;
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
