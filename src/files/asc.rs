//! ESRI ASCII grids, which every geographic information system reads.

use std::io::Write;

use super::error::WriteError;
use super::gradient::Gradient;

impl Gradient {
    /// Writes an ESRI ASCII grid: six lines of heading, then a line a row of the map from the north (the top).
    /// Without a [`georeference`](Gradient::georeference) the upper left corner of the map's cell 0,0 is the point 0,0;
    /// x counts metres to the east and y metres to the north, so that the cells of a map have a negative y. A cell
    /// without a size in metres counts as 1. Cells of a georeference that are not square have `dx` and `dy` for a
    /// `cellsize`, as GDAL has it.
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
        let place = self.place();
        let [west, south] = place.lower_left(rows).map(|at| at + 0.0); // + 0.0: no "-0"
        writeln!(out, "ncols {columns}\nnrows {rows}\nxllcorner {west}\nyllcorner {south}")?;
        match place.cell {
            [width, height] if width == height => writeln!(out, "cellsize {width}")?,
            [width, height] => writeln!(out, "dx {width}\ndy {height}")?,
        }
        writeln!(out, "NODATA_value {}", self.nodata)?;
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
