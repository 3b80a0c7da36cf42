//! [`GridView`]: a borrowed grid.

use std::ops::Index;

use super::to_cell::ToCell;
use glam::{IVec2, ivec2};

/// A borrowed row-major 2-D array with a stride: there may be padding between rows.
///
/// Cells are addressed as in a [`Grid`](super::Grid): x grows to the right, y grows downwards, (0, 0) is the top left cell.
///
/// ```
/// use farsight::Grid;
/// use farsight::glam::ivec2;
/// let grid = Grid::from_fn(3, 2, |cell| cell.x + 10 * cell.y);
/// let view = grid.view();
/// assert_eq!(view.row(1), [10, 11, 12]);
/// assert_eq!((view[ivec2(2, 1)], view.get(ivec2(3, 0))), (12, None));
/// assert_eq!(view.to_grid(), grid);
/// ```
#[derive(Debug)]
pub struct GridView<'a, T> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) stride: usize,
    pub(super) cells: &'a [T],
}

impl<T> Clone for GridView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GridView<'_, T> {}

impl<'a, T> GridView<'a, T> {
    /// Creates a view of `height` rows of `width` cells. Each row begins `stride` values after the one above.
    ///
    /// # Panics
    /// If `cells` end before the last row does, or rows overlap.
    #[inline]
    pub(crate) fn new(width: usize, height: usize, stride: usize, cells: &'a [T]) -> Self {
        let last = height.saturating_sub(1).checked_mul(stride).and_then(|start| start.checked_add(width));
        assert!(width <= stride && (height == 0 || last.is_some_and(|end| end <= cells.len())));
        Self { width, height, stride, cells }
    }

    /// Returns the number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns width and height as a vector: the first cell outside at the lower right.
    pub fn size(&self) -> IVec2 {
        ivec2(self.width as i32, self.height as i32)
    }

    /// Returns the value at `cell`, or `None` outside the grid.
    #[inline]
    pub fn get(&self, cell: impl ToCell) -> Option<&'a T> {
        let cell = cell.to_cell();
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize); // a negative coordinate becomes huge
        (x < self.width && y < self.height).then(|| &self.cells[y * self.stride + x])
    }

    /// Returns row `y`, left to right.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row(&self, y: usize) -> &'a [T] {
        assert!(y < self.height, "row {y} of {}", self.height);
        &self.cells[y * self.stride..][..self.width]
    }

    /// Returns all rows, from the top.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let view = *self;
        (0..self.height).map(move |y| view.row(y))
    }

    /// Returns every cell with its value, row after row.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &'a T)> + use<'a, T> {
        let cells = |(y, row): (i32, &'a [T])| (0..).zip(row).map(move |(x, value)| (ivec2(x, y), value));
        (0..).zip(self.rows()).flat_map(cells)
    }

    /// Returns the stride, and the values starting at the first cell.
    #[inline]
    pub(crate) fn stride_and_values(&self) -> (usize, &'a [T]) {
        (self.stride, self.cells)
    }
}

impl<T: PartialEq> PartialEq for GridView<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size() && self.rows().eq(other.rows())
    }
}

impl<T, C: ToCell> Index<C> for GridView<'_, T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: C) -> &T {
        let cell = cell.to_cell();
        match self.get(cell) {
            Some(value) => value,
            None => panic!("cell {cell} is outside the grid of {}x{}", self.width, self.height),
        }
    }
}
