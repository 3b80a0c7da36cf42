//! [`Observer`]: someone else who looks, too. Entries of `[[viewers]]`.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// Someone else who looks, too: a watchtower that stands still, or one of a party. What all of them see together is,
/// cell by cell, the best view that any of them has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observer {
    /// The cell that it stands on.
    pub at: IVec2,
    /// Its eye over its ground, in metres, 0 to 10000.
    #[serde(default = "Observer::default_eye_height_m")]
    pub eye_height_m: f64,
    /// Whether it walks behind the viewer.
    #[serde(default)]
    pub follows: bool,
}

impl Observer {
    /// A watchtower on a cell.
    pub fn new(at: IVec2) -> Self {
        Self { at, eye_height_m: Self::default_eye_height_m(), follows: false }
    }

    /// A watchtower.
    fn default_eye_height_m() -> f64 {
        15.0
    }
}
