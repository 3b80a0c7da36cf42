//! [`StaticTerms`]: terms that do not depend on the viewer.

use fearless_simd::Level;
use rayon::prelude::*;

use super::config::OpticsConfig;
use super::eye_terms::EyeTerms;
use super::row_bounds::RowBounds;
use crate::grid::Grid;
use crate::math::log2_approx;
use crate::simd::{LANES, dispatch};
use crate::world::World;

/// Terms of air, ground and vegetation that are the same for all eyes.
#[derive(Debug)]
pub(super) struct StaticTerms {
    /// The transmittance of air and vegetation of a cell, for a ray that runs below the canopy's top all along.
    pub(super) below_tops: Grid<f32>,
    /// log₂ of the transmittance of the air of a cell.
    pub(super) air_log2: Grid<f32>,
    /// That of air and vegetation, for such a ray.
    pub(super) below_tops_log2: Grid<f32>,
    /// Element x of a row is for the cells from [`LANES`] · x on, twice that many: one covers any vector.
    pub(super) bounds: Grid<RowBounds>,
}

/// A row of each of the [`StaticTerms`].
struct TermsOfRow<'a> {
    below_tops: &'a mut [f32],
    air_log2: &'a mut [f32],
    below_tops_log2: &'a mut [f32],
    bounds: &'a mut [RowBounds],
}

impl StaticTerms {
    /// Computes the terms on all threads of rayon. It must not be called while a lock is held: a thread that waits for others may
    /// begin work that waits for the lock.
    pub(super) fn new_parallel(world: &World, air: &Grid<f32>, config: &OpticsConfig) -> Self {
        let mut terms = Self::empty(world);
        let [width, count] = [world.width(), terms.bounds.width()];
        let rows = (terms.below_tops.as_mut_slice().par_chunks_mut(width))
            .zip(terms.air_log2.as_mut_slice().par_chunks_mut(width))
            .zip(terms.below_tops_log2.as_mut_slice().par_chunks_mut(width))
            .zip(terms.bounds.as_mut_slice().par_chunks_mut(count))
            .enumerate();
        rows.for_each(|(y, (((below_tops, air_log2), below_tops_log2), bounds))| {
            TermsOfRow { below_tops, air_log2, below_tops_log2, bounds }.fill(world, air, config, y);
        });
        terms
    }

    /// Computes the terms on one thread.
    pub(super) fn new(world: &World, air: &Grid<f32>, config: &OpticsConfig) -> Self {
        let mut terms = Self::empty(world);
        for y in 0..world.height() {
            let row = TermsOfRow {
                below_tops: terms.below_tops.row_mut(y),
                air_log2: terms.air_log2.row_mut(y),
                below_tops_log2: terms.below_tops_log2.row_mut(y),
                bounds: terms.bounds.row_mut(y),
            };
            row.fill(world, air, config, y);
        }
        terms
    }

    fn empty(world: &World) -> Self {
        let (width, height) = (world.width(), world.height());
        let [below_tops, air_log2, below_tops_log2] = [(); 3].map(|()| Grid::new(width, height, 0.0));
        let bounds = Grid::new(width.div_ceil(LANES), height, RowBounds::NONE);
        Self { below_tops, air_log2, below_tops_log2, bounds }
    }
}

impl TermsOfRow<'_> {
    fn fill(self, world: &World, air: &Grid<f32>, config: &OpticsConfig, y: usize) {
        let [ground, cover, air] = [world.ground_m(), world.vegetation(), air].map(|field| field.row(y));
        let eye = EyeTerms::new(config, world.shortest_side_m(), 0.0);
        self.below_tops.copy_from_slice(air);
        self.air_log2.copy_from_slice(air);
        dispatch!(Level::new(), _ => add_vegetation(eye, cover, self.below_tops));
        dispatch!(Level::new(), _ => self.air_log2.iter_mut().for_each(|air| *air = log2_approx(*air)));
        self.below_tops_log2.copy_from_slice(self.air_log2);
        dispatch!(Level::new(), _ => add_vegetation_log2(eye, cover, self.below_tops_log2));
        let cells = ground.chunks(LANES).zip(cover.chunks(LANES));
        for (slot, (ground, cover)) in self.bounds.iter_mut().zip(cells) {
            *slot = RowBounds::new(config.canopy_height_m as f32, ground, cover);
        }
        for x in 1..self.bounds.len() {
            self.bounds[x - 1] = self.bounds[x - 1].union(self.bounds[x]);
        }
    }
}

/// Turns the transmittance of air into that of air and vegetation.
#[inline(always)]
fn add_vegetation(eye: EyeTerms, cover: &[f32], cells: &mut [f32]) {
    for (cell, &cover) in cells.iter_mut().zip(cover) {
        *cell = eye.below_tops(*cell, cover);
    }
}

/// [`add_vegetation`] for the logarithms.
#[inline(always)]
fn add_vegetation_log2(eye: EyeTerms, cover: &[f32], cells: &mut [f32]) {
    for (cell, &cover) in cells.iter_mut().zip(cover) {
        *cell += eye.log2_below_tops(cover);
    }
}
