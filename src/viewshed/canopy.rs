//! Canopy on lines of sight: the transmittance of woods.
//!
//! The transmittance of s metres of wood at an extinction ε is exp(−ε s) (Beer and Lambert), where the line is below
//! the tops of its trees. ε s is the optical depth. [`canopy_depth`] computes it along the line to a cell; it is the
//! definition. The reference plane carries a [`CanopyState`] from ring to ring instead, and computes only the lines for
//! which the [`RingCanopy`] is uncertain: several at a time, by [`canopy_lines`](super::canopy_lines).
//!
//! # The canopy above the horizon
//!
//! A line of sight to a target has some slope, and only canopy whose top is above that line dims it. A line to a visible
//! target never runs below the horizon, and the horizon only rises, so canopy below it has no effect. The state that is
//! carried along a line is the canopy above the horizon: its optical depth D, and the mean (e) and maximum (c) excess
//! of its tops over the horizon. The full distribution of the tops is not stored; instead the depth above a line at the
//! fraction y of c over the horizon is modelled as
//!
//! ```text
//! D (1 − y) / (1 + u y)       u = −1: all tops have one height; u = 0: they are evenly distributed; u > 0: few high tops
//!                             before many low ones. 1 + u = (c/e − 1)^1.5 gives the right mean within a few percent.
//! ```
//!
//! The model is exact for a level canopy, whose tops sink as 1/distance, and for a single row of trees. It keeps its form
//! when the horizon rises, at once or in small steps.

use glam::{IVec2, ivec2};

use super::surface::{CanopyTerms, SquaredSides, SurfaceTerms};
use crate::math::{exp2, log2};

/// Returns the optical depth of the canopy on the line to a cell at an offset from the viewer's, where the line is `end`
/// metres over the eye: at most `limit`.
///
/// The line reads ground and cover where it crosses a ring, between two cells; a ring counts if the top of its canopy is above
/// the line. Half of the cells of viewer and target belongs to the line, or the part of this half that is below the top
/// over level ground.
pub(super) fn canopy_depth(terms: &SurfaceTerms<'_>, offset: IVec2, end: f64, limit: f64) -> f32 {
    let Some(cover) = terms.cover else { return 0.0 };
    let covered = |cell: IVec2| f64::from(cover[cell].max(0.0)); // NaN becomes 0
    let ground = |cell: IVec2| f64::from(terms.ground[cell]) - terms.eye;
    let height = f64::from(terms.canopy.height);
    let size = offset.abs();
    let (steps, aside) = (size.max_element(), size.min_element());
    let (across, up) = (ivec2(offset.x.signum(), 0), ivec2(0, offset.y.signum()));
    let (outwards, sideways) = if size.x >= size.y { (across, up) } else { (up, across) };
    let (inverse, squared) = (1.0 / f64::from(steps), terms.squared(offset));
    let (slope, drop) = (end * inverse, terms.drop * squared * inverse * inverse);
    let slant = if terms.canopy.per_length { squared.sqrt() * inverse } else { terms.canopy.mean.into() };
    let unit = f64::from(terms.canopy.depth) * slant;

    let (own, last) = (covered(terms.viewer), covered(terms.viewer + offset));
    let own_crown = crown(&terms.canopy, ground(terms.viewer), own);
    let last_ground = ground(terms.viewer + offset) - terms.drop * squared;
    let last_crown = crown(&terms.canopy, last_ground, last);
    let ends = crown_share(own_crown.map(|excess| excess as f32), slope as f32) * terms.canopy.density(own as f32)
        + crown_share(last_crown.map(|excess| (excess - end) as f32), -slope as f32)
            * terms.canopy.density(last as f32);
    let mut sum = f64::from(ends);
    // The line crosses ring m between the cell `near` and the next, at the fraction `rest`/steps.
    let crossing = aside * (steps - 1).max(0);
    let (mut row, mut rest) = (crossing / steps, crossing % steps);
    for m in (1..steps).rev() {
        let near = terms.viewer + outwards * m + sideways * row;
        let next = if rest > 0 { near + sideways } else { near };
        let (near_cover, next_cover) = (covered(near), covered(next));
        if near_cover > 0.0 || next_cover > 0.0 {
            let share = f64::from(rest) * inverse;
            let between = |near: f64, next: f64| near + (next - near) * share;
            let rise = between(ground(near), ground(next));
            let [near_power, next_power] = [near_cover, next_cover].map(|cover| terms.canopy.power(cover));
            let canopy = between(near_power, next_power);
            let trunk =
                between(terms.canopy.trunk_below(height * near_power), terms.canopy.trunk_below(height * next_power));
            let ring = f64::from(m);
            let over_line = rise - drop * ring * ring;
            let is_below_crown = trunk > 0.0 && over_line + trunk > slope * ring;
            if over_line + height * canopy > slope * ring && !is_below_crown {
                let density = |cover: f64| f64::from(terms.canopy.density(cover as f32));
                sum += between(density(near_cover), density(next_cover));
                if sum * unit >= limit {
                    break;
                }
            }
        }
        rest -= aside;
        if rest < 0 {
            rest += steps;
            row -= 1;
        }
    }
    (sum * unit).min(limit) as f32
}

/// Returns the fraction of the first or last cell that belongs to a line, at most ½. `excess` is the height
/// of the canopy's top above the end of the line, `rise` the metres by which the line rises per ring away from this end.
#[inline(always)]
pub(super) fn half_share(excess: f32, rise: f32) -> f32 {
    let whole = 0.5 * rise;
    let share = excess / if whole > 1e-6 { whole } else { 1e-6 };
    let share = if share > 0.0 { share } else { 0.0 }; // NaN becomes 0
    0.5 * if share < 1.0 { share } else { 1.0 }
}

/// Returns the heights of top and bottom of the crown of a cell, from that of its ground. Without trunks there is no bottom.
#[inline(always)]
pub(super) fn crown(canopy: &CanopyTerms, ground: f64, cover: f64) -> [f64; 2] {
    let top = f64::from(canopy.height) * canopy.power(cover);
    let trunk = canopy.trunk_below(top);
    [ground + top, if trunk > 0.0 { ground + trunk } else { f64::NEG_INFINITY }]
}

/// Returns the fraction of the first or last cell in which a line is in the crown, at most ½; see [`half_share`].
#[inline(always)]
pub(super) fn crown_share([top, bottom]: [f32; 2], rise: f32) -> f32 {
    half_share(top, rise) - half_share(bottom, rise)
}

/// Canopy above the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CanopyState {
    /// Optical depth per ring crossed straight, D.
    pub(super) depth: f32,
    /// D e, in metres per ring.
    pub(super) moment: f32,
    /// D c, in metres per ring.
    pub(super) reach: f32,
}

/// Prevents 0 / 0; far below any excess.
const EPSILON: f32 = 1e-30;

/// The maximum of 1 + u.
const MAX_SPREAD: f32 = 1e4;

impl CanopyState {
    /// Returns c/e − 1.
    #[inline(always)]
    fn excess_ratio(self) -> f32 {
        let above = self.reach - self.moment;
        (if above > 0.0 { above } else { 0.0 }) / (self.moment + EPSILON)
    }

    /// Returns y for a line at `rise` over the horizon, and 1 + u y.
    #[inline(always)]
    fn share_and_divisor(self, rise: f32) -> (f32, f32) {
        let ratio = self.excess_ratio();
        let spread = ratio * ratio.sqrt();
        let spread = if spread < MAX_SPREAD { spread } else { MAX_SPREAD };
        let y = (self.depth * rise) / (self.reach + EPSILON);
        let y = if y < 1.0 { y } else { 1.0 };
        (y, (1.0 - y) + spread * y + EPSILON)
    }

    /// Returns the depth above a line at `rise` over the horizon, in metres per ring: 0 or more.
    #[inline(always)]
    fn depth_above(self, rise: f32) -> f32 {
        let (y, divisor) = self.share_and_divisor(rise);
        self.depth * ((1.0 - y) / divisor)
    }

    /// Returns the state after the horizon has risen by `rise`.
    #[inline(always)]
    pub(super) fn above(self, rise: f32) -> Self {
        let (y, divisor) = self.share_and_divisor(rise);
        let left = (1.0 - y) / divisor;
        let reach = self.reach * (left * (1.0 - y));
        // 1 + u becomes (1 + u) / (1 + u y), hence c/e − 1 becomes its power of 2/3.
        let ratio = self.excess_ratio() * exp2(log2(divisor) * (-2.0 / 3.0));
        Self { depth: self.depth * left, moment: reach / (1.0 + ratio), reach }
    }

    /// Returns the state with the canopy of an additional cell, whose top is `excess` over the horizon; below 0 it adds
    /// nothing.
    #[inline(always)]
    pub(super) fn with(self, depth: f32, excess: f32) -> Self {
        let counts = excess > 0.0 && depth > 0.0; // false for NaN
        let (depth, excess) = if counts { (depth, excess) } else { (0.0, 0.0) };
        let whole = self.depth + depth;
        let highest = excess * whole;
        let reach = self.reach + self.reach * (depth / (self.depth + EPSILON));
        Self {
            depth: whole,
            moment: self.moment + depth * excess,
            reach: if highest > reach { highest } else { reach },
        }
    }

    /// Interpolates between this state and the next, at a fraction.
    #[inline(always)]
    pub(super) fn lerp(self, next: Self, share: f32) -> Self {
        Self {
            depth: self.depth + (next.depth - self.depth) * share,
            moment: self.moment + (next.moment - self.moment) * share,
            reach: self.reach + (next.reach - self.reach) * share,
        }
    }
}

/// Returns the transmittance of an optical depth.
#[inline(always)]
pub(super) fn transmittance(depth: f32) -> f32 {
    exp2(depth * -std::f32::consts::LOG2_E)
}

/// The canopy on the lines of sight to the cells of a ring.
#[derive(Clone, Copy)]
pub(super) struct RingCanopy {
    /// The number of the ring, M.
    m: f32,
    canopy: CanopyTerms,
    sides: SquaredSides,
    /// Density of the viewer's cell.
    own_density: f32,
    /// The top of its canopy over the eye, in metres.
    own_excess: f32,
}

/// The optical depth of the canopy on a line of sight, from the state that is carried along the rings.
#[derive(Clone, Copy, Default)]
pub(super) struct CanopyEstimate {
    pub(super) depth: f32,
    /// Metres of the line over the eye at its target.
    pub(super) end: f32,
    /// `true` if the depth of the line itself may differ: then the line is computed.
    pub(super) is_unsure: bool,
}

/// Canopy of this depth transmits too little light, 0.001, for differences to matter. The depth of computed lines is
/// limited to this value.
pub(super) const DARK_DEPTH: f32 = 7.0;

/// Canopy below this value, in cells of full cover, hardly dims. It is not a depth, so that more extinction never
/// computes fewer lines.
const CLEAR_CELLS: f32 = 0.01;

/// Tops that are this fraction of the canopy's height below a line may be above the line to the next cell.
const TOP_MARGIN: f32 = 0.5;

/// A target with a lower visibility over the ground is nearly hidden, with any canopy.
pub(super) const LEAST_VISIBILITY: f32 = 1.0 / 256.0;

impl RingCanopy {
    pub(super) fn new(terms: &SurfaceTerms<'_>, sides: SquaredSides, m: f32) -> Self {
        let cover = terms.cover.map_or(0.0, |cover| cover[terms.viewer].max(0.0)); // NaN becomes 0
        let over_eye = (f64::from(terms.ground[terms.viewer]) - terms.eye) as f32;
        let own_excess = over_eye + terms.canopy.height * terms.canopy.power_f32(cover);
        Self { m, canopy: terms.canopy, sides, own_density: terms.canopy.density(cover), own_excess }
    }

    /// Returns the estimate for a target of a slope behind a horizon. `highest` is the maximum slope of the tops along
    /// the line, `slant` is m/M of the line on the map; `rise` and `cover` are those of the target's cell.
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
        let top = (rise + self.canopy.height * self.canopy.power_f32(cover)) - end * self.m;
        let ends =
            half_share(self.own_excess, end) * self.own_density + half_share(top, -end) * self.canopy.density(cover);
        let length = self.canopy.length(self.sides, slant);
        let between = state.depth_above(excess) * length;
        let depth = between + self.canopy.depth * ends * length;
        let may_count =
            (between > CLEAR_CELLS * self.canopy.depth) | ((highest - end) * self.m > -TOP_MARGIN * self.canopy.height);
        // The estimate knows no trunks, between which light passes.
        let is_unsure = (may_count & (depth < DARK_DEPTH)) | ((self.canopy.trunk > 0.0) & (depth > 0.0));
        CanopyEstimate { depth, end: end * self.m, is_unsure }
    }
}
