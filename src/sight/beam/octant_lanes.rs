//! [`OctantLanes`]: a value for each of the eight octants.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

/// A value for each of the eight mirror images of the octant 0 ≤ dy ≤ dx. Bit 0 of the lane mirrors x, bit 1 mirrors y, and
/// bit 2 swaps the axes first.
pub(super) type OctantLanes = [f32; 8];

/// Returns `true` if a lane is above 0.
#[inline(always)]
pub(super) fn any_above_0<S: Simd>(simd: S, lanes: &OctantLanes) -> bool {
    f32x8::simd_from(simd, *lanes).simd_gt(0.0).any_true()
}

/// Returns a bit for each lane that is above a value.
#[inline(always)]
pub(super) fn lanes_above<S: Simd>(simd: S, lanes: &OctantLanes, value: f32) -> u32 {
    f32x8::simd_from(simd, *lanes).simd_gt(value).to_bitmask() as u32
}
