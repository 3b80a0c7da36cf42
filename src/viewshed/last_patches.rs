//! [`LastPatches`]: the bilinear patches next to cells, which can hide them though their edges do not.

use super::divide_multiples::BATCH;
use super::ring_terms::{NO_HORIZON, RingTerms};

/// The elevations of the corners of the patches that the lines to some cells cross last.
///
/// ```text
///   ring M       near ---- own     The line to a cell ends at `own`. On the last ring of its way it is in one bilinear patch,
///                 |      / |       whose surface can be higher than the line though its edges are lower.
///   ring M - 1  inner_near - inner
/// ```
pub(super) struct LastPatches {
    pub(super) own: [f32; BATCH],
    pub(super) near: [f32; BATCH],
    pub(super) inner: [f32; BATCH],
    pub(super) inner_near: [f32; BATCH],
}

impl LastPatches {
    /// Returns the greatest height of a patch over the line to the ground of its cell, extended to the cell, in metres;
    /// [`NO_HORIZON`] if the line is not below the inside of the patch. `rise` is that of the cell over the eye, `curve` what
    /// curvature takes of it.
    ///
    /// p rings before the cell at m, with s = `aside`/m, the surface is rise + p L + p² s K + curvature above the eye. The line
    /// to the cell continued over that point is p (d + g p) / (m - p) metres above the cell, with d = rise + m L + 2 curve and
    /// g = aside K - curve/m, which is greatest at p = m u / (1 + √(1 - u)), u = -d / (g m), if d > 0 and g < 0.
    #[inline(always)]
    pub(super) fn bulge(&self, i: usize, ring: &RingTerms, aside: f32, rise: f32, curve: f32) -> f32 {
        let (own, near, inner, inner_near) = (self.own[i], self.near[i], self.inner[i], self.inner_near[i]);
        let twist = (own + inner_near) - (inner + near);
        let d = rise + ((inner - own) * ring.m + (near - own) * aside) + 2.0 * curve;
        let g = aside * twist - curve * ring.inverse;
        let u = -d / (g * ring.m);
        let p = ring.m * u / (1.0 + (1.0 - u).sqrt());
        let bulge = p * (d + g * p) / (ring.m - p);
        if (d > 0.0) & (g < 0.0) & (p < 1.0) { bulge } else { NO_HORIZON } // also for NaN
    }
}
