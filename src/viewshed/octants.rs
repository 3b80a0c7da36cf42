//! [`Octants`]: the exact grade of all cells of a disc, octant by octant.
//!
//! A line to each cell would take R steps per cell. But most cells are far above or below their horizon: [`Sectors`]
//! bound the horizons of all lines between two directions from both sides, for many lines at once. If the bounds do not
//! decide, they give the rings that may have the maximum, and the line is traced only on these. The values are those of
//! the whole [`SightLine`], to the bit.

use std::sync::atomic::{AtomicUsize, Ordering};

use fearless_simd::Level;
use glam::IVec2;

use super::exact::{evaluate, evaluate_below};
use super::line_search::{EyeHeightSearch, HorizonSearch, LineSearch, search_line};
use super::quadrants::ClippedDisc;
use super::sectors::{BATCH, HUGE, Margin, NO_DATA, RingPair, Sectors, divide_multiples, last_top};
use super::surface::{NO_HORIZON, Quantity, SurfaceTerms};
use crate::grid::{AlignedGrid, Grid};
use crate::job::{Cancelled, Job};
use crate::parallel::*;
use crate::simd::dispatch;

/// The octants around a viewer, and the values of their cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Octants {
    pub(super) octants: Vec<Octant>,
}

/// Cells between an axis and a diagonal, both included.
#[derive(Clone, Debug, Default)]
pub(super) struct Octant {
    /// Steps along the axis and away from it.
    outwards: IVec2,
    sideways: IVec2,
    /// Cells on the map along the axis and away from it.
    rings: usize,
    limit: usize,
    sectors: Sectors,
    /// The heights over the eye of two rings: cell 0, and then all cells, starting at cell 0.
    previous: Vec<f32>,
    current: Vec<f32>,
    /// Like `current`, of the ground without obstacles; unused if there are none.
    below: Vec<f32>,
    /// The quantity of the cells, ring by ring; cell 0 of ring M is at M (M + 1)/2.
    values: Vec<f32>,
}

/// The number of cells of a ring beyond those in sight that sectors may read.
const BEYOND: usize = 8;

impl Octants {
    /// Allocates for a disc.
    pub(super) fn fit(&mut self, disc: &ClippedDisc) {
        self.octants.resize_with(8, Octant::default);
        let sides = [(-IVec2::X, disc.left), (IVec2::X, disc.right), (-IVec2::Y, disc.up), (IVec2::Y, disc.down)];
        for (i, octant) in self.octants.iter_mut().enumerate() {
            (octant.outwards, octant.rings) = sides[i / 2];
            (octant.sideways, octant.limit) = sides[(2 - i / 4 * 2) + i % 2];
            octant.sectors.fit(octant.rings);
            for cells in [&mut octant.previous, &mut octant.current, &mut octant.below] {
                cells.clear();
                cells.resize(octant.rings + 2 * BATCH, NO_DATA);
            }
            let values = ring_start(octant.rings + 1);
            match octant.values.capacity() < values {
                true => octant.values = vec![0.0; values], // the system clears pages when the threads write to them
                false => octant.values.resize(values, 0.0),
            }
        }
    }

    /// Returns the rings of all octants.
    pub(super) fn rings(&self) -> usize {
        self.octants.iter().map(|octant| octant.rings).sum()
    }

    /// Writes the values into a grid with the shape of the window.
    pub(super) fn write(&self, disc: &ClippedDisc, out: &mut AlignedGrid) {
        let (stride, middle) = (out.stride(), out.width() / 2);
        let window = out.index_of(0, middle - disc.up)..out.index_of(out.width(), middle + disc.down);
        out.values_mut()[window].par_chunks_mut(stride).enumerate().for_each(|(row, out)| {
            let (dy, is_below) = (row.abs_diff(disc.up), row > disc.up);
            for (is_right, limit) in [(false, disc.left), (true, disc.right)] {
                let width = disc.half_widths[dy].min(limit);
                let near = width.min(dy);
                let rows = &self.octants[4 + 2 * usize::from(is_below) + usize::from(is_right)].values;
                let columns = &self.octants[2 * usize::from(is_right) + usize::from(is_below)].values;
                let mut write = |dx: usize, value: f32| out[if is_right { middle + dx } else { middle - dx }] = value;
                if dy > 0 {
                    let values = &rows[ring_start(dy)..=ring_start(dy) + near];
                    values.iter().enumerate().for_each(|(dx, value)| write(dx, *value));
                }
                for dx in near + 1..=width {
                    write(dx, columns[ring_start(dx) + dy]);
                }
            }
        });
    }
}

/// Returns the index of the first value of a ring.
fn ring_start(ring: usize) -> usize {
    ring * (ring + 1) / 2
}

/// What is sought of the cells of an octant.
#[derive(Clone, Copy)]
pub(super) enum Sought<'a> {
    /// A quantity of every cell.
    Quantity(Quantity),
    /// The least height over the viewer's ground, in metres, from which the target on a cell is seen. Only of the cells for which the
    /// function returns `true` and that have data; NaN of others.
    EyeHeight(&'a (dyn Fn(IVec2) -> bool + Sync)),
}

/// Writes what is sought of every cell in sight except the viewer's.
pub(super) fn trace(
    terms: &SurfaceTerms<'_>,
    disc: &ClippedDisc,
    octants: &mut Octants,
    sought: Sought<'_>,
    out: &mut AlignedGrid,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    octants.fit(disc);
    let (rings, done) = (octants.rings(), AtomicUsize::new(0));
    job.report("lines of sight", 0.0)?;
    octants.octants.par_chunks_mut(1).enumerate().try_for_each(|(_, octant)| {
        let mut sweep = OctantSweep::new(terms, disc, sought, &mut octant[0]);
        let progress = |sweep_rings: usize| {
            let done = done.fetch_add(sweep_rings, Ordering::Relaxed) + sweep_rings;
            job.report("lines of sight", done as f32 / rings as f32)
        };
        dispatch!(Level::new(), _simd => sweep.run(progress))
    })?;
    octants.write(disc, out);
    Ok(())
}

/// Computes the cells of an octant.
pub(super) struct OctantSweep<'a, 'g> {
    terms: &'a SurfaceTerms<'g>,
    disc: &'a ClippedDisc,
    sought: Sought<'a>,
    octant: &'a mut Octant,
    /// The running maximum of the absolute height over the eye, including that of the target.
    highest: f32,
}

impl<'a, 'g> OctantSweep<'a, 'g> {
    pub(super) fn new(
        terms: &'a SurfaceTerms<'g>,
        disc: &'a ClippedDisc,
        sought: Sought<'a>,
        octant: &'a mut Octant,
    ) -> Self {
        // 2⁻²⁶ turns the margin of f32 into one of f64, in which heights over the eye are computed.
        let highest = terms.target_height.abs() + (terms.eye.abs() / 67_108_864.0) as f32;
        Self { terms, disc, sought, octant, highest }
    }

    /// Computes ring after ring, and reports the number of rings.
    #[inline(always)]
    pub(super) fn run(&mut self, progress: impl Fn(usize) -> Result<(), Cancelled>) -> Result<(), Cancelled> {
        if self.octant.rings == 0 {
            return Ok(());
        }
        self.load(0);
        for ring in 1..=self.octant.rings {
            std::mem::swap(&mut self.octant.previous, &mut self.octant.current);
            self.load(ring);
            match self.sought {
                Sought::Quantity(quantity) => self.evaluate(ring, quantity),
                Sought::EyeHeight(is_wanted) => self.find_eye_heights(ring, is_wanted),
            }
            let last = ((self.in_sight(ring) + 1) * self.octant.sectors.count).div_ceil(ring);
            let last = last.min(self.octant.sectors.count);
            let margin = self.margin();
            let Octant { previous, current, sectors, .. } = &mut *self.octant;
            let cells = RingPair { ring, previous, current };
            if ring == 1 {
                sectors.start(cells, last, margin);
            } else {
                sectors.raise(cells, last, margin);
            }
            progress(1)?;
        }
        Ok(())
    }

    /// Returns the last cell of a ring that is in sight.
    fn in_sight(&self, ring: usize) -> usize {
        self.disc.half_widths[ring].min(self.octant.limit).min(ring)
    }

    fn margin(&self) -> Margin {
        /// The relative error of heights over the eye, slopes and bends, as a fraction of the maximum height: the sum
        /// of all rounding errors is less than 2⁻¹⁹ of it.
        const ROUNDING: f32 = 1.0 / 262_144.0;

        let rounding = if self.highest < HUGE { self.highest * ROUNDING } else { f32::INFINITY };
        let sides = self.terms.squared_sides(IVec2::X);
        let curvature = (self.terms.drop * (sides.along + sides.aside) * 0.26) as f32;
        Margin { rounding, lift: curvature.max(0.0), sink: (-curvature).max(0.0) }
    }

    /// Reads the cells of a ring.
    #[inline(always)]
    fn load(&mut self, ring: usize) {
        let Octant { outwards, sideways, limit, ref mut current, ref mut below, .. } = *self.octant;
        let terms = self.terms;
        let count = (self.disc.half_widths[ring].min(ring) + BEYOND).min(limit + 1);
        let first = terms.viewer + outwards * ring as i32;
        let sides = terms.squared_sides(outwards);
        let along = terms.eye + terms.drop * sides.along * (ring * ring) as f64;
        let aside = terms.drop * sides.aside;
        let width = terms.ground.width();
        let first = first.y as usize * width + first.x as usize;
        let over_eye = |cell: usize, height: f32| {
            let height = (f64::from(height) - along - aside * (cell * cell) as f64) as f32;
            if height.is_nan() { NO_DATA } else { height }
        };
        let read = |from: &Grid<f32>, cells: &mut [f32]| {
            let from = from.as_slice();
            if sideways == IVec2::X {
                let row = &from[first..first + count];
                cells.iter_mut().zip(row).enumerate().for_each(|(i, (to, height))| *to = over_eye(i, *height));
            } else if sideways == -IVec2::X {
                let row = from[first + 1 - count..=first].iter().rev();
                cells.iter_mut().zip(row).enumerate().for_each(|(i, (to, height))| *to = over_eye(i, *height));
            } else {
                let mut at = first;
                for (i, to) in cells.iter_mut().enumerate() {
                    *to = over_eye(i, from[at]);
                    at = if sideways.y > 0 { at + width } else { at.wrapping_sub(width) };
                }
            }
        };
        let mut highest = self.highest;
        let mut note_highest = |cells: &[f32]| {
            for height in cells {
                let height = if *height > NO_DATA { height.abs() } else { 0.0 };
                highest = if height > highest { height } else { highest };
            }
        };
        let cells = &mut current[1..=count];
        read(terms.ground, cells);
        note_highest(cells);
        if let Some(obstacles) = terms.obstacles {
            let below = &mut below[1..=count];
            below.copy_from_slice(cells);
            read(obstacles, cells);
            // The eye's own obstacle does not hide.
            let is_own = |cell: usize| ring == 0 && cell == 0;
            for (i, (cell, ground)) in cells.iter_mut().zip(&*below).enumerate() {
                *cell = if *cell > *ground && *ground > NO_DATA && !is_own(i) { *cell } else { *ground };
            }
            note_highest(cells);
        }
        self.highest = highest;
        current[count + 1..(count + BEYOND + 1)].fill(NO_DATA);
        current[0] = current[1];
    }

    /// Writes the least heights of eyes over the viewer's ground from which the targets on the cells of a ring are seen.
    fn find_eye_heights(&mut self, ring: usize, is_wanted: &(dyn Fn(IVec2) -> bool + Sync)) {
        let (terms, in_sight) = (self.terms, self.in_sight(ring));
        let Octant { sectors, values, outwards, sideways, .. } = &mut *self.octant;
        let (first, last_sector) = (*outwards * ring as i32, sectors.count - 1);
        let mut highest = None; // the block with the horizon of the cell before
        for (cell, value) in values[ring_start(ring)..=ring_start(ring) + in_sight].iter_mut().enumerate() {
            let offset = first + *sideways * cell as i32;
            let target = terms.viewer + offset;
            *value = if terms.ground[target].is_nan() || !is_wanted(target) { f32::NAN } else { 0.0 };
            if ring + cell == 1 || value.is_nan() {
                continue; // nothing is between neighbours in a row or column
            }
            let from_target = terms.at_target(terms.viewer + offset);
            let mut search = EyeHeightSearch::new(terms, &from_target, offset);
            let sector = (cell * sectors.count / ring).min(last_sector);
            if search.may_hide(sectors.upper[sector]) {
                highest = search_line(sectors, sector, ring, highest, &mut search).or(highest);
            } else {
                search.follow(ring - 1..ring);
            }
            *value = search.height();
        }
    }

    /// Writes a quantity of the cells of a ring.
    #[inline(always)]
    fn evaluate(&mut self, ring: usize, quantity: Quantity) {
        let in_sight = self.in_sight(ring);
        let start = ring_start(ring);
        if ring == 1 {
            for cell in 0..=in_sight {
                let offset = self.octant.outwards + self.octant.sideways * cell as i32;
                self.octant.values[start + cell] = evaluate(self.terms, offset, quantity);
            }
            return;
        }
        for first in (0..=in_sight).step_by(BATCH) {
            self.evaluate_batch(ring, first, (in_sight + 1 - first).min(BATCH), quantity);
        }
    }

    #[inline(always)]
    fn evaluate_batch(&mut self, ring: usize, first: usize, count: usize, quantity: Quantity) {
        let margin = self.margin();
        let terms = self.terms;
        let Octant { previous, current, below, sectors, values, outwards, sideways, .. } = &mut *self.octant;
        let (m, inverse) = (ring as f32, 1.0 / ring as f32);
        let inverse_inner = 1.0 / (m - 1.0);
        // A cell is in the sector `quotient`.
        let (quotients, _) = divide_multiples(first, sectors.count, ring);
        let (mut upper, mut lower) = ([0.0f32; BATCH], [0.0f32; BATCH]);
        let last_sector = sectors.count - 1;
        for i in 0..count {
            let sector = (quotients[i] as usize).min(last_sector);
            (upper[i], lower[i]) = (sectors.upper[sector], sectors.lower[sector]);
        }
        // A target is on the ground of its cell, also below an obstacle.
        let grounds = if terms.obstacles.is_some() { &*below } else { &*current };
        let (near, own) = (&current[first..first + BATCH], &grounds[first + 1..first + 1 + BATCH]);
        let (inner_near, inner) = (&previous[first..first + BATCH], &previous[first + 1..first + 1 + BATCH]);
        let is_visibility = quantity == Quantity::Visibility;
        let hidden_below = -1.000_001 * terms.softness; // more by rounding
        let slope_margin = (margin.rounding + margin.lift) * inverse_inner;
        // Curvature lifts the surface by at most 4 u (1 - u) of its margin at the fraction u of the last ring.
        let tolerance = (margin.rounding + 4.0 * margin.lift) * inverse_inner;
        let (mut is_hidden, mut is_seen) = ([false; BATCH], [false; BATCH]);
        for i in 0..BATCH {
            let slant = (first + i) as i32 as f32 * inverse;
            let slope = own[i] * inverse;
            let start = (inner[i] * (1.0 - slant) + inner_near[i] * slant) * inverse_inner;
            let bend = slant * ((own[i] - near[i]) - (inner[i] - inner_near[i]));
            let top = last_top(start, slope, bend, inverse_inner, tolerance) + slope_margin;
            let upper = if top > upper[i] { top } else { upper[i] };
            let target = own[i] + terms.target_height;
            let has_data = own[i] > -HUGE;
            let is_below = (target - lower[i] * m + margin.rounding < hidden_below) | !has_data;
            is_hidden[i] = is_below & is_visibility;
            is_seen[i] = (target - upper * m - margin.rounding > 0.0) & has_data & is_visibility;
        }
        for i in 0..count {
            let cell = first + i;
            let offset = *outwards * ring as i32 + *sideways * cell as i32;
            values[ring_start(ring) + cell] = if is_hidden[i] {
                0.0
            } else if is_seen[i] {
                if terms.cover.is_none() { 1.0 } else { evaluate_below(terms, offset, quantity, f64::from(NO_HORIZON)) }
            } else {
                let sector = (quotients[i] as usize).min(last_sector);
                let floor = match quantity {
                    Quantity::Visibility => ((own[i] + terms.target_height) - margin.rounding) * inverse,
                    Quantity::Clearance => NO_HORIZON,
                };
                let floor = if floor > lower[i] { floor } else { lower[i] };
                let horizon = find_horizon(terms, sectors, offset, sector, floor);
                evaluate_below(terms, offset, quantity, horizon)
            };
        }
    }
}

/// Returns the horizon of a cell, whose line is followed where it can be above a slope.
#[inline(never)]
fn find_horizon(terms: &SurfaceTerms<'_>, sectors: &Sectors, offset: IVec2, sector: usize, floor: f32) -> f64 {
    let mut search = HorizonSearch::new(terms, offset, floor);
    search_line(sectors, sector, offset.abs().max_element() as usize, None, &mut search);
    search.horizon
}

#[cfg(test)]
mod tests;
