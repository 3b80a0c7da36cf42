//! [`WorldConfig`]: the keys of `[world]`; [`WorldError`]: an error of a world; and the memory of a world, checked
//! before it is allocated.

use std::ops::RangeInclusive;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::dungeon::DungeonConfig;
use crate::free_memory::bytes_available;
use farsight::Cancelled;
use farsight::sight::OutOfRange;
use farsight::{named_enum, setters};

/// The configuration of a world. Features have sizes in kilometres: smaller cells show the same kind of land in more
/// detail, and a larger map shows more of it.
///
/// The default is a temperate region of 512 × 512 cells of 100 m.
///
/// ```
/// use farsight::Job;
/// use farsight_scene::world::{World, WorldConfig};
/// let islands = WorldConfig::default().with_seed(5).with_width(80).with_height(60).with_land(0.2);
/// let world = World::generate(&islands, Job::none())?;
/// let sea = world.elevation_m().as_slice().iter().filter(|elevation| **elevation < 0.0).count();
/// assert!(sea > 80 * 60 / 2);
/// assert!(islands.with_land(1.5).check().is_err());
/// # Ok::<(), farsight_scene::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct WorldConfig {
    /// Open country or a dungeon, which uses only seed, size and the keys of rooms.
    pub kind: WorldKind,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Side of a cell in metres.
    pub cell_size_m: f64,
    /// Fraction of the map above the sea, 0 to 1.
    pub land: f64,
    /// Spacing of the centres of neighbouring landmasses in kilometres.
    pub region_km: f64,
    /// Raggedness of coasts, 0 to 1.
    pub coast_roughness: f64,
    /// Height of the hills between the mountain ranges in metres.
    pub hill_height_m: f64,
    /// Height of the mountain ranges in metres.
    pub mountain_height_m: f64,
    /// Fraction of the land in mountain ranges, 0 to 1.
    pub mountains: f64,
    /// Roughness of the ground, 0 to 1.
    pub roughness: f64,
    /// Depth of the valleys cut by rivers, 0 to 1.
    pub erosion: f64,
    /// Depth of the open sea in metres.
    pub sea_depth_m: f64,
    /// Level of the sea around measured ground in metres. `None`: measured ground of any height is land. The sea of
    /// generated worlds is at 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sea_level_m: Option<f64>,
    /// Minimum drainage area of a river cell, in square kilometres.
    pub river_basin_km2: f64,
    /// Amount of lakes, 0 to 1.
    pub lakes: f64,
    /// Mean temperature at sea level in the middle of the map in °C.
    pub base_temperature_c: f64,
    /// Temperature difference from the top edge to the bottom edge in °C; positive if the bottom is warmer.
    pub latitude_span_c: f64,
    /// Direction from which the wind blows in degrees, clockwise from the top: 270 is a west wind.
    pub wind_from_deg: f64,
    /// Wetness of the air: 1 for sea air, 0 for dry air.
    pub rain: f64,
    /// Strength of the rain shadow behind mountain ranges, 0 to 2.
    pub rain_shadow: f64,
    /// Density of plants: 1 for that of the climate, 0 for bare ground.
    pub vegetation: f64,
    /// Minimum side of a room of a dungeon, in cells, without its walls.
    pub room_min: u32,
    /// Maximum side of a room of a dungeon, in cells, without its walls.
    pub room_max: u32,
    /// Probability that a second corridor connects two parts of a dungeon, 0 to 1.
    pub loops: f64,
}

named_enum! {
    /// The kind of a world.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum WorldKind: "kind of world" {
        /// Open country: sea, mountains, rivers, climate, woods.
        #[default]
        Overworld = "overworld",
        /// Rooms and corridors.
        Dungeon = "dungeon",
    }
}

impl Default for WorldConfig {
    fn default() -> Self {
        Self {
            kind: WorldKind::Overworld,
            seed: 1,
            width: 512,
            height: 512,
            cell_size_m: 100.0,
            land: 0.6,
            region_km: 40.0,
            coast_roughness: 0.5,
            hill_height_m: 250.0,
            mountain_height_m: 2200.0,
            mountains: 0.3,
            roughness: 0.5,
            erosion: 0.5,
            sea_depth_m: 400.0,
            sea_level_m: None,
            river_basin_km2: 10.0,
            lakes: 0.4,
            base_temperature_c: 12.0,
            latitude_span_c: 5.0,
            wind_from_deg: 260.0,
            rain: 1.0,
            rain_shadow: 1.0,
            vegetation: 1.0,
            room_min: 6,
            room_max: 18,
            loops: 0.25,
        }
    }
}

impl WorldConfig {
    /// The maximum side of a world, in cells.
    pub const MAX_SIDE: u32 = 16384;

    pub(crate) const SIDES: RangeInclusive<u32> = 1..=Self::MAX_SIDE;

    // The valid ranges of the other numbers. `SHARE` is that of all shares.
    pub(crate) const SHARE: RangeInclusive<f64> = 0.0..=1.0;
    pub(crate) const UP_TO_TWO: RangeInclusive<f64> = 0.0..=2.0;
    pub(crate) const CELL_SIZE_M: RangeInclusive<f64> = 0.1..=10_000.0;
    pub(crate) const REGION_KM: RangeInclusive<f64> = 0.5..=10_000.0;
    pub(crate) const HILL_HEIGHT_M: RangeInclusive<f64> = 0.0..=3000.0;
    pub(crate) const MOUNTAIN_HEIGHT_M: RangeInclusive<f64> = 0.0..=9000.0;
    pub(crate) const SEA_DEPTH_M: RangeInclusive<f64> = 1.0..=11_000.0;
    pub(crate) const SEA_LEVEL_M: RangeInclusive<f64> = -20_000.0..=20_000.0;
    pub(crate) const RIVER_BASIN_KM2: RangeInclusive<f64> = 0.001..=1e9;
    pub(crate) const TEMPERATURE_C: RangeInclusive<f64> = -60.0..=60.0;
    pub(crate) const WIND_FROM_DEG: RangeInclusive<f64> = 0.0..=360.0;
    pub(crate) const RAIN: RangeInclusive<f64> = 0.0..=4.0;

    setters! {
        with_kind(kind: WorldKind), with_seed(seed: u64), with_width(width: u32), with_height(height: u32),
        with_cell_size_m(cell_size_m: f64), with_land(land: f64), with_region_km(region_km: f64),
        with_coast_roughness(coast_roughness: f64), with_hill_height_m(hill_height_m: f64),
        with_mountain_height_m(mountain_height_m: f64), with_mountains(mountains: f64), with_roughness(roughness: f64),
        with_erosion(erosion: f64), with_sea_depth_m(sea_depth_m: f64),
        with_sea_level_m(sea_level_m: impl Into<Option<f64>>),
        with_river_basin_km2(river_basin_km2: f64), with_lakes(lakes: f64),
        with_base_temperature_c(base_temperature_c: f64), with_latitude_span_c(latitude_span_c: f64),
        with_wind_from_deg(wind_from_deg: f64), with_rain(rain: f64), with_rain_shadow(rain_shadow: f64),
        with_vegetation(vegetation: f64), with_room_min(room_min: u32), with_room_max(room_max: u32),
        with_loops(loops: f64),
    }

    /// Returns the configuration of a dungeon of this seed, size and rooms.
    pub fn dungeon(&self) -> DungeonConfig {
        DungeonConfig {
            seed: (self.seed ^ (self.seed >> 32)) as u32,
            width: self.width,
            height: self.height,
            room_min: self.room_min,
            room_max: self.room_max,
            loops: self.loops,
        }
    }

    /// Returns the reference level of heights over the sea, in metres; 0 for `None`.
    pub(crate) fn sea_level(&self) -> f64 {
        self.sea_level_m.unwrap_or(0.0)
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Checks size and ranges, and that enough memory is free.
    ///
    /// # Errors
    /// [`WorldError::Size`], [`WorldError::OutOfRange`], [`WorldError::Memory`].
    pub fn check(&self) -> Result<(), WorldError> {
        if !Self::SIDES.contains(&self.width) || !Self::SIDES.contains(&self.height) {
            let (width, height) = (self.width.into(), self.height.into());
            return Err(WorldError::Size { width, height, limit: Self::MAX_SIDE });
        }
        let numbers = [
            ("cell_size_m", self.cell_size_m, Self::CELL_SIZE_M),
            ("land", self.land, Self::SHARE),
            ("region_km", self.region_km, Self::REGION_KM),
            ("coast_roughness", self.coast_roughness, Self::SHARE),
            ("hill_height_m", self.hill_height_m, Self::HILL_HEIGHT_M),
            ("mountain_height_m", self.mountain_height_m, Self::MOUNTAIN_HEIGHT_M),
            ("mountains", self.mountains, Self::SHARE),
            ("roughness", self.roughness, Self::SHARE),
            ("erosion", self.erosion, Self::SHARE),
            ("sea_depth_m", self.sea_depth_m, Self::SEA_DEPTH_M),
            ("sea_level_m", self.sea_level(), Self::SEA_LEVEL_M),
            ("river_basin_km2", self.river_basin_km2, Self::RIVER_BASIN_KM2),
            ("lakes", self.lakes, Self::SHARE),
            ("base_temperature_c", self.base_temperature_c, Self::TEMPERATURE_C),
            ("latitude_span_c", self.latitude_span_c, Self::TEMPERATURE_C),
            ("wind_from_deg", self.wind_from_deg, Self::WIND_FROM_DEG),
            ("rain", self.rain, Self::RAIN),
            ("rain_shadow", self.rain_shadow, Self::UP_TO_TWO),
            ("vegetation", self.vegetation, Self::UP_TO_TWO),
            ("loops", self.loops, DungeonConfig::LOOPS),
        ];
        for (name, value, range) in numbers {
            OutOfRange::check(name, value, range)?;
        }
        check_memory(self.width, self.height, BYTES_PER_CELL)
    }
}

/// An error of a world.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A side is 0 or too large.
    #[error("a world of {width}x{height} cells cannot be made: expected sides of 1 to {limit} cells")]
    Size {
        /// The requested number of columns.
        width: u64,
        /// The requested number of rows.
        height: u64,
        /// The maximum side.
        limit: u32,
    },
    /// A number of the configuration is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The world does not fit into the free memory.
    #[error(
        "a world of {width}x{height} cells needs {} MiB of memory and {} MiB are free; make it smaller",
        needed.div_ceil(1 << 20), available >> 20
    )]
    Memory {
        /// The requested number of columns.
        width: u32,
        /// The requested number of rows.
        height: u32,
        /// The peak memory of its generation in bytes.
        needed: u64,
        /// The free memory in bytes.
        available: u64,
    },
    /// A given field differs in size from the elevation.
    #[error(
        "{field}: {}x{} cells is not valid: expected {}x{}, as the elevation", size.x, size.y, expected.x, expected.y
    )]
    Shape {
        /// The name of the field.
        field: &'static str,
        /// Its columns and rows.
        size: IVec2,
        /// Columns and rows of the elevation.
        expected: IVec2,
    },
    /// A value of a given field is out of range.
    #[error("{field} at {},{}: {value} is not valid: expected {range}", cell.x, cell.y)]
    Value {
        /// The name of the field.
        field: &'static str,
        /// The cell.
        cell: IVec2,
        /// The given value.
        value: f32,
        /// The range as text, with the unit.
        range: &'static str,
    },
    /// All cells of the measured ground are nodata.
    #[error("no cell of the map has an elevation")]
    NoData,
    /// The [`Job`](farsight::Job) was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The maximum bytes per cell during the generation of a world. The default takes 38; a world of only the finest level,
/// with large cells, takes the maximum.
pub(super) const BYTES_PER_CELL: u64 = 48;

/// The maximum bytes per cell of given ground, in which every cell can be a pit.
pub(super) const BYTES_PER_GIVEN_CELL: u64 = 128;

/// The fixed memory of a world in bytes.
const BASE_BYTES: u64 = 1 << 20;

/// Returns the maximum memory in bytes during the generation of a world of this many cells.
pub(super) fn bytes_needed(width: u32, height: u32, bytes_per_cell: u64) -> u64 {
    BASE_BYTES + u64::from(width) * u64::from(height) * bytes_per_cell
}

pub(super) fn check_memory(width: u32, height: u32, bytes_per_cell: u64) -> Result<(), WorldError> {
    check_against(width, height, bytes_per_cell, bytes_available())
}

fn check_against(width: u32, height: u32, bytes_per_cell: u64, available: u64) -> Result<(), WorldError> {
    let needed = bytes_needed(width, height, bytes_per_cell);
    if needed > available {
        return Err(WorldError::Memory { width, height, needed, available });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_larger_than_the_free_memory_is_an_error() {
        let error = check_against(16384, 16384, BYTES_PER_CELL, 1 << 30).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a world of 16384x16384 cells needs 12289 MiB of memory and 1024 MiB are free; make it smaller"
        );
        assert!(check_against(16384, 16384, BYTES_PER_CELL, 64 << 30).is_ok());
    }
}
