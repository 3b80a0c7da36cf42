//! [`SurfaceTerms`]: what the kernels of all grades read of a surface.

use glam::IVec2;

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
    /// Metres by which curvature lowers a point, per squared cell width of distance.
    pub(super) drop: f64,
    pub(super) canopy: CanopyTerms,
}

/// A canopy of full cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct CanopyTerms {
    /// Optical depth of a cell width.
    pub(super) depth: f32,
    pub(super) height: f32,
    /// `true` if a line that crosses cells on a slant has a longer way through them.
    pub(super) per_length: bool,
}

impl<'a> SurfaceTerms<'a> {
    pub(super) fn new(surface: &Surface<'a>, viewer: IVec2, path: PathRule) -> Self {
        let canopy = surface.canopy.filter(|canopy| canopy.extinction > 0.0 && canopy.height > 0.0);
        let depth = |canopy: Canopy<'_>| (canopy.extinction * surface.cell_size) as f32;
        Self {
            ground: surface.ground,
            cover: canopy.map(|canopy| canopy.cover),
            viewer,
            eye: f64::from(surface.ground[viewer]) + surface.eye_height,
            target_height: surface.target_height as f32,
            softness: surface.softness as f32,
            drop: surface.curvature * surface.cell_size * surface.cell_size / (2.0 * Surface::EARTH_RADIUS_M),
            canopy: CanopyTerms {
                depth: canopy.map_or(0.0, depth),
                height: canopy.map_or(0.0, |canopy| canopy.height as f32),
                per_length: path == PathRule::PerLength,
            },
        }
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
