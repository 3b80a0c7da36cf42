//! [`Eye`]: how opaque cells are to one eye.
//!
//! Where woods reach up into the line of sight they let 2^(depth · share) through, with the depth of a cell that is wholly
//! wooded, and the share of the ray that runs below their tops. All of it is plain arithmetic without branches, to be done
//! to many cells at once.

use super::config::Relief;
use super::still::Stretch;
use crate::math::{exp2_approx, hermite_f32};
use crate::optics::Optics;

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
    /// Ground no lower than this, with tops no lower than that, has woods around the whole ray.
    deep: [f32; 2],
}

impl Eye {
    /// An eye at `eye_m` metres over the sea.
    pub(super) fn new(optics: &Optics, eye_m: f32) -> Self {
        let config = optics.config();
        let (stature, target) = (config.eye_height_m as f32, config.target_height_m as f32);
        let extinction = config.vegetation_extinction_per_m * optics.world().config().cell_size_m;
        let level = eye_m - optics.lift_m() as f32;
        let shallowest = (target - stature).max(LEAST_DEPTH_M);
        Self {
            height: eye_m,
            level,
            canopy: config.canopy_height_m as f32,
            stature,
            shallowest,
            depth: (-extinction * std::f64::consts::LOG2_E) as f32,
            steepness: match config.relief {
                Relief::Difference => (1.0 / config.relief_softness_m as f32).min(f32::MAX),
                _ => 0.0,
            },
            deep: deep(level.into(), stature.into(), shallowest.into()),
        }
    }

    /// What the vegetation of a cell lets through.
    pub(super) fn through_woods(&self, ground_m: f32, cover: f32) -> f32 {
        exp2_approx(self.woods(ground_m, cover))
    }

    /// The opacity of a cell of which the air lets `air` through.
    #[inline(always)]
    pub(super) fn opacity(&self, ground_m: f32, cover: f32, air: f32) -> f32 {
        1.0 - air * exp2_approx(self.woods(ground_m, cover)) * self.over_ground(ground_m)
    }

    /// Whether nothing of these cells reaches up to the eye: what is left of their [`opacity`](Self::opacity) is that of
    /// the air.
    #[inline(always)]
    pub(super) fn overlooks(&self, stretch: &Stretch) -> bool {
        self.level >= stretch.highest
    }

    /// Whether the ray runs below the tops of the woods all along, wherever in these cells there are any: what is left of
    /// their [`opacity`](Self::opacity) is [`opacity_below_tops`](Self::opacity_below_tops).
    #[inline(always)]
    pub(super) fn is_below_tops(&self, stretch: &Stretch) -> bool {
        let [ground, tops] = self.deep;
        (stretch.ground >= ground) & (stretch.tops >= tops)
    }

    /// What a cell lets through of which the air lets `air` through, if the ray runs below the tops of its woods all along.
    #[inline(always)]
    pub(super) fn below_tops(&self, air: f32, cover: f32) -> f32 {
        air * exp2_approx(self.woods_of_share(at_least_0(cover), 1.0))
    }

    /// The opacity of such a cell, from what [`below_tops`](Self::below_tops) is for it.
    #[inline(always)]
    pub(super) fn opacity_below_tops(&self, ground_m: f32, below_tops: f32) -> f32 {
        1.0 - below_tops * self.over_ground(ground_m)
    }

    /// Height of the vegetation of a cell, in metres.
    #[inline(always)]
    pub(super) fn canopy_over_ground(&self, cover: f32) -> f32 {
        self.canopy * cover * cover
    }

    /// What a cell leaves of the light because its ground rises above the eye.
    #[inline(always)]
    pub(super) fn over_ground(&self, ground_m: f32) -> f32 {
        let left = 1.0 - (ground_m - self.height) * self.steepness;
        let left = at_least_0(at_most_1(left));
        hermite_f32(left)
    }

    /// The binary logarithm of what the vegetation of a cell lets through, and no less than [`exp2_approx`] knows.
    ///
    /// The share of the ray that runs inside is 0 where the eye is above the canopy, and 1 where the cell's ground lies no
    /// lower than the viewer's own. Of a line that climbs to a target above the canopy, it is the part over level woods
    /// that is still below their top.
    #[inline(always)]
    fn woods(&self, ground_m: f32, cover: f32) -> f32 {
        let cover = at_least_0(cover);
        let top = self.canopy_over_ground(cover);
        let below_top = (ground_m - self.level) + top;
        let depth = top - self.stature;
        let share = below_top / if depth > self.shallowest { depth } else { self.shallowest };
        self.woods_of_share(cover, at_least_0(at_most_1(share)))
    }

    #[inline(always)]
    fn woods_of_share(&self, cover: f32, share: f32) -> f32 {
        let woods = self.depth * cover * share;
        if woods > -126.0 { woods } else { -126.0 }
    }
}

/// How high ground and tops of woods must lie, so that an eye's [`woods`](Eye::woods) are sure to find a share of 1: with
/// g and t for the heights of ground and tops, that is g − level + (t − g) ≥ max(t − g − stature, shallowest). Roundings
/// leave an order of numbers as it is, so that the first holds if g ≥ level − stature does; where t decides, g − level is
/// within stature of 0 or more than what is asked for, and a little more makes up for its rounding.
fn deep(level: f64, stature: f64, shallowest: f64) -> [f32; 2] {
    let tops = level + shallowest + (stature + shallowest) * f64::from(f32::EPSILON);
    [no_less(level - stature), (tops as f32).next_up()]
}

/// The least float that is no less than a number.
fn no_less(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
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
