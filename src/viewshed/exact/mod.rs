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

mod cell_value;
mod line;
mod octant;
mod sectors;

use std::sync::atomic::{AtomicUsize, Ordering};

use fearless_simd::Level;

pub(super) use self::cell_value::evaluate;
pub(super) use self::octant::ExactOctants;
use self::octant::OctantSweep;
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

#[cfg(test)]
mod tests;
