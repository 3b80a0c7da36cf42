//! The slow reference: straight lines from the viewer's centre to points spread over every cell.
//!
//! A cell's visibility is the mean over `samples` × `samples` points, evenly spread over its square. The line to a
//! point is followed from cell to cell (Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing",
//! 1987), in whole numbers, so that a line through a corner passes exactly through it. Of the cells between viewer
//! and target, both left out, each takes away a share: what is left is the product of (1 − opacity)^chord
//! (`per_length`, chord in cells) or (1 − opacity)^(chord · M/r) (`per_cell`, with M and r of the crossed cell).
//!
//! Along a line nothing is approximated. The mean over points differs from the mean over the whole square only where
//! an edge of a shadow runs through the cell, by at most about 1/`samples` of its contrast there; see
//! [`SightConfig::samples`](super::SightConfig::samples) for what that comes to.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{IVec2, ivec2};
use rayon::prelude::*;

use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::sight::config::PathRule;
use crate::sight::window::{Window, half_width};

/// Leaves in the window the visibility of every cell within `in_sight`, in [0, 1], before decay. Rows are shared
/// between threads; the values do not hang on their number.
pub(crate) fn trace(
    window: &mut Window,
    in_sight: u32,
    path: PathRule,
    samples: u32,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    let centre = window.centre();
    let lines = Lines {
        depth: depths(window, in_sight, path),
        centre: IVec2::splat(in_sight.min(window.radius) as i32),
        samples: samples as i32,
    };
    let reach = in_sight as i32;
    let rows_in_sight = 2 * in_sight.min(window.radius) as usize + 1;
    let done = AtomicUsize::new(0);
    let (first, stride) = (window.seen.index_of(0, 0), window.seen.stride());
    let opacity = &window.opacity;
    job.report("sight lines", 0.0)?;
    window.seen.values_mut()[first..].par_chunks_exact_mut(stride).enumerate().try_for_each(|(y, row)| {
        let dy = y as i32 - centre.y;
        if dy.abs() > reach {
            return Ok(());
        }
        let half = half_width(in_sight, dy.unsigned_abs()).min(window.radius) as i32;
        for dx in -half..=half {
            let cell = centre + ivec2(dx, dy);
            row[cell.x as usize] = match opacity[cell] > 1.0 && cell != centre {
                true => 0.0,
                false => lines.mean_to(ivec2(dx, dy)) as f32,
            };
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        job.report("sight lines", done as f32 / rows_in_sight as f32)
    })
}

/// What each cell within `in_sight` takes from a line for each cell width of travel: −ln(1 − opacity), infinite for walls
/// and where there is no cell.
fn depths(window: &Window, in_sight: u32, path: PathRule) -> Grid<f64> {
    let centre = window.centre();
    let reach = in_sight.min(window.radius) as usize;
    let cut = window.radius as usize - reach;
    let mut depth = Grid::new(2 * reach + 1, 2 * reach + 1, 0.0);
    for (y, columns) in window.rows(in_sight) {
        let opacity = &window.opacity.row(y)[columns.clone()];
        let start = columns.start as i32;
        let row = &mut depth.row_mut(y - cut)[columns.start - cut..columns.end - cut];
        for (i, (slot, &opacity)) in row.iter_mut().zip(opacity).enumerate() {
            let offset = (ivec2(start + i as i32, y as i32) - centre).abs();
            let scale = match path {
                PathRule::PerLength => 1.0,
                PathRule::PerCell => f64::from(offset.max_element()) / offset.as_dvec2().length().max(1.0),
            };
            *slot = match opacity {
                _ if offset == IVec2::ZERO => 0.0,
                o if o < 1.0 => -libm::log1p(-f64::from(o)) * scale,
                _ => f64::INFINITY,
            };
        }
    }
    depth
}

/// All that the lines need to know.
struct Lines {
    depth: Grid<f64>,
    centre: IVec2,
    samples: i32,
}

impl Lines {
    /// The mean of what is left of the lines to all points of a cell.
    fn mean_to(&self, offset: IVec2) -> f64 {
        if offset == IVec2::ZERO {
            return 1.0;
        }
        let sum: f64 = points_of(offset, self.samples).map(|point| self.left_at(point)).sum();
        sum / f64::from(self.samples * self.samples)
    }

    /// What is left of the line to one point, given from the viewer's centre in units of 1/(2 · samples) cells.
    fn left_at(&self, point: IVec2) -> f64 {
        let length = length_of(point, self.samples);
        let mut depth = 0.0;
        follow(point, self.samples, |cell, share| {
            depth += self.depth[self.centre + cell] * share * length;
            depth < f64::INFINITY
        });
        libm::exp(-depth)
    }
}

/// The points of a cell, given from the viewer's centre in units of 1/(2 · samples) cells.
pub(crate) fn points_of(offset: IVec2, samples: i32) -> impl Iterator<Item = IVec2> {
    let n = samples;
    (0..n * n).map(move |i| offset * (2 * n) + ivec2(2 * (i % n) + 1 - n, 2 * (i / n) + 1 - n))
}

/// The length in cells of the line to a point, given as in [`follow`].
pub(crate) fn length_of(point: IVec2, samples: i32) -> f64 {
    let (p, q) = (i64::from(point.x), i64::from(point.y));
    ((p * p + q * q) as f64).sqrt() / (2 * i64::from(samples)) as f64
}

/// Follows the line to a point, given from the viewer's centre in units of 1/(2 · samples) cells, and calls `visit` with
/// every cell between those of viewer and point, given from the viewer, and the share of the line in it; until that
/// answers `false`.
///
/// The line enters the next column when it is at (2a + 1) · samples along x, and the next row likewise along y; the
/// earlier of the two is found by comparing products of whole numbers.
#[inline]
pub(crate) fn follow(point: IVec2, samples: i32, mut visit: impl FnMut(IVec2, f64) -> bool) {
    let n = i64::from(samples);
    let (p, q) = (i64::from(point.x.abs()), i64::from(point.y.abs()));
    let step = point.signum();
    let last = [(p + n) / (2 * n), (q + n) / (2 * n)]; // the target's column and row: points never lie on an edge
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
