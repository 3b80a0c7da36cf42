//! The settings of `[perception]`, `[[viewers]]` and `[[creatures]]`.

use crate::perception::Species;
use crate::preset::{Setting, SettingKind, SettingList};

pub(super) const SETTINGS: &[Setting] = &[
    Setting::number("perception.identify", "", 0.001..=1.0, [0.01, 1.0])
        .help("Visibility from which a creature is identified; at least glimpse. Raise it to identify fewer."),
    Setting::number("perception.glimpse", "", 0.001..=1.0, [0.01, 0.5])
        .help("Visibility from which a creature is a question mark; at most identify. Raise it to notice fewer."),
    Setting::number("perception.hysteresis", "", 0.0..=0.5, [0.0, 0.1])
        .help("How far visibility must fall below a threshold to lose what it gave. Raise it against flicker."),
    Setting::new(
        "perception.memory",
        SettingKind::Switch,
        "Remembers cells once seen, and shows them muted when they are out of sight.",
    ),
    Setting::number("perception.creatures", "per 10,000 cells", 0.0..=1000.0, [0.0, 200.0])
        .help("Creatures on cells that they can live on. Raise it for more creatures."),
];

/// The list `[[viewers]]`.
pub const VIEWERS: SettingList = SettingList {
    key: "viewers",
    settings: &[
        Setting::new("viewers.at", SettingKind::Cell, "The cell that the lookout is on."),
        Setting::number("viewers.eye_height_m", "m", 0.0..=10_000.0, [0.0, 100.0])
            .help("Height of the eye above ground. Raise it to look over woods and hills. Ignored on opacity maps."),
        Setting::new("viewers.follows", SettingKind::Switch, "Follows the viewer, step by step."),
    ],
    required: &["at"],
    max_len: 100,
    help: "Lookouts: towers that stay, companions that follow. The view is the best of all views, cell by cell.",
};

/// The list `[[creatures]]`.
pub const CREATURES: SettingList = SettingList {
    key: "creatures",
    settings: &[
        Setting::new("creatures.at", SettingKind::Cell, "The cell that the creature starts on."),
        Setting::choice("creatures.kind", Species::NAMES).help("The species."),
    ],
    required: &["at", "kind"],
    max_len: 1000,
    help: "Creatures on chosen cells, in addition to those of perception.creatures.",
};
