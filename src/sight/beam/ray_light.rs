//! The light of the rays that cross a cell: its mean, and what the cell leaves of it.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

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
    let mut sum = simd.splat_f32x8(0.0);
    if crossing.len() <= PAIRS_PER_SUM {
        sum = weighted_sum(simd, light, crossing);
    } else {
        // Thousands of rays can cross a cell near the viewer. Sums of partial sums keep rounding errors small.
        for (light, crossing) in light.chunks(PAIRS_PER_SUM).zip(crossing.chunks(PAIRS_PER_SUM)) {
            sum += weighted_sum(simd, light, crossing);
        }
    }
    let exists = f32x8::simd_from(simd, *opacity).simd_le(1.0);
    exists.select(sum.min(1.0), simd.splat_f32x8(0.0)).into()
}

/// [`mean`] of rays whose light is 1: `mean`, or 0 where there is no cell.
#[inline(always)]
pub(super) fn clear_mean<S: Simd>(simd: S, mean: f32, opacity: &OctantLanes) -> OctantLanes {
    let exists = f32x8::simd_from(simd, *opacity).simd_le(1.0);
    exists.select(simd.splat_f32x8(mean), simd.splat_f32x8(0.0)).into()
}

/// The weighted sum of rays.
#[inline(always)]
fn weighted_sum<S: Simd>(simd: S, light: &[[OctantLanes; 2]], crossing: &[[f32; 4]]) -> f32x8<S> {
    let mut sum = simd.splat_f32x8(0.0);
    for (rays, &[weight, _, second_weight, _]) in light.iter().zip(crossing) {
        sum += f32x8::simd_from(simd, rays[0]) * weight;
        sum += f32x8::simd_from(simd, rays[1]) * second_weight;
    }
    sum
}

/// [`mean`] and [`dim`] in one pass, for at most [`PAIRS_PER_SUM`] pairs and opacities up to [`LOW_OPACITY`].
#[inline(always)]
pub(super) fn mean_and_dim<S: Simd>(
    simd: S,
    light: &mut [[OctantLanes; 2]],
    crossing: &[[f32; 4]],
    depth: &OctantLanes,
) -> OctantLanes {
    let mut sum = simd.splat_f32x8(0.0);
    for (rays, &[weight, chord, second_weight, second_chord]) in light.iter_mut().zip(crossing) {
        for (ray, [weight, chord]) in rays.iter_mut().zip([[weight, chord], [second_weight, second_chord]]) {
            let before = f32x8::simd_from(simd, *ray);
            sum += before * weight;
            let mut factor = *depth;
            for factor in &mut factor {
                *factor = exp_low_opacity(*factor * chord);
            }
            *ray = (before * f32x8::simd_from(simd, factor)).into();
        }
    }
    sum.min(1.0).into()
}

/// Multiplies rays by (1 − opacity)^(chord · scale). For opacities up to [`LOW_OPACITY`], `depth` is
/// ln(1 − opacity) · scale.
#[inline(always)]
pub(super) fn dim<S: Simd>(
    simd: S,
    light: &mut [[OctantLanes; 2]],
    crossing: &[[f32; 4]],
    opacity: &OctantLanes,
    depth: &OctantLanes,
    scale: f32,
) {
    let lanes = f32x8::simd_from(simd, *opacity);
    if lanes.simd_le(LOW_OPACITY).all_true() {
        dim_by_low_opacity(light, crossing, depth);
        return;
    }
    let chords = crossing.as_flattened().as_chunks().0;
    let rays = light.as_flattened_mut().iter_mut().zip(chords);
    if (lanes.simd_eq(0.0) | lanes.simd_ge(1.0)).all_true() {
        let past_walls = lanes.simd_eq(0.0).select(simd.splat_f32x8(1.0), simd.splat_f32x8(0.0));
        for (ray, &[_, chord]) in rays {
            let left = if chord == 0.0 { simd.splat_f32x8(1.0) } else { past_walls };
            *ray = (f32x8::simd_from(simd, *ray) * left).into();
        }
        return;
    }
    let depth = log2_depth(opacity, scale);
    for (ray, &[_, chord]) in rays {
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
