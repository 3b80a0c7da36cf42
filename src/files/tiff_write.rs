//! GeoTIFF files, which every geographic information system reads.

use std::io::{Cursor, Write};

use tiff::TiffError;
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, colortype};
use tiff::tags::Tag;

use super::error::WriteError;
use super::gradient::Gradient;
use super::tiff_read::{GEO_ASCII, GEO_DOUBLES};

impl Gradient {
    /// Writes a GeoTIFF file: one band of float32, compressed by Deflate, with the place of the cells and the number
    /// that stands for no data. The keys that name the coordinate reference system are those of the
    /// [`georeference`](Gradient::georeference); without one, the upper left corner of the map's cell 0,0 is the point
    /// 0,0 as in an [ASCII grid](Self::write_asc).
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    ///
    /// # References
    /// OGC, *GeoTIFF Standard* 1.1 (19-008r4); GDAL, *GTiff: GeoTIFF file format*, for `GDAL_NODATA`.
    pub fn write_tif(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let mut bytes = Cursor::new(Vec::new()); // the format points back and forth, and a stream cannot
        self.encode_tif(&mut bytes).map_err(|error| match error {
            TiffError::IoError(error) => WriteError::Io(error),
            other => WriteError::Encode(other.to_string()),
        })?;
        Ok(out.write_all(&bytes.into_inner())?)
    }

    fn encode_tif(&self, out: &mut Cursor<Vec<u8>>) -> Result<(), TiffError> {
        let place = self.place();
        let [width, height] = place.cell;
        let half = if place.keys.is_point() { 0.5 } else { 0.0 }; // the tie is the middle of the cell then
        let tie = [place.corner[0] + half * width, place.corner[1] - half * height];
        let mut encoder = TiffEncoder::new(out)?.with_compression(Compression::Deflate(DeflateLevel::Balanced));
        let side = |cells: usize| u32::try_from(cells).map_err(|_| TiffError::IntSizeError);
        let (columns, rows) = (side(self.values.width())?, side(self.values.height())?);
        let mut image = encoder.new_image::<colortype::Gray32Float>(columns, rows)?;
        let tags = image.encoder();
        tags.write_tag(Tag::ModelPixelScaleTag, &[width, height, 0.0][..])?;
        tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, tie[0], tie[1], 0.0][..])?;
        if !place.keys.directory.is_empty() {
            tags.write_tag(Tag::GeoKeyDirectoryTag, place.keys.directory.as_slice())?;
        }
        if !place.keys.doubles.is_empty() {
            tags.write_tag(GEO_DOUBLES, place.keys.doubles.as_slice())?;
        }
        if !place.keys.ascii.is_empty() {
            tags.write_tag(GEO_ASCII, place.keys.ascii.as_str())?;
        }
        tags.write_tag(Tag::GdalNodata, self.nodata.to_string().as_str())?;
        let values = self.values.map(|&value| if value.is_nan() { self.nodata } else { value });
        image.write_data(values.as_slice())
    }
}
