//! Recursive shadowcasting, with a stack instead of the recursion.
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
//! Each row is scanned from the diagonal to the axis. A cell that overlaps the interval is seen. At the first cell of a
//! run of walls, the slopes between `start_slope` and the upper slope of the wall become an interval of their own from
//! the next row on. After the run, the interval starts again at the lower slope of the last wall. An interval ends after
//! a row that ends in a wall. A wall in the outermost row has no effect.
//!
//! All slopes are in single precision, as in the source, so that cells which an interval only touches are the same.
//!
//! # Known faults
//! Not symmetric: a wall's shadow is a little wider than the wall, a cell is seen if any part of it is lit, and of two
//! cells one may see the other but not the reverse.
//!
//! # References
//! B. Bergström, *FOV using recursive shadowcasting*, RogueBasin, 2001. This code follows the tutorial *Field of View &
//! Fog of War* of "Roguelikes in C++ with SDL3".

use glam::{IVec2, ivec2};

use super::view::{ClassicView, WallMap};

/// Slopes that are lit from `row` outwards.
struct SlopeInterval {
    row: i32,
    start_slope: f32,
    end_slope: f32,
}

/// Marks the cells that shadowcasting sees, except the viewer's own.
pub(super) fn cast(walls: &WallMap<impl Fn(IVec2) -> f32>, view: &mut ClassicView) {
    let mut stack = Vec::new();
    for octant in 0..8 {
        stack.push(SlopeInterval { row: 1, start_slope: 1.0, end_slope: 0.0 });
        while let Some(interval) = stack.pop() {
            scan(interval, octant, walls, view, &mut stack);
        }
    }
}

/// Scans the rows of one interval to its end. Pushes the intervals that walls split off.
fn scan(
    mut interval: SlopeInterval,
    octant: u8,
    walls: &WallMap<impl Fn(IVec2) -> f32>,
    view: &mut ClassicView,
    stack: &mut Vec<SlopeInterval>,
) {
    if interval.start_slope < interval.end_slope {
        return;
    }
    let outermost = walls.radius;
    for row in interval.row..=outermost {
        let mut after_walls = None; // the start slope after a run of walls
        for column in (0..=first_column(row, interval.start_slope)).rev() {
            let lower = (column as f32 - 0.5) / (row as f32 + 0.5);
            let upper = (column as f32 + 0.5) / (row as f32 - 0.5);
            if interval.end_slope > upper {
                break;
            }
            let offset = octant_offset(octant, row, column);
            let Some(is_wall) = walls.is_wall(offset) else { continue };
            if walls.in_range(offset) {
                view.mark(offset);
            }
            match (is_wall, after_walls) {
                (true, Some(_)) => after_walls = Some(lower),
                (true, None) if row < outermost => {
                    stack.push(SlopeInterval { row: row + 1, start_slope: interval.start_slope, end_slope: upper });
                    after_walls = Some(lower);
                }
                (false, Some(slope)) => {
                    interval.start_slope = slope;
                    after_walls = None;
                }
                (_, None) => {}
            }
        }
        if after_walls.is_some() {
            return;
        }
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
