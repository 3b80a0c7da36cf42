//! [`SurfaceTerms`]: what the kernels of all grades read of a surface.

use glam::{DVec2, IVec2};

use super::surface::{Canopy, Surface};
use crate::grid::Grid;
use crate::math::hermite_f32;
use crate::sight::PathRule;

/// The quantity that a kernel writes for every cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity {
    /// Visibility over ground and canopy, in [0, 1].
    Visibility,
    /// Metres of the target above the horizon; NaN without data.
    Clearance,
}

/// A surface as seen by one viewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceTerms<'a> {
    pub(super) ground: &'a Grid<f32>,
    /// `None` without a canopy that dims anything.
    pub(super) cover: Option<&'a Grid<f32>>,
    pub(super) viewer: IVec2,
    /// Elevation of the eye.
    pub(super) eye: f64,
    pub(super) target_height: f32,
    /// Metres below the horizon over which visibility falls to 0.
    pub(super) softness: f32,
    /// Metres by which curvature lowers a point, per squared distance, in units of the shorter side of a cell.
    pub(super) drop: f64,
    /// The sides of a cell in units of the shorter one.
    ratios: DVec2,
    pub(super) canopy: CanopyTerms,
}

/// A canopy of full cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct CanopyTerms {
    /// Optical depth of the shorter side of a cell.
    pub(super) depth: f32,
    pub(super) height: f32,
    /// `true` if a line that crosses cells on a slant has a longer way through them.
    pub(super) per_length: bool,
    /// The length of a way through a cell if the slant does not count: the mean side in units of the shorter one.
    pub(super) mean: f32,
}

/// The squared sides of a cell in units of the shorter one, along the axis of a quadrant and aside. Both are 1 for squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquaredSides {
    pub(super) along: f64,
    pub(super) aside: f64,
}

impl CanopyTerms {
    /// Returns the length of a way through a ring, in units of the shorter side of a cell; `slant` is m/M of the line on the map.
    #[inline(always)]
    pub(super) fn length(&self, sides: SquaredSides, slant: f32) -> f32 {
        if self.per_length { (sides.along as f32 + slant * slant * sides.aside as f32).sqrt() } else { self.mean }
    }
}

impl<'a> SurfaceTerms<'a> {
    pub(super) fn new(surface: &Surface<'a>, viewer: IVec2, path: PathRule) -> Self {
        let canopy = surface.canopy.filter(|canopy| canopy.extinction > 0.0 && canopy.height > 0.0);
        let (unit, ratios) = (surface.cell_size.shorter_m(), surface.cell_size.ratios());
        let depth = |canopy: Canopy<'_>| (canopy.extinction * unit) as f32;
        Self {
            ground: surface.ground,
            cover: canopy.map(|canopy| canopy.cover),
            viewer,
            eye: f64::from(surface.ground[viewer]) + surface.eye_height,
            target_height: surface.target_height as f32,
            softness: surface.softness as f32,
            drop: surface.curvature * unit * unit / (2.0 * Surface::EARTH_RADIUS_M),
            ratios,
            canopy: CanopyTerms {
                depth: canopy.map_or(0.0, depth),
                height: canopy.map_or(0.0, |canopy| canopy.height as f32),
                per_length: path == PathRule::PerLength,
                mean: surface.cell_size.mean_m() as f32 / unit as f32,
            },
        }
    }

    /// Returns the squared length of an offset, in units of the shorter side of a cell.
    #[inline(always)]
    pub(super) fn squared(&self, offset: IVec2) -> f64 {
        (offset.as_dvec2() * self.ratios).length_squared()
    }

    /// Returns the squared sides for the quadrant of a step outwards.
    #[inline(always)]
    pub(super) fn squared_sides(&self, outwards: IVec2) -> SquaredSides {
        let DVec2 { x, y } = self.ratios * self.ratios;
        if outwards.x != 0 { SquaredSides { along: x, aside: y } } else { SquaredSides { along: y, aside: x } }
    }

    /// Returns the visibility of a target behind a hard edge, from its slope and that of the horizon.
    #[inline(always)]
    pub(super) fn hard_visibility(target: f32, horizon: f32) -> f32 {
        if target >= horizon { 1.0 } else { 0.0 } // false for NaN
    }

    /// Returns the visibility of a target behind a soft edge, from its metres above the horizon.
    #[inline(always)]
    pub(super) fn soft_visibility(clearance: f32, per_metre: f32) -> f32 {
        let t = 1.0 + clearance * per_metre;
        let t = if t > 0.0 { t } else { 0.0 }; // NaN becomes 0
        let t = if t < 1.0 { t } else { 1.0 };
        hermite_f32(t)
    }

    /// Returns the visibility of a target from its metres above the horizon.
    #[inline(always)]
    pub(super) fn visibility(&self, clearance: f32) -> f32 {
        if self.softness > 0.0 {
            Self::soft_visibility(clearance, 1.0 / self.softness)
        } else {
            Self::hard_visibility(clearance, 0.0)
        }
    }
}
