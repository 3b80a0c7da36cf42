//! [`World`]: the fields of a piece of country.

use glam::IVec2;

use super::biome::Biome;
use super::config::WorldConfig;
use super::memory_budget::{self, BYTES_PER_CELL};
use super::water::{Flow, Water};
use crate::grid::Grid;

/// A piece of country: fields of one size, a value a cell.
///
/// ```
/// use farsight::Job;
/// use farsight::world::{World, WorldConfig};
/// let world = World::generate(&WorldConfig::default().with_width(64).with_height(48), Job::quiet())?;
/// let highest = world.elevation_m().as_slice().iter().fold(0.0_f32, |a, &b| a.max(b));
/// assert!(highest > 100.0);
/// # Ok::<(), farsight::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    pub(super) config: WorldConfig,
    pub(super) elevation_m: Grid<f32>,
    pub(super) ground_m: Grid<f32>,
    pub(super) temperature_c: Grid<f32>,
    pub(super) humidity: Grid<f32>,
    pub(super) vegetation: Grid<f32>,
    pub(super) water: Grid<Water>,
    pub(super) biome: Grid<Biome>,
    pub(super) flow: Flow,
    pub(super) has_gaps: bool,
    pub(super) elevation_range_m: [f32; 2],
    pub(super) temperature_range_c: [f32; 2],
}

impl World {
    /// Returns the bytes that [`generate`](Self::generate) takes at most.
    pub fn bytes_needed(config: &WorldConfig) -> u64 {
        memory_budget::bytes_needed(config.width, config.height, BYTES_PER_CELL)
    }

    /// Returns the configuration that the world was made from.
    pub fn config(&self) -> &WorldConfig {
        &self.config
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.elevation_m.width()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.elevation_m.height()
    }

    /// Returns `false` off the map and for cells without data, where all fields are NaN.
    #[inline]
    pub fn has_data(&self, cell: IVec2) -> bool {
        self.elevation_m.get(cell).is_some_and(|elevation| !elevation.is_nan())
    }

    /// Returns `true` if any cell has no data.
    pub fn has_gaps(&self) -> bool {
        self.has_gaps
    }

    /// Returns the elevation in metres above the sea, at sea that of the sea floor, in a lake that of its bottom. NaN
    /// without data.
    pub fn elevation_m(&self) -> &Grid<f32> {
        &self.elevation_m
    }

    /// Returns the surface on which a viewer is and which blocks the view, in metres above the sea: the ground, or the
    /// surface of the water on it. At sea it is 0, or the sea level of measured ground.
    pub fn ground_m(&self) -> &Grid<f32> {
        &self.ground_m
    }

    /// Returns the mean temperature in °C.
    pub fn temperature_c(&self) -> &Grid<f32> {
        &self.temperature_c
    }

    /// Returns the least and the greatest elevation, in metres above the sea.
    pub fn elevation_range_m(&self) -> [f32; 2] {
        self.elevation_range_m
    }

    /// Returns the least and the greatest mean temperature, in °C.
    pub fn temperature_range_c(&self) -> [f32; 2] {
        self.temperature_range_c
    }

    /// Returns the relative humidity of the air, 0 to 1.
    pub fn humidity(&self) -> &Grid<f32> {
        &self.humidity
    }

    /// Returns how densely plants cover the ground, 0 (bare) to 1 (dense forest); 0 in water.
    pub fn vegetation(&self) -> &Grid<f32> {
        &self.vegetation
    }

    /// Returns the water on each cell.
    pub fn water(&self) -> &Grid<Water> {
        &self.water
    }

    /// Returns the biome of each cell.
    pub fn biome(&self) -> &Grid<Biome> {
        &self.biome
    }

    /// Returns flow directions and flow accumulation.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }
}
