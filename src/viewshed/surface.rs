//! [`Surface`]: what one looks over, and how.

use glam::IVec2;

use crate::grid::Grid;
use crate::math::hermite_f32;
use crate::sight::PathRule;

/// Ground and woods that one looks over, and how one looks. Heights and lengths are in metres.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Height of the ground in the middle of every cell; NaN where there is no data.
    pub ground: &'a Grid<f32>,
    /// What stands on it.
    pub woods: Option<Canopy<'a>>,
    /// Side of a cell, above 0.
    pub cell_size: f64,
    /// The eye over the ground of the viewer's cell, 0 or more.
    pub eye_height: f64,
    /// What is looked at, over its ground, 0 or more.
    pub target_height: f64,
    /// How far below the horizon a target is hidden wholly, by a smoothstep; 0 hides it at once.
    pub softness: f64,
    /// What distance d takes from heights, in units of d² over the diameter of the Earth: 1 is the Earth without air,
    /// 0.857 (6/7) with the refraction of common air, 0 a flat world.
    pub curvature: f64,
}

/// Woods that take away from lines of sight which run below their tops.
#[derive(Clone, Copy, Debug)]
pub struct Canopy<'a> {
    /// How densely they stand, in [0, 1]; NaN is nothing.
    pub cover: &'a Grid<f32>,
    /// Extinction of full cover, per metre; half the cover has half of it.
    pub extinction: f64,
    /// Height of full cover; half the cover is a quarter as high.
    pub height: f64,
}

impl<'a> Surface<'a> {
    /// Radius of the Earth at its equator (WGS 84), which other programs use for curvature, too.
    pub const EARTH_RADIUS_M: f64 = 6_378_137.0;

    /// Bare ground on a flat Earth with cells of some size, eye and target on the ground, hard.
    pub fn of(ground: &'a Grid<f32>, cell_size: f64) -> Self {
        Self { ground, woods: None, cell_size, eye_height: 0.0, target_height: 0.0, softness: 0.0, curvature: 0.0 }
    }

    /// What curvature takes from heights for each square of a cell width.
    pub(super) fn drop_per_cell(&self) -> f64 {
        self.curvature * self.cell_size * self.cell_size / (2.0 * Self::EARTH_RADIUS_M)
    }
}

/// What the kernels ask for in every cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    pub(super) ground: &'a Grid<f32>,
    /// Empty where there are no woods.
    pub(super) cover: Option<&'a Grid<f32>>,
    pub(super) viewer: IVec2,
    /// Height of the eye.
    pub(super) eye: f64,
    pub(super) target: f32,
    pub(super) softness: f32,
    /// What curvature takes from heights for each square of a cell width.
    pub(super) drop: f64,
    pub(super) canopy: CanopyTerms,
}

/// What full cover does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CanopyTerms {
    /// Optical depth of a cell width.
    pub(super) depth: f32,
    /// Height.
    pub(super) height: f32,
    /// Whether a line that crosses cells on a slant has a longer way through them.
    pub(super) per_length: bool,
}

impl<'a> Sight<'a> {
    pub(super) fn of(land: &Surface<'a>, viewer: IVec2, path: PathRule) -> Self {
        let woods = land.woods.filter(|woods| woods.extinction > 0.0 && woods.height > 0.0);
        let depth = |woods: Canopy<'_>| (woods.extinction * land.cell_size) as f32;
        Self {
            ground: land.ground,
            cover: woods.map(|woods| woods.cover),
            viewer,
            eye: f64::from(land.ground[viewer]) + land.eye_height,
            target: land.target_height as f32,
            softness: land.softness as f32,
            drop: land.drop_per_cell(),
            canopy: CanopyTerms {
                depth: woods.map_or(0.0, depth),
                height: woods.map_or(0.0, |woods| woods.height as f32),
                per_length: path == PathRule::PerLength,
            },
        }
    }

    /// What is left of a line to a target, from its slope and that of the horizon.
    #[inline(always)]
    pub(super) fn hard(target: f32, horizon: f32) -> f32 {
        if target >= horizon { 1.0 } else { 0.0 } // false for NaN
    }

    /// The same where the edge of the horizon is soft, from the metres by which the target stands over it.
    #[inline(always)]
    pub(super) fn soft(clearance: f32, per_metre: f32) -> f32 {
        let t = 1.0 + clearance * per_metre;
        let t = if t > 0.0 { t } else { 0.0 }; // NaN is nothing seen
        let t = if t < 1.0 { t } else { 1.0 };
        hermite_f32(t)
    }

    /// Either of them.
    #[inline(always)]
    pub(super) fn left(&self, clearance: f32) -> f32 {
        if self.softness > 0.0 { Self::soft(clearance, 1.0 / self.softness) } else { Self::hard(clearance, 0.0) }
    }
}
