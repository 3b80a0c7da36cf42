//! [`SunPosition`]: the place of the sun in the sky at the hour of a clock.

use crate::light::ClockConfig;

/// The place of the sun in the sky.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SunPosition {
    /// Degrees clockwise from north.
    pub azimuth_deg: f64,
    /// Degrees over the horizon, without refraction; below 0 it has set.
    pub elevation_deg: f64,
}

impl SunPosition {
    /// The latitude that the clock is taken to have: in the north, as the light of the map says.
    pub const LATITUDE_DEG: f64 = 45.0;
    /// The greatest declination of the sun: the tilt of the axis of the Earth.
    const GREATEST_DECLINATION_DEG: f64 = 23.44;

    /// Returns the place of the sun at the hour of a clock; `None` if the clock does not run.
    ///
    /// With the latitude φ, the half of the day H₀ (15° for each hour from sunrise to noon) gives the declination δ of the sun by
    /// cos H₀ = −tan φ tan δ, at most that of midsummer. At the hour angle H the elevation h and the azimuth A, from the south to
    /// the west, follow from sin h = sin φ sin δ + cos φ cos δ cos H and tan A = sin H / (sin φ cos H − cos φ tan δ) (Meeus,
    /// *Astronomical Algorithms*, 1998, chapters 13 and 15). So that the sun rises and sets when the clock says, day and night run
    /// evenly between these hours.
    ///
    /// ```
    /// use farsight::light::ClockConfig;
    /// use farsight::panorama::SunPosition;
    /// let noon = SunPosition::of(&ClockConfig::default().with_runs(true)).expect("a clock that runs");
    /// assert!((noon.azimuth_deg - 180.0).abs() < 1e-9 && (noon.elevation_deg - 45.0).abs() < 1e-9);
    /// ```
    pub fn of(clock: &ClockConfig) -> Option<Self> {
        if !clock.runs {
            return None;
        }
        let day = clock.sunset - clock.sunrise;
        let day = if day >= 24.0 { 24.0 } else { day.rem_euclid(24.0) };
        let latitude = Self::LATITUDE_DEG.to_radians();
        let half_day = (7.5 * day).to_radians();
        let greatest = Self::GREATEST_DECLINATION_DEG.to_radians();
        let declination = libm::atan(-libm::cos(half_day) / libm::tan(latitude)).clamp(-greatest, greatest);
        // The hour angle at sunset for this declination; day and night are stretched to it.
        let sunset = libm::acos((-libm::tan(latitude) * libm::tan(declination)).clamp(-1.0, 1.0));
        let since_noon = (clock.hour - clock.sunrise - day / 2.0 + 12.0).rem_euclid(24.0) - 12.0;
        let hour_angle = if since_noon.abs() <= day / 2.0 {
            if day > 0.0 { since_noon / (day / 2.0) * sunset } else { 0.0 }
        } else {
            let night = (since_noon.abs() - day / 2.0) / (12.0 - day / 2.0);
            (sunset + night * (std::f64::consts::PI - sunset)) * since_noon.signum()
        };
        let (sin, cos) = libm::sincos(hour_angle);
        let (sin_latitude, cos_latitude) = libm::sincos(latitude);
        let (sin_declination, cos_declination) = libm::sincos(declination);
        let elevation = libm::asin(sin_latitude * sin_declination + cos_latitude * cos_declination * cos);
        let from_south = libm::atan2(sin, sin_latitude * cos - cos_latitude * libm::tan(declination));
        Some(Self {
            azimuth_deg: (180.0 + from_south.to_degrees()).rem_euclid(360.0),
            elevation_deg: elevation.to_degrees(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sun(sunrise: f64, sunset: f64, hour: f64) -> SunPosition {
        let clock = ClockConfig::default().with_runs(true).with_sunrise(sunrise).with_sunset(sunset);
        SunPosition::of(&clock.with_hour(hour)).unwrap()
    }

    #[test]
    fn the_sun_rises_and_sets_when_the_clock_says() {
        for (sunrise, sunset) in [(6.0, 18.0), (4.0, 20.0), (8.0, 16.5), (2.0, 23.0)] {
            for hour in [sunrise, sunset, sunset + 48.0] {
                let sun = sun(sunrise, sunset, hour);
                assert!(sun.elevation_deg.abs() < 1e-6, "{sunrise} {sunset} {hour}: {sun:?}");
                assert_eq!(sun.azimuth_deg < 180.0, hour == sunrise);
            }
            let noon = sun(sunrise, sunset, (sunrise + sunset) / 2.0);
            let declination = noon.elevation_deg - 45.0;
            assert!(declination.abs() < SunPosition::GREATEST_DECLINATION_DEG + 1e-9, "{noon:?}");
            assert!((noon.azimuth_deg - 180.0).abs() < 1e-6, "{noon:?}");
            assert!(sun(sunrise, sunset, sunset + (sunrise + 24.0 - sunset) / 2.0).elevation_deg < 0.0);
        }
    }

    #[test]
    fn the_sun_of_the_equinox_is_that_of_the_almanac() {
        // Latitude 45°, declination 0°, three hours before noon: sin h = cos 45° cos 45°, tan A = −1 / sin 45°.
        let sun = sun(6.0, 18.0, 9.0);
        assert!((sun.elevation_deg - 30.0).abs() < 1e-9 && (sun.azimuth_deg - 125.264_389).abs() < 1e-5, "{sun:?}");
    }

    #[test]
    fn a_clock_that_stands_has_no_sun() {
        assert_eq!(SunPosition::of(&ClockConfig::default()), None);
        assert!(sun(6.0, 6.0, 6.0).azimuth_deg.is_finite() && sun(0.0, 24.0, 3.0).elevation_deg.is_finite());
    }
}
