//! [`Line`]: Bresenham's line, right in all eight octants.

use glam::IVec2;

/// Which cell a [`Line`] takes where it passes exactly between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The one nearer to the axis through the start.
    Inward,
    /// The one farther from it.
    Outward,
}

/// The cells of a straight line on the grid, without its start and with its end: Bresenham's
/// algorithm, in whole numbers only.
///
/// Every step moves by one cell along the longer axis and by none or one along the shorter; each
/// cell is the one nearest to the true line, with [`Ties`] for the middle. The line looks the same
/// in all eight octants: mirrored and turned ends give mirrored and turned lines.
///
/// Each coordinate of the ends must be within ±2³⁰.
///
/// # References
/// J. E. Bresenham, *Algorithm for computer control of a digital plotter*, IBM Systems Journal 4 (1), 1965.
///
/// ```
/// use farsight::classic::{Line, Ties};
/// use farsight::glam::{IVec2, ivec2};
/// let cells: Vec<_> = Line::new(IVec2::ZERO, ivec2(-1, 3), Ties::Inward).collect();
/// assert_eq!(cells, [ivec2(0, 1), ivec2(-1, 2), ivec2(-1, 3)]);
/// ```
#[derive(Clone, Debug)]
pub struct Line {
    cell: IVec2,
    straight: IVec2,
    slanted: IVec2,
    long: i32,
    short: i32,
    carry: i32,
    left: i32,
}

impl Line {
    /// The line from `start` (not part of it) to `end`.
    pub fn new(start: IVec2, end: IVec2, ties: Ties) -> Self {
        let way = end - start;
        let (x, y) = (way.x.abs(), way.y.abs());
        let slanted = way.signum();
        let (long, short, straight) =
            if x >= y { (x, y, IVec2::new(slanted.x, 0)) } else { (y, x, IVec2::new(0, slanted.y)) };
        let carry = match ties {
            Ties::Inward => (long - 1) / 2,
            Ties::Outward => long / 2,
        };
        Self { cell: start, straight, slanted, long, short, carry, left: long }
    }
}

impl Iterator for Line {
    type Item = IVec2;

    #[inline]
    fn next(&mut self) -> Option<IVec2> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.carry += self.short;
        if self.carry >= self.long {
            self.carry -= self.long;
            self.cell += self.slanted;
        } else {
            self.cell += self.straight;
        }
        Some(self.cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Line {}
