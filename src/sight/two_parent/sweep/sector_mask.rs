//! [`AxisSector`]: the part of the octants along one axis that is in a sector.

use std::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use super::band::Band;
use super::band::BandRows;
use crate::sight_config::{OctantBounds, OctantParts, OctantSet};
use crate::simd::Vector;

/// The parts of the octants along one axis that are in a sector.
// Plain loops, for the reason given at `sweep_band`.
#[derive(Clone, Copy)]
pub(super) struct AxisSector<'a> {
    /// The octants that have cells in the sector.
    pub(super) octants: OctantSet,
    /// The bounds of the octants that an edge crosses.
    bounds: [Option<&'a OctantBounds>; 4],
    is_bounded: bool,
    radius: u32,
}

impl<'a> AxisSector<'a> {
    /// Selects the octants with these numbers, for discs up to a radius.
    #[inline(always)]
    pub(super) fn new(octants: &'a OctantParts, numbers: [usize; 4], radius: u32) -> Self {
        let is_bounded = octants.is_bounded();
        let mut sector = Self { octants: OctantSet::NONE, bounds: [None; 4], is_bounded, radius };
        for (k, number) in numbers.into_iter().enumerate() {
            if octants.touches(number) {
                sector.octants = sector.octants.with(k);
            }
            if is_bounded {
                sector.bounds[k] = octants.bounds(number);
            }
        }
        sector
    }

    /// Returns the octants in which some of `blocks` of group `g` pass light to the sector.
    #[inline(always)]
    pub(super) fn octants_at<const W: usize>(&self, g: usize, blocks: Range<usize>) -> OctantSet {
        if self.is_bounded { self.octants_among(g * W, blocks.start * W..blocks.end * W) } else { self.octants }
    }

    /// Returns the octants in which some of `cells` in the rows starting at `first_row` pass light to the sector.
    #[inline(never)]
    fn octants_among(&self, first_row: usize, cells: Range<usize>) -> OctantSet {
        let mut octants = self.octants;
        for (k, bounds) in self.bounds.iter().enumerate() {
            if let Some(bounds) = bounds {
                let [aside, behind] = bounds.farthest(self.radius).map(|cells| cells as usize);
                if first_row >= cells.end + behind || cells.start > aside {
                    octants = octants.without(OctantSet::NONE.with(k));
                }
            }
        }
        octants
    }

    /// Returns `true` if the cell (m, 0) of octant `k` is in the sector.
    #[inline(always)]
    pub(super) fn contains_on_axis(&self, k: usize, m: usize) -> bool {
        self.octants.contains(k) && self.bounds[k].is_none_or(|bounds| bounds.contains(m, 0))
    }

    /// Clears the cells of a band of `n` blocks that are not in the sector.
    #[inline(always)]
    pub(super) fn clip<S: Simd, V: Vector<S, W>, const W: usize>(
        &self,
        simd: S,
        n: usize,
        band: &Band<'_, W>,
        out: &mut BandRows<'_>,
    ) {
        if self.is_bounded {
            clip_band::<S, V, W>(simd, &self.bounds, n, band, out);
        }
    }
}

/// Clears the cells of a band that are not within the bounds of their octants.
#[inline(never)]
fn clip_band<S: Simd, V: Vector<S, W>, const W: usize>(
    simd: S,
    bounds: &[Option<&OctantBounds>; 4],
    n: usize,
    band: &Band<'_, W>,
    out: &mut BandRows<'_>,
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            for k in 0..4 {
                if let Some(bounds) = bounds[k]
                    && band.octants.contains(k)
                {
                    clip_octant::<S, V, W>(simd, bounds, k, n, band, out);
                }
            }
        },
    );
}

/// Clears the cells of an octant that are not within bounds.
#[inline(always)]
fn clip_octant<S: Simd, V: Vector<S, W>, const W: usize>(
    simd: S,
    bounds: &OctantBounds,
    k: usize,
    n: usize,
    band: &Band<'_, W>,
    out: &mut BandRows<'_>,
) {
    let (is_lower, is_gap) = (k >= 2, bounds.is_gap);
    let (mut firsts, mut lasts) = ([0.0; W], [0.0; W]);
    for i in 0..W {
        firsts[i] = bounds.first.cell(band.first_row + i) as f32;
        lasts[i] = bounds.last.cell(band.first_row + i) as f32;
    }
    let mut ramp = [0.0; W];
    for (i, n) in ramp.iter_mut().enumerate() {
        *n = if is_lower { W - 1 - i } else { i } as u32 as f32;
    }
    let ramp = V::simd_from(simd, ramp);
    for block in 0..n {
        let aside = (band.first_block + block) * W;
        let (first_cell, last_cell) = (aside as u32 as f32, (aside + W - 1).min(band.first_row + W - 1) as u32 as f32);
        if !is_gap && firsts[W - 1] <= first_cell && lasts[0] >= last_cell {
            continue;
        }
        let cells = ramp + first_cell;
        // The lower octants run towards the axis.
        let at = if is_lower { n - 1 - block } else { block } * W;
        for (row, i) in band.rows.clone().enumerate() {
            clip_row(simd, [firsts[i], lasts[i]], is_gap, cells, out.vector(k, row, at));
        }
    }
}

/// Clears the values of a row outside of its bounds, or those inside if it `is_gap`.
#[inline(always)]
fn clip_row<S: Simd, V: Vector<S, W>, const W: usize>(
    simd: S,
    [first, last]: [f32; 2],
    is_gap: bool,
    cells: V,
    values: &mut [f32; W],
) {
    let between = cells.simd_ge(V::simd_from(simd, first)) & cells.simd_le(V::simd_from(simd, last));
    let (zero, kept) = (V::simd_from(simd, 0.0f32), V::simd_from(simd, *values));
    let clipped = if is_gap { between.select(zero, kept) } else { between.select(kept, zero) };
    *values = clipped.to_array();
}
