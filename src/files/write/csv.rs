//! Writes tables: a line a cell.

use std::io::Write;

use super::error::WriteError;
use super::raster::Raster;

impl Raster {
    /// Writes the values as a table `x,y,visibility,state`, a line a cell, row after row.
    ///
    /// `x` and `y` are map cells. The third column is named after the layer, and the fourth after the labels, if there
    /// are any. Numbers have the digits that it takes to read the same `f32` again; a cell without data is empty.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, the labels do not fit, or the writer fails.
    pub fn write_csv(&self, out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let mut table = csv::Writer::from_writer(out);
        let mut header = vec!["x", "y", self.layer.as_str()];
        header.extend(self.labels.as_ref().map(|labels| labels.column.as_str()));
        table.write_record(header)?;
        let mut number = String::new();
        for (cell, &value) in self.values.iter() {
            for coordinate in (self.top_left + cell).to_array() {
                table.write_field(number_text(&mut number, coordinate))?;
            }
            table.write_field(if value.is_nan() { "" } else { number_text(&mut number, value) })?;
            if let Some(label) = self.label(cell) {
                table.write_field(label)?;
            }
            table.write_record(None::<&[u8]>)?;
        }
        Ok(table.flush()?)
    }
}

/// Formats a number in a buffer that is reused for every cell.
fn number_text(buffer: &mut String, number: impl std::fmt::Display) -> &str {
    use std::fmt::Write;
    buffer.clear();
    let _ = write!(buffer, "{number}"); // writing to a string does not fail
    buffer
}

impl From<csv::Error> for WriteError {
    fn from(error: csv::Error) -> Self {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::Io(error),
            other => Self::Encode(format!("{other:?}")),
        }
    }
}
