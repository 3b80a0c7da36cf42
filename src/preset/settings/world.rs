//! The settings of `[world]`.

use crate::preset::{Setting, SettingKind};
use crate::world::{DungeonConfig, WorldConfig};

const SHARE: [f64; 2] = [0.0, 1.0];

pub(super) const SETTINGS: &[Setting] = &[
    Setting::choice("world.kind", &["overworld", "dungeon"])
        .help("The kind of world. overworld: open country with sea, hills and climate; dungeon: rooms and corridors."),
    Setting::new(
        "world.seed",
        SettingKind::Integer {
            min: *WorldConfig::SEED.start() as i64,
            max: *WorldConfig::SEED.end() as i64,
            slider_range: [0, 9999],
        },
        "The number that selects the world. Every other number gives another world.",
    ),
    Setting::integer("world.width", "cells", WorldConfig::SIDES, [64, 1024])
        .help("Columns of the map. Raise it for a wider map; features keep their size."),
    Setting::integer("world.height", "cells", WorldConfig::SIDES, [64, 1024])
        .help("Rows of the map. Raise it for a taller map; features keep their size."),
    Setting::logarithmic("world.cell_size_m", "m", WorldConfig::CELL_SIZE_M, [20.0, 500.0])
        .help("Side of a cell. Features keep their size in km: raise it to show more land in less detail."),
    Setting::number("world.land", "", WorldConfig::SHARE, SHARE)
        .help("Share of the map above sea level. Raise it for more land."),
    Setting::logarithmic("world.region_km", "km", WorldConfig::REGION_KM, [5.0, 200.0])
        .help("Distance between the middles of neighbouring landmasses. Raise it for fewer and larger islands."),
    Setting::number("world.coast_roughness", "", WorldConfig::SHARE, SHARE)
        .help("How ragged coasts are. Raise it for more bays and islets."),
    Setting::number("world.hill_height_m", "m", WorldConfig::HILL_HEIGHT_M, [0.0, 1000.0])
        .help("Height of the hills between mountain ranges. Raise it for less lowland."),
    Setting::number("world.mountain_height_m", "m", WorldConfig::MOUNTAIN_HEIGHT_M, [0.0, 5000.0])
        .help("Height of mountain ranges above the hills. Raise it for higher peaks."),
    Setting::number("world.mountains", "", WorldConfig::SHARE, SHARE)
        .help("Share of the land in mountain ranges. Raise it for wider ranges."),
    Setting::number("world.roughness", "", WorldConfig::SHARE, SHARE)
        .help("How uneven the ground is. Raise it for more knolls and crags."),
    Setting::number("world.erosion", "", WorldConfig::SHARE, SHARE)
        .help("How deeply water has cut into the land. Raise it for wider and lower valleys."),
    Setting::logarithmic("world.sea_depth_m", "m", WorldConfig::SEA_DEPTH_M, [50.0, 5000.0])
        .help("Depth of the open sea. Raise it for steeper shores under water."),
    Setting::number("world.sea_level_m", "m", WorldConfig::SEA_LEVEL_M, [-100.0, 100.0])
        .help("Sea level on a heightmap. Ground up to this height that connects to the edge of the map is sea."),
    Setting::logarithmic("world.river_basin_km2", "km²", WorldConfig::RIVER_BASIN_KM2, [1.0, 200.0])
        .help("Land that must drain through a cell to make it a river. Raise it for fewer rivers."),
    Setting::number("world.lakes", "", WorldConfig::SHARE, SHARE)
        .help("How much of the land sags into lakes. Raise it for more and larger lakes."),
    Setting::number("world.base_temperature_c", "°C", WorldConfig::TEMPERATURE_C, [-15.0, 32.0])
        .help("Mean temperature at sea level in the middle of the map. Raise it for a warmer climate."),
    Setting::number("world.latitude_span_c", "°C", WorldConfig::TEMPERATURE_C, [-20.0, 20.0])
        .help("How much warmer the bottom edge of the map is than the top edge. Raise it for a stronger contrast."),
    Setting::number("world.wind_from_deg", "°", WorldConfig::WIND_FROM_DEG, [0.0, 360.0])
        .help("Direction the wind comes from, clockwise from the top: 270 is a west wind. The lee of ranges is dry."),
    Setting::number("world.rain", "", WorldConfig::RAIN, [0.0, 2.5])
        .help("How wet the air is. Raise it for a more humid climate."),
    Setting::number("world.rain_shadow", "", WorldConfig::UP_TO_TWO, [0.0, 2.0])
        .help("How strongly ranges dry the air that crosses them. Raise it for a drier lee."),
    Setting::number("world.vegetation", "", WorldConfig::UP_TO_TWO, [0.0, 2.0])
        .help("How readily plants grow. Raise it for denser woods."),
    Setting::integer("world.room_min", "cells", DungeonConfig::ROOM_SIDES, [3, 12])
        .help("Smallest side of a room, without walls. Raise it for fewer and larger rooms. Only used by dungeons."),
    Setting::integer("world.room_max", "cells", DungeonConfig::ROOM_SIDES, [6, 40])
        .help("Greatest side of a room, at least room_min. Raise it for larger rooms. Only used by dungeons."),
    Setting::number("world.loops", "", DungeonConfig::LOOPS, SHARE)
        .help("How often parts are joined by a second corridor. Raise it for more loops. Only used by dungeons."),
];
