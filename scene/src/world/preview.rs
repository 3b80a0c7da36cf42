//! Previews of worlds: a coarse level of the resolution pyramid, shown at full size.
//!
//! The coarse levels of a preview are those of the world itself, so that coasts and mountains are in the same places.

use super::biome::Biome;
use super::climate::Climate;
use super::hydrography::{Flow, Hydrography, Water};
use super::pyramid::{PyramidLevel, for_rows, rows_mut, update_cells};
use farsight::grid::Grid;
use farsight::internal::parallel::*;
use farsight::{Cancelled, Job};

/// The maximum number of cells of the level of a preview, if the pyramid has such a coarse level.
const MAX_CELLS: usize = 20_000;

/// The minimum height of land and the minimum depth of the sea, in metres: interpolated coasts overshoot.
const MIN_HEIGHT_M: f32 = 0.5;

/// The minimum share of coarse cells with water, interpolated, of a cell with water.
const SHORE: f32 = 0.5;

/// Returns the index of the finest level with at most [`MAX_CELLS`], or of the coarsest.
pub(super) fn level_of_preview(pyramid: &[PyramidLevel]) -> usize {
    pyramid.iter().position(|level| level.width * level.height <= MAX_CELLS).unwrap_or(pyramid.len() - 1)
}

/// Upsamples fields of a coarse level to the finest level.
pub(super) struct Enlargement<'a> {
    /// The levels finer than the coarse level, finest first.
    pub(super) finer: &'a [PyramidLevel],
}

impl Enlargement<'_> {
    /// Upsamples the sea and the lakes with smooth shores, and the ground around them. Rivers, which would be as wide as
    /// coarse cells, are land, and the water has no flow.
    pub(super) fn hydrography(&self, coarse: &Hydrography, job: Job<'_>) -> Result<Hydrography, Cancelled> {
        let share = |of: Water| self.smooth(&coarse.water.map(|water| f32::from(*water == of)), job);
        let (sea, lakes) = (share(Water::Sea)?, share(Water::Lake)?);
        let mut water = Grid::new(sea.width(), sea.height(), Water::None);
        rows_mut(&mut water).for_each(|(y, row)| {
            for ((water, sea), lake) in row.iter_mut().zip(sea.row(y)).zip(lakes.row(y)) {
                *water = match () {
                    () if *sea >= SHORE => Water::Sea,
                    () if *lake >= SHORE => Water::Lake,
                    () => Water::None,
                };
            }
        });
        let mut elevation = self.smooth(&coarse.elevation, job)?;
        let mut surface = self.smooth(coarse.surface(), job)?;
        let width = surface.width();
        let surfaces = surface.as_mut_slice().par_chunks_mut(width);
        rows_mut(&mut elevation).zip(surfaces).for_each(|((y, elevation), surface)| {
            for ((elevation, surface), water) in elevation.iter_mut().zip(surface).zip(water.row(y)) {
                if *water == Water::Sea {
                    (*elevation, *surface) = (elevation.min(-MIN_HEIGHT_M), 0.0);
                } else {
                    *elevation = elevation.max(MIN_HEIGHT_M);
                    *surface = surface.max(*elevation);
                }
            }
        });
        let flow = Flow::without_directions(self.nearest(coarse.flow.drainage_km2()));
        Ok(Hydrography { elevation, surface: Some(surface), water, flow })
    }

    /// Upsamples the climate.
    pub(super) fn climate(&self, coarse: &Climate, water: &Grid<Water>, job: Job<'_>) -> Result<Climate, Cancelled> {
        let mut humidity = self.smooth(&coarse.humidity, job)?;
        update_cells(&mut humidity, job, |_, _, cell| *cell = cell.clamp(0.0, 1.0))?;
        let mut vegetation = self.smooth(&coarse.vegetation, job)?;
        for_rows(&mut vegetation, job, |y, row| {
            for (cell, water) in row.iter_mut().zip(water.row(y)) {
                *cell = if *water == Water::None { cell.clamp(0.0, 1.0) } else { 0.0 };
            }
        })?;
        Ok(Climate::new(self.smooth(&coarse.temperature, job)?, humidity, vegetation))
    }

    /// Returns the biomes of the nearest coarse cells, and at the shores those of the water.
    pub(super) fn biomes(&self, coarse: &Grid<Biome>, hydrography: &Hydrography) -> Grid<Biome> {
        let mut biomes = self.nearest(coarse);
        rows_mut(&mut biomes).for_each(|(y, row)| {
            for (biome, water) in row.iter_mut().zip(hydrography.water.row(y)) {
                *biome = match (*water, *biome) {
                    (Water::Sea, Biome::DeepSea) => Biome::DeepSea,
                    (Water::Sea, _) => Biome::ShallowSea,
                    (Water::Lake, _) => Biome::Lake,
                    (Water::River, _) => Biome::River,
                    (Water::None, Biome::River) => Biome::Grassland,
                    (Water::None, biome) if biome.is_water() => Biome::Coast,
                    (Water::None, biome) => biome,
                };
            }
        });
        biomes
    }

    /// Interpolates a field.
    fn smooth(&self, coarse: &Grid<f32>, job: Job<'_>) -> Result<Grid<f32>, Cancelled> {
        self.finer.iter().rev().try_fold(coarse.clone(), |grid, level| level.upsample(&grid, job))
    }

    /// Returns a field with the values of the nearest coarse cells.
    pub(super) fn nearest<T: Copy + Send + Sync>(&self, coarse: &Grid<T>) -> Grid<T> {
        let Some(finest) = self.finer.first() else { return coarse.clone() };
        // Cell X of each coarser level is at cell 2X − 1 of the finer level.
        let coarser = |at: usize| self.finer.iter().fold(at, |at, _| at.div_ceil(2));
        let columns: Vec<usize> = (0..finest.width).map(coarser).collect();
        let mut fine = Grid::new(finest.width, finest.height, coarse.as_slice()[0]);
        rows_mut(&mut fine).for_each(|(y, row)| {
            let from = coarse.row(coarser(y));
            row.iter_mut().zip(&columns).for_each(|(cell, &column)| *cell = from[column]);
        });
        fine
    }
}

#[cfg(test)]
mod tests {
    use crate::world::{Water, World, WorldConfig};
    use farsight::Job;

    /// Returns the fraction of the cells that are land in both worlds or in none, and the mean difference of the
    /// heights of the land in metres.
    fn agreement(a: &World, b: &World) -> (f64, f64) {
        let is_land = |world: &World, i: usize| world.water().as_slice()[i] != Water::Sea;
        let cells = a.water().as_slice().len();
        let same = (0..cells).filter(|&i| is_land(a, i) == is_land(b, i)).count();
        let land: Vec<usize> = (0..cells).filter(|&i| is_land(a, i) && is_land(b, i)).collect();
        let height = |world: &World, i: usize| f64::from(world.elevation_m().as_slice()[i]);
        let differences: f64 = land.iter().map(|&i| (height(a, i) - height(b, i)).abs()).sum();
        (same as f64 / cells as f64, differences / land.len().max(1) as f64)
    }

    #[test]
    fn previews_have_the_coasts_and_mountains_of_the_world() {
        for (seed, land, width, height) in [(1, 0.6, 512, 512), (2, 0.3, 400, 301), (3, 0.8, 700, 333)] {
            let config = WorldConfig::default().with_seed(seed).with_land(land).with_width(width).with_height(height);
            let world = World::generate(&config, Job::none()).unwrap();
            let preview = World::preview(&config, Job::none()).unwrap();
            assert!(preview.is_preview() && !world.is_preview());
            assert_eq!((preview.config(), preview.biome().size()), (&config, world.biome().size()));
            let (same, metres) = agreement(&world, &preview);
            assert!(same > 0.97 && metres < 40.0, "seed {seed}: {same} of the coast, {metres} m");
            let other = World::generate(&config.clone().with_seed(seed + 10), Job::none()).unwrap();
            let (same, metres) = agreement(&world, &other);
            assert!(same < 0.9 && metres > 80.0, "another seed: {same} of the coast, {metres} m");
        }
    }

    #[test]
    fn values_of_previews_are_in_range() {
        let preview = World::preview(&WorldConfig::default().with_lakes(1.0), Job::none()).unwrap();
        for (cell, &water) in preview.water().iter() {
            let [humidity, vegetation] = [preview.humidity(), preview.vegetation()].map(|field| field[cell]);
            assert!((0.0..=1.0).contains(&humidity) && (0.0..=1.0).contains(&vegetation));
            assert!(water == Water::None || vegetation == 0.0);
            let (elevation, surface) = (preview.elevation_m()[cell], preview.ground_m()[cell]);
            assert_eq!(water == Water::Sea, elevation < 0.0, "{cell}");
            assert_eq!(water != Water::None, preview.biome()[cell].is_water(), "{cell}");
            assert!(if water == Water::Sea { surface == 0.0 } else { surface >= elevation }, "{cell}");
        }
    }

    #[test]
    fn preview_of_a_small_world_is_the_world() {
        let config = WorldConfig::default().with_width(150).with_height(130);
        let preview = World::preview(&config, Job::none()).unwrap();
        assert!(!preview.is_preview());
        assert!(preview == World::generate(&config, Job::none()).unwrap());
    }
}
