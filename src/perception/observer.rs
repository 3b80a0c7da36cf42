//! [`Observer`]: a further viewer. Entries of `[[viewers]]`.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::setting::{Setting, SettingKind, SettingList};

/// A further viewer: a watchtower, or a companion who follows. A scene shows, for each cell, the best of all views.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observer {
    /// Its cell.
    pub at: IVec2,
    /// Height of its eye above the ground in metres, 0 to 10000.
    #[serde(default = "Observer::default_eye_height_m")]
    pub eye_height_m: f64,
    /// `true` if it follows the viewer.
    #[serde(default)]
    pub follows: bool,
}

impl Observer {
    /// An observer on a watchtower on a cell.
    pub fn new(at: IVec2) -> Self {
        Self { at, eye_height_m: Self::default_eye_height_m(), follows: false }
    }

    /// The list `[[viewers]]` of a preset.
    pub const LIST: SettingList = SettingList {
        key: "viewers",
        settings: Self::SETTINGS,
        required: &["at"],
        max_len: 100,
        help: "Others who look, too: towers that stand, friends who follow. Each cell counts as the best of all views.",
    };

    /// The settings of one of `[[viewers]]`.
    pub const SETTINGS: &'static [Setting] = &[
        Setting { key: "viewers.at", unit: "", kind: SettingKind::Cell, help: "The cell that it stands on." },
        Setting {
            key: "viewers.eye_height_m",
            unit: "m",
            kind: SettingKind::Number { min: 0.0, max: 10_000.0, slider_range: [0.0, 100.0], log: false },
            help: "Eye over its ground. Raise it to look over woods and hills. It is no matter on a map.",
        },
        Setting {
            key: "viewers.follows",
            unit: "",
            kind: SettingKind::Switch,
            help: "Whether it walks behind the viewer.",
        },
    ];

    /// The height of a watchtower.
    fn default_eye_height_m() -> f64 {
        15.0
    }
}
