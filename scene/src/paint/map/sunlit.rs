//! [`sunlit`]: the share of the sun that reaches each cell over the land around it.

use farsight::grid::{CellRect, Grid};
use farsight::horizon::CellHorizons;
use farsight::internal::math::smoothstep_f32;
use farsight::light::SunPosition;
use farsight::viewshed::Surface;

/// The least height of the sun in degrees: lower ones would leave no light but that of the sky.
const LOWEST_DEG: f64 = 4.0;
/// Half of the difference between the slopes to the sun and of the horizon over which light turns to shadow: its edge is soft.
const PENUMBRA: f32 = 0.015;

/// Returns the share of the sun that reaches the surface on some cells, from 0 in the shadow of land up to a distance to 1. Of the
/// surface, eye and target height and softness do not count. `None` if the surface has a number that is not valid.
pub(crate) fn sunlit(
    surface: &Surface<'_>,
    sun: SunPosition,
    max_distance_m: f64,
    cells: CellRect,
) -> Option<Grid<f32>> {
    let horizons = CellHorizons::new(&surface.with_eye_height(0.0)).ok()?;
    let mut shares = horizons.slopes(sun.azimuth_deg, max_distance_m, cells).ok()?;
    let to_sun = libm::tan(sun.elevation_deg.clamp(LOWEST_DEG, 89.0).to_radians()) as f32;
    for share in shares.as_mut_slice() {
        // NaN without land in that direction, where nothing casts a shadow.
        let over = if share.is_nan() { f32::INFINITY } else { to_sun - *share };
        *share = smoothstep_f32(-PENUMBRA, PENUMBRA, over);
    }
    Some(shares)
}
