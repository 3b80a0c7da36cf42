//! [`ClockConfig`]: the keys of `[clock]`, and the light of the hours.

use serde::{Deserialize, Serialize};

use crate::math::hermite;

/// The hour, and what it does to light. Keys of `[clock]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClockConfig {
    /// Whether hours pass, and light follows them. Without it, light is that of `[optics]` at any hour.
    pub runs: bool,
    /// Hours since the first midnight: 30 is six in the morning of the second day.
    pub hour: f64,
    /// Minutes that a turn takes.
    pub minutes_a_turn: f64,
    /// Hours that pass in a second while one lets time go by itself, as the explorer does on request.
    pub hours_a_second: f64,
    /// The middle of dawn, in hours after midnight.
    pub sunrise: f64,
    /// The middle of dusk, in hours after midnight.
    pub sunset: f64,
    /// How long dawn and dusk last, in hours.
    pub twilight: f64,
    /// What the night leaves of the light of day.
    pub moon: f64,
    /// Reach of the lantern that is lit when it grows dark, in cells.
    pub lantern: f64,
}

impl Default for ClockConfig {
    fn default() -> Self {
        Self {
            runs: false,
            hour: 12.0,
            minutes_a_turn: 5.0,
            hours_a_second: 0.5,
            sunrise: 6.0,
            sunset: 18.0,
            twilight: 2.0,
            moon: 0.08,
            lantern: 8.0,
        }
    }
}

impl ClockConfig {
    /// Hours after which the clock begins anew: a year.
    pub const YEAR: f64 = 8760.0;

    /// How much of the light of day there is: 0 by night, 1 by day, smooth through dawn and dusk. With a sunrise after the
    /// sunset, the sun is up over midnight.
    pub fn sun(&self) -> f64 {
        let hour = self.hour % 24.0;
        // The days before and after count, too: a long dawn begins before midnight.
        let up: f64 = [-24.0, 0.0, 24.0]
            .into_iter()
            .map(|day| self.passed(self.sunrise, hour + day) - self.passed(self.sunset, hour + day))
            .sum();
        (if self.sunrise <= self.sunset { up } else { 1.0 + up }).clamp(0.0, 1.0)
    }

    /// How much of a twilight around `middle` has passed, in [0, 1]: 3t² − 2t³.
    fn passed(&self, middle: f64, hour: f64) -> f64 {
        if self.twilight <= 0.0 {
            return if hour >= middle { 1.0 } else { 0.0 };
        }
        let t = ((hour - middle) / self.twilight + 0.5).clamp(0.0, 1.0);
        hermite(t)
    }

    /// The hour after a turn; a year begins anew.
    pub fn after_a_turn(&self) -> f64 {
        self.after(self.minutes_a_turn)
    }

    /// The hour so many minutes later; a year begins anew.
    pub fn after(&self, minutes: f64) -> f64 {
        (self.hour * 60.0 + minutes) % (Self::YEAR * 60.0) / 60.0
    }

    /// `day 2, 06:40`.
    pub fn words(&self) -> String {
        let minutes = (self.hour * 60.0).round() as u64;
        format!("day {}, {:02}:{:02}", minutes / 1440 + 1, minutes / 60 % 24, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sun(hour: f64, clock: &ClockConfig) -> f64 {
        ClockConfig { hour, ..clock.clone() }.sun()
    }

    #[test]
    fn the_sun_rises_and_sets() {
        let clock = ClockConfig::default();
        for (hour, wanted) in [(0.0, 0.0), (4.9, 0.0), (6.0, 0.5), (7.1, 1.0), (12.0, 1.0), (18.0, 0.5), (19.5, 0.0)] {
            assert!((sun(hour, &clock) - wanted).abs() < 1e-9, "at {hour}: {}", sun(hour, &clock));
            assert_eq!(sun(hour + 48.0, &clock), sun(hour, &clock), "two days later");
        }
        let sharp = ClockConfig { twilight: 0.0, ..clock.clone() };
        assert_eq!([5.99, 6.0, 17.99, 18.0].map(|hour| sun(hour, &sharp)), [0.0, 1.0, 1.0, 0.0]);
        let around_midnight = ClockConfig { sunrise: 20.0, sunset: 4.0, ..clock.clone() };
        assert_eq!([0.0, 12.0, 22.0].map(|hour| sun(hour, &around_midnight)), [1.0, 0.0, 1.0]);
    }

    #[test]
    fn the_sun_never_leaps() {
        for sunrise in 0..=12 {
            for sunset in 0..=24 {
                for twilight in [2.0, 7.0, 12.0] {
                    let (sunrise, sunset) = (f64::from(sunrise), f64::from(sunset));
                    let clock = ClockConfig { sunrise, sunset, twilight, ..ClockConfig::default() };
                    let hours: Vec<f64> = (0..=480).map(|i| sun(f64::from(i) / 20.0, &clock)).collect();
                    let leap = hours.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
                    let midnight = (hours[0] - hours[480]).abs();
                    // 24:00 and 0:00 of a sunset at either are one moment.
                    assert!(leap < 0.1 && midnight < 0.1, "{sunrise} {sunset} {twilight}: {leap}, {midnight}");
                }
            }
        }
    }

    #[test]
    fn turns_add_up_to_hours_and_a_year_begins_anew() {
        let mut clock = ClockConfig { hour: 23.0, minutes_a_turn: 20.0, ..ClockConfig::default() };
        for _ in 0..5 {
            clock.hour = clock.after_a_turn();
        }
        assert_eq!(clock.words(), "day 2, 00:40");
        clock.hour = ClockConfig::YEAR;
        assert_eq!(clock.after_a_turn(), 20.0 / 60.0);
    }
}
