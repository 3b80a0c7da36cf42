//! [`TiffImage`]: an image of a TIFF file with its overviews, compressed incrementally in blocks on all threads;
//! [`TiffDirectory`]: the tags of an image, written before their values, as readers over a network need them. The
//! encoder of the crate `tiff` writes values first.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

use glam::IVec2;
use miniz_oxide::deflate::compress_to_vec_zlib;

use super::raster::{NumberType, Raster, TifLayout};
use farsight::internal::parallel::*;

/// The side of a tile.
const TILE: usize = 512;

/// The cells of a strip, unless a row has more.
const STRIP_CELLS: usize = 1 << 16;

/// The minimum number of blocks of buffered rows, which are compressed in parallel.
const BLOCKS_TOGETHER: usize = 32;

/// An image of a TIFF file: its compressed blocks, and the overview of half its size.
pub(super) struct TiffImage {
    pub(super) width: usize,
    pub(super) height: usize,
    /// `false` for strips.
    pub(super) is_tiled: bool,
    pub(super) block_width: usize,
    pub(super) block_height: usize,
    /// The concatenated blocks; empty if they are in a file.
    data: Vec<u8>,
    file: Option<File>,
    /// The compressed size of each block.
    pub(super) block_sizes: Vec<u64>,
    overview: Option<Box<TiffImage>>,
    number_type: NumberType,
    nodata: f32,
    /// The buffered rows.
    rows: Vec<f32>,
    /// The number of compressed rows.
    done: usize,
}

impl TiffImage {
    /// Creates an image for the rows of a raster, without rows. A tiled image has overviews down to one that fits into
    /// a tile.
    pub(super) fn of(raster: &Raster, size: IVec2) -> Self {
        Self::new(size, raster.number_type, raster.nodata, raster.tif_layout)
    }

    fn new(size: IVec2, number_type: NumberType, nodata: f32, layout: TifLayout) -> Self {
        let [width, height] = size.to_array().map(|side| side as usize);
        let is_tiled = layout == TifLayout::CloudOptimized;
        let has_overview = is_tiled && width.max(height) > TILE;
        let overview = has_overview.then(|| Box::new(Self::new((size + 1) / 2, number_type, nodata, layout)));
        let (block_width, block_height) = match is_tiled {
            true => (TILE, TILE),
            false => (width, (STRIP_CELLS / width.max(1)).clamp(1, height.max(1))),
        };
        Self {
            width,
            height,
            is_tiled,
            block_width,
            block_height,
            data: Vec::new(),
            file: None,
            block_sizes: Vec::new(),
            overview,
            number_type,
            nodata,
            rows: Vec::new(),
            done: 0,
        }
    }

    /// Iterates over the image and its overviews, each of half the size of the previous one.
    pub(super) fn with_overviews(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |image| image.overview.as_deref())
    }

    /// Stores the blocks of the image and of its overviews in unnamed files in a folder.
    pub(super) fn store_in(&mut self, folder: &Path) -> io::Result<()> {
        self.file = Some(tempfile::tempfile_in(folder)?);
        self.overview.as_mut().map_or(Ok(()), |overview| overview.store_in(folder))
    }

    /// Returns the bytes of the blocks, without overviews.
    pub(super) fn bytes(&self) -> u64 {
        self.block_sizes.iter().sum()
    }

    /// Writes the blocks, from the smallest overview to the image.
    pub(super) fn write_blocks(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(overview) = &mut self.overview {
            overview.write_blocks(out)?;
        }
        if let Some(file) = &mut self.file {
            file.rewind()?;
            io::copy(file, out)?;
        }
        out.write_all(&self.data)
    }

    /// Appends the next row. NaN is nodata; whole numbers are below the nodata value.
    pub(super) fn push_row(&mut self, row: &[f32]) -> io::Result<()> {
        self.rows.extend_from_slice(row);
        let rows = self.rows.len() / self.width;
        let blocks_across = self.width.div_ceil(self.block_width);
        if rows == self.block_height * BLOCKS_TOGETHER.div_ceil(blocks_across) || self.done + rows == self.height {
            let mut rows = std::mem::take(&mut self.rows);
            self.push_all(&rows)?;
            rows.clear();
            self.rows = rows;
        }
        Ok(())
    }

    /// Compresses rows of whole blocks, or all that are left, and passes them to the overview. No rows are buffered.
    pub(super) fn push_all(&mut self, values: &[f32]) -> io::Result<()> {
        let rows = values.len() / self.width;
        let corners: Vec<[usize; 2]> = (0..rows)
            .step_by(self.block_height)
            .flat_map(|top| (0..self.width).step_by(self.block_width).map(move |left| [left, top]))
            .collect();
        let image = &*self;
        let blocks: Vec<Vec<u8>> =
            corners.into_par_iter().map(|[left, top]| image.compressed(values, left, top)).collect();
        for block in blocks {
            self.block_sizes.push(block.len() as u64);
            match &mut self.file {
                Some(file) => file.write_all(&block)?,
                None => self.data.extend(block),
            }
        }
        if let Some(overview) = &mut self.overview {
            for pair in values.chunks(2 * self.width) {
                overview.push_row(&halved(pair, self.width, self.number_type))?;
            }
        }
        self.done += rows;
        Ok(())
    }

    /// Returns the compressed block whose upper left cell is in a column, and in one of the rows of values. A tile is
    /// padded with nodata beyond the image.
    fn compressed(&self, values: &[f32], left: usize, top: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut cells = vec![f32::NAN; self.block_width];
        let rows = values.chunks(self.width).skip(top).take(self.block_height);
        let missing = if self.is_tiled { self.block_height - rows.len() } else { 0 };
        for row in rows {
            let row = &row[left..(left + self.block_width).min(self.width)];
            cells[..row.len()].copy_from_slice(row);
            self.append(&cells, &mut bytes);
        }
        cells.fill(f32::NAN);
        for _ in 0..missing {
            self.append(&cells, &mut bytes);
        }
        // Higher levels hardly shrink floating-point numbers; for whole numbers they are fast.
        compress_to_vec_zlib(&bytes, if self.number_type == NumberType::Float32 { 4 } else { 6 })
    }

    /// Appends the bytes of a row of a block.
    fn append(&self, row: &[f32], bytes: &mut Vec<u8>) {
        match self.number_type {
            NumberType::Float32 => append_predicted(row, self.nodata, bytes),
            NumberType::Byte => bytes.extend(row.iter().map(|v| if v.is_nan() { u8::MAX } else { *v as u8 })),
            NumberType::UInt16 => {
                let number = |v: &f32| if v.is_nan() { u16::MAX } else { *v as u16 };
                bytes.extend(row.iter().flat_map(|v| number(v).to_le_bytes()));
            }
        }
    }
}

/// Appends a row by the predictor for floating-point numbers: the first bytes of all numbers, then their second bytes
/// and so on, as differences.
///
/// # References
/// Adobe, *TIFF Technical Note 3*, 2005.
fn append_predicted(row: &[f32], nodata: f32, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    for shift in [24, 16, 8, 0] {
        bytes.extend(row.iter().map(|v| ((if v.is_nan() { nodata } else { *v }).to_bits() >> shift) as u8));
    }
    let mut previous = 0;
    for byte in &mut bytes[start..] {
        let difference = byte.wrapping_sub(previous);
        previous = std::mem::replace(byte, difference);
    }
}

/// Returns the row of an overview for two rows of some columns, or for the last one: the mean of the cells with data,
/// or the upper left whole number.
fn halved(rows: &[f32], width: usize, number_type: NumberType) -> Vec<f32> {
    let (upper, lower) = rows.split_at(width);
    let cell = |left: usize| {
        if number_type != NumberType::Float32 {
            return upper[left];
        }
        let columns = left..(left + 2).min(width);
        let cells = upper[columns.clone()].iter().chain(lower.get(columns).unwrap_or_default());
        let (sum, count) = cells.filter(|v| !v.is_nan()).fold((0.0, 0.0), |(sum, n), v| (sum + f64::from(*v), n + 1.0));
        (sum / count) as f32 // NaN without data
    };
    (0..width).step_by(2).map(cell).collect()
}

/// The types of values.
const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const DOUBLE: u16 = 12;
const LONG8: u16 = 16;

/// The tags of an image of a TIFF file in little-endian order, or of a BigTIFF file, which has offsets of eight bytes.
///
/// # References
/// Adobe, *TIFF* 6.0, section 2; *BigTIFF*.
pub(super) struct TiffDirectory {
    is_big: bool,
    tags: BTreeMap<u16, Value>,
}

struct Value {
    kind: u16,
    count: usize,
    bytes: Vec<u8>,
}

impl TiffDirectory {
    pub(super) fn new(is_big: bool) -> Self {
        Self { is_big, tags: BTreeMap::new() }
    }

    /// Returns the start of a file whose first directory follows.
    pub(super) fn file_header(is_big: bool) -> Vec<u8> {
        match is_big {
            true => [&b"II+\0\x08\0\0\0"[..], &16u64.to_le_bytes()].concat(),
            false => [&b"II*\0"[..], &8u32.to_le_bytes()].concat(),
        }
    }

    fn insert(&mut self, tag: u16, kind: u16, count: usize, bytes: Vec<u8>) {
        self.tags.insert(tag, Value { kind, count, bytes });
    }

    pub(super) fn add_text(&mut self, tag: u16, text: &str) {
        self.insert(tag, ASCII, text.len() + 1, [text.as_bytes(), &[0]].concat());
    }

    pub(super) fn add_shorts(&mut self, tag: u16, values: &[u16]) {
        self.insert(tag, SHORT, values.len(), values.iter().flat_map(|value| value.to_le_bytes()).collect());
    }

    pub(super) fn add_long(&mut self, tag: u16, value: usize) {
        self.insert(tag, LONG, 1, (value as u32).to_le_bytes().to_vec()); // the side of an image
    }

    pub(super) fn add_doubles(&mut self, tag: u16, values: &[f64]) {
        self.insert(tag, DOUBLE, values.len(), values.iter().flat_map(|value| value.to_le_bytes()).collect());
    }

    /// Adds offsets or sizes of blocks.
    pub(super) fn add_offsets(&mut self, tag: u16, values: &[u64]) {
        let kind = if self.is_big { LONG8 } else { LONG };
        let bytes = values.iter().flat_map(|value| self.offset(*value)).collect();
        self.insert(tag, kind, values.len(), bytes);
    }

    /// Returns the bytes of an offset, a count or an entry of the directory.
    fn offset(&self, value: u64) -> Vec<u8> {
        value.to_le_bytes()[..if self.is_big { 8 } else { 4 }].to_vec()
    }

    /// Returns the bytes of the directory at an offset of a file, and of its values, linked to a next directory if
    /// there is one.
    pub(super) fn encoded(&self, at: usize, is_last: bool) -> Vec<u8> {
        let (count_bytes, offset_bytes) = if self.is_big { (8, 8) } else { (2, 4) };
        let values_at = at + count_bytes + self.tags.len() * (4 + 2 * offset_bytes) + offset_bytes;
        let mut bytes = (self.tags.len() as u64).to_le_bytes()[..count_bytes].to_vec();
        let mut values = Vec::new();
        for (tag, value) in &self.tags {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(value.kind.to_le_bytes());
            bytes.extend(self.offset(value.count as u64));
            if value.bytes.len() <= offset_bytes {
                bytes.extend(&value.bytes);
                bytes.resize(bytes.len() + offset_bytes - value.bytes.len(), 0);
            } else {
                bytes.extend(self.offset((values_at + values.len()) as u64));
                values.extend(&value.bytes);
                values.resize(values.len().next_multiple_of(8), 0);
            }
        }
        let next = if is_last { 0 } else { values_at + values.len() };
        bytes.extend(self.offset(next as u64));
        bytes.extend(values);
        bytes
    }
}
