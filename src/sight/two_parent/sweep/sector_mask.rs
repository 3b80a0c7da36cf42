//! [`AxisSector`]: the part of the octants along one axis that is in a sector.

use std::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use super::row_band::{AxisOctants, Band, BandColumns, Output};
use super::vector::Vector;
use crate::sight::sector_edges::{OctantBounds, OctantPart};

/// A radius beyond every window.
const MAX_RADIUS: u32 = 1 << 20;

/// The octants along one axis, as far as they are in a sector.
// Plain loops, for the reason given at `sweep_band`.
#[derive(Clone, Copy)]
pub(super) struct AxisSector<'a> {
    /// The octants that have cells in the sector.
    pub(super) octants: AxisOctants,
    parts: [&'a OctantPart; 4],
    /// The largest n and m − n of the cells in the sector, for each octant: no other cell can take light to them.
    farthest: [[u32; 2]; 4],
    has_bounds: bool,
}

impl<'a> AxisSector<'a> {
    /// Selects the parts with these numbers, for discs up to a radius.
    #[inline(always)]
    pub(super) fn new(parts: &'a [OctantPart; 8], numbers: [usize; 4], radius: u32) -> Self {
        let parts = [&parts[numbers[0]], &parts[numbers[1]], &parts[numbers[2]], &parts[numbers[3]]];
        let mut sector = Self { octants: AxisOctants::NONE, parts, farthest: [[MAX_RADIUS; 2]; 4], has_bounds: false };
        for (k, part) in parts.iter().enumerate() {
            if !matches!(part, OctantPart::Outside) {
                sector.octants = sector.octants.with(k);
            }
            if let OctantPart::Bounded(bounds) = part {
                sector.farthest[k] = bounds.farthest(radius);
                sector.has_bounds = true;
            }
        }
        sector
    }

    /// Returns the blocks of group `g`, which has this number of them, that take light to the sector.
    #[inline(always)]
    pub(super) fn blocks<const W: usize>(&self, g: usize, blocks: usize) -> Range<usize> {
        if !self.has_bounds {
            return if self.octants == AxisOctants::NONE { 0..0 } else { 0..blocks };
        }
        let mut used = blocks..0;
        for k in 0..4 {
            if self.octants.contains(k) {
                let blocks = self.blocks_of::<W>(g, k);
                used = used.start.min(blocks.start)..used.end.max(blocks.end);
            }
        }
        let end = used.end.min(blocks);
        used.start.min(end)..end
    }

    /// Returns the blocks of group `g` that take light to the sector in octant `k`.
    #[inline(always)]
    fn blocks_of<const W: usize>(&self, g: usize, k: usize) -> Range<usize> {
        let [aside, behind] = self.farthest[k];
        (g * W).saturating_sub(behind as usize) / W..aside as usize / W + 1
    }

    /// Returns the octants in which some of these blocks of group `g` take light to the sector.
    #[inline(always)]
    pub(super) fn octants_at<const W: usize>(&self, g: usize, blocks: Range<usize>) -> AxisOctants {
        if !self.has_bounds {
            return self.octants;
        }
        let mut octants = AxisOctants::NONE;
        for k in 0..4 {
            let used = self.blocks_of::<W>(g, k);
            if self.octants.contains(k) && used.start < blocks.end && blocks.start < used.end {
                octants = octants.with(k);
            }
        }
        octants
    }

    /// Returns `true` if the cell (m, 0) of octant `k` is in the sector.
    pub(super) fn contains_on_axis(&self, k: usize, m: usize) -> bool {
        match self.parts[k] {
            OctantPart::Outside => false,
            OctantPart::Inside => true,
            OctantPart::Bounded(bounds) => bounds.contains(m, 0),
        }
    }

    /// Clears the cells of a band of `n` blocks that are not in the sector.
    #[inline(always)]
    pub(super) fn clip<S: Simd, V: Vector<S, W>, const W: usize, const ROWS: bool>(
        &self,
        simd: S,
        n: usize,
        band: &Band<'_, W>,
        out: &mut Output<'_>,
        columns: &mut BandColumns<W>,
    ) {
        if !self.has_bounds {
            return;
        }
        for k in 0..4 {
            if let OctantPart::Bounded(bounds) = self.parts[k]
                && band.octants.contains(k)
            {
                clip_octant::<S, V, W, ROWS>(simd, bounds, k, n, band, out, columns);
            }
        }
    }
}

/// Clears the cells of an octant that are not within bounds.
#[inline(never)]
fn clip_octant<S: Simd, V: Vector<S, W>, const W: usize, const ROWS: bool>(
    simd: S,
    bounds: &OctantBounds,
    k: usize,
    n: usize,
    band: &Band<'_, W>,
    out: &mut Output<'_>,
    columns: &mut BandColumns<W>,
) {
    simd.vectorize(
        #[inline(always)]
        move || {
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
                let (first_cell, last_cell) =
                    (aside as u32 as f32, (aside + W - 1).min(band.first_row + W - 1) as u32 as f32);
                if !is_gap && firsts[W - 1] <= first_cell && lasts[0] >= last_cell {
                    continue;
                }
                let cells = ramp + first_cell;
                if ROWS {
                    let start = if is_lower { out.viewer - (aside + W - 1) } else { out.viewer + aside };
                    for i in band.rows.clone() {
                        let along = (band.first_row + i) * out.stride;
                        let start = if k.is_multiple_of(2) { start - along } else { start + along };
                        let values = out.seen[start..].first_chunk_mut().expect("a row has a whole vector");
                        clip_row(simd, [firsts[i], lasts[i]], is_gap, cells, values);
                    }
                } else {
                    // The lower octants run towards the axis.
                    let tile = &mut columns.0[k][if is_lower { n - 1 - block } else { block }];
                    for i in band.rows.clone() {
                        clip_row(simd, [firsts[i], lasts[i]], is_gap, cells, &mut tile[i].0);
                    }
                }
            }
        },
    );
}

/// Clears the values of a row whose cells are not within its bounds, or those that are if it `is_gap`.
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
