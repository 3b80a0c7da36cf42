//! Reads heightmaps from GeoTIFF files. Strips and tiles are decoded one at a time, so that allocations are bounded by
//! the file.
//!
//! # References
//! OGC, *GeoTIFF Standard* 1.1 (19-008r4); GDAL, *GTiff: GeoTIFF file format*, for `GDAL_NODATA` and `GDAL_METADATA`.

use std::io::{self, BufRead, Read, Seek};

use glam::{IVec2, ivec2};
use tiff::decoder::ifd::Value;
use tiff::decoder::{Decoder, Limits};
use tiff::tags::{CompressionMethod, Tag, Type};
use tiff::{ColorType, TiffError, TiffUnsupportedError};

use super::error::{ReadError, TifError};
use super::heightmap::{Heightmap, RasterHeader};
use super::limits::{MAX_CONSTANT_BYTES, MAX_EXPANSION, Reader, check_size, elevation, grid_of, reserve_cells};
use super::max_cells::MAX_CELLS;
use super::number::{LinearScale, NodataNumbers, parse_number};
use super::sidecars::{RasterOptions, RasterPlacement, RowOrder, Sidecars, ToldProjection, untold_unit_note};
use super::tif_cells::{TifBand, clear_where_zero, for_cells};
use super::tif_directories::{LERC, StoredNumbers, TifDirectories, ZSTD};
use crate::files::format::is_tif;
use crate::files::geo_keys::{ASCII_PARAMS_TAG, DOUBLE_PARAMS_TAG, GeoKeys};
use crate::files::length_unit::HeightAxis;
use crate::guard_panics::guarded;
use farsight::grid::{CellRect, Grid};
use farsight::internal::parallel::*;

/// A tag without a name in the decoder.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

/// The first raster of a file: its header, and the decoder of its strips or tiles.
struct TifRaster<R: BufRead + Seek> {
    decoder: Decoder<StoredNumbers<R>>,
    columns: u32,
    rows: u32,
    /// The bits per number.
    bits: u64,
    /// The band of heights.
    band: TifBand,
    has_alpha: bool,
    /// The number of the directory of the mask, if the file has one.
    mask: Option<usize>,
    nodata: NodataNumbers,
    /// Mapping from numbers to heights in metres.
    scale: LinearScale,
    placement: RasterPlacement,
    notes: Vec<String>,
}

/// Reads the first raster of a file of `length` bytes.
pub(super) fn read_tif(
    reader: impl BufRead + Seek,
    length: u64,
    options: &RasterOptions,
) -> Result<Heightmap, ReadError> {
    let mut raster = TifRaster::open(reader, length, options)?;
    let TifRaster { columns, rows, bits, .. } = raster;
    let (width, height) = check_size(columns.into(), rows.into())?;
    let max_bytes = match raster.decoder.find_tag_unsigned(Tag::Compression)? {
        Some(ZSTD | LERC) => length.saturating_mul(MAX_EXPANSION).max(MAX_CONSTANT_BYTES),
        _ => length.saturating_mul(MAX_EXPANSION),
    };
    if u64::from(columns) * u64::from(rows) * bits / 8 > max_bytes {
        return Err(ReadError::ImplausibleSize { width: columns, height: rows, length });
    }
    let cells = CellRect::of_size(ivec2(width as i32, height as i32));
    let mut values = reserve_cells(width, height)?;
    values.resize(width * height, f32::NAN);
    raster.read_cells(cells, &options.sidecars, &mut values)?;
    Ok(Heightmap::new(grid_of(width, height, values)?, raster.placement.georeference).with_notes(raster.notes))
}

/// Reads the size and the position of the first raster of a file.
pub(super) fn read_tif_header(
    reader: impl BufRead + Seek,
    length: u64,
    options: &RasterOptions,
) -> Result<RasterHeader, ReadError> {
    let raster = TifRaster::open(reader, length, options)?;
    let header = RasterHeader::new(raster.size()?, raster.placement.georeference);
    Ok(RasterHeader { notes: raster.notes, ..header })
}

/// Reads some cells of the first raster of a file, which must contain them: only their strips or tiles, on all threads.
/// `open` opens the file for each thread, and returns its length.
pub(super) fn read_tif_window(
    open: impl Fn() -> Result<(Reader<'static>, u64), ReadError> + Sync,
    cells: CellRect,
    options: &RasterOptions,
) -> Result<Grid<f32>, ReadError> {
    let open_raster = || open().and_then(|(reader, length)| TifRaster::open(reader, length, options));
    let raster = open_raster()?;
    let size = raster.size()?;
    let whole = CellRect::of_size(size);
    if cells.intersect(whole) != cells {
        return Err(ReadError::Damaged(format!("it has {}x{} cells now", size.x, size.y)));
    }
    check_size(cells.width() as u64, cells.height() as u64)?;
    let (width, height) = raster.decoder.chunk_dimensions();
    let bytes = u64::from(width) * u64::from(height) * raster.bits / 8;
    if bytes > MAX_CHUNK_BYTES && size.as_u64vec2().element_product() > MAX_CELLS {
        return Err(TifError::LargeChunks { width, height }.into());
    }
    let mut values = reserve_cells(cells.width(), cells.height())?;
    values.resize(cells.width() * cells.height(), f32::NAN);
    let mut rest = &mut *values;
    let bands = raster.bands(cells).into_iter().map(|band| {
        let out = rest.split_off_mut(..band.width() * band.height()).expect("bands are parts of the cells");
        (band, out)
    });
    let read = |(band, out)| guarded(|| open_raster()?.read_cells(band, &options.sidecars, out))?;
    let results: Vec<_> = bands.collect::<Vec<_>>().into_par_iter().map(read).collect();
    results.into_iter().collect::<Result<(), _>>()?;
    grid_of(cells.width(), cells.height(), values)
}

/// Sets cells to NaN that are 0 in the mask of a file, a raster of the same size. `cells` are those of `out`, in the
/// order of the file.
pub(super) fn clear_masked(
    reader: impl BufRead + Seek,
    length: u64,
    size: [usize; 2],
    cells: CellRect,
    out: &mut [f32],
) -> Result<(), ReadError> {
    TifRaster::open_any(reader, length)?.clear_masked(size, cells, out)
}

/// More bands than threads, since their decoding times differ.
const BANDS_PER_THREAD: usize = 4;

/// The maximum size in bytes of a strip or tile, for a raster that is too large to be read as a whole.
const MAX_CHUNK_BYTES: u64 = 1 << 26;

impl<R: BufRead + Seek> TifRaster<R> {
    fn open(reader: R, length: u64, options: &RasterOptions) -> Result<Self, ReadError> {
        let mut raster = Self::open_any(reader, length)?;
        if raster.bits % 8 != 0 {
            return Err(TifError::NumberType(format!("its numbers have {} bits", raster.bits)).into());
        }
        let decoder = &mut raster.decoder;
        let tags = read_text(decoder, GDAL_METADATA)?.unwrap_or_default();
        let mut metadata = options.sidecars.metadata()?;
        let keys = read_keys(decoder)?;
        // As in GDAL, the metadata next to the file come before its keys, position and no data, and its scale before theirs.
        let told = match metadata.system.take() {
            Some(system) if keys.is_empty() || !system.keys.is_empty() => system.into(),
            None if keys.is_empty() => options.sidecars.projection()?,
            system => ToldProjection { keys, heights: system.and_then(|system| system.heights), note: None },
        };
        let keys = told.keys;
        raster.notes.extend(told.note);
        raster.nodata.declared = metadata.nodata.or(raster.nodata.declared);
        raster.nodata.of_mosaic = options.nodata;
        let scale = options.scale.or(read_scale(&tags)?).or(metadata.scale).unwrap_or(LinearScale::NONE);
        raster.notes.extend(scale.note());
        let unit = band_unit(&tags).or(metadata.unit.as_deref());
        let axis = match (options.height_unit, told.heights, unit) {
            (Some(unit), ..) => unit.into(),
            (None, Some(system), None) => system.axis().map_err(ReadError::HeightUnit)?,
            (None, told, unit) => {
                let axis = keys.height_axis(unit).map_err(ReadError::HeightUnit)?;
                HeightAxis { is_depth: axis.is_depth || told.is_some_and(|told| told.is_depth), ..axis }
            }
        };
        let is_told = options.height_unit.is_some() || unit.is_some() || keys.has_height_axis();
        raster.notes.extend(axis.note().or_else(|| if is_told { None } else { untold_unit_note(&keys) }));
        raster.scale = scale.times(axis.height_of_one_m());
        let size = [raster.columns as usize, raster.rows as usize];
        raster.placement = match options.sidecars.place_by_metadata(&metadata, keys.clone(), size)? {
            Some(placement) => placement,
            None => match read_placement(decoder, keys.clone(), size)? {
                Some(placement) => placement,
                None => options.sidecars.place(keys, size)?.unwrap_or_default(),
            },
        };
        Ok(raster)
    }

    /// Opens a raster of any number type, which may be a mask.
    fn open_any(mut reader: R, length: u64) -> Result<Self, ReadError> {
        if !is_tif(reader.fill_buf()?) {
            return Err(if length < 4 { ReadError::Truncated } else { TifError::NotTif.into() });
        }
        let directories = TifDirectories::read(&mut reader)?;
        let stored = StoredNumbers::new(reader, &directories)?;
        let mut decoder = Decoder::new(stored)?.with_limits(decoder_limits(length));
        let (columns, rows) = decoder.dimensions()?;
        if columns == 0 || rows == 0 {
            return Err(ReadError::Empty { width: columns.into(), height: rows.into() });
        }
        ensure_first_bit_is_highest(&mut decoder)?;
        let has_alpha = has_alpha(&mut decoder)?;
        let bits = match decoder.colortype()? {
            ColorType::Multiband { bit_depth: bits, num_samples: 2 } if has_alpha => bits,
            ColorType::Gray(bits) => bits,
            ColorType::Multiband { num_samples, .. } => {
                return Err(TifError::Bands(format!("{num_samples} bands")).into());
            }
            ColorType::GrayA(_) => return Err(TifError::Bands("2 bands".to_owned()).into()),
            _ => return Err(TifError::Bands("a picture in colours".to_owned()).into()),
        };
        let is_apart = decoder.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
        let band = TifBand { index: 0, count: if has_alpha { 2 } else { 1 }, is_apart };
        let formats = decoder.find_tag_unsigned_vec::<u16>(Tag::SampleFormat)?.unwrap_or_default();
        let is_f32 = bits == 32 && formats.first() == Some(&3);
        let nodata = NodataNumbers { declared: read_nodata(&mut decoder)?, is_f32, ..NodataNumbers::default() };
        Ok(Self {
            decoder,
            columns,
            rows,
            bits: bits.into(),
            band,
            has_alpha,
            mask: directories.mask,
            nodata,
            scale: LinearScale::NONE,
            placement: RasterPlacement::default(),
            notes: Vec::new(),
        })
    }

    /// Returns columns and rows, which are at most [`MAX_SIDE`].
    fn size(&self) -> Result<IVec2, ReadError> {
        if self.columns.max(self.rows) > MAX_SIDE {
            return Err(ReadError::TooLarge { width: self.columns.into(), height: self.rows.into() });
        }
        Ok(ivec2(self.columns as i32, self.rows as i32))
    }

    /// Splits cells into a few rectangles per thread, from north to south, without shared strips or tiles.
    fn bands(&self, cells: CellRect) -> Vec<CellRect> {
        let in_order = |cells| self.placement.order.in_file(cells, self.rows as i32);
        let rows_of_chunk = (self.decoder.chunk_dimensions().1 as usize).clamp(1, self.rows as usize);
        let in_file = in_order(cells);
        let chunk_rows = cells.height().div_ceil(rows_of_chunk).max(1);
        let step = chunk_rows.div_ceil(BANDS_PER_THREAD * current_num_threads()) * rows_of_chunk;
        let first_chunk = in_file.min.y as usize / rows_of_chunk * rows_of_chunk;
        let starts = (first_chunk..in_file.max.y as usize).step_by(step);
        let mut bands: Vec<_> = starts
            .map(|start| {
                let (start, end) = (start as i32, (start + step) as i32);
                let rows = [start.max(in_file.min.y), end.min(in_file.max.y)];
                in_order(CellRect { min: ivec2(in_file.min.x, rows[0]), max: ivec2(in_file.max.x, rows[1]) })
            })
            .collect();
        if self.placement.order == RowOrder::FromSouth {
            bands.reverse();
        }
        bands
    }

    /// Reads the heights of some cells, which are on the raster, strip by strip or tile by tile. `values` are NaN, one
    /// per cell.
    fn read_cells(&mut self, cells: CellRect, sidecars: &Sidecars, values: &mut [f32]) -> Result<(), ReadError> {
        let size = [self.columns as usize, self.rows as usize];
        let order = self.placement.order;
        let cells = order.in_file(cells, self.rows as i32);
        let (nodata, scale) = (self.nodata, self.scale);
        let sparse = if nodata.declared.is_some() { f32::NAN } else { 0.0 };
        for_cells(&mut self.decoder, size, self.band, cells, values, sparse, |out, cell, value| {
            *out = if nodata.contains(value) { f32::NAN } else { elevation(cell, scale.value(value))? };
            Ok(())
        })?;
        if self.has_alpha {
            let alpha = TifBand { index: 1, ..self.band };
            for_cells(&mut self.decoder, size, alpha, cells, values, f32::NAN, clear_where_zero)?;
        }
        if let Some(mask) = self.mask {
            self.decoder.seek_to_image(mask)?;
            ensure_first_bit_is_highest(&mut self.decoder)?;
            let found = self.decoder.dimensions()?;
            check_mask_size([found.0, found.1].map(|side| side as usize), size)?;
            let band = TifBand { index: 0, count: 1, is_apart: false };
            for_cells(&mut self.decoder, size, band, cells, values, f32::NAN, clear_where_zero)?;
            self.decoder.seek_to_image(0)?;
        }
        sidecars.with_mask(|reader, length| clear_masked(reader, length, size, cells, values))?;
        order.sort(values, cells.width());
        Ok(())
    }

    /// Sets cells to NaN that are 0 in this mask; `cells` are those of `out`.
    fn clear_masked(&mut self, size: [usize; 2], cells: CellRect, out: &mut [f32]) -> Result<(), ReadError> {
        check_mask_size([self.columns, self.rows].map(|side| side as usize), size)?;
        for_cells(&mut self.decoder, size, self.band, cells, out, f32::NAN, clear_where_zero)
    }
}

fn check_mask_size(found: [usize; 2], expected: [usize; 2]) -> Result<(), ReadError> {
    if found == expected { Ok(()) } else { Err(TifError::MaskSize { found, expected }.into()) }
}

/// The maximum side of a raster that is read in windows: a radius can be added without overflow.
const MAX_SIDE: u32 = 1 << 30;

/// Returns the limits of the decoder: no part of a file is larger than the file, and no decompressed part is larger
/// than [`MAX_EXPANSION`] times the file.
fn decoder_limits(length: u64) -> Limits {
    let times_length = |factor: u64| usize::try_from(length.saturating_mul(factor)).unwrap_or(usize::MAX);
    const MAX_RASTER_BYTES: usize = if usize::BITS > 32 { 8 * MAX_CELLS as usize } else { 1 << 30 };
    let mut limits = Limits::default();
    limits.ifd_value_size = times_length(1).min(1 << 28);
    limits.decoding_buffer_size = times_length(MAX_EXPANSION).min(MAX_RASTER_BYTES);
    limits.intermediate_buffer_size = times_length(1);
    limits
}

/// Refuses a raster with reversed bit order.
fn ensure_first_bit_is_highest<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<(), ReadError> {
    match decoder.find_tag_unsigned::<u16>(Tag::FillOrder)? {
        None | Some(1) => Ok(()),
        Some(order) => Err(TifError::Unsupported(format!("its FillOrder is {order}, expected 1")).into()),
    }
}

/// Returns `true` if the second of two bands is an alpha band.
fn has_alpha<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<bool, ReadError> {
    const ASSOCIATED: u16 = 1;
    const UNASSOCIATED: u16 = 2;
    let extra = decoder.find_tag_unsigned_vec::<u16>(Tag::ExtraSamples)?;
    Ok(matches!(extra.as_deref(), Some([ASSOCIATED | UNASSOCIATED])))
}

fn read_nodata<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Option<f64>, ReadError> {
    let Some(text) = read_text(decoder, Tag::GdalNodata)? else { return Ok(None) };
    let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    let error = || TifError::Tag { tag: "GDAL_NODATA", found: format!("{text:?}"), expected: "a number" };
    if text.is_empty() { Ok(None) } else { Ok(Some(parse_number(text).ok_or_else(error)?)) }
}

/// Returns the text of GDAL's metadata with a role, such as its unit, for the first band.
fn of_first_band<'a>(metadata: &'a str, role: &str) -> Option<&'a str> {
    let mut texts = metadata.split("<Item").skip(1).filter_map(|item| {
        let (attributes, rest) = item.split_once('>')?;
        let has_role = attribute(attributes, "role").is_some_and(|found| found.eq_ignore_ascii_case(role));
        let is_first = attribute(attributes, "sample").is_none_or(|sample| sample.trim() == "0");
        (has_role && is_first).then(|| rest.split('<').next().unwrap_or_default().trim())
    });
    texts.next()
}

/// Returns the unit of the first band in GDAL's metadata.
fn band_unit(metadata: &str) -> Option<&str> {
    of_first_band(metadata, "unittype").filter(|unit| !unit.is_empty() && !unit.eq_ignore_ascii_case("unknown"))
}

/// Returns the scale and the offset of the first band in GDAL's metadata, if they have one of them.
fn read_scale(metadata: &str) -> Result<Option<LinearScale>, ReadError> {
    let number = |tag: &'static str| {
        let Some(text) = of_first_band(metadata, tag) else { return Ok(None) };
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        let error = || TifError::Tag { tag: "GDAL_METADATA", found: format!("{tag} {text:?}"), expected: "a number" };
        number.ok_or_else(error).map(Some)
    };
    let (factor, offset) = (number("scale")?, number("offset")?);
    let scale = LinearScale { factor: factor.unwrap_or(1.0), offset: offset.unwrap_or(0.0) };
    Ok(factor.or(offset).map(|_| scale))
}

/// Returns the value of an attribute of an element of XML, which is in double or single quotes.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    attributes.match_indices(name).filter(|(at, _)| attributes[..*at].ends_with(char::is_whitespace)).find_map(
        |(at, _)| {
            let value = attributes[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
            let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
            value[1..].split_once(quote).map(|(value, _)| value)
        },
    )
}

/// Returns the position of the raster and the order of its rows, if the file has them.
fn read_placement<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    keys: GeoKeys,
    size: [usize; 2],
) -> Result<Option<RasterPlacement>, ReadError> {
    let scale = read_doubles(decoder, Tag::ModelPixelScaleTag)?;
    let ties = read_doubles(decoder, Tag::ModelTiepointTag)?;
    let matrix = read_doubles(decoder, Tag::ModelTransformationTag)?;
    // The step from row to row is negative if the first row is in the north.
    let (start, [width, step]) = match (scale.as_deref(), ties.as_deref(), matrix.as_deref()) {
        (Some([width, height, ..]), Some([i, j, _, x, y, _, ..]), _) => {
            if *width < 0.0 || *height < 0.0 {
                return Err(TifError::NotNorthUp.into());
            }
            ([x - i * width, y + j * height], [*width, -*height])
        }
        (_, _, Some(&[a, b, _, x, d, e, _, y, ..])) => {
            if b != 0.0 || d != 0.0 || a < 0.0 {
                return Err(TifError::NotNorthUp.into());
            }
            ([x, y], [a, e])
        }
        _ => return Ok(None),
    };
    let cell = [width, step.abs()];
    if !cell.iter().all(|side| side.is_finite() && *side > 0.0) {
        let found = format!("{} {}", cell[0], cell[1]);
        return Err(TifError::Tag { tag: "ModelPixelScale", found, expected: "sides greater than 0" }.into());
    }
    if !start.iter().all(|coordinate| coordinate.is_finite()) {
        let found = format!("{} {}", start[0], start[1]);
        return Err(TifError::Tag { tag: "ModelTiepoint", found, expected: "two finite coordinates" }.into());
    }
    let half = if keys.is_point() { 0.5 } else { 0.0 };
    let start = [start[0] - half * width, start[1] - half * step];
    RasterPlacement::new(start, [width, step], keys, size).map(Some)
}

/// Returns the keys without damaged ones.
fn read_keys<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<GeoKeys, ReadError> {
    let directory = decoder.find_tag(Tag::GeoKeyDirectoryTag)?;
    Ok(GeoKeys {
        directory: directory.and_then(|value| value.into_u16_vec().ok()).unwrap_or_default(),
        doubles: read_doubles(decoder, Tag::Unknown(DOUBLE_PARAMS_TAG))?.unwrap_or_default(),
        ascii: read_text(decoder, Tag::Unknown(ASCII_PARAMS_TAG))?
            .unwrap_or_default()
            .trim_end_matches('\0')
            .to_owned(),
    })
}

fn read_doubles<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Result<Option<Vec<f64>>, ReadError> {
    let value = decoder.find_tag(tag)?;
    Ok(value.map(Value::into_f64_vec).transpose()?)
}

/// Returns the value of a tag, if it is a text.
fn read_text<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Result<Option<String>, ReadError> {
    let is_text = decoder.image_ifd().find_entry(tag).is_some_and(|entry| entry.field_type() == Type::ASCII);
    if !is_text {
        return Ok(None);
    }
    Ok(decoder.find_tag(tag)?.and_then(|value| value.into_string().ok()))
}

impl From<TiffError> for ReadError {
    fn from(error: TiffError) -> Self {
        match error {
            TiffError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => Self::Truncated,
            TiffError::IoError(error) if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::Other) => {
                Self::Damaged(error.to_string())
            }
            TiffError::IoError(error) => Self::Io(error),
            TiffError::UnsupportedError(error @ TiffUnsupportedError::UnsupportedSampleFormat(_)) => {
                TifError::NumberType(error.to_string()).into()
            }
            TiffError::UnsupportedError(TiffUnsupportedError::UnsupportedCompressionMethod(method)) => {
                TifError::Unsupported(format!("its compression is {}", compression_name(method))).into()
            }
            TiffError::UnsupportedError(error) => TifError::Unsupported(error.to_string()).into(),
            TiffError::LimitsExceeded | TiffError::IntSizeError => {
                Self::Damaged("a part of it claims to be larger than the file can hold".to_owned())
            }
            TiffError::FormatError(error) => Self::Damaged(error.to_string()),
            TiffError::UsageError(error) => Self::Damaged(error.to_string()),
        }
    }
}

/// Returns GDAL's name of a compression.
fn compression_name(method: CompressionMethod) -> String {
    match method {
        CompressionMethod::ModernJPEG | CompressionMethod::JPEG => "JPEG".to_owned(),
        other => match other.to_u16() {
            LERC => "LERC".to_owned(),
            34925 => "LZMA".to_owned(),
            ZSTD => "ZSTD".to_owned(),
            50001 => "WEBP".to_owned(),
            50002 => "JXL".to_owned(),
            code => format!("{other:?} (number {code})"),
        },
    }
}
