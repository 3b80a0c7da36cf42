//! Ray casting: lines to the border of the view, and lines to points on a circle.
//!
//! # Border
//!
//! Lines to the border of the view, then a repair of the walls that they miss.
//!
//! A line that runs almost along a wall stops at the first cell of the wall that it meets, and the next line may meet the
//! wall a few cells farther on. The wall cells in between stay dark although the floor in front of them is visible. The
//! repair shows every wall directly behind visible floor; *behind* depends on the quadrant.
//!
//! ```text
//!      north or west │ north or east       A dark wall becomes seen if the cell one step nearer
//!     ───────────────@───────────────      to the viewer, along x or along y, is seen floor.
//!      south or west │ south or east
//! ```
//!
//! ## Known faults
//! Not symmetric. Behind corners and pillars the lines leave ragged shadows without some floor cells, and only walls are
//! repaired. Slower than shadowcasting, since many lines cross the cells near the viewer. Without the repair, walls
//! along a line of sight have holes.
//!
//! The corner of a room stays dark where both cells next to it are walls, since the repair looks only along x and y.
//! libtcod's `FOV_BASIC` is this method with one more repair: it also shows a wall diagonally behind seen floor. In caves
//! and rooms that is one cell in 400, and the only difference.
//!
//! ## References
//! *Piece of cake visibility determination algorithm*, developer articles of the Doryen library.
//!
//! # Circle
//!
//! Lines to evenly spaced points on a circle far beyond the radius.
//!
//! Each line goes from the viewer to the first wall, which is visible too. The number of lines does not depend on the
//! radius: few lines miss cells far away.
//!
//! The line of the source has a bug: where the distance along an axis is exactly one cell, it does not step along that
//! axis. Here the line is correct in all eight octants. Its ends are rounded to the nearest cell.
//!
//! ## Known faults
//! N lines miss floor and walls at distances above about N / 8 cells: above 47 cells for 360 lines. Walls along a line
//! of sight have holes at any distance, since the first wall cell stops the line. Not symmetric. Nearly every line
//! crosses the cells near the viewer.
//!
//! ## References
//! B. M. Andrew, *Field of View in a Tile-Based World*, 2020.

use std::f64::consts::TAU;

use glam::{IVec2, ivec2};

use super::classic::{MarkCells, WallMap};
use crate::grid::{BresenhamLine, TieBreak};

/// Lines to every cell of the border of the view: the border of the square of the radius, clipped to the map.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct RaycastBorder {
    /// `true` to show the walls behind visible floor.
    pub(in crate::sight) repair: bool,
}

impl MarkCells for RaycastBorder {
    fn mark_cells(&mut self, walls: &WallMap<impl Fn(IVec2) -> f32>, mut mark: impl FnMut(IVec2)) {
        let square = walls.square();
        let (min, last) = (square.min, square.max - 1);
        let rows = [min.y, last.y].into_iter().flat_map(|y| (min.x..=last.x).map(move |x| ivec2(x, y)));
        let columns = [min.x, last.x].into_iter().flat_map(|x| (min.y..=last.y).map(move |y| ivec2(x, y)));
        for end in rows.chain(columns) {
            mark_line(walls, BresenhamLine::new(IVec2::ZERO, end, TieBreak::Inward), &mut mark);
        }
    }

    fn cells_in_front(&self, wall: IVec2) -> Option<[IVec2; 2]> {
        let step = wall.signum();
        // A zero step gives the wall itself, which is not floor.
        self.repair.then(|| [ivec2(step.x, 0), ivec2(0, step.y)].map(|step| wall - step))
    }
}

/// Marks the cells of a line up to and including the first wall, within the radius and the map.
fn mark_line(walls: &WallMap<impl Fn(IVec2) -> f32>, line: BresenhamLine, mark: &mut impl FnMut(IVec2)) {
    for offset in line {
        let Some(is_wall) = walls.is_wall(offset) else { return };
        mark(offset);
        if is_wall {
            return;
        }
    }
}

/// The radius of the circle of endpoints, in cells: far beyond the maximum radius of a view.
const CIRCLE_RADIUS: f64 = 65_536.0;

/// Lines to a circle.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct RaycastCircle {
    /// The number of lines.
    pub(in crate::sight) rays: u32,
}

impl MarkCells for RaycastCircle {
    fn mark_cells(&mut self, walls: &WallMap<impl Fn(IVec2) -> f32>, mut mark: impl FnMut(IVec2)) {
        let rays = self.rays;
        for ray in 0..rays {
            let angle = f64::from(ray) * TAU / f64::from(rays);
            let end = [libm::cos(angle), libm::sin(angle)].map(|axis| libm::round(CIRCLE_RADIUS * axis) as i32);
            mark_line(walls, BresenhamLine::new(IVec2::ZERO, ivec2(end[0], end[1]), TieBreak::Outward), &mut mark);
        }
    }
}
