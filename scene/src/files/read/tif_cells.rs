//! Reads the cells of a rectangle of a TIFF file, strip by strip or tile by tile.

use std::io::{Read, Seek};
use std::ops::Range;

use glam::{IVec2, ivec2};
use tiff::TiffError;
use tiff::decoder::{ChunkType, Decoder, DecodingResult};
use tiff::tags::Tag;

use super::error::{ReadError, TifError};
#[cfg(not(target_arch = "wasm32"))]
use super::packed_chunks::PackedChunks;
use farsight::grid::CellRect;

/// A band of a raster.
#[derive(Clone, Copy, Debug)]
pub(super) struct TifBand {
    pub(super) index: usize,
    /// The number of bands.
    pub(super) count: usize,
    /// `true` if each strip or tile has one band (planar), `false` if the bands are interleaved by cell.
    pub(super) is_apart: bool,
}

/// Returns the bytes of each strip or tile in the file; 0 for a missing one in a sparse file.
fn chunk_lengths<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Vec<u64>, ReadError> {
    let tag = match decoder.get_chunk_type() {
        ChunkType::Strip => Tag::StripByteCounts,
        ChunkType::Tile => Tag::TileByteCounts,
    };
    Ok(decoder.find_tag_unsigned_vec(tag)?.unwrap_or_default())
}

/// Calls `put` with the cell of `out`, its position in the file and its value, for the cells of a rectangle, strip by
/// strip or tile by tile. Cells of missing tiles of a sparse file become `sparse`.
pub(super) fn for_cells<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    [width, height]: [usize; 2],
    band: TifBand,
    cells: CellRect,
    out: &mut [f32],
    sparse: f32,
    put: impl Fn(&mut f32, IVec2, f64) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let [chunk_width, chunk_height] = [chunk_width as usize, chunk_height as usize];
    if chunk_width == 0 || chunk_height == 0 {
        return Err(ReadError::Damaged("its tiles have no cells".to_owned()));
    }
    let [x, y] =
        [cells.min.x..cells.max.x, cells.min.y..cells.max.y].map(|range| range.start as usize..range.end as usize);
    let chunks_per_row = width.div_ceil(chunk_width);
    let first_chunk = if band.is_apart { band.index * chunks_per_row * height.div_ceil(chunk_height) } else { 0 };
    let (first, step) = if band.is_apart { (0, 1) } else { (band.index, band.count) };
    // Whole rows of tiles, including padding beyond the map: the decoder of LZW fails if it skips their ends.
    let bits = u64::from(decoder.colortype()?.bit_depth());
    let row_bytes = (chunk_width as u64 * step as u64 * bits).div_ceil(8);
    let row_bytes = usize::try_from(row_bytes).map_err(|_| TiffError::IntSizeError)?;
    let (mut values, mut row_values) = (DecodingResult::U8(Vec::new()), Vec::new());
    let lengths = chunk_lengths(decoder)?;
    #[cfg(not(target_arch = "wasm32"))]
    let mut packed = PackedChunks::of(decoder)?;
    let chunk_rows = y.start / chunk_height..y.end.div_ceil(chunk_height);
    let chunk_columns = x.start / chunk_width..x.end.div_ceil(chunk_width);
    for (row, column) in chunk_rows.flat_map(|row| chunk_columns.clone().map(move |column| (row, column))) {
        let chunk = first_chunk + row * chunks_per_row + column;
        let (left, top) = (column * chunk_width, row * chunk_height);
        let columns = chunk_width.min(width - left);
        let (from, to) = (left.max(x.start), (left + columns).min(x.end));
        let start_of = |y_of_cell: usize| (y_of_cell - y.start) * x.len() + from - x.start;
        let rows = top.max(y.start)..y.end.min(top + chunk_height).min(height);
        if lengths.get(chunk) == Some(&0) {
            for y in rows {
                out[start_of(y)..][..to - from].fill(sparse);
            }
            continue;
        }
        let chunk = u32::try_from(chunk).map_err(|_| ReadError::Truncated)?;
        #[cfg(not(target_arch = "wasm32"))]
        let is_read = match &mut packed {
            Some(packed) => {
                values = packed.read(decoder, chunk)?;
                true
            }
            None => false,
        };
        #[cfg(target_arch = "wasm32")]
        let is_read = false;
        if !is_read {
            decoder.read_chunk_to_buffer(&mut values, chunk, row_bytes)?;
        }
        let chunk = Chunk { values: &values, width: chunk_width, first, step, bits, row_bytes };
        for y in rows {
            chunk.read_row(y - top, from - left..to - left, &mut row_values)?;
            for ((x, &value), out) in (from..).zip(&row_values).zip(&mut out[start_of(y)..]) {
                put(out, ivec2(x as i32, y as i32), value)?;
            }
        }
    }
    Ok(())
}

/// A decoded strip or tile.
struct Chunk<'a> {
    values: &'a DecodingResult,
    /// The number of cells of a row.
    width: usize,
    /// The index of the first number, and the step from cell to cell.
    first: usize,
    step: usize,
    /// The bits per number, and the bytes per row.
    bits: u64,
    row_bytes: usize,
}

impl Chunk<'_> {
    /// Reads the numbers of some cells of a row.
    fn read_row(&self, row: usize, columns: Range<usize>, out: &mut Vec<f64>) -> Result<(), ReadError> {
        let start = row * self.width * self.step;
        let range = start + columns.start * self.step + self.first..start + columns.end * self.step;
        out.clear();
        macro_rules! read_all {
            ($values:expr) => {{
                let row = $values.get(range).ok_or(ReadError::Truncated)?;
                out.extend(row.iter().step_by(self.step).map(|&value| value as f64));
            }};
        }
        match self.values {
            DecodingResult::U8(bytes) if self.bits == 1 => {
                for bit in columns {
                    let byte = bytes.get(row * self.row_bytes + bit / 8).ok_or(ReadError::Truncated)?;
                    out.push(f64::from(byte >> (7 - bit % 8) & 1));
                }
            }
            _ if self.bits < 8 => {
                return Err(TifError::NumberType(format!("its numbers have {} bits", self.bits)).into());
            }
            DecodingResult::U8(values) => read_all!(values),
            DecodingResult::U16(values) => read_all!(values),
            DecodingResult::U32(values) => read_all!(values),
            DecodingResult::U64(values) => read_all!(values),
            DecodingResult::I8(values) => read_all!(values),
            DecodingResult::I16(values) => read_all!(values),
            DecodingResult::I32(values) => read_all!(values),
            DecodingResult::I64(values) => read_all!(values),
            DecodingResult::F32(values) => read_all!(values),
            DecodingResult::F64(values) => read_all!(values),
            DecodingResult::F16(_) => {
                return Err(TifError::NumberType("its numbers are floating-point numbers of 16 bits".to_owned()).into());
            }
        }
        Ok(())
    }
}

/// Sets a cell whose value in a mask is 0 to NaN.
pub(super) fn clear_where_zero(out: &mut f32, _cell: IVec2, value: f64) -> Result<(), ReadError> {
    if value == 0.0 {
        *out = f32::NAN;
    }
    Ok(())
}
