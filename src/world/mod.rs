//! Overworlds: continents, elevation, rivers, climate, vegetation and biomes from a seed.
//!
//! ```text
//! continents ─► elevation ◄─► erosion          coarse to fine
//!                   │
//!                   ▼
//!               rivers, lakes ─► temperature ─► humidity ─► vegetation ─► biome
//! ```
//!
//! Everything is a function of the [`WorldConfig`] alone: the same on every platform and on any
//! number of threads.

mod biome;
mod climate;
mod config;
mod continents;
mod distance;
mod drainage;
mod dungeon;
mod elevation;
mod erosion;
mod error;
mod frame;
mod memory;
mod rivers;
mod vegetation;
mod waves;

use rayon::prelude::*;

pub use biome::Biome;
pub use config::{WorldConfig, WorldKind};
pub use dungeon::{Dungeon, DungeonConfig, DungeonError, Room};
pub use error::WorldError;
pub use rivers::{Flow, Water};

use crate::{Grid, Job};
use biome::{Border, Place, beside};
use drainage::{Drainage, Wobble};
use frame::{Frame, rows_mut};
use rivers::Waters;

/// A piece of country: fields of one size, a value a cell.
///
/// ```
/// use farsight::{Job, World, WorldConfig};
/// let world = World::generate(&WorldConfig { width: 64, height: 48, ..Default::default() }, &Job::quiet())?;
/// let highest = world.elevation_m().as_slice().iter().fold(0.0_f32, |a, &b| a.max(b));
/// assert!(highest > 100.0);
/// # Ok::<(), farsight::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    config: WorldConfig,
    elevation_m: Grid<f32>,
    ground_m: Grid<f32>,
    temperature_c: Grid<f32>,
    humidity: Grid<f32>,
    vegetation: Grid<f32>,
    water: Grid<Water>,
    biome: Grid<Biome>,
    flow: Flow,
}

impl World {
    /// Makes the world of this configuration.
    ///
    /// # Errors
    /// [`WorldError::Size`], [`WorldError::OutOfRange`] and [`WorldError::Memory`] before anything is
    /// made; [`WorldError::Cancelled`] soon after the job is stopped.
    pub fn generate(config: &WorldConfig, job: &Job) -> Result<Self, WorldError> {
        config.check()?;
        job.report("continents", 0.0)?;
        let frames = Frame::map(config.width, config.height, config.cell_size_m).levels(config.region_km);
        let relief = elevation::relief(config, &frames, job)?;
        let waters = rivers::waters(config, &frames, relief, job)?;
        Self::with_climate(config, &frames, waters, job)
    }

    /// Makes a world on given ground: rivers, climate, vegetation and biomes as `config` has them, but
    /// no lakes. `elevation_m` is in metres over the sea, negative at sea; it is kept to the bit, and
    /// its size replaces that of `config`.
    ///
    /// # Errors
    /// As [`World::generate`], and [`WorldError::Value`] for an elevation that is not finite.
    pub fn from_elevation(elevation_m: Grid<f32>, config: &WorldConfig, job: &Job) -> Result<Self, WorldError> {
        let config = sized(config, &elevation_m)?;
        check_values("elevation", &elevation_m, |v| v.abs() <= MAX_ELEVATION_M, "between -20000 and 20000 m")?;
        let frames = Frame::map(config.width, config.height, config.cell_size_m).levels(config.region_km);
        job.report("rivers", 0.5)?;
        let waters = rivers::waters_on(&config, &frames[0], elevation_m);
        Self::with_climate(&config, &frames, waters, job)
    }

    /// Makes a world from given fields of one size: elevation in metres over the sea (negative at
    /// sea), humidity and vegetation from 0 to 1. There are neither rivers nor lakes; temperature
    /// falls with height from the default of [`WorldConfig`]. Vegetation is 0 at sea.
    ///
    /// # Errors
    /// [`WorldError::Shape`], [`WorldError::Value`], and those of [`World::generate`].
    pub fn from_fields(
        elevation_m: Grid<f32>,
        humidity: Grid<f32>,
        vegetation: Grid<f32>,
        cell_size_m: f64,
    ) -> Result<Self, WorldError> {
        let config = sized(&WorldConfig { cell_size_m, ..Default::default() }, &elevation_m)?;
        check_values("elevation", &elevation_m, |v| v.abs() <= MAX_ELEVATION_M, "between -20000 and 20000 m")?;
        for (field, grid) in [("humidity", &humidity), ("vegetation", &vegetation)] {
            if grid.size() != elevation_m.size() {
                return Err(WorldError::Shape {
                    field,
                    width: grid.width(),
                    height: grid.height(),
                    expected_width: elevation_m.width(),
                    expected_height: elevation_m.height(),
                });
            }
            check_values(field, grid, |v| (0.0..=1.0).contains(&v), "from 0 to 1")?;
        }
        let frame = Frame::map(config.width, config.height, cell_size_m);
        let sea = elevation_m.map(|&elevation| elevation < 0.0);
        let drainage = Drainage::of(&elevation_m, &sea, Wobble::default());
        let ground_m = elevation_m.map(|&elevation| elevation.max(0.0));
        let temperature_c =
            ground_m.map(|&ground| config.base_temperature_c as f32 - climate::LAPSE_C_PER_KM * ground / 1000.0);
        let water = sea.map(|&sea| if sea { Water::Sea } else { Water::None });
        let mut vegetation = vegetation;
        for (vegetation, &sea) in vegetation.as_mut_slice().iter_mut().zip(sea.as_slice()) {
            if sea {
                *vegetation = 0.0;
            }
        }
        let flow = Flow::new(drainage, &sea, &frame);
        let mut world = Self {
            biome: water.map(|_| Biome::Grassland),
            config,
            elevation_m,
            ground_m,
            temperature_c,
            humidity,
            vegetation,
            water,
            flow,
        };
        world.judge(&frame);
        Ok(world)
    }

    /// The rest of the world, once its waters are known.
    fn with_climate(config: &WorldConfig, frames: &[Frame], waters: Waters, job: &Job) -> Result<Self, WorldError> {
        let Waters { elevation, surface, water, flow } = waters;
        job.report("climate", 0.7)?;
        let temperature_c = climate::temperature(config, frames, &surface);
        job.report("climate", 0.75)?;
        let humidity = climate::humidity(config, frames, &surface, &water);
        job.report("vegetation", 0.85)?;
        let vegetation = vegetation::vegetation(config, frames, &surface, &temperature_c, &humidity, &water);
        job.report("biomes", 0.95)?;
        let mut world = Self {
            config: config.clone(),
            biome: water.map(|_| Biome::Grassland),
            elevation_m: elevation,
            ground_m: surface,
            temperature_c,
            humidity,
            vegetation,
            water,
            flow,
        };
        world.judge(&frames[0]);
        job.report("biomes", 1.0)?;
        Ok(world)
    }

    /// Finds the biome of every cell.
    fn judge(&mut self, frame: &Frame) {
        let mut biome = std::mem::replace(&mut self.biome, Grid::new(0, 0, Biome::Grassland));
        let border = Border::new(self.config.seed, frame.step_km);
        rows_mut(&mut biome).for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate() {
                let frayed = border.at(frame.x_km(x), frame.y_km(y));
                let (elevation, humidity) = (self.elevation_m.row(y)[x], self.humidity.row(y)[x] + frayed);
                let slope = vegetation::slope(&self.ground_m, frame, x, y);
                let place = Place {
                    water: self.water.row(y)[x],
                    elevation,
                    temperature: self.temperature_c.row(y)[x] + 10.0 * frayed,
                    humidity,
                    vegetation: self.vegetation.row(y)[x],
                    slope,
                    by_sea: elevation < biome::SHORE_M && beside(&self.water, x, y, |water| water == Water::Sea),
                    by_fresh: slope < biome::LEVEL
                        && beside(&self.water, x, y, |water| matches!(water, Water::Lake | Water::River)),
                };
                *cell = place.biome();
            }
        });
        self.biome = biome;
    }

    /// Bytes that making the world takes, at the most.
    pub fn bytes_needed(config: &WorldConfig) -> u64 {
        memory::bytes_needed(config)
    }

    /// What the world was made from.
    pub fn config(&self) -> &WorldConfig {
        &self.config
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.elevation_m.width()
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.elevation_m.height()
    }

    /// Metres over the sea; under it, the sea floor; in a lake, its bottom.
    pub fn elevation_m(&self) -> &Grid<f32> {
        &self.elevation_m
    }

    /// What a viewer stands on and what rises into view, in metres over the sea: the ground or the
    /// surface of the water on it. 0 at sea.
    pub fn ground_m(&self) -> &Grid<f32> {
        &self.ground_m
    }

    /// Mean temperature in °C.
    pub fn temperature_c(&self) -> &Grid<f32> {
        &self.temperature_c
    }

    /// Relative humidity of the air, 0 to 1.
    pub fn humidity(&self) -> &Grid<f32> {
        &self.humidity
    }

    /// How densely plants cover the ground, 0 bare to 1 dense forest; 0 in water.
    pub fn vegetation(&self) -> &Grid<f32> {
        &self.vegetation
    }

    /// What water covers each cell.
    pub fn water(&self) -> &Grid<Water> {
        &self.water
    }

    /// What kind of place each cell is.
    pub fn biome(&self) -> &Grid<Biome> {
        &self.biome
    }

    /// Where the water of each cell goes.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }
}

/// Heights beyond this are not of this Earth.
const MAX_ELEVATION_M: f32 = 20_000.0;

/// `config` with the size of `grid`, checked.
fn sized(config: &WorldConfig, grid: &Grid<f32>) -> Result<WorldConfig, WorldError> {
    let (width, height) = (grid.width() as u64, grid.height() as u64);
    let (Ok(w), Ok(h)) = (u32::try_from(width), u32::try_from(height)) else {
        return Err(WorldError::Size { width, height, limit: WorldConfig::MAX_SIDE });
    };
    let config = WorldConfig { width: w, height: h, ..config.clone() };
    config.check()?;
    memory::check_given(&config)?;
    Ok(config)
}

fn check_values(
    field: &'static str,
    grid: &Grid<f32>,
    right: impl Fn(f32) -> bool,
    range: &'static str,
) -> Result<(), WorldError> {
    match grid.iter().find(|&(_, &value)| !right(value)) {
        None => Ok(()),
        Some((cell, &value)) => Err(WorldError::Value { field, x: cell.x as usize, y: cell.y as usize, value, range }),
    }
}
