//! [`AlignedGrid`]: a grid whose rows begin at cache lines.

use std::ops::{Index, IndexMut};
use std::slice::ChunksExactMut;

use glam::{IVec2, ivec2};

use super::aligned_buffer::{AlignedBuffer, CACHE_LINE};
use super::grid_view::GridView;

/// A grid whose middle column begins at a cache line in every row. Rows are an odd number of cache lines apart: at a power
/// of two they would compete for the same few sets of a cache.
///
/// The padding between rows has no meaning. Whole vectors may read and write it.
#[derive(Clone, Debug)]
pub(crate) struct AlignedGrid {
    width: usize,
    height: usize,
    stride: usize,
    /// Padding before a row.
    before: usize,
    values: AlignedBuffer,
}

impl Default for AlignedGrid {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl AlignedGrid {
    /// Creates a grid of zeros.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self::padded(width, height, 0, 0)
    }

    /// Creates a grid of zeros whose middle column is the value `lane` of a cache line, with at least this many rows of
    /// padding above and below.
    ///
    /// # Panics
    /// If the number of values overflows a `usize`.
    pub(crate) fn padded(width: usize, height: usize, lane: usize, rows: usize) -> Self {
        let middle = width / 2 + CACHE_LINE - lane;
        let before = middle.next_multiple_of(CACHE_LINE) - middle;
        // The padding after a row holds the rest of a vector that begins in the row. Vectors that are symmetric about a
        // column fit into a row, too.
        let around = 2 * (width / 2 + 1).next_multiple_of(CACHE_LINE);
        let stride = ((before + width + CACHE_LINE - 1).max(around).div_ceil(CACHE_LINE) | 1) * CACHE_LINE;
        let mut values = AlignedBuffer::default();
        let before = before + CACHE_LINE + rows * stride; // the first row has padding before it, too
        let length = stride.checked_mul(height + rows).and_then(|length| length.checked_add(before));
        values.reset(length.expect("the values of an aligned grid fit into memory"), 0.0);
        Self { width, height, stride, before, values }
    }

    /// Returns the number of columns.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Returns width and height.
    #[inline(always)]
    pub(crate) fn size(&self) -> IVec2 {
        ivec2(self.width as i32, self.height as i32)
    }

    /// Returns the distance from a cell to the one below, in values.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the index of a cell among all [`values`](Self::values).
    #[inline(always)]
    pub(crate) fn index_of(&self, x: usize, y: usize) -> usize {
        y * self.stride + self.before + x
    }

    /// Returns all values, with the padding before and after each row.
    #[inline(always)]
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }

    /// Returns all values for writing, with the padding.
    #[inline(always)]
    pub(crate) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// Returns row `y`, left to right.
    #[inline(always)]
    pub(crate) fn row(&self, y: usize) -> &[f32] {
        let start = self.index_of(0, y);
        &self.values[start..start + self.width]
    }

    /// Returns row `y` for writing, left to right.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, y: usize) -> &mut [f32] {
        let start = self.index_of(0, y);
        &mut self.values[start..start + self.width]
    }

    /// Returns row `y` and the rows below it, downwards, each with the padding after it.
    #[inline(always)]
    pub(crate) fn downwards(&self, y: usize) -> impl Iterator<Item = &[f32]> {
        self.values[self.index_of(0, y)..self.index_of(0, self.height)].chunks_exact(self.stride)
    }

    /// [`downwards`](Self::downwards) for writing.
    #[inline(always)]
    pub(crate) fn downwards_mut(&mut self, y: usize) -> ChunksExactMut<'_, f32> {
        let (first, end) = (self.index_of(0, y), self.index_of(0, self.height));
        self.values[first..end].chunks_exact_mut(self.stride)
    }

    /// Returns row `y` and the rows above it, upwards, each with the padding after it.
    #[inline(always)]
    pub(crate) fn upwards(&self, y: usize) -> impl Iterator<Item = &[f32]> {
        self.values[self.before..self.index_of(0, y) + self.stride].rchunks_exact(self.stride)
    }

    /// [`upwards`](Self::upwards) for writing.
    #[inline(always)]
    pub(crate) fn upwards_mut(&mut self, y: usize) -> impl Iterator<Item = &mut [f32]> {
        let (first, end) = (self.before, self.index_of(0, y) + self.stride);
        self.values[first..end].rchunks_exact_mut(self.stride)
    }

    /// Returns the value at a cell, or `None` outside.
    #[inline]
    pub(crate) fn get(&self, cell: IVec2) -> Option<&f32> {
        self.checked_index(cell).map(|index| &self.values[index])
    }

    /// Returns the value at a cell for writing, or `None` outside.
    #[inline]
    pub(crate) fn get_mut(&mut self, cell: IVec2) -> Option<&mut f32> {
        self.checked_index(cell).map(|index| &mut self.values[index])
    }

    #[inline(always)]
    fn checked_index(&self, cell: IVec2) -> Option<usize> {
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize); // a negative coordinate becomes huge
        (x < self.width && y < self.height).then(|| self.index_of(x, y))
    }

    /// Returns the cells, without padding.
    #[inline]
    pub(crate) fn view(&self) -> GridView<'_, f32> {
        let Self { width, height, stride, .. } = *self;
        // The number of values matches rows and padding, so `new` has nothing to check.
        GridView { width, height, stride, cells: self.values.get(self.before..).unwrap_or_default() }
    }
}

impl Index<IVec2> for AlignedGrid {
    type Output = f32;

    #[inline]
    fn index(&self, cell: IVec2) -> &f32 {
        self.get(cell).expect("a cell of the grid")
    }
}

impl IndexMut<IVec2> for AlignedGrid {
    #[inline]
    fn index_mut(&mut self, cell: IVec2) -> &mut f32 {
        self.get_mut(cell).expect("a cell of the grid")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_column_is_at_the_chosen_lane() {
        for (width, lane) in [(1, 7), (3, 7), (11, 7), (15, 7), (17, 7), (33, 15)] {
            let grid = AlignedGrid::padded(width, 2, lane, 3);
            assert_eq!(
                (grid.index_of(width / 2, 0) % CACHE_LINE, grid.index_of(width / 2, 1) % CACHE_LINE),
                (lane, lane),
                "{width}"
            );
            assert!(grid.stride() >= width + CACHE_LINE - 1 && grid.stride() / CACHE_LINE % 2 == 1, "{width}");
            assert_eq!((grid.width(), grid.view().rows().count(), grid.downwards(0).count()), (width, 2, 2));
            assert_eq!((grid.upwards(1).count(), grid.downwards(1).count()), (2, 1));
            let after = grid.values().len() - grid.index_of(width, 1);
            assert!(grid.index_of(0, 0) >= 3 * grid.stride() && after >= 3 * grid.stride(), "{width}");
        }
    }

    #[test]
    fn middle_column_begins_a_cache_line_in_every_row() {
        for width in [0, 1, 3, 129, 131, 161, 1025] {
            let mut grid = AlignedGrid::new(width, 3).clone();
            assert_eq!(grid.values().as_ptr().addr() % 64, 0, "{width}");
            assert!(grid.stride().is_multiple_of(CACHE_LINE) && grid.stride() / CACHE_LINE % 2 == 1, "{width}");
            assert!(grid.index_of(width / 2, 1).is_multiple_of(CACHE_LINE), "{width}");
            if width > 0 {
                grid[ivec2(width as i32 - 1, 2)] = 1.0;
                let marked = |row: &[f32]| row[width - 1] == 1.0;
                assert_eq!(grid.downwards(1).map(marked).collect::<Vec<_>>(), [false, true]);
                assert_eq!(grid.upwards(2).map(marked).collect::<Vec<_>>(), [true, false, false]);
                let copy = grid.clone();
                grid.upwards_mut(2).zip(copy.upwards(2)).for_each(|(to, from)| to.copy_from_slice(from));
                grid.downwards_mut(0).zip(copy.downwards(0)).for_each(|(to, from)| to.copy_from_slice(from));
                assert_eq!((grid.row(2)[width - 1], grid.get(ivec2(width as i32, 2))), (1.0, None));
                assert_eq!(grid.view().iter().map(|(_, value)| value).sum::<f32>(), 1.0);
            }
        }
    }
}
