//! [`SunPosition`]: the position of the sun in the sky, at the hour of a clock or on a day of the year.

use super::daylight::ClockConfig;

/// The position of the sun in the sky.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunPosition {
    /// Degrees clockwise from north.
    pub azimuth_deg: f64,
    /// Degrees above the horizon, without refraction; below 0 the sun has set.
    pub elevation_deg: f64,
}

impl SunPosition {
    /// The latitude of a world without one: in the north, consistent with the light of the map.
    pub const LATITUDE_DEG: f64 = 45.0;
    /// The maximum declination of the sun: the tilt of the axis of the Earth.
    const GREATEST_DECLINATION_DEG: f64 = 23.44;

    /// Returns the position of the sun at a latitude, by its declination and its hour angle: 15° for each hour after
    /// noon. All are in degrees, and the hour is that of the sun itself (apparent solar time).
    ///
    /// At the latitude φ, the declination δ and the hour angle H the elevation h and the azimuth A, from the south to the west, follow
    /// from sin h = sin φ sin δ + cos φ cos δ cos H and tan A = sin H / (sin φ cos H − cos φ tan δ) (Meeus, *Astronomical
    /// Algorithms*, 1998, chapter 13).
    ///
    /// ```
    /// use farsight::light::SunPosition;
    /// let noon = SunPosition::at(47.0, SunPosition::declination_deg(172), 0.0); // 21 June
    /// assert!((noon.elevation_deg - 66.4).abs() < 0.1 && (noon.azimuth_deg - 180.0).abs() < 1e-9);
    /// ```
    pub fn at(latitude_deg: f64, declination_deg: f64, hour_angle_deg: f64) -> Self {
        let (sin, cos) = libm::sincos(hour_angle_deg.to_radians());
        let (sin_latitude, cos_latitude) = libm::sincos(latitude_deg.to_radians());
        let (sin_declination, cos_declination) = libm::sincos(declination_deg.to_radians());
        let elevation = libm::asin(sin_latitude * sin_declination + cos_latitude * cos_declination * cos);
        let to_south = sin_latitude * cos * cos_declination - cos_latitude * sin_declination;
        let from_south = libm::atan2(sin * cos_declination, to_south);
        Self { azimuth_deg: (180.0 + from_south.to_degrees()).rem_euclid(360.0), elevation_deg: elevation.to_degrees() }
    }

    /// Returns the declination of the sun at noon on a day of the year, in degrees; 1 is the first of January. It is
    /// that of 2026; in other years it differs by up to 0.2° because of leap years.
    ///
    /// With the days n since noon of 1 January 2000, the mean anomaly g = 357.529° + 0.98560028° n and the mean longitude L = 280.459° +
    /// 0.98564736° n give the ecliptic longitude λ = L + 1.915° sin g + 0.020° sin 2g, and λ the declination by sin δ = sin ε sin λ
    /// with the obliquity ε = 23.436° (Meeus, chapter 25, as the Astronomical Almanac shortens it: at most 0.01° off).
    pub fn declination_deg(day: u16) -> f64 {
        /// The days from noon of 1 January 2000 to the noon before 1 January 2026.
        const DAYS_BEFORE: f64 = 9496.0;
        let n = DAYS_BEFORE + f64::from(day);
        let anomaly = (357.529 + 0.985_600_28 * n).to_radians();
        let longitude = 280.459 + 0.985_647_36 * n + 1.915 * libm::sin(anomaly) + 0.020 * libm::sin(2.0 * anomaly);
        libm::asin(libm::sin(23.436_f64.to_radians()) * libm::sin(longitude.to_radians())).to_degrees()
    }

    /// Returns the position of the sun at the hour of a clock at a latitude in degrees; `None` if the clock does not
    /// run.
    ///
    /// At the latitude φ, the half of the day H₀ (15° for each hour from sunrise to noon) gives the declination δ of the sun by
    /// cos H₀ = −tan φ tan δ (Meeus, chapter 15), at most that of midsummer. Day and night run evenly between sunrise
    /// and sunset, so that the sun rises and sets at the hours of the clock.
    ///
    /// ```
    /// use farsight::light::{ClockConfig, SunPosition};
    /// let noon = SunPosition::of(&ClockConfig::default().with_runs(true), 45.0).expect("a clock that runs");
    /// assert!((noon.azimuth_deg - 180.0).abs() < 1e-9 && (noon.elevation_deg - 45.0).abs() < 1e-9);
    /// ```
    pub fn of(clock: &ClockConfig, latitude_deg: f64) -> Option<Self> {
        if !clock.runs {
            return None;
        }
        let day = clock.sunset - clock.sunrise;
        let day = if day >= 24.0 { 24.0 } else { day.rem_euclid(24.0) };
        let tan_latitude = libm::tan(latitude_deg.to_radians());
        let greatest = Self::GREATEST_DECLINATION_DEG.to_radians();
        let declination = match tan_latitude == 0.0 {
            true => 0.0,
            false => libm::atan(-libm::cos((7.5 * day).to_radians()) / tan_latitude).clamp(-greatest, greatest),
        };
        // The hour angle at sunset for this declination; day and night are stretched to it.
        let sunset = libm::acos((-tan_latitude * libm::tan(declination)).clamp(-1.0, 1.0));
        let since_noon = (clock.hour - clock.sunrise - day / 2.0 + 12.0).rem_euclid(24.0) - 12.0;
        let hour_angle = if since_noon.abs() <= day / 2.0 {
            if day > 0.0 { since_noon / (day / 2.0) * sunset } else { 0.0 }
        } else {
            let night = (since_noon.abs() - day / 2.0) / (12.0 - day / 2.0);
            (sunset + night * (std::f64::consts::PI - sunset)) * since_noon.signum()
        };
        Some(Self::at(latitude_deg, declination.to_degrees(), hour_angle.to_degrees()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sun(sunrise: f64, sunset: f64, hour: f64) -> SunPosition {
        let clock = ClockConfig::default().with_runs(true).with_sunrise(sunrise).with_sunset(sunset);
        SunPosition::of(&clock.with_hour(hour), SunPosition::LATITUDE_DEG).unwrap()
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
        assert_eq!(SunPosition::of(&ClockConfig::default(), 45.0), None);
        assert!(sun(6.0, 6.0, 6.0).azimuth_deg.is_finite() && sun(0.0, 24.0, 3.0).elevation_deg.is_finite());
    }

    #[test]
    fn the_sun_of_the_south_is_in_the_north_at_noon() {
        let clock = ClockConfig::default().with_runs(true);
        for (latitude_deg, azimuth_deg, elevation_deg) in [(-33.0, 0.0, 57.0), (0.0, 0.0, 90.0), (60.0, 180.0, 30.0)] {
            let sun = SunPosition::of(&clock, latitude_deg).unwrap();
            assert!((sun.elevation_deg - elevation_deg).abs() < 1e-6, "{latitude_deg}: {sun:?}");
            let is_overhead = elevation_deg == 90.0;
            let aside_deg = (sun.azimuth_deg - azimuth_deg + 180.0).rem_euclid(360.0) - 180.0;
            assert!(is_overhead || aside_deg.abs() < 1e-6, "{latitude_deg}: {sun:?}");
        }
    }
}
