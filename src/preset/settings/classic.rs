//! The settings of `[classic]`.

use crate::preset::{Setting, SettingKind};

pub(super) const SETTINGS: &[Setting] = &[
    Setting::choice("classic.method", &["none", "shadowcast", "raycast_border", "raycast_circle"]).help(
        "An older method in place of sight.method: arcs of light, lines to the border, or lines to a far circle.",
    ),
    Setting::number("classic.wall_at", "", 0.0..=1.0, [0.1, 1.0])
        .help("Opacity from which a cell is a wall. Raise it to see through more cells. Only used by classic methods."),
    Setting::integer("classic.rays", "lines", 1..=65_536, [16, 2048]).help(
        "Number of lines. Raise it for fewer gaps far away; run time grows with it. Only used by raycast_circle.",
    ),
    Setting::new(
        "classic.repair",
        SettingKind::Switch,
        "Shows the walls behind seen floor, which the lines miss. Only used by raycast_border.",
    ),
];
