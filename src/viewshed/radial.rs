//! The radial grade: rays in all directions, each with a horizon of its own (R2 of W. R. Franklin and C. K. Ray 1994).
//!
//! ```text
//!   M = 3   o   o  /o   o      Ray t of n crosses ring M at M · t/n cells from the axis, between two cells, and reads the
//!   M = 2     o   / o   o      height interpolated between them. It also reads the height where it crosses a row of cells
//!   M = 1       o/  o          along the axis. A cell interpolates the horizons of the two rays next to it once, at the
//!               @              end; the reference-plane grade interpolates at every ring.
//! ```
//!
//! Where one of the two rays shows a cell and the other hides it, the heights at which they found their horizons are read
//! again on the line to the cell itself, and decide. (HiXDraw, Xu and others 2019, keeps such contributing points for
//! parents.)
//!
//! Rays read the surface along the edges of its patches only. Where a patch hides a cell though its edges do not, it is nearly always
//! the patch next to the cell; so the inside of that one counts, too.

use std::ops::Range;

use fearless_simd::Simd;

use super::canopy_line;
use super::canopy_state::transmittance;
use super::cell_line::CellLine;
use super::divide_multiples::{BATCH, divide_multiples};
use super::last_patches::LastPatches;
use super::quadrant_rays::{OctantRays, QuadrantRays};
use super::quadrants::{QuadrantSweep, RingKernel, RingRow};
use super::ring_terms::{DARK_DEPTH, LEAST_VISIBILITY, RingCanopy, RingTerms};
use super::surface_terms::{Quantity, SurfaceTerms};

/// Writes a quantity of every cell in sight except the viewer's.
pub(super) struct RadialSweep<'a, 'g> {
    pub(super) sweep: QuadrantSweep<'a, 'g>,
    pub(super) quantity: Quantity,
    /// Directions, in units of 8 · radius for the full turn.
    pub(super) beams: f64,
    pub(super) rays: &'a mut QuadrantRays,
}

impl RadialSweep<'_, '_> {
    #[inline(always)]
    pub(super) fn run(self, simd: impl Simd) {
        let terms = self.sweep.terms;
        let unsure = UnsureRange { below: terms.softness, above: 0.0 };
        match (self.quantity, terms.cover.is_some()) {
            (Quantity::Clearance, _) => {
                self.run_kernel::<false>(
                    simd,
                    UnsureRange { below: f32::INFINITY, above: f32::INFINITY },
                    |clearance| clearance,
                );
            }
            (Quantity::Visibility, true) => {
                self.run_kernel::<true>(simd, unsure, |clearance| terms.visibility(clearance));
            }
            (Quantity::Visibility, false) => {
                self.run_kernel::<false>(simd, unsure, |clearance| terms.visibility(clearance));
            }
        }
    }

    /// Runs the kernel; `evaluate` returns the quantity from the metres above the horizon.
    #[inline(always)]
    fn run_kernel<const CANOPY: bool>(self, simd: impl Simd, unsure: UnsureRange, evaluate: impl Fn(f32) -> f32) {
        let Self { sweep, rays, beams, .. } = self;
        let terms = sweep.terms;
        rays.make_room(sweep.disc, beams, terms.cover.is_some());
        sweep.run(simd, RadialKernel::<_, CANOPY> { terms, rays, unsure, evaluate });
    }
}

/// Metres below and above the horizons of its rays within which a cell's own line is looked up.
#[derive(Clone, Copy)]
struct UnsureRange {
    below: f32,
    above: f32,
}

/// Casts the rays of one quadrant after another.
struct RadialKernel<'a, 'g, F, const CANOPY: bool> {
    terms: &'a SurfaceTerms<'g>,
    rays: &'a mut QuadrantRays,
    unsure: UnsureRange,
    evaluate: F,
}

impl<F: Fn(f32) -> f32, const CANOPY: bool> RingKernel for RadialKernel<'_, '_, F, CANOPY> {
    const IS_LARGE: bool = true;

    #[inline(always)]
    fn start_quadrant(&mut self) {
        for octant in &mut self.rays.octants {
            octant.start_quadrant();
        }
    }

    #[inline(always)]
    fn process(&mut self, mut row: RingRow<'_>) {
        let sides = self.terms.squared_sides(row.outwards);
        let ring = RingTerms::new(self.terms, sides, row.m);
        for side in 0..2 {
            self.rays.octants[side].load_row(&row, side, CANOPY);
        }
        self.evaluate_row(&mut row, &ring);
        self.intersect(&row);
        for side in 0..2 {
            self.raise_horizons(&ring, &row, side);
        }
    }
}

impl<F: Fn(f32) -> f32, const CANOPY: bool> RadialKernel<'_, '_, F, CANOPY> {
    /// Writes the quantity of the cells of a ring.
    #[inline(always)]
    fn evaluate_row(&mut self, row: &mut RingRow<'_>, ring: &RingTerms) {
        let axis = row.in_sight[0];
        let mut values = [0.0; BATCH];
        for first in (0..=axis.max(row.in_sight[1])).step_by(BATCH) {
            // A cell is between ray `quotient` and the next, at the share `remainder`/M.
            let (rays, mut shares) = divide_multiples(first, self.rays.count, row.m);
            for share in &mut shares {
                *share *= ring.inverse;
            }
            for side in 0..2 {
                let end = (first + BATCH).min(row.in_sight[side] + 1);
                if first >= end {
                    continue;
                }
                self.evaluate_batch(row, ring, side, first..end, (&rays, &shares), &mut values);
                if side == 0 {
                    for (to, value) in row.out[axis + 1 - end..axis + 1 - first].iter_mut().rev().zip(&values) {
                        *to = *value;
                    }
                } else {
                    row.out[axis + first..axis + end].copy_from_slice(&values[..end - first]);
                }
            }
        }
    }

    /// Computes the quantity of some cells on one side, in steps that are each the same for all cells.
    #[inline(always)]
    fn evaluate_batch(
        &self,
        row: &RingRow<'_>,
        ring: &RingTerms,
        side: usize,
        cells: Range<usize>,
        (rays, shares): (&[i32; BATCH], &[f32; BATCH]),
        values: &mut [f32; BATCH],
    ) {
        let (terms, octant, count) = (self.terms, &self.rays.octants[side], self.rays.count);
        let sides = terms.squared_sides(row.outwards);
        let drop = (terms.drop * sides.aside) as f32;
        let (below, above) = (self.unsure.below * ring.inverse, self.unsure.above * ring.inverse);
        let (mut one, mut other, mut ground) = ([0.0f32; BATCH], [0.0f32; BATCH], [0.0f32; BATCH]);
        for i in 0..cells.len() {
            let ray = rays[i] as usize;
            (one[i], other[i]) = (octant.horizon[ray], octant.horizon[ray + 1]);
        }
        ground[..cells.len()].copy_from_slice(&octant.ground[cells.clone()]);
        let patches = self.last_patches(row, side, cells.clone(), &ground);
        let (mut targets, mut horizons, mut unsure) = ([0.0f32; BATCH], [0.0f32; BATCH], [false; BATCH]);
        let mut tops = [0.0f32; BATCH];
        let curve = (terms.drop * sides.along) as f32 * (ring.m * ring.m);
        let first = cells.start as i32;
        for i in 0..BATCH {
            let aside = (first + i as i32) as f32;
            let rise = (ground[i] - ring.base) - drop * (aside * aside);
            let curve = curve + drop * (aside * aside);
            let target = rise * ring.inverse + ring.target;
            let (low, high) = if one[i] < other[i] { (one[i], other[i]) } else { (other[i], one[i]) };
            let horizon = one[i] + (other[i] - one[i]) * shares[i];
            tops[i] = (rise + patches.bulge(i, ring, aside, rise, curve)) * ring.inverse;
            let horizon = if tops[i] > horizon { tops[i] } else { horizon };
            (targets[i], horizons[i]) = (target, horizon);
            unsure[i] = (low - below < target) & (target < high + above) & (shares[i] > 0.0);
            values[i] = (self.evaluate)(ring.clearance(target, horizon));
        }
        for i in 0..cells.len() {
            if unsure[i] {
                let (ray, inverse) = (rays[i] as usize, 1.0 / count as f32);
                let line = CellLine { row, end: ring.m, aside: (first + i as i32) as f32, side };
                let (low, high) = if one[i] < other[i] { (one[i], other[i]) } else { (other[i], one[i]) };
                let one = line.slope(terms, octant.horizon_ring[ray], ray as f32 * inverse);
                let other = line.slope(terms, octant.horizon_ring[ray + 1], (ray + 1) as f32 * inverse);
                horizons[i] = one.max(other).clamp(low, high).max(tops[i]);
                values[i] = (self.evaluate)(ring.clearance(targets[i], horizons[i]));
            }
        }
        if CANOPY {
            let canopy = RingCanopy::new(terms, sides, *ring);
            let sideways = row.sideways * [-1, 1][side];
            for (i, value) in values[..cells.len()].iter_mut().enumerate() {
                let (ray, aside) = (rays[i] as usize, first + i as i32);
                let (state, next) = (octant.canopy[ray], octant.canopy[ray + 1]);
                let highest = state.highest(one[i]).max(next.highest(other[i]));
                let rise = (targets[i] - ring.target) * ring.m;
                let slopes = [targets[i], horizons[i], highest];
                let state = state.lerp(next, shares[i]);
                let cover = octant.cover[aside as usize];
                let estimate = canopy.estimate(state, slopes, aside as f32 * ring.inverse, rise, cover);
                let mut depth = estimate.depth;
                if estimate.is_unsure && *value > LEAST_VISIBILITY {
                    let offset = row.outwards * row.m as i32 + sideways * aside;
                    depth = canopy_line::depth(terms, offset, estimate.end.into(), DARK_DEPTH.into());
                }
                *value *= transmittance(depth);
            }
        }
    }

    /// Returns the corners of the patches before some cells on one side.
    #[inline(always)]
    fn last_patches(&self, row: &RingRow<'_>, side: usize, cells: Range<usize>, ground: &[f32; BATCH]) -> LastPatches {
        let (terms, octant) = (self.terms, &self.rays.octants[side]);
        let mut patches =
            LastPatches { own: *ground, near: [0.0; BATCH], inner: [0.0; BATCH], inner_near: [0.0; BATCH] };
        if row.m < 2 {
            patches.inner = [f32::NAN; BATCH]; // the first ring is always visible
            return patches;
        }
        let (count, skipped) = (cells.len(), usize::from(cells.start == 0));
        let near = cells.start + skipped - 1..cells.end - 1;
        patches.near[skipped..count].copy_from_slice(&octant.ground[near.clone()]);
        patches.inner[..count].copy_from_slice(&octant.previous_ground[cells.clone()]);
        patches.inner_near[skipped..count].copy_from_slice(&octant.previous_ground[near]);
        if skipped == 1 {
            (patches.near[0], patches.inner_near[0]) = (patches.own[0], patches.inner[0]); // along the axis
        }
        if cells.end == row.m + 1 {
            // The patch before a cell on the diagonal has a corner in the next quadrant.
            let sideways = row.sideways * [-1, 1][side];
            let corner = terms.viewer + row.outwards * (row.m as i32 - 1) + sideways * row.m as i32;
            patches.inner[count - 1] = terms.ground.get(corner).copied().unwrap_or(f32::NAN);
        }
        patches
    }

    /// Computes the heights and canopy where the rays cross the ring, and the heights where they last crossed a row.
    #[inline(always)]
    fn intersect(&mut self, row: &RingRow<'_>) {
        let count = self.rays.count;
        let lasts = [self.rays.last(row, 0), self.rays.last(row, 1)];
        for first in (0..=lasts[0].max(lasts[1])).step_by(BATCH) {
            // A ray crosses the ring between cell `quotient` and the next, at the share `remainder`/count.
            let (cells, remainders) = divide_multiples(first, row.m, count);
            for (side, &last) in lasts.iter().enumerate().filter(|(_, last)| first <= **last) {
                self.intersect_batch(row, side, first..(first + BATCH).min(last + 1), (&cells, &remainders));
            }
        }
    }

    #[inline(always)]
    fn intersect_batch(
        &mut self,
        row: &RingRow<'_>,
        side: usize,
        rays: Range<usize>,
        (cells, remainders): (&[i32; BATCH], &[f32; BATCH]),
    ) {
        let inverse_count = 1.0 / self.rays.count as f32;
        let canopy_height = self.terms.canopy.height;
        let OctantRays { heights, crossing_heights, crossing_back, covers, ground, previous_ground, cover, .. } =
            &mut self.rays.octants[side];
        let length = row.m + 3;
        let (ground, previous_ground) = (&ground[..length], &previous_ground[..length]);
        let (mut near, mut next, mut previous) = ([0.0f32; BATCH], [0.0f32; BATCH], [0.0f32; BATCH]);
        for (i, &cell) in cells[..rays.len()].iter().enumerate() {
            let cell = cell as usize;
            [near[i], next[i]] = [ground[cell], ground[cell + 1]];
            previous[i] = previous_ground[cell];
        }
        let batch = rays.start..rays.start + BATCH;
        let inverse = &self.rays.inverse[batch.clone()];
        let (heights, crossing_heights) = (&mut heights[batch.clone()], &mut crossing_heights[batch.clone()]);
        let crossing_back = &mut crossing_back[batch];
        for i in 0..BATCH {
            let next = if remainders[i] > 0.0 { next[i] } else { near[i] };
            heights[i] = lerp(near[i], next, remainders[i] * inverse_count);
            crossing_back[i] = remainders[i] * inverse[i];
            crossing_heights[i] = lerp(near[i], previous[i], crossing_back[i]);
        }
        if CANOPY {
            for (i, covers) in covers[rays.clone()].iter_mut().enumerate() {
                let (cell, share) = (cells[i] as usize, remainders[i] * inverse_count);
                let next = cell + usize::from(remainders[i] > 0.0);
                let height = |cell: usize| canopy_height * (cover[cell] * cover[cell]);
                *covers = [lerp(cover[cell], cover[next], share), lerp(height(cell), height(next), share)];
            }
        }
    }

    /// Updates the horizons and canopy of the rays on one side.
    #[inline(always)]
    fn raise_horizons(&mut self, ring: &RingTerms, row: &RingRow<'_>, side: usize) {
        let n = self.rays.last(row, side) + 1;
        let spacing = ring.m * (1.0 / self.rays.count as f32);
        let sides = self.terms.squared_sides(row.outwards);
        let [along, aside] = [sides.along, sides.aside].map(|side| (self.terms.drop * side) as f32);
        let step = HorizonStep {
            ring: *ring,
            eye: self.terms.eye as f32,
            drop_along: along * (ring.m * ring.m),
            drop_aside: aside * (spacing * spacing),
        };
        let canopy_terms = self.terms.canopy;
        let octant = &mut self.rays.octants[side];
        let (heights, crossing_heights) = (&octant.heights[..n], &octant.crossing_heights[..n]);
        let (crossing_back, squares) = (&octant.crossing_back[..n], &self.rays.squares[..n]);
        let (horizon, horizon_ring) = (&mut octant.horizon[..n], &mut octant.horizon_ring[..n]);
        if CANOPY {
            let (canopy, covers) = (&mut octant.canopy[..n], &octant.covers[..n]);
            for i in 0..n {
                let before = horizon[i];
                let crossing = Crossing { height: crossing_heights[i], back: crossing_back[i] };
                let (rise, higher, at) = step.raise(heights[i], crossing, squares[i], before, horizon_ring[i]);
                (horizon[i], horizon_ring[i]) = (higher, at);
                let [cover, height] = covers[i];
                let top = (rise + height) * ring.inverse;
                canopy[i] = canopy[i].above(higher - before).with(canopy_terms.depth * cover, top - higher);
            }
        } else {
            for i in 0..n {
                let crossing = Crossing { height: crossing_heights[i], back: crossing_back[i] };
                let (_, higher, at) = step.raise(heights[i], crossing, squares[i], horizon[i], horizon_ring[i]);
                (horizon[i], horizon_ring[i]) = (higher, at);
            }
        }
        std::mem::swap(&mut octant.ground, &mut octant.previous_ground);
    }
}

/// The place where a ray last crossed a row of cells along the axis.
struct Crossing {
    height: f32,
    /// Rings from there to the current ring.
    back: f32,
}

/// The step of all rays from one ring to the next.
struct HorizonStep {
    ring: RingTerms,
    eye: f32,
    /// Metres that curvature takes at the ring on the axis.
    drop_along: f32,
    /// Metres that curvature takes at the distance of two rays on the ring.
    drop_aside: f32,
}

impl HorizonStep {
    /// Returns the rise of the ground over the eye at the ring, the new horizon, and the ring at which it was found.
    #[inline(always)]
    fn raise(&self, height: f32, crossing: Crossing, square: f32, horizon: f32, horizon_ring: f32) -> (f32, f32, f32) {
        let ring = &self.ring;
        let drop_aside = self.drop_aside * square;
        let rise = (height - ring.base) - drop_aside;
        let slope = rise * ring.inverse;
        // The row counts if it was crossed since the previous ring, and not before the first ring, where a share of 1 may
        // be rounded down.
        let m = ring.m - crossing.back;
        let m = if crossing.back > 0.0 && crossing.back < 1.0 && m >= 1.0 { m } else { f32::NAN };
        let share = m * ring.inverse;
        let crossing_slope = ((crossing.height - self.eye) - (self.drop_along + drop_aside) * (share * share)) / m;
        let (higher, at) = if slope > horizon { (slope, ring.m) } else { (horizon, horizon_ring) };
        let (higher, at) = if crossing_slope > higher { (crossing_slope, m) } else { (higher, at) };
        (rise, higher, at)
    }
}

#[inline(always)]
fn lerp(near: f32, next: f32, share: f32) -> f32 {
    near + (next - near) * share
}
