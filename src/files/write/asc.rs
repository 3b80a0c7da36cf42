//! Writes Esri ASCII grids.
//!
//! # References
//! Esri, *Esri ASCII raster format*.

use std::io::Write;

use super::error::WriteError;
use super::raster::Raster;

impl Raster {
    /// Writes an Esri ASCII grid: a header, then a line a row of the map from the north (the top).
    ///
    /// Without a [`georeference`](Raster::georeference) the upper left corner of the map's cell 0,0 is the point 0,0; x
    /// is metres to the east and y metres to the north, so that the cells of a map have a negative y. A cell without a
    /// size in metres has side 1. The header of cells that are not square has `dx` and `dy` in place of `cellsize`, as
    /// GDAL writes it. Numbers have the digits that it takes to read the same `f32` again.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_asc(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let (columns, rows) = (self.values.width(), self.values.height());
        let georeference = self.georeference_or_plane();
        let [west, south] = georeference.lower_left(rows).map(|coordinate| coordinate + 0.0); // + 0.0: no "-0"
        writeln!(out, "ncols {columns}\nnrows {rows}\nxllcorner {west}\nyllcorner {south}")?;
        match georeference.cell {
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
