//! [`RingTerms`]: what all cells of a ring have in common.

use super::canopy_state::{CanopyState, transmittance};
use super::surface_terms::{CanopyTerms, SurfaceTerms};

/// The slope of a horizon before anything blocks: far below any other, and finite, so that it can be interpolated.
pub(super) const NO_HORIZON: f32 = -1e30;

/// The terms of one ring. Slopes are in metres per ring.
#[derive(Clone, Copy)]
pub(super) struct RingTerms {
    /// The number of the ring, M.
    pub(super) m: f32,
    /// 1 / M.
    pub(super) inverse: f32,
    /// Elevation of the eye, plus what curvature takes on the axis.
    pub(super) base: f32,
    /// Slope that the height of the target adds.
    pub(super) target: f32,
}

impl RingTerms {
    pub(super) fn new(terms: &SurfaceTerms<'_>, m: usize) -> Self {
        let steps = m as f64;
        let inverse = 1.0 / m as f32;
        Self {
            m: m as f32,
            inverse,
            base: (terms.eye + terms.drop * steps * steps) as f32,
            target: terms.target_height * inverse,
        }
    }

    /// Returns the metres of a target above the horizon, from the slopes of both.
    #[inline(always)]
    pub(super) fn clearance(&self, target: f32, horizon: f32) -> f32 {
        (target - horizon) * self.m
    }

    /// Returns a canopy with that of one more cell, whose ground is `rise` metres above the eye.
    #[inline(always)]
    pub(super) fn with_cell(
        &self,
        state: CanopyState,
        canopy: CanopyTerms,
        cover: f32,
        rise: f32,
        horizon: f32,
    ) -> CanopyState {
        let top = (rise + canopy.height * (cover * cover)) * self.inverse;
        state.with(canopy.depth * cover, top - horizon)
    }
}

/// Returns the transmittance of the canopy on the line to a target whose slope is `excess` above that of the horizon.
/// `slant` is m/M of the line on the map.
#[inline(always)]
pub(super) fn canopy_transmittance(state: CanopyState, excess: f32, slant: f32, canopy: CanopyTerms) -> f32 {
    let excess = if excess > 0.0 { excess } else { 0.0 };
    let length = if canopy.per_length { (1.0 + slant * slant).sqrt() } else { 1.0 };
    transmittance(state.depth_above(excess) * length)
}
