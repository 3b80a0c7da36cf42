//! What a world looks like: [`WorldConfig`] and its settings.

use serde::{Deserialize, Serialize};

use super::dungeon::DungeonConfig;
use super::error::WorldError;
use crate::setting::{Setting, SettingKind};
use crate::world::memory;

/// What a world looks like. Features have sizes in kilometres, so that smaller cells show the same
/// kind of land in more detail, and a wider map shows more of it.
///
/// The default is a temperate region of 512 × 512 cells of 100 m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorldConfig {
    /// Open country, or a dungeon, which asks for seed, size and rooms only.
    pub kind: WorldKind,
    /// Which of all worlds.
    pub seed: u64,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Side of a cell in metres.
    pub cell_size_m: f64,
    /// Share of the map that lies above the sea, 0 to 1.
    pub land: f64,
    /// Distance between the middles of neighbouring landmasses in kilometres.
    pub region_km: f64,
    /// How ragged coasts are, 0 to 1.
    pub coast_roughness: f64,
    /// Height of the hills between the ranges in metres.
    pub hill_height_m: f64,
    /// Height of the ranges in metres.
    pub mountain_height_m: f64,
    /// Share of the land that lies in ranges, 0 to 1.
    pub mountains: f64,
    /// How broken the ground is, 0 to 1.
    pub roughness: f64,
    /// How deeply water has cut its valleys, 0 to 1.
    pub erosion: f64,
    /// Depth of the open sea in metres.
    pub sea_depth_m: f64,
    /// Level of the sea around given ground in metres; generated worlds have theirs at 0.
    pub sea_level_m: f64,
    /// Land that must drain through a cell to make it a river, in square kilometres.
    pub river_basin_km2: f64,
    /// How much of the land sags into lakes, 0 to 1.
    pub lakes: f64,
    /// Mean temperature at sea level in the middle of the map in °C.
    pub base_temperature_c: f64,
    /// How much warmer the bottom edge is than the top edge in °C.
    pub latitude_span_c: f64,
    /// Where the wind comes from in degrees, clockwise from the top: 270 is a west wind.
    pub wind_from_deg: f64,
    /// How wet the air is: 1 as it comes off the sea, 0 bone dry.
    pub rain: f64,
    /// How strongly ranges dry the air that crosses them, 0 to 2.
    pub rain_shadow: f64,
    /// How readily plants grow: 1 as the climate has it, 0 bare.
    pub vegetation: f64,
    /// Least side of a room of a dungeon, in cells, without its walls.
    pub room_min: u32,
    /// Greatest side of a room of a dungeon, in cells, without its walls.
    pub room_max: u32,
    /// How often parts of a dungeon are joined by a second corridor, 0 to 1.
    pub loops: f64,
}

/// What kind of world is made.
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
    /// The longest side of a world, in cells.
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

    /// What a dungeon of this seed, size and rooms is made from.
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

    /// Number of cells.
    pub fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// The value of a setting as a number.
    fn value(&self, name: &str) -> Option<f64> {
        Some(match name {
            "cell_size_m" => self.cell_size_m,
            "land" => self.land,
            "region_km" => self.region_km,
            "coast_roughness" => self.coast_roughness,
            "hill_height_m" => self.hill_height_m,
            "mountain_height_m" => self.mountain_height_m,
            "mountains" => self.mountains,
            "roughness" => self.roughness,
            "erosion" => self.erosion,
            "sea_depth_m" => self.sea_depth_m,
            "sea_level_m" => self.sea_level_m,
            "river_basin_km2" => self.river_basin_km2,
            "lakes" => self.lakes,
            "base_temperature_c" => self.base_temperature_c,
            "latitude_span_c" => self.latitude_span_c,
            "wind_from_deg" => self.wind_from_deg,
            "rain" => self.rain,
            "rain_shadow" => self.rain_shadow,
            "vegetation" => self.vegetation,
            "loops" => self.loops,
            _ => return None,
        })
    }

    /// Checks size and ranges, and that the memory can be had.
    ///
    /// # Errors
    /// [`WorldError::Size`], [`WorldError::OutOfRange`], [`WorldError::Memory`].
    pub fn check(&self) -> Result<(), WorldError> {
        let sides = 1..=Self::MAX_SIDE;
        if !sides.contains(&self.width) || !sides.contains(&self.height) {
            let (width, height) = (self.width.into(), self.height.into());
            return Err(WorldError::Size { width, height, limit: Self::MAX_SIDE });
        }
        for setting in Self::SETTINGS {
            let out_of_range = |value: String| {
                let range = format!("{} {}", setting.range(), setting.unit).trim_end().to_owned();
                Err(WorldError::OutOfRange { key: setting.key, value, range })
            };
            if setting.name() == "seed" && i64::try_from(self.seed).is_err() {
                return out_of_range(self.seed.to_string());
            }
            if let (SettingKind::Number { min, max, .. }, Some(value)) = (setting.kind, self.value(setting.name()))
                && !(min..=max).contains(&value)
            {
                return out_of_range(value.to_string());
            }
        }
        memory::check(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_knob_and_the_default_is_in_its_usual_range() {
        let config = WorldConfig::default();
        for setting in WorldConfig::SETTINGS {
            if let SettingKind::Number { slider_range, .. } = setting.kind {
                let value = config.value(setting.name()).unwrap_or_else(|| panic!("{} has no value", setting.key));
                assert!(slider_range[0] <= value && value <= slider_range[1], "{} = {value}", setting.key);
            }
        }
        let keys = toml::to_string(&config).unwrap().lines().count();
        assert_eq!(keys, WorldConfig::SETTINGS.len());
    }

    #[test]
    fn bad_values_name_key_value_and_range() {
        let message = |change: fn(&mut WorldConfig)| {
            let mut config = WorldConfig::default();
            change(&mut config);
            config.check().unwrap_err().to_string()
        };
        assert_eq!(message(|c| c.land = 1.5), "world.land = 1.5 is out of range: it must be 0 to 1");
        assert_eq!(
            message(|c| c.cell_size_m = f64::NAN),
            "world.cell_size_m = NaN is out of range: it must be 0.1 to 10000 m"
        );
        assert_eq!(
            message(|c| c.height = 0),
            "a world of 512x0 cells cannot be made: each side must be from 1 to 16384"
        );
        assert!(message(|c| c.seed = u64::MAX).starts_with("world.seed = 18446744073709551615 is out of range"));
    }
}
