//! Writes rasters as NumPy's array files.
//!
//! # References
//! NumPy, `numpy.lib.format`.

use std::io::Write;

use super::error::WriteError;
use super::raster::Raster;
use crate::files::format::NPY_SIGNATURE;

impl Raster {
    /// Writes the values as a NumPy array: float32, shape (height, width), C order. A nodata cell is NaN.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_npy(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let (width, height) = (self.values.width(), self.values.height());
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({height}, {width})}}");
        // The values start at a multiple of 64 bytes: 10 bytes before the header, then 1 to 64 spaces and a line end.
        let padding = 64 - (10 + header.len() + 1) % 64;
        let length = (header.len() + padding + 1) as u16;
        out.write_all(NPY_SIGNATURE)?;
        out.write_all(&[1, 0])?; // version
        out.write_all(&length.to_le_bytes())?;
        writeln!(out, "{header}{:padding$}", "")?;
        let mut line = Vec::with_capacity(4 * width);
        for y in 0..height {
            line.clear();
            line.extend(self.values.row(y).iter().flat_map(|value| value.to_le_bytes()));
            out.write_all(&line)?;
        }
        Ok(())
    }
}
