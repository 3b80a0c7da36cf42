//! What woods take from lines of sight that run below their tops.
//!
//! A line to a target runs at some slope, and of the woods before it only those count whose tops rise above that. Lines
//! to what is seen never run below the horizon, which only rises: woods that the horizon has left below are done with.
//! What is carried along is how much wood still stands above the horizon, as an optical depth D, how high its tops are
//! over the horizon on the average (their excess e), and how high the highest (c). Of how they are spread between no more
//! is kept. Of a level wood, whose tops sink as 1/distance, and of a single row of trees as well, so much stands more
//! than y · c above the horizon:
//!
//! ```text
//! D (1 − y) / (1 + u y)       with u = −1 for tops of one height, 0 for even ones, more for a few high ones before many
//!                             low ones; 1 + u = (c/e − 1)^1.5 has the right mean to a few parts in a hundred
//! ```
//!
//! It keeps this form when the horizon rises, be it at once or little by little.

use crate::math::{exp2, log2};

/// Wood above the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wood {
    /// Optical depth per ring crossed straight.
    pub(super) depth: f32,
    /// Depth times its mean excess over the horizon, in metres per ring.
    pub(super) moment: f32,
    /// Depth times the greatest excess.
    pub(super) reach: f32,
}

/// Keeps 0 / 0 from coming up; far below any excess.
const LEAST: f32 = 1e-30;

/// A spread of heights is not told beyond this (1 + u).
const MOST: f32 = 1e4;

impl Wood {
    /// 1 + u.
    #[inline(always)]
    fn spread(self) -> f32 {
        let above = self.reach - self.moment;
        let ratio = (if above > 0.0 { above } else { 0.0 }) / (self.moment + LEAST);
        let spread = ratio * ratio.sqrt();
        if spread < MOST { spread } else { MOST }
    }

    /// The part of the highest excess that a line runs over the horizon; and 1 + u y.
    #[inline(always)]
    fn part(self, rise: f32) -> [f32; 2] {
        let y = (self.depth * rise) / (self.reach + LEAST);
        let y = if y < 1.0 { y } else { 1.0 };
        [y, (1.0 - y) + self.spread() * y + LEAST]
    }

    /// The depth that stands above a line that runs `rise` over the horizon, in metres per ring: 0 or more.
    #[inline(always)]
    pub(super) fn depth_above(self, rise: f32) -> f32 {
        let [y, divisor] = self.part(rise);
        self.depth * ((1.0 - y) / divisor)
    }

    /// What stands above a horizon that has risen.
    #[inline(always)]
    pub(super) fn above(self, rise: f32) -> Self {
        let [y, divisor] = self.part(rise);
        let left = (1.0 - y) / divisor;
        let reach = self.reach * (left * (1.0 - y));
        // c/e − 1 of what is left: its 1 + u is (1 + u) / (1 + u y).
        let above = self.reach - self.moment;
        let ratio = (if above > 0.0 { above } else { 0.0 }) / (self.moment + LEAST);
        let ratio = ratio * exp2(log2(divisor) * (-2.0 / 3.0));
        Self { depth: self.depth * left, moment: reach / (1.0 + ratio), reach }
    }

    /// With the wood of one more cell, whose tops stand `excess` over the horizon; less than 0 adds nothing.
    #[inline(always)]
    pub(super) fn with(self, depth: f32, excess: f32) -> Self {
        let counts = excess > 0.0 && depth > 0.0; // false for NaN
        let (depth, excess) = if counts { (depth, excess) } else { (0.0, 0.0) };
        let whole = self.depth + depth;
        let highest = excess * whole;
        let reach = self.reach + self.reach * (depth / (self.depth + LEAST));
        Self {
            depth: whole,
            moment: self.moment + depth * excess,
            reach: if highest > reach { highest } else { reach },
        }
    }

    /// Between two of them.
    #[inline(always)]
    pub(super) fn between(self, other: Self, share: f32) -> Self {
        Self {
            depth: self.depth + (other.depth - self.depth) * share,
            moment: self.moment + (other.moment - self.moment) * share,
            reach: self.reach + (other.reach - self.reach) * share,
        }
    }
}

/// What an optical depth leaves.
#[inline(always)]
pub(super) fn left(depth: f32) -> f32 {
    exp2(depth * -std::f32::consts::LOG2_E)
}
