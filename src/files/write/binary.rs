//! Writes rasters as NumPy's array files and as GeoTIFF files.
//!
//! # References
//! NumPy, `numpy.lib.format`; OGC, *GeoTIFF Standard* 1.1 (19-008r4); GDAL, *GTiff: GeoTIFF file format*, for `GDAL_NODATA`.

use std::borrow::Cow;
use std::io::{Cursor, Write};

use tiff::TiffError;
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, colortype};
use tiff::tags::Tag;

use super::error::WriteError;
use super::raster::Raster;
use crate::files::format::NPY_SIGNATURE;
use crate::files::georeference::{ASCII_PARAMS_TAG, DOUBLE_PARAMS_TAG};

impl Raster {
    /// Writes the values as a NumPy array: float32, shape (height, width), C order. A cell without data is NaN.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_npy(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let (width, height) = (self.values.width(), self.values.height());
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({height}, {width})}}");
        // The values begin at a multiple of 64 bytes: 10 bytes before the header, then 1 to 64 spaces and a line end.
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

impl Raster {
    /// Writes a GeoTIFF file: one band of float32, compressed with Deflate, with the position of the cells and the
    /// number that means no data.
    ///
    /// The keys of the coordinate reference system are those of the [`georeference`](Raster::georeference). Without
    /// one, the upper left corner of the map's cell 0,0 is the point 0,0 as in an [ASCII grid](Self::write_asc).
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_tif(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let mut bytes = Cursor::new(Vec::new()); // the encoder seeks, which a stream cannot
        let georeference = self.georeference_or_plane();
        let [width, height] = georeference.cell;
        let half = if georeference.keys.is_point() { 0.5 } else { 0.0 }; // the tie point is the centre of the cell
        let tie = [georeference.corner[0] + half * width, georeference.corner[1] - half * height];
        let mut encoder = TiffEncoder::new(&mut bytes)?.with_compression(Compression::Deflate(DeflateLevel::Balanced));
        let side = |cells: usize| u32::try_from(cells).map_err(|_| TiffError::IntSizeError);
        let (columns, rows) = (side(self.values.width())?, side(self.values.height())?);
        let mut image = encoder.new_image::<colortype::Gray32Float>(columns, rows)?;
        let tags = image.encoder();
        tags.write_tag(Tag::ModelPixelScaleTag, &[width, height, 0.0][..])?;
        tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, tie[0], tie[1], 0.0][..])?;
        if !georeference.keys.directory.is_empty() {
            tags.write_tag(Tag::GeoKeyDirectoryTag, georeference.keys.directory.as_slice())?;
        }
        if !georeference.keys.doubles.is_empty() {
            tags.write_tag(Tag::Unknown(DOUBLE_PARAMS_TAG), georeference.keys.doubles.as_slice())?;
        }
        if !georeference.keys.ascii.is_empty() {
            tags.write_tag(Tag::Unknown(ASCII_PARAMS_TAG), georeference.keys.ascii.as_str())?;
        }
        tags.write_tag(Tag::GdalNodata, self.nodata.to_string().as_str())?;
        let mut values = Cow::Borrowed(self.values.as_slice());
        if values.iter().any(|value| value.is_nan()) {
            values.to_mut().iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = self.nodata);
        }
        image.write_data(&values)?;
        Ok(out.write_all(&bytes.into_inner())?)
    }
}

impl From<TiffError> for WriteError {
    fn from(error: TiffError) -> Self {
        match error {
            TiffError::IoError(error) => Self::Io(error),
            other => Self::Encode(other.to_string()),
        }
    }
}
