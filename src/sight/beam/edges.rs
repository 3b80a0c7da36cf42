//! The beam method where shadows begin and end: a cell sees the parts of the rays' shares that its silhouette covers.

use pulp::{Simd, WithSimd};

use super::cast::{BLOCK, Column, Lanes, any_above_0, dim, mean};
use super::list::{BeamList, Crossed};
use super::shares::Shares;
use crate::math::{exp2, log2};
use crate::sight::config::PathRule;

/// Settles the cells of one column, like `cast_column`, where shadows begin or end: apart, so that what is always done
/// stays short.
pub(crate) struct CastEdges<'a> {
    pub(crate) list: &'a BeamList,
    pub(crate) cells: &'a [Crossed],
    pub(crate) light: &'a mut [Lanes],
    pub(crate) shares: &'a mut Shares,
    pub(crate) column: &'a mut Column,
    pub(crate) path: PathRule,
}

impl WithSimd for CastEdges<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { list, cells, light, shares, column, path } = self;
        let Column { opacity, seen, depth } = column;
        for (((cell, opacity), seen), depth) in cells.iter().zip(opacity).zip(seen).zip(depth) {
            let (rays, crossing) = list.crossing(cell);
            let crossed = rays.start..rays.start + 2 * crossing.len();
            if shares.at_ends(cell.covers(), &rays) {
                *seen = simd.vectorize(MeanOfParts { list, cell, light, shares, opacity });
            } else {
                *seen = mean(simd, light[crossed.clone()].as_chunks().0, crossing, opacity);
            }
            if any_above_0(simd, opacity) {
                let scale = cell.scale(path);
                let parts = shares.may_change(cell.covers())
                    && simd.vectorize(DimParts { list, cell, light, shares, opacity, scale });
                if !parts && any_above_0(simd, seen) {
                    dim(light[crossed].as_chunks_mut().0, crossing, opacity, depth, scale);
                }
            }
        }
        shares.compare();
    }
}

/// The mean of what comes through to a cell, if edges lie where its silhouette ends. Beyond the rays that cross it, it takes
/// the light of the nearest, held within the bounds of the share there.
struct MeanOfParts<'a> {
    list: &'a BeamList,
    cell: &'a Crossed,
    light: &'a [Lanes],
    shares: &'a Shares,
    opacity: &'a Lanes,
}

impl WithSimd for MeanOfParts<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Lanes {
        let Self { list, cell, light, shares, opacity } = self;
        let (rays, crossing) = list.crossing(cell);
        let (covers, beyond) = (cell.covers(), cell.beyond());
        let covered = covers.rays();
        let (mut whole, mut sum) = ([0.0; 8], [0.0; 8]);
        let weights: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
        for (ray, [mut weight, _]) in rays.clone().zip(weights.iter().copied()) {
            if (ray - rays.start).is_multiple_of(2 * BLOCK) {
                add(&mut whole, 1.0, &sum);
                sum = [0.0; 8];
            }
            if ray == rays.start && beyond[0] > 0.0 {
                weight -= beyond[0];
                add(&mut sum, beyond[0], &shares.beyond(covered.start, covers, &light[ray]));
            }
            if ray + 1 == rays.end && beyond[1] > 0.0 {
                weight -= beyond[1];
                add(&mut sum, beyond[1], &shares.beyond(covered.end - 1, covers, &light[ray]));
            }
            if ray == covered.start || ray + 1 == covered.end {
                add(&mut sum, weight, &shares.at_end(ray, covers, &light[ray]));
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
}

#[inline(always)]
fn add(sum: &mut Lanes, weight: f32, seen: &Lanes) {
    for (sum, seen) in sum.iter_mut().zip(seen) {
        *sum += weight * seen;
    }
}

/// Takes a cell from the shares of the rays and, if some of them have edges, dims all its rays; whether it did.
struct DimParts<'a> {
    list: &'a BeamList,
    cell: &'a Crossed,
    light: &'a mut [Lanes],
    shares: &'a mut Shares,
    opacity: &'a Lanes,
    scale: f32,
}

impl WithSimd for DimParts<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { list, cell, light, shares, opacity, scale } = self;
        if !shares.cover(cell.covers(), opacity, light) {
            return false;
        }
        let (rays, crossing) = list.crossing(cell);
        let chords: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
        let mut depth = *opacity;
        for depth in &mut depth {
            *depth = log2(1.0 - *depth) * scale;
        }
        let all_or_nothing = opacity.iter().all(|&o| o == 0.0 || o >= 1.0);
        for ray in cell.covers().rays() {
            let mut left = [1.0; 8];
            if rays.contains(&ray) {
                let chord = chords[ray - rays.start][1];
                for lane in 0..8 {
                    left[lane] = if opacity[lane] >= 1.0 { 0.0 } else { 1.0 };
                }
                if !all_or_nothing {
                    for lane in 0..8 {
                        left[lane] *= exp2(depth[lane] * chord);
                    }
                }
            }
            if shares.is_apart(ray) {
                light[ray] = shares.dim(ray, &left);
            } else {
                for lane in 0..8 {
                    light[ray][lane] *= left[lane];
                }
            }
        }
        true
    }
}
