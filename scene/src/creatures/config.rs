//! The keys of `[perception]` and `[[viewers]]`.

use farsight::grid::ToCell;
use glam::IVec2;
use serde::{Deserialize, Serialize};

use farsight::perception::OutOfSight;
use farsight::perception::Thresholds;
use farsight::setters;

/// The configuration of recognition and memory. Keys of `[perception]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct PerceptionConfig {
    /// The minimum visibility of an identified creature.
    pub identify: f64,
    /// The minimum visibility of a glimpsed creature, a question mark. 0 < glimpse ≤ identify ≤ 1.
    pub glimpse: f64,
    /// The margin below a threshold at which its recognition is lost.
    pub hysteresis: f64,
    /// `true` if cells and creatures out of sight are remembered.
    pub memory: bool,
    /// The number of creatures on 10,000 cells of their habitats.
    pub creatures: f64,
}

impl Default for PerceptionConfig {
    fn default() -> Self {
        Self { identify: 0.25, glimpse: 0.05, hysteresis: 0.02, memory: true, creatures: 40.0 }
    }
}

impl PerceptionConfig {
    /// Returns the thresholds of recognition.
    pub fn thresholds(&self) -> Thresholds {
        Thresholds { identify: self.identify as f32, glimpse: self.glimpse as f32, hysteresis: self.hysteresis as f32 }
    }

    /// Returns the treatment of cells and creatures that go out of sight.
    pub fn out_of_sight(&self) -> OutOfSight {
        if self.memory { OutOfSight::Remember } else { OutOfSight::Forget }
    }
}

/// An additional viewer: a watchtower, or a companion who follows. A scene shows the maximum of all views for each
/// cell. An entry of `[[viewers]]`.
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
    /// Creates an observer on a watchtower on a cell.
    pub fn new(at: impl ToCell) -> Self {
        let at = at.to_cell();
        Self { at, eye_height_m: Self::default_eye_height_m(), follows: false }
    }

    /// Sets [`at`](field@Self::at).
    #[must_use]
    pub fn with_at(self, at: impl ToCell) -> Self {
        Self { at: at.to_cell(), ..self }
    }

    setters! {
        with_eye_height_m(eye_height_m: f64), with_follows(follows: bool),
    }

    /// Returns the height of a watchtower.
    fn default_eye_height_m() -> f64 {
        15.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_thresholds_are_those_of_the_default_configuration() {
        assert_eq!(PerceptionConfig::default().thresholds(), Thresholds::default());
    }
}
