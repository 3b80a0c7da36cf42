//! [`Lookout`]: someone else who looks, too. Entries of `[[viewers]]`.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::knob::{Kind, Knob, List};

/// Someone else who looks, too: a watchtower that stands still, or one of a party. What all of them see together is,
/// cell by cell, the best view that any of them has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookout {
    /// The cell that it stands on.
    pub at: IVec2,
    /// Its eye over its ground, in metres, 0 to 10000.
    #[serde(default = "Lookout::default_eye_height_m")]
    pub eye_height_m: f64,
    /// Whether it walks behind the viewer.
    #[serde(default)]
    pub follows: bool,
}

impl Lookout {
    /// A watchtower on a cell.
    pub fn new(at: IVec2) -> Self {
        Self { at, eye_height_m: Self::default_eye_height_m(), follows: false }
    }

    /// The list `[[viewers]]` of a preset.
    pub const LIST: List = List {
        key: "viewers",
        knobs: Self::KNOBS,
        required: &["at"],
        most: 100,
        help: "Others who look, too: towers that stand, friends who follow. Each cell counts as the best of all views.",
    };

    /// The knobs of one of `[[viewers]]`.
    pub const KNOBS: &'static [Knob] = &[
        Knob { key: "viewers.at", unit: "", kind: Kind::Cell, help: "The cell that it stands on." },
        Knob {
            key: "viewers.eye_height_m",
            unit: "m",
            kind: Kind::Number { min: 0.0, max: 10_000.0, usual: [0.0, 100.0], log: false },
            help: "Eye over its ground. Raise it to look over woods and hills. It is no matter on a map.",
        },
        Knob { key: "viewers.follows", unit: "", kind: Kind::Switch, help: "Whether it walks behind the viewer." },
    ];

    /// A watchtower.
    fn default_eye_height_m() -> f64 {
        15.0
    }
}
