//! Reads heightmaps from GeoTIFF files. Strips and tiles are decoded one at a time, so that nothing is allocated that the
//! file cannot hold.
//!
//! # References
//! OGC, *GeoTIFF Standard* 1.1 (19-008r4); GDAL, *GTiff: GeoTIFF file format*, for `GDAL_NODATA` and `GDAL_METADATA`.

use std::io::{self, BufRead, Read, Seek};

use glam::{IVec2, ivec2};
use tiff::decoder::ifd::Value;
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::{CompressionMethod, Tag, Type};
use tiff::{ColorType, TiffError, TiffUnsupportedError};

use super::error::{ReadError, TifError};
use super::heightmap::{Heightmap, RasterHeader};
use super::limits::{MAX_CELLS, check_position, check_size, elevation, grid_of, reserve_cells};
use super::tif_directories::{StoredNumbers, TifDirectories};
use crate::files::format::is_tif;
use crate::files::georeference::{ASCII_PARAMS_TAG, DOUBLE_PARAMS_TAG, GeoKeys, Georeference};
use crate::grid::{CellRect, Grid};

/// The largest ratio of raster bytes to file bytes. LZW reaches 2730, Deflate 1032.
const MAX_EXPANSION: u64 = 2800;

/// A tag that the decoder has no name for.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

/// The first raster of a file: what its header says, and the decoder of its strips or tiles.
struct TifRaster<R: BufRead + Seek> {
    decoder: Decoder<StoredNumbers<R>>,
    columns: u32,
    rows: u32,
    /// Bits of a number.
    bits: u64,
    georeference: Option<Georeference>,
    order: RowOrder,
}

/// Reads the first raster of a file of `length` bytes.
pub(super) fn read_tif(reader: impl BufRead + Seek, length: u64) -> Result<Heightmap, ReadError> {
    let mut raster = TifRaster::open(reader, length)?;
    let TifRaster { columns, rows, bits, .. } = raster;
    let (width, height) = check_size(columns.into(), rows.into())?;
    if u64::from(columns) * u64::from(rows) * bits / 8 > length.saturating_mul(MAX_EXPANSION) {
        return Err(ReadError::ImplausibleSize { width: columns, height: rows, length });
    }
    let cells = raster.read_cells(CellRect::of_size(ivec2(width as i32, height as i32)))?;
    Ok(Heightmap::new(cells, raster.georeference))
}

/// Reads the size and the position of the first raster of a file.
pub(super) fn read_tif_header(reader: impl BufRead + Seek, length: u64) -> Result<RasterHeader, ReadError> {
    let raster = TifRaster::open(reader, length)?;
    Ok(RasterHeader::new(raster.size()?, raster.georeference))
}

/// Reads some cells of the first raster of a file, which must be in it: only the strips or tiles that hold them.
pub(super) fn read_tif_window(
    reader: impl BufRead + Seek,
    length: u64,
    cells: CellRect,
) -> Result<Grid<f32>, ReadError> {
    let mut raster = TifRaster::open(reader, length)?;
    let size = raster.size()?;
    let whole = CellRect::of_size(size);
    if cells.intersect(whole) != cells {
        return Err(ReadError::Damaged(format!("it has {}x{} cells now", size.x, size.y)));
    }
    check_size(cells.width() as u64, cells.height() as u64)?;
    let (width, height) = raster.decoder.chunk_dimensions();
    let bytes = u64::from(width) * u64::from(height) * raster.bits / 8;
    if bytes > MAX_CHUNK_BYTES {
        return Err(TifError::LargeChunks { width, height }.into());
    }
    raster.read_cells(cells)
}

/// The largest strip or tile of which a part is read, in bytes.
const MAX_CHUNK_BYTES: u64 = 1 << 26;

impl<R: BufRead + Seek> TifRaster<R> {
    fn open(mut reader: R, length: u64) -> Result<Self, ReadError> {
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
        let (georeference, order) = read_georeference(&mut decoder, columns as usize, rows as usize)?;
        if read_text(&mut decoder, GDAL_METADATA)?.is_some_and(|metadata| is_scaled(&metadata)) {
            return Err(TifError::Scaled.into());
        }
        Ok(Self { decoder, columns, rows, bits, georeference, order })
    }

    /// Returns columns and rows, which are at most [`MAX_SIDE`].
    fn size(&self) -> Result<IVec2, ReadError> {
        if self.columns.max(self.rows) > MAX_SIDE {
            return Err(ReadError::TooLarge { width: self.columns.into(), height: self.rows.into() });
        }
        Ok(ivec2(self.columns as i32, self.rows as i32))
    }

    /// Reads the values of some cells, which are on the raster, strip by strip or tile by tile.
    fn read_cells(&mut self, cells: CellRect) -> Result<Grid<f32>, ReadError> {
        let (width, height) = (cells.width(), cells.height());
        // The rows of the file.
        let rows = self.rows as i32;
        let in_file = match self.order {
            RowOrder::FromNorth => cells,
            RowOrder::FromSouth => {
                CellRect { min: ivec2(cells.min.x, rows - cells.max.y), max: ivec2(cells.max.x, rows - cells.min.y) }
            }
        };
        let mut values = read_chunks(&mut self.decoder, [self.columns as usize, self.rows as usize], in_file)?;
        if self.order == RowOrder::FromSouth {
            reverse_rows(&mut values, width);
        }
        grid_of(width, height, values)
    }
}

/// The largest side of a raster of which a window is read: a radius can be added.
const MAX_SIDE: u32 = 1 << 30;

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
fn chunk_lengths<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Vec<u64>, ReadError> {
    let tag = match decoder.get_chunk_type() {
        ChunkType::Strip => Tag::StripByteCounts,
        ChunkType::Tile => Tag::TileByteCounts,
    };
    Ok(decoder.find_tag_unsigned_vec(tag)?.unwrap_or_default())
}

/// Reads the values of some cells, strip by strip or tile by tile.
fn read_chunks<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    [width, height]: [usize; 2],
    cells: CellRect,
) -> Result<Vec<f32>, ReadError> {
    let nodata = read_nodata(decoder)?;
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let [chunk_width, chunk_height] = [chunk_width as usize, chunk_height as usize];
    if chunk_width == 0 || chunk_height == 0 {
        return Err(ReadError::Damaged("its tiles have no cells".to_owned()));
    }
    let mut out = reserve_cells(cells.width(), cells.height())?;
    out.resize(cells.width() * cells.height(), f32::NAN);
    let [x, y] =
        [cells.min.x..cells.max.x, cells.min.y..cells.max.y].map(|range| range.start as usize..range.end as usize);
    let chunks_per_row = width.div_ceil(chunk_width);
    // Whole rows of tiles, also where they reach beyond the map: the decoder of LZW fails if it skips their ends.
    let row_bytes = (chunk_width as u64 * u64::from(decoder.colortype()?.bit_depth())).div_ceil(8);
    let row_bytes = usize::try_from(row_bytes).map_err(|_| TiffError::IntSizeError)?;
    let mut values = DecodingResult::U8(Vec::new());
    let lengths = chunk_lengths(decoder)?;
    let sparse = if nodata.is_some() { f32::NAN } else { 0.0 };
    let chunk_rows = y.start / chunk_height..y.end.div_ceil(chunk_height);
    let chunk_columns = x.start / chunk_width..x.end.div_ceil(chunk_width);
    for (row, column) in chunk_rows.flat_map(|row| chunk_columns.clone().map(move |column| (row, column))) {
        let chunk = row * chunks_per_row + column;
        let (left, top) = (column * chunk_width, row * chunk_height);
        let columns = chunk_width.min(width - left);
        let (from, to) = (left.max(x.start), (left + columns).min(x.end));
        let start_of = |y_of_cell: usize| (y_of_cell - y.start) * x.len() + from - x.start;
        if lengths.get(chunk) == Some(&0) {
            for y in top.max(y.start)..y.end.min(top + chunk_height) {
                out[start_of(y)..][..to - from].fill(sparse);
            }
            continue;
        }
        let chunk = u32::try_from(chunk).map_err(|_| ReadError::Truncated)?;
        decoder.read_chunk_to_buffer(&mut values, chunk, row_bytes)?;
        let nodata = match &values {
            // The text of a number such as -3.4e38 has more digits than an f32.
            DecodingResult::F32(_) => nodata.map(|nodata| f64::from(nodata as f32)),
            _ => nodata,
        };
        macro_rules! put_all {
            ($values:expr) => {
                for y in top.max(y.start)..y.end.min(top + chunk_height).min(height) {
                    let row = $values.get((y - top) * chunk_width..).unwrap_or_default();
                    let row = row.get(from - left..to - left).ok_or(ReadError::Truncated)?;
                    for ((x, &value), out) in (from..).zip(row).zip(&mut out[start_of(y)..]) {
                        let value = value as f64;
                        let is_nodata = value.is_nan() || nodata == Some(value);
                        *out = if is_nodata { f32::NAN } else { elevation(ivec2(x as i32, y as i32), value)? };
                    }
                }
            };
        }
        match &values {
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
    Ok(out)
}

fn read_nodata<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Option<f64>, ReadError> {
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

/// Returns the position of the raster, if the file has one, and the order of its rows.
fn read_georeference<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    columns: usize,
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
    Ok((Some(check_position(Georeference { corner, cell, keys }, columns, rows)?), order))
}

/// Returns the keys; damaged ones are left out.
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
