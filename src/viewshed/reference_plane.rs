//! The reference-plane grade: the horizon of a cell is interpolated between those of its two parents (J. Wang, G. J.
//! Robinson, K. White 2000).
//!
//! ```text
//!   ring M             o   cell      The plane through the eye and the horizons of both parents has at the cell the slope
//!                        /   |
//!   ring M - 1   diagonal  straight     straight + (diagonal - straight) m/M.
//!
//!                                    It is the cell's horizon. The horizon behind the cell is the maximum of it and the slope
//!                                    of the cell's own ground.
//! ```

use std::ops::Range;

use fearless_simd::Simd;
use glam::IVec2;

use super::canopy::{CanopyState, LEAST_VISIBILITY, RingCanopy, transmittance};
use super::canopy_lines::{CanopyLine, CanopyLines, LINES};
use super::quadrants::{ClippedDisc, QuadrantSweep, RingRow};
use super::surface::{CanopyTerms, NO_HORIZON, Quantity, SquaredSides, SurfaceTerms};
use crate::grid::AlignedBuffer;
use crate::simd::LANES;

/// The common terms of all cells of a ring. Slopes are in metres per ring.
#[derive(Clone, Copy)]
struct RingTerms {
    /// The number of the ring, M.
    m: f32,
    /// 1 / M.
    inverse: f32,
    /// Elevation of the eye, plus the drop by curvature on the axis.
    base: f32,
    /// The additional slope by the height of the target.
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

    /// Returns the slope of the ground of a cell, or of the obstacle on it.
    #[inline(always)]
    fn slope_of_top(&self, ground: f32, obstacle: f32, drop: f32) -> f32 {
        ((SurfaceTerms::top_of(ground, obstacle) - self.base) - drop) * self.inverse
    }

    /// Returns the slope of the top of a cell's canopy, or [`NO_HORIZON`] without canopy.
    #[inline(always)]
    fn top_slope(&self, canopy: CanopyTerms, cover: f32, rise: f32) -> f32 {
        let slope = (rise + canopy.height * canopy.power_f32(cover)) * self.inverse;
        if cover > 0.0 { slope } else { NO_HORIZON }
    }

    /// Returns a canopy with that of an additional cell, whose ground is `rise` metres above the eye.
    #[inline(always)]
    fn with_cell(&self, state: CanopyState, canopy: CanopyTerms, cover: f32, rise: f32, horizon: f32) -> CanopyState {
        let top = (rise + canopy.height * canopy.power_f32(cover)) * self.inverse;
        state.with(canopy.depth * canopy.density(cover), top - horizon)
    }
}

/// The state of two rings. In all rows the axis of the quadrant is in the middle.
#[derive(Clone, Debug, Default)]
pub(super) struct ReferencePlanes {
    previous: RingState,
    current: RingState,
    /// Distance to the axis, in cells.
    aside: AlignedBuffer,
    /// The drop by curvature for this distance, along a row and along a column.
    drop: [AlignedBuffer; 2],
    copies: RowCopies,
    lines: CanopyLines,
    middle: usize,
}

/// The state that a ring passes to the next.
#[derive(Clone, Debug, Default)]
struct RingState {
    /// The running maximum slope, in metres per ring.
    horizon: AlignedBuffer,
    // The fields of `CanopyState`.
    depth: AlignedBuffer,
    moment: AlignedBuffer,
    reach: AlignedBuffer,
    /// The maximum slope of the tops of the canopy over all cells on the paths to a cell, above the horizon or below.
    highest: AlignedBuffer,
}

/// The rows of a quadrant with a canopy, padded to whole vectors.
#[derive(Clone, Debug, Default)]
struct RowCopies {
    ground: AlignedBuffer,
    obstacles: AlignedBuffer,
    cover: AlignedBuffer,
    out: AlignedBuffer,
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
    fn canopy(&self, places: Range<usize>) -> ParentCanopies<'_> {
        ParentCanopies {
            depth: chunks(&self.depth[places.clone()]),
            moment: chunks(&self.moment[places.clone()]),
            reach: chunks(&self.reach[places.clone()]),
            highest: chunks(&self.highest[places]),
        }
    }

    /// Copies the state from one index to another.
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
        let has_canopy = terms.cover.is_some() && quantity == Quantity::Visibility;
        // A kernel for obstacles takes the ground, too. The page has no other, since its size counts.
        match (has_canopy, terms.obstacles.is_some() || cfg!(target_family = "wasm"), quantity) {
            (true, ..) if is_soft => self.run_kernel::<true, true>(simd, sweep, soft),
            (true, ..) => self.run_kernel::<true, true>(simd, sweep, hard),
            (_, true, Quantity::Clearance) => self.run_kernel::<false, true>(simd, sweep, RingTerms::clearance),
            (_, true, Quantity::Visibility) if is_soft => self.run_kernel::<false, true>(simd, sweep, soft),
            (_, true, Quantity::Visibility) => self.run_kernel::<false, true>(simd, sweep, hard),
            (_, false, Quantity::Clearance) => self.run_kernel::<false, false>(simd, sweep, RingTerms::clearance),
            (_, false, Quantity::Visibility) if is_soft => self.run_kernel::<false, false>(simd, sweep, soft),
            (_, false, Quantity::Visibility) => self.run_kernel::<false, false>(simd, sweep, hard),
        }
    }

    /// Runs the kernel; `evaluate` returns the quantity from the ring and the slopes of the target and the horizon.
    #[inline(always)]
    fn run_kernel<const CANOPY: bool, const OBSTACLES: bool>(
        &mut self,
        simd: impl Simd,
        sweep: QuadrantSweep<'_, '_>,
        evaluate: impl Fn(&RingTerms, f32, f32) -> f32,
    ) {
        let terms = sweep.terms;
        self.make_room(terms, sweep.disc);
        let mut kernel = ReferencePlaneKernel::<_, CANOPY, OBSTACLES> { terms, planes: self, evaluate };
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
        if terms.cover.is_some() {
            let RowCopies { ground, obstacles, cover, out } = &mut self.copies;
            [ground, obstacles, cover, out].into_iter().for_each(|row| row.grow_to(length));
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
struct ReferencePlaneKernel<'a, 'g, F, const CANOPY: bool, const OBSTACLES: bool> {
    terms: &'a SurfaceTerms<'g>,
    planes: &'a mut ReferencePlanes,
    evaluate: F,
}

impl<F: Fn(&RingTerms, f32, f32) -> f32, const CANOPY: bool, const OBSTACLES: bool>
    ReferencePlaneKernel<'_, '_, F, CANOPY, OBSTACLES>
{
    /// Not inlined: rows and columns share the code, which is long with a canopy.
    #[inline(never)]
    fn process_apart<S: Simd>(&mut self, simd: S, row: RingRow<'_>) {
        simd.vectorize(
            #[inline(always)]
            || self.process(row),
        );
    }

    #[inline(always)]
    fn process(&mut self, row: RingRow<'_>) {
        let RingRow { m, outwards, sideways, in_sight: [a, b], ground, obstacles, cover, out } = row;
        if m == 1 {
            self.planes.previous.start_quadrant();
            self.planes.current.start_quadrant();
            if CANOPY {
                self.planes.lines.start(self.terms);
            }
        }
        let ReferencePlanes { previous, current, aside, drop, copies, lines, middle } = &mut *self.planes;
        let middle = *middle;
        let sides = self.terms.squared_sides(outwards);
        let ring = RingTerms::new(self.terms, sides, m);
        let drop = &drop[usize::from(outwards.x != 0)];
        // On side 0 the diagonal parent is one place further right, on side 1 one place further left.
        let octants = [(middle - a..middle, 1), (middle..middle + b + 1, -1isize)];
        if CANOPY {
            let row = middle - a..middle + b + 1;
            copies.ground[row.clone()].copy_from_slice(ground);
            copies.obstacles[row.clone()].copy_from_slice(obstacles);
            copies.cover[row.clone()].copy_from_slice(cover);
            let ring_canopy = RingCanopy::new(self.terms, sides, ring.m);
            for (cells, inwards) in octants {
                // Only whole vectors are computed. The values beyond the row are overwritten or never read.
                let places = cells.start..cells.start + cells.len().next_multiple_of(LANES);
                let diagonal = places.start.wrapping_add_signed(inwards)..places.end.wrapping_add_signed(inwards);
                let octant = OctantRow {
                    ground: &copies.ground[places.clone()],
                    obstacles: &copies.obstacles[places.clone()],
                    straight: &previous.horizon[places.clone()],
                    diagonal: &previous.horizon[diagonal.clone()],
                    aside: &aside[places.clone()],
                    drop: &drop[places.clone()],
                    horizon: &mut current.horizon[places.clone()],
                    out: &mut copies.out[places.clone()],
                };
                let canopy = CanopyRow {
                    cover: &copies.cover[places.clone()],
                    straight: previous.canopy(places.clone()),
                    diagonal: previous.canopy(diagonal.clone()),
                    depth: &mut current.depth[places.clone()],
                    moment: &mut current.moment[places.clone()],
                    reach: &mut current.reach[places.clone()],
                    highest: &mut current.highest[places],
                };
                let first_aside = cells.start as i32 - middle as i32;
                octant.process_with_canopy(
                    &ring,
                    self.terms.canopy,
                    &ring_canopy,
                    canopy,
                    &self.evaluate,
                    #[inline(always)]
                    |i, end| {
                        if i < cells.len() {
                            lines.push(CanopyLine { aside: first_aside + i as i32, end });
                        }
                    },
                );
            }
            let visible = &mut copies.out[row];
            lines.push_ring(ground, cover, a);
            lines.read(
                self.terms,
                [outwards, sideways],
                #[inline(always)]
                |lines, depths| {
                    let mut light = [0.0; LINES];
                    for i in 0..LINES {
                        light[i] = transmittance(depths[i]);
                    }
                    for (line, light) in lines.iter().zip(light) {
                        visible[a.wrapping_add_signed(line.aside as isize)] *= light;
                    }
                },
            );
            out.copy_from_slice(visible);
        } else {
            for (places, inwards) in octants {
                let diagonal = places.start.wrapping_add_signed(inwards)..places.end.wrapping_add_signed(inwards);
                let cells = places.start + a - middle..places.end + a - middle;
                let octant = OctantRow {
                    ground: &ground[cells.clone()],
                    obstacles: &obstacles[cells.clone()],
                    straight: &previous.horizon[places.clone()],
                    diagonal: &previous.horizon[diagonal],
                    aside: &aside[places.clone()],
                    drop: &drop[places.clone()],
                    horizon: &mut current.horizon[places],
                    out: &mut out[cells],
                };
                octant.process::<OBSTACLES>(&ring, inwards < 0, &self.evaluate);
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
    /// Read only with obstacles.
    obstacles: &'a [f32],
    /// Horizons of the straight and of the diagonal parents.
    straight: &'a [f32],
    diagonal: &'a [f32],
    aside: &'a [f32],
    drop: &'a [f32],
    horizon: &'a mut [f32],
    out: &'a mut [f32],
}

/// The canopies of parents in whole vectors, field by field.
#[derive(Clone, Copy)]
struct ParentCanopies<'a> {
    depth: &'a [[f32; LANES]],
    moment: &'a [[f32; LANES]],
    reach: &'a [[f32; LANES]],
    highest: &'a [[f32; LANES]],
}

/// A vector of [`ParentCanopies`].
struct ParentVectors {
    depth: [f32; LANES],
    moment: [f32; LANES],
    reach: [f32; LANES],
    highest: [f32; LANES],
}

impl ParentCanopies<'_> {
    #[inline(always)]
    fn vectors(&self, c: usize) -> ParentVectors {
        ParentVectors { depth: self.depth[c], moment: self.moment[c], reach: self.reach[c], highest: self.highest[c] }
    }
}

impl ParentVectors {
    #[inline(always)]
    fn state(&self, i: usize) -> CanopyState {
        CanopyState { depth: self.depth[i], moment: self.moment[i], reach: self.reach[i] }
    }
}

/// The canopy of an [`OctantRow`].
struct CanopyRow<'a> {
    cover: &'a [f32],
    straight: ParentCanopies<'a>,
    diagonal: ParentCanopies<'a>,
    depth: &'a mut [f32],
    moment: &'a mut [f32],
    reach: &'a mut [f32],
    highest: &'a mut [f32],
}

#[inline(always)]
fn chunks<const N: usize>(values: &[f32]) -> &[[f32; N]] {
    values.as_chunks().0
}

#[inline(always)]
fn chunks_mut<const N: usize>(values: &mut [f32]) -> &mut [[f32; N]] {
    values.as_chunks_mut().0
}

impl OctantRow<'_> {
    #[inline(always)]
    fn process<const OBSTACLES: bool>(
        mut self,
        ring: &RingTerms,
        ends_outside: bool,
        evaluate: impl Fn(&RingTerms, f32, f32) -> f32,
    ) {
        let n = self.out.len();
        if n < LANES {
            return self.process_chunks::<1, OBSTACLES>(0, n, ring, &evaluate);
        }
        // Whole vectors from the axis outwards, and one that ends at the rim. Cells in both are computed twice, which
        // is harmless, since this pass reads none of its outputs.
        let rest = n % LANES;
        let (whole, outermost) = if ends_outside { (0..n - rest, n - LANES..n) } else { (rest..n, 0..LANES) };
        self.process_chunks::<LANES, OBSTACLES>(whole.start, whole.end, ring, &evaluate);
        if rest > 0 {
            self.process_chunks::<LANES, OBSTACLES>(outermost.start, outermost.end, ring, &evaluate);
        }
    }

    /// Processes the cells from `start` to `end`, `N` at a time.
    #[inline(always)]
    fn process_chunks<const N: usize, const OBSTACLES: bool>(
        &mut self,
        start: usize,
        end: usize,
        ring: &RingTerms,
        evaluate: &impl Fn(&RingTerms, f32, f32) -> f32,
    ) {
        let (ground, straight) = (chunks::<N>(&self.ground[start..end]), chunks::<N>(&self.straight[start..end]));
        let (diagonal, aside) = (chunks::<N>(&self.diagonal[start..end]), chunks::<N>(&self.aside[start..end]));
        let drop = chunks::<N>(&self.drop[start..end]);
        let obstacles = chunks::<N>(&self.obstacles[start..end]);
        let current = chunks_mut::<N>(&mut self.horizon[start..end]);
        let out = chunks_mut::<N>(&mut self.out[start..end]);
        for c in 0..out.len() {
            let (mut horizons, mut values) = ([0.0; N], [0.0; N]);
            for i in 0..N {
                let horizon = straight[c][i] + (diagonal[c][i] - straight[c][i]) * (aside[c][i] * ring.inverse);
                let rise = (ground[c][i] - ring.base) - drop[c][i];
                let slope = rise * ring.inverse;
                values[i] = evaluate(ring, slope + ring.target, horizon);
                let top = if OBSTACLES { ring.slope_of_top(ground[c][i], obstacles[c][i], drop[c][i]) } else { slope };
                horizons[i] = if top > horizon { top } else { horizon };
            }
            (current[c], out[c]) = (horizons, values);
        }
    }

    /// Processes whole vectors. Calls `read_line` with each index whose line must be computed and the metres of this
    /// line over the eye.
    #[inline(always)]
    fn process_with_canopy(
        self,
        ring: &RingTerms,
        terms: CanopyTerms,
        ring_canopy: &RingCanopy,
        canopy: CanopyRow<'_>,
        evaluate: impl Fn(&RingTerms, f32, f32) -> f32,
        mut read_line: impl FnMut(usize, f32),
    ) {
        let (grounds, covers) = (chunks::<LANES>(self.ground), chunks::<LANES>(canopy.cover));
        let obstacles = chunks::<LANES>(self.obstacles);
        let (straight, diagonal) = (chunks::<LANES>(self.straight), chunks::<LANES>(self.diagonal));
        let (aside, drop) = (chunks::<LANES>(self.aside), chunks::<LANES>(self.drop));
        let (horizons, out) = (chunks_mut::<LANES>(self.horizon), chunks_mut::<LANES>(self.out));
        let (depths, moments) = (chunks_mut::<LANES>(canopy.depth), chunks_mut::<LANES>(canopy.moment));
        let (reaches, tops) = (chunks_mut::<LANES>(canopy.reach), chunks_mut::<LANES>(canopy.highest));
        for c in 0..out.len() {
            let (ground, cover) = (grounds[c], covers[c]);
            let (straight, diagonal, aside, drop) = (straight[c], diagonal[c], aside[c], drop[c]);
            let straight_canopy = canopy.straight.vectors(c);
            let diagonal_canopy = canopy.diagonal.vectors(c);
            let [mut depth, mut moment, mut reach, mut highest, mut higher] = [[0.0; LANES]; 5];
            let [mut values, mut optical_depths, mut ends, mut is_unsure] = [[0.0; LANES]; 4];
            for i in 0..LANES {
                let share = aside[i] * ring.inverse;
                let horizon = straight[i] + (diagonal[i] - straight[i]) * share;
                // The axis has no diagonal parent.
                let straight_top = straight_canopy.highest[i];
                let top = if share > 0.0 { larger(straight_top, diagonal_canopy.highest[i]) } else { straight_top };
                let state = straight_canopy.state(i).lerp(diagonal_canopy.state(i), share);
                let rise = (ground[i] - ring.base) - drop[i];
                let slope = rise * ring.inverse;
                let target = slope + ring.target;
                let estimate = ring_canopy.estimate(state, [target, horizon, top], share, rise, cover[i]);
                values[i] = evaluate(ring, target, horizon);
                (optical_depths[i], ends[i]) = (estimate.depth, estimate.end);
                is_unsure[i] = if estimate.is_unsure & (values[i] > LEAST_VISIBILITY) { 1.0 } else { 0.0 };
                higher[i] = larger(ring.slope_of_top(ground[i], obstacles[c][i], drop[i]), horizon);
                let state = state.above(higher[i] - horizon);
                let state = ring.with_cell(state, terms, cover[i], rise, higher[i]);
                (depth[i], moment[i], reach[i]) = (state.depth, state.moment, state.reach);
                highest[i] = larger(ring.top_slope(terms, cover[i], rise), top);
            }
            (horizons[c], depths[c], moments[c], reaches[c], tops[c]) = (higher, depth, moment, reach, highest);
            for i in 0..LANES {
                values[i] *= if is_unsure[i] > 0.0 { 1.0 } else { transmittance(optical_depths[i]) };
            }
            out[c] = values;
            for i in (0..LANES).filter(|i| is_unsure[*i] > 0.0) {
                read_line(c * LANES + i, ends[i]);
            }
        }
    }
}

/// Returns the maximum of two numbers; the second if the first is NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests;
