//! The optics of a preset at its hour.

use crate::optics::OpticsConfig;
use crate::preset::Preset;

impl Preset {
    /// Returns the optics at the hour of the clock: those of `[optics]`, changed by weather and daylight if the clock
    /// runs.
    pub fn optics_at_hour(&self) -> OpticsConfig {
        let clock = &self.clock;
        if !clock.runs {
            return self.optics.clone();
        }
        let air = self.with_drifted_air(clock.hour);
        let daylight = clock.daylight();
        OpticsConfig {
            light: air.light * (clock.moon + (1.0 - clock.moon) * daylight),
            lantern: air.lantern.max(clock.lantern * (1.0 - daylight)),
            ..air
        }
    }

    /// Returns the optics in the weather of an hour. Only visual range, humidity growth and fog change. Visual ranges are
    /// mixed by their extinctions.
    fn with_drifted_air(&self, hour: f64) -> OpticsConfig {
        let (optics, drift) = (&self.optics, self.weather.drift(hour));
        let Some(other) = self.weather.other_preset().filter(|_| drift > 0.0) else { return optics.clone() };
        let Ok(Self { optics: other, .. }) = Self::named(other) else { return optics.clone() };
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
    use crate::preset::WeatherConfig;

    #[test]
    fn air_drifts_to_the_other_preset_and_back() {
        let clear = OpticsConfig { visual_range_m: f64::INFINITY, eye_height_m: 9.0, ..OpticsConfig::default() };
        let weather = WeatherConfig { to: "fog".into(), hours: 6.0 };
        let mut preset = Preset { optics: clear.clone(), weather, ..Preset::default() };
        let fog = Preset::named("fog").unwrap().optics;
        assert_eq!(preset.with_drifted_air(0.0), clear);
        assert_eq!(preset.with_drifted_air(12.0), clear);
        let foggy = preset.with_drifted_air(6.0);
        assert_eq!((foggy.visual_range_m, foggy.fog_onset), (fog.visual_range_m, fog.fog_onset));
        assert_eq!(foggy.eye_height_m, 9.0, "only the air changes");
        let half = preset.with_drifted_air(3.0);
        assert!((half.visual_range_m - 2.0 * fog.visual_range_m).abs() < 1e-6 * fog.visual_range_m);
        preset.weather = WeatherConfig::default();
        assert_eq!(preset.with_drifted_air(6.0), clear, "no weather");
    }
}
