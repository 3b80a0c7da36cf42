//! [`RingTerms`]: what all cells of a ring have in common.

use super::canopy_line::half_share;
use super::canopy_state::CanopyState;
use super::surface_terms::{CanopyTerms, SquaredSides, SurfaceTerms};

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
    pub(super) fn new(terms: &SurfaceTerms<'_>, sides: SquaredSides, m: usize) -> Self {
        let steps = m as f64;
        let inverse = 1.0 / m as f32;
        Self {
            m: m as f32,
            inverse,
            base: (terms.eye + terms.drop * sides.along * steps * steps) as f32,
            target: terms.target_height * inverse,
        }
    }

    /// Returns the metres of a target above the horizon, from the slopes of both.
    #[inline(always)]
    pub(super) fn clearance(&self, target: f32, horizon: f32) -> f32 {
        (target - horizon) * self.m
    }

    /// Returns the slope of the top of a cell's canopy, or [`NO_HORIZON`] without canopy.
    #[inline(always)]
    pub(super) fn top_slope(&self, canopy: CanopyTerms, cover: f32, rise: f32) -> f32 {
        let slope = (rise + canopy.height * (cover * cover)) * self.inverse;
        if cover > 0.0 { slope } else { NO_HORIZON }
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

/// The canopy on the lines of sight to the cells of a ring.
#[derive(Clone, Copy)]
pub(super) struct RingCanopy {
    ring: RingTerms,
    canopy: CanopyTerms,
    sides: SquaredSides,
    /// Cover of the viewer's cell.
    own_cover: f32,
    /// The top of its canopy over the eye, in metres.
    own_excess: f32,
}

/// The optical depth of the canopy on a line of sight, from the state that is carried along the rings.
#[derive(Clone, Copy, Default)]
pub(super) struct CanopyEstimate {
    pub(super) depth: f32,
    /// Metres of the line over the eye at its target.
    pub(super) end: f32,
    /// `true` if the line itself may have another depth: then [`canopy_line`](super::canopy_line) reads it.
    pub(super) is_unsure: bool,
}

/// Canopy of this depth leaves too little light, 0.001, for its differences to count. Lines that are read have at most this
/// depth.
pub(super) const DARK_DEPTH: f32 = 7.0;

/// Less canopy than this, in cells of full cover, hardly dims. It is no depth, so that more extinction never reads fewer lines.
const CLEAR_CELLS: f32 = 0.01;

/// Tops that are this share of the canopy's height below a line may be above the line to the next cell.
const TOP_MARGIN: f32 = 0.5;

/// A target of less visibility over the ground is nearly hidden, whatever its canopy.
pub(super) const LEAST_VISIBILITY: f32 = 1.0 / 256.0;

impl RingCanopy {
    pub(super) fn new(terms: &SurfaceTerms<'_>, sides: SquaredSides, ring: RingTerms) -> Self {
        let cover = terms.cover.map_or(0.0, |cover| cover[terms.viewer].max(0.0)); // NaN becomes 0
        let over_eye = (f64::from(terms.ground[terms.viewer]) - terms.eye) as f32;
        let own_excess = over_eye + terms.canopy.height * (cover * cover);
        Self { ring, canopy: terms.canopy, sides, own_cover: cover, own_excess }
    }

    /// Returns the estimate for a target of a slope behind a horizon. `highest` is the greatest slope of the tops on the way,
    /// `slant` is m/M of the line on the map; `rise` and `cover` are those of the target's cell.
    #[inline(always)]
    pub(super) fn estimate(
        &self,
        state: CanopyState,
        [target, horizon, highest]: [f32; 3],
        slant: f32,
        rise: f32,
        cover: f32,
    ) -> CanopyEstimate {
        let excess = target - horizon;
        let excess = if excess > 0.0 { excess } else { 0.0 }; // NaN becomes 0
        let end = horizon + excess;
        let cover = if cover > 0.0 { cover } else { 0.0 };
        let top = (rise + self.canopy.height * (cover * cover)) - end * self.ring.m;
        let ends = half_share(self.own_excess, end) * self.own_cover + half_share(top, -end) * cover;
        let length = self.canopy.length(self.sides, slant);
        let between = state.depth_above(excess) * length;
        let depth = between + self.canopy.depth * ends * length;
        let may_count = (between > CLEAR_CELLS * self.canopy.depth)
            | ((highest - end) * self.ring.m > -TOP_MARGIN * self.canopy.height);
        CanopyEstimate { depth, end: end * self.ring.m, is_unsure: may_count & (depth < DARK_DEPTH) }
    }
}
