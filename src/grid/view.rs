//! [`GridView`]: the cells of a grid, to be read.

use std::ops::Index;

use glam::{IVec2, ivec2};

use super::grid::Grid;

/// A row-major 2-D array that somebody else owns. Between its rows may lie what does not belong to it.
///
/// Cells are addressed as those of a [`Grid`]: x grows to the right, y grows downwards, (0, 0) is the top left cell.
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
    width: usize,
    height: usize,
    stride: usize,
    cells: &'a [T],
}

impl<T> Clone for GridView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GridView<'_, T> {}

impl<'a, T> GridView<'a, T> {
    /// Rows of `width` cells, one beginning `stride` values after the other.
    ///
    /// # Panics
    /// If the values end before the last row does, or rows overlap.
    #[inline]
    pub(crate) fn new(width: usize, height: usize, stride: usize, cells: &'a [T]) -> Self {
        assert!(width <= stride && (height == 0 || (height - 1) * stride + width <= cells.len()));
        Self { width, height, stride, cells }
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Width and height as a vector: the first cell outside at the lower right.
    pub fn size(&self) -> IVec2 {
        ivec2(self.width as i32, self.height as i32)
    }

    /// The value at `cell`, or `None` outside the grid.
    #[inline]
    pub fn get(&self, cell: IVec2) -> Option<&'a T> {
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize); // a negative coordinate becomes huge
        (x < self.width && y < self.height).then(|| &self.cells[y * self.stride + x])
    }

    /// Row `y`, left to right.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row(&self, y: usize) -> &'a [T] {
        assert!(y < self.height, "row {y} of {}", self.height);
        &self.cells[y * self.stride..][..self.width]
    }

    /// All rows, from the top.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let view = *self;
        (0..self.height).map(move |y| view.row(y))
    }

    /// Every cell with its value, row after row.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &'a T)> + use<'a, T> {
        let cells = |(y, row): (i32, &'a [T])| (0..).zip(row).map(move |(x, value)| (ivec2(x, y), value));
        (0..).zip(self.rows()).flat_map(cells)
    }

    /// A grid of the same shape with `f` applied to every value.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Grid<U> {
        let cells = self.rows().flatten().map(f).collect();
        Grid::from_vec(self.width, self.height, cells).expect("as many cells as there are")
    }

    /// A copy that stands by itself.
    pub fn to_grid(&self) -> Grid<T>
    where
        T: Clone,
    {
        let mut cells = Vec::with_capacity(self.width * self.height);
        self.rows().for_each(|row| cells.extend_from_slice(row));
        Grid::from_vec(self.width, self.height, cells).expect("as many cells as there are")
    }

    /// From a cell to the one below, and the values from the first cell on.
    #[cfg(target_arch = "x86_64")]
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

impl<'a, T> From<&'a Grid<T>> for GridView<'a, T> {
    fn from(grid: &'a Grid<T>) -> Self {
        grid.view()
    }
}

impl<T> Index<IVec2> for GridView<'_, T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: IVec2) -> &T {
        match self.get(cell) {
            Some(value) => value,
            None => panic!("cell {cell} lies outside the grid of {}x{}", self.width, self.height),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_rows_does_not_belong_to_it() {
        let view = GridView::new(2, 3, 4, &[0, 1, 9, 9, 2, 3, 9, 9, 4, 5]);
        assert_eq!(view.to_grid(), Grid::from_fn(2, 3, |cell| cell.x + 2 * cell.y));
        assert_eq!(view.map(|value| 2 * value).as_slice(), [0, 2, 4, 6, 8, 10]);
        assert!(view.iter().all(|(cell, &value)| cell.x + 2 * cell.y == value));
        assert_eq!([ivec2(2, 0), ivec2(-1, 1), ivec2(0, 3)].map(|cell| view.get(cell)), [None; 3]);
        assert!(view == view.to_grid().view() && view != Grid::new(2, 3, 0).view());
        let empty = GridView::<i32>::new(0, 0, 0, &[]);
        assert_eq!((empty.to_grid(), empty.iter().count()), (Grid::new(0, 0, 0), 0));
    }
}
