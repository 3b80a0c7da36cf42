//! [`WeatherConfig`]: the keys of `[weather]`.

use serde::{Deserialize, Serialize};

use crate::math::hermite;

/// The drift of the air to that of another preset and back. Keys of `[weather]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct WeatherConfig {
    /// The shipped preset whose air it drifts to; `none` for no drift.
    pub to: String,
    /// Hours from one air to the other. The way back takes as long.
    pub hours: f64,
}

impl Default for WeatherConfig {
    fn default() -> Self {
        Self { to: NONE.into(), hours: 6.0 }
    }
}

const NONE: &str = "none";

/// Steps from one air to the other. Each changes the opacity of the whole map, so they are few.
const STEPS: f64 = 32.0;

impl WeatherConfig {
    pub(super) fn other_preset(&self) -> Option<&str> {
        (self.to != NONE).then_some(&self.to)
    }

    /// Returns how far the air has drifted, in [0, 1], `hour` hours after the first midnight.
    pub fn drift(&self, hour: f64) -> f64 {
        let phase = (hour / self.hours) % 2.0;
        let share = 1.0 - (1.0 - phase).abs();
        (hermite(share) * STEPS).round() / STEPS
    }
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
}
