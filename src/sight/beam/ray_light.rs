//! The light of the rays that cross a cell: its mean, and its attenuation by the cell; [`settle_with_edges`]: the same
//! for columns with shadow edges, where a cell sees the parts of the sectors that its silhouette covers.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use super::beam_list::{BeamList, CellRays, PAIRS_PER_SUM};
use super::beam_sectors::BeamSectors;
use super::octant_column::{OctantColumn, OctantLanes, any_above_0};
use crate::math::{LOW_OPACITY, exp_low_opacity, exp2, log2};
use crate::sight_config::PathRule;

/// Returns the weighted mean of the rays that cross a cell; 0 without a cell.
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

/// Returns the [`mean`] of rays with the light 1: `mean`, or 0 without a cell.
#[inline(always)]
fn clear_mean<S: Simd>(simd: S, mean: f32, opacity: &OctantLanes) -> OctantLanes {
    let exists = f32x8::simd_from(simd, *opacity).simd_le(1.0);
    exists.select(simd.splat_f32x8(mean), simd.splat_f32x8(0.0)).into()
}

/// Returns the weighted sum of rays.
#[inline(always)]
fn weighted_sum<S: Simd>(simd: S, light: &[[OctantLanes; 2]], crossing: &[[f32; 4]]) -> f32x8<S> {
    let mut sum = simd.splat_f32x8(0.0);
    for (rays, &[weight, _, second_weight, _]) in light.iter().zip(crossing) {
        sum += f32x8::simd_from(simd, rays[0]) * weight;
        sum += f32x8::simd_from(simd, rays[1]) * second_weight;
    }
    sum
}

/// Computes [`mean`] and [`dim`] in one pass, for at most [`PAIRS_PER_SUM`] pairs and opacities up to [`LOW_OPACITY`].
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

/// Returns log₂(1 − opacity) · scale.
#[inline(always)]
fn log2_depth(opacity: &OctantLanes, scale: f32) -> OctantLanes {
    let mut depth = *opacity;
    for depth in &mut depth {
        *depth = log2(1.0 - *depth) * scale;
    }
    depth
}

/// Computes the visibilities of a column with shadow edges, and dims its rays.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the state of the walk")]
pub(super) fn settle_with_edges<S: Simd, const SKIPS: bool>(
    simd: S,
    list: &BeamList,
    cells: &[CellRays],
    light: &mut [OctantLanes],
    sectors: &mut BeamSectors,
    column: &mut OctantColumn,
    path: PathRule,
    run: Range<usize>,
) {
    let OctantColumn { opacity, seen, depth } = column;
    let (opacity, seen, depth) = (&opacity[run.clone()], &mut seen[run.clone()], &depth[run.clone()]);
    for (((cell, opacity), seen), depth) in cells[run].iter().zip(opacity).zip(seen).zip(depth) {
        let (rays, crossing) = list.crossing(cell);
        let crossed = rays.start..rays.start + 2 * crossing.len();
        if SKIPS && sectors.is_clear(&cell.span) {
            *seen = clear_mean(simd, cell.clear_mean, opacity);
        } else if sectors.has_edge_at_ends(&cell.span, &rays) {
            *seen = simd.vectorize(
                #[inline(always)]
                || mean_with_edges(simd, list, cell, light, sectors, opacity),
            );
        } else {
            *seen = mean(simd, light[crossed.clone()].as_chunks().0, crossing, opacity);
        }
        let changes = if SKIPS { sectors.may_change(simd, &cell.span, opacity) } else { any_above_0(simd, opacity) };
        if changes {
            let scale = cell.scale(path);
            let dimmed = simd.vectorize(
                #[inline(always)]
                || dim_sectors(simd, list, cell, light, sectors, opacity, scale),
            );
            if !dimmed && any_above_0(simd, seen) {
                dim(simd, light[crossed].as_chunks_mut().0, crossing, opacity, depth, scale);
            }
        }
    }
}

/// Returns the mean light of a cell with edges at the ends of its silhouette. Beyond the rays that cross it, the cell
/// takes the light of the nearest ray, clamped to the bounds of the sector there.
#[inline(always)]
fn mean_with_edges<S: Simd>(
    simd: S,
    list: &BeamList,
    cell: &CellRays,
    light: &[OctantLanes],
    sectors: &BeamSectors,
    opacity: &OctantLanes,
) -> OctantLanes {
    let (rays, crossing) = list.crossing(cell);
    let (span, beyond) = (&cell.span, cell.beyond);
    let covered = span.rays();
    let zero = simd.splat_f32x8(0.0);
    let (mut whole, mut sum) = (zero, zero);
    let weights: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
    for (ray, [mut weight, _]) in rays.clone().zip(weights.iter().copied()) {
        if (ray - rays.start).is_multiple_of(2 * PAIRS_PER_SUM) {
            whole += sum;
            sum = zero;
        }
        let light = f32x8::simd_from(simd, light[ray]);
        if ray == rays.start && beyond[0] > 0.0 {
            weight -= beyond[0];
            sum += sectors.light_beyond(covered.start, span, light) * beyond[0];
        }
        if ray + 1 == rays.end && beyond[1] > 0.0 {
            weight -= beyond[1];
            sum += sectors.light_beyond(covered.end - 1, span, light) * beyond[1];
        }
        let is_end = ray == covered.start || ray + 1 == covered.end;
        sum += if is_end { sectors.light_at_end(ray, span, light) } else { light } * weight;
    }
    whole += sum;
    let exists = f32x8::simd_from(simd, *opacity).simd_le(1.0);
    exists.select(whole.min(1.0), zero).into()
}

/// Removes a cell from the bounds of the sectors. If a sector has an edge, dims all rays of the cell and returns
/// `true`.
#[inline(always)]
fn dim_sectors<S: Simd>(
    simd: S,
    list: &BeamList,
    cell: &CellRays,
    light: &mut [OctantLanes],
    sectors: &mut BeamSectors,
    opacity: &OctantLanes,
    scale: f32,
) -> bool {
    let lanes = f32x8::simd_from(simd, *opacity);
    if !sectors.cover(&cell.span, lanes, light) {
        return false;
    }
    let (rays, crossing) = list.crossing(cell);
    let chords: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
    let (zero, one) = (simd.splat_f32x8(0.0), simd.splat_f32x8(1.0));
    let past_walls = lanes.simd_ge(1.0).select(zero, one);
    let only_walls = (lanes.simd_ge(1.0) | lanes.simd_eq(0.0)).all_true();
    let depth = if only_walls { [0.0; 8] } else { log2_depth(opacity, scale) };
    for ray in cell.span.rays() {
        let mut left = one;
        if rays.contains(&ray) {
            left = past_walls;
            if !only_walls {
                let (chord, mut factor) = (chords[ray - rays.start][1], depth);
                for factor in &mut factor {
                    *factor = exp2(*factor * chord);
                }
                left *= f32x8::simd_from(simd, factor);
            }
        }
        let left =
            if sectors.has_line(ray) { sectors.dim_line(ray, left) } else { f32x8::simd_from(simd, light[ray]) * left };
        light[ray] = left.into();
        sectors.record_light(ray, left);
    }
    sectors.record_dimmed(cell.span.rays());
    true
}
