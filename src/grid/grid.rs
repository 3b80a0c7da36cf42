//! [`Grid`]: a row-major 2-D array whose cells are [`IVec2`], x right, y down, (0, 0) top left.

use std::ops::{Index, IndexMut};

use glam::{IVec2, ivec2};
use serde::{Deserialize, Serialize};

use super::grid_view::GridView;
use super::to_cell::ToCell;

/// A row-major 2-D array.
///
/// Cells are [`IVec2`] or any [`ToCell`]: x grows to the right, y grows downwards, (0, 0) is the top
/// left cell.
///
/// ```
/// use farsight::Grid;
/// use farsight::glam::ivec2;
/// let grid = Grid::from_fn(3, 2, |cell| cell.x + 10 * cell.y);
/// assert_eq!(grid.row(1), [10, 11, 12]);
/// assert_eq!(grid.get(ivec2(2, 1)), Some(&12));
/// assert_eq!(grid.get(ivec2(3, 0)), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SavedGrid<T>", bound(deserialize = "T: Deserialize<'de>"))]
pub struct Grid<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

/// A deserialized grid before validation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedGrid<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

impl<T> TryFrom<SavedGrid<T>> for Grid<T> {
    type Error = GridError;

    fn try_from(SavedGrid { width, height, cells }: SavedGrid<T>) -> Result<Self, GridError> {
        Self::from_vec(width, height, cells)
    }
}

/// An error in the size of a grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The number of values is not width × height.
    #[error("{values} values do not fill a grid of {width}x{height} = {} cells", *width as u128 * *height as u128)]
    WrongLength {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The number of values.
        values: usize,
    },
    /// A side is longer than there are coordinates.
    #[error("a grid of {width}x{height} cells is too large: expected at most {} columns and rows", i32::MAX)]
    TooLarge {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
}

impl<T> Grid<T> {
    /// Creates a grid with every cell set to `fill`.
    ///
    /// # Panics
    /// If a side is above [`i32::MAX`], or the memory for the cells is more than [`isize::MAX`] bytes.
    pub fn new(width: usize, height: usize, fill: T) -> Self
    where
        T: Clone,
    {
        Self { width, height, cells: vec![fill; checked_cell_count(width, height)] }
    }

    /// Creates a grid whose cells are computed one by one, row after row.
    ///
    /// # Panics
    /// If a side is above [`i32::MAX`], or the memory for the cells is more than [`isize::MAX`] bytes.
    pub fn from_fn(width: usize, height: usize, mut value: impl FnMut(IVec2) -> T) -> Self {
        let mut cells = Vec::with_capacity(checked_cell_count(width, height));
        for y in 0..height {
            for x in 0..width {
                cells.push(value(ivec2(x as i32, y as i32)));
            }
        }
        Self { width, height, cells }
    }

    /// Creates a grid from its cells in row-major order.
    ///
    /// # Errors
    /// [`GridError::WrongLength`] unless `cells` has exactly width × height values; [`GridError::TooLarge`] for a side above
    /// [`i32::MAX`].
    pub fn from_vec(width: usize, height: usize, cells: Vec<T>) -> Result<Self, GridError> {
        match cell_count(width, height) {
            None => Err(GridError::TooLarge { width, height }),
            Some(count) if count != cells.len() => Err(GridError::WrongLength { width, height, values: cells.len() }),
            Some(_) => Ok(Self { width, height, cells }),
        }
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns width and height as a vector: the first cell outside at the lower right.
    pub fn size(&self) -> IVec2 {
        ivec2(self.width as i32, self.height as i32)
    }

    /// Returns `true` if `cell` is in the grid.
    #[inline]
    pub fn contains(&self, cell: impl ToCell) -> bool {
        let cell = cell.to_cell();
        self.position(cell).is_some()
    }

    /// Returns the value at `cell`, or `None` outside the grid.
    #[inline]
    pub fn get(&self, cell: impl ToCell) -> Option<&T> {
        let cell = cell.to_cell();
        self.position(cell).map(|i| &self.cells[i])
    }

    /// Returns the value at `cell` for writing, or `None` outside the grid.
    #[inline]
    pub fn get_mut(&mut self, cell: impl ToCell) -> Option<&mut T> {
        let cell = cell.to_cell();
        self.position(cell).map(|i| &mut self.cells[i])
    }

    /// Returns row `y`, left to right.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row(&self, y: usize) -> &[T] {
        &self.cells[y * self.width..(y + 1) * self.width]
    }

    /// Returns row `y` for writing, left to right.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        &mut self.cells[y * self.width..(y + 1) * self.width]
    }

    /// Returns all rows, from the top.
    ///
    /// ```
    /// use farsight::Grid;
    /// let tiles = Grid::from_fn(3, 2, |cell| if cell.x == 1 { '#' } else { '.' });
    /// let lines: Vec<String> = tiles.rows().map(|row| row.iter().collect()).collect();
    /// assert_eq!(lines, [".#.", ".#."]);
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.view().rows()
    }

    /// Returns a view of all cells.
    #[inline]
    pub fn view(&self) -> GridView<'_, T> {
        GridView::new(self.width, self.height, self.width, &self.cells)
    }

    /// Returns all values, row after row.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }

    /// Returns all values for writing, row after row.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// Returns the values in row-major order.
    pub fn into_vec(self) -> Vec<T> {
        self.cells
    }

    /// Returns every cell with its value, row after row.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &T)> + Clone {
        let width = self.width.max(1);
        self.cells.iter().enumerate().map(move |(i, value)| (ivec2((i % width) as i32, (i / width) as i32), value))
    }

    /// Returns a grid of the same shape with `f` applied to every value.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Grid<U> {
        Grid { width: self.width, height: self.height, cells: self.cells.iter().map(f).collect() }
    }

    #[inline]
    fn position(&self, cell: IVec2) -> Option<usize> {
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize); // a negative coordinate becomes huge
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }
}

/// Returns the number of cells of a grid, or `None` if it has more columns or rows than there are coordinates.
pub(crate) fn cell_count(width: usize, height: usize) -> Option<usize> {
    let is_short = |side: usize| i32::try_from(side).is_ok();
    if is_short(width) && is_short(height) { width.checked_mul(height) } else { None }
}

fn checked_cell_count(width: usize, height: usize) -> usize {
    cell_count(width, height).unwrap_or_else(|| panic!("{}", GridError::TooLarge { width, height }))
}

impl<T> GridView<'_, T> {
    /// Returns a grid of the same shape with `f` applied to every value.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Grid<U> {
        Grid { width: self.width(), height: self.height(), cells: self.rows().flatten().map(f).collect() }
    }

    /// Returns an owned copy.
    pub fn to_grid(&self) -> Grid<T>
    where
        T: Clone,
    {
        let mut cells = Vec::with_capacity(self.width() * self.height());
        self.rows().for_each(|row| cells.extend_from_slice(row));
        Grid { width: self.width(), height: self.height(), cells }
    }
}

impl<'a, T> From<&'a Grid<T>> for GridView<'a, T> {
    fn from(grid: &'a Grid<T>) -> Self {
        grid.view()
    }
}

impl<T, C: ToCell> Index<C> for Grid<T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: C) -> &T {
        let cell = cell.to_cell();
        match self.position(cell) {
            Some(i) => &self.cells[i],
            None => panic!("cell {cell} is outside the grid of {}x{}", self.width, self.height),
        }
    }
}

impl<T, C: ToCell> IndexMut<C> for Grid<T> {
    #[inline]
    fn index_mut(&mut self, cell: C) -> &mut T {
        let cell = cell.to_cell();
        match self.position(cell) {
            Some(i) => &mut self.cells[i],
            None => panic!("cell {cell} is outside the grid of {}x{}", self.width, self.height),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_leaves_out_values_between_rows() {
        let view = GridView::new(2, 3, 4, &[0, 1, 9, 9, 2, 3, 9, 9, 4, 5]);
        assert_eq!(view.to_grid(), Grid::from_fn(2, 3, |cell| cell.x + 2 * cell.y));
        assert_eq!(view.map(|value| 2 * value).as_slice(), [0, 2, 4, 6, 8, 10]);
        assert!(view.iter().all(|(cell, &value)| cell.x + 2 * cell.y == value));
        assert_eq!([ivec2(2, 0), ivec2(-1, 1), ivec2(0, 3)].map(|cell| view.get(cell)), [None; 3]);
        assert!(view == view.to_grid().view() && view != Grid::new(2, 3, 0).view());
        let empty = GridView::<i32>::new(0, 0, 0, &[]);
        assert_eq!((empty.to_grid(), empty.iter().count()), (Grid::new(0, 0, 0), 0));
    }

    #[test]
    fn sides_beyond_the_coordinates_are_errors() {
        const LONGEST: usize = i32::MAX as usize;
        assert_eq!(Grid::new(LONGEST, 1, ()).size(), ivec2(i32::MAX, 1));
        assert!(Grid::from_vec(1, LONGEST, vec![(); LONGEST]).is_ok());
        for (width, height) in [(3_000_000_000, 1), (1, LONGEST + 1), (0, LONGEST + 1), (usize::MAX, 2)] {
            let error = GridError::TooLarge { width, height };
            assert_eq!(Grid::from_vec(width, height, vec![(); width.saturating_mul(height)]), Err(error.clone()));
            assert_eq!(
                error.to_string(),
                format!("a grid of {width}x{height} cells is too large: expected at most 2147483647 columns and rows")
            );
        }
    }

    #[test]
    #[should_panic(expected = "a grid of 3000000000x1 cells is too large: expected at most 2147483647 columns")]
    fn new_panics_for_a_side_beyond_the_coordinates() {
        let _ = Grid::new(3_000_000_000, 1, ());
    }

    #[test]
    #[should_panic(expected = "last")]
    fn view_longer_than_its_values_panics() {
        let _ = GridView::new(4, 1 + (usize::MAX >> 2), 4, &[0; 4]);
    }
}
