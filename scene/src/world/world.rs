//! [`World`]: the fields of a piece of country, its cell sizes, and its constructors, whole or on a window of a raster.

use std::borrow::Cow;
use std::sync::Arc;

use glam::IVec2;

use super::biome::{Biome, biomes};
use super::cell_sizes::{CellSizes, RowSizes};
use super::climate::{Climate, LAPSE_C_PER_KM, humidity, range, temperature, vegetation};
use super::config::{BYTES_PER_CELL, WorldConfig, WorldError, bytes_needed};
use super::drainage::Drainage;
use super::flow_directions::FlowJitter;
use super::ground::{Ground, NoData, RasterWindow, check_elevation, check_shares, fill_gaps, find_sea, with_size_of};
use super::hydrography::{Flow, Hydrography, Water, sea_water};
use super::lazy::Lazy;
use super::place::KnownPlaces;
use super::preview::{Enlargement, level_of_preview};
use super::pyramid::PyramidLevel;
use super::surface_model::SurfaceModel;
use farsight::grid::{CellSize, Grid, ToCell};
use farsight::internal::parallel::*;
use farsight::{Cancelled, Job};

/// A piece of country: fields of the same size, with a value per cell.
///
/// ```
/// use farsight::Job;
/// use farsight_scene::world::{World, WorldConfig};
/// let world = World::generate(&WorldConfig::default().with_width(64).with_height(48), Job::none())?;
/// let highest = world.elevation_m().as_slice().iter().fold(0.0_f32, |a, &b| a.max(b));
/// assert!(highest > 100.0);
/// # Ok::<(), farsight_scene::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    pub(super) config: WorldConfig,
    pub(super) hydrography: Hydrography,
    pub(super) climate: Lazy<Climate>,
    pub(super) biome: Lazy<Grid<Biome>>,
    pub(super) has_gaps: bool,
    pub(super) is_preview: bool,
    /// Whether the elevation was given, so that a generator must not name its places.
    pub(super) is_on_given_ground: bool,
    pub(super) given: GivenCover,
    /// The sizes of rectangular cells.
    pub(super) row_sizes: Option<RowSizes>,
    /// The window of a raster that this world covers.
    pub(super) window: Option<RasterWindow>,
    /// Obstacles and crowns on the ground.
    pub(super) surface: Option<Arc<SurfaceModel>>,
    pub(super) elevation_range_m: [f32; 2],
    pub(super) places: KnownPlaces,
}

/// The fields of the climate that were given with the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GivenCover {
    pub(super) humidity: bool,
    pub(super) vegetation: bool,
}

impl GivenCover {
    pub(super) fn of(ground: &Ground) -> Self {
        Self { humidity: ground.humidity.is_some(), vegetation: ground.vegetation.is_some() }
    }
}

impl World {
    /// Returns the maximum memory of [`generate`](Self::generate) in bytes.
    pub fn bytes_needed(config: &WorldConfig) -> u64 {
        bytes_needed(config.width, config.height, BYTES_PER_CELL)
    }

    /// Generates the world of a configuration.
    ///
    /// # Errors
    /// [`WorldError::Size`], [`WorldError::OutOfRange`] and [`WorldError::Memory`] before any work;
    /// [`WorldError::Cancelled`] soon after the job is cancelled.
    pub fn generate(config: &WorldConfig, job: Job<'_>) -> Result<Self, WorldError> {
        config.check()?;
        job.report("continents", 0.0)?;
        let pyramid = pyramid(config);
        let relief = Hydrography::relief(config, &pyramid, 0, job)?;
        let hydrography = Hydrography::generate(config, &pyramid, relief, job)?;
        Ok(Self::with_climate(config, &pyramid, hydrography, None, job)?)
    }

    /// Generates a preview of the world of a configuration, in less time: its coasts and mountains are those of a coarse
    /// level of the world, interpolated to its size, and its water has no flow. A small world is generated completely.
    ///
    /// # Errors
    /// As [`World::generate`].
    pub fn preview(config: &WorldConfig, job: Job<'_>) -> Result<Self, WorldError> {
        config.check()?;
        job.report("continents", 0.0)?;
        let pyramid = pyramid(config);
        let last = level_of_preview(&pyramid);
        let (finer, levels) = pyramid.split_at(last);
        let hydrography =
            Hydrography::generate(config, levels, Hydrography::relief(config, &pyramid, last, job)?, job)?;
        let coarse = Self::with_climate(config, levels, hydrography, None, job)?;
        if finer.is_empty() {
            return Ok(coarse);
        }
        let enlargement = Enlargement { finer };
        let hydrography = enlargement.hydrography(&coarse.hydrography, job)?;
        let climate = enlargement.climate(coarse.climate(), &hydrography.water, job)?;
        Ok(Self {
            biome: enlargement.biomes(coarse.biome(), &hydrography).into(),
            elevation_range_m: range(&hydrography.elevation),
            climate: climate.into(),
            hydrography,
            is_preview: true,
            ..coarse
        })
    }

    /// Returns the number of cells of the level of a [`preview`](Self::preview).
    pub fn preview_cells(config: &WorldConfig) -> u64 {
        let pyramid = pyramid(config);
        let level = &pyramid[level_of_preview(&pyramid)];
        level.width as u64 * level.height as u64
    }

    /// Returns `true` for a preview.
    pub fn is_preview(&self) -> bool {
        self.is_preview
    }

    /// Creates a world on measured ground, with rivers, climate, vegetation and biomes of `config`, but without lakes,
    /// since elevations do not distinguish a lake from a meadow. Humidity and vegetation of the ground replace those of
    /// the climate; vegetation is 0 at sea. It uses only [`WorldConfig::KEYS_ON_GROUND`] of `config`.
    ///
    /// With a `sea_level_m`, the sea is all ground that is not above it and is connected to the edge of the map or to a
    /// nodata cell. Without it there is no sea: ground below 0 m is land. Nodata cells are NaN in every field, have no
    /// water and are [`Biome::Unknown`]. For the climate around them, they have the height of the nearest measured
    /// cell.
    ///
    /// # Errors
    /// As [`World::generate`]; [`WorldError::Value`] for an elevation, humidity or vegetation out of range,
    /// [`WorldError::Shape`] for fields of different sizes, [`WorldError::NoData`] if no cell has data.
    pub fn from_dem<'g>(
        ground: impl Into<Cow<'g, Ground>>,
        config: &WorldConfig,
        job: Job<'_>,
    ) -> Result<Self, WorldError> {
        let ground = ground.into();
        let config = with_size_of(&ground.elevation_m, &config.on_ground(ground.elevation_m.size()))?;
        ground.check()?;
        Ok(match ground.window {
            Some(window) => Self::on_window(ground.into_owned(), window, &config, job)?,
            None => Self::on_whole_ground(&ground, &config, |_| {}, job)?,
        })
    }

    /// Creates a world on checked measured ground that is not a window, with the size of `config`. `change_water`
    /// changes its water before the climate is computed.
    pub(super) fn on_whole_ground(
        ground: &Ground,
        config: &WorldConfig,
        change_water: impl FnOnce(&mut Hydrography),
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let row_sizes = row_sizes(ground, config);
        let middle = row_sizes.as_ref().map_or(config.cell_size_m.into(), RowSizes::in_the_middle);
        let pyramid = PyramidLevel::finest(config.width, config.height, middle).pyramid(config.region_km);
        job.report("rivers", 0.5)?;
        let filled = fill_gaps(&ground.elevation_m);
        let sea = find_sea(&ground.elevation_m, &filled, config.sea_level_m);
        let mut hydrography = Hydrography::on_ground(config, &pyramid[0], filled, &sea, row_sizes.as_ref(), job)?;
        change_water(&mut hydrography);
        let mut world = Self::with_climate(config, &pyramid, hydrography, Some(ground), job)?;
        for (cell, measured) in world.hydrography.elevation.as_mut_slice().iter_mut().zip(ground.elevation_m.as_slice())
        {
            if measured.is_nan() {
                *cell = f32::NAN;
            }
        }
        world.clear_gaps();
        world.row_sizes = row_sizes;
        world.is_on_given_ground = true;
        world.given = GivenCover::of(ground);
        world.surface.clone_from(&ground.surface);
        Ok(world)
    }

    /// Creates a world from fields of the same size: elevation in metres above the sea (negative at sea), humidity and
    /// vegetation from 0 to 1. It has no rivers and no lakes. Temperature falls with height from the default of
    /// [`WorldConfig`]. Vegetation is 0 at sea.
    ///
    /// # Errors
    /// [`WorldError::Shape`], [`WorldError::Value`], and those of [`World::generate`].
    pub fn from_fields(
        elevation_m: Grid<f32>,
        humidity: Grid<f32>,
        mut vegetation: Grid<f32>,
        cell_size_m: f64,
    ) -> Result<Self, WorldError> {
        let config = with_size_of(&elevation_m, &WorldConfig { cell_size_m, ..Default::default() })?;
        check_elevation(&elevation_m, NoData::Rejected)?;
        check_shares("humidity", &humidity, &elevation_m, NoData::Rejected)?;
        check_shares("vegetation", &vegetation, &elevation_m, NoData::Rejected)?;
        let level = PyramidLevel::finest(config.width, config.height, cell_size_m.into());
        let sea = elevation_m.map(|&elevation| elevation < 0.0);
        for (vegetation, _) in vegetation.as_mut_slice().iter_mut().zip(sea.as_slice()).filter(|(_, sea)| **sea) {
            *vegetation = 0.0;
        }
        let surface = elevation_m.map(|&elevation| elevation.max(0.0));
        let temperature = surface.map(|&m| config.base_temperature_c as f32 - LAPSE_C_PER_KM * m / 1000.0);
        let drainage = Drainage::new(&elevation_m, &sea, FlowJitter::default(), None, Job::none(), 0.0)?;
        let flow = Flow::new(drainage, &sea, &level, None);
        let hydrography = Hydrography { elevation: elevation_m, surface: Some(surface), water: sea_water(&sea), flow };
        let climate = Climate::new(temperature, humidity, vegetation);
        let mut world = Self::with_biomes(config, &level, hydrography, climate, Job::none())?;
        world.is_on_given_ground = true;
        world.given = GivenCover { humidity: true, vegetation: true };
        Ok(world)
    }

    /// Returns the configuration of the world.
    pub fn config(&self) -> &WorldConfig {
        &self.config
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.hydrography.elevation.width()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.hydrography.elevation.height()
    }

    /// Returns `false` off the map and for nodata cells, whose fields are all NaN.
    #[inline]
    pub fn has_data(&self, cell: impl ToCell) -> bool {
        let cell = cell.to_cell();
        self.hydrography.elevation.get(cell).is_some_and(|elevation| !elevation.is_nan())
    }

    /// Returns `true` if any cell is nodata.
    pub fn has_gaps(&self) -> bool {
        self.has_gaps
    }

    /// Returns the elevation in metres above the sea, at sea that of the sea floor, in a lake that of its bottom. NaN
    /// for nodata.
    pub fn elevation_m(&self) -> &Grid<f32> {
        &self.hydrography.elevation
    }

    /// Returns the surface that carries the viewer and blocks the view, in metres above the sea: the ground, or the
    /// surface of the water on it. At sea it is 0, or the sea level of measured ground.
    pub fn ground_m(&self) -> &Grid<f32> {
        self.hydrography.surface()
    }

    /// Returns what stands on the ground; `None` if that is not known.
    pub fn surface_model(&self) -> Option<&SurfaceModel> {
        self.surface.as_deref()
    }

    /// Returns the height of the ground of a cell, or of the obstacle or crown of the [surface](Self::surface_model) on it, in metres
    /// over the sea.
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn top_m(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        let ground_m = self.ground_m()[cell];
        self.surface_model().map_or(ground_m, |surface| surface.top_m(ground_m, cell))
    }

    /// Returns the mean temperature in °C.
    pub fn temperature_c(&self) -> &Grid<f32> {
        &self.climate().temperature
    }

    /// Returns the minimum and the maximum elevation, in metres above the sea.
    pub fn elevation_range_m(&self) -> [f32; 2] {
        self.elevation_range_m
    }

    /// Returns the minimum and the maximum mean temperature, in °C.
    pub fn temperature_range_c(&self) -> [f32; 2] {
        self.climate().temperature_range_c
    }

    /// Returns the relative humidity of the air, 0 to 1.
    pub fn humidity(&self) -> &Grid<f32> {
        &self.climate().humidity
    }

    /// Returns the density of vegetation, 0 (bare) to 1 (dense forest); 0 in water.
    pub fn vegetation(&self) -> &Grid<f32> {
        &self.climate().vegetation
    }

    /// Returns the water on each cell.
    pub fn water(&self) -> &Grid<Water> {
        &self.hydrography.water
    }

    /// Returns the biome of each cell.
    pub fn biome(&self) -> &Grid<Biome> {
        self.biome.get_or_make(|| self.biomes_of_window())
    }

    /// Returns flow directions and flow accumulation.
    pub fn flow(&self) -> &Flow {
        &self.hydrography.flow
    }

    pub(super) fn with_climate(
        config: &WorldConfig,
        pyramid: &[PyramidLevel],
        hydrography: Hydrography,
        ground: Option<&Ground>,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let (surface, water) = (hydrography.surface(), &hydrography.water);
        job.report("temperature", 0.7)?;
        let temperature = temperature(config, pyramid, surface, job)?;
        let mut humidity = humidity(config, pyramid, surface, water, job)?;
        if let Some(given) = ground.and_then(|ground| ground.humidity.as_ref()) {
            replace_values(&mut humidity, given, |_| true);
        }
        job.report("vegetation", 0.85)?;
        let mut vegetation = vegetation(config, pyramid, surface, &temperature, &humidity, water, job)?;
        if let Some(given) = ground.and_then(|ground| ground.vegetation.as_ref()) {
            replace_values(&mut vegetation, given, |i| !matches!(water.as_slice()[i], Water::Sea | Water::Lake));
        }
        job.report("biomes", 0.95)?;
        let climate = Climate::new(temperature, humidity, vegetation);
        let world = Self::with_biomes(config.clone(), &pyramid[0], hydrography, climate, job)?;
        job.report("biomes", 1.0)?;
        Ok(world)
    }

    fn with_biomes(
        config: WorldConfig,
        level: &PyramidLevel,
        hydrography: Hydrography,
        climate: Climate,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let biome = biomes(&config, level, &hydrography, &climate, job)?;
        Ok(Self::of_parts(config, hydrography, climate.into(), biome.into()))
    }

    fn of_parts(
        config: WorldConfig,
        hydrography: Hydrography,
        climate: Lazy<Climate>,
        biome: Lazy<Grid<Biome>>,
    ) -> Self {
        Self {
            biome,
            elevation_range_m: range(&hydrography.elevation),
            config,
            hydrography,
            climate,
            has_gaps: false,
            is_preview: false,
            is_on_given_ground: false,
            given: GivenCover::default(),
            row_sizes: None,
            window: None,
            surface: None,
            places: KnownPlaces::default(),
        }
    }

    /// Sets all fields to nodata where the elevation is nodata.
    fn clear_gaps(&mut self) {
        let Self { hydrography, climate, biome, .. } = self;
        let elevation = &hydrography.elevation;
        // Without a branch for each cell, so that it is vectorized.
        let has_gaps = |row: &[f32]| row.iter().fold(false, |any, elevation| any | elevation.is_nan());
        self.has_gaps = elevation.as_slice().par_chunks(elevation.width()).any(has_gaps);
        if !self.has_gaps {
            return;
        }
        for i in 0..hydrography.elevation.as_slice().len() {
            if !hydrography.elevation.as_slice()[i].is_nan() {
                continue;
            }
            let fields = climate
                .get_mut()
                .into_iter()
                .flat_map(|climate| [&mut climate.temperature, &mut climate.humidity, &mut climate.vegetation]);
            for field in fields.chain(&mut hydrography.surface) {
                field.as_mut_slice()[i] = f32::NAN;
            }
            hydrography.water.as_mut_slice()[i] = Water::None;
            if let Some(biome) = biome.get_mut() {
                biome.as_mut_slice()[i] = Biome::Unknown;
            }
        }
        self.elevation_range_m = range(&hydrography.elevation);
        if let Some(climate) = climate.get_mut() {
            climate.temperature_range_c = range(&climate.temperature);
        }
    }
}

/// Returns the levels of a map.
pub(super) fn pyramid(config: &WorldConfig) -> Vec<PyramidLevel> {
    PyramidLevel::finest(config.width, config.height, CellSize::square(config.cell_size_m)).pyramid(config.region_km)
}

/// Returns the cell sizes of ground, or `None` for squares.
pub(super) fn row_sizes(ground: &Ground, config: &WorldConfig) -> Option<RowSizes> {
    let rows = ground.window.map_or(ground.elevation_m.height(), |window| window.raster_size.y as usize);
    ground.cell_sizes.map(|sizes| RowSizes::new(sizes, config.cell_size_m, rows))
}

/// Replaces values by given ones that are not NaN, at the indices for which `counts` returns `true`.
fn replace_values(field: &mut Grid<f32>, given: &Grid<f32>, counts: impl Fn(usize) -> bool) {
    for (i, (value, &given)) in field.as_mut_slice().iter_mut().zip(given.as_slice()).enumerate() {
        if !given.is_nan() && counts(i) {
            *value = given;
        }
    }
}

impl World {
    /// Makes a world on a window of a raster. It has no climate and no sea, which follow from the whole raster: humidity is NaN
    /// and there are no plants where the ground does not say them, and the temperature is that of height and latitude.
    fn on_window(ground: Ground, window: RasterWindow, config: &WorldConfig, job: Job<'_>) -> Result<Self, Cancelled> {
        let row_sizes = row_sizes(&ground, config);
        let Ground { elevation_m, humidity, vegetation, surface, .. } = ground;
        job.report("ground", 0.7)?;
        let climate = match (humidity, vegetation) {
            (None, None) => Lazy::default(),
            (humidity, vegetation) => Climate::of_window(config, window, &elevation_m, humidity, vegetation).into(),
        };
        let hydrography = Hydrography {
            surface: None,
            water: Grid::new(elevation_m.width(), elevation_m.height(), Water::None),
            flow: Flow::none(),
            elevation: elevation_m,
        };
        let mut world = Self::of_parts(config.clone(), hydrography, climate, Lazy::default());
        world.window = Some(window);
        world.surface = surface;
        world.is_on_given_ground = true;
        world.clear_gaps();
        world.row_sizes = row_sizes;
        Ok(world)
    }

    /// Returns the climate.
    pub(super) fn climate(&self) -> &Climate {
        self.climate.get_or_make(|| {
            let window = self.window.expect("only the climate of a window is computed later");
            Climate::of_window(&self.config, window, self.elevation_m(), None, None)
        })
    }

    /// Returns the climate and the water to change them.
    pub(super) fn weather_mut(&mut self) -> (&mut Climate, &mut Hydrography) {
        self.climate();
        (self.climate.get_mut().expect("it is computed"), &mut self.hydrography)
    }

    fn biomes_of_window(&self) -> Grid<Biome> {
        let (Self { config, hydrography, .. }, climate) = (self, self.climate());
        let middle = self.row_sizes.as_ref().map_or(config.cell_size_m.into(), RowSizes::in_the_middle);
        let level = PyramidLevel::finest(config.width, config.height, middle);
        let made = biomes(config, &level, hydrography, climate, Job::none());
        let mut made = made.expect("a quiet job is not cancelled");
        for (biome, elevation) in made.as_mut_slice().iter_mut().zip(hydrography.elevation.as_slice()) {
            if elevation.is_nan() {
                *biome = Biome::Unknown;
            }
        }
        made
    }

    /// Returns the window of a raster that the world is, if it is not the whole raster. Its cell 0,0 is the first cell of the
    /// window.
    pub fn window(&self) -> Option<RasterWindow> {
        self.window
    }

    /// Returns the offset of cell 0,0 of the world in the raster.
    pub fn origin(&self) -> IVec2 {
        self.window.map_or(IVec2::ZERO, |window| window.cells.min)
    }
}

impl World {
    /// Returns the sides of the cells of the row of a cell. They differ from row to row on ground in degrees.
    pub fn cell_size_at(&self, cell: impl ToCell) -> CellSize {
        let cell = cell.to_cell();
        match &self.row_sizes {
            None => CellSize::square(self.config.cell_size_m),
            Some(sizes) => sizes.at_row(self.origin().y + cell.y.clamp(0, self.height() as i32 - 1)),
        }
    }

    /// Returns the shortest side of all cells, in metres.
    pub fn shortest_side_m(&self) -> f64 {
        self.row_sizes.as_ref().map_or(self.config.cell_size_m, |sizes| sizes.shortest_m)
    }

    /// Returns the cell sizes of the raster of the ground, or `None` for squares.
    pub fn cell_sizes(&self) -> Option<CellSizes> {
        self.row_sizes.as_ref().map(|sizes| sizes.sizes)
    }

    /// Returns the distance between two cells, in units of the shorter side of the first cell.
    #[inline]
    pub(crate) fn distance(&self, from: IVec2, to: IVec2) -> f64 {
        let offset = to.as_dvec2() - from.as_dvec2();
        match &self.row_sizes {
            None => offset.length(),
            Some(_) => (offset * self.cell_size_at(from).ratios()).length(),
        }
    }
}
