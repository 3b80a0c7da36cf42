//! [`TiffImage`]: an image of a TIFF file, compressed in blocks on all threads while its rows come, and its overviews.

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

/// Rows are kept until they fill at least this many blocks, which are compressed at the same time.
const BLOCKS_TOGETHER: usize = 32;

/// An image of a TIFF file: its compressed blocks, and the overview of half its size.
pub(super) struct TiffImage {
    pub(super) width: usize,
    pub(super) height: usize,
    /// `false` for strips.
    pub(super) is_tiled: bool,
    pub(super) block_width: usize,
    pub(super) block_height: usize,
    /// The blocks, one after the other; empty if a file has them.
    data: Vec<u8>,
    file: Option<File>,
    /// The compressed size of each block.
    pub(super) block_sizes: Vec<u64>,
    overview: Option<Box<TiffImage>>,
    number_type: NumberType,
    nodata: f32,
    /// Rows that are not compressed yet.
    rows: Vec<f32>,
    /// The number of rows that are.
    done: usize,
}

impl TiffImage {
    /// An image for the rows of a raster, without rows. One in tiles has overviews until one fits into a tile.
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

    /// Iterates over the image and its overviews, each half as large as the one before.
    pub(super) fn with_overviews(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |image| image.overview.as_deref())
    }

    /// Keeps the blocks of the image and of its overviews in files without a name in a folder.
    pub(super) fn store_in(&mut self, folder: &Path) -> io::Result<()> {
        self.file = Some(tempfile::tempfile_in(folder)?);
        self.overview.as_mut().map_or(Ok(()), |overview| overview.store_in(folder))
    }

    /// Returns the bytes of the blocks, without overviews.
    pub(super) fn bytes(&self) -> u64 {
        self.block_sizes.iter().sum()
    }

    /// Writes the blocks: first those of the smallest overview, and last those of the image.
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

    /// Appends the next row. NaN is no data; whole numbers are below that of no data.
    pub(super) fn push_row(&mut self, row: &[f32]) -> io::Result<()> {
        self.rows.extend_from_slice(row);
        let rows = self.rows.len() / self.width;
        let blocks_across = self.width.div_ceil(self.block_width);
        if rows == self.block_height * BLOCKS_TOGETHER.div_ceil(blocks_across) || self.done + rows == self.height {
            self.compress_rows()?;
        }
        Ok(())
    }

    /// Compresses the rows that are kept, and passes them on to the overview.
    fn compress_rows(&mut self) -> io::Result<()> {
        let rows = self.rows.len() / self.width;
        let corners: Vec<[usize; 2]> = (0..rows)
            .step_by(self.block_height)
            .flat_map(|top| (0..self.width).step_by(self.block_width).map(move |left| [left, top]))
            .collect();
        let image = &*self;
        let blocks: Vec<Vec<u8>> = corners.into_par_iter().map(|[left, top]| image.compressed(left, top)).collect();
        for block in blocks {
            self.block_sizes.push(block.len() as u64);
            match &mut self.file {
                Some(file) => file.write_all(&block)?,
                None => self.data.extend(block),
            }
        }
        if let Some(overview) = &mut self.overview {
            for pair in self.rows.chunks(2 * self.width) {
                overview.push_row(&halved(pair, self.width, self.number_type))?;
            }
        }
        self.done += rows;
        self.rows.clear();
        Ok(())
    }

    /// Returns the compressed block whose upper left cell is in a column, and in one of the rows that are kept. A tile that reaches beyond
    /// the image has no data there.
    fn compressed(&self, left: usize, top: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut cells = vec![f32::NAN; self.block_width];
        let rows = self.rows.chunks(self.width).skip(top).take(self.block_height);
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
        // More effort makes neither floating-point numbers much smaller, nor whole numbers slow.
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

/// Appends a row by the predictor for floating-point numbers: the first bytes of all numbers, then their second bytes and so on, and of
/// these the differences.
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

/// Returns the row of an overview for two rows of some columns, or for the last: the mean of the cells that have data, or the upper left
/// whole number.
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
