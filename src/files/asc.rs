//! ESRI ASCII grids, which every geographic information system reads.

use std::io::Write;

use super::{Gradient, WriteError};

impl Gradient {
    /// Writes an ESRI ASCII grid: six lines of heading, then a line a row of the map from the north (the top).
    /// The upper left corner of the map's cell 0,0 is the point 0,0; x counts metres to the east and y metres to the
    /// north, so that the cells of a map have a negative y. A cell without a size in metres counts as 1.
    /// Numbers have as many digits as it takes to read the same `f32` again.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    ///
    /// # References
    /// Esri, *Esri ASCII raster format*.
    pub fn write_asc(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let (columns, rows) = (self.values.width(), self.values.height());
        let cell = self.cell_size_m.unwrap_or(1.0);
        let west = f64::from(self.origin.x) * cell;
        let south = -(f64::from(self.origin.y) + rows as f64) * cell + 0.0; // + 0.0: no "-0"
        writeln!(out, "ncols {columns}\nnrows {rows}\nxllcorner {west}\nyllcorner {south}")?;
        writeln!(out, "cellsize {cell}\nNODATA_value {}", self.nodata)?;
        for y in 0..rows {
            for (x, &value) in self.values.row(y).iter().enumerate() {
                let value = if value.is_nan() { self.nodata } else { value };
                write!(out, "{}{value}", if x == 0 { "" } else { " " })?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}
