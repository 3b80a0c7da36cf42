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

    /// Creates the square around a cell that reaches `radius` cells to each side. It ends at the coordinates [`i32::MIN`] and
    /// [`i32::MAX`], which is outside of every rectangle.
    pub fn around(centre: impl ToCell, radius: u32) -> Self {
        let centre = centre.to_cell();
        let reach = |end: i64| end.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let (centre, radius) = (centre.as_i64vec2(), i64::from(radius));
        let (min, max) = (centre - radius, centre + radius + 1);
        Self { min: IVec2::new(reach(min.x), reach(min.y)), max: IVec2::new(reach(max.x), reach(max.y)) }
    }

    /// Returns the intersection of both rectangles; it may be empty.
    pub fn intersect(self, other: Self) -> Self {
        let min = self.min.max(other.min);
        Self { min, max: self.max.min(other.max).max(min) }
    }

    /// Returns `true` if there is no cell in the rectangle. Two rectangles overlap if their intersection is not empty.
    ///
    /// ```
    /// use farsight::glam::ivec2;
    /// use farsight::grid::CellRect;
    /// let chunk = CellRect { min: ivec2(-16, 0), max: ivec2(0, 16) };
    /// assert!(!CellRect::around((4, 4), 5).intersect(chunk).is_empty()); // its column -1 is in the chunk
    /// assert!(CellRect::around((4, 4), 4).intersect(chunk).is_empty());
    /// ```
    pub fn is_empty(self) -> bool {
        self.max.cmple(self.min).any()
    }

    /// Returns the smallest rectangle that contains both rectangles.
    pub fn cover(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the numbers of columns and rows, at most [`i32::MAX`] each.
    pub fn size(self) -> IVec2 {
        self.max.saturating_sub(self.min)
    }

    /// Returns the number of columns.
    pub fn width(self) -> usize {
        side(self.min.x, self.max.x)
    }

    /// Returns the number of rows.
    pub fn height(self) -> usize {
        side(self.min.y, self.max.y)
    }

    /// Returns the middle cell; of two middle columns or rows, the right or lower one.
    pub fn centre(self) -> IVec2 {
        let (min, max) = (self.min.as_i64vec2(), self.max.as_i64vec2());
        (min + (max - min) / 2).as_ivec2()
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

fn side(min: i32, max: i32) -> usize {
    if max > min { max.abs_diff(min) as usize } else { 0 }
}

/// Sorts cells by row, then by column.
pub fn sort_in_rows(cells: &mut [IVec2]) {
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST_AND_END: CellRect = CellRect { min: IVec2::MIN, max: IVec2::MAX };

    #[test]
    fn squares_end_at_the_first_and_last_coordinates() {
        let near_end = CellRect::around((i32::MAX, 0), 10);
        assert_eq!(near_end, CellRect { min: IVec2::new(i32::MAX - 10, -10), max: IVec2::new(i32::MAX, 11) });
        let near_begin = CellRect::around((i32::MIN, 0), 10);
        assert_eq!(near_begin, CellRect { min: IVec2::new(i32::MIN, -10), max: IVec2::new(i32::MIN + 11, 11) });
        assert_eq!(CellRect::around((0, 0), u32::MAX), FIRST_AND_END);
        assert_eq!(CellRect::around((i32::MIN, i32::MIN), u32::MAX).max, IVec2::MAX);
        assert_eq!(CellRect::around((5, 5), 0), CellRect { min: IVec2::splat(5), max: IVec2::splat(6) });
    }

    #[test]
    fn the_largest_rectangle_has_its_sides() {
        assert_eq!((FIRST_AND_END.width(), FIRST_AND_END.height()), (u32::MAX as usize, u32::MAX as usize));
        assert_eq!((FIRST_AND_END.size(), FIRST_AND_END.centre()), (IVec2::MAX, IVec2::NEG_ONE));
        assert_eq!(FIRST_AND_END.cells().next(), Some(IVec2::MIN));
        assert!(FIRST_AND_END.contains(IVec2::ZERO) && !FIRST_AND_END.contains(IVec2::MAX));
        let reversed = CellRect { min: IVec2::MAX, max: IVec2::MIN };
        assert_eq!((reversed.width(), reversed.cells().next()), (0, None));
    }
}
