//! The tables of a preset that configure no other module: [`PaintConfig`], [`WeatherConfig`], [`ChangedCell`] and [`PlaceName`].

use farsight::grid::ToCell;
use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::math::shortest_decimal;
use farsight::internal::math::hermite;
use farsight::internal::text::is_control_or_bidi;
use farsight::named_enum;

/// The look of pictures. Keys of `[paint]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct PaintConfig {
    /// The look of the land.
    pub look: Look,
    /// The colours of visibility as data.
    pub ramp: Ramp,
    /// Lines around identified cells and, in the data look, around glimpsed cells.
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
        /// A map: land in daylight in sight, an old map on paper out of sight.
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
        /// Black to green, as in the figures of the published method.
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
    /// Returns the opposite look.
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

/// The periodic drift of the air to that of another preset and back. Keys of `[weather]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct WeatherConfig {
    /// The shipped preset whose air it drifts to; `none` for no drift.
    pub to: String,
    /// Hours of the drift in each direction.
    pub hours: f64,
}

impl Default for WeatherConfig {
    fn default() -> Self {
        Self { to: NONE.into(), hours: 6.0 }
    }
}

const NONE: &str = "none";

/// Steps of the drift. Each changes the opacity of the whole map, so their number is small.
const STEPS: f64 = 32.0;

impl WeatherConfig {
    pub(super) fn other_preset(&self) -> Option<&str> {
        (self.to != NONE).then_some(&self.to)
    }

    /// Returns the fraction of the drift, in [0, 1], at `hour` hours after the first midnight.
    pub fn drift(&self, hour: f64) -> f64 {
        let phase = (hour / self.hours) % 2.0;
        let share = 1.0 - (1.0 - phase).abs();
        (hermite(share) * STEPS).round() / STEPS
    }
}

/// A cell of an opacity map or dungeon with another opacity than in the map, such as an opened door or a fallen wall.
/// An entry of `[[cells]]`. The last entry of a cell takes precedence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ChangedCell {
    /// The cell.
    pub at: IVec2,
    /// Its opacity, in [0, 1].
    pub opacity: f64,
}

impl ChangedCell {
    /// Creates an entry for a cell with an opacity.
    pub fn new(at: impl ToCell, opacity: f32) -> Self {
        Self { at: at.to_cell(), opacity: shortest_decimal(opacity) }
    }
}

/// A name on the map, an entry of `[[names]]`. In a named sea or lake, or near a summit or river, it replaces that
/// name; elsewhere it is a new place. See [`Scene::places`](crate::scene::Scene::places).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlaceName {
    /// The cell.
    pub at: IVec2,
    /// The name: 1 to [`MAX_LENGTH`](Self::MAX_LENGTH) characters, at least one of them a letter or a digit.
    pub name: String,
}

impl PlaceName {
    /// The maximum length of a name, in characters.
    pub const MAX_LENGTH: usize = 80;

    /// Creates a name for the place at a cell.
    pub fn new(at: impl ToCell, name: impl Into<String>) -> Self {
        Self { at: at.to_cell(), name: name.into() }
    }

    /// Returns a typed text without characters that are invalid in names, and without spaces at its ends.
    ///
    /// ```
    /// use farsight_scene::preset::PlaceName;
    /// assert_eq!(PlaceName::cleaned(" Heron\tMere\u{202E} "), "Heron Mere");
    /// ```
    pub fn cleaned(text: &str) -> String {
        let kept = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_control_or_bidi(*c));
        kept.collect::<String>().trim().chars().take(Self::MAX_LENGTH).collect()
    }
}

/// Returns `true` if a name is valid: it is readable, on one line, and does not change other text.
pub(crate) fn is_place_name(name: &str) -> bool {
    name.chars().count() <= PlaceName::MAX_LENGTH
        && name.chars().any(char::is_alphanumeric)
        && !name.chars().any(is_control_or_bidi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_goes_there_and_back_in_few_steps() {
        let weather = WeatherConfig { to: "fog".into(), hours: 6.0 };
        assert_eq!([0.0, 3.0, 6.0, 9.0, 12.0, 18.0].map(|hour| weather.drift(hour)), [0.0, 0.5, 1.0, 0.5, 0.0, 1.0]);
        let drifts: Vec<f64> = (0..=360).map(|minute| weather.drift(f64::from(minute) / 60.0)).collect();
        assert_eq!(drifts.windows(2).filter(|pair| pair[0] != pair[1]).count(), STEPS as usize);
    }

    #[test]
    fn names_are_readable_and_on_one_line() {
        let long = "é".repeat(80);
        for name in ["Heron Mere", "Ål", "7", "Sgùrr nan Gillean", "富士山", "O\u{301}r", "\"Quoted\" – and #", &long]
        {
            assert!(is_place_name(name), "{name:?}");
        }
        let longer = "é".repeat(81);
        for name in [
            "",
            " ",
            "—",
            "\u{200B}",
            "two\nlines",
            "tab\t",
            "\u{1b}[2J",
            "a\u{7f}",
            "a\u{85}",
            "a\u{200E}",
            "a\u{202E}b",
            "a\u{2028}b",
            "a\u{2066}b",
            "a\u{61C}b",
            &longer,
        ] {
            assert!(!is_place_name(name), "{name:?}");
        }
    }
}
