//! The sweep along one axis: group after group outwards, and in each group band after band away from the axis.

use std::ops::Range;

use super::buffers::{BAND, BandScratch, Vector16};
use super::mask_mode::{ALL, COLUMNS, IN_SIGHT, MaskMode, READ_ALL, ROWS};
use super::octant_pairs::{AxisState, OctantPairs};
use super::row_band::LightLeft;
use super::tiling::Mask;
use crate::simd::LANES;

impl OctantPairs<'_> {
    /// Sweeps all groups from group `first` on.
    #[target_feature(enable = "avx512f")]
    pub(super) fn sweep<const NODATA: bool, const ORDER: u8>(
        &self,
        first: usize,
        axis: &mut AxisState,
        scratch: &mut BandScratch,
    ) {
        let AxisState { light, lit, written } = axis;
        let [one_side, other_side] = self.aside;
        let widest = one_side.max(other_side);
        for (g, pair) in self.tiling.starts.windows(2).enumerate().skip(first) {
            let first_row = g * LANES;
            let mut inner_is_lit = false;
            let mut start = pair[0];
            while start < pair[1] {
                let size = BAND.min(pair[1] - start);
                let b = start - pair[0];
                if first_row <= self.last_row && b * LANES <= widest && (inner_is_lit || lit[b]) {
                    let light = &mut light[4 * b..4 * (b + size)];
                    let left = match size {
                        1 => self.sweep_band::<NODATA, ORDER, 1>(g, b, light, scratch),
                        2 => self.sweep_band::<NODATA, ORDER, 2>(g, b, light, scratch),
                        _ => self.sweep_band::<NODATA, ORDER, 3>(g, b, light, scratch),
                    };
                    inner_is_lit = left.aside;
                    lit[b] = left.ahead;
                    written[start] = true;
                } else {
                    scratch.outermost = Default::default();
                    if std::mem::take(&mut written[start]) {
                        self.clear::<ORDER>(g, b..b + size);
                    }
                }
                start += size;
            }
        }
        if self.tiling.radius.is_multiple_of(LANES) {
            self.write_tips::<NODATA, ORDER>([light[0].0[0], light[1].0[0]]);
        }
    }

    /// Sweeps N blocks from `b` on of each octant, through the 16 rows of group `g`.
    #[target_feature(enable = "avx512f")]
    fn sweep_band<const NODATA: bool, const ORDER: u8, const N: usize>(
        &self,
        g: usize,
        b: usize,
        light: &mut [Vector16],
        scratch: &mut BandScratch,
    ) -> LightLeft {
        let tiling = self.tiling;
        let (first, first_cell) = (tiling.starts[g] + b, b * LANES);
        let first_row = g * LANES;
        let row_count = (self.last_row + 1 - first_row).min(LANES);
        let beyond = (b + N) * LANES;
        let whole = self.map_reaches_aside(tiling.last_cells[g].min(beyond - 1));
        let clipped: [[[Mask; LANES]; N]; 4];
        let (plain, mirrored) = (&tiling.rows[0][first..first + N], &tiling.rows[1][first..first + N]);
        let masks: [&[[Mask; LANES]]; 4] = if whole {
            [plain, plain, mirrored, mirrored]
        } else {
            clipped = self.clip_rows(first_cell, [plain, mirrored]);
            [&clipped[0], &clipped[1], &clipped[2], &clipped[3]]
        };
        // Where the map ends on one side before it does on the other, only two octants continue.
        let on_map = self.rows_on_map(first_row, row_count);
        let mut left = LightLeft::default();
        let mut from = usize::from(g == 0); // not the viewer's own cell
        for to in [on_map[0].min(on_map[1]), row_count] {
            if from >= to {
                continue;
            }
            let alive = [on_map[0] >= to, on_map[1] >= to];
            let mut band = self.lay_out(first_row, first_cell, from, to, alive, masks);
            band.has_diagonal = (b..b + N).contains(&g);
            if alive != [true; 2] {
                clear_light(light, alive);
            }
            let mode = if !self.may_read_all(first_row + from, first_row + to - 1, beyond, alive) {
                MaskMode::InSight
            } else if whole && tiling.inside_circle[g] && self.may_write_all(first_row + to - 1, beyond) {
                MaskMode::All
            } else {
                MaskMode::ReadAll
            };
            let LightLeft { aside, ahead } = if ORDER == ROWS {
                match mode {
                    MaskMode::All => self.run_band::<NODATA, ALL, ORDER, N>(&band, light, scratch),
                    MaskMode::ReadAll => self.run_band::<NODATA, READ_ALL, ORDER, N>(&band, light, scratch),
                    MaskMode::InSight => self.run_band::<NODATA, IN_SIGHT, ORDER, N>(&band, light, scratch),
                }
            } else {
                match mode {
                    MaskMode::InSight => self.run_band::<NODATA, IN_SIGHT, ORDER, N>(&band, light, scratch),
                    _ => self.run_band::<NODATA, ALL, ORDER, N>(&band, light, scratch),
                }
            };
            left = LightLeft { aside: left.aside || aside, ahead };
            from = to;
        }
        if ORDER == COLUMNS {
            self.transpose_blocks(g, b..b + N, whole, on_map, scratch);
        }
        left
    }

    /// Writes the last cells of the axes from the light that arrives there, if they are in no block.
    fn write_tips<const NODATA: bool, const ORDER: u8>(&self, arriving: [f32; 2]) {
        let m = self.tiling.radius;
        let step = if ORDER == ROWS { self.seen_stride } else { 1 };
        for way in (0..2).filter(|&way| m <= self.along[way]) {
            let offset = [-1, 1][way] * m as isize;
            let exists = !NODATA || self.get(self.cells.wrapping_offset(offset * self.cells_stride)) <= 1.0;
            self.set(self.seen.wrapping_offset(offset * step), if exists { arriving[way] } else { 0.0 });
        }
    }

    /// Clears neighbouring blocks.
    #[cold]
    fn clear<const ORDER: u8>(&self, g: usize, blocks: Range<usize>) {
        blocks.for_each(|b| self.clear_block::<ORDER>(g, b));
    }

    fn clear_block<const ORDER: u8>(&self, g: usize, b: usize) {
        let (first, block) = (g * LANES, self.tiling.starts[g] + b);
        let (along, aside) = if ORDER == ROWS { (self.seen_stride, 1) } else { (1, self.seen_stride) };
        for (way, sign) in [-1, 1].into_iter().enumerate() {
            for (i, mask) in self.tiling.rows[0][block].iter().enumerate() {
                let m = first + i;
                if m > self.along[way].min(self.last_row) {
                    continue;
                }
                let row = self.seen.wrapping_offset(sign * m as isize * along);
                for j in (0..LANES).filter(|j| mask >> j & 1 == 1) {
                    let n = b * LANES + j;
                    for (side, to) in self.aside.into_iter().zip([aside, -aside]) {
                        if n <= side {
                            self.set(row.wrapping_offset(n as isize * to), 0.0);
                        }
                    }
                }
            }
        }
    }
}

/// Clears the light of octants that are off the map.
#[cold]
fn clear_light(light: &mut [Vector16], alive: [bool; 2]) {
    for way in (0..2).filter(|&way| !alive[way]) {
        for light in light.chunks_exact_mut(4) {
            light[way] = Vector16::default();
            light[way + 2] = Vector16::default();
        }
    }
}
