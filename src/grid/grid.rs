//! [`Grid`]: a row-major 2-D array whose cells are [`IVec2`], x right, y down, (0, 0) top left.

use std::ops::{Index, IndexMut};

use glam::{IVec2, ivec2};

use super::view::GridView;

/// A row-major 2-D array.
///
/// Cells are addressed by [`IVec2`]: x grows to the right, y grows downwards, (0, 0) is the top
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

/// Why a grid could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The number of values is not width × height.
    #[error("{values} values do not fill a grid of {width}x{height} = {} cells", width * height)]
    WrongLength {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
        /// Values given.
        values: usize,
    },
}

impl<T> Grid<T> {
    /// A grid with every cell set to `fill`.
    pub fn new(width: usize, height: usize, fill: T) -> Self
    where
        T: Clone,
    {
        Self { width, height, cells: vec![fill; width * height] }
    }

    /// A grid whose cells are computed one by one, row after row.
    pub fn from_fn(width: usize, height: usize, mut value: impl FnMut(IVec2) -> T) -> Self {
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                cells.push(value(ivec2(x as i32, y as i32)));
            }
        }
        Self { width, height, cells }
    }

    /// A grid from its cells in row-major order.
    ///
    /// # Errors
    /// [`GridError::WrongLength`] unless `cells` has exactly width × height values.
    pub fn from_vec(width: usize, height: usize, cells: Vec<T>) -> Result<Self, GridError> {
        if width.checked_mul(height) == Some(cells.len()) {
            Ok(Self { width, height, cells })
        } else {
            Err(GridError::WrongLength { width, height, values: cells.len() })
        }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Width and height as a vector: the first cell outside at the lower right.
    pub fn size(&self) -> IVec2 {
        ivec2(self.width as i32, self.height as i32)
    }

    /// Whether `cell` lies in the grid.
    #[inline]
    pub fn contains(&self, cell: IVec2) -> bool {
        self.position(cell).is_some()
    }

    /// The value at `cell`, or `None` outside the grid.
    #[inline]
    pub fn get(&self, cell: IVec2) -> Option<&T> {
        self.position(cell).map(|i| &self.cells[i])
    }

    /// The value at `cell` to change, or `None` outside the grid.
    #[inline]
    pub fn get_mut(&mut self, cell: IVec2) -> Option<&mut T> {
        self.position(cell).map(|i| &mut self.cells[i])
    }

    /// Row `y`, left to right.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row(&self, y: usize) -> &[T] {
        &self.cells[y * self.width..(y + 1) * self.width]
    }

    /// Row `y`, left to right, to change.
    ///
    /// # Panics
    /// If `y` is not below the height.
    #[inline]
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        &mut self.cells[y * self.width..(y + 1) * self.width]
    }

    /// All of it, to be read.
    #[inline]
    pub fn view(&self) -> GridView<'_, T> {
        GridView::new(self.width, self.height, self.width, &self.cells)
    }

    /// All values, row after row.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }

    /// All values, row after row, to change.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// The values in row-major order.
    pub fn into_vec(self) -> Vec<T> {
        self.cells
    }

    /// Every cell with its value, row after row.
    pub fn iter(&self) -> impl Iterator<Item = (IVec2, &T)> {
        let width = self.width.max(1);
        self.cells.iter().enumerate().map(move |(i, value)| (ivec2((i % width) as i32, (i / width) as i32), value))
    }

    /// A grid of the same shape with `f` applied to every value.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Grid<U> {
        Grid { width: self.width, height: self.height, cells: self.cells.iter().map(f).collect() }
    }

    #[inline]
    fn position(&self, cell: IVec2) -> Option<usize> {
        let (x, y) = (cell.x as u32 as usize, cell.y as u32 as usize); // a negative coordinate becomes huge
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }
}

impl<T> Index<IVec2> for Grid<T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: IVec2) -> &T {
        match self.position(cell) {
            Some(i) => &self.cells[i],
            None => panic!("cell {cell} lies outside the grid of {}x{}", self.width, self.height),
        }
    }
}

impl<T> IndexMut<IVec2> for Grid<T> {
    #[inline]
    fn index_mut(&mut self, cell: IVec2) -> &mut T {
        match self.position(cell) {
            Some(i) => &mut self.cells[i],
            None => panic!("cell {cell} lies outside the grid of {}x{}", self.width, self.height),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_outside_are_none_on_all_four_sides() {
        let grid = Grid::new(3, 2, 0);
        for cell in [ivec2(-1, 0), ivec2(0, -1), ivec2(3, 0), ivec2(0, 2), ivec2(i32::MIN, i32::MAX)] {
            assert_eq!(grid.get(cell), None, "{cell}");
        }
    }

    #[test]
    fn from_vec_wants_exactly_width_times_height() {
        assert!(Grid::from_vec(2, 2, vec![1, 2, 3, 4]).is_ok());
        let error = Grid::from_vec(2, 2, vec![1]).unwrap_err();
        assert_eq!(error.to_string(), "1 values do not fill a grid of 2x2 = 4 cells");
        assert!(Grid::from_vec(usize::MAX, 2, vec![1]).is_err());
    }

    #[test]
    fn iter_names_cells_in_row_major_order() {
        let grid = Grid::from_fn(2, 2, |c| c);
        assert!(grid.iter().all(|(cell, value)| cell == *value));
        assert_eq!(grid.iter().count(), 4);
    }
}
