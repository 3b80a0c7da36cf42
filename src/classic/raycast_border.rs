//! Lines to the border of the view, then a repair of the walls that they miss.
//!
//! A line that runs almost along a wall stops at the first cell of the wall that it meets, and the next line may meet the
//! wall a few cells farther on. The wall cells in between stay dark although the floor in front of them is seen. The
//! repair shows every wall directly behind seen floor; *behind* depends on the quadrant.
//!
//! ```text
//!      north or west │ north or east       A dark wall becomes seen if the cell one step nearer
//!     ───────────────@───────────────      to the viewer, along x or along y, is seen floor.
//!      south or west │ south or east
//! ```
//!
//! # Known faults
//! Not symmetric. Behind corners and pillars the lines leave ragged shadows without some floor cells, and only walls are
//! repaired. Slower than shadowcasting, as many lines cross the cells near the viewer. Without the repair, walls along a
//! line of sight have holes.
//!
//! The corner of a room stays dark where both cells next to it are walls, since the repair looks only along x and y.
//! libtcod's `FOV_BASIC` is this method with one more repair: it also shows a wall diagonally behind seen floor. In caves
//! and rooms that is one cell in 400, and the only difference.
//!
//! # References
//! *Piece of cake visibility determination algorithm*, developer articles of the Doryen library.

use glam::{IVec2, ivec2};

use super::line::{BresenhamLine, TieBreak};
use super::view::{ClassicView, WallMap};

/// Marks the cells that lines to every cell of the border see: the border of the square of the radius, clipped to the
/// map.
pub(super) fn cast(walls: &WallMap<impl Fn(IVec2) -> f32>, view: &mut ClassicView) {
    let square = walls.square();
    let (min, last) = (square.min, square.max - 1);
    let rows = [min.y, last.y].into_iter().flat_map(|y| (min.x..=last.x).map(move |x| ivec2(x, y)));
    let columns = [min.x, last.x].into_iter().flat_map(|x| (min.y..=last.y).map(move |y| ivec2(x, y)));
    for end in rows.chain(columns) {
        cast_line(walls, BresenhamLine::new(IVec2::ZERO, end, TieBreak::Inward), view);
    }
}

/// Marks the cells of a line up to and including the first wall, within the radius and the map.
pub(super) fn cast_line(walls: &WallMap<impl Fn(IVec2) -> f32>, line: BresenhamLine, view: &mut ClassicView) {
    for offset in line {
        let Some(is_wall) = walls.is_wall(offset) else { return };
        if !walls.in_range(offset) {
            return;
        }
        view.mark(offset);
        if is_wall {
            return;
        }
    }
}

/// Marks the walls within the radius that are directly behind seen floor.
pub(super) fn repair(walls: &WallMap<impl Fn(IVec2) -> f32>, view: &mut ClassicView) {
    for offset in walls.disc() {
        if view.marked(offset) || walls.is_wall(offset) != Some(true) {
            continue;
        }
        let step = offset.signum();
        let in_front = [ivec2(step.x, 0), ivec2(0, step.y)].map(|step| offset - step);
        // A zero step gives the wall itself, which is not floor.
        if in_front.into_iter().any(|cell| view.marked(cell) && walls.is_wall(cell) == Some(false)) {
            view.mark(offset);
        }
    }
}
