//! [`OctantLanes`]: a value for each of the eight octants.

use pulp::Simd;

/// A value for each of the eight mirror images of the octant 0 ≤ dy ≤ dx. Bit 0 of the lane mirrors x, bit 1 mirrors y, and
/// bit 2 swaps the axes first.
pub(super) type OctantLanes = [f32; 8];

/// Returns `true` if a lane is above 0.
#[inline(always)]
pub(super) fn any_above_0<S: Simd>(simd: S, lanes: &OctantLanes) -> bool {
    let zero = simd.splat_f32s(0.0);
    let vectors = S::as_simd_f32s(lanes).0;
    vectors.iter().any(|&v| simd.first_true_m32s(simd.less_than_f32s(zero, v)) < 8 / vectors.len())
}
