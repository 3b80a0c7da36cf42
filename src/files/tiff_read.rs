//! GeoTIFF files, read as heightmaps. Decoding is the `tiff` crate's business; strips and tiles are taken one by one,
//! so that nothing is allocated that the file cannot hold.

use std::io::{self, BufRead, Seek};

use glam::ivec2;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::{Tag, Type};
use tiff::{ColorType, TiffError, TiffUnsupportedError};

use super::error::ReadError;
use super::georeference::CellSizeError;
use super::georeference::{GeoKeys, Georeference, cell_size_m};
use super::heightmap::Heightmap;
use crate::files::{decode, heightmap};

/// How TIFF files begin: of either byte order, and BigTIFF.
pub(super) const MAGICS: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"];

/// LZW makes at most 2730 bytes from one, Deflate 1032.
const MOST_PER_BYTE: u64 = 2800;

/// Tags that the crate has no name for.
pub(super) const GEO_DOUBLES: Tag = Tag::Unknown(34736);
pub(super) const GEO_ASCII: Tag = Tag::Unknown(34737);
const GDAL_METADATA: Tag = Tag::Unknown(42112);

/// What is wrong with a GeoTIFF file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TiffReadError {
    /// Some other file.
    #[error("is no .tif file: it does not begin as one")]
    NotTiff,
    /// The file ends too early.
    #[error("is cut short: the raster is not complete")]
    Cut,
    /// The file is too small for the raster that it promises.
    #[error("promises {width}x{height} cells, but {length} bytes cannot hold them")]
    Promise {
        /// Columns promised.
        width: u32,
        /// Rows promised.
        height: u32,
        /// Bytes of the file.
        length: u64,
    },
    /// More than one band, or colours.
    #[error("holds {0}; a heightmap is one band of numbers (gdal_translate -b 1 takes the first)")]
    Bands(String),
    /// A way of storing values that is not read.
    #[error(
        "cannot be read: {0}; uncompressed, LZW and Deflate files are read (gdal_translate -co COMPRESS=DEFLATE \
        makes one)"
    )]
    Unsupported(String),
    /// Numbers of a kind that is not read.
    #[error(
        "cannot be read: {0}; whole numbers and real ones of 32 or 64 bits are read (gdal_translate -ot Float32 makes \
        such a file)"
    )]
    Numbers(String),
    /// A raster that is turned, or whose rows do not run from the north.
    #[error("is turned or upside down; rows must run from west to east, the northernmost first (gdalwarp makes it so)")]
    Turned,
    /// A place that is none.
    #[error("its tag {tag} is {found}; {wanted}")]
    Place {
        /// The tag.
        tag: &'static str,
        /// Its value.
        found: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// Heights in another unit.
    #[error("its heights are in a unit other than the metre (EPSG {0}); convert them (gdal_calc.py)")]
    HeightUnit(u16),
    /// Values that stand for other ones.
    #[error("its values are stored with a scale or an offset; write them out (gdal_translate -unscale -ot Float32)")]
    Scaled,
    /// Bytes that are damaged.
    #[error("is damaged: {0}")]
    Damaged(String),
}

fn fault(error: TiffError) -> ReadError {
    match error {
        TiffError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => TiffReadError::Cut.into(),
        TiffError::IoError(error) if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::Other) => {
            TiffReadError::Damaged(error.to_string()).into()
        }
        TiffError::IoError(error) => ReadError::Io(error),
        TiffError::UnsupportedError(error @ TiffUnsupportedError::UnsupportedSampleFormat(_)) => {
            TiffReadError::Numbers(error.to_string()).into()
        }
        TiffError::UnsupportedError(error) => TiffReadError::Unsupported(error.to_string()).into(),
        TiffError::LimitsExceeded | TiffError::IntSizeError => {
            TiffReadError::Damaged("a part of it claims to be larger than the file can hold".to_owned()).into()
        }
        TiffError::FormatError(error) => TiffReadError::Damaged(error.to_string()).into(),
        TiffError::UsageError(error) => TiffReadError::Damaged(error.to_string()).into(),
    }
}

/// A heightmap from the first raster of a file of `length` bytes.
pub(super) fn decode(mut reader: impl BufRead + Seek, length: u64) -> Result<Heightmap, ReadError> {
    let start = reader.fill_buf()?;
    if !MAGICS.iter().any(|magic| start.starts_with(magic)) {
        return Err(if length < 4 { TiffReadError::Cut } else { TiffReadError::NotTiff }.into());
    }
    let mut decoder = Decoder::new(reader).map_err(fault)?.with_limits(limits(length));
    let (columns, rows) = decoder.dimensions().map_err(fault)?;
    let (width, height) = decode::checked_size(columns.into(), rows.into())?;
    let bits = match decoder.colortype().map_err(fault)? {
        ColorType::Gray(bits) => u64::from(bits),
        ColorType::Multiband { num_samples, .. } => {
            return Err(TiffReadError::Bands(format!("{num_samples} bands")).into());
        }
        ColorType::GrayA(_) => return Err(TiffReadError::Bands("2 bands".to_owned()).into()),
        _ => return Err(TiffReadError::Bands("a picture in colours".to_owned()).into()),
    };
    if u64::from(columns) * u64::from(rows) * bits / 8 > length.saturating_mul(MOST_PER_BYTE) {
        return Err(TiffReadError::Promise { width: columns, height: rows, length }.into());
    }
    let place = georeference(&mut decoder)?;
    if decoder.find_tag(GDAL_METADATA).map_err(fault)?.and_then(|value| value.into_string().ok()).is_some_and(is_scaled)
    {
        return Err(TiffReadError::Scaled.into());
    }
    let cells = cells(&mut decoder, width, height)?;
    let cell_size_m = match &place {
        Some(place) => cell_size_m(place, [width, height]),
        None => Err(CellSizeError::Untold),
    };
    Ok(Heightmap { elevation_m: decode::grid(width, height, cells)?, cell_size_m, georeference: place })
}

/// Nothing in a file is larger than the file, and what is compressed in it not much larger.
fn limits(length: u64) -> Limits {
    let at_most = |bytes: u64| usize::try_from(length.saturating_mul(bytes)).unwrap_or(usize::MAX);
    const LARGEST_RASTER: usize = if usize::BITS > 32 { 8 * decode::MAX_CELLS as usize } else { 1 << 30 };
    let mut limits = Limits::default();
    limits.ifd_value_size = at_most(1).min(1 << 28);
    limits.decoding_buffer_size = at_most(MOST_PER_BYTE).min(LARGEST_RASTER);
    limits.intermediate_buffer_size = at_most(1);
    limits
}

/// The values, strip by strip or tile by tile.
fn cells<R: BufRead + Seek>(decoder: &mut Decoder<R>, width: usize, height: usize) -> Result<Vec<f32>, ReadError> {
    let nodata = nodata(decoder)?;
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let [chunk_width, chunk_height] = [chunk_width as usize, chunk_height as usize];
    if chunk_width == 0 || chunk_height == 0 {
        return Err(TiffReadError::Damaged("its tiles have no extent".to_owned()).into());
    }
    let mut cells = decode::room_for(width, height)?;
    cells.resize(width * height, f32::NAN);
    let across = width.div_ceil(chunk_width);
    for chunk in 0..across * height.div_ceil(chunk_height) {
        let (left, top) = (chunk % across * chunk_width, chunk / across * chunk_height);
        let columns = chunk_width.min(width - left);
        let values = decoder.read_chunk(chunk as u32).map_err(fault)?;
        let mut put = |i: usize, value: f64| {
            let (x, y) = (left + i % columns, top + i / columns);
            if y < height {
                let missing = value.is_nan() || nodata.is_some_and(|nodata| value == nodata);
                let cell = ivec2(x as i32, y as i32);
                cells[y * width + x] = if missing { f32::NAN } else { heightmap::elevation(cell, value)? };
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
            DecodingResult::F32(values) => {
                // A number such as -3.4e38 is written with more digits than it has.
                let nodata = nodata.map(|nodata| f64::from(nodata as f32));
                values.iter().enumerate().try_for_each(|(i, &value)| {
                    let value = f64::from(value);
                    put(i, if nodata == Some(value) { f64::NAN } else { value })
                })?;
            }
            DecodingResult::F64(values) => put_all!(values),
            DecodingResult::F16(_) => {
                return Err(TiffReadError::Numbers("its numbers have 16 bits and a fraction".to_owned()).into());
            }
        }
    }
    Ok(cells)
}

/// The number that stands for no data.
fn nodata<R: BufRead + Seek>(decoder: &mut Decoder<R>) -> Result<Option<f64>, ReadError> {
    let Some(text) = text(decoder, Tag::GdalNodata)? else { return Ok(None) };
    let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    let place = |found: &str| TiffReadError::Place {
        tag: "GDAL_NODATA",
        found: format!("{found:?}"),
        wanted: "it is the number that stands for no data",
    };
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(|_| place(text).into()) }
}

/// Whether GDAL's metadata say that values are to be multiplied or shifted.
fn is_scaled(metadata: String) -> bool {
    let item = |role: &str, nothing: f64| {
        metadata.split("<Item").filter(|item| item.contains(&format!("role=\"{role}\""))).any(|item| {
            let value = item.split_once('>').and_then(|(_, rest)| rest.split('<').next());
            value.and_then(|value| value.trim().parse::<f64>().ok()) != Some(nothing)
        })
    };
    item("scale", 1.0) || item("offset", 0.0)
}

/// Where the raster lies, if the file says so.
fn georeference<R: BufRead + Seek>(decoder: &mut Decoder<R>) -> Result<Option<Georeference>, ReadError> {
    let keys = keys(decoder)?;
    if let Some(code) = keys.foreign_height_unit() {
        return Err(TiffReadError::HeightUnit(code).into());
    }
    let scale = doubles(decoder, Tag::ModelPixelScaleTag)?;
    let ties = doubles(decoder, Tag::ModelTiepointTag)?;
    let matrix = doubles(decoder, Tag::ModelTransformationTag)?;
    let (corner, cell) = match (scale.as_deref(), ties.as_deref(), matrix.as_deref()) {
        (Some([width, height, ..]), Some([i, j, _, x, y, _, ..]), _) => {
            if *width < 0.0 || *height < 0.0 {
                return Err(TiffReadError::Turned.into());
            }
            ([x - i * width, y + j * height], [*width, *height])
        }
        (_, _, Some(&[a, b, _, x, d, e, _, y, ..])) => {
            if b != 0.0 || d != 0.0 || a < 0.0 || e > 0.0 {
                return Err(TiffReadError::Turned.into());
            }
            ([x, y], [a, -e])
        }
        _ => return Ok(None),
    };
    if !cell.iter().all(|side| side.is_finite() && *side > 0.0) {
        let found = format!("{} {}", cell[0], cell[1]);
        return Err(TiffReadError::Place { tag: "ModelPixelScale", found, wanted: "a cell has sides over 0" }.into());
    }
    if !corner.iter().all(|at| at.is_finite()) {
        let found = format!("{} {}", corner[0], corner[1]);
        return Err(TiffReadError::Place { tag: "ModelTiepoint", found, wanted: "a place is two numbers" }.into());
    }
    let half = if keys.is_point() { 0.5 } else { 0.0 };
    let corner = [corner[0] - half * cell[0], corner[1] + half * cell[1]];
    Ok(Some(Georeference { corner, cell, keys }))
}

/// The keys as they are; what is damaged in them is left out.
fn keys<R: BufRead + Seek>(decoder: &mut Decoder<R>) -> Result<GeoKeys, ReadError> {
    let directory = decoder.find_tag(Tag::GeoKeyDirectoryTag).map_err(fault)?;
    Ok(GeoKeys {
        directory: directory.and_then(|value| value.into_u16_vec().ok()).unwrap_or_default(),
        doubles: doubles(decoder, GEO_DOUBLES)?.unwrap_or_default(),
        ascii: text(decoder, GEO_ASCII)?.unwrap_or_default().trim_end_matches('\0').to_owned(),
    })
}

fn doubles<R: BufRead + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Result<Option<Vec<f64>>, ReadError> {
    let value = decoder.find_tag(tag).map_err(fault)?;
    value.map(|value| value.into_f64_vec().map_err(fault)).transpose()
}

/// The text of a tag; nothing if it is no text.
fn text<R: BufRead + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Result<Option<String>, ReadError> {
    let is_text = decoder.image_ifd().find_entry(tag).is_some_and(|entry| entry.field_type() == Type::ASCII);
    if !is_text {
        return Ok(None);
    }
    Ok(decoder.find_tag(tag).map_err(fault)?.and_then(|value| value.into_string().ok()))
}
