//! [`CellRect`]: a rectangle of cells.

use glam::IVec2;

/// A rectangle of cells, from `min` up to but without `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRect {
    /// Top left cell.
    pub min: IVec2,
    /// The first cell outside at the lower right.
    pub max: IVec2,
}

impl CellRect {
    /// All cells of a grid of this size.
    pub fn of_size(size: IVec2) -> Self {
        Self { min: IVec2::ZERO, max: size }
    }

    /// The square around a cell that reaches `radius` cells to each side.
    pub fn around(centre: IVec2, radius: u32) -> Self {
        let reach = IVec2::splat(radius as i32);
        Self { min: centre - reach, max: centre + reach + 1 }
    }

    /// What both cover; may be empty.
    pub fn intersect(self, other: Self) -> Self {
        let min = self.min.max(other.min);
        Self { min, max: self.max.min(other.max).max(min) }
    }

    /// The least rectangle that holds both.
    pub fn cover(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Columns and rows.
    pub fn size(self) -> IVec2 {
        self.max - self.min
    }

    /// Columns.
    pub fn width(self) -> usize {
        (self.max.x - self.min.x).max(0) as usize
    }

    /// Rows.
    pub fn height(self) -> usize {
        (self.max.y - self.min.y).max(0) as usize
    }

    /// Whether a cell lies in it.
    pub fn contains(self, cell: IVec2) -> bool {
        cell.cmpge(self.min).all() && cell.cmplt(self.max).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn the_square_around_a_corner_is_cut_to_the_map() {
        let map = CellRect::of_size(ivec2(10, 5));
        let square = CellRect::around(ivec2(0, 4), 2);
        assert_eq!(square.size(), ivec2(5, 5));
        let both = map.intersect(square);
        assert_eq!((both.min, both.max), (ivec2(0, 2), ivec2(3, 5)));
        assert!(both.contains(ivec2(2, 4)) && !both.contains(ivec2(3, 4)));
    }

    #[test]
    fn rectangles_apart_share_nothing() {
        let empty = CellRect::around(ivec2(0, 0), 1).intersect(CellRect::around(ivec2(9, 9), 1));
        assert_eq!((empty.width(), empty.height()), (0, 0));
    }
}
