//! The exact grade, slow: one line to the middle of every cell, over the bilinear surface between the middles of cells.
//!
//! On its way a line crosses patches between four cells. In each the height along it is a quadratic a + b t + c t² over
//! the eye (curvature is one, too), with t from 0 at the eye to 1 at the target, and the slope of what it meets is
//! a/t + b + c t: greatest at an end of the patch, or at √(a/c) where a and c are below 0. Nothing is sampled. Up to the
//! first crossing nothing blocks; a patch with a cell without data is a gap.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{IVec2, ivec2};
use rayon::prelude::*;

use super::surface::Sight;
use super::viewshed::Show;
use super::wedge::Disc;
use super::woods::left;
use crate::grid::AlignedGrid;
use crate::job::{Cancelled, Job};

/// Writes what is shown of every cell in sight but the viewer's.
pub(super) fn trace(
    sight: &Sight<'_>,
    disc: &Disc,
    show: Show,
    out: &mut AlignedGrid,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    let (stride, middle) = (out.stride(), out.width() / 2);
    let (rows, done) = (disc.up + disc.down + 1, AtomicUsize::new(0));
    job.report("lines over hills", 0.0)?;
    let window = out.index_of(0, middle - disc.up)..out.index_of(out.width(), middle + disc.down);
    let window = out.values_mut()[window].par_chunks_mut(stride);
    window.enumerate().try_for_each(|(row, out)| {
        let dy = row as i32 - disc.up as i32;
        let width = disc.widths[dy.unsigned_abs() as usize];
        for dx in -(width.min(disc.left) as i32)..=width.min(disc.right) as i32 {
            if (dx, dy) != (0, 0) {
                out[(middle as i32 + dx) as usize] = shown(sight, ivec2(dx, dy), show);
            }
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        job.report("lines over hills", done as f32 / rows as f32)
    })
}

fn shown(sight: &Sight<'_>, offset: IVec2, show: Show) -> f32 {
    let target = over_eye(sight, sight.viewer + offset, offset.length_squared().into()) + f64::from(sight.target);
    let horizon = horizon(sight, offset);
    let clearance = (target - horizon) as f32;
    match show {
        Show::Clearance => clearance,
        Show::Visibility if sight.cover.is_none() => sight.left(clearance),
        Show::Visibility => sight.left(clearance) * woods_leave(sight, offset, target.max(horizon)),
    }
}

/// Height of a cell over the eye, with what curvature takes at a squared distance in cells; NaN without data.
fn over_eye(sight: &Sight<'_>, cell: IVec2, squared: f64) -> f64 {
    f64::from(sight.ground[cell]) - sight.eye - sight.drop * squared
}

/// The slope of the horizon on the way to a cell, as metres over the eye at the cell; far below where nothing is in the
/// way.
fn horizon(sight: &Sight<'_>, offset: IVec2) -> f64 {
    let (step, [p, q]) = (offset.signum(), offset.abs().to_array().map(i64::from));
    let mut highest = f64::from(crate::viewshed::reference_plane::NOTHING);
    // Columns and rows that were crossed. The next crossing is of a column at (a + 1)/p, or a row at (b + 1)/q.
    let (mut a, mut b) = (0, 0);
    let mut entered = 0.0;
    while (a, b) != (p, q) {
        let (column, row) = ((a + 1) * q, (b + 1) * p);
        let to_column = q == 0 || (p != 0 && column <= row);
        let to_row = p == 0 || (q != 0 && row <= column);
        let leaves = if to_column { (a + 1) as f64 / p as f64 } else { (b + 1) as f64 / q as f64 };
        let corner = sight.viewer + step * ivec2(a as i32, b as i32);
        let over = Patch { corner, step, at: [a, b], size: [p, q] }.along(sight, offset);
        a += i64::from(to_column);
        b += i64::from(to_row);
        let ends = [(entered, entered > 0.0), (leaves, (a, b) != (p, q))];
        for (t, counts) in ends {
            let slope = over.at(t) / t;
            if counts && slope > highest {
                highest = slope;
            }
        }
        if entered > 0.0 && over.a < 0.0 && over.c < 0.0 {
            let t = (over.a / over.c).sqrt();
            let slope = over.at(t) / t;
            if entered < t && t < leaves && slope > highest {
                highest = slope;
            }
        }
        entered = leaves;
    }
    highest
}

/// The piece of surface between four cells, or two where a line runs along a row or column.
struct Patch {
    /// The corner nearest the viewer.
    corner: IVec2,
    step: IVec2,
    /// Where that is, in cells from the viewer.
    at: [i64; 2],
    /// How far the target is.
    size: [i64; 2],
}

/// a + b t + c t².
struct Quadratic {
    a: f64,
    b: f64,
    c: f64,
}

impl Quadratic {
    fn at(&self, t: f64) -> f64 {
        self.a + t * (self.b + t * self.c)
    }
}

impl Patch {
    /// The height along the line over the eye.
    fn along(&self, sight: &Sight<'_>, offset: IVec2) -> Quadratic {
        let height = |x: i32, y: i32| f64::from(sight.ground[self.corner + self.step * ivec2(x, y)]);
        let [along_x, along_y] = self.size.map(|cells| i32::from(cells != 0));
        let origin = height(0, 0);
        let by_x = height(along_x, 0) - origin;
        let by_y = height(0, along_y) - origin;
        let by_both = height(along_x, along_y) - origin - by_x - by_y;
        // From the corner the line is at p t − a and q t − b.
        let ([p, q], [a, b]) = (self.size.map(|v| v as f64), self.at.map(|v| v as f64));
        let squared = f64::from(offset.length_squared());
        Quadratic {
            a: origin - sight.eye - by_x * a - by_y * b + by_both * a * b,
            b: by_x * p + by_y * q - by_both * (p * b + q * a),
            c: by_both * p * q - sight.drop * squared,
        }
    }
}

/// What woods leave of the line to a cell, which it reaches so many metres over the eye.
fn woods_leave(sight: &Sight<'_>, offset: IVec2, over_eye_there: f64) -> f32 {
    let Some(cover) = sight.cover else { return 1.0 };
    let steps = offset.abs().max_element();
    let mut depth = 0.0;
    for m in 1..steps {
        let t = f64::from(m) / f64::from(steps);
        let line = over_eye_there * t;
        // Where the line crosses the ring: a cell, and the next at `rest`/steps.
        let crossing = offset * m;
        let (near, rest) = (crossing / steps, crossing % steps);
        let next = near + rest.signum();
        let share = f64::from(rest.abs().max_element()) / f64::from(steps);
        let squared = f64::from(offset.length_squared()) * t * t;
        let between = |value: &dyn Fn(IVec2) -> f64| {
            let here = value(sight.viewer + near);
            if share > 0.0 { here + (value(sight.viewer + next) - here) * share } else { here }
        };
        let covered = |cell: IVec2| f64::from(cover[cell].max(0.0)); // NaN is nothing
        let top =
            between(&|cell| over_eye(sight, cell, squared) + f64::from(sight.canopy.height) * covered(cell).powi(2));
        if top > line {
            depth += f64::from(sight.canopy.depth) * between(&covered);
        }
    }
    let slant = offset.as_dvec2().length() / f64::from(steps);
    left((depth * if sight.canopy.per_length { slant } else { 1.0 }) as f32)
}
