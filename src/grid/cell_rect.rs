//! [`CellRect`]: a rectangle of cells.

use super::to_cell::ToCell;
use glam::IVec2;

/// A rectangle of cells, from `min` up to but excluding `max`.
///
/// ```
/// use farsight::grid::CellRect;
/// use farsight::glam::ivec2;
/// let map = CellRect::of_size(ivec2(80, 25));
/// let near = CellRect::around(ivec2(2, 10), 4).intersect(map);
/// assert_eq!((near.min, near.max), (ivec2(0, 6), ivec2(7, 15)));
/// assert!(near.contains(ivec2(6, 14)) && !near.contains(ivec2(7, 14)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRect {
    /// The top left cell.
    pub min: IVec2,
    /// The first cell outside at the lower right.
    pub max: IVec2,
}

impl CellRect {
    /// Creates all cells of a grid of this size.
    pub fn of_size(size: impl ToCell) -> Self {
        Self { min: IVec2::ZERO, max: size.to_cell() }
    }

    /// Creates the square around a cell that reaches `radius` cells to each side. It saturates at the minimum and
    /// maximum coordinates.
    pub fn around(centre: impl ToCell, radius: u32) -> Self {
        let centre = centre.to_cell();
        let reach = IVec2::splat(i32::try_from(radius).unwrap_or(i32::MAX));
        Self { min: centre.saturating_sub(reach), max: centre.saturating_add(reach).saturating_add(IVec2::ONE) }
    }

    /// Returns the intersection of both rectangles; it may be empty.
    pub fn intersect(self, other: Self) -> Self {
        let min = self.min.max(other.min);
        Self { min, max: self.max.min(other.max).max(min) }
    }

    /// Returns the smallest rectangle that contains both rectangles.
    pub fn cover(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the numbers of columns and rows.
    pub fn size(self) -> IVec2 {
        self.max - self.min
    }

    /// Returns the number of columns.
    pub fn width(self) -> usize {
        (self.max.x - self.min.x).max(0) as usize
    }

    /// Returns the number of rows.
    pub fn height(self) -> usize {
        (self.max.y - self.min.y).max(0) as usize
    }

    /// Returns the middle cell; of two middle columns or rows, the right or lower one.
    pub fn centre(self) -> IVec2 {
        self.min + self.size() / 2
    }

    /// Returns all cells, row by row.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::grid::CellRect;
    /// let mut map = OpacityMap::clear(8, 8)?;
    /// let smoke = CellRect::around((2, 3), 1);
    /// map.set_many(smoke.cells().map(|cell| (cell, 0.4)))?;
    /// assert_eq!(map.get((3, 4)), Some(0.4));
    /// # Ok::<(), farsight::sight::OpacityError>(())
    /// ```
    pub fn cells(self) -> impl Iterator<Item = IVec2> + Clone {
        (self.min.y..self.max.y).flat_map(move |y| (self.min.x..self.max.x).map(move |x| IVec2::new(x, y)))
    }

    /// Returns `true` if `cell` is in the rectangle.
    pub fn contains(self, cell: impl ToCell) -> bool {
        let cell = cell.to_cell();
        cell.cmpge(self.min).all() && cell.cmplt(self.max).all()
    }
}

/// Sorts cells by row, then by column.
pub fn sort_in_rows(cells: &mut [IVec2]) {
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
}
