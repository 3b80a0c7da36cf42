//! Straight lines of cells: [`BresenhamLine`] away from a viewer, [`Line`] between two cells.

use super::to_cell::ToCell;
use glam::IVec2;

/// The choice of a [`BresenhamLine`] that passes exactly between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TieBreak {
    /// The cell nearer to the axis through the start.
    Inward,
    /// The cell farther from it.
    Outward,
}

/// Iterates over the cells of a straight line, excluding its start and including its end: Bresenham's algorithm in
/// integers.
///
/// Every step moves by one cell along the longer axis and by zero or one along the shorter. Each cell is the nearest to
/// the true line; [`TieBreak`] resolves ties. The line has the symmetry of all eight octants: mirrored and rotated
/// endpoints give mirrored and rotated lines.
///
/// # References
/// J. E. Bresenham, *Algorithm for computer control of a digital plotter*, IBM Systems Journal 4 (1), 1965.
///
/// ```
/// use farsight::grid::{BresenhamLine, TieBreak};
/// use farsight::glam::{IVec2, ivec2};
/// let cells: Vec<_> = BresenhamLine::new(IVec2::ZERO, ivec2(-1, 3), TieBreak::Inward).collect();
/// assert_eq!(cells, [ivec2(0, 1), ivec2(-1, 2), ivec2(-1, 3)]);
/// ```
#[derive(Clone, Debug)]
pub struct BresenhamLine {
    cell: IVec2,
    straight_step: IVec2,
    diagonal_step: IVec2,
    longer: u32,
    shorter: u32,
    error: u64,
    remaining: u32,
}

impl BresenhamLine {
    /// Creates the line from `start`, without this cell, to `end`.
    pub fn new(start: impl ToCell, end: impl ToCell, tie_break: TieBreak) -> Self {
        let (start, end) = (start.to_cell(), end.to_cell());
        let (dx, dy) = (end.x.abs_diff(start.x), end.y.abs_diff(start.y));
        let diagonal_step = (end.as_i64vec2() - start.as_i64vec2()).signum().as_ivec2();
        let (longer, shorter, straight_step) =
            if dx >= dy { (dx, dy, IVec2::new(diagonal_step.x, 0)) } else { (dy, dx, IVec2::new(0, diagonal_step.y)) };
        let error = match tie_break {
            TieBreak::Inward => longer.saturating_sub(1) / 2,
            TieBreak::Outward => longer / 2,
        };
        let error = u64::from(error);
        Self { cell: start, straight_step, diagonal_step, longer, shorter, error, remaining: longer }
    }
}

impl Iterator for BresenhamLine {
    type Item = IVec2;

    #[inline]
    fn next(&mut self) -> Option<IVec2> {
        if self.remaining == 0 {
            return None;
        }
        self.remaining -= 1;
        self.error += u64::from(self.shorter);
        if self.error >= u64::from(self.longer) {
            self.error -= u64::from(self.longer);
            self.cell += self.diagonal_step;
        } else {
            self.cell += self.straight_step;
        }
        Some(self.cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining as usize, Some(self.remaining as usize))
    }
}

impl ExactSizeIterator for BresenhamLine {}

/// Iterates over the cells of the straight line between two cells, including both endpoints: the same cells in both
/// directions.
///
/// Every step moves by one cell along the longer axis and by zero or one along the shorter, and each cell is the
/// nearest to the true line. Ties prefer the cell nearer to the left endpoint, or to the upper one if both are in the
/// same column, since a [`TieBreak`] relative to the start would give another line in the other direction. Therefore
/// the mirror image of a line may differ from the line between the mirrored endpoints.
///
/// ```
/// use farsight::grid::Line;
/// use farsight::glam::ivec2;
/// let there: Vec<_> = Line::between(ivec2(0, 0), ivec2(4, 2)).collect();
/// let back: Vec<_> = Line::between(ivec2(4, 2), ivec2(0, 0)).collect();
/// assert_eq!(there, [ivec2(0, 0), ivec2(1, 0), ivec2(2, 1), ivec2(3, 1), ivec2(4, 2)]);
/// assert!(there.iter().eq(back.iter().rev()));
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "bresenham")]
#[doc(alias = "line2d")]
pub struct Line {
    /// The endpoint with number 0: the left one, or the upper one.
    start: IVec2,
    /// A step along the longer axis, and a step along the shorter.
    along: IVec2,
    across: IVec2,
    longer: u32,
    shorter: u32,
    /// The numbers of the remaining cells, from `first` up to but excluding `end`.
    first: u64,
    end: u64,
    /// `true` if the line runs from the maximum number to the minimum.
    is_reversed: bool,
}

impl Line {
    /// Returns the line from `a` to `b`, both included.
    ///
    /// ```
    /// use farsight::grid::Line;
    /// use farsight::glam::ivec2;
    /// let (archer, orc, wall) = (ivec2(2, 1), ivec2(7, 3), ivec2(5, 2));
    /// let hit = Line::between(archer, orc).skip(1).find(|&cell| cell == wall || cell == orc);
    /// assert_eq!(hit, Some(wall)); // the arrow flies over 3,1 and 4,2 into the wall
    /// ```
    ///
    /// The line to a partly visible cell may cross a wall. If arrows hit what the archer sees,
    /// [`line_of_sight`](crate::FieldOfView::line_of_sight) decides the hit, and the line only shows the flight:
    ///
    /// ```
    /// use farsight::grid::Line;
    /// use farsight::{sight::MethodKind, FieldOfView, OpacityMap, SightConfig};
    /// let map = OpacityMap::from_text("......\n.#....\n......")?;
    /// let (archer, orc) = ((0, 1), (2, 2));
    /// assert!(Line::between(archer, orc).any(|cell| map.is_wall(cell)));
    /// let mut fov = FieldOfView::new(SightConfig::default().with_method(MethodKind::SymmetricShadowcast))?;
    /// assert!(fov.line_of_sight(&map, archer, orc)? > 0.0); // a hit
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn between(a: impl ToCell, b: impl ToCell) -> Self {
        let (a, b) = (a.to_cell(), b.to_cell());
        let is_reversed = (b.x, b.y) < (a.x, a.y);
        let (start, end) = if is_reversed { (b, a) } else { (a, b) };
        let (dx, dy) = (end.x.abs_diff(start.x), end.y.abs_diff(start.y));
        let (x, y) = (IVec2::new(1, 0), IVec2::new(0, if end.y < start.y { -1 } else { 1 }));
        let (longer, shorter, along, across) = if dx >= dy { (dx, dy, x, y) } else { (dy, dx, y, x) };
        Self { start, along, across, longer, shorter, first: 0, end: u64::from(longer) + 1, is_reversed }
    }

    /// Returns the cell with a number, counted from `start`.
    #[inline]
    fn cell(&self, number: u64) -> IVec2 {
        // Rounded to the nearest, halves down. The sum is below 2⁶⁴.
        let half = u64::from(self.longer.saturating_sub(1) / 2);
        let aside = (number * u64::from(self.shorter) + half) / u64::from(self.longer.max(1));
        let step = |by: u64, axis: IVec2| IVec2::splat(by as u32 as i32).wrapping_mul(axis);
        self.start.wrapping_add(step(number, self.along)).wrapping_add(step(aside, self.across))
    }

    #[inline]
    fn take(&mut self, is_last: bool) -> Option<IVec2> {
        if self.first == self.end {
            return None;
        }
        let number = if is_last {
            self.end -= 1;
            self.end
        } else {
            self.first += 1;
            self.first - 1
        };
        Some(self.cell(number))
    }
}

impl Iterator for Line {
    type Item = IVec2;

    #[inline]
    fn next(&mut self) -> Option<IVec2> {
        self.take(self.is_reversed)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.end - self.first);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

impl DoubleEndedIterator for Line {
    #[inline]
    fn next_back(&mut self) -> Option<IVec2> {
        self.take(!self.is_reversed)
    }
}

impl std::iter::FusedIterator for Line {}
