//! Decoding of maps, heightmaps and fields from the bytes of a file: the dispatch over all formats.

use glam::IVec2;

use super::asc::read_asc;
use super::csv::read_csv;
use super::error::ReadError;
use super::heightmap::Heightmap;
use super::hgt::read_hgt;
use super::limits::{self, Reader, reader_of};
use super::npy::{Integers, read_npy};
use super::number::{LinearScale, NodataNumbers};
use super::pam::RasterMetadata;
use super::png::{read_png_brightness, read_png_colours, read_png_elevations, read_png_heights};
use super::r16::read_r16;
use super::sidecars::{RasterOptions, RasterPlacement, Sidecars, ToldProjection, untold_unit_note};
use super::tif::{clear_masked, read_tif};
use super::txt::read_txt;
use crate::files::format::Format;
use crate::files::geo_keys::GeoKeys;
use crate::files::length_unit::{HeightAxis, LengthUnit, VerticalSystem};
use crate::files::picture_heights::PictureHeights;
use crate::guard_panics::guarded;
use farsight::grid::{CellRect, Grid};
use farsight::sight::{OpacityError, OpacityMap};

/// An opacity map read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The opacities, in [0, 1].
    pub opacity: OpacityMap,
    /// The cell of the viewer, if the file has one: the `@` of a text map.
    pub viewer: Option<IVec2>,
}

impl MapFile {
    /// Decodes an opacity map from the bytes of a file.
    ///
    /// | format | content |
    /// |---|---|
    /// | [`Txt`](Format::Txt) | a map drawn as text; see [`TextMap`](farsight::grid::TextMap) |
    /// | [`Npy`](Format::Npy) | two axes (height, width) of float32 or float64, of either byte order, row-major (C) or
    /// column-major (Fortran) |
    /// | [`Csv`](Format::Csv) | a table of numbers, one line per row of the map; or one line per cell, under a header
    /// `x,y,opacity` (or `visibility`) |
    /// | [`Png`](Format::Png) | brightness is opacity: white is a wall. Colours count by their luma (Rec. 709), transparent pixels are clear |
    ///
    /// # Errors
    /// [`ReadError`] with the position and the value of the first fault.
    pub fn decode(bytes: &[u8], format: Format) -> Result<Self, ReadError> {
        Self::read_from(reader_of(bytes), bytes.len() as u64, format)
    }

    /// Decodes an opacity map from a reader of `length` bytes.
    pub(super) fn read_from(reader: Reader<'_>, length: u64, format: Format) -> Result<Self, ReadError> {
        guarded(|| Self::read_format(reader, length, format))?
    }

    fn read_format(reader: Reader<'_>, length: u64, format: Format) -> Result<Self, ReadError> {
        let grid = match format {
            Format::Txt => {
                let map = read_txt(reader, length)?;
                let viewer = map.viewer;
                return Ok(Self { viewer, opacity: OpacityMap::try_from(map).map_err(fault_of)? });
            }
            Format::Npy => read_npy(reader, length, Integers::Refused, limits::opacity)?,
            Format::Csv => read_csv(reader)?,
            Format::Png => read_png_brightness(reader, length)?,
            other => return Err(ReadError::NotAMap(other)),
        };
        Ok(Self { opacity: OpacityMap::try_from(grid).map_err(fault_of)?, viewer: None })
    }
}

fn fault_of(error: OpacityError) -> ReadError {
    match error {
        OpacityError::OutOfRange { cell, value } => ReadError::Opacity { cell, value: value.into() },
        OpacityError::Empty { width, height } => ReadError::Empty { width: width as u64, height: height as u64 },
        error => ReadError::OpacityMap(error),
    }
}

impl Heightmap {
    /// Decodes a heightmap from the bytes of a file.
    ///
    /// | format | content |
    /// |---|---|
    /// | [`Asc`](Format::Asc) | an Esri ASCII grid, with its cell size and nodata value, with decimal points or commas; NaN is nodata |
    /// | [`Hgt`](Format::Hgt) | a tile of SRTM of 1201 × 1201, 1801 × 3601, 3601 × 3601 or 7201 × 7201 cells; -32768 is nodata. [`placed_by_name`](Self::placed_by_name) gives its position |
    /// | [`Npy`](Format::Npy) | two axes (height, width) in metres: integers of 8 to 64 bits, float32 or float64; NaN is nodata |
    /// | [`Png`](Format::Png) | a grey picture of 8 or 16 bits whose integers are metres; transparent pixels are nodata |
    /// | [`R16`](Format::R16) | a square of 16-bit numbers, little-endian, without a header; only for [`decode_picture`](Self::decode_picture) |
    /// | [`Tif`](Format::Tif) | a GeoTIFF file of one band: integers of 8 to 64 bits, float32 or float64, in strips or
    /// tiles, uncompressed or with LZW or Deflate, on other targets than Wasm also ZSTD and LERC; NaN, the value of
    /// `GDAL_NODATA`, cells hidden by a mask or an alpha band, and missing tiles of a sparse file are nodata. Heights in feet are converted to metres. Rows start in the
    /// north or in the south. Cells in degrees have the [`cell_sizes`](Self::cell_sizes) of each row |
    ///
    /// # Errors
    /// [`ReadError`] with the position and the value of the first fault.
    pub fn decode(bytes: &[u8], format: Format) -> Result<Self, ReadError> {
        Self::read_from(reader_of(bytes), bytes.len() as u64, format, &RasterOptions::default())
    }

    /// Decodes a heightmap from the bytes of a picture by a mapping from pixel values to heights. Between black and
    /// white the height is linear in the brightness, the luma of colours (Rec. 709).
    ///
    /// # Errors
    /// [`ReadError::OwnHeights`] if the format has metres; otherwise as for [`decode`](Self::decode).
    pub fn decode_picture(bytes: &[u8], format: Format, heights: impl Into<PictureHeights>) -> Result<Self, ReadError> {
        let options = RasterOptions { heights: Some(heights.into()), ..RasterOptions::default() };
        Self::read_from(reader_of(bytes), bytes.len() as u64, format, &options)
    }

    /// Decodes a heightmap from a reader of `length` bytes.
    pub(super) fn read_from(
        reader: Reader<'_>,
        length: u64,
        format: Format,
        options: &RasterOptions,
    ) -> Result<Self, ReadError> {
        guarded(|| match (format, options.heights) {
            (Format::Asc | Format::Npy | Format::Hgt | Format::Tif, Some(_)) => Err(ReadError::OwnHeights(format)),
            (Format::Tif, None) => read_tif(reader, length, options),
            _ => Self::read_format(reader, length, format, options),
        })?
    }

    /// Decodes a heightmap of a format without unit and mask, which only sidecar files provide.
    fn read_format(
        reader: Reader<'_>,
        length: u64,
        format: Format,
        options: &RasterOptions,
    ) -> Result<Self, ReadError> {
        let mut metadata = options.sidecars.metadata()?;
        // As in GDAL: the `.prj` file of an ASCII grid comes before its metadata, and no other format has one there.
        let told = match (options.sidecars.projection()?, metadata.system.take()) {
            (told, Some(system)) if told.keys.is_empty() || format != Format::Asc => system.into(),
            (told, _) => told,
        };
        let ToldProjection { keys, heights, note } = told;
        let axis = match (options.height_unit, metadata.unit.take(), heights) {
            (Some(unit), ..) => Some(Ok(unit.into())),
            (None, Some(name), heights) => {
                let unit = LengthUnit::named(&name).ok_or(name);
                Some(VerticalSystem { unit, is_depth: heights.is_some_and(|heights| heights.is_depth) }.axis())
            }
            (None, None, heights) => heights.map(VerticalSystem::axis),
        };
        let axis = axis.transpose().map_err(ReadError::HeightUnit)?;
        let untold = if axis.is_none() { untold_unit_note(&keys) } else { None };
        let axis = axis.unwrap_or(HeightAxis::METRES_UP);
        let scale = metadata.scale.filter(|_| options.heights.is_none()).unwrap_or(LinearScale::NONE);
        let notes = [note, scale.note(), axis.note().or(untold)].into_iter().flatten().collect();
        let scale = scale.times(axis.height_of_one_m());
        let nodata = metadata.nodata;
        let placed = |elevation_m| Self::placed(elevation_m, keys.clone(), &metadata, &options.sidecars);
        let mut heightmap = match (format, options.heights) {
            (Format::Asc, _) => read_asc(reader, scale, nodata, keys)?,
            (Format::Npy, _) => {
                let nodata = NodataNumbers { declared: nodata, ..NodataNumbers::default() };
                let check = |cell, value: f64| match nodata.contains(value) {
                    true => Ok(f32::NAN),
                    false => limits::elevation(cell, scale.value(value)),
                };
                Self::new(read_npy(reader, length, Integers::Accepted, check)?, None)
            }
            (Format::Hgt, _) => Self::new(read_hgt(reader, length, scale)?, None),
            (Format::Png, None) => placed(read_png_elevations(reader, length, scale, nodata)?)?,
            (Format::Png, Some(PictureHeights::Shades(range))) => placed(read_png_heights(reader, length, range)?)?,
            (Format::Png, Some(PictureHeights::Colours(encoding))) => {
                placed(read_png_colours(reader, length, encoding)?)?
            }
            (Format::R16, Some(PictureHeights::Shades(range))) => Self::new(read_r16(reader, length, range)?, None),
            (Format::R16, _) => return Err(ReadError::NoHeights),
            (other, _) => return Err(ReadError::NotAHeightmap(other)),
        };
        options.sidecars.with_mask(|reader, length| {
            let cells = CellRect::of_size(heightmap.elevation_m.size());
            let size = [heightmap.elevation_m.width(), heightmap.elevation_m.height()];
            clear_masked(reader, length, size, cells, heightmap.elevation_m.as_mut_slice())
        })?;
        Ok(heightmap.with_notes(notes))
    }

    /// Creates the heightmap of a picture, placed by a world file, or else by its metadata.
    fn placed(
        mut elevation_m: Grid<f32>,
        keys: GeoKeys,
        metadata: &RasterMetadata,
        sidecars: &Sidecars,
    ) -> Result<Self, ReadError> {
        let (width, height) = (elevation_m.width(), elevation_m.height());
        let placement = match sidecars.place(keys.clone(), [width, height])? {
            Some(placement) => placement,
            None => sidecars.place_by_metadata(metadata, keys, [width, height])?.unwrap_or_default(),
        };
        let RasterPlacement { georeference, order } = placement;
        order.sort(elevation_m.as_mut_slice(), width);
        Ok(Self::new(elevation_m, georeference))
    }
}

/// Decodes a field of values from 0 to 1, humidity or vegetation, from a reader of `length` bytes. NaN is nodata; in a
/// grey picture white is 1.
pub(super) fn read_field_from(
    reader: Reader<'_>,
    length: u64,
    format: Format,
    options: &RasterOptions,
) -> Result<Grid<f32>, ReadError> {
    guarded(|| match format {
        Format::Npy => read_npy(reader, length, Integers::Refused, limits::fraction_or_nodata),
        Format::Png => read_png_brightness(reader, length),
        Format::Asc | Format::Tif | Format::Hgt => {
            let field = Heightmap::read_from(reader, length, format, options)?.elevation_m;
            field.iter().try_for_each(|(cell, &value)| limits::fraction_or_nodata(cell, value.into()).map(drop))?;
            Ok(field)
        }
        other => Err(ReadError::NotAField(other)),
    })?
}
