//! Reads heightmaps from GeoTIFF files. Strips and tiles are decoded one at a time, so that nothing is allocated that the
//! file cannot hold.
//!
//! # References
//! OGC, *GeoTIFF Standard* 1.1 (19-008r4); GDAL, *GTiff: GeoTIFF file format*, for `GDAL_NODATA` and `GDAL_METADATA`.

use std::io::{self, BufRead, Seek};

use glam::ivec2;
use tiff::decoder::ifd::Value;
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::{CompressionMethod, Tag, Type};
use tiff::{ColorType, TiffError, TiffUnsupportedError};

use super::error::{ReadError, TifError};
use super::heightmap::Heightmap;
use super::limits::{MAX_CELLS, check_size, elevation, grid_of, reserve_cells};
use crate::files::format::is_tif;
use crate::files::georeference::{ASCII_PARAMS_TAG, DOUBLE_PARAMS_TAG, GeoKeys, Georeference};

/// The largest ratio of raster bytes to file bytes. LZW reaches 2730, Deflate 1032.
const MAX_EXPANSION: u64 = 2800;

/// A tag that the decoder has no name for.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

/// Reads the first raster of a file of `length` bytes.
pub(super) fn read_tif(mut reader: impl BufRead + Seek, length: u64) -> Result<Heightmap, ReadError> {
    if !is_tif(reader.fill_buf()?) {
        return Err(if length < 4 { ReadError::Truncated } else { TifError::NotTif.into() });
    }
    let mut decoder = Decoder::new(reader)?.with_limits(decoder_limits(length));
    let (columns, rows) = decoder.dimensions()?;
    let (width, height) = check_size(columns.into(), rows.into())?;
    let bits = match decoder.colortype()? {
        ColorType::Gray(bits) if bits % 8 == 0 => u64::from(bits),
        ColorType::Gray(bits) => {
            return Err(TifError::NumberType(format!("its numbers have {bits} bits")).into());
        }
        ColorType::Multiband { num_samples, .. } => {
            return Err(TifError::Bands(format!("{num_samples} bands")).into());
        }
        ColorType::GrayA(_) => return Err(TifError::Bands("2 bands".to_owned()).into()),
        _ => return Err(TifError::Bands("a picture in colours".to_owned()).into()),
    };
    if u64::from(columns) * u64::from(rows) * bits / 8 > length.saturating_mul(MAX_EXPANSION) {
        return Err(ReadError::ImplausibleSize { width: columns, height: rows, length });
    }
    let (georeference, order) = read_georeference(&mut decoder, height)?;
    if read_text(&mut decoder, GDAL_METADATA)?.is_some_and(|metadata| is_scaled(&metadata)) {
        return Err(TifError::Scaled.into());
    }
    let mut cells = read_cells(&mut decoder, width, height)?;
    if order == RowOrder::FromSouth {
        reverse_rows(&mut cells, width);
    }
    Ok(Heightmap::new(grid_of(width, height, cells)?, georeference))
}

/// Returns the limits of the decoder: no part of a file is larger than the file, and no part is larger than
/// [`MAX_EXPANSION`] times the file when it is decompressed.
fn decoder_limits(length: u64) -> Limits {
    let times_length = |factor: u64| usize::try_from(length.saturating_mul(factor)).unwrap_or(usize::MAX);
    const MAX_RASTER_BYTES: usize = if usize::BITS > 32 { 8 * MAX_CELLS as usize } else { 1 << 30 };
    let mut limits = Limits::default();
    limits.ifd_value_size = times_length(1).min(1 << 28);
    limits.decoding_buffer_size = times_length(MAX_EXPANSION).min(MAX_RASTER_BYTES);
    limits.intermediate_buffer_size = times_length(1);
    limits
}

/// The direction in which the rows of a file follow each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowOrder {
    FromNorth,
    FromSouth,
}

fn reverse_rows(cells: &mut [f32], width: usize) {
    let (north, south) = cells.split_at_mut(cells.len() / width / 2 * width);
    for (a, b) in north.chunks_exact_mut(width).zip(south.rchunks_exact_mut(width)) {
        a.swap_with_slice(b);
    }
}

/// Returns the bytes that each strip or tile has in the file; a sparse file has none of some.
fn chunk_lengths<R: BufRead + Seek>(decoder: &mut Decoder<R>) -> Result<Vec<u64>, ReadError> {
    let tag = match decoder.get_chunk_type() {
        ChunkType::Strip => Tag::StripByteCounts,
        ChunkType::Tile => Tag::TileByteCounts,
    };
    Ok(decoder.find_tag_unsigned_vec(tag)?.unwrap_or_default())
}

/// Reads the values, strip by strip or tile by tile.
fn read_cells<R: BufRead + Seek>(decoder: &mut Decoder<R>, width: usize, height: usize) -> Result<Vec<f32>, ReadError> {
    let nodata = read_nodata(decoder)?;
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let [chunk_width, chunk_height] = [chunk_width as usize, chunk_height as usize];
    if chunk_width == 0 || chunk_height == 0 {
        return Err(ReadError::Damaged("its tiles have no cells".to_owned()));
    }
    let mut cells = reserve_cells(width, height)?;
    cells.resize(width * height, f32::NAN);
    let chunks_per_row = width.div_ceil(chunk_width);
    let lengths = chunk_lengths(decoder)?;
    let sparse = if nodata.is_some() { f32::NAN } else { 0.0 };
    for chunk in 0..chunks_per_row * height.div_ceil(chunk_height) {
        let (left, top) = (chunk % chunks_per_row * chunk_width, chunk / chunks_per_row * chunk_height);
        let columns = chunk_width.min(width - left);
        if lengths.get(chunk) == Some(&0) {
            for y in top..height.min(top + chunk_height) {
                cells[y * width + left..][..columns].fill(sparse);
            }
            continue;
        }
        let values = decoder.read_chunk(chunk as u32)?;
        let nodata = match values {
            // The text of a number such as -3.4e38 has more digits than an f32.
            DecodingResult::F32(_) => nodata.map(|nodata| f64::from(nodata as f32)),
            _ => nodata,
        };
        let mut put = |i: usize, value: f64| {
            let (x, y) = (left + i % columns, top + i / columns);
            if y < height {
                let is_nodata = value.is_nan() || nodata == Some(value);
                let cell = ivec2(x as i32, y as i32);
                cells[y * width + x] = if is_nodata { f32::NAN } else { elevation(cell, value)? };
            }
            Ok::<(), ReadError>(())
        };
        macro_rules! put_all {
            ($values:expr) => {
                $values.iter().enumerate().try_for_each(|(i, &value)| put(i, value as f64))?
            };
        }
        match values {
            DecodingResult::U8(values) => put_all!(values),
            DecodingResult::U16(values) => put_all!(values),
            DecodingResult::U32(values) => put_all!(values),
            DecodingResult::U64(values) => put_all!(values),
            DecodingResult::I8(values) => put_all!(values),
            DecodingResult::I16(values) => put_all!(values),
            DecodingResult::I32(values) => put_all!(values),
            DecodingResult::I64(values) => put_all!(values),
            DecodingResult::F32(values) => put_all!(values),
            DecodingResult::F64(values) => put_all!(values),
            DecodingResult::F16(_) => {
                return Err(TifError::NumberType("its numbers are floating-point numbers of 16 bits".to_owned()).into());
            }
        }
    }
    Ok(cells)
}

fn read_nodata<R: BufRead + Seek>(decoder: &mut Decoder<R>) -> Result<Option<f64>, ReadError> {
    let Some(text) = read_text(decoder, Tag::GdalNodata)? else { return Ok(None) };
    let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    let error = |_| TifError::Tag { tag: "GDAL_NODATA", found: format!("{text:?}"), expected: "a number" };
    if text.is_empty() { Ok(None) } else { Ok(Some(text.parse().map_err(error)?)) }
}

/// Returns `true` if GDAL's metadata have a scale other than 1 or an offset other than 0.
fn is_scaled(metadata: &str) -> bool {
    let has_other = |role: &str, neutral: f64| {
        metadata.split("<Item").filter(|item| item.contains(&format!("role=\"{role}\""))).any(|item| {
            let value = item.split_once('>').and_then(|(_, rest)| rest.split('<').next());
            value.and_then(|value| value.trim().parse::<f64>().ok()) != Some(neutral)
        })
    };
    has_other("scale", 1.0) || has_other("offset", 0.0)
}

/// Returns the position of the raster of `rows` rows, if the file has one, and the order of its rows.
fn read_georeference<R: BufRead + Seek>(
    decoder: &mut Decoder<R>,
    rows: usize,
) -> Result<(Option<Georeference>, RowOrder), ReadError> {
    let keys = read_keys(decoder)?;
    if let Some(code) = keys.non_metric_height_unit() {
        return Err(TifError::ElevationUnit(code).into());
    }
    let scale = read_doubles(decoder, Tag::ModelPixelScaleTag)?;
    let ties = read_doubles(decoder, Tag::ModelTiepointTag)?;
    let matrix = read_doubles(decoder, Tag::ModelTransformationTag)?;
    // The step from row to row is below 0 if the first row is in the north.
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
        _ => return Ok((None, RowOrder::FromNorth)),
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
    let (corner, order) = if step < 0.0 {
        (start, RowOrder::FromNorth)
    } else {
        ([start[0], start[1] + rows as f64 * step], RowOrder::FromSouth)
    };
    Ok((Some(Georeference { corner, cell, keys }), order))
}

/// Returns the keys; damaged ones are left out.
fn read_keys<R: BufRead + Seek>(decoder: &mut Decoder<R>) -> Result<GeoKeys, ReadError> {
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

fn read_doubles<R: BufRead + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Result<Option<Vec<f64>>, ReadError> {
    let value = decoder.find_tag(tag)?;
    Ok(value.map(Value::into_f64_vec).transpose()?)
}

/// Returns the value of a tag, if it is a text.
fn read_text<R: BufRead + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Result<Option<String>, ReadError> {
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

/// Returns the name of a compression as GDAL has it.
fn compression_name(method: CompressionMethod) -> String {
    match method {
        CompressionMethod::ModernJPEG | CompressionMethod::JPEG => "JPEG".to_owned(),
        other => match other.to_u16() {
            34887 => "LERC".to_owned(),
            34925 => "LZMA".to_owned(),
            50000 => "ZSTD".to_owned(),
            50001 => "WEBP".to_owned(),
            50002 => "JXL".to_owned(),
            code => format!("{other:?} (number {code})"),
        },
    }
}
