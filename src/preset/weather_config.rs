//! [`WeatherConfig`]: the keys of `[weather]`, and air that drifts from one preset's to another's.

use serde::{Deserialize, Serialize};

use crate::math::hermite;
use crate::optics::OpticsConfig;
use crate::preset::Preset;

/// How the air drifts over the hours from this preset's to another's, and back. Keys of `[weather]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WeatherConfig {
    /// The shipped preset whose air it drifts to; `none` keeps the air as it is.
    pub to: String,
    /// Hours from the one air to the other; as many lead back.
    pub hours: f64,
}

impl Default for WeatherConfig {
    fn default() -> Self {
        Self { to: NONE.into(), hours: 6.0 }
    }
}

const NONE: &str = "none";

/// The drift goes by so many steps from the one air to the other: each changes the opacity of the whole map.
const STEPS: f64 = 32.0;

impl WeatherConfig {
    /// How far the air has drifted at an hour since the first midnight: 0 is this preset's, 1 the other's.
    pub fn drift(&self, hour: f64) -> f64 {
        let phase = (hour / self.hours) % 2.0;
        let share = 1.0 - (1.0 - phase).abs();
        (hermite(share) * STEPS).round() / STEPS
    }

    /// The optics of a preset in this weather at an hour. Of the other preset it takes the air alone: visual range,
    /// humidity growth and fog. Visual ranges are mixed by what a metre of them takes away.
    pub(crate) fn air(&self, optics: &OpticsConfig, hour: f64) -> OpticsConfig {
        let drift = self.drift(hour);
        let Some(other) = (self.to != NONE && drift > 0.0).then(|| Preset::named(&self.to).ok()).flatten() else {
            return optics.clone();
        };
        let other = other.optics;
        let mix = |a: f64, b: f64| a * (1.0 - drift) + b * drift;
        let range = |a: f64, b: f64| 1.0 / mix(1.0 / a, 1.0 / b);
        OpticsConfig {
            visual_range_m: range(optics.visual_range_m, other.visual_range_m),
            humidity_growth: mix(optics.humidity_growth, other.humidity_growth),
            fog_onset: mix(optics.fog_onset, other.fog_onset),
            fog_visual_range_m: range(optics.fog_visual_range_m, other.fog_visual_range_m),
            ..optics.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_air_drifts_there_and_back() {
        let weather = WeatherConfig { to: "fog".into(), hours: 6.0 };
        assert_eq!([0.0, 3.0, 6.0, 9.0, 12.0, 18.0].map(|hour| weather.drift(hour)), [0.0, 0.5, 1.0, 0.5, 0.0, 1.0]);
        let clear = OpticsConfig { visual_range_m: f64::INFINITY, eye_height_m: 9.0, ..OpticsConfig::default() };
        let fog = Preset::named("fog").unwrap().optics;
        assert_eq!(weather.air(&clear, 0.0), clear);
        let there = weather.air(&clear, 6.0);
        assert_eq!((there.visual_range_m, there.fog_onset), (fog.visual_range_m, fog.fog_onset));
        assert_eq!(there.eye_height_m, 9.0, "the air alone drifts");
        let half = weather.air(&clear, 3.0);
        assert!((half.visual_range_m - 2.0 * fog.visual_range_m).abs() < 1e-6 * fog.visual_range_m);
        assert_eq!(WeatherConfig::default().air(&clear, 6.0), clear, "no weather");
    }

    #[test]
    fn few_hours_change_the_air_of_the_map() {
        let weather = WeatherConfig { to: "fog".into(), hours: 6.0 };
        let drifts: Vec<f64> = (0..=360).map(|minute| weather.drift(f64::from(minute) / 60.0)).collect();
        let changes = drifts.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!(changes, STEPS as usize);
    }
}
