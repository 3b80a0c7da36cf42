//! All settings, in the order of a written preset.

use std::ops::RangeInclusive;

use super::shipped::NONE_OR_SHIPPED;
use crate::creatures::Species;
use crate::optics::Relief;
use crate::preset::{Condition, DecayKind, Look, Ramp, Setting, SettingKind, SettingList};
use crate::world::{Brush, DungeonConfig, Stroke, WorldConfig, WorldKind};
use farsight::light::{ClockConfig, Falloff, Flicker, Lamp};
use farsight::sight::{Decay, Method, MethodKind, PathRule, RadiusShape, Sector, SightConfig, Weights};

const SHARE: [f64; 2] = [0.0, 1.0];

const LANDSCAPE: &[Condition] = &[Condition::Landscape];
const OVERWORLD: &[Condition] = &[Condition::Overworld];
const CLOCK: &[Condition] = &[Condition::Clock];

const SOFT: &[MethodKind] = &[MethodKind::TwoParent, MethodKind::Beam, MethodKind::Exact];
const BINARY: &[MethodKind] =
    &[MethodKind::SymmetricShadowcast, MethodKind::Shadowcast, MethodKind::RaycastBorder, MethodKind::RaycastCircle];

/// Every key of a preset outside of lists.
pub(super) const SETTINGS: &[Setting] = &[
    Setting::choice("world.kind", WorldKind::WORDS)
        .text("The kind of world. overworld: open country with sea, hills and climate; dungeon: rooms and corridors."),
    Setting::new("world.seed", SettingKind::Integer { min: 0, max: i64::MAX, slider_range: [0, 9999] })
        .text("The number that selects the world. Every other number gives another world."),
    Setting::integer("world.width", "cells", WorldConfig::SIDES, [64, 1024])
        .text("Columns of the map. Raise it for a wider map; features keep their size."),
    Setting::integer("world.height", "cells", WorldConfig::SIDES, [64, 1024])
        .text("Rows of the map. Raise it for a taller map; features keep their size."),
    Setting::logarithmic("world.cell_size_m", "m", WorldConfig::CELL_SIZE_M, [20.0, 500.0])
        .needs(OVERWORLD)
        .text("Side of a cell. Features keep their size in km: raise it to show more land in less detail."),
    Setting::number("world.land", "", WorldConfig::SHARE, SHARE)
        .needs(OVERWORLD)
        .text("Fraction of the map above sea level. Raise it for more land."),
    Setting::logarithmic("world.region_km", "km", WorldConfig::REGION_KM, [5.0, 200.0])
        .needs(OVERWORLD)
        .text("Distance between the centres of neighbouring landmasses. Raise it for fewer and larger islands."),
    Setting::number("world.coast_roughness", "", WorldConfig::SHARE, SHARE)
        .needs(OVERWORLD)
        .text("Roughness of coasts. Raise it for more bays and islets."),
    Setting::number("world.hill_height_m", "m", WorldConfig::HILL_HEIGHT_M, [0.0, 1000.0])
        .needs(OVERWORLD)
        .text("Height of the hills between mountain ranges. Raise it for less lowland."),
    Setting::number("world.mountain_height_m", "m", WorldConfig::MOUNTAIN_HEIGHT_M, [0.0, 5000.0])
        .needs(OVERWORLD)
        .text("Height of mountain ranges above the hills. Raise it for higher peaks."),
    Setting::number("world.mountains", "", WorldConfig::SHARE, SHARE)
        .needs(OVERWORLD)
        .text("Fraction of the land in mountain ranges. Raise it for wider ranges."),
    Setting::number("world.roughness", "", WorldConfig::SHARE, SHARE)
        .needs(OVERWORLD)
        .text("Roughness of the ground. Raise it for more knolls and crags."),
    Setting::number("world.erosion", "", WorldConfig::SHARE, SHARE)
        .needs(OVERWORLD)
        .text("Strength of erosion by water. Raise it for wider and lower valleys."),
    Setting::logarithmic("world.sea_depth_m", "m", WorldConfig::SEA_DEPTH_M, [50.0, 5000.0])
        .needs(OVERWORLD)
        .text("Depth of the open sea. Raise it for steeper shores under water."),
    Setting::number("world.sea_level_m", "m", WorldConfig::SEA_LEVEL_M, [-100.0, 100.0])
        .optional("no sea")
        .needs(OVERWORLD)
        .text("Sea level on a heightmap. Ground up to this height that connects to the edge of the map is sea."),
    Setting::logarithmic("world.river_basin_km2", "km²", WorldConfig::RIVER_BASIN_KM2, [1.0, 200.0])
        .needs(OVERWORLD)
        .text("Minimum catchment area of a river cell. Raise it for fewer rivers."),
    Setting::number("world.lakes", "", WorldConfig::SHARE, SHARE)
        .needs(OVERWORLD)
        .text("Amount of depressions that fill with lakes. Raise it for more and larger lakes."),
    Setting::number("world.base_temperature_c", "°C", WorldConfig::TEMPERATURE_C, [-15.0, 32.0])
        .needs(OVERWORLD)
        .text("Mean temperature at sea level in the middle of the map. Raise it for a warmer climate."),
    Setting::number("world.latitude_span_c", "°C", WorldConfig::TEMPERATURE_C, [-20.0, 20.0])
        .needs(OVERWORLD)
        .text("Temperature difference between the bottom and the top edge. Raise it for a stronger contrast."),
    Setting::number("world.wind_from_deg", "°", WorldConfig::WIND_FROM_DEG, [0.0, 360.0])
        .needs(OVERWORLD)
        .text("Direction the wind comes from, clockwise from the top: 270 is a west wind. The lee of ranges is dry."),
    Setting::number("world.rain", "", WorldConfig::RAIN, [0.0, 2.5])
        .needs(OVERWORLD)
        .text("Moisture of the air. Raise it for a more humid climate."),
    Setting::number("world.rain_shadow", "", WorldConfig::UP_TO_TWO, [0.0, 2.0])
        .needs(OVERWORLD)
        .text("Strength of the rain shadow of ranges. Raise it for a drier lee."),
    Setting::number("world.vegetation", "", WorldConfig::UP_TO_TWO, [0.0, 2.0])
        .needs(OVERWORLD)
        .text("Growth of plants. Raise it for denser woods."),
    Setting::integer("world.room_min", "cells", DungeonConfig::ROOM_SIDES, [3, 12])
        .needs(&[Condition::Dungeon])
        .text("Minimum side of a room, without walls. Raise it for fewer and larger rooms."),
    Setting::integer("world.room_max", "cells", DungeonConfig::ROOM_SIDES, [6, 40])
        .needs(&[Condition::Dungeon])
        .text("Maximum side of a room, at least room_min. Raise it for larger rooms."),
    Setting::number("world.loops", "", DungeonConfig::LOOPS, SHARE)
        .needs(&[Condition::Dungeon])
        .text("Probability of a second corridor between parts. Raise it for more loops."),
    Setting::logarithmic("optics.visual_range_m", "m", 10.0..=f64::INFINITY, [100.0, 100_000.0])
        .needs(LANDSCAPE)
        .text("Visual range at humidity 0.4. Clear 50000, haze 5000, mist 2000, fog 500. Raise it to see farther."),
    Setting::number("optics.humidity_growth", "", 0.0..=2.0, [0.0, 1.5])
        .needs(LANDSCAPE)
        .text("Growth of haze with humidity, an exponent. Raise it for thicker haze in humid air; 0: even haze."),
    Setting::number("optics.fog_onset", "humidity", 0.0..=1.0, [0.3, 1.0])
        .needs(LANDSCAPE)
        .text("Humidity above which fog forms. Raise it for less fog; 1: no fog."),
    Setting::logarithmic("optics.fog_visual_range_m", "m", 10.0..=f64::INFINITY, [50.0, 20_000.0])
        .needs(LANDSCAPE)
        .text("Visual range in the thickest fog. Raise it for thinner fog; inf: no fog."),
    Setting::number("optics.vegetation_extinction_per_m", "1/m", 0.0..=1.0, [0.0, 0.08])
        .needs(LANDSCAPE)
        .text("Extinction of full vegetation. Savanna 0.002, forest 0.015, jungle 0.06. Raise it for darker woods."),
    Setting::number("optics.canopy_height_m", "m", 0.0..=120.0, [0.0, 60.0])
        .needs(LANDSCAPE)
        .text("Height of full vegetation; half as dense is a quarter as high. Raise it and woods hide more."),
    Setting::choice("optics.relief", Relief::WORDS)
        .needs(LANDSCAPE)
        .text("How ground hides cells. none: never; difference: opaque above the eye; horizon: true lines of sight."),
    Setting::number("optics.relief_softness_m", "m", 0.0..=5000.0, [0.0, 400.0])
        .needs(&[Condition::Landscape, Condition::Relief])
        .text(
            "Metres over which hidden ground fades out: difference, above the eye; horizon, below it. Raise it \
             for softer edges.",
        ),
    Setting::number("optics.eye_height_m", "m", 0.0..=10_000.0, [0.0, 100.0])
        .needs(LANDSCAPE)
        .flag("eye-height", "M", "Height of the eye over its ground. Without it, sky has 0 m, and cumulative the height of the tip")
        .text("Height of the eye above ground. Raise it (a tower, a balloon) to look over woods and hills."),
    Setting::number("optics.target_height_m", "m", 0.0..=10_000.0, [0.0, 100.0])
        .needs(LANDSCAPE)
        .flag("target-height", "M", "Height of targets over their ground")
        .text("Height of targets above their ground (masts, towers). Raise it to see them over woods and hills."),
    Setting::number("optics.curvature_coefficient", "", 0.0..=2.0, [0.0, 1.0])
        .optional("0 (terrain 0.857)")
        .needs(&[Condition::Landscape, Condition::Horizon])
        .text("Curvature of the Earth. 0: flat; 0.85714: with refraction; 1: without."),
    Setting::number("optics.radius_per_100m", "cells", 0.0..=64.0, [0.0, 16.0])
        .needs(LANDSCAPE)
        .text("Growth of the radius for each 100 m above the sea. Raise it to see farther from peaks."),
    Setting::number("optics.light", "", 0.0..=1.0, [0.0, 1.0])
        .text("Ambient light. Raise it to perceive more; 0: black night, 1: full day."),
    Setting::number("optics.lantern", "cells", 0.0..=512.0, [0.0, 32.0])
        .text("Reach of the viewer's lantern. Raise it to light more cells; 0: no lantern."),
    Setting::number("optics.daylight_reach", "cells", 1.0..=256.0, [1.0, 32.0])
        .optional("12")
        .needs(&[Condition::Roofs])
        .text("Reach of daylight through doors and windows under roofs. Raise it for brighter rooms."),
    Setting::integer("sight.radius", "cells", 0..=SightConfig::MAX_RADIUS, [8, 160])
        .text("How far one can see. Raise it to see farther; run time grows with its square."),
    Setting::choice("sight.shape", RadiusShape::WORDS)
        .needs(&[Condition::Method(SOFT)])
        .flag(
            "shape",
            "SHAPE",
            "The shape of the cells within the radius: a circle, a square (king's moves), or a diamond (no diagonal \
             steps)",
        )
        .text(
            "The cells within the radius. circle: by distance; square: king's moves; diamond: steps without \
             diagonals.",
        ),
    Setting::choice("sight.method", MethodKind::WORDS)
        .flag(
            "method",
            "METHOD",
            "The algorithm: two-parent is fast and soft, beam casts true shadows, exact is the slow reference; \
             symmetric-shadowcast gives 0 or 1, the same both ways; shadowcast, raycast-border and raycast-circle are \
             classic ones that give 0 or 1",
        )
        .text(
            "The algorithm. two_parent: fast, soft shadows; beam: true shadows; exact: slow reference; \
             symmetric_shadowcast: binary, you see me if I see you; the others: binary, as in older games.",
        ),
    Setting::choice("sight.weights", Weights::WORDS)
        .needs(&[Condition::Method(&[MethodKind::TwoParent])])
        .flag(
            "weights",
            "WEIGHTS",
            "The weights of a cell's two parents: linear is symmetric on maps, projection is as published",
        )
        .text("How two parents share a cell. linear: symmetric on maps; projection: as published."),
    Setting::choice("sight.path", PathRule::WORDS)
        .flag("path-rule", "RULE", "Apply opacity once per cell, or per cell width along the line of sight")
        .text("How opacity counts. per_cell: once per cell; per_length: per cell width along the line."),
    Setting::logarithmic("sight.beams", "x 12 radius", Method::BEAMS, [0.5, 4.0])
        .needs(&[Condition::Method(&[MethodKind::Beam])])
        .text("Number of beams. Raise it for finer shadows in fog."),
    Setting::integer("sight.samples", "points a side", Method::SAMPLES, [3, 15])
        .needs(&[Condition::Method(&[MethodKind::Exact])])
        .text("Square root of the number of lines to each cell. Raise it for a smaller error."),
    Setting::number("sight.wall_at", "", Method::WALL_AT, [0.1, 1.0])
        .needs(&[Condition::Method(BINARY)])
        .text("Minimum opacity of a wall. Raise it to see through more cells."),
    Setting::integer("sight.rays", "lines", Method::RAYS, [16, 2048])
        .needs(&[Condition::Method(&[MethodKind::RaycastCircle])])
        .flag("rays", "N", "With raycast-circle: cast this many lines")
        .text("Number of lines. Raise it for fewer gaps far away; run time grows with it."),
    Setting::switch("sight.repair")
        .needs(&[Condition::Method(&[MethodKind::RaycastBorder])])
        .flag("no-repair", "", "With raycast-border: leave out the repair of walls that its lines miss")
        .text("Shows the walls behind seen floor, which the lines miss."),
    Setting::choice("sight.decay.kind", DecayKind::WORDS)
        .flag(
            "decay",
            "KIND",
            "The decay of visibility with distance; its parameters are keys of [sight.decay], see --set",
        )
        .text("The formula of the decay of visibility with distance."),
    Setting::logarithmic("sight.decay.reach", "cells", Decay::REACH, [4.0, 256.0])
        .optional("radius + 1")
        .needs(&[Condition::Decay(&[DecayKind::Linear, DecayKind::Smooth, DecayKind::Lamp])])
        .text("Distance at which visibility reaches 0. Raise it to see farther."),
    Setting::logarithmic("sight.decay.half", "cells", Decay::HALF, [2.0, 128.0])
        .optional("half the radius")
        .needs(&[Condition::Decay(&[
            DecayKind::InverseSquare,
            DecayKind::Exponential,
            DecayKind::Lamp,
            DecayKind::Fuzzy,
        ])])
        .text("Distance at which visibility halves. Raise it to see farther."),
    Setting::number("sight.decay.near", "cells", Decay::NEAR, [0.0, 64.0])
        .needs(&[Condition::Decay(&[DecayKind::Fuzzy])])
        .text("Distance without decay. Raise it to see better nearby."),
    Setting::new("sight.decay.points", SettingKind::Points)
        .unit("cells, value")
        .needs(&[Condition::Decay(&[DecayKind::Points])])
        .text("Pairs [distance, value]: distances rise, values fall within 0 to 1."),
    Setting::number("sight.sector.facing", "°", Sector::FACING, [0.0, 360.0])
        .optional("0, north")
        .needs(&[Condition::Cone])
        .text("Direction of view, clockwise from the top: 90 is east."),
    Setting::number("sight.sector.span", "°", Sector::SPAN, [20.0, 360.0])
        .optional("360, all around")
        .text("Angle of the cone of vision. Lower it for a narrower view; 360: all around."),
    Setting::number("perception.identify", "", 0.001..=1.0, [0.01, 1.0])
        .text("Minimum visibility of an identified creature; at least glimpse. Raise it to identify fewer."),
    Setting::number("perception.glimpse", "", 0.001..=1.0, [0.01, 0.5])
        .text("Minimum visibility of a question mark; at most identify. Raise it to notice fewer."),
    Setting::number("perception.hysteresis", "", 0.0..=0.5, [0.0, 0.1])
        .text("Margin below a threshold before a creature is lost again. Raise it to reduce flicker."),
    Setting::switch("perception.memory").text("Remembers seen cells, and shows them muted when they are out of sight."),
    Setting::number("perception.creatures", "per 10,000 cells", 0.0..=1000.0, [0.0, 200.0])
        .text("Creatures on cells that they can live on. Raise it for more creatures."),
    Setting::choice("paint.look", Look::WORDS)
        .flag(
            "look",
            "LOOK",
            "The look of pictures: a map of the land, or visibility as exact squares in the colours of paint.ramp (data)",
        )
        .text(
            "Look of pictures. map: land in daylight where one sees, paper elsewhere; data: visibility as exact \
             squares.",
        ),
    Setting::choice("paint.ramp", Ramp::WORDS)
        .text("Colours of visibility where paint.look is data."),
    Setting::switch("paint.contours").text("Draws a line around what is identified; as data also around what is glimpsed."),
    Setting::switch("paint.creatures").text("Draws creatures that are perceived, and question marks for those that are glimpsed."),
    Setting::switch("paint.names")
        .needs(LANDSCAPE)
        .text("Names seas, lakes, rivers and summits on the map."),
    Setting::switch("paint.legend").text("Adds a legend below the map, and below an exported picture."),
    Setting::switch("clock.runs").text("Lets hours pass turn by turn, and light follow them. Without it, light is optics.light at any hour."),
    Setting::number("clock.hour", "h", ClockConfig::HOUR, [0.0, 48.0])
        .needs(CLOCK)
        .text("Hours since the first midnight: 12 is noon, 30 is six in the morning of the second day."),
    Setting::number("clock.minutes_a_turn", "min", ClockConfig::MINUTES_A_TURN, [0.0, 60.0])
        .needs(CLOCK)
        .text("Time that a step or a wait takes. Raise it for shorter days; 0: the hour stays."),
    Setting::logarithmic("clock.hours_a_second", "h/s", ClockConfig::HOURS_A_SECOND, [0.1, 4.0])
        .needs(CLOCK)
        .text("Hours that pass in a second while time runs by itself (R). Raise it for shorter days."),
    hour("clock.sunrise", ClockConfig::HALF_DAY, "Middle of dawn, after midnight. Raise it for a later morning."),
    hour("clock.sunset", ClockConfig::DAY, "Middle of dusk, after midnight. Raise it for a later evening."),
    hour("clock.twilight", ClockConfig::HALF_DAY, "Duration of dawn and of dusk. Raise it for longer twilight, as in the north."),
    Setting::number("clock.moon", "", ClockConfig::MOON, [0.0, 0.3])
        .needs(CLOCK)
        .text("Share of daylight that is left at night. Raise it for brighter nights; 0: no moon, no stars."),
    Setting::number("clock.lantern", "cells", ClockConfig::LANTERN, [0.0, 32.0])
        .needs(CLOCK)
        .text("Reach of the lantern that the viewer lights at night. Raise it to light more cells; 0: no lantern."),
    Setting::choice("weather.to", NONE_OR_SHIPPED)
        .needs(&[Condition::Landscape, Condition::Clock])
        .text("Preset towards whose air the weather drifts while the clock runs. none: constant air."),
    Setting::logarithmic("weather.hours", "h", 0.25..=240.0, [1.0, 24.0])
        .needs(&[Condition::Landscape, Condition::Clock])
        .text("Hours from this preset's air to the other's; the way back is as long. Raise it for slower weather."),
];

/// Every list of a preset.
pub(super) const LISTS: [&SettingList; 6] = [&LAMPS, &VIEWERS, &CREATURES, &STROKES, &CELLS, &NAMES];

/// The list `[[lamps]]`.
pub const LAMPS: SettingList = SettingList {
    key: "lamps",
    settings: &[
        Setting::new("lamps.at", SettingKind::Cell).text("The cell of the lamp."),
        Setting::new("lamps.colour", SettingKind::Colour).text("The colour of its light."),
        Setting::logarithmic("lamps.reach", "cells", Lamp::REACH, [2.0, 40.0])
            .text("Distance at which its light ends. Raise it to light more cells."),
        Setting::number("lamps.strength", "", Lamp::STRENGTH, [0.0, 2.0])
            .text("Light on the lamp's own cell; full daylight is 1. Raise it for a wider bright centre."),
        Setting::number("lamps.height_m", "m", Lamp::HEIGHT_M, [0.0, 40.0])
            .text("Height above ground. Raise it to light cells behind woods and hills. Ignored on opacity maps."),
        Setting::choice("lamps.falloff", Falloff::WORDS)
            .text("How its light falls up to its reach: with a bright middle, softly, or evenly."),
        Setting::choice("lamps.flicker", Flicker::WORDS)
            .text("How its strength changes with time. Files show the first moment."),
    ],
    required: &["at"],
    max_len: 1000,
    help: "Lamps. A cell in sight is perceived only if it is lit: by optics.light, the lantern, or a lamp.",
};

/// The list `[[viewers]]`.
pub const VIEWERS: SettingList = SettingList {
    key: "viewers",
    settings: &[
        Setting::new("viewers.at", SettingKind::Cell).text("The cell of the lookout."),
        Setting::number("viewers.eye_height_m", "m", 0.0..=10_000.0, [0.0, 100.0])
            .text("Height of the eye above ground. Raise it to look over woods and hills. Ignored on opacity maps."),
        Setting::switch("viewers.follows").text("Follows the viewer, step by step."),
    ],
    required: &["at"],
    max_len: 100,
    help: "Lookouts: towers that stay, companions that follow. The view is the maximum of all views, cell by cell.",
};

/// The list `[[creatures]]`.
pub const CREATURES: SettingList = SettingList {
    key: "creatures",
    settings: &[
        Setting::new("creatures.at", SettingKind::Cell).text("The initial cell of the creature."),
        Setting::new("creatures.kind", SettingKind::Name(Species::NAMES))
            .text("The species: a shipped one, whose other keys are optional, or your own, which needs a glyph."),
        Setting::number("creatures.facing", "°", Sector::FACING, [-180.0, 180.0])
            .text("Direction of view until its first step, clockwise from the top of the map. 90: to the right."),
        Setting::new("creatures.glyph", SettingKind::Glyph).text("The character that represents it."),
        Setting::new("creatures.colour", SettingKind::Colour).text("The colour of the glyph."),
        Setting::number("creatures.conspicuity", "", 0.001..=1.0, SHARE)
            .text("Factor on the visibility of its cell. Lower it for a creature that is harder to notice."),
        Setting::integer("creatures.restlessness", "%", 0..=100, [0, 100])
            .text("Probability of a move per turn. Raise it for a more restless creature."),
        Setting::integer("creatures.radius", "cells", 0..=SightConfig::MAX_RADIUS, [0, 64])
            .text("Maximum distance at which it sees the viewer. With this key or one of the next two it has eyes."),
        Setting::number("creatures.span", "°", Sector::SPAN, [10.0, 360.0])
            .text("Angle of its cone of vision. It looks in the direction of its last step. 360: all around."),
        Setting::number("creatures.night_vision", "", 0.0..=1.0, SHARE)
            .text("Sight in the dark. 0: only lit cells; 1: by night as by day."),
    ],
    required: &["at", "kind"],
    max_len: 1000,
    help: "Creatures on chosen cells, in addition to those of perception.creatures.",
};

/// The list `[[strokes]]`.
pub const STROKES: SettingList = SettingList {
    key: "strokes",
    settings: &[
        Setting::choice("strokes.brush", Brush::WORDS)
            .text("What it does. raise to clear: in a world; wall to window: on an opacity map or in a dungeon."),
        Setting::new("strokes.points", SettingKind::Cells(Stroke::MAX_POINTS)).text("The cells that its line joins."),
        Setting::integer("strokes.radius", "cells", Stroke::RADIUS, [0, 40])
            .text("Half width of the stroke. Raise it for a wider stroke; 0: single cells."),
        Setting::number("strokes.strength", "", Stroke::STRENGTH, SHARE)
            .text("Effect: 0.5 raises by half the radius; of a hedge, the opacity. Raise it for higher hills."),
        Setting::switch("strokes.settles")
            .text("Rain, rivers and plants follow the land after it. Ignored on opacity maps and in dungeons."),
    ],
    required: &["brush", "points"],
    max_len: Stroke::MAX_STROKES,
    help: "Strokes of a brush, which change the land in this order.",
};

/// The list `[[cells]]`.
pub const CELLS: SettingList = SettingList {
    key: "cells",
    settings: &[
        Setting::new("cells.at", SettingKind::Cell).text("The cell of an opacity map or dungeon."),
        Setting::number("cells.opacity", "", 0.0..=1.0, SHARE)
            .text("Its opacity, instead of that of the map. 1: a wall or a closed door; 0: a floor or an open door."),
    ],
    required: &["at", "opacity"],
    max_len: 10_000,
    help: "Cells with another opacity than in the opacity map or dungeon: opened or closed doors, fallen walls.",
};

/// The list `[[names]]`.
pub const NAMES: SettingList = SettingList {
    key: "names",
    settings: &[
        Setting::new("names.at", SettingKind::Cell)
            .text("The cell: in a sea or lake, near a summit or river, or any other cell of the map."),
        Setting::new("names.name", SettingKind::Name(&[])).text("The name."),
    ],
    required: &["at", "name"],
    max_len: 1000,
    help: "Names of places. In a named sea or lake, or within 3 cells of a summit or river, it replaces the generated name.",
};

const fn hour(key: &'static str, range: RangeInclusive<f64>, text: &'static str) -> Setting {
    let slider = [*range.start(), *range.end()];
    Setting::number(key, "h", range, slider).needs(CLOCK).text(text)
}
