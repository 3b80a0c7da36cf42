//! Tables: one line a cell.

use std::io::Write;

use super::{Gradient, WriteError};

impl Gradient {
    /// Writes the values as a table `x,y,visibility,state`, a line a cell, row after row. `x` and `y` are map
    /// cells; the third column is named after the layer, the fourth after the labels, and is there only with
    /// them. Numbers have as many digits as it takes to read the same `f32` again; a cell without data is empty.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, the labels do not fit, or the writer fails.
    pub fn write_csv(&self, out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let mut table = csv::Writer::from_writer(out);
        let mut heading = vec!["x", "y", self.layer.as_str()];
        heading.extend(self.labels.as_ref().map(|labels| labels.column.as_str()));
        table.write_record(heading).map_err(fault)?;
        for y in 0..self.values.height() {
            let row = (self.origin.y + y as i32).to_string();
            for (x, &value) in self.values.row(y).iter().enumerate() {
                table.write_field((self.origin.x + x as i32).to_string()).map_err(fault)?;
                table.write_field(&row).map_err(fault)?;
                table.write_field(if value.is_nan() { String::new() } else { value.to_string() }).map_err(fault)?;
                if let Some(label) = self.label(x, y) {
                    table.write_field(label).map_err(fault)?;
                }
                table.write_record(None::<&[u8]>).map_err(fault)?;
            }
        }
        Ok(table.flush()?)
    }
}

fn fault(error: csv::Error) -> WriteError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => WriteError::Io(error),
        other => WriteError::Encode(format!("{other:?}")),
    }
}
