//! [`CanopyState`]: how much canopy on the way is above the horizon.
//!
//! A line of sight to a target has some slope, and only canopy whose top is above that line dims it. A line to a visible
//! target never runs below the horizon, and the horizon only rises: canopy below it no longer matters. The state that is
//! carried along a line is the canopy above the horizon: its optical depth D, and the mean (e) and greatest (c) excess of
//! its tops over the horizon. The full distribution of the tops is not kept; instead the depth above a line that runs at
//! the share y of c over the horizon is modelled as
//!
//! ```text
//! D (1 − y) / (1 + u y)       u = −1: all tops have one height; u = 0: they are evenly distributed; u > 0: few high tops
//!                             before many low ones. 1 + u = (c/e − 1)^1.5 gives the right mean within a few percent.
//! ```
//!
//! The model is exact for a level canopy, whose tops sink as 1/distance, and for a single row of trees. It keeps its form
//! when the horizon rises, at once or in small steps.

use crate::math::{exp2, log2};

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

/// The greatest 1 + u.
const MAX_SPREAD: f32 = 1e4;

impl CanopyState {
    /// Returns c/e − 1.
    #[inline(always)]
    fn excess_ratio(self) -> f32 {
        let above = self.reach - self.moment;
        (if above > 0.0 { above } else { 0.0 }) / (self.moment + EPSILON)
    }

    /// Returns y for a line that runs `rise` over the horizon, and 1 + u y.
    #[inline(always)]
    fn share_and_divisor(self, rise: f32) -> (f32, f32) {
        let ratio = self.excess_ratio();
        let spread = ratio * ratio.sqrt();
        let spread = if spread < MAX_SPREAD { spread } else { MAX_SPREAD };
        let y = (self.depth * rise) / (self.reach + EPSILON);
        let y = if y < 1.0 { y } else { 1.0 };
        (y, (1.0 - y) + spread * y + EPSILON)
    }

    /// Returns the depth above a line that runs `rise` over the horizon, in metres per ring: 0 or more.
    #[inline(always)]
    pub(super) fn depth_above(self, rise: f32) -> f32 {
        let (y, divisor) = self.share_and_divisor(rise);
        self.depth * ((1.0 - y) / divisor)
    }

    /// Returns the state after the horizon has risen by `rise`.
    #[inline(always)]
    pub(super) fn above(self, rise: f32) -> Self {
        let (y, divisor) = self.share_and_divisor(rise);
        let left = (1.0 - y) / divisor;
        let reach = self.reach * (left * (1.0 - y));
        // 1 + u becomes (1 + u) / (1 + u y), hence c/e − 1 its power of 2/3.
        let ratio = self.excess_ratio() * exp2(log2(divisor) * (-2.0 / 3.0));
        Self { depth: self.depth * left, moment: reach / (1.0 + ratio), reach }
    }

    /// Returns the state with the canopy of one more cell, whose top is `excess` over the horizon; below 0 it adds nothing.
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

    /// Returns the slope of the highest top over a horizon, far below any other without canopy.
    #[inline(always)]
    pub(super) fn highest(self, horizon: f32) -> f32 {
        let highest = horizon + self.reach / (self.depth + EPSILON);
        if self.depth > 0.0 { highest } else { -1e30 }
    }

    #[inline(always)]
    pub(super) fn lerp(self, other: Self, share: f32) -> Self {
        Self {
            depth: self.depth + (other.depth - self.depth) * share,
            moment: self.moment + (other.moment - self.moment) * share,
            reach: self.reach + (other.reach - self.reach) * share,
        }
    }
}

/// Returns the transmittance of an optical depth.
#[inline(always)]
pub(super) fn transmittance(depth: f32) -> f32 {
    exp2(depth * -std::f32::consts::LOG2_E)
}
