//! Recursive shadowcasting, without the recursion.
//!
//! The view is cut into eight octants. In each, rows are walked from the viewer outwards within an
//! arc of light: the slopes from `end` up to `start`, where a slope is column / row, 0 along the
//! axis and 1 along the diagonal.
//!
//! ```text
//!   row 3   ▓ . . .      The cell in column d of a row spans the slopes
//!   row 2   ▓ # .          from (d − ½)/(row + ½)   (its far, axis-side corner)
//!   row 1   . .              to (d + ½)/(row − ½)   (its near, diagonal-side corner)
//!   viewer  @
//!         d 0 1 2 3
//! ```
//!
//! Rows are scanned from the diagonal to the axis. A cell that overlaps the arc is seen. At the
//! first cell of a run of walls, the arc between `start` and the wall's upper slope goes on to the
//! next row on its own; after the run, the arc starts anew at the lower slope of its last wall. An
//! arc ends after a row that ends in a wall. A wall in the outermost row starts nothing.
//!
//! All slopes are in single precision, as in the source, so that cells that an arc just touches
//! are the same ones.
//!
//! # Known faults
//! Not symmetric: a wall's shadow is a little wider than the wall, a cell is seen if any part of it
//! is lit, and a pair of cells may see each other one way only.
//!
//! # References
//! B. Bergström, *FOV using recursive shadowcasting*, RogueBasin, 2001; followed here is the form
//! of the tutorial *Field of View & Fog of War* of "Roguelikes in C++ with SDL3".

use glam::{IVec2, ivec2};

use super::surroundings::Surroundings;
use super::view::ClassicView;

/// An arc of light that is still to be followed, from `row` outwards.
struct Arc {
    row: i32,
    start: f32,
    end: f32,
}

/// Marks what shadowcasting sees, but for the viewer's own cell.
pub(super) fn shadowcast(around: &Surroundings<impl Fn(IVec2) -> f32>, view: &mut ClassicView) {
    let mut arcs = Vec::new();
    for octant in 0..8 {
        arcs.push(Arc { row: 1, start: 1.0, end: 0.0 });
        while let Some(arc) = arcs.pop() {
            follow(arc, octant, around, view, &mut arcs);
        }
    }
}

/// Follows one arc to its end. The arcs that walls split off it are left in `arcs`.
fn follow(
    mut arc: Arc,
    octant: u8,
    around: &Surroundings<impl Fn(IVec2) -> f32>,
    view: &mut ClassicView,
    arcs: &mut Vec<Arc>,
) {
    if arc.start < arc.end {
        return;
    }
    let outermost = around.radius();
    for row in arc.row..=outermost {
        let mut after_wall = None; // where the arc starts anew, inside and after a run of walls
        for column in (0..=first_column(row, arc.start)).rev() {
            let lower = (column as f32 - 0.5) / (row as f32 + 0.5);
            let upper = (column as f32 + 0.5) / (row as f32 - 0.5);
            if arc.end > upper {
                break;
            }
            let offset = place(octant, row, column);
            let Some(wall) = around.wall(offset) else { continue };
            if around.in_range(offset) {
                view.mark(offset);
            }
            match (wall, after_wall) {
                (true, Some(_)) => after_wall = Some(lower),
                (true, None) if row < outermost => {
                    arcs.push(Arc { row: row + 1, start: arc.start, end: upper });
                    after_wall = Some(lower);
                }
                (false, Some(start)) => {
                    arc.start = start;
                    after_wall = None;
                }
                (_, None) => {}
            }
        }
        if after_wall.is_some() {
            return;
        }
    }
}

/// The column nearest to the diagonal whose lower slope is not above `start`. Lower slopes rise
/// with the column, also when rounded, so a search by halves finds what a scan would.
fn first_column(row: i32, start: f32) -> i32 {
    let (mut inside, mut outside) = (0, row + 1);
    while outside - inside > 1 {
        let column = (inside + outside) / 2;
        if start < (column as f32 - 0.5) / (row as f32 + 0.5) {
            outside = column;
        } else {
            inside = column;
        }
    }
    inside
}

/// The offset of a row and column in one of the eight octants: bit 0 mirrors x, bit 1 mirrors y,
/// bit 2 swaps them.
#[inline]
fn place(octant: u8, row: i32, column: i32) -> IVec2 {
    let (x, y) = if octant & 4 == 0 { (column, row) } else { (row, column) };
    ivec2(if octant & 1 == 0 { x } else { -x }, if octant & 2 == 0 { y } else { -y })
}
