//! [`ClockConfig`]: the hour of the day and its daylight.

use serde::{Deserialize, Serialize};

use crate::math::hermite;
use crate::setters::setters;

/// The hour of the day, and how light follows it. Keys of `[clock]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ClockConfig {
    /// `true` if time passes and light follows it; else light is that of `[optics]` at any hour.
    pub runs: bool,
    /// Hours since the first midnight: 30 is 06:00 of the second day.
    pub hour: f64,
    /// Minutes a turn takes.
    pub minutes_a_turn: f64,
    /// Hours a second while time runs by itself, as the explorer does on request.
    pub hours_a_second: f64,
    /// Middle of dawn, in hours after midnight.
    pub sunrise: f64,
    /// Middle of dusk, in hours after midnight.
    pub sunset: f64,
    /// Length of dawn and of dusk, in hours.
    pub twilight: f64,
    /// Light at night, as a share of the light of day.
    pub moon: f64,
    /// Reach of the lantern that the viewer lights after dusk, in cells; in shorter sides of rectangular cells.
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
    /// Hours after which the clock starts again at 0: a year.
    pub const YEAR: f64 = 8760.0;

    setters! {
        with_runs(runs: bool), with_hour(hour: f64), with_minutes_a_turn(minutes_a_turn: f64),
        with_hours_a_second(hours_a_second: f64), with_sunrise(sunrise: f64), with_sunset(sunset: f64),
        with_twilight(twilight: f64), with_moon(moon: f64), with_lantern(lantern: f64),
    }

    /// Returns the share of daylight: 0 at night, 1 by day, smooth through dawn and dusk. If sunrise is after sunset, it
    /// is day at midnight.
    pub fn daylight(&self) -> f64 {
        let hour = self.hour % 24.0;
        // The days before and after count: a long dawn begins before midnight.
        let up: f64 = [-24.0, 0.0, 24.0]
            .into_iter()
            .map(|day| self.twilight_share(self.sunrise, hour + day) - self.twilight_share(self.sunset, hour + day))
            .sum();
        (if self.sunrise <= self.sunset { up } else { 1.0 + up }).clamp(0.0, 1.0)
    }

    /// Returns the share of a twilight around `middle` that has passed, 0 to 1: 3t² − 2t³.
    fn twilight_share(&self, middle: f64, hour: f64) -> f64 {
        if self.twilight <= 0.0 {
            return if hour >= middle { 1.0 } else { 0.0 };
        }
        hermite(((hour - middle) / self.twilight + 0.5).clamp(0.0, 1.0))
    }

    /// Returns the hour this many minutes later; after a [`YEAR`](Self::YEAR) it starts again at 0.
    pub fn hour_after(&self, minutes: f64) -> f64 {
        (self.hour * 60.0 + minutes) % (Self::YEAR * 60.0) / 60.0
    }

    /// Returns day and time: `day 2, 06:40`.
    pub fn day_and_time(&self) -> String {
        let minutes = (self.hour * 60.0).round() as u64;
        format!("day {}, {:02}:{:02}", minutes / 1440 + 1, minutes / 60 % 24, minutes % 60)
    }
}
