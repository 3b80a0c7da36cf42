//! [`Exact`]: the exact method, traced lines to many points of every cell. It is the reference for the other methods.
//!
//! A cell's visibility is the mean over `samples` × `samples` points, evenly spaced over its square. The line from the
//! viewer's centre to a point is traced from cell to cell (Amanatides and Woo, "A fast voxel traversal algorithm for
//! ray tracing", 1987) in integers, so that a line through a corner passes exactly through it. Each cell between viewer
//! and target multiplies the line's transmittance by (1 − opacity)^chord (`per_length`, chord in cells) or
//! (1 − opacity)^(chord · M/r) (`per_cell`, with M = max(|dx|, |dy|) and r the distance of the crossed cell).
//!
//! A line has no approximation. The mean over points differs from the mean over the square only where a shadow edge
//! crosses the cell, by at most about 1/`samples` of its contrast there; see
//! [`Method::Exact`](super::Method::Exact).

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{IVec2, ivec2};

use super::half_cells::{HalfCellTable, HalfCells};
use super::opacity_map::OpacityMap;
use super::solver::Solver;
use super::view_plan::ViewPlan;
use super::window::{Window, half_width};
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::parallel::*;
use crate::sight_config::{PathRule, SightConfig, SightError};

/// The exact method, with the half cells of its lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Exact {
    samples: u32,
    half_cells: Option<KnownHalfCells>,
}

/// Half cells with their parameters.
#[derive(Clone, Debug)]
struct KnownHalfCells {
    radius: u32,
    samples: u32,
    path: PathRule,
    table: HalfCellTable,
}

impl Exact {
    /// Sets the number of points a side.
    pub(super) fn with(&mut self, samples: u32) -> &mut Self {
        self.samples = samples;
        self
    }
}

impl Solver for Exact {
    fn solve(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        window: &mut Window,
        job: Job<'_>,
    ) -> Result<(), SightError> {
        Ok(trace(window, plan.radii.in_sight, config.path, self.samples, job)?)
    }

    fn solve_cell(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        _window: &mut Window,
        offset: IVec2,
    ) -> f32 {
        let depth = |cell: IVec2| depth_of(map.grid()[plan.viewer + cell]) * chord_scale(cell, config.path);
        LineTracer { depth, samples: self.samples as i32 }.mean_to(offset) as f32
    }

    fn half_cells(&mut self, config: &SightConfig, plan: &ViewPlan) -> Option<HalfCellTable> {
        let (radius, samples, path) = (plan.radii.in_sight, self.samples, config.path);
        let fits = |known: &KnownHalfCells| (known.samples, known.path) == (samples, path) && known.radius >= radius;
        let known = self.half_cells.take().filter(fits);
        let known = known.unwrap_or_else(|| KnownHalfCells {
            radius,
            samples,
            path,
            table: half_cell_table(radius, samples, path),
        });
        Some(self.half_cells.insert(known).table.clone())
    }
}

/// Computes the half cells of the lines to all cells within a radius.
pub(super) fn half_cell_table(radius: u32, samples: u32, path: PathRule) -> HalfCellTable {
    let column = |dx: u32| {
        let offsets = (0..=dx.min(half_width(radius, dx))).map(|dy| ivec2(dx as i32, dy as i32));
        offsets.map(|offset| (offset, half_cells(offset, samples, path))).collect()
    };
    let columns: Vec<Vec<_>> = (0..=radius).into_par_iter().map(column).collect();
    HalfCellTable::of_octant(radius, |set| {
        columns.into_iter().flatten().for_each(|(offset, half_cells)| set(offset, half_cells));
    })
}

/// Returns the half cells of the lines to a target at an offset.
pub(crate) fn half_cells(offset: IVec2, samples: u32, path: PathRule) -> HalfCells {
    let lengths = line_lengths(offset, samples, path);
    HalfCells::of_lines(offset, path, lengths.into_iter().map(|length| (1.0, length)))
}

/// Computes the visibility of every cell within `in_sight` into the window. Threads share the rows; the values do not depend on
/// their number.
fn trace(window: &mut Window, in_sight: u32, path: PathRule, samples: u32, job: Job<'_>) -> Result<(), Cancelled> {
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

/// Returns the optical depth of each cell within `in_sight` for a chord of one cell, infinite where there is no cell.
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

/// Returns the optical depth for a chord of one cell: −ln(1 − opacity), infinite for opacities of 1 and more.
pub(crate) fn depth_of(opacity: f32) -> f64 {
    if opacity < 1.0 { -libm::log1p(-f64::from(opacity)) } else { f64::INFINITY }
}

/// Returns the factor of a chord by the path rule, for a cell other than the viewer's: 1, or M/r.
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
    /// Returns the mean transmittance of the lines to all points of a cell.
    fn mean_to(&self, offset: IVec2) -> f64 {
        if offset == IVec2::ZERO {
            return 1.0;
        }
        let sum: f64 = points_of(offset, self.samples).map(|point| self.transmittance_to(point)).sum();
        sum / f64::from(self.samples * self.samples)
    }

    /// Returns the transmittance of the line to a point, given as in [`follow`].
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

/// Returns the points of a cell, as offsets from the viewer's centre in units of 1/(2 · samples) cells.
pub(crate) fn points_of(offset: IVec2, samples: i32) -> impl Iterator<Item = IVec2> {
    let n = samples;
    (0..n * n).map(move |i| offset * (2 * n) + ivec2(2 * (i % n) + 1 - n, 2 * (i / n) + 1 - n))
}

/// Returns the length in cells of the line to a point, given as in [`follow`].
pub(crate) fn length_of(point: IVec2, samples: i32) -> f64 {
    let (p, q) = (i64::from(point.x), i64::from(point.y));
    ((p * p + q * q) as f64).sqrt() / (2 * i64::from(samples)) as f64
}

/// Returns the length of each line to a cell between the cells of viewer and target, by the path rule.
fn line_lengths(offset: IVec2, samples: u32, path: PathRule) -> Vec<f64> {
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

/// Traces the line to a point, an offset from the viewer's centre in units of 1/(2 · samples) cells. Calls `visit` for each
/// cell between those of viewer and point, with its offset from the viewer and the fraction of the line in it, until
/// `visit` returns `false`.
///
/// The line enters the next column at (2a + 1) · samples along x, and the next row correspondingly along y. A comparison of
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

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use super::*;

    #[test]
    fn path_in_even_air_is_as_long_as_the_line() {
        for (dx, dy) in [(1, 0), (1, 1), (0, -7), (5, 5), (-9, 4), (30, 29), (0, 0)] {
            let (steps, r) = (f64::from(i32::max(i32::abs(dx), i32::abs(dy))), f64::hypot(dx.into(), dy.into()));
            let extra = if steps > 0.0 { r / steps - 1.0 } else { 0.0 };
            let between = (steps - 1.0).max(0.0);
            let raised = between * (1.0 + extra * between / steps.max(1.0));
            for (path, between, whole) in [(PathRule::PerLength, raised, r), (PathRule::PerCell, between, steps)] {
                let length = HalfCells::of_steps(ivec2(dx, dy), path).base;
                assert!((between + 2.0 * f64::from(length) - whole).abs() < 1e-4 * whole.max(1.0), "{dx},{dy}");
            }
            let lines = line_lengths(ivec2(dx, dy), 7, PathRule::PerLength);
            for depth in [0.05, 0.5, 2.0] {
                let mean = lines.iter().map(|length| (-depth * length).exp()).sum::<f64>() / lines.len() as f64;
                let log2 = (-2.0 * depth / LN_2) as f32;
                let half_cells = half_cells(ivec2(dx, dy), 7, PathRule::PerLength);
                let seen = mean * f64::from(half_cells.transmittance(log2));
                let law = (-depth * r).exp();
                assert!((seen - law).abs() < 0.01 * law, "{dx},{dy}, {depth}: {seen}, not {law}");
            }
        }
    }
}
