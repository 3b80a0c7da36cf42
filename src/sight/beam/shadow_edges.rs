//! [`settle_with_edges`]: columns with edges of shadows. A cell sees the parts of the sectors that its silhouette covers.

use std::ops::Range;

use fearless_simd::Simd;

use super::beam_list::{BeamList, CellRays};
use super::beam_sectors::BeamSectors;
use super::octant_column::OctantColumn;
use super::octant_lanes::{OctantLanes, any_above_0};
use super::ray_light::{PAIRS_PER_SUM, clear_mean, dim, log2_depth, mean};
use crate::math::exp2;
use crate::sight::config::PathRule;

/// Computes the visibilities of a column that has edges of shadows, and dims its rays.
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
                || mean_with_edges(list, cell, light, sectors, opacity),
            );
        } else {
            *seen = mean(simd, light[crossed.clone()].as_chunks().0, crossing, opacity);
        }
        let changes = if SKIPS { sectors.may_change(&cell.span, opacity) } else { any_above_0(simd, opacity) };
        if changes {
            let scale = cell.scale(path);
            let dimmed = simd.vectorize(
                #[inline(always)]
                || dim_sectors(list, cell, light, sectors, opacity, scale),
            );
            if !dimmed && any_above_0(simd, seen) {
                dim(light[crossed].as_chunks_mut().0, crossing, opacity, depth, scale);
            }
        }
    }
}

/// The mean light of a cell with edges at the ends of its silhouette. Beyond the rays that cross it, the cell takes the
/// light of the nearest ray, clamped to the bounds of the sector there.
#[inline(always)]
fn mean_with_edges(
    list: &BeamList,
    cell: &CellRays,
    light: &[OctantLanes],
    sectors: &BeamSectors,
    opacity: &OctantLanes,
) -> OctantLanes {
    let (rays, crossing) = list.crossing(cell);
    let (span, beyond) = (&cell.span, cell.beyond);
    let covered = span.rays();
    let (mut whole, mut sum) = ([0.0; 8], [0.0; 8]);
    let weights: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
    for (ray, [mut weight, _]) in rays.clone().zip(weights.iter().copied()) {
        if (ray - rays.start).is_multiple_of(2 * PAIRS_PER_SUM) {
            add(&mut whole, 1.0, &sum);
            sum = [0.0; 8];
        }
        if ray == rays.start && beyond[0] > 0.0 {
            weight -= beyond[0];
            add(&mut sum, beyond[0], &sectors.light_beyond(covered.start, span, &light[ray]));
        }
        if ray + 1 == rays.end && beyond[1] > 0.0 {
            weight -= beyond[1];
            add(&mut sum, beyond[1], &sectors.light_beyond(covered.end - 1, span, &light[ray]));
        }
        if ray == covered.start || ray + 1 == covered.end {
            add(&mut sum, weight, &sectors.light_at_end(ray, span, &light[ray]));
        } else {
            add(&mut sum, weight, &light[ray]);
        }
    }
    add(&mut whole, 1.0, &sum);
    for (seen, opacity) in whole.iter_mut().zip(opacity) {
        *seen = if *opacity <= 1.0 { seen.min(1.0) } else { 0.0 };
    }
    whole
}

#[inline(always)]
fn add(sum: &mut OctantLanes, weight: f32, seen: &OctantLanes) {
    for (sum, seen) in sum.iter_mut().zip(seen) {
        *sum += weight * seen;
    }
}

/// Removes a cell from the bounds of the sectors. If some of them have edges, dims all its rays and returns `true`.
#[inline(always)]
fn dim_sectors(
    list: &BeamList,
    cell: &CellRays,
    light: &mut [OctantLanes],
    sectors: &mut BeamSectors,
    opacity: &OctantLanes,
    scale: f32,
) -> bool {
    if !sectors.cover(&cell.span, opacity, light) {
        return false;
    }
    let (rays, crossing) = list.crossing(cell);
    let chords: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
    let depth = log2_depth(opacity, scale);
    let only_walls = opacity.iter().all(|&o| o == 0.0 || o >= 1.0);
    for ray in cell.span.rays() {
        let mut left = [1.0; 8];
        if rays.contains(&ray) {
            let chord = chords[ray - rays.start][1];
            for lane in 0..8 {
                left[lane] = if opacity[lane] >= 1.0 { 0.0 } else { 1.0 };
            }
            if !only_walls {
                for lane in 0..8 {
                    left[lane] *= exp2(depth[lane] * chord);
                }
            }
        }
        if sectors.has_line(ray) {
            light[ray] = sectors.dim_line(ray, &left);
        } else {
            for lane in 0..8 {
                light[ray][lane] *= left[lane];
            }
        }
        sectors.record(ray, &light[ray]);
    }
    true
}
