//! [`Eye`]: how opaque cells are to one eye.
//!
//! Where woods reach up into the line of sight they let 2^(depth · share) through, with the depth of a cell that is wholly
//! wooded, and the share of the ray that runs below their tops. All of it is plain arithmetic without branches, to be done
//! to many cells at once.

use super::{Optics, Relief};
use crate::sight::exp2_little;

/// No vegetation is less deep for a ray to dip into: a division by less would take a processor long.
const LEAST_DEPTH_M: f32 = 1e-6;

/// What all cells have in common that one eye looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    /// Metres over the sea.
    height: f32,
    /// The same, less what lines to tall targets run higher.
    level: f32,
    /// Height of full vegetation, in metres.
    canopy: f32,
    /// The eye over its own ground, in metres.
    stature: f32,
    /// The least height of vegetation in which a ray dips, in metres over the eye's own ground.
    shallowest: f32,
    /// The binary logarithm of what a cell full of vegetation lets through.
    depth: f32,
    /// 1/m: 1 over what ground must rise above the eye to hide all. As good as infinite if it hides at once; 0 if never.
    steepness: f32,
}

impl Eye {
    /// An eye at `eye_m` metres over the sea.
    pub(super) fn new(optics: &Optics, eye_m: f32) -> Self {
        let config = optics.config();
        let (stature, target) = (config.eye_height_m as f32, config.target_height_m as f32);
        let extinction = config.vegetation_extinction_per_m * optics.world().config().cell_size_m;
        Self {
            height: eye_m,
            level: eye_m - optics.lift_m() as f32,
            canopy: config.canopy_height_m as f32,
            stature,
            shallowest: (target - stature).max(LEAST_DEPTH_M),
            depth: (-extinction * std::f64::consts::LOG2_E) as f32,
            steepness: match config.relief {
                Relief::Difference => (1.0 / config.relief_softness_m as f32).min(f32::MAX),
                _ => 0.0,
            },
        }
    }

    /// What the vegetation of a cell lets through.
    pub(super) fn through_woods(&self, ground_m: f32, cover: f32) -> f32 {
        exp2_little(self.woods(ground_m, cover))
    }

    /// The opacity of a cell of which the air lets `air` through.
    pub(super) fn opacity(&self, ground_m: f32, cover: f32, air: f32) -> f32 {
        opacity(air, self.woods(ground_m, cover), self.over_ground(ground_m))
    }

    /// What a cell leaves of the light because its ground rises above the eye.
    #[inline(always)]
    pub(super) fn over_ground(&self, ground_m: f32) -> f32 {
        let left = 1.0 - (ground_m - self.height) * self.steepness;
        let left = at_least_0(at_most_1(left));
        left * left * (3.0 - 2.0 * left)
    }

    /// The binary logarithm of what the vegetation of a cell lets through, and no less than [`exp2_little`] knows.
    ///
    /// The share of the ray that runs inside is 0 where the eye is above the canopy, and 1 where the cell's ground lies no
    /// lower than the viewer's own. Of a line that climbs to a target above the canopy, it is the part over level woods
    /// that is still below their top.
    #[inline(always)]
    pub(super) fn woods(&self, ground_m: f32, cover: f32) -> f32 {
        let cover = at_least_0(cover);
        let top = self.canopy * cover * cover;
        let below_top = (ground_m - self.level) + top;
        let depth = top - self.stature;
        let share = below_top / if depth > self.shallowest { depth } else { self.shallowest };
        let woods = self.depth * cover * at_least_0(at_most_1(share));
        if woods > -126.0 { woods } else { -126.0 }
    }
}

/// What air, the binary logarithm of what woods, and high ground let through make together.
#[inline(always)]
pub(super) fn opacity(air: f32, woods: f32, relief: f32) -> f32 {
    1.0 - air * relief * exp2_little(woods)
}

/// And 1 of what is not a number.
#[inline(always)]
fn at_most_1(value: f32) -> f32 {
    if value < 1.0 { value } else { 1.0 }
}

/// And 0 of what is not a number.
#[inline(always)]
fn at_least_0(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}
