//! The settings of `[clock]` and `[[lamps]]`.

use crate::light::ClockConfig;
use crate::preset::{Setting, SettingKind, SettingList};

pub(super) const SETTINGS: &[Setting] = &[
    Setting::new(
        "clock.runs",
        SettingKind::Switch,
        "Lets hours pass turn by turn, and light follow them. Without it, light is optics.light at any hour.",
    ),
    Setting::number("clock.hour", "h", 0.0..=ClockConfig::YEAR, [0.0, 48.0])
        .help("Hours since the first midnight: 12 is noon, 30 is six in the morning of the second day."),
    Setting::number("clock.minutes_a_turn", "min", 0.0..=1440.0, [0.0, 60.0])
        .help("Time that a step or a wait takes. Raise it for shorter days; 0: the hour stays."),
    Setting::logarithmic("clock.hours_a_second", "h/s", 0.0..=24.0, [0.1, 4.0])
        .help("Hours that pass in a second while time runs by itself (R). Raise it for shorter days."),
    hour("clock.sunrise", 12.0, "Middle of dawn, after midnight. Raise it for a later morning."),
    hour("clock.sunset", 24.0, "Middle of dusk, after midnight. Raise it for a later evening."),
    hour("clock.twilight", 12.0, "Duration of dawn and of dusk. Raise it for longer twilight, as in the north."),
    Setting::number("clock.moon", "", 0.0..=1.0, [0.0, 0.3])
        .help("Share of daylight that is left at night. Raise it for brighter nights; 0: no moon, no stars."),
    Setting::number("clock.lantern", "cells", 0.0..=512.0, [0.0, 32.0])
        .help("Reach of the lantern that the viewer lights at night. Raise it to light more cells; 0: no lantern."),
];

const fn hour(key: &'static str, max: f64, help: &'static str) -> Setting {
    Setting::number(key, "h", 0.0..=max, [0.0, max]).help(help)
}

/// The list `[[lamps]]`.
pub const LAMPS: SettingList = SettingList {
    key: "lamps",
    settings: &[
        Setting::new("lamps.at", SettingKind::Cell, "The cell that the lamp is on."),
        Setting::new("lamps.colour", SettingKind::Colour, "The colour of its light."),
        Setting::logarithmic("lamps.reach", "cells", 1.0..=256.0, [2.0, 40.0])
            .help("Distance at which its light ends. Raise it to light more cells."),
        Setting::number("lamps.strength", "", 0.0..=4.0, [0.0, 2.0])
            .help("Light on the lamp's own cell; full daylight is 1. Raise it for a wider bright middle."),
        Setting::number("lamps.height_m", "m", 0.0..=1000.0, [0.0, 40.0])
            .help("Height above ground. Raise it to light cells behind woods and hills. Ignored on opacity maps."),
    ],
    required: &["at"],
    max_len: 1000,
    help: "Lamps. A cell in sight is perceived only where it is lit: by optics.light, the lantern, or a lamp.",
};
