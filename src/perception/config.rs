//! [`PerceptionConfig`]: the keys of `[perception]`.

use serde::{Deserialize, Serialize};

use super::sense::Thresholds;

/// What a viewer makes of dim sight. Keys of `[perception]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PerceptionConfig {
    /// From this on, a creature is told for what it is.
    pub identify: f64,
    /// From this on, something is seen: a question mark. 0 < glimpse ≤ identify ≤ 1.
    pub glimpse: f64,
    /// How far below a threshold one must fall to lose what it gave.
    pub hysteresis: f64,
    /// Whether cells once seen are remembered.
    pub memory: bool,
    /// Creatures on 10,000 cells that they can live on.
    pub creatures: f64,
}

impl Default for PerceptionConfig {
    fn default() -> Self {
        Self { identify: 0.25, glimpse: 0.05, hysteresis: 0.02, memory: true, creatures: 40.0 }
    }
}

impl PerceptionConfig {
    /// The thresholds that it sets.
    pub fn thresholds(&self) -> Thresholds {
        Thresholds { identify: self.identify as f32, glimpse: self.glimpse as f32, hysteresis: self.hysteresis as f32 }
    }
}
