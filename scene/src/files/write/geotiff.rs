//! Writes rasters as GeoTIFF files: in strips, or in tiles with overviews for readers over a network.
//!
//! ```text
//!  directory of the raster │ directories of the overviews, the largest first │ blocks of the smallest overview │ … │ of the raster
//! ```
//!
//! # References
//! Adobe, *TIFF* 6.0; OGC, *GeoTIFF Standard* 1.1 (19-008r4) and *Cloud Optimized GeoTIFF Standard* 1.0 (21-026); GDAL, *GTiff: GeoTIFF
//! file format*, for `GDAL_NODATA` and `GDAL_METADATA`.

use std::io::Write;
use std::path::Path;

use glam::IVec2;

use super::error::WriteError;
use super::product::RasterRows;
use super::raster::{NumberType, Raster};
use super::tiff_image::{TiffDirectory, TiffImage};
use crate::files::geo_keys::{ASCII_PARAMS_TAG, DOUBLE_PARAMS_TAG};
use crate::files::provenance::Provenance;
use farsight::Job;
use farsight::internal::parallel::*;

// Tags of TIFF, GeoTIFF and GDAL.
const NEW_SUBFILE_TYPE: u16 = 254;
const IMAGE_WIDTH: u16 = 256;
const IMAGE_LENGTH: u16 = 257;
const BITS_PER_SAMPLE: u16 = 258;
const COMPRESSION: u16 = 259;
const PHOTOMETRIC_INTERPRETATION: u16 = 262;
const STRIP_OFFSETS: u16 = 273;
const SAMPLES_PER_PIXEL: u16 = 277;
const ROWS_PER_STRIP: u16 = 278;
const STRIP_BYTE_COUNTS: u16 = 279;
const PREDICTOR: u16 = 317;
const COLOR_MAP: u16 = 320;
const TILE_WIDTH: u16 = 322;
const TILE_LENGTH: u16 = 323;
const TILE_OFFSETS: u16 = 324;
const TILE_BYTE_COUNTS: u16 = 325;
const SAMPLE_FORMAT: u16 = 339;
const MODEL_PIXEL_SCALE: u16 = 33550;
const MODEL_TIEPOINT: u16 = 33922;
const GEO_KEY_DIRECTORY: u16 = 34735;
/// The name and unit of a band, and other texts.
const GDAL_METADATA: u16 = 42112;
const GDAL_NODATA: u16 = 42113;

/// Values of tags.
const REDUCED_IMAGE: usize = 1;
const DEFLATE: u16 = 8;
const BLACK_IS_ZERO: u16 = 1;
const PALETTE: u16 = 3;
const NO_PREDICTOR: u16 = 1;
const FLOATING_POINT_PREDICTOR: u16 = 3;
const UNSIGNED: u16 = 1;
const FLOATING_POINT: u16 = 3;

impl Raster {
    /// Writes a GeoTIFF file: one band, compressed with Deflate on all threads, with georeference and nodata value. The
    /// numbers are those of the [`number_type`](Raster::number_type), the layout is [`tif_layout`](Raster::tif_layout),
    /// and the bytes are the same on any number of threads. A file of more than 4 GB is a BigTIFF file. The metadata of
    /// GDAL have the name of the layer, its unit, and the provenance as JSON with the name and the domain `farsight`.
    ///
    /// The keys of the coordinate reference system are those of the [`georeference`](Raster::georeference). Without
    /// one, the upper left corner of the map's cell 0,0 is the point 0,0 as in an [ASCII grid](Self::write_asc).
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, a value is not of the number type, or the writer fails.
    pub fn write_tif(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        self.check_whole_numbers()?;
        let mut rows = TifRows { raster: self, image: TiffImage::of(self, self.values.size()) };
        rows.image.push_all(self.values.as_slice())?;
        rows.finish(&mut out)
    }

    /// Returns the start of the file, with a directory for the image and for each of its overviews.
    fn directories(&self, image: &TiffImage, is_big: bool) -> Result<Vec<u8>, WriteError> {
        let length = self.directories_before(image, is_big, 0)?.len(); // it does not depend on the position of the blocks
        self.directories_before(image, is_big, length as u64)
    }

    /// Returns the start of a file whose blocks start at an offset.
    fn directories_before(&self, image: &TiffImage, is_big: bool, blocks_at: u64) -> Result<Vec<u8>, WriteError> {
        let mut bytes = TiffDirectory::file_header(is_big);
        let count = image.with_overviews().count();
        for (level, image) in image.with_overviews().enumerate() {
            let mut directory = TiffDirectory::new(is_big);
            match level {
                0 => self.add_metadata(&mut directory)?,
                _ => directory.add_long(NEW_SUBFILE_TYPE, REDUCED_IMAGE),
            }
            self.add_numbers(&mut directory);
            let smaller = image.with_overviews().skip(1);
            add_blocks(&mut directory, image, blocks_at + smaller.map(TiffImage::bytes).sum::<u64>());
            bytes.extend(directory.encoded(bytes.len(), level + 1 == count));
        }
        Ok(bytes)
    }

    /// Checks that the values are whole numbers below the nodata value, for whole number types.
    fn check_whole_numbers(&self) -> Result<(), WriteError> {
        let nodata = match self.number_type {
            NumberType::Float32 => return Ok(()),
            NumberType::Byte => u32::from(u8::MAX),
            NumberType::UInt16 => u32::from(u16::MAX),
        };
        let is_held = |value: f32| value.is_nan() || value as u32 as f32 == value && (value as u32) < nodata; // saturates
        if self.values.as_slice().par_chunks(self.values.width()).all(|row| row.iter().all(|value| is_held(*value))) {
            return Ok(());
        }
        let wrong = self.values.iter().find(|(_, value)| !is_held(**value));
        wrong.map_or(Ok(()), |(cell, value)| {
            let (layer, most): (_, u32) = (&self.layer, nodata - 1);
            let IVec2 { x, y } = self.top_left + cell;
            Err(WriteError::Encode(format!("{layer} is {value} at {x},{y}: expected a whole number from 0 to {most}")))
        })
    }

    /// Writes the tags of the pixel format.
    fn add_numbers(&self, directory: &mut TiffDirectory) {
        let (bits, format, predictor, nodata) = match self.number_type {
            NumberType::Float32 => (32, FLOATING_POINT, FLOATING_POINT_PREDICTOR, self.nodata),
            NumberType::Byte => (8, UNSIGNED, NO_PREDICTOR, u8::MAX.into()),
            NumberType::UInt16 => (16, UNSIGNED, NO_PREDICTOR, u16::MAX.into()),
        };
        let has_palette = self.number_type == NumberType::Byte && !self.palette.is_empty();
        for (tag, value) in [
            (BITS_PER_SAMPLE, bits),
            (SAMPLE_FORMAT, format),
            (SAMPLES_PER_PIXEL, 1),
            (COMPRESSION, DEFLATE),
            (PHOTOMETRIC_INTERPRETATION, if has_palette { PALETTE } else { BLACK_IS_ZERO }),
            (PREDICTOR, predictor),
        ] {
            directory.add_shorts(tag, &[value]);
        }
        if has_palette {
            let mut shades = [0; 3 * 256]; // all reds, then all greens, then all blues, in 16 bits
            for (number, colour) in self.palette.iter().take(256).enumerate() {
                (0..3).for_each(|i| shades[256 * i + number] = u16::from(colour[i]) * 257);
            }
            directory.add_shorts(COLOR_MAP, &shades);
        }
        directory.add_text(GDAL_NODATA, &nodata.to_string());
    }

    /// Writes the tags of the georeference and of the metadata.
    fn add_metadata(&self, directory: &mut TiffDirectory) -> Result<(), WriteError> {
        let georeference = self.georeference_or_plane();
        let [width, height] = georeference.cell;
        let half = if georeference.keys.is_point() { 0.5 } else { 0.0 }; // the tie point is the centre of the cell
        let tie = [georeference.corner[0] + half * width, georeference.corner[1] - half * height];
        directory.add_doubles(MODEL_PIXEL_SCALE, &[width, height, 0.0]);
        directory.add_doubles(MODEL_TIEPOINT, &[0.0, 0.0, 0.0, tie[0], tie[1], 0.0]);
        if !georeference.keys.directory.is_empty() {
            directory.add_shorts(GEO_KEY_DIRECTORY, &georeference.keys.directory);
        }
        if !georeference.keys.doubles.is_empty() {
            directory.add_doubles(DOUBLE_PARAMS_TAG, &georeference.keys.doubles);
        }
        if !georeference.keys.ascii.is_empty() {
            directory.add_text(ASCII_PARAMS_TAG, &georeference.keys.ascii);
        }
        directory.add_text(GDAL_METADATA, &self.gdal_metadata()?);
        Ok(())
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

/// A GeoTIFF writer for rows, without the whole raster in memory.
struct TifRows<'a> {
    raster: &'a Raster,
    image: TiffImage,
}

impl<'a> TifRows<'a> {
    /// Starts a file of `size` columns and rows with the metadata of a raster. The compressed blocks are in unnamed
    /// files in a folder until the file is complete.
    fn in_folder(raster: &'a Raster, size: IVec2, folder: &Path) -> Result<Self, WriteError> {
        let mut image = TiffImage::of(raster, size);
        image.store_in(folder)?;
        Ok(Self { raster, image })
    }

    /// Appends the next row.
    fn push(&mut self, row: &[f32]) -> Result<(), WriteError> {
        Ok(self.image.push_row(row)?)
    }

    /// Writes the directories and then the blocks.
    fn finish(mut self, out: &mut dyn Write) -> Result<(), WriteError> {
        let blocks: u64 = self.image.with_overviews().map(TiffImage::bytes).sum();
        let is_big = self.raster.directories(&self.image, true)?.len() as u64 + blocks > u64::from(u32::MAX);
        out.write_all(&self.raster.directories(&self.image, is_big)?)?;
        Ok(self.image.write_blocks(out)?)
    }
}

impl RasterRows<'_> {
    /// Writes the rows as GeoTIFF, with the bytes of [`Raster::write_tif`] for the same values.
    ///
    /// # Errors
    /// [`WriteError`] if the rows, the folder or the writer fail, or the job is cancelled.
    pub fn write_tif(&self, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        let mut rows = TifRows::in_folder(&self.raster, self.size, &self.folder)?;
        (self.for_each_row)(job, &mut |row| rows.push(row))?;
        rows.finish(out)
    }
}

/// Writes the tags for image size and block offsets, starting at an offset.
fn add_blocks(directory: &mut TiffDirectory, image: &TiffImage, mut offset: u64) {
    directory.add_long(IMAGE_WIDTH, image.width);
    directory.add_long(IMAGE_LENGTH, image.height);
    let [offsets_tag, sizes_tag] = if image.is_tiled {
        directory.add_long(TILE_WIDTH, image.block_width);
        directory.add_long(TILE_LENGTH, image.block_height);
        [TILE_OFFSETS, TILE_BYTE_COUNTS]
    } else {
        directory.add_long(ROWS_PER_STRIP, image.block_height);
        [STRIP_OFFSETS, STRIP_BYTE_COUNTS]
    };
    let mut offsets = Vec::new();
    for size in &image.block_sizes {
        offsets.push(offset);
        offset += size;
    }
    directory.add_offsets(offsets_tag, &offsets);
    directory.add_offsets(sizes_tag, &image.block_sizes);
}

/// Escapes a text as XML, in ASCII only.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Format, Heightmap, TifLayout};
    use farsight::grid::Grid;

    #[test]
    fn big_tif_holds_the_same_values() {
        let values = Grid::from_fn(700, 530, |cell| (cell.x * 3 + cell.y) as f32);
        let mut raster = Raster::new("elevation", values, IVec2::ZERO, IVec2::ZERO, Provenance::default());
        for layout in [TifLayout::Strips, TifLayout::CloudOptimized] {
            raster.tif_layout = layout;
            let mut image = TiffImage::of(&raster, raster.values.size());
            (0..530).for_each(|y| image.push_row(raster.values.row(y)).unwrap());
            let mut bytes = raster.directories(&image, true).unwrap();
            assert!(bytes.starts_with(b"II+\0"));
            image.write_blocks(&mut bytes).unwrap();
            let read = Heightmap::decode(&bytes, Format::Tif).unwrap();
            assert_eq!(read.elevation_m.as_slice(), raster.values.as_slice(), "{layout:?}");
        }
    }
}
