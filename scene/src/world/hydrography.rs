//! [`Hydrography`]: sea, lakes and rivers; [`Water`] and [`Flow`]: the water on each cell, and where it flows.

use glam::IVec2;

use super::cell_sizes::RowSizes;
use super::config::WorldConfig;
use super::drainage::Drainage;
use super::elevation::{BaseElevation, make_relief};
use super::flow_directions::FlowJitter;
use super::neighbours::{NEIGHBOURS, flood_fill};
use super::noise::PerlinOctave;
use super::pyramid::{CELLS_BETWEEN_CHECKS, PyramidLevel, for_rows, update_cells};
use farsight::grid::{Grid, ToCell};
use farsight::internal::math::{SplitMix64, smoothstep_f32};
use farsight::{Cancelled, Job};

/// The water that covers a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Water {
    /// Dry land.
    #[default]
    None,
    /// The sea.
    Sea,
    /// A lake, filled up to its outlet.
    Lake,
    /// A river, at most as wide as its cell.
    River,
}

/// Flow directions and flow accumulation of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    pub(super) drainage_km2: Grid<f32>,
    pub(super) directions: Grid<u8>,
}

impl Flow {
    /// Creates the flow over the cells of a level. `sizes` are those of rectangular cells.
    pub(super) fn new(drainage: Drainage, sea: &Grid<bool>, level: &PyramidLevel, sizes: Option<&RowSizes>) -> Self {
        let cell_km2 = (level.step_km * level.step_km) as f32;
        let drainage_km2 = match sizes {
            None => drainage.counts.into_iter().map(|count| cell_km2 * count as f32).collect(),
            Some(sizes) => drainage.areas_km2(sizes).into_iter().map(|area| area as f32).collect(),
        };
        let (width, height) = (sea.width(), sea.height());
        Self {
            drainage_km2: Grid::from_vec(width, height, drainage_km2).expect("one sum a cell"),
            directions: Grid::from_vec(width, height, drainage.directions.codes).expect("one direction a cell"),
        }
    }

    /// Creates flow accumulation without directions.
    pub(super) fn without_directions(drainage_km2: Grid<f32>) -> Self {
        Self {
            directions: Grid::new(drainage_km2.width(), drainage_km2.height(), super::flow_directions::OFF_MAP),
            drainage_km2,
        }
    }

    /// No flow: of a window of a raster.
    pub(super) fn none() -> Self {
        Self { drainage_km2: Grid::new(0, 0, 0.0), directions: Grid::new(0, 0, 0) }
    }

    /// Returns the catchment area of each cell, itself included, in square kilometres; 0 at sea. Empty in a window of a
    /// raster.
    pub fn drainage_km2(&self) -> &Grid<f32> {
        &self.drainage_km2
    }

    /// Returns the neighbour that the water of a cell flows to. In a generated world it is never higher; on given ground
    /// water crosses the depressions. `None` for the sea, for land at the edge of the map whose water leaves it, and off
    /// the map.
    pub fn downstream(&self, cell: impl ToCell) -> Option<IVec2> {
        let cell = cell.to_cell();
        self.directions.get(cell).and_then(|&code| NEIGHBOURS.get(usize::from(code))).map(|&to| cell + to)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hydrography {
    /// Metres above the sea; the bottom of lakes and of the sea.
    pub(super) elevation: Grid<f32>,
    /// The ground or the surface of the water on it, in metres above the sea. `None` without water, for the elevation.
    pub(super) surface: Option<Grid<f32>>,
    pub(super) water: Grid<Water>,
    pub(super) flow: Flow,
}

impl Hydrography {
    /// Returns the ground or the surface of the water on it, in metres above the sea.
    pub(super) fn surface(&self) -> &Grid<f32> {
        self.surface.as_ref().unwrap_or(&self.elevation)
    }

    /// Generates the relief of a level of the pyramid, and lowers some of its land.
    pub(super) fn relief(
        config: &WorldConfig,
        pyramid: &[PyramidLevel],
        level: usize,
        job: Job<'_>,
    ) -> Result<BaseElevation, Cancelled> {
        let mut relief = make_relief(config, pyramid, level, job)?;
        job.report("lakes", 0.5)?;
        lower_valleys(config, &pyramid[level..], &mut relief.elevation, &relief.sea, job)?;
        Ok(relief)
    }

    /// Routes the water of a relief, fills depressions and marks lakes and rivers.
    pub(super) fn generate(
        config: &WorldConfig,
        pyramid: &[PyramidLevel],
        relief: BaseElevation,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let BaseElevation { elevation, sea } = relief;
        let drainage = Drainage::new(&elevation, &sea, FlowJitter { strength: 0.5, seed: 0 }, None, job, 0.55)?;
        job.report("lakes", 0.62)?;
        let mut hydrography = Self::fill_depressions(elevation, sea, drainage, &pyramid[0], job)?;
        job.report("rivers", 0.68)?;
        hydrography.mark_rivers(config, job)?;
        Ok(hydrography)
    }

    /// Routes the water of given ground and marks the rivers. The elevation does not change, without lakes. Where `sea`
    /// is true, it must not be above the sea level of `config`. `sizes` are those of rectangular cells.
    pub(super) fn on_ground(
        config: &WorldConfig,
        level: &PyramidLevel,
        elevation: Grid<f32>,
        sea: &Grid<bool>,
        sizes: Option<&RowSizes>,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let sea_level = config.sea_level() as f32;
        let above_sea = elevation.map(|&elevation| elevation - sea_level);
        let drainage = Drainage::new(&above_sea, sea, FlowJitter::default(), sizes, job, 0.5)?;
        let flow = Flow::new(drainage, sea, level, sizes);
        let mut surface = elevation.clone();
        for (surface, _) in surface.as_mut_slice().iter_mut().zip(sea.as_slice()).filter(|(_, sea)| **sea) {
            *surface = sea_level;
        }
        let mut hydrography = Self { surface: Some(surface), elevation, water: sea_water(sea), flow };
        hydrography.mark_rivers(config, job)?;
        Ok(hydrography)
    }

    /// Fills every depression: wide and deep ones become lakes, the others are levelled.
    fn fill_depressions(
        mut elevation: Grid<f32>,
        sea: Grid<bool>,
        drainage: Drainage,
        level: &PyramidLevel,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let width = elevation.width();
        let filled = drainage.filled(elevation.as_slice(), job)?;
        let mut water = sea_water(&sea);
        mark_lakes(&mut water, level.step_km, elevation.as_slice(), &filled, job)?;
        let mut surface = elevation.clone();
        update_cells(&mut surface, job, |x, y, cell| {
            *cell = if sea.row(y)[x] { cell.max(0.0) } else { filled[y * width + x] };
        })?;
        for (i, cell) in elevation.as_mut_slice().iter_mut().enumerate() {
            if water.as_slice()[i] == Water::None {
                *cell = filled[i];
            }
        }
        job.check()?;
        Ok(Self { elevation, surface: Some(surface), water, flow: Flow::new(drainage, &sea, level, None) })
    }

    fn mark_rivers(&mut self, config: &WorldConfig, job: Job<'_>) -> Result<(), Cancelled> {
        let min_km2 = config.river_basin_km2 as f32;
        let Self { water, flow, .. } = self;
        for_rows(water, job, |y, row| {
            for (water, &area_km2) in row.iter_mut().zip(flow.drainage_km2.row(y)) {
                if *water == Water::None && area_km2 >= min_km2 {
                    *water = Water::River;
                }
            }
        })
    }
}

pub(super) fn sea_water(sea: &Grid<bool>) -> Grid<Water> {
    sea.map(|&sea| if sea { Water::Sea } else { Water::None })
}

/// Lowers wide patches of land away from crests, so that lakes form there.
fn lower_valleys(
    config: &WorldConfig,
    pyramid: &[PyramidLevel],
    elevation: &mut Grid<f32>,
    sea: &Grid<bool>,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    if config.lakes == 0.0 {
        return Ok(());
    }
    let mut random = SplitMix64::for_purpose(config.seed, 21);
    let small_km = config.region_km * 0.04;
    let [wide, small] = [config.region_km * 0.16, small_km].map(|km| PerlinOctave::new(&mut random, km));
    let threshold = 0.55 - 0.45 * config.lakes as f32;
    let noise = PyramidLevel::smooth_noise(pyramid, small_km, &[(1.0, &wide), (0.3, &small)], job)?;
    update_cells(elevation, job, |x, y, cell| {
        if !sea.row(y)[x] && *cell >= 6.0 {
            let depth = (0.7 * (*cell - 3.0)).min(20.0 + 0.12 * *cell).min(90.0);
            *cell -= depth * smoothstep_f32(threshold, threshold + 0.4, noise.row(y)[x]);
        }
    })
}

/// The minimum maximum depth, area and number of cells of a lake.
const MIN_LAKE_DEPTH_M: f32 = 2.0;
const MIN_LAKE_KM2: f64 = 0.08;
const MIN_LAKE_CELLS: usize = 3;
/// The minimum depth of water on a cell of a lake.
const MIN_WATER_M: f32 = 0.3;

fn mark_lakes(
    water: &mut Grid<Water>,
    step_km: f64,
    ground: &[f32],
    filled: &[f32],
    job: Job<'_>,
) -> Result<(), Cancelled> {
    let size = [water.width(), water.height()];
    let water = water.as_mut_slice();
    let min_cells = MIN_LAKE_CELLS.max((MIN_LAKE_KM2 / (step_km * step_km)) as usize);
    let is_wet = |i: usize| filled[i] > ground[i] + MIN_WATER_M;
    let mut seen = vec![false; water.len()];
    let mut lake = Vec::new();
    for start in 0..water.len() {
        if start % CELLS_BETWEEN_CHECKS == 0 {
            job.check()?;
        }
        if seen[start] || water[start] == Water::Sea || !is_wet(start) {
            continue;
        }
        flood_fill(start, size, &mut seen, &mut lake, |from, _, to| {
            water[to] != Water::Sea && is_wet(to) && filled[to] == filled[from]
        });
        let is_deep = lake.iter().any(|&i| filled[i] - ground[i] >= MIN_LAKE_DEPTH_M);
        if lake.len() >= min_cells && is_deep {
            lake.iter().for_each(|&i| water[i] = Water::Lake);
        }
    }
    Ok(())
}
