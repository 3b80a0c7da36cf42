//! [`WorldConfig`]: the keys of `[world]`.

use serde::{Deserialize, Serialize};

use super::dungeon::DungeonConfig;
use super::error::WorldError;
use super::memory_budget::{BYTES_PER_CELL, check_memory};
use crate::setting::{Setting, SettingKind};

/// The configuration of a world. Features have sizes in kilometres: smaller cells show the same kind of land in more
/// detail, and a larger map shows more of it.
///
/// The default is a temperate region of 512 × 512 cells of 100 m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorldConfig {
    /// Open country, or a dungeon, for which only seed, size and the keys of rooms count.
    pub kind: WorldKind,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Side of a cell in metres.
    pub cell_size_m: f64,
    /// Share of the map above the sea, 0 to 1.
    pub land: f64,
    /// Distance between the centres of neighbouring landmasses in kilometres.
    pub region_km: f64,
    /// Raggedness of coasts, 0 to 1.
    pub coast_roughness: f64,
    /// Height of the hills between the mountain ranges in metres.
    pub hill_height_m: f64,
    /// Height of the mountain ranges in metres.
    pub mountain_height_m: f64,
    /// Share of the land in mountain ranges, 0 to 1.
    pub mountains: f64,
    /// Roughness of the ground, 0 to 1.
    pub roughness: f64,
    /// Depth of the valleys that rivers have cut, 0 to 1.
    pub erosion: f64,
    /// Depth of the open sea in metres.
    pub sea_depth_m: f64,
    /// Level of the sea around measured ground in metres; that of generated worlds is 0.
    pub sea_level_m: f64,
    /// Drainage area from which a cell is a river, in square kilometres.
    pub river_basin_km2: f64,
    /// Amount of lakes, 0 to 1.
    pub lakes: f64,
    /// Mean temperature at sea level in the middle of the map in °C.
    pub base_temperature_c: f64,
    /// Temperature difference from the top edge to the bottom edge in °C; positive if the bottom is warmer.
    pub latitude_span_c: f64,
    /// Direction from which the wind blows in degrees, clockwise from the top: 270 is a west wind.
    pub wind_from_deg: f64,
    /// Wetness of the air: 1 as over the sea, 0 completely dry.
    pub rain: f64,
    /// Strength of the rain shadow behind mountain ranges, 0 to 2.
    pub rain_shadow: f64,
    /// Density of plants: 1 as the climate gives it, 0 bare.
    pub vegetation: f64,
    /// Least side of a room of a dungeon, in cells, without its walls.
    pub room_min: u32,
    /// Greatest side of a room of a dungeon, in cells, without its walls.
    pub room_max: u32,
    /// Probability that a second corridor connects two parts of a dungeon, 0 to 1.
    pub loops: f64,
}

/// The kind of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorldKind {
    /// Open country: sea, mountains, rivers, climate, woods.
    #[default]
    Overworld,
    /// Rooms and corridors.
    Dungeon,
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
            sea_level_m: 0.0,
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

const fn number(
    key: &'static str,
    unit: &'static str,
    [min, max]: [f64; 2],
    slider_range: [f64; 2],
    help: &'static str,
) -> Setting {
    Setting { key, unit, kind: SettingKind::Number { min, max, slider_range, log: false }, help }
}

const fn ratio(
    key: &'static str,
    unit: &'static str,
    [min, max]: [f64; 2],
    slider_range: [f64; 2],
    help: &'static str,
) -> Setting {
    Setting { key, unit, kind: SettingKind::Number { min, max, slider_range, log: true }, help }
}

const fn whole(
    key: &'static str,
    unit: &'static str,
    [min, max]: [i64; 2],
    slider_range: [i64; 2],
    help: &'static str,
) -> Setting {
    Setting { key, unit, kind: SettingKind::Integer { min, max, slider_range }, help }
}

const SHARE: [f64; 2] = [0.0, 1.0];

impl WorldConfig {
    /// The greatest side of a world, in cells.
    pub const MAX_SIDE: u32 = 16384;

    /// The settings of `[world]`.
    pub const SETTINGS: &'static [Setting] = &[
        Setting {
            key: "world.kind",
            unit: "",
            kind: SettingKind::Choice(&["overworld", "dungeon"]),
            help: "Open country, or rooms and corridors.",
        },
        whole("world.seed", "", [0, i64::MAX], [0, 9999], "Which of all worlds. Any other number is another place."),
        whole("world.width", "cells", [1, 16384], [64, 1024], "Columns of the map."),
        whole("world.height", "cells", [1, 16384], [64, 1024], "Rows of the map."),
        ratio(
            "world.cell_size_m",
            "m",
            [0.1, 10_000.0],
            [20.0, 500.0],
            "Side of a cell. Features keep their size in km: smaller cells show less land in more detail.",
        ),
        number("world.land", "", SHARE, SHARE, "Share of the map above the sea. More lowers the sea."),
        ratio(
            "world.region_km",
            "km",
            [0.5, 10_000.0],
            [5.0, 200.0],
            "Distance between neighbouring landmasses. Less gives more and smaller islands.",
        ),
        number("world.coast_roughness", "", SHARE, SHARE, "How ragged coasts are. More gives more bays and islets."),
        number(
            "world.hill_height_m",
            "m",
            [0.0, 3000.0],
            [0.0, 1000.0],
            "Height of the hills between the ranges. More gives less lowland.",
        ),
        number("world.mountain_height_m", "m", [0.0, 9000.0], [0.0, 5000.0], "Height of the ranges over the hills."),
        number("world.mountains", "", SHARE, SHARE, "Share of the land in ranges. More makes them wider."),
        number("world.roughness", "", SHARE, SHARE, "How broken the ground is. More gives more knolls and crags."),
        number("world.erosion", "", SHARE, SHARE, "How deeply water has cut. More gives wider, lower valleys."),
        ratio("world.sea_depth_m", "m", [1.0, 11_000.0], [50.0, 5000.0], "Depth of the open sea."),
        number(
            "world.sea_level_m",
            "m",
            [-20_000.0, 20_000.0],
            [-100.0, 100.0],
            "Level of the sea around given ground: what is no higher and joins the edge of the map is sea.",
        ),
        ratio(
            "world.river_basin_km2",
            "km²",
            [0.001, 1e9],
            [1.0, 200.0],
            "Land that must drain through a cell to make it a river. More leaves fewer rivers.",
        ),
        number(
            "world.lakes",
            "",
            SHARE,
            SHARE,
            "How much of the land sags into lakes. More gives more and larger ones.",
        ),
        number(
            "world.base_temperature_c",
            "°C",
            [-60.0, 60.0],
            [-15.0, 32.0],
            "Mean temperature at sea level in the middle of the map.",
        ),
        number(
            "world.latitude_span_c",
            "°C",
            [-60.0, 60.0],
            [-20.0, 20.0],
            "How much warmer the bottom edge is than the top edge.",
        ),
        number(
            "world.wind_from_deg",
            "°",
            [0.0, 360.0],
            [0.0, 360.0],
            "Where the wind comes from, clockwise from the top: 270 is a west wind. The far side of ranges is dry.",
        ),
        number("world.rain", "", [0.0, 4.0], [0.0, 2.5], "How wet the air is. More makes everything moister."),
        number(
            "world.rain_shadow",
            "",
            [0.0, 2.0],
            [0.0, 2.0],
            "How strongly ranges dry the air that crosses them. More makes the lee drier.",
        ),
        number("world.vegetation", "", [0.0, 2.0], [0.0, 2.0], "How readily plants grow. More thickens the woods."),
        whole(
            "world.room_min",
            "cells",
            [2, 256],
            [3, 12],
            "Least side of a room (dungeon). More makes rooms fewer and larger.",
        ),
        whole("world.room_max", "cells", [2, 256], [6, 40], "Greatest side of a room (dungeon); at least room_min."),
        number(
            "world.loops",
            "",
            SHARE,
            SHARE,
            "How often parts are joined twice (dungeon). More gives more ways round.",
        ),
    ];

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

    /// Returns the number of cells.
    pub fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Checks size and ranges, and that enough memory is free.
    ///
    /// # Errors
    /// [`WorldError::Size`], [`WorldError::OutOfRange`], [`WorldError::Memory`].
    pub fn check(&self) -> Result<(), WorldError> {
        let sides = 1..=Self::MAX_SIDE;
        if !sides.contains(&self.width) || !sides.contains(&self.height) {
            let (width, height) = (self.width.into(), self.height.into());
            return Err(WorldError::Size { width, height, limit: Self::MAX_SIDE });
        }
        let out_of_range = |setting: &Setting, value: String| {
            let range = format!("{} {}", setting.range(), setting.unit).trim_end().to_owned();
            WorldError::OutOfRange { key: setting.key, value, range }
        };
        // TOML has no integers above `i64::MAX`.
        let values = toml::Table::try_from(self).map_err(|_| {
            let seed = Self::SETTINGS.iter().find(|setting| setting.name() == "seed").expect("world has a seed");
            out_of_range(seed, self.seed.to_string())
        })?;
        for setting in Self::SETTINGS {
            if let (SettingKind::Number { min, max, .. }, Some(value)) =
                (setting.kind, values.get(setting.name()).and_then(toml::Value::as_float))
                && !(min..=max).contains(&value)
            {
                return Err(out_of_range(setting, value.to_string()));
            }
        }
        check_memory(self.width, self.height, BYTES_PER_CELL)
    }
}
