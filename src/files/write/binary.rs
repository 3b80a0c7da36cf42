//! Writes rasters as NumPy's array files and as GeoTIFF files.
//!
//! # References
//! NumPy, `numpy.lib.format`; OGC, *GeoTIFF Standard* 1.1 (19-008r4); GDAL, *GTiff: GeoTIFF file format*, for
//! `GDAL_NODATA` and `GDAL_METADATA`.

use std::borrow::Cow;
use std::io::{Cursor, Seek, Write};

use glam::IVec2;
use tiff::TiffError;
use tiff::encoder::{Compression, DeflateLevel, DirectoryEncoder, TiffEncoder, TiffKind, colortype};
use tiff::tags::Tag;

use super::error::WriteError;
use super::raster::{NumberType, Raster};
use crate::files::format::NPY_SIGNATURE;
use crate::files::georeference::{ASCII_PARAMS_TAG, DOUBLE_PARAMS_TAG};
use crate::files::provenance::Provenance;

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

/// GDAL's tag for the name and unit of a band, and for other texts.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

impl Raster {
    /// Writes a GeoTIFF file: one band, compressed with Deflate, with the position of the cells and the number that means no data.
    /// The numbers are those of the [`number_type`](Raster::number_type). The metadata of GDAL have the name of the layer, its unit,
    /// and the provenance as JSON with the name and the domain `farsight`.
    ///
    /// The keys of the coordinate reference system are those of the [`georeference`](Raster::georeference). Without
    /// one, the upper left corner of the map's cell 0,0 is the point 0,0 as in an [ASCII grid](Self::write_asc).
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, a value is not one of the numbers, or the writer fails.
    pub fn write_tif(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let mut bytes = Cursor::new(Vec::new()); // the encoder seeks, which a stream cannot
        let mut encoder = TiffEncoder::new(&mut bytes)?.with_compression(Compression::Deflate(DeflateLevel::Balanced));
        let side = |cells: usize| u32::try_from(cells).map_err(|_| TiffError::IntSizeError);
        let (columns, rows) = (side(self.values.width())?, side(self.values.height())?);
        match self.number_type {
            NumberType::Float32 => {
                let mut values = Cow::Borrowed(self.values.as_slice());
                if values.iter().any(|value| value.is_nan()) {
                    values.to_mut().iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = self.nodata);
                }
                let mut image = encoder.new_image::<colortype::Gray32Float>(columns, rows)?;
                self.write_tags(image.encoder(), &self.nodata.to_string())?;
                image.write_data(&values)?;
            }
            NumberType::Byte => {
                let mut image = encoder.new_image::<colortype::Gray8>(columns, rows)?;
                self.write_tags(image.encoder(), &u8::MAX.to_string())?;
                image.write_data(&self.whole_numbers(u8::MAX)?)?;
            }
            NumberType::UInt16 => {
                let mut image = encoder.new_image::<colortype::Gray16>(columns, rows)?;
                self.write_tags(image.encoder(), &u16::MAX.to_string())?;
                image.write_data(&self.whole_numbers(u16::MAX)?)?;
            }
        }
        Ok(out.write_all(&bytes.into_inner())?)
    }

    /// Returns the values as whole numbers below `nodata`, which is written for NaN.
    fn whole_numbers<T: TryFrom<u32> + Into<u32> + Copy>(&self, nodata: T) -> Result<Vec<T>, WriteError> {
        let number = |(cell, &value): (IVec2, &f32)| {
            if value.is_nan() {
                return Ok(nodata);
            }
            let whole = value as u32; // saturates
            let number = T::try_from(whole).ok().filter(|_| whole as f32 == value && whole < nodata.into());
            number.ok_or_else(|| {
                let (layer, most) = (self.layer.clone(), nodata.into() - 1);
                let cell = self.top_left + cell;
                WriteError::Encode(format!(
                    "{layer} is {value} at {},{}: expected a whole number from 0 to {most}",
                    cell.x, cell.y
                ))
            })
        };
        self.values.iter().map(number).collect()
    }

    fn write_tags<W: Write + Seek, K: TiffKind>(
        &self,
        tags: &mut DirectoryEncoder<'_, W, K>,
        nodata: &str,
    ) -> Result<(), WriteError> {
        let georeference = self.georeference_or_plane();
        let [width, height] = georeference.cell;
        let half = if georeference.keys.is_point() { 0.5 } else { 0.0 }; // the tie point is the centre of the cell
        let tie = [georeference.corner[0] + half * width, georeference.corner[1] - half * height];
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
        tags.write_tag(Tag::GdalNodata, nodata)?;
        Ok(tags.write_tag(GDAL_METADATA, self.gdal_metadata()?.as_str())?)
    }

    /// Returns the name and the unit of the band, and the provenance, in ASCII.
    fn gdal_metadata(&self) -> Result<String, WriteError> {
        let mut items =
            format!("<Item name=\"DESCRIPTION\" sample=\"0\" role=\"description\">{}</Item>", as_xml(&self.layer));
        if !self.unit.is_empty() {
            items += &format!("<Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">{}</Item>", as_xml(self.unit));
        }
        let (key, provenance) = (Provenance::KEYWORD, as_xml(&self.provenance.to_json()?));
        Ok(format!("<GDALMetadata>{items}<Item name=\"{key}\" domain=\"{key}\">{provenance}</Item></GDALMetadata>"))
    }
}

/// Returns a text as XML, in ASCII only.
fn as_xml(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            _ if c.is_ascii() => xml.push(c),
            _ => xml.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    xml
}

impl From<TiffError> for WriteError {
    fn from(error: TiffError) -> Self {
        match error {
            TiffError::IoError(error) => Self::Io(error),
            other => Self::Encode(other.to_string()),
        }
    }
}
