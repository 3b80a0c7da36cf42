//! [`Sectors`]: bounds of the horizons of all lines between two directions.
//!
//! ```text
//!   M = 3   o   o  /o/  o      Rays leave the viewer, at most a cell apart. Between two of them is a sector. At a distance M
//!   M = 2     o   //o   o      along the axis, the surface of a patch is linear from side to side. So the maximum slope in a
//!   M = 1       o// o          sector is on one of its two rays or at a cell between them, and a line is at least as high as
//!               @              the minimum of these on every ring that it crosses.
//! ```
//!
//! The drop by curvature is first subtracted from the heights of the cells. It bends the surface between them by less
//! than a margin, which also covers rounding.

use super::surface::NO_HORIZON;

/// The number of cells or rays that are computed together.
pub(super) const BATCH: usize = 64;

/// The rings between two entries of the table of bounds, and of the table of longer runs.
pub(super) const BLOCK: usize = 4;
pub(super) const RUN: usize = 64;

/// The height of a nodata cell, and of cells off the map.
pub(super) const NO_DATA: f32 = -1e30;

/// An upper bound of heights and slopes of data. A patch with a nodata corner exceeds it.
pub(super) const HUGE: f32 = 1e20;

/// The heights over the eye of the cells of two adjacent rings: cell 0, on the axis, and then all cells, starting at
/// cell 0.
#[derive(Clone, Copy)]
pub(super) struct RingPair<'a> {
    pub(super) ring: usize,
    pub(super) previous: &'a [f32],
    pub(super) current: &'a [f32],
}

/// The uncertainty of heights, in metres.
#[derive(Clone, Copy)]
pub(super) struct Margin {
    /// The uncertainty by rounding.
    pub(super) rounding: f32,
    /// The maximum deviation of the surface between the cells of a patch by curvature, up or down.
    pub(super) lift: f32,
    pub(super) sink: f32,
}

/// The sectors of one octant, from the axis to the diagonal.
#[derive(Clone, Debug, Default)]
pub(super) struct Sectors {
    /// The number of the ray along the diagonal; that of the axis is 0.
    pub(super) count: usize,
    /// The reciprocal of the number of each ray.
    inverse: Vec<f32>,
    /// The slopes where the rays cross the last ring, in metres per ring.
    slopes: Vec<f32>,
    /// The same, [`NO_HORIZON`] next to a gap.
    sure_slopes: Vec<f32>,
    /// The maximum slopes of the rays between the last two rings.
    tops: Vec<f32>,
    /// The slope of the cell between a ray and the one before it on the last ring, above [`HUGE`] without one.
    between: Vec<f32>,
    /// An upper bound of the slopes of all horizons in a sector.
    pub(super) upper: Vec<f32>,
    /// A lower bound of the slopes of all horizons in a sector.
    pub(super) lower: Vec<f32>,
    /// Like `upper`, since the last whole block.
    block: Vec<f32>,
    blocks_per_sector: usize,
    /// Like `upper`, for each whole block; sector by sector.
    table: Vec<f32>,
    /// As `upper`, since the last whole run.
    run: Vec<f32>,
    runs_per_sector: usize,
    /// As `upper`, of each whole run; sector after sector.
    runs: Vec<f32>,
}

impl Sectors {
    /// Allocates for an octant with some rings.
    pub(super) fn fit(&mut self, rings: usize) {
        let count = rings.max(1);
        let length = (count + 1).next_multiple_of(BATCH);
        if self.count != count {
            let (blocks_per_sector, runs_per_sector) = (rings / BLOCK, rings / RUN);
            *self = Self { count, blocks_per_sector, runs_per_sector, ..Self::default() };
            self.inverse.extend((0..length).map(|ray| 1.0 / ray as f32));
            for values in [&mut self.slopes, &mut self.sure_slopes, &mut self.tops, &mut self.between] {
                values.resize(length, 0.0);
            }
            self.table.resize(count * self.blocks_per_sector, 0.0);
            self.runs.resize(count * self.runs_per_sector, 0.0);
        }
        for values in [&mut self.upper, &mut self.lower, &mut self.block, &mut self.run] {
            values.clear();
            values.resize(length, NO_HORIZON);
        }
    }

    /// Returns the upper bounds of the whole blocks of a sector before a ring.
    pub(super) fn whole_blocks(&self, sector: usize, ring: usize) -> &[f32] {
        let first = sector * self.blocks_per_sector;
        &self.table[first..first + (ring - 1) / BLOCK]
    }

    /// Returns the bounds of the whole runs of a sector before a ring, from above.
    pub(super) fn whole_runs(&self, sector: usize, ring: usize) -> &[f32] {
        let first = sector * self.runs_per_sector;
        &self.runs[first..first + (ring - 1) / RUN]
    }

    /// Returns the bound since the last whole block, from above.
    pub(super) fn last_block(&self, sector: usize) -> f32 {
        self.block[sector]
    }

    /// Adds the patches next to the eye to the bounds of the sectors up to ray `last`.
    pub(super) fn start(&mut self, cells: RingPair<'_>, last: usize, margin: Margin) {
        let ([eye, aside], [near, next]) =
            ([cells.previous[1], cells.previous[2]], [cells.current[1], cells.current[2]]);
        let twist = (next - near) - (aside - eye);
        for ray in 0..=last {
            let slant = ray as f32 / self.count as f32;
            // The cell on the diagonal has its height even if its neighbours are nodata.
            let slope = if ray == self.count { next } else { near + (next - near) * slant };
            let is_complete = near.min(next).min(eye).min(aside) > NO_DATA;
            self.slopes[ray] = slope;
            self.sure_slopes[ray] = if is_complete { slope } else { NO_HORIZON };
            self.between[ray] = f32::INFINITY;
            let (by_slope, bend) = ((near - eye) + slant * (aside - eye), slant * twist);
            let has_top = bend < 0.0 && bend > -HUGE && eye <= 0.0 && eye > bend;
            let top = if has_top { by_slope - 2.0 * (eye * bend).sqrt() } else { NO_HORIZON };
            self.tops[ray] = if top > slope { top } else { slope };
        }
        // The cell on the diagonal is on its ray, too.
        self.merge(1, last, margin.rounding + margin.sink, margin.rounding + 4.0 * margin.lift);
    }

    /// Adds the patches between two rings to the bounds of the sectors up to ray `last`.
    #[inline(always)]
    pub(super) fn raise(&mut self, cells: RingPair<'_>, last: usize, margin: Margin) {
        let mut cell_before = 0;
        for first in (0..=last).step_by(BATCH) {
            self.raise_batch(cells, first, &mut cell_before);
        }
        let ring = cells.ring as f32;
        let (below, above) = (margin.rounding + margin.sink, margin.rounding + margin.lift);
        self.merge(cells.ring, last, below / ring, above / (ring - 1.0));
    }

    /// Advances some rays from one ring to the next. `cell_before` is the cell at or before the previous ray.
    #[inline(always)]
    fn raise_batch(&mut self, cells: RingPair<'_>, first: usize, cell_before: &mut i32) {
        let RingPair { ring, previous, current } = cells;
        // A ray crosses the ring between cell `quotient` and the next, at the fraction `remainder`/count.
        let (quotients, remainders) = divide_multiples(first, ring, self.count);
        let (mut before, mut near, mut next) = ([0.0f32; BATCH], [0.0f32; BATCH], [0.0f32; BATCH]);
        let (mut inner_before, mut inner, mut inner_next) = ([0.0f32; BATCH], [0.0f32; BATCH], [0.0f32; BATCH]);
        for i in 0..BATCH {
            let cell = quotients[i] as usize;
            (before[i], near[i], next[i]) = triple(current, cell);
            (inner_before[i], inner[i], inner_next[i]) = triple(previous, cell);
        }
        let batch = first..first + BATCH;
        let inverse = &self.inverse[batch.clone()];
        let (slopes, sure_slopes) = (&mut self.slopes[batch.clone()], &mut self.sure_slopes[batch.clone()]);
        let (tops, between) = (&mut self.tops[batch.clone()], &mut self.between[batch]);
        let (m, inverse_count) = (ring as f32, 1.0 / self.count as f32);
        let (inverse_m, inverse_inner) = (1.0 / m, 1.0 / (m - 1.0));
        for i in 0..BATCH {
            let ray = (first + i) as i32 as f32;
            let slant = ray * inverse_count;
            let slope = (near[i] + (next[i] - near[i]) * (remainders[i] * inverse_count)) * inverse_m;
            // The ray enters the next patch where it crosses from one row of cells along the axis to the next, at the
            // latest on the ring.
            let crosses = remainders[i] < ray;
            let back = remainders[i] * inverse[i];
            let crossing = (near[i] + (inner[i] - near[i]) * back) / (m - back);
            let twist = (next[i] - near[i]) - (inner_next[i] - inner[i]);
            let twist_before = (near[i] - before[i]) - (inner[i] - inner_before[i]);
            let start = slopes[i];
            let inner_piece = Piece { start, end: crossing, length: 1.0 - back, bend: slant * twist_before };
            let (start, length) = if crosses { (crossing, back) } else { (start, 1.0) };
            let outer_piece = Piece { start, end: slope, length, bend: slant * twist };
            let (inner_top, outer_top) = (inner_piece.top(inverse_inner), outer_piece.top(inverse_inner));
            tops[i] = if crosses && inner_top > outer_top { inner_top } else { outer_top };
            slopes[i] = slope;
            let lowest = min(min(min(before[i], near[i]), next[i]), min(min(inner_before[i], inner[i]), inner_next[i]));
            sure_slopes[i] = if lowest > -HUGE { slope } else { NO_HORIZON };
            let previous_cell = if i == 0 { *cell_before } else { quotients[i - 1] };
            between[i] = if quotients[i] != previous_cell { near[i] * inverse_m } else { f32::INFINITY };
        }
        *cell_before = quotients[BATCH - 1];
    }

    /// Merges the slopes between the last two rings into the bounds. The margins are slopes.
    #[inline(always)]
    fn merge(&mut self, ring: usize, last: usize, below: f32, above: f32) {
        let (upper, lower, block) = (&mut self.upper[..last], &mut self.lower[..last], &mut self.block[..last]);
        let (tops, next_tops) = (&self.tops[..last], &self.tops[1..=last]);
        let (sure, next_sure) = (&self.sure_slopes[..last], &self.sure_slopes[1..=last]);
        let between = &self.between[1..=last];
        let is_last_of_block = ring.is_multiple_of(BLOCK);
        for i in 0..last {
            let lowest = min(min(sure[i], next_sure[i]), between[i]) - below;
            lower[i] = max(lower[i], lowest);
            let between = if between[i] < HUGE { between[i] } else { NO_HORIZON };
            let highest = max(max(tops[i], next_tops[i]), between) + above;
            block[i] = max(block[i], highest);
            upper[i] = max(upper[i], highest);
        }
        if is_last_of_block {
            let index = ring / BLOCK - 1;
            for i in 0..last {
                self.table[i * self.blocks_per_sector + index] = block[i];
                self.run[i] = max(self.run[i], block[i]);
                // The cell on the ring belongs to the next block, too.
                block[i] = if between[i] < HUGE { between[i] + above } else { NO_HORIZON };
            }
        }
        if ring.is_multiple_of(RUN) {
            let index = ring / RUN - 1;
            for (i, run) in self.run[..last].iter_mut().enumerate() {
                self.runs[i * self.runs_per_sector + index] = *run;
                *run = NO_HORIZON; // its blocks have the cells on their first rings
            }
        }
    }
}

/// A part of a ray within one patch.
struct Piece {
    /// The slopes at its ends.
    start: f32,
    end: f32,
    /// The length in rings.
    length: f32,
    /// The coefficient of the squared ring in the height of the ray.
    bend: f32,
}

impl Piece {
    /// Returns an upper bound of the slope. `inverse_start` is at least the reciprocal of the ring at its start.
    ///
    /// Between x₀ and x₁ the slope is a/x + b + c x. It exceeds its chord by -a (x - x₀) (x₁ - x) / (x x₀ x₁), hence by at
    /// most the parabola with 1/x₀ for 1/x. With D for the maximum distance of this parabola from the chord and d for
    /// the difference of the ends, the parabola's top is (4 D - d)²/(16 D) above the higher end if d < 4 D.
    #[inline(always)]
    fn top(&self, inverse_start: f32) -> f32 {
        max(self.start, self.end) + self.excess(inverse_start)
    }

    #[inline(always)]
    fn excess(&self, inverse_start: f32) -> f32 {
        let rise = self.end - self.start;
        let sagitta = self.length * (rise - self.bend * self.length) * inverse_start; // 4 D
        let over = sagitta - rise.abs();
        let has_top = over > 0.0 && self.bend.abs() < HUGE && rise.abs() < HUGE;
        if has_top { over * over / (4.0 * sagitta) } else { 0.0 }
    }
}

/// Returns an upper bound of the slope of a line over its last patch, excluding its end, the target. If the line
/// certainly rises up to its end, this is the slope at its start.
#[inline(always)]
pub(super) fn last_top(start: f32, end: f32, bend: f32, inverse_start: f32, tolerance: f32) -> f32 {
    let piece = Piece { start, end, length: 1.0, bend };
    let rise = end - start;
    let rises = rise - (rise - bend) * inverse_start > tolerance && rise > tolerance;
    if rises { start } else { piece.top(inverse_start) }
}

/// Returns the quotients and remainders of `first · step`, `(first + 1) · step`, … by `divisor`: exactly, without
/// integer division, which vectors lack.
#[inline(always)]
pub(super) fn divide_multiples(first: usize, step: usize, divisor: usize) -> ([i32; BATCH], [f32; BATCH]) {
    /// 2²³: the sum with a smaller number has its rounded value in the low bits.
    const ROUNDING: f32 = 8_388_608.0;
    let (mut quotients, mut remainders) = ([0; BATCH], [0.0; BATCH]);
    if (first + BATCH) * step > i32::MAX as usize {
        for i in 0..BATCH {
            let multiple = (first + i) * step;
            (quotients[i], remainders[i]) = ((multiple / divisor) as i32, (multiple % divisor) as f32);
        }
        return (quotients, remainders);
    }
    let (first, step, inverse, divisor) = (first as i32, step as i32, 1.0 / divisor as f32, divisor as i32);
    for i in 0..BATCH {
        let multiple = (first + i as i32).wrapping_mul(step);
        let nearest = ((multiple as f32 * inverse + ROUNDING).to_bits() as i32).wrapping_sub(ROUNDING.to_bits() as i32);
        let remainder = multiple.wrapping_sub(nearest.wrapping_mul(divisor));
        let too_much = i32::from(remainder < 0);
        quotients[i] = nearest - too_much;
        remainders[i] = remainder.wrapping_add(too_much.wrapping_mul(divisor)) as f32;
    }
    (quotients, remainders)
}

/// Returns a cell with its neighbours on the ring.
#[inline(always)]
fn triple(cells: &[f32], cell: usize) -> (f32, f32, f32) {
    let cells = &cells[cell..cell + 3];
    (cells[0], cells[1], cells[2])
}

#[inline(always)]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_and_remainders_are_exact() {
        // Small numbers, fractions that a product misses, and products that exceed 32 bits.
        for (first, step, divisor) in [
            (0, 1, 1),
            (0, 512, 3),
            (64, 3, 512),
            (448, 511, 512),
            (128, 49, 7),
            (4032, 4095, 4093),
            (16_320, 4093, 16_381),
            (65_472, 65_521, 65_519),
            (40_000, 120_011, 65_521),
        ] {
            let (quotients, remainders) = divide_multiples(first, step, divisor);
            for i in 0..BATCH {
                let multiple = (first + i) * step;
                let expected = (multiple / divisor, (multiple % divisor) as f32);
                assert_eq!((quotients[i] as usize, remainders[i]), expected, "{multiple}/{divisor}");
            }
        }
    }
}
