//! The exact grade, the slow reference: one line to the centre of every cell, over the bilinear surface between cell centres.
//!
//! A line crosses patches between four cell centres. In each, its height over the eye is a quadratic a + b t + c t² (with
//! curvature), where t is 0 at the eye and 1 at the target, and the slope of the ground is a/t + b + c t: greatest at an
//! end of the patch, or at √(a/c) if a and c are below 0. Nothing is sampled. The patch next to the eye counts too, from the
//! eye on; only the way to a cell of the first ring is free by convention. A patch with a cell without data is a gap.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{IVec2, ivec2};

use super::canopy_line;
use super::canopy_state::transmittance;
use super::clipped_disc::ClippedDisc;
use super::ring_terms::NO_HORIZON;
use super::surface_terms::{Quantity, SurfaceTerms};
use crate::grid::AlignedGrid;
use crate::job::{Cancelled, Job};
use crate::parallel::*;

/// Writes a quantity of every cell in sight except the viewer's.
pub(super) fn trace(
    terms: &SurfaceTerms<'_>,
    disc: &ClippedDisc,
    quantity: Quantity,
    out: &mut AlignedGrid,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    let (stride, middle) = (out.stride(), out.width() / 2);
    let (rows, done) = (disc.up + disc.down + 1, AtomicUsize::new(0));
    job.report("lines of sight", 0.0)?;
    let window = out.index_of(0, middle - disc.up)..out.index_of(out.width(), middle + disc.down);
    let window = out.values_mut()[window].par_chunks_mut(stride);
    window.enumerate().try_for_each(|(row, out)| {
        let dy = row as i32 - disc.up as i32;
        let width = disc.half_widths[dy.unsigned_abs() as usize];
        for dx in -(width.min(disc.left) as i32)..=width.min(disc.right) as i32 {
            if (dx, dy) != (0, 0) {
                out[(middle as i32 + dx) as usize] = evaluate(terms, ivec2(dx, dy), quantity);
            }
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        job.report("lines of sight", done as f32 / rows as f32)
    })
}

/// Returns a quantity of the cell at an offset from the viewer's, which must be another cell on the map.
pub(super) fn evaluate(terms: &SurfaceTerms<'_>, offset: IVec2, quantity: Quantity) -> f32 {
    let target = over_eye(terms, terms.viewer + offset, terms.squared(offset)) + f64::from(terms.target_height);
    let horizon = horizon(terms, offset);
    let clearance = (target - horizon) as f32;
    match quantity {
        Quantity::Clearance => clearance,
        Quantity::Visibility if terms.cover.is_none() => terms.visibility(clearance),
        Quantity::Visibility => {
            let depth = canopy_line::depth(terms, offset, target.max(horizon), f64::INFINITY);
            terms.visibility(clearance) * transmittance(depth)
        }
    }
}

/// Returns the height of a cell over the eye, less what curvature takes at a squared distance; NaN without data.
fn over_eye(terms: &SurfaceTerms<'_>, cell: IVec2, squared: f64) -> f64 {
    f64::from(terms.ground[cell]) - terms.eye - terms.drop * squared
}

/// Returns the slope of the horizon on the way to a cell, as metres over the eye at the cell; [`NO_HORIZON`] if nothing is
/// in the way.
fn horizon(terms: &SurfaceTerms<'_>, offset: IVec2) -> f64 {
    let (step, [p, q]) = (offset.signum(), offset.abs().to_array().map(i64::from));
    let mut highest = f64::from(NO_HORIZON);
    if p.max(q) == 1 {
        return highest;
    }
    // The columns and rows that were crossed. The next column is at t = (a + 1)/p, the next row at (b + 1)/q.
    let (mut a, mut b) = (0, 0);
    let mut entered = 0.0;
    while (a, b) != (p, q) {
        let (column, row) = ((a + 1) * q, (b + 1) * p);
        let to_column = q == 0 || (p != 0 && column <= row);
        let to_row = p == 0 || (q != 0 && row <= column);
        let leaves = if to_column { (a + 1) as f64 / p as f64 } else { (b + 1) as f64 / q as f64 };
        let corner = terms.viewer + step * ivec2(a as i32, b as i32);
        let over = Patch { corner, step, at: [a, b], size: [p, q] }.along(terms, offset);
        a += i64::from(to_column);
        b += i64::from(to_row);
        let ends = [(entered, entered > 0.0), (leaves, (a, b) != (p, q))];
        for (t, counts) in ends {
            let slope = over.at(t) / t;
            if counts && slope > highest {
                highest = slope;
            }
        }
        if over.a < 0.0 && over.c < 0.0 {
            let t = (over.a / over.c).sqrt();
            let slope = over.at(t) / t;
            if entered < t && t < leaves && slope > highest {
                highest = slope;
            }
        }
        // An eye on the ground: the slope falls from b at the eye.
        if entered == 0.0 && over.a == 0.0 && over.c < 0.0 && over.b > highest {
            highest = over.b;
        }
        entered = leaves;
    }
    highest
}

/// The surface between four cell centres, or two if a line runs along a row or column.
struct Patch {
    /// The corner nearest the viewer.
    corner: IVec2,
    step: IVec2,
    /// Its cells from the viewer, without signs.
    at: [i64; 2],
    /// The cells from the viewer to the target, without signs.
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
    /// Returns the height over the eye along the line.
    fn along(&self, terms: &SurfaceTerms<'_>, offset: IVec2) -> Quadratic {
        let height = |x: i32, y: i32| f64::from(terms.ground[self.corner + self.step * ivec2(x, y)]);
        let [along_x, along_y] = self.size.map(|cells| i32::from(cells != 0));
        let origin = height(0, 0);
        let by_x = height(along_x, 0) - origin;
        let by_y = height(0, along_y) - origin;
        let by_both = height(along_x, along_y) - origin - by_x - by_y;
        // Relative to the corner, the line is at (p t − a, q t − b).
        let ([p, q], [a, b]) = (self.size.map(|v| v as f64), self.at.map(|v| v as f64));
        let squared = terms.squared(offset);
        Quadratic {
            a: origin - terms.eye - by_x * a - by_y * b + by_both * a * b,
            b: by_x * p + by_y * q - by_both * (p * b + q * a),
            c: by_both * p * q - terms.drop * squared,
        }
    }
}
