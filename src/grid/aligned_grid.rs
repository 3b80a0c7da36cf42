//! [`AlignedGrid`]: a grid as processors like it to lie.

use std::ops::{Index, IndexMut};
use std::slice::ChunksExactMut;

use glam::{IVec2, ivec2};

use super::aligned::{AlignedBuffer, LINE};
use super::view::GridView;

/// A grid of which every row begins at a cache line, and so does its middle column. Rows are an odd number of lines apart: a
/// power of two apart, they would contend for the same few places of a cache.
///
/// Between rows lies padding, which whole vectors may reach into; what stands there means nothing.
#[derive(Clone, Debug)]
pub(crate) struct AlignedGrid {
    width: usize,
    height: usize,
    stride: usize,
    /// Padding before a row.
    before: usize,
    values: AlignedBuffer,
}

impl AlignedGrid {
    /// A grid of zeros.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self::with_middle_in(0, width, height)
    }

    /// The same, but with the middle column at this place of a line.
    pub(crate) fn with_middle_in(lane: usize, width: usize, height: usize) -> Self {
        let middle = width / 2 + LINE - lane;
        let before = middle.next_multiple_of(LINE) - middle;
        // Behind a row there is room for the rest of a vector that begins in it.
        let stride = ((before + width + LINE - 1).div_ceil(LINE) | 1) * LINE;
        let mut values = AlignedBuffer::default();
        // Before the first row there is room, too.
        let before = before + LINE;
        values.reset(height * stride + before, 0.0);
        Self { width, height, stride, before, values }
    }

    /// Number of columns.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Width and height.
    #[inline(always)]
    pub(crate) fn size(&self) -> IVec2 {
        ivec2(self.width as i32, self.height as i32)
    }

    /// From a cell to the one below.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Where a cell lies among all [`values`](Self::values).
    #[inline(always)]
    pub(crate) fn place(&self, x: usize, y: usize) -> usize {
        y * self.stride + self.before + x
    }

    /// All values, with the padding before and behind each row.
    #[inline(always)]
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }

    /// The same, to change.
    #[inline(always)]
    pub(crate) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// Row `y`, left to right.
    #[inline(always)]
    pub(crate) fn row(&self, y: usize) -> &[f32] {
        let start = self.place(0, y);
        &self.values[start..start + self.width]
    }

    /// Row `y`, left to right, to change.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, y: usize) -> &mut [f32] {
        let start = self.place(0, y);
        &mut self.values[start..start + self.width]
    }

    /// Row `y` and those below it, in this order, each with what padding follows.
    #[inline(always)]
    pub(crate) fn downwards(&self, y: usize) -> impl Iterator<Item = &[f32]> {
        self.values[self.place(0, y)..].chunks_exact(self.stride)
    }

    /// The same, to change.
    #[inline(always)]
    pub(crate) fn downwards_mut(&mut self, y: usize) -> ChunksExactMut<'_, f32> {
        let first = self.place(0, y);
        self.values[first..].chunks_exact_mut(self.stride)
    }

    /// Row `y` and those above it, in this order, each with what padding follows.
    #[inline(always)]
    pub(crate) fn upwards(&self, y: usize) -> impl Iterator<Item = &[f32]> {
        self.values[self.before..self.place(0, y) + self.stride].rchunks_exact(self.stride)
    }

    /// The same, to change.
    #[inline(always)]
    pub(crate) fn upwards_mut(&mut self, y: usize) -> impl Iterator<Item = &mut [f32]> {
        let (first, end) = (self.before, self.place(0, y) + self.stride);
        self.values[first..end].rchunks_exact_mut(self.stride)
    }

    /// The value at a cell, or `None` outside.
    #[inline]
    pub(crate) fn get(&self, cell: IVec2) -> Option<&f32> {
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize); // a negative coordinate becomes huge
        (x < self.width && y < self.height).then(|| &self.values[self.place(x, y)])
    }

    /// The value at a cell to change, or `None` outside.
    #[inline]
    pub(crate) fn get_mut(&mut self, cell: IVec2) -> Option<&mut f32> {
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize); // a negative coordinate becomes huge
        (x < self.width && y < self.height).then(|| {
            let place = self.place(x, y);
            &mut self.values[place]
        })
    }

    /// The cells, to be read.
    #[inline]
    pub(crate) fn view(&self) -> GridView<'_, f32> {
        GridView::new(self.width, self.height, self.stride, self.values.get(self.before..).unwrap_or_default())
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
    fn the_middle_may_lie_elsewhere_in_a_line() {
        for (width, lane) in [(1, 7), (3, 7), (11, 7), (15, 7), (17, 7), (33, 15)] {
            let grid = AlignedGrid::with_middle_in(lane, width, 2);
            assert_eq!((grid.place(width / 2, 0) % LINE, grid.place(width / 2, 1) % LINE), (lane, lane), "{width}");
            assert!(grid.stride() >= width + LINE - 1 && grid.stride() / LINE % 2 == 1, "{width}");
            assert_eq!((grid.width(), grid.view().rows().count()), (width, 2));
        }
    }

    #[test]
    fn rows_and_their_middle_begin_at_cache_lines() {
        for width in [0, 1, 3, 129, 131, 161, 1025] {
            let mut grid = AlignedGrid::new(width, 3).clone();
            assert_eq!(grid.values().as_ptr().addr() % 64, 0, "{width}");
            assert!(grid.stride().is_multiple_of(LINE) && grid.stride() / LINE % 2 == 1, "{width}");
            assert!(grid.place(width / 2, 1).is_multiple_of(LINE), "{width}");
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
