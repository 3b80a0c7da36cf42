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
mod free_memory;
mod ground;
mod memory;
mod rivers;
mod vegetation;
mod waves;

use rayon::prelude::*;

pub use biome::Biome;
pub use config::{WorldConfig, WorldKind};
pub use dungeon::{Dungeon, DungeonConfig, DungeonError, Room};
pub use error::WorldError;
pub use ground::Ground;
pub use rivers::{Flow, Water};

use crate::grid::Grid;
use crate::job::Job;
use crate::world::biome::{Border, Place, beside};
use crate::world::drainage::{Drainage, Wobble};
use crate::world::frame::{Frame, rows_mut};
use crate::world::rivers::Waters;
use glam::IVec2;

/// A piece of country: fields of one size, a value a cell.
///
/// ```
/// use farsight::Job;
/// use farsight::world::{World, WorldConfig};
/// let world = World::generate(&WorldConfig { width: 64, height: 48, ..Default::default() }, &Job::quiet())?;
/// let highest = world.elevation_m().as_slice().iter().fold(0.0_f32, |a, &b| a.max(b));
/// assert!(highest > 100.0);
/// # Ok::<(), farsight::world::WorldError>(())
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
    has_gaps: bool,
    /// Least and greatest values of `elevation_m` and `temperature_c`.
    elevation_range_m: [f32; 2],
    temperature_range_c: [f32; 2],
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
        Self::with_climate(config, &frames, waters, None, job)
    }

    /// Makes a world on given ground: rivers, climate, vegetation and biomes as `config` has them, but
    /// no lakes. `elevation_m` is in metres over the sea, negative at sea; it is kept to the bit, and
    /// its size replaces that of `config`.
    ///
    /// # Errors
    /// As [`World::generate`], and [`WorldError::Value`] for an elevation that is not finite.
    pub fn from_elevation(elevation_m: Grid<f32>, config: &WorldConfig, job: &Job) -> Result<Self, WorldError> {
        let config = sized(&WorldConfig { sea_level_m: 0.0, ..config.clone() }, &elevation_m)?;
        check_values("elevation", &elevation_m, |v| v.abs() <= MAX_ELEVATION_M, "between -20000 and 20000 m")?;
        let frames = Frame::map(config.width, config.height, config.cell_size_m).levels(config.region_km);
        job.report("rivers", 0.5)?;
        let sea = elevation_m.map(|&elevation| elevation < 0.0);
        let waters = rivers::waters_on(&config, &frames[0], elevation_m, sea);
        Self::with_climate(&config, &frames, waters, None, job)
    }

    /// Makes a world on ground that was measured: rivers, climate, vegetation and biomes as `config` has them, but
    /// no lakes, since heights do not tell a lake from a meadow. The ground's own humidity and vegetation go before
    /// the climate's; vegetation is 0 at sea. Of `config` the [`KEYS_ON_GROUND`](WorldConfig::KEYS_ON_GROUND) count.
    ///
    /// The sea is what lies no higher than `sea_level_m` and joins the edge of the map or a cell without data; other
    /// ground keeps its height, above or below. Cells without data are NaN in every field, hold no water and are
    /// [`Biome::Unknown`]; around them, the climate is that of ground as high as the nearest that was measured.
    ///
    /// # Errors
    /// As [`World::generate`]; [`WorldError::Value`] for an elevation, humidity or vegetation that cannot be,
    /// [`WorldError::Shape`] for fields of different sizes, [`WorldError::NoData`] if nothing was measured.
    pub fn on_ground(ground: &Ground, config: &WorldConfig, job: &Job) -> Result<Self, WorldError> {
        let config = sized(&config.on_ground(ground.elevation_m.size()), &ground.elevation_m)?;
        ground.check()?;
        let frames = Frame::map(config.width, config.height, config.cell_size_m).levels(config.region_km);
        job.report("rivers", 0.5)?;
        let filled = ground::without_gaps(&ground.elevation_m);
        let sea = ground::sea_on(&ground.elevation_m, &filled, config.sea_level_m as f32);
        let waters = rivers::waters_on(&config, &frames[0], filled, sea);
        let mut world = Self::with_climate(&config, &frames, waters, Some(ground), job)?;
        world.cut_gaps(&ground.elevation_m);
        Ok(world)
    }

    /// Leaves nothing of what was made up where nobody measured.
    fn cut_gaps(&mut self, measured: &Grid<f32>) {
        for i in (0..measured.as_slice().len()).filter(|&i| measured.as_slice()[i].is_nan()) {
            for field in [
                &mut self.elevation_m,
                &mut self.ground_m,
                &mut self.temperature_c,
                &mut self.humidity,
                &mut self.vegetation,
            ] {
                field.as_mut_slice()[i] = f32::NAN;
            }
            self.water.as_mut_slice()[i] = Water::None;
            self.biome.as_mut_slice()[i] = Biome::Unknown;
            self.has_gaps = true;
        }
        self.measure();
    }

    /// Finds the ranges of the fields that have no ends of their own.
    fn measure(&mut self) {
        let range = |field: &Grid<f32>| {
            // What is NaN is passed over.
            field
                .as_slice()
                .iter()
                .fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], v| [low.min(*v), high.max(*v)])
        };
        self.elevation_range_m = range(&self.elevation_m);
        self.temperature_range_c = range(&self.temperature_c);
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
            has_gaps: false,
            elevation_range_m: [0.0; 2],
            temperature_range_c: [0.0; 2],
        };
        world.judge(&frame);
        Ok(world)
    }

    /// The rest of the world, once its waters are known.
    fn with_climate(
        config: &WorldConfig,
        frames: &[Frame],
        waters: Waters,
        given: Option<&Ground>,
        job: &Job,
    ) -> Result<Self, WorldError> {
        let Waters { elevation, surface, water, flow } = waters;
        job.report("climate", 0.7)?;
        let temperature_c = climate::temperature(config, frames, &surface);
        job.report("climate", 0.75)?;
        let mut humidity = climate::humidity(config, frames, &surface, &water);
        if let Some(given) = given.and_then(|ground| ground.humidity.as_ref()) {
            lay_over(&mut humidity, given, |_| true);
        }
        job.report("vegetation", 0.85)?;
        let mut vegetation = vegetation::vegetation(config, frames, &surface, &temperature_c, &humidity, &water);
        if let Some(given) = given.and_then(|ground| ground.vegetation.as_ref()) {
            lay_over(&mut vegetation, given, |i| water.as_slice()[i] != Water::Sea);
        }
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
            has_gaps: false,
            elevation_range_m: [0.0; 2],
            temperature_range_c: [0.0; 2],
        };
        world.judge(&frames[0]);
        job.report("biomes", 1.0)?;
        Ok(world)
    }

    /// Finds the biome of every cell, and what is left to know.
    fn judge(&mut self, frame: &Frame) {
        let mut biome = std::mem::replace(&mut self.biome, Grid::new(0, 0, Biome::Grassland));
        let border = Border::new(self.config.seed, frame.step_km);
        let sea_level = self.config.sea_level_m as f32;
        rows_mut(&mut biome).for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate() {
                let frayed = border.at(frame.x_km(x), frame.y_km(y));
                let (elevation, humidity) = (self.elevation_m.row(y)[x] - sea_level, self.humidity.row(y)[x] + frayed);
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
        self.measure();
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

    /// Whether anything is known of a cell: false off the map, and where nobody measured the ground. All fields are
    /// NaN there.
    #[inline]
    pub fn has_data(&self, cell: IVec2) -> bool {
        self.elevation_m.get(cell).is_some_and(|elevation| !elevation.is_nan())
    }

    /// Whether there are cells without data at all.
    pub fn has_gaps(&self) -> bool {
        self.has_gaps
    }

    /// Metres over the sea; under it, the sea floor; in a lake, its bottom. NaN where nobody measured.
    pub fn elevation_m(&self) -> &Grid<f32> {
        &self.elevation_m
    }

    /// What a viewer stands on and what rises into view, in metres over the sea: the ground or the
    /// surface of the water on it. 0 at sea, or the sea level of given ground.
    pub fn ground_m(&self) -> &Grid<f32> {
        &self.ground_m
    }

    /// Mean temperature in °C.
    pub fn temperature_c(&self) -> &Grid<f32> {
        &self.temperature_c
    }

    /// Least and greatest elevation, in metres over the sea.
    pub fn elevation_range_m(&self) -> [f32; 2] {
        self.elevation_range_m
    }

    /// Least and greatest mean temperature, in °C.
    pub fn temperature_range_c(&self) -> [f32; 2] {
        self.temperature_range_c
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

/// Puts given values in place of others, as far as they are numbers and `counts` holds.
fn lay_over(field: &mut Grid<f32>, given: &Grid<f32>, counts: impl Fn(usize) -> bool) {
    for (i, (value, &given)) in field.as_mut_slice().iter_mut().zip(given.as_slice()).enumerate() {
        if !given.is_nan() && counts(i) {
            *value = given;
        }
    }
}

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
