//! Encoding of a raster in any format: the only file that knows every format.

use std::io::Write;

use super::error::WriteError;
use super::png::Depth;
use super::raster::Raster;
use crate::files::format::Format;

impl Raster {
    /// Writes the raster in a format. A picture is grey with eight bits; see [`write_grey_png`](Self::write_grey_png).
    /// The same raster gives the same bytes.
    ///
    /// # Errors
    /// [`WriteError`] if the format cannot hold a value, or the writer fails.
    pub fn write(&self, format: Format, out: impl Write) -> Result<(), WriteError> {
        match format {
            Format::Txt => self.write_txt(out),
            Format::Npy => self.write_npy(out),
            Format::Csv => self.write_csv(out),
            Format::Png => self.write_grey_png(out, Depth::Eight),
            Format::Json => self.write_json(out),
            Format::Asc => self.write_asc(out),
            Format::Tif => self.write_tif(out),
        }
    }

    /// Returns the bytes that [`write`](Self::write) writes.
    ///
    /// # Errors
    /// [`WriteError`] if the format cannot hold a value.
    pub fn encode(&self, format: Format) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        self.write(format, &mut bytes)?;
        Ok(bytes)
    }
}
