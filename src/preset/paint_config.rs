//! [`PaintConfig`]: the keys of `[paint]`.

use serde::{Deserialize, Serialize};

use crate::named_enum::named_enum;

/// The layers of a picture. Keys of `[paint]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct PaintConfig {
    /// The colours of visibility.
    pub ramp: Ramp,
    /// Hillshade and tint for elevation.
    pub elevation: bool,
    /// Green and tree stipple for vegetation.
    pub vegetation: bool,
    /// Blue hatching for humidity.
    pub humidity: bool,
    /// Lines at the thresholds of identifying and glimpsing.
    pub contours: bool,
    /// Glyphs of creatures.
    pub creatures: bool,
    /// The legend below the map, and below an exported picture.
    pub legend: bool,
}

named_enum! {
    /// The colours of visibility.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Ramp: "ramp" {
        /// The land in its own colours, darker and bluer where less is seen.
        #[default]
        Daylight = "daylight",
        /// Black to green, as in the pictures of the published method.
        Green = "green",
        /// Blue to yellow, perceptually uniform and readable for colour-blind people (Nuñez, Anderton and Renslow 2018).
        Cividis = "cividis",
        /// Violet to green to yellow, perceptually uniform (Smith and van der Walt 2015).
        Viridis = "viridis",
        /// Black to red to yellow, perceptually uniform.
        Inferno = "inferno",
        /// Black to white.
        Grey = "grey",
    }
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
