//! The reference-plane grade: the horizon of a cell is interpolated between those of its two parents (J. Wang, G. J.
//! Robinson, K. White 2000).
//!
//! ```text
//!   ring M             o   cell      The plane through the eye and the horizons of both parents has at the cell the slope
//!                        /   |
//!   ring M - 1   diagonal  straight     straight + (diagonal - straight) m/M.
//!
//!                                    It is the cell's horizon. The horizon behind the cell is the greater of it and the slope
//!                                    of the cell's own ground.
//! ```

use std::ops::Range;

use fearless_simd::Simd;
use glam::IVec2;

use super::canopy::{
    CanopyEstimate, CanopyState, DARK_DEPTH, LEAST_VISIBILITY, RingCanopy, canopy_depth, transmittance,
};
use super::quadrants::{ClippedDisc, QuadrantSweep, RingRow};
use super::surface::{CanopyTerms, NO_HORIZON, Quantity, SquaredSides, SurfaceTerms};
use crate::grid::AlignedBuffer;
use crate::simd::LANES;

/// What all cells of a ring have in common. Slopes are in metres per ring.
#[derive(Clone, Copy)]
struct RingTerms {
    /// The number of the ring, M.
    m: f32,
    /// 1 / M.
    inverse: f32,
    /// Elevation of the eye, plus what curvature takes on the axis.
    base: f32,
    /// Slope that the height of the target adds.
    target: f32,
}

impl RingTerms {
    fn new(terms: &SurfaceTerms<'_>, sides: SquaredSides, m: usize) -> Self {
        let steps = m as f64;
        let inverse = 1.0 / m as f32;
        Self {
            m: m as f32,
            inverse,
            base: (terms.eye + terms.drop * sides.along * steps * steps) as f32,
            target: terms.target_height * inverse,
        }
    }

    /// Returns the metres of a target above the horizon, from the slopes of both.
    #[inline(always)]
    fn clearance(&self, target: f32, horizon: f32) -> f32 {
        (target - horizon) * self.m
    }

    /// Returns the slope of the top of a cell's canopy, or [`NO_HORIZON`] without canopy.
    #[inline(always)]
    fn top_slope(&self, canopy: CanopyTerms, cover: f32, rise: f32) -> f32 {
        let slope = (rise + canopy.height * (cover * cover)) * self.inverse;
        if cover > 0.0 { slope } else { NO_HORIZON }
    }

    /// Returns a canopy with that of one more cell, whose ground is `rise` metres above the eye.
    #[inline(always)]
    fn with_cell(&self, state: CanopyState, canopy: CanopyTerms, cover: f32, rise: f32, horizon: f32) -> CanopyState {
        let top = (rise + canopy.height * (cover * cover)) * self.inverse;
        state.with(canopy.depth * cover, top - horizon)
    }
}

/// The state of two rings. In all rows the axis of the quadrant is in the middle.
#[derive(Clone, Debug, Default)]
pub(super) struct ReferencePlanes {
    previous: RingState,
    current: RingState,
    /// Distance to the axis, in cells.
    aside: AlignedBuffer,
    /// Metres that curvature takes for it, along a row and along a column.
    drop: [AlignedBuffer; 2],
    middle: usize,
}

/// The state that a ring leaves to the next.
#[derive(Clone, Debug, Default)]
struct RingState {
    /// Steepest slope so far, in metres per ring.
    horizon: AlignedBuffer,
    // The fields of `CanopyState`.
    depth: AlignedBuffer,
    moment: AlignedBuffer,
    reach: AlignedBuffer,
    /// Greatest slope of the tops of the canopy among all cells on the ways to a cell, above the horizon or below.
    highest: AlignedBuffer,
}

impl RingState {
    fn make_room(&mut self, length: usize, has_canopy: bool) {
        self.horizon.grow_to(length);
        if has_canopy {
            self.depth.grow_to(length);
            self.moment.grow_to(length);
            self.reach.grow_to(length);
            self.highest.grow_to(length);
        }
    }

    #[inline(always)]
    fn start_quadrant(&mut self) {
        self.horizon.fill(NO_HORIZON);
        self.depth.fill(0.0);
        self.moment.fill(0.0);
        self.reach.fill(0.0);
        self.highest.fill(NO_HORIZON);
    }

    #[inline(always)]
    fn canopy(&self, places: &Range<usize>) -> [&[f32]; 4] {
        [&self.depth, &self.moment, &self.reach, &self.highest].map(|field| &field[places.clone()])
    }

    /// Copies the state of a place to another.
    #[inline(always)]
    fn copy_place(&mut self, from: usize, to: usize, has_canopy: bool) {
        self.horizon[to] = self.horizon[from];
        if has_canopy {
            self.depth[to] = self.depth[from];
            self.moment[to] = self.moment[from];
            self.reach[to] = self.reach[from];
            self.highest[to] = self.highest[from];
        }
    }
}

impl ReferencePlanes {
    /// Writes a quantity of every cell in sight except the viewer's.
    #[inline(always)]
    pub(super) fn sweep(&mut self, simd: impl Simd, sweep: QuadrantSweep<'_, '_>, quantity: Quantity) {
        let terms = sweep.terms;
        let (is_soft, per_metre) = (terms.softness > 0.0, 1.0 / terms.softness);
        let soft = |ring: &RingTerms, target, horizon| {
            SurfaceTerms::soft_visibility(ring.clearance(target, horizon), per_metre)
        };
        let hard = |_: &RingTerms, target, horizon| SurfaceTerms::hard_visibility(target, horizon);
        match (quantity, terms.cover.is_some()) {
            (Quantity::Clearance, _) => self.run_kernel::<false>(simd, sweep, RingTerms::clearance),
            (Quantity::Visibility, true) if is_soft => self.run_kernel::<true>(simd, sweep, soft),
            (Quantity::Visibility, true) => self.run_kernel::<true>(simd, sweep, hard),
            (Quantity::Visibility, false) if is_soft => self.run_kernel::<false>(simd, sweep, soft),
            (Quantity::Visibility, false) => self.run_kernel::<false>(simd, sweep, hard),
        }
    }

    /// Runs the kernel; `evaluate` returns the quantity from the ring and the slopes of the target and the horizon.
    #[inline(always)]
    fn run_kernel<const CANOPY: bool>(
        &mut self,
        simd: impl Simd,
        sweep: QuadrantSweep<'_, '_>,
        evaluate: impl Fn(&RingTerms, f32, f32) -> f32,
    ) {
        let terms = sweep.terms;
        self.make_room(terms, sweep.disc);
        let mut kernel = ReferencePlaneKernel::<_, CANOPY> { terms, planes: self, evaluate };
        sweep.run(
            simd,
            #[inline(always)]
            |row| if CANOPY { kernel.process_apart(simd, row) } else { kernel.process(row) },
        );
    }

    fn make_room(&mut self, terms: &SurfaceTerms<'_>, disc: &ClippedDisc) {
        let middle = (disc.outermost_ring() + 1).next_multiple_of(LANES);
        let length = 2 * middle + 1;
        if self.middle != middle {
            *self = Self { middle, ..Default::default() };
            self.aside.reset(length, 0.0);
            for (place, aside) in self.aside[..length].iter_mut().enumerate() {
                *aside = place.abs_diff(middle) as f32;
            }
            self.drop.iter_mut().for_each(|drop| drop.reset(length, 0.0));
        }
        for state in [&mut self.previous, &mut self.current] {
            state.make_room(length, terms.cover.is_some());
        }
        // A ring of the upper and the lower quadrant is a part of a row.
        for (drop, outwards) in self.drop.iter_mut().zip([IVec2::Y, IVec2::X]) {
            let squared = terms.drop * terms.squared_sides(outwards).aside;
            for (drop, aside) in drop.iter_mut().zip(self.aside.iter()) {
                *drop = (squared * f64::from(*aside) * f64::from(*aside)) as f32;
            }
        }
    }
}

/// Sweeps one quadrant after another.
struct ReferencePlaneKernel<'a, 'g, F, const CANOPY: bool> {
    terms: &'a SurfaceTerms<'g>,
    planes: &'a mut ReferencePlanes,
    evaluate: F,
}

impl<F: Fn(&RingTerms, f32, f32) -> f32, const CANOPY: bool> ReferencePlaneKernel<'_, '_, F, CANOPY> {
    /// Not inlined: rows and columns share the code, which with a canopy is long.
    #[inline(never)]
    fn process_apart<S: Simd>(&mut self, simd: S, row: RingRow<'_>) {
        simd.vectorize(
            #[inline(always)]
            || self.process(row),
        );
    }

    #[inline(always)]
    fn process(&mut self, row: RingRow<'_>) {
        let RingRow { m, outwards, sideways, in_sight: [a, b], ground, cover, out } = row;
        if m == 1 {
            self.planes.previous.start_quadrant();
            self.planes.current.start_quadrant();
        }
        let ReferencePlanes { previous, current, aside, drop, middle } = &mut *self.planes;
        let middle = *middle;
        let sides = self.terms.squared_sides(outwards);
        let ring = RingTerms::new(self.terms, sides, m);
        let drop = &drop[usize::from(outwards.x != 0)];
        // On side 0 the diagonal parent is one place further right, on side 1 one place further left.
        for (places, inwards) in [(middle - a..middle, 1), (middle..middle + b + 1, -1isize)] {
            let diagonal = places.start.wrapping_add_signed(inwards)..places.end.wrapping_add_signed(inwards);
            let cells = places.start + a - middle..places.end + a - middle;
            let octant = OctantRow {
                ground: &ground[cells.clone()],
                straight: &previous.horizon[places.clone()],
                diagonal: &previous.horizon[diagonal.clone()],
                aside: &aside[places.clone()],
                drop: &drop[places.clone()],
                horizon: &mut current.horizon[places.clone()],
                out: &mut out[cells.clone()],
            };
            if CANOPY {
                let canopy = CanopyRow {
                    cover: &cover[cells],
                    straight: previous.canopy(&places),
                    diagonal: previous.canopy(&diagonal),
                    depth: &mut current.depth[places.clone()],
                    moment: &mut current.moment[places.clone()],
                    reach: &mut current.reach[places.clone()],
                    highest: &mut current.highest[places],
                };
                let axis = outwards * m as i32;
                let sideways = if inwards > 0 { -sideways } else { sideways };
                let depth = |aside: f32, end: f32| {
                    canopy_depth(self.terms, axis + sideways * aside as i32, end.into(), DARK_DEPTH.into())
                };
                let lines = CanopyLines { canopy: RingCanopy::new(self.terms, sides, ring.m), depth };
                octant.process_with_canopy(&ring, self.terms.canopy, canopy, lines, &self.evaluate);
            } else {
                octant.process(&ring, inwards < 0, &self.evaluate);
            }
        }
        // A cell on a diagonal has only the diagonal parent: its state is needed on both sides.
        if a == m {
            current.copy_place(middle - m, middle - m - 1, CANOPY);
        }
        if b == m {
            current.copy_place(middle + m, middle + m + 1, CANOPY);
        }
        std::mem::swap(previous, current);
    }
}

/// The part of a ring on one side of the axis. All slices have the same length.
struct OctantRow<'a> {
    ground: &'a [f32],
    /// Horizons of the straight and of the diagonal parents.
    straight: &'a [f32],
    diagonal: &'a [f32],
    aside: &'a [f32],
    drop: &'a [f32],
    horizon: &'a mut [f32],
    out: &'a mut [f32],
}

/// The canopy of an [`OctantRow`].
struct CanopyRow<'a> {
    cover: &'a [f32],
    straight: [&'a [f32]; 4],
    diagonal: [&'a [f32]; 4],
    depth: &'a mut [f32],
    moment: &'a mut [f32],
    reach: &'a mut [f32],
    highest: &'a mut [f32],
}

#[inline(always)]
fn chunks<const N: usize>(values: &[f32]) -> &[[f32; N]] {
    values.as_chunks().0
}

impl OctantRow<'_> {
    #[inline(always)]
    fn process(mut self, ring: &RingTerms, ends_outside: bool, evaluate: impl Fn(&RingTerms, f32, f32) -> f32) {
        let n = self.out.len();
        if n < LANES {
            return self.process_chunks::<1>(0, n, ring, &evaluate);
        }
        // Whole vectors from the axis outwards, and one that ends at the rim. Cells of both are computed twice, which is
        // harmless, since nothing that is written here is read.
        let rest = n % LANES;
        let (whole, outermost) = if ends_outside { (0..n - rest, n - LANES..n) } else { (rest..n, 0..LANES) };
        self.process_chunks::<LANES>(whole.start, whole.end, ring, &evaluate);
        if rest > 0 {
            self.process_chunks::<LANES>(outermost.start, outermost.end, ring, &evaluate);
        }
    }

    /// Processes the cells from `start` to `end`, `N` at a time.
    #[inline(always)]
    fn process_chunks<const N: usize>(
        &mut self,
        start: usize,
        end: usize,
        ring: &RingTerms,
        evaluate: &impl Fn(&RingTerms, f32, f32) -> f32,
    ) {
        let (ground, straight) = (chunks::<N>(&self.ground[start..end]), chunks::<N>(&self.straight[start..end]));
        let (diagonal, aside) = (chunks::<N>(&self.diagonal[start..end]), chunks::<N>(&self.aside[start..end]));
        let drop = chunks::<N>(&self.drop[start..end]);
        let current = self.horizon[start..end].as_chunks_mut::<N>().0;
        let out = self.out[start..end].as_chunks_mut::<N>().0;
        for c in 0..out.len() {
            let (mut horizons, mut values) = ([0.0; N], [0.0; N]);
            for i in 0..N {
                let horizon = straight[c][i] + (diagonal[c][i] - straight[c][i]) * (aside[c][i] * ring.inverse);
                let rise = (ground[c][i] - ring.base) - drop[c][i];
                let slope = rise * ring.inverse;
                values[i] = evaluate(ring, slope + ring.target, horizon);
                horizons[i] = if slope > horizon { slope } else { horizon };
            }
            (current[c], out[c]) = (horizons, values);
        }
    }

    #[inline(always)]
    fn process_with_canopy(
        self,
        ring: &RingTerms,
        terms: CanopyTerms,
        canopy: CanopyRow<'_>,
        lines: CanopyLines<impl Fn(f32, f32) -> f32>,
        evaluate: impl Fn(&RingTerms, f32, f32) -> f32,
    ) {
        let n = self.out.len();
        let out = &mut self.out[..n];
        let (ground, straight, diagonal) = (&self.ground[..n], &self.straight[..n], &self.diagonal[..n]);
        let (aside, drop, current) = (&self.aside[..n], &self.drop[..n], &mut self.horizon[..n]);
        let cover = &canopy.cover[..n];
        let straight_fields = canopy.straight.map(|field| &field[..n]);
        let diagonal_fields = canopy.diagonal.map(|field| &field[..n]);
        let (depth, moment, reach) = (&mut canopy.depth[..n], &mut canopy.moment[..n], &mut canopy.reach[..n]);
        let highest = &mut canopy.highest[..n];
        let mut estimates = [CanopyEstimate::default(); BATCH];
        for start in (0..n).step_by(BATCH) {
            let batch = start..(start + BATCH).min(n);
            for (estimate, i) in estimates.iter_mut().zip(batch.clone()) {
                let share = aside[i] * ring.inverse;
                let horizon = straight[i] + (diagonal[i] - straight[i]) * share;
                let [straight_state, diagonal_state] =
                    [straight_fields, diagonal_fields].map(|[depth, moment, reach, _]| CanopyState {
                        depth: depth[i],
                        moment: moment[i],
                        reach: reach[i],
                    });
                let [straight_top, diagonal_top] = [straight_fields[3][i], diagonal_fields[3][i]];
                // The axis has no diagonal parent.
                let top = if share > 0.0 { larger(straight_top, diagonal_top) } else { straight_top };
                let state = straight_state.lerp(diagonal_state, share);
                let rise = (ground[i] - ring.base) - drop[i];
                let slope = rise * ring.inverse;
                let target = slope + ring.target;
                *estimate = lines.canopy.estimate(state, [target, horizon, top], share, rise, cover[i]);
                out[i] = evaluate(ring, target, horizon);
                let higher = larger(slope, horizon);
                let state = state.above(higher - horizon);
                let state = ring.with_cell(state, terms, cover[i], rise, higher);
                (current[i], depth[i], moment[i], reach[i]) = (higher, state.depth, state.moment, state.reach);
                highest[i] = larger(ring.top_slope(terms, cover[i], rise), top);
            }
            for (estimate, i) in estimates.iter_mut().zip(batch.clone()) {
                if estimate.is_unsure && out[i] > LEAST_VISIBILITY {
                    estimate.depth = (lines.depth)(aside[i], estimate.end);
                }
            }
            for (estimate, i) in estimates.iter().zip(batch) {
                out[i] *= transmittance(estimate.depth);
            }
        }
    }
}

/// Cells whose canopy is estimated before any of their lines is read.
const BATCH: usize = 64;

/// The canopy on the lines of sight to the cells on one side of the axis.
struct CanopyLines<F> {
    canopy: RingCanopy,
    /// Returns the optical depth on the line to a cell, from its distance to the axis and the metres of the line over the eye.
    depth: F,
}

/// Returns the larger number; the second if the first is NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests;
