//! Worlds on a window of a raster.

use glam::IVec2;

use super::biome::biomes;
use super::climate::{Climate, LAPSE_C_PER_KM};
use super::config::WorldConfig;
use super::error::WorldError;
use super::ground::{Ground, with_size_of};
use super::hydrography::{Flow, Hydrography, Water};
use super::pyramid::PyramidLevel;
use super::raster_window::RasterWindow;
use super::row_sizes::RowSizes;
use super::world::{World, row_sizes};
use crate::grid::Grid;
use crate::job::Job;

impl World {
    /// Makes a world on a window of a raster. It has no climate and no sea, which follow from the whole raster: humidity is NaN
    /// and there are no plants where the ground does not say them, and the temperature is that of height and latitude.
    pub(super) fn on_window(
        ground: Ground,
        window: RasterWindow,
        config: &WorldConfig,
        job: Job<'_>,
    ) -> Result<Self, WorldError> {
        let row_sizes = row_sizes(&ground, config);
        let Ground { elevation_m, humidity, vegetation, .. } = ground;
        let (width, height) = (elevation_m.width(), elevation_m.height());
        job.report("temperature", 0.7)?;
        let missing = |grid: Option<Grid<f32>>| grid.unwrap_or_else(|| Grid::new(width, height, f32::NAN));
        let humidity = missing(humidity);
        let mut vegetation = missing(vegetation);
        vegetation.as_mut_slice().iter_mut().filter(|cover| cover.is_nan()).for_each(|cover| *cover = 0.0);
        let rows = f64::from(window.raster_size.y);
        let mut temperature = elevation_m.clone();
        for y in 0..height {
            let down = (f64::from(window.cells.min.y) + y as f64 + 0.5) / rows - 0.5;
            let at_sea_level = (config.base_temperature_c + config.latitude_span_c * down) as f32;
            for cell in temperature.row_mut(y) {
                *cell = at_sea_level - LAPSE_C_PER_KM * (cell.max(0.0) / 1000.0);
            }
        }
        let middle = row_sizes.as_ref().map_or(config.cell_size_m.into(), RowSizes::in_the_middle);
        let level = PyramidLevel::finest(config.width, config.height, middle);
        let hydrography = Hydrography {
            surface: None,
            water: Grid::new(width, height, Water::None),
            flow: Flow::none(),
            elevation: elevation_m,
        };
        let climate = Climate { temperature, humidity, vegetation };
        job.report("biomes", 0.95)?;
        let biome = biomes(config, &level, &hydrography, &climate, job)?;
        let mut world = Self::with_biome(config.clone(), hydrography, climate, biome);
        world.window = Some(window);
        world.is_on_given_ground = true;
        world.clear_gaps();
        world.row_sizes = row_sizes;
        job.report("biomes", 1.0)?;
        Ok(world)
    }

    /// Makes a world on measured ground, which it takes over: as [`on_ground`](Self::on_ground), in less memory.
    ///
    /// # Errors
    /// As [`on_ground`](Self::on_ground).
    pub fn on_owned_ground(ground: Ground, config: &WorldConfig, job: Job<'_>) -> Result<Self, WorldError> {
        let Some(window) = ground.window else { return Self::on_ground(&ground, config, job) };
        let config = with_size_of(&ground.elevation_m, &config.on_ground(ground.elevation_m.size()))?;
        ground.check()?;
        Self::on_window(ground, window, &config, job)
    }

    /// Returns the window of a raster that the world is, if it is not the whole raster. Its cell 0,0 is the first cell of the
    /// window.
    pub fn window(&self) -> Option<RasterWindow> {
        self.window
    }

    /// Returns the cell of the raster that is cell 0,0 of the world.
    pub fn origin(&self) -> IVec2 {
        self.window.map_or(IVec2::ZERO, |window| window.cells.min)
    }
}
