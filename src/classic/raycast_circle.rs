//! Lines to points that lie evenly on a circle too far away to matter.
//!
//! Every line walks from the viewer until it meets a wall, which is seen too. The number of lines
//! does not depend on the radius: what is lost with few of them is lost far away.
//!
//! The source's line has a slip: where the way along an axis is exactly one cell, it does not step
//! along that axis. Here the line is right in all eight octants. Its ends are
//! rounded to the nearest cell.
//!
//! # Known faults
//! With N lines, cells begin to be missed at about N / 8 cells from the viewer, floor and walls
//! both: at 47 with 360 lines. Walls along a line of sight have holes at any distance, as the first wall cell stops the
//! line. Not symmetric. Cells near the viewer are walked over by nearly every line.
//!
//! # References
//! B. M. Andrew, *Field of View in a Tile-Based World*, 2020.

use std::f64::consts::TAU;

use glam::{IVec2, ivec2};

use super::line::{Line, Ties};
use super::raycast_border::cast_line;
use super::surroundings::Surroundings;
use super::view::ClassicView;

/// The radius of the circle of ends, in cells: far beyond the largest radius of any view.
const FAR: f64 = 65_536.0;

/// Marks what `rays` lines to a far circle see.
pub(super) fn cast(around: &Surroundings<impl Fn(IVec2) -> f32>, rays: u32, view: &mut ClassicView) {
    for ray in 0..rays {
        cast_line(around, Line::new(IVec2::ZERO, end(ray, rays), Ties::Outward), view);
    }
}

/// The end of one of `rays` lines.
fn end(ray: u32, rays: u32) -> IVec2 {
    let angle = f64::from(ray) * TAU / f64::from(rays);
    ivec2(libm::round(FAR * libm::cos(angle)) as i32, libm::round(FAR * libm::sin(angle)) as i32)
}
