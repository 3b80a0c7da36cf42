//! [`StaticTerms`]: terms that do not depend on the viewer.

use std::sync::OnceLock;

use fearless_simd::Level;

use super::config::OpticsConfig;
use super::eye_terms::EyeTerms;
use super::row_bounds::RowBounds;
use crate::grid::Grid;
use crate::math::log2_approx;
use crate::simd::{LANES, dispatch};
use crate::world::World;

/// Terms of air, ground and vegetation that are the same for all eyes. They are computed for bands of rows when a view first needs
/// these, since most views see a small part of a large world.
#[derive(Debug)]
pub(super) struct StaticTerms {
    canopy_height_m: f32,
    /// Any eye will do.
    eye: EyeTerms,
    /// A band is computed on the thread that needs it: one that waited for other threads could begin work that waits for the band.
    bands: Vec<OnceLock<Vec<TermsOfRow>>>,
}

const ROWS_OF_BAND: usize = 16;

/// The terms of a row of cells.
#[derive(Debug)]
pub(super) struct TermsOfRow {
    /// The transmittance of air and vegetation of a cell, for a ray that runs below the canopy's top all along.
    pub(super) below_tops: Vec<f32>,
    /// log₂ of the transmittance of the air of a cell.
    pub(super) air_log2: Vec<f32>,
    /// That of air and vegetation, for such a ray.
    pub(super) below_tops_log2: Vec<f32>,
    /// Element x is for the cells from [`LANES`] · x on, twice that many: one covers any vector.
    pub(super) bounds: Vec<RowBounds>,
}

impl StaticTerms {
    pub(super) fn new(world: &World, config: &OpticsConfig) -> Self {
        Self {
            canopy_height_m: config.canopy_height_m as f32,
            eye: EyeTerms::new(config, world.shortest_side_m(), 0.0),
            bands: (0..world.height().div_ceil(ROWS_OF_BAND)).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the terms of a row of a world with the air of its cells, which must always be the same.
    #[inline]
    pub(super) fn row(&self, world: &World, air: &Grid<f32>, y: usize) -> &TermsOfRow {
        &self.bands[y / ROWS_OF_BAND].get_or_init(|| self.band(world, air, y / ROWS_OF_BAND))[y % ROWS_OF_BAND]
    }

    #[cold]
    fn band(&self, world: &World, air: &Grid<f32>, band: usize) -> Vec<TermsOfRow> {
        let first = band * ROWS_OF_BAND;
        (first..(first + ROWS_OF_BAND).min(world.height())).map(|y| self.terms_of_row(world, air, y)).collect()
    }

    fn terms_of_row(&self, world: &World, air: &Grid<f32>, y: usize) -> TermsOfRow {
        let [ground, cover, air] = [world.ground_m(), world.vegetation(), air].map(|field| field.row(y));
        let (mut below_tops, mut air_log2) = (air.to_vec(), air.to_vec());
        dispatch!(Level::new(), _ => add_vegetation(self.eye, cover, &mut below_tops));
        dispatch!(Level::new(), _ => air_log2.iter_mut().for_each(|air| *air = log2_approx(*air)));
        let mut below_tops_log2 = air_log2.clone();
        dispatch!(Level::new(), _ => add_vegetation_log2(self.eye, cover, &mut below_tops_log2));
        let cells = ground.chunks(LANES).zip(cover.chunks(LANES));
        let mut bounds: Vec<_> =
            cells.map(|(ground, cover)| RowBounds::new(self.canopy_height_m, ground, cover)).collect();
        for x in 1..bounds.len() {
            bounds[x - 1] = bounds[x - 1].union(bounds[x]);
        }
        TermsOfRow { below_tops, air_log2, below_tops_log2, bounds }
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
