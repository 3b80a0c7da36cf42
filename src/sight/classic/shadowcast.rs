//! Recursive shadowcasting, row by row instead of by recursion.
//!
//! The view is divided into eight octants. In each, rows are scanned from the viewer outwards within an interval of
//! slopes, from `end_slope` up to `start_slope`. A slope is column / row: 0 along the axis and 1 along the diagonal.
//!
//! ```text
//!   row 3   ▓ . . .      The cell in column d of a row spans the slopes
//!   row 2   ▓ # .          from (d − ½)/(row + ½)   (its far corner next to the axis)
//!   row 1   . .              to (d + ½)/(row − ½)   (its near corner next to the diagonal)
//!   viewer  @
//!         d 0 1 2 3
//! ```
//!
//! Each row is scanned from the diagonal to the axis. A cell that overlaps the interval is visible. At the first cell
//! of a run of walls, the slopes between `start_slope` and the upper slope of the wall become a new interval, starting
//! with the next row. After the run, the interval starts again at the lower slope of the last wall. An interval ends
//! after a row that ends in a wall.
//!
//! All slopes are in single precision, as in the source, so that cells which an interval only touches are the same.
//!
//! # Known faults
//! Not symmetric: a wall's shadow is a little wider than the wall, a cell is visible if any part of it is lit, and one
//! of two cells may see the other but not the reverse.
//!
//! # References
//! B. Bergström, *FOV using recursive shadowcasting*, RogueBasin, 2001. This code follows the tutorial *Field of View &
//! Fog of War* of "Roguelikes in C++ with SDL3".

use glam::{IVec2, ivec2};

use super::classic::{MarkCells, WallMap};

/// An interval of lit slopes in a row.
#[derive(Clone, Copy, Debug)]
struct SlopeInterval {
    start_slope: f32,
    end_slope: f32,
}

/// Recursive shadowcasting, with the intervals of a row and of the next.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct Shadowcast {
    intervals: Vec<SlopeInterval>,
    next: Vec<SlopeInterval>,
}

impl MarkCells for Shadowcast {
    fn mark_cells(&mut self, walls: &WallMap<impl Fn(IVec2) -> f32>, mut mark: impl FnMut(IVec2)) {
        // Each interval contains a cell of its row, and no cell is in more than two intervals.
        let most = 2 * walls.radius as usize + 2;
        self.intervals.clear();
        self.intervals.reserve(most);
        self.next.reserve(most);
        for octant in 0..8 {
            self.intervals.push(SlopeInterval { start_slope: 1.0, end_slope: 0.0 });
            for row in 1..=walls.radius {
                for interval in self.intervals.drain(..) {
                    scan(interval, row, octant, walls, &mut mark, &mut self.next);
                }
                std::mem::swap(&mut self.intervals, &mut self.next);
            }
            self.intervals.clear();
        }
    }
}

/// Scans an interval of a row. Pushes its lit parts for the next row.
fn scan(
    mut interval: SlopeInterval,
    row: i32,
    octant: u8,
    walls: &WallMap<impl Fn(IVec2) -> f32>,
    mark: &mut impl FnMut(IVec2),
    next: &mut Vec<SlopeInterval>,
) {
    let mut after_walls = None; // the start slope after a run of walls
    for column in (0..=first_column(row, interval.start_slope)).rev() {
        let lower = (column as f32 - 0.5) / (row as f32 + 0.5);
        let upper = (column as f32 + 0.5) / (row as f32 - 0.5);
        if interval.end_slope > upper {
            break;
        }
        let offset = octant_offset(octant, row, column);
        let is_wall = walls.is_wall(offset);
        if is_wall.is_some() {
            mark(offset);
        }
        // A cell out of sight or off the map hides only such cells.
        match (is_wall.unwrap_or(true), after_walls) {
            (true, Some(_)) => after_walls = Some(lower),
            (true, None) => {
                if interval.start_slope >= upper {
                    next.push(SlopeInterval { end_slope: upper, ..interval });
                }
                after_walls = Some(lower);
            }
            (false, Some(slope)) => {
                interval.start_slope = slope;
                after_walls = None;
            }
            (false, None) => {}
        }
    }
    if after_walls.is_none() {
        next.push(interval);
    }
}

/// Returns the column nearest to the diagonal whose lower slope is not above `start_slope`. Lower slopes increase with
/// the column, also when rounded, so a binary search finds it.
fn first_column(row: i32, start_slope: f32) -> i32 {
    let (mut inside, mut outside) = (0, row + 1);
    while outside - inside > 1 {
        let column = (inside + outside) / 2;
        if start_slope < (column as f32 - 0.5) / (row as f32 + 0.5) {
            outside = column;
        } else {
            inside = column;
        }
    }
    inside
}

/// Returns the offset of a row and column in one of the eight octants: bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps
/// them.
#[inline]
fn octant_offset(octant: u8, row: i32, column: i32) -> IVec2 {
    let (x, y) = if octant & 4 == 0 { (column, row) } else { (row, column) };
    ivec2(if octant & 1 == 0 { x } else { -x }, if octant & 2 == 0 { y } else { -y })
}
