//! Lines to evenly spaced points on a circle far beyond the radius.
//!
//! Each line goes from the viewer to the first wall, which is seen too. The number of lines does not depend on the
//! radius: with few lines, cells far away are missed.
//!
//! The line of the source has a bug: where the distance along an axis is exactly one cell, it does not step along that
//! axis. Here the line is correct in all eight octants. Its ends are rounded to the nearest cell.
//!
//! # Known faults
//! With N lines, floor and walls are missed from about N / 8 cells on: from 47 with 360 lines. Walls along a line of
//! sight have holes at any distance, as the first wall cell stops the line. Not symmetric. Nearly every line crosses the
//! cells near the viewer.
//!
//! # References
//! B. M. Andrew, *Field of View in a Tile-Based World*, 2020.

use std::f64::consts::TAU;

use glam::{IVec2, ivec2};

use super::line::{BresenhamLine, TieBreak};
use super::raycast_border::cast_line;
use super::view::{ClassicView, WallMap};

/// The radius of the circle of line ends, in cells: far beyond the largest radius of any view.
const CIRCLE_RADIUS: f64 = 65_536.0;

/// Marks the cells that `rays` lines to the circle see.
pub(super) fn cast(walls: &WallMap<impl Fn(IVec2) -> f32>, rays: u32, view: &mut ClassicView) {
    for ray in 0..rays {
        let angle = f64::from(ray) * TAU / f64::from(rays);
        let end = [libm::cos(angle), libm::sin(angle)].map(|axis| libm::round(CIRCLE_RADIUS * axis) as i32);
        cast_line(walls, BresenhamLine::new(IVec2::ZERO, ivec2(end[0], end[1]), TieBreak::Outward), view);
    }
}
