//! The exact grade: one line to the centre of every cell, over the bilinear surface between cell centres.
//!
//! A [`line`] crosses patches between four cell centres. In each, its height over the eye is a quadratic a + b t + c t² (with
//! curvature), where t is 0 at the eye and 1 at the target, and the slope of the ground is a/t + b + c t: greatest at an
//! end of the patch, or at √(a/c) if a and c are below 0. Nothing is sampled. The patch next to the eye counts too, from the
//! eye on; only the way to a cell of the first ring is free by convention. A patch with a cell without data is a gap.
//!
//! This is the definition, and how a single cell is computed. For all cells of a disc it would take R steps a cell. But most
//! cells are far above or below their horizon: [`sectors`] bound the horizons of all lines between two directions from both
//! sides, for many lines at once. Where the bounds do not decide, they tell on which rings the line can be highest, and
//! the line is followed there only. The values are those of the whole line, to the bit.

mod line;
mod octant;
mod sectors;

use std::sync::atomic::{AtomicUsize, Ordering};

use fearless_simd::Level;
use glam::IVec2;

use self::line::Line;
pub(super) use self::octant::ExactOctants;
use self::octant::OctantSweep;
use super::canopy_line;
use super::canopy_state::transmittance;
use super::clipped_disc::ClippedDisc;
use super::surface_terms::{Quantity, SurfaceTerms};
use crate::grid::AlignedGrid;
use crate::job::{Cancelled, Job};
use crate::parallel::*;
use crate::simd::dispatch;

/// Writes a quantity of every cell in sight except the viewer's.
pub(super) fn trace(
    terms: &SurfaceTerms<'_>,
    disc: &ClippedDisc,
    octants: &mut ExactOctants,
    quantity: Quantity,
    out: &mut AlignedGrid,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    octants.fit(disc);
    let (rings, done) = (octants.rings(), AtomicUsize::new(0));
    job.report("lines of sight", 0.0)?;
    octants.octants.par_chunks_mut(1).enumerate().try_for_each(|(_, octant)| {
        let mut sweep = OctantSweep::new(terms, disc, quantity, &mut octant[0]);
        let progress = |sweep_rings: usize| {
            let done = done.fetch_add(sweep_rings, Ordering::Relaxed) + sweep_rings;
            job.report("lines of sight", done as f32 / rings as f32)
        };
        dispatch!(Level::new(), _simd => sweep.run(progress))
    })?;
    octants.write(disc, out);
    Ok(())
}

/// Returns a quantity of the cell at an offset from the viewer's, which must be another cell on the map.
pub(super) fn evaluate(terms: &SurfaceTerms<'_>, offset: IVec2, quantity: Quantity) -> f32 {
    evaluate_below(terms, offset, quantity, Line::new(terms, offset).horizon())
}

/// Returns a quantity of the cell at an offset from the viewer's, behind a horizon in metres over the eye at the cell.
fn evaluate_below(terms: &SurfaceTerms<'_>, offset: IVec2, quantity: Quantity, horizon: f64) -> f32 {
    let target = target(terms, offset);
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

/// Returns the height of a target over the eye, less what curvature takes; NaN without data.
fn target(terms: &SurfaceTerms<'_>, offset: IVec2) -> f64 {
    let ground = f64::from(terms.ground[terms.viewer + offset]);
    ground - terms.eye - terms.drop * terms.squared(offset) + f64::from(terms.target_height)
}

#[cfg(test)]
mod tests;
