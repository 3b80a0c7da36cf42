//! Symmetric shadowcasting: two floor cells see each other, or neither does. This is the definition; views are computed by the
//! faster [`ShadowScan`](super::shadow_scan::ShadowScan), with the same cells.
//!
//! The view is divided into four quadrants. In each, rows are scanned from the viewer outwards within intervals of slopes. A slope
//! is column / row: 0 along the axis, −1 and 1 along the diagonals.
//!
//! ```text
//!   row 3  . . . ▓ ▓ . .    A wall in column c of row r hides the slopes from (c − ½) / r to (c + ½) / r:
//!   row 2    . . # . .      its middle line. A floor cell is seen if its centre c / r is in the interval,
//!   row 1      . . .        a wall if any part of its middle line is.
//!   viewer       @
//!        c -3 -2 -1 0 1 2 3
//! ```
//!
//! Combined over all four quadrants, a wall is a diamond whose corners are the midpoints of its sides: floor is visible
//! if the straight line from centre to centre misses the diamonds of all walls, which does not depend on its direction.
//! A wall is visible if it borders a lit area, so that a viewer sees all walls and corners of a room without pillars.
//!
//! Slopes are rational numbers, so that a line that touches a corner gives the same result from both endpoints.
//!
//! # References
//! A. Ford, *Symmetric Shadowcasting*, 2017, <https://www.albertford.com/shadowcasting/>, row by row instead of by recursion.

use glam::IVec2;

use super::classic::{MarkCells, WallMap};
use crate::sight::window::half_width;

/// A slope as a fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
struct Slope {
    columns: i32,
    rows: i32,
}

impl Slope {
    /// Returns the slope of the side of a cell towards column −∞.
    fn before(column: i32, row: i32) -> Self {
        Self { columns: 2 * column - 1, rows: 2 * row }
    }

    /// Returns the column of the slope in a row, rounded down, and the remainder in units of 1 / rows.
    #[inline]
    fn column_in(self, row: i32) -> (i32, i32) {
        let columns = row * self.columns; // below 2²⁶ for the largest radius
        (columns.div_euclid(self.rows), columns.rem_euclid(self.rows))
    }
}

/// A closed interval of lit slopes in a row.
#[derive(Clone, Copy, Debug)]
struct InclusiveSlopes {
    start: Slope,
    end: Slope,
}

impl InclusiveSlopes {
    /// A whole quadrant.
    const QUADRANT: Self = Self { start: Slope { columns: -1, rows: 1 }, end: Slope { columns: 1, rows: 1 } };
}

/// A step outwards and a step along a row of each quadrant.
const QUADRANTS: [[IVec2; 2]; 4] =
    [[IVec2::NEG_Y, IVec2::X], [IVec2::Y, IVec2::X], [IVec2::X, IVec2::Y], [IVec2::NEG_X, IVec2::Y]];

/// Symmetric shadowcasting, with the intervals of a row and of the next.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct SymmetricShadowcast {
    intervals: Vec<InclusiveSlopes>,
    next: Vec<InclusiveSlopes>,
}

impl SymmetricShadowcast {
    /// Marks the cells that an interval of slopes lights in a quadrant, up to a row.
    fn scan_quadrant(
        &mut self,
        [outwards, sideways]: [IVec2; 2],
        lit: InclusiveSlopes,
        last_row: i32,
        walls: &WallMap<impl Fn(IVec2) -> f32>,
        mark: &mut impl FnMut(IVec2),
    ) {
        // Each interval has a cell of its row, and no cell is in more than two.
        let most = 2 * walls.radius as usize + 2;
        self.intervals.clear();
        self.intervals.reserve(most);
        self.next.reserve(most);
        self.intervals.push(lit);
        let extent = walls.square();
        for row in 1..=last_row {
            let middle = outwards * row;
            if self.intervals.is_empty() || !extent.contains(middle) {
                break;
            }
            let half = half_width(walls.radius as u32, row as u32) as i32;
            let first = (extent.min - middle).dot(sideways).max(-half);
            let last = (extent.max - 1 - middle).dot(sideways).min(half);
            let cells = RowCells { row, middle, sideways, first, last };
            for interval in self.intervals.drain(..) {
                cells.scan(interval, walls, mark, &mut self.next);
            }
            std::mem::swap(&mut self.intervals, &mut self.next);
        }
    }
}

impl MarkCells for SymmetricShadowcast {
    fn mark_cells(&mut self, walls: &WallMap<impl Fn(IVec2) -> f32>, mut mark: impl FnMut(IVec2)) {
        for quadrant in QUADRANTS {
            self.scan_quadrant(quadrant, InclusiveSlopes::QUADRANT, walls.radius, walls, &mut mark);
        }
    }

    /// Scans only the slopes of the target.
    fn mark_target(&mut self, walls: &WallMap<impl Fn(IVec2) -> f32>, target: IVec2, mut mark: impl FnMut(IVec2)) {
        for [outwards, sideways] in QUADRANTS {
            let (row, column) = (target.dot(outwards), target.dot(sideways));
            if row < 1 || column.abs() > row {
                continue;
            }
            let InclusiveSlopes { mut start, mut end } = InclusiveSlopes::QUADRANT;
            if column > -row {
                start = Slope::before(column, row);
            }
            if column < row {
                end = Slope::before(column + 1, row);
            }
            self.scan_quadrant([outwards, sideways], InclusiveSlopes { start, end }, row, walls, &mut mark);
        }
    }
}

/// The cells of a row of a quadrant that are in range and on the map.
struct RowCells {
    row: i32,
    /// The offset of the cell on the axis.
    middle: IVec2,
    sideways: IVec2,
    first: i32,
    last: i32,
}

impl RowCells {
    /// Marks the cells that an interval lights, and pushes its lit parts for the next row. Beyond the ends of the row
    /// there are no cells and no light.
    fn scan(
        &self,
        InclusiveSlopes { start, end }: InclusiveSlopes,
        walls: &WallMap<impl Fn(IVec2) -> f32>,
        mark: &mut impl FnMut(IVec2),
        next: &mut Vec<InclusiveSlopes>,
    ) {
        let row = self.row;
        let (before_start, start_rest) = start.column_in(row);
        let (before_end, end_rest) = end.column_in(row);
        // An endpoint touches the cells whose middle line it touches from the inside.
        let touched =
            before_start + i32::from(2 * start_rest >= start.rows)..=before_end + i32::from(2 * end_rest > end.rows);
        let centres = before_start + i32::from(start_rest > 0)..=before_end;
        let columns = *touched.start().max(&self.first)..=*touched.end().min(&self.last);
        if columns.is_empty() {
            return;
        }
        let mut first = (touched.start() == columns.start()).then_some(start);
        // The start of the light on the run of floor up to the next cell.
        let mut floor = None;
        for column in columns.clone() {
            let offset = self.middle + self.sideways * column;
            let is_wall = walls.is_wall_in_range(offset);
            if is_wall == Some(false) {
                floor = floor.or(first).or(Some(Slope::before(column, row)));
                if centres.contains(&column) {
                    mark(offset);
                }
            } else {
                if is_wall.is_some() {
                    mark(offset);
                }
                if let Some(start) = floor.take() {
                    next.push(InclusiveSlopes { start, end: Slope::before(column, row) });
                }
            }
            first = None;
        }
        if let Some(start) = floor {
            let end = if columns.end() == touched.end() { end } else { Slope::before(columns.end() + 1, row) };
            next.push(InclusiveSlopes { start, end });
        }
    }
}
