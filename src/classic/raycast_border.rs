//! Lines to the border of the view, then the walls that they missed.
//!
//! A line that runs almost along a wall stops at the first cell of it that it meets, and the next
//! line may meet the wall a few cells further on: the wall cells in between stay dark although the
//! floor before them is seen. The repair rests on one observation: who sees a floor cell sees the wall
//! behind it. *Behind* depends on where in the view one looks.
//!
//! ```text
//!      north or west │ north or east       A dark wall becomes seen if the cell one step nearer
//!     ───────────────@───────────────      to the viewer, along x or along y, is seen floor.
//!      south or west │ south or east
//! ```
//!
//! # Known faults
//! Not symmetric. Behind corners and pillars the lines leave ragged shadows with floor cells
//! missing, and only walls are repaired. Costs more than shadowcasting, as cells near the viewer
//! are walked over by many lines. Without the repair, walls along a line of sight have holes.
//!
//! The corner of a room stays dark where both cells beside it are walls, for the repair looks only
//! along x and y. libtcod's `FOV_BASIC` is this method with one more repair: it also shows a wall
//! that stands diagonally behind seen floor. In caves and rooms that is one cell in 400, and the only
//! difference.
//!
//! # References
//! *Piece of cake visibility determination algorithm*, of the Doryen library's developer articles.

use glam::{IVec2, ivec2};

use super::line::{Line, Ties};
use super::surroundings::Surroundings;
use super::view::ClassicView;

/// Marks what lines to every cell of the border see: the border of the square of the radius,
/// clipped to the map.
pub(super) fn cast(around: &Surroundings<impl Fn(IVec2) -> f32>, view: &mut ClassicView) {
    let [low, high] = around.square();
    let rows = [low.y, high.y].into_iter().flat_map(|y| (low.x..=high.x).map(move |x| ivec2(x, y)));
    let columns = [low.x, high.x].into_iter().flat_map(|x| (low.y..=high.y).map(move |y| ivec2(x, y)));
    for end in rows.chain(columns) {
        cast_line(around, Line::new(IVec2::ZERO, end, Ties::Inward), view);
    }
}

/// Marks the cells of a line up to the first wall, that wall too, as far as the radius and the map reach.
pub(super) fn cast_line(around: &Surroundings<impl Fn(IVec2) -> f32>, line: Line, view: &mut ClassicView) {
    for offset in line {
        let Some(wall) = around.wall(offset) else { return };
        if !around.in_range(offset) {
            return;
        }
        view.mark(offset);
        if wall {
            return;
        }
    }
}

/// Marks the walls within the radius that stand directly behind seen floor.
pub(super) fn repair(around: &Surroundings<impl Fn(IVec2) -> f32>, view: &mut ClassicView) {
    for offset in around.disc() {
        if view.marked(offset) || around.wall(offset) != Some(true) {
            continue;
        }
        let step = offset.signum();
        let before = [ivec2(step.x, 0), ivec2(0, step.y)].map(|step| offset - step);
        // A step of nothing leads back to the wall itself, which is no floor.
        if before.into_iter().any(|cell| view.marked(cell) && around.wall(cell) == Some(false)) {
            view.mark(offset);
        }
    }
}
