//! [`Observer`]: a further viewer. Entries of `[[viewers]]`.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::setters::setters;

/// A further viewer: a watchtower, or a companion who follows. A scene shows, for each cell, the best of all views.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
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

    setters! {
        with_eye_height_m(eye_height_m: f64), with_follows(follows: bool),
    }

    /// The height of a watchtower.
    fn default_eye_height_m() -> f64 {
        15.0
    }
}
