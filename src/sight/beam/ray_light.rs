//! The light of the rays that cross a cell: its mean, and what the cell leaves of it.

use pulp::Simd;

use super::octant_lanes::OctantLanes;
use crate::math::{LOW_OPACITY, exp_low_opacity, exp2, log2};

/// The number of pairs of rays in a partial sum.
pub(super) const PAIRS_PER_SUM: usize = 32;

/// The weighted mean of the rays that cross a cell; 0 where there is no cell.
#[inline(always)]
pub(super) fn mean<S: Simd>(
    simd: S,
    light: &[[OctantLanes; 2]],
    crossing: &[[f32; 4]],
    opacity: &OctantLanes,
) -> OctantLanes {
    let mut mean = [0.0; 8];
    let vectors = S::as_mut_simd_f32s(&mut mean).0;
    let opacity = S::as_simd_f32s(opacity).0;
    let (zero, one, step) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0), vectors.len());
    let light = S::as_simd_f32s(light.as_flattened().as_flattened()).0;
    for (i, (mean, &opacity)) in vectors.iter_mut().zip(opacity).enumerate() {
        let mut sum = zero;
        if crossing.len() <= PAIRS_PER_SUM {
            sum = weighted_sum(simd, light.get(i..).unwrap_or_default(), step, crossing);
        } else {
            // Thousands of rays can cross a cell near the viewer. Sums of partial sums keep rounding errors small.
            for (light, crossing) in light.chunks(2 * step * PAIRS_PER_SUM).zip(crossing.chunks(PAIRS_PER_SUM)) {
                sum = simd.add_f32s(sum, weighted_sum(simd, &light[i..], step, crossing));
            }
        }
        *mean = simd.select_f32s(simd.less_than_or_equal_f32s(opacity, one), simd.min_f32s(sum, one), zero);
    }
    mean
}

/// The weighted sum of rays whose vectors are `step` vectors apart.
#[inline(always)]
fn weighted_sum<S: Simd>(simd: S, light: &[S::f32s], step: usize, crossing: &[[f32; 4]]) -> S::f32s {
    let mut sum = simd.splat_f32s(0.0);
    for (rays, &[weight, _, second_weight, _]) in light.chunks(2 * step).zip(crossing) {
        sum = simd.add_f32s(sum, simd.mul_f32s(simd.splat_f32s(weight), rays[0]));
        sum = simd.add_f32s(sum, simd.mul_f32s(simd.splat_f32s(second_weight), rays[step]));
    }
    sum
}

/// Multiplies rays by (1 − opacity)^(chord · scale). For opacities up to [`LOW_OPACITY`], `depth` is
/// ln(1 − opacity) · scale.
#[inline(always)]
pub(super) fn dim(
    light: &mut [[OctantLanes; 2]],
    crossing: &[[f32; 4]],
    opacity: &OctantLanes,
    depth: &OctantLanes,
    scale: f32,
) {
    if opacity.iter().all(|&o| o <= LOW_OPACITY) {
        dim_by_low_opacity(light, crossing, depth);
        return;
    }
    let chords = crossing.as_flattened().as_chunks().0;
    if opacity.iter().all(|&o| o == 0.0 || o >= 1.0) {
        for (ray, &[_, chord]) in light.as_flattened_mut().iter_mut().zip(chords) {
            for lane in 0..8 {
                ray[lane] = if opacity[lane] == 0.0 || chord == 0.0 { ray[lane] } else { 0.0 };
            }
        }
        return;
    }
    let depth = log2_depth(opacity, scale);
    for (ray, &[_, chord]) in light.as_flattened_mut().iter_mut().zip(chords) {
        for lane in 0..8 {
            ray[lane] *= exp2(depth[lane] * chord);
        }
    }
}

#[inline(always)]
fn dim_by_low_opacity(light: &mut [[OctantLanes; 2]], crossing: &[[f32; 4]], depth: &OctantLanes) {
    for ([ray, second], &[_, chord, _, second_chord]) in light.iter_mut().zip(crossing) {
        for lane in 0..8 {
            ray[lane] *= exp_low_opacity(depth[lane] * chord);
        }
        for lane in 0..8 {
            second[lane] *= exp_low_opacity(depth[lane] * second_chord);
        }
    }
}

/// log₂(1 − opacity) · scale.
#[inline(always)]
pub(super) fn log2_depth(opacity: &OctantLanes, scale: f32) -> OctantLanes {
    let mut depth = *opacity;
    for depth in &mut depth {
        *depth = log2(1.0 - *depth) * scale;
    }
    depth
}
