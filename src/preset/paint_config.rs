//! [`PaintConfig`]: the keys of `[paint]`.

use serde::{Deserialize, Serialize};

/// How a scene is painted. Keys of `[paint]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PaintConfig {
    /// The colours of visibility.
    pub ramp: Ramp,
    /// Hillshade and tint for elevation.
    pub elevation: bool,
    /// Green and tree stipple for vegetation.
    pub vegetation: bool,
    /// Blue hatching for humidity.
    pub humidity: bool,
    /// Lines where things begin to be identified and glimpsed.
    pub contours: bool,
    /// Glyphs of creatures.
    pub creatures: bool,
    /// The legend below the map, and below an exported picture.
    pub legend: bool,
}

/// The colours of visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ramp {
    /// The land in its own colours, darker and bluer the less is seen.
    #[default]
    Daylight,
    /// Black to green, as in the pictures of the published method.
    Green,
    /// Blue to yellow; even in lightness and safe for colour-blind eyes (Nuñez, Anderton and
    /// Renslow 2018).
    Cividis,
    /// Violet to green to yellow; even in lightness (Smith and van der Walt 2015).
    Viridis,
    /// Black to red to yellow; even in lightness.
    Inferno,
    /// Black to white.
    Grey,
}

impl Default for PaintConfig {
    fn default() -> Self {
        Self {
            ramp: Ramp::Daylight,
            elevation: true,
            vegetation: true,
            humidity: true,
            contours: true,
            creatures: true,
            legend: true,
        }
    }
}
