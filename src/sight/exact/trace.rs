//! [`trace`]: the exact method for a whole view.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{IVec2, ivec2};

use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::parallel::*;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::window::{Window, half_width};
use crate::sight_config::PathRule;

/// Computes the visibility of every cell within `in_sight` into the window, in [0, 1], before decay. Threads share the rows;
/// the values do not depend on their number.
///
/// # Errors
/// [`Cancelled`] through the `job`.
pub(in crate::sight) fn trace(
    window: &mut Window,
    in_sight: u32,
    path: PathRule,
    samples: u32,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    let centre = window.centre();
    let depth = depths(window, in_sight, path);
    let middle = IVec2::splat(in_sight.min(window.radius) as i32);
    let tracer = LineTracer { depth: |offset| depth[middle + offset], samples: samples as i32 };
    let rows_in_sight = 2 * in_sight.min(window.radius) as usize + 1;
    let done = AtomicUsize::new(0);
    let (first, end) = (window.seen.index_of(0, 0), window.seen.index_of(0, window.seen.width()));
    let stride = window.seen.stride();
    let opacity = &window.opacity;
    job.report("sight lines", 0.0)?;
    window.seen.values_mut()[first..end].par_chunks_exact_mut(stride).enumerate().try_for_each(|(y, row)| {
        let dy = y as i32 - centre.y;
        if dy.unsigned_abs() > in_sight {
            return Ok(());
        }
        let half = half_width(in_sight, dy.unsigned_abs()).min(window.radius) as i32;
        for dx in -half..=half {
            let cell = centre + ivec2(dx, dy);
            row[cell.x as usize] = match opacity[cell] > 1.0 && cell != centre {
                true => 0.0,
                false => tracer.mean_to(ivec2(dx, dy)) as f32,
            };
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        job.report("sight lines", done as f32 / rows_in_sight as f32)
    })
}

/// Computes the visibility of the cell at an offset from the viewer, in [0, 1], before decay. Both are on the map.
pub(in crate::sight) fn trace_to(map: &OpacityMap, viewer: IVec2, offset: IVec2, path: PathRule, samples: u32) -> f32 {
    let depth = |offset: IVec2| depth_of(map.grid()[viewer + offset]) * chord_scale(offset, path);
    LineTracer { depth, samples: samples as i32 }.mean_to(offset) as f32
}

/// The optical depth of each cell within `in_sight` for a chord of one cell, infinite where there is no cell.
fn depths(window: &Window, in_sight: u32, path: PathRule) -> Grid<f64> {
    let centre = window.centre();
    let radius = in_sight.min(window.radius) as usize;
    let margin = window.radius as usize - radius;
    let mut depth = Grid::new(2 * radius + 1, 2 * radius + 1, 0.0);
    for (y, columns) in window.rows(in_sight) {
        let opacity = &window.opacity.row(y)[columns.clone()];
        let start = columns.start as i32;
        let row = &mut depth.row_mut(y - margin)[columns.start - margin..columns.end - margin];
        for (i, (slot, &opacity)) in row.iter_mut().zip(opacity).enumerate() {
            let offset = ivec2(start + i as i32, y as i32) - centre;
            *slot = if offset == IVec2::ZERO { 0.0 } else { depth_of(opacity) * chord_scale(offset, path) };
        }
    }
    depth
}

/// The optical depth for a chord of one cell: −ln(1 − opacity), infinite from opacity 1 on.
pub(crate) fn depth_of(opacity: f32) -> f64 {
    if opacity < 1.0 { -libm::log1p(-f64::from(opacity)) } else { f64::INFINITY }
}

/// The factor of a chord by the path rule, for a cell other than the viewer's: 1, or M/r.
pub(crate) fn chord_scale(offset: IVec2, path: PathRule) -> f64 {
    match path {
        PathRule::PerLength => 1.0,
        PathRule::PerCell => f64::from(offset.abs().max_element()) / offset.as_dvec2().length(),
    }
}

/// Traces lines over cells of optical depths.
struct LineTracer<F> {
    /// The optical depth of the cell at an offset from the viewer, for a chord of one cell.
    depth: F,
    samples: i32,
}

impl<F: Fn(IVec2) -> f64> LineTracer<F> {
    /// The mean transmittance of the lines to all points of a cell.
    fn mean_to(&self, offset: IVec2) -> f64 {
        if offset == IVec2::ZERO {
            return 1.0;
        }
        let sum: f64 = points_of(offset, self.samples).map(|point| self.transmittance_to(point)).sum();
        sum / f64::from(self.samples * self.samples)
    }

    /// The transmittance of the line to a point, given as in [`follow`].
    fn transmittance_to(&self, point: IVec2) -> f64 {
        let length = length_of(point, self.samples);
        let mut depth = 0.0;
        follow(point, self.samples, |cell, fraction| {
            depth += (self.depth)(cell) * fraction * length;
            depth < f64::INFINITY
        });
        libm::exp(-depth)
    }
}

/// The points of a cell, as offsets from the viewer's centre in units of 1/(2 · samples) cells.
pub(crate) fn points_of(offset: IVec2, samples: i32) -> impl Iterator<Item = IVec2> {
    let n = samples;
    (0..n * n).map(move |i| offset * (2 * n) + ivec2(2 * (i % n) + 1 - n, 2 * (i / n) + 1 - n))
}

/// The length in cells of the line to a point, given as in [`follow`].
pub(crate) fn length_of(point: IVec2, samples: i32) -> f64 {
    let (p, q) = (i64::from(point.x), i64::from(point.y));
    ((p * p + q * q) as f64).sqrt() / (2 * i64::from(samples)) as f64
}

/// The length of each line to a cell between the cells of viewer and target, by the path rule.
pub(in crate::sight) fn line_lengths(offset: IVec2, samples: u32, path: PathRule) -> Vec<f64> {
    if offset == IVec2::ZERO {
        return vec![0.0];
    }
    let samples = samples as i32;
    let length = |point| {
        let (mut length, whole) = (0.0, length_of(point, samples));
        follow(point, samples, |cell, fraction| {
            length += fraction * whole * chord_scale(cell, path);
            true
        });
        length
    };
    points_of(offset, samples).map(length).collect()
}

/// Follows the line to a point, an offset from the viewer's centre in units of 1/(2 · samples) cells. Calls `visit` for each
/// cell between those of viewer and point, with its offset from the viewer and the fraction of the line in it, until
/// `visit` returns `false`.
///
/// The line enters the next column at (2a + 1) · samples along x, and the next row in the same way along y. A comparison of
/// integer products finds the earlier of the two.
#[inline]
pub(crate) fn follow(point: IVec2, samples: i32, mut visit: impl FnMut(IVec2, f64) -> bool) {
    let n = i64::from(samples);
    let (p, q) = (i64::from(point.x.abs()), i64::from(point.y.abs()));
    let step = point.signum();
    let last = [(p + n) / (2 * n), (q + n) / (2 * n)]; // the target's column and row: no point is on an edge
    let (mut a, mut b) = (0, 0);
    let mut entered = 0.0;
    loop {
        let (to_column, to_row) = ((2 * a + 1) * q, (2 * b + 1) * p);
        let left = if to_column <= to_row { (2 * a + 1) * n } else { (2 * b + 1) * n };
        let left = left as f64 / (if to_column <= to_row { p } else { q }) as f64;
        if (a, b) != (0, 0) && !visit(ivec2(step.x * a as i32, step.y * b as i32), left - entered) {
            return;
        }
        entered = left;
        a += i64::from(to_column <= to_row);
        b += i64::from(to_row <= to_column);
        if [a, b] == last {
            return;
        }
    }
}
