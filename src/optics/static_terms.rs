//! [`StaticTerms`]: terms that do not depend on the viewer.

use std::sync::Arc;

use fearless_simd::Level;

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
    pub(super) below_tops: Arc<Grid<f32>>,
    /// log₂ of the transmittance of the air of a cell.
    pub(super) air_log2: Arc<Grid<f32>>,
    /// That of air and vegetation, for such a ray.
    pub(super) below_tops_log2: Arc<Grid<f32>>,
    /// Element x of a row is for the cells from [`LANES`] · x on, twice that many: one covers any vector.
    pub(super) bounds: Grid<RowBounds>,
}

impl StaticTerms {
    pub(super) fn new(world: &World, air: &Arc<Grid<f32>>, config: &OpticsConfig) -> Self {
        let (ground, cover) = (world.ground_m(), world.vegetation());
        let eye = EyeTerms::new(config, world.shortest_side_m(), 0.0);
        // On bare ground the terms are those of the air, which are shared.
        let is_bare = cover.as_slice().iter().all(|cover| *cover == 0.0);
        let mut below_tops = Arc::clone(air);
        if !is_bare {
            let cells = Arc::make_mut(&mut below_tops).as_mut_slice();
            dispatch!(Level::new(), _ => add_vegetation(eye, cover.as_slice(), cells));
        }
        let mut air_log2 = Grid::clone(air);
        dispatch!(Level::new(), _ => air_log2.as_mut_slice().iter_mut().for_each(|air| *air = log2_approx(*air)));
        let air_log2 = Arc::new(air_log2);
        let mut below_tops_log2 = Arc::clone(&air_log2);
        if !is_bare {
            let cells = Arc::make_mut(&mut below_tops_log2).as_mut_slice();
            dispatch!(Level::new(), _ => add_vegetation_log2(eye, cover.as_slice(), cells));
        }
        let count = ground.width().div_ceil(LANES);
        let mut bounds = Grid::new(count, ground.height(), RowBounds::NONE);
        for y in 0..ground.height() {
            let cells = ground.row(y).chunks(LANES).zip(cover.row(y).chunks(LANES));
            let bounds = bounds.row_mut(y);
            for (slot, (ground, cover)) in bounds.iter_mut().zip(cells) {
                *slot = RowBounds::new(config.canopy_height_m as f32, ground, cover);
            }
            for x in 1..count {
                bounds[x - 1] = bounds[x - 1].union(bounds[x]);
            }
        }
        Self { below_tops, air_log2, below_tops_log2, bounds }
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
