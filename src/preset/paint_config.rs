//! [`PaintConfig`]: the keys of `[paint]`.

use serde::{Deserialize, Serialize};

use crate::named_enum::named_enum;

/// The look of pictures. Keys of `[paint]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct PaintConfig {
    /// The look of the land.
    pub look: Look,
    /// The colours of visibility as data.
    pub ramp: Ramp,
    /// Lines around what is identified, and as data around what is glimpsed.
    pub contours: bool,
    /// Marks of creatures.
    pub creatures: bool,
    /// Names of seas, lakes, rivers and summits on the map.
    pub names: bool,
    /// The legend below the map, and below an exported picture.
    pub legend: bool,
}

named_enum! {
    /// The look of a picture of the land.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum Look: "look" {
        /// A map: land in daylight where one sees, an old map on paper where one does not.
        #[default]
        Map = "map",
        /// Visibility as exact squares in the colours of a ramp, with exact contours.
        Data = "data",
    }
}

named_enum! {
    /// The colours of visibility.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Ramp: "ramp" {
        /// Black to green, as in the pictures of the published method.
        Green = "green",
        /// Blue to yellow, perceptually uniform and readable for colour-blind people (Nuñez, Anderton and Renslow 2018).
        #[default]
        Cividis = "cividis",
        /// Violet to green to yellow, perceptually uniform (Smith and van der Walt 2015).
        Viridis = "viridis",
        /// Black to red to yellow, perceptually uniform.
        Inferno = "inferno",
        /// Black to white.
        Grey = "grey",
    }
}

impl Look {
    /// Returns the other look.
    pub fn other(self) -> Self {
        match self {
            Self::Map => Self::Data,
            Self::Data => Self::Map,
        }
    }
}

impl Default for PaintConfig {
    fn default() -> Self {
        Self {
            look: Look::default(),
            ramp: Ramp::default(),
            contours: true,
            creatures: true,
            names: true,
            legend: true,
        }
    }
}
