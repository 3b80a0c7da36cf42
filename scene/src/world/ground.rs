//! [`Ground`]: measured ground for a world; [`RasterWindow`]: the part of a raster that was read; and checks of the
//! callers' fields.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::cell_sizes::CellSizes;
use super::config::{BYTES_PER_GIVEN_CELL, WorldConfig, WorldError, WorldKind, check_memory};
use super::neighbours::{EDGE_NEIGHBOURS, flood_fill, is_at_edge, is_diagonal};
use super::packed;
use super::surface_model::SurfaceModel;
use farsight::grid::{CellRect, Grid};
use farsight::internal::parallel::*;

/// Measured ground, with optional vegetation and humidity.
///
/// ```
/// use farsight_scene::world::{Ground, World, WorldConfig};
/// use farsight::{Grid, Job, glam::ivec2};
/// let mut ground = Ground::new(Grid::from_fn(40, 30, |cell| 200.0 + 5.0 * cell.x as f32));
/// ground.elevation_m[ivec2(7, 0)] = f32::NAN;
/// ground.vegetation = Some(Grid::new(40, 30, 0.8));
/// let world = World::from_dem(&ground, &WorldConfig::default().with_cell_size_m(30.0), Job::none())?;
/// assert_eq!(world.vegetation()[ivec2(20, 20)], 0.8);
/// assert!(!world.has_data(ivec2(7, 0)));
/// # Ok::<(), farsight_scene::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ground {
    /// Metres above the sea, rows from the north; NaN for nodata.
    #[serde(with = "packed")]
    pub elevation_m: Grid<f32>,
    /// Relative humidity of the air, 0 to 1. The climate replaces `None` and NaN.
    pub humidity: Option<Grid<f32>>,
    /// Density of the vegetation, 0 to 1. The climate replaces `None` and NaN.
    pub vegetation: Option<Grid<f32>>,
    /// The cell sizes; `None` for squares. [`WorldConfig::cell_size_m`] is the mean side in the middle of the map: if
    /// it differs, all sides are scaled to it.
    pub cell_sizes: Option<CellSizes>,
    /// The window of a raster that this ground covers; `None` for a whole raster. A window has no climate and no sea,
    /// and `cell_sizes` are those of the whole raster. serde skips it.
    #[serde(skip)]
    pub window: Option<RasterWindow>,
    /// Obstacles and crowns on the ground. serde skips them: the page, which sends its ground to workers, has none.
    #[serde(skip)]
    pub surface: Option<Arc<SurfaceModel>>,
}

impl Ground {
    /// Creates ground with humidity and vegetation of the climate.
    pub fn new(elevation_m: Grid<f32>) -> Self {
        Self { elevation_m, humidity: None, vegetation: None, cell_sizes: None, window: None, surface: None }
    }

    /// Returns this ground with its humidity and vegetation. The climate replaces `None`.
    #[must_use]
    pub fn with_cover(self, humidity: Option<Grid<f32>>, vegetation: Option<Grid<f32>>) -> Self {
        Self { humidity, vegetation, ..self }
    }

    /// Returns this ground with its cell sizes.
    #[must_use]
    pub fn with_cell_sizes(self, cell_sizes: impl Into<Option<CellSizes>>) -> Self {
        Self { cell_sizes: cell_sizes.into(), ..self }
    }

    /// Returns this ground as a window of a raster.
    #[must_use]
    pub fn with_window(self, window: impl Into<Option<RasterWindow>>) -> Self {
        Self { window: window.into(), ..self }
    }

    /// Returns this ground with what stands on it.
    #[must_use]
    pub fn with_surface(self, surface: impl Into<Option<SurfaceModel>>) -> Self {
        Self { surface: surface.into().map(Arc::new), ..self }
    }

    pub(super) fn check(&self) -> Result<(), WorldError> {
        check_elevation(&self.elevation_m, NoData::Allowed)?;
        if self.elevation_m.as_slice().iter().all(|v| v.is_nan()) {
            return Err(WorldError::NoData);
        }
        for (field, grid) in [("humidity", &self.humidity), ("vegetation", &self.vegetation)] {
            if let Some(grid) = grid {
                check_shares(field, grid, &self.elevation_m, NoData::Allowed)?;
            }
        }
        if let Some(surface) = &self.surface {
            surface.check(&self.elevation_m)?;
        }
        Ok(())
    }
}

impl From<Ground> for Cow<'_, Ground> {
    fn from(ground: Ground) -> Self {
        Cow::Owned(ground)
    }
}

impl<'g> From<&'g Ground> for Cow<'g, Ground> {
    fn from(ground: &'g Ground) -> Self {
        Cow::Borrowed(ground)
    }
}

impl WorldConfig {
    /// The keys of a world on measured ground, whose size and shape are given.
    pub const KEYS_ON_GROUND: [&'static str; 11] = [
        "world.seed",
        "world.cell_size_m",
        "world.region_km",
        "world.river_basin_km2",
        "world.sea_level_m",
        "world.base_temperature_c",
        "world.latitude_span_c",
        "world.wind_from_deg",
        "world.rain",
        "world.rain_shadow",
        "world.vegetation",
    ];

    /// Returns this configuration for ground of this size. All keys but [`KEYS_ON_GROUND`](Self::KEYS_ON_GROUND) have
    /// their defaults.
    pub fn on_ground(&self, size: IVec2) -> Self {
        Self {
            kind: WorldKind::Overworld,
            seed: self.seed,
            width: size.x as u32,
            height: size.y as u32,
            cell_size_m: self.cell_size_m,
            region_km: self.region_km,
            river_basin_km2: self.river_basin_km2,
            sea_level_m: self.sea_level_m,
            base_temperature_c: self.base_temperature_c,
            latitude_span_c: self.latitude_span_c,
            wind_from_deg: self.wind_from_deg,
            rain: self.rain,
            rain_shadow: self.rain_shadow,
            vegetation: self.vegetation,
            ..Self::default()
        }
    }
}

/// Returns the ground with every gap filled from the nearest measured cell by Manhattan distance.
pub(super) fn fill_gaps(ground: &Grid<f32>) -> Grid<f32> {
    let mut filled = ground.clone();
    let is_next_to_gap =
        |cell: IVec2| EDGE_NEIGHBOURS.iter().any(|&step| ground.get(cell + step).is_some_and(|v| v.is_nan()));
    let mut queue: VecDeque<IVec2> =
        ground.iter().filter(|&(cell, v)| !v.is_nan() && is_next_to_gap(cell)).map(|(cell, _)| cell).collect();
    while let Some(cell) = queue.pop_front() {
        for step in EDGE_NEIGHBOURS {
            let height = filled[cell];
            if let Some(next) = filled.get_mut(cell + step).filter(|next| next.is_nan()) {
                *next = height;
                queue.push_back(cell + step);
            }
        }
    }
    filled
}

/// Returns the sea: ground not above its level that is connected to the edge of the map or to a gap by steps along the
/// axes. Other depressions of any depth are dry, such as polders and the Dead Sea. Without a level there is no sea.
pub(super) fn find_sea(ground: &Grid<f32>, filled: &Grid<f32>, level_m: Option<f64>) -> Grid<bool> {
    let (width, height) = (ground.width(), ground.height());
    let Some(level_m) = level_m.map(|level| level as f32) else { return Grid::new(width, height, false) };
    let (measured, filled) = (ground.as_slice(), filled.as_slice());
    let mut sea = Grid::new(width, height, false);
    let mut part = Vec::new();
    for start in 0..measured.len() {
        let from_outside = measured[start].is_nan() || is_at_edge(start % width, start / width, width, height);
        if from_outside && filled[start] <= level_m && !sea.as_slice()[start] {
            flood_fill(start, [width, height], sea.as_mut_slice(), &mut part, |_, direction, to| {
                !is_diagonal(direction) && filled[to] <= level_m
            });
        }
    }
    sea
}

/// The maximum height or depth of given ground, above any on Earth.
pub(super) const MAX_ELEVATION_M: f32 = 20_000.0;

/// The treatment of NaN cells, which are nodata.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NoData {
    Allowed,
    Rejected,
}

/// Returns `config` with the size of `grid`, checked.
pub(super) fn with_size_of(grid: &Grid<f32>, config: &WorldConfig) -> Result<WorldConfig, WorldError> {
    let (width, height) = (grid.width() as u64, grid.height() as u64);
    let (Ok(w), Ok(h)) = (u32::try_from(width), u32::try_from(height)) else {
        return Err(WorldError::Size { width, height, limit: WorldConfig::MAX_SIDE });
    };
    let config = WorldConfig { width: w, height: h, ..config.clone() };
    config.check()?;
    check_memory(w, h, BYTES_PER_GIVEN_CELL)?;
    Ok(config)
}

pub(super) fn check_elevation(elevation: &Grid<f32>, no_data: NoData) -> Result<(), WorldError> {
    let is_valid = |value: f32| value.abs() <= MAX_ELEVATION_M;
    check_values("elevation", elevation, no_data, is_valid, "-20000 to 20000 m")
}

/// Checks a field of values from 0 to 1, which must have the size of the elevation.
pub(super) fn check_shares(
    field: &'static str,
    grid: &Grid<f32>,
    elevation: &Grid<f32>,
    no_data: NoData,
) -> Result<(), WorldError> {
    if grid.size() != elevation.size() {
        return Err(WorldError::Shape { field, size: grid.size(), expected: elevation.size() });
    }
    check_values(field, grid, no_data, |value| (0.0..=1.0).contains(&value), "0 to 1")
}

/// The number of values that a thread checks at a time.
const CHECKED_TOGETHER: usize = 1 << 14;

fn check_values(
    field: &'static str,
    grid: &Grid<f32>,
    no_data: NoData,
    is_valid: impl Fn(f32) -> bool + Sync,
    range: &'static str,
) -> Result<(), WorldError> {
    let accepts = |value: f32| is_valid(value) || (value.is_nan() && no_data == NoData::Allowed);
    let is_accepted = |values: &[f32]| values.iter().all(|value| accepts(*value));
    if grid.as_slice().par_chunks(CHECKED_TOGETHER).all(is_accepted) {
        return Ok(());
    }
    match grid.iter().find(|&(_, &value)| !accepts(value)) {
        None => Ok(()),
        Some((cell, &value)) => Err(WorldError::Value { field, cell, value, range }),
    }
}

/// The part of a raster that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RasterWindow {
    /// The cells of the window.
    pub cells: CellRect,
    /// Columns and rows of the whole raster.
    pub raster_size: IVec2,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_DATA: f32 = f32::NAN;

    #[test]
    fn gaps_are_filled_from_the_nearest_measured_cell() {
        let ground = Grid::from_vec(5, 1, vec![NO_DATA, 3.0, NO_DATA, NO_DATA, 8.0]).unwrap();
        assert_eq!(fill_gaps(&ground).as_slice(), [3.0, 3.0, 3.0, 8.0, 8.0]);
    }

    #[test]
    fn sea_comes_in_from_the_edge_and_polders_stay_dry() {
        let rows = [
            [-2.0, 1.0, 5.0, 5.0, 5.0],
            [0.0, 0.5, 2.0, -4.0, 5.0], // a polder behind a dike
            [-1.0, -3.0, 2.0, 2.0, 5.0],
            [1.0, 1.0, 2.0, NO_DATA, -1.0],
        ];
        let ground = Grid::from_vec(5, 4, rows.concat()).unwrap();
        let filled = fill_gaps(&ground);
        let drawn = |level| {
            let sea = find_sea(&ground, &filled, level);
            (0..4).map(|y| sea.row(y).iter().map(|&sea| if sea { '~' } else { '.' }).collect()).collect::<Vec<String>>()
        };
        assert_eq!(drawn(Some(0.0)), ["~....", "~....", "~~...", "....~"]);
        assert_eq!(drawn(Some(-20.0)), ["....."; 4]);
        assert_eq!(drawn(None), ["....."; 4]);
        assert_eq!(drawn(Some(2.0)), ["~~...", "~~~~.", "~~~~.", "~~~~~"]);
    }
}
