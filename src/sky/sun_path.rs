//! [`SunPath`]: the places of the sun on a day or in a year, by azimuth; [`SunDays`].

use std::fmt;
use std::str::FromStr;

use super::sky::SkyError;
use crate::horizon::HorizonConfig;
use crate::light::SunPosition;

/// The days whose hours of sun are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SunDays {
    /// A day of the year: 1 is the first of January, 365 the last of December.
    Day(u16),
    /// The mean of all days of a year.
    Year,
}

/// The lengths of the months.
const MONTHS: [u16; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

impl fmt::Display for SunDays {
    /// `06-21`, or `year`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Day(mut day) = *self else { return f.write_str("year") };
        let mut month = 0;
        while month < 11 && day > MONTHS[month] {
            day -= MONTHS[month];
            month += 1;
        }
        write!(f, "{:02}-{day:02}", month + 1)
    }
}

impl FromStr for SunDays {
    type Err = SkyError;

    /// Reads `year`, or a month and a day such as `06-21`.
    fn from_str(text: &str) -> Result<Self, SkyError> {
        if text == "year" {
            return Ok(Self::Year);
        }
        let date = || {
            let (month, day) = text.split_once('-')?;
            let (month, day): (usize, u16) = (month.parse().ok()?, day.parse().ok()?);
            let length = *MONTHS.get(month.checked_sub(1)?)?;
            (1..=length).contains(&day).then(|| MONTHS[..month - 1].iter().sum::<u16>() + day)
        };
        date().map(Self::Day).ok_or_else(|| SkyError::Date(text.to_owned()))
    }
}

/// The places of the sun on a day or in a year at a latitude, each at the nearest of some azimuths.
///
/// ```
/// use farsight::sky::{SunDays, SunPath};
/// let midsummer = SunPath::new(47.0, "06-21".parse()?, 64)?;
/// assert!((midsummer.hours_over_level_ground() - 15.7).abs() < 0.1);
/// let year = SunPath::new(47.0, SunDays::Year, 64)?;
/// assert!((year.hours_over_level_ground() - 12.0).abs() < 0.1); // a day, as everywhere
/// # Ok::<(), farsight::sky::SkyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SunPath {
    /// The slopes of the lines to the sun at each azimuth, from low to high.
    slopes: Vec<Vec<f32>>,
    /// The hours a day that a place stands for.
    hours: f64,
}

impl SunPath {
    /// Computes the places of the sun at a latitude in degrees, for each minute of a day, or each five minutes of all days of a year. The
    /// azimuths are evenly all around, from north over east.
    ///
    /// # Errors
    /// [`SkyError::Latitude`]; [`SkyError::Horizon`] for a number of azimuths out of range.
    pub fn new(latitude_deg: f64, days: SunDays, azimuths: u32) -> Result<Self, SkyError> {
        if !(-90.0..=90.0).contains(&latitude_deg) {
            return Err(SkyError::Latitude(latitude_deg));
        }
        HorizonConfig::default().with_azimuths(azimuths).check()?;
        let (days, places_a_day) = match days {
            SunDays::Day(day) => (day..=day, 24 * 60),
            SunDays::Year => (1..=365, 24 * 12),
        };
        let mut slopes = vec![Vec::new(); azimuths as usize];
        let day_count = days.len();
        for day in days {
            let declination_deg = SunPosition::declination_deg(day);
            for i in 0..places_a_day {
                let hour_angle_deg = (f64::from(i) + 0.5) / f64::from(places_a_day) * 360.0 - 180.0;
                let sun = SunPosition::at(latitude_deg, declination_deg, hour_angle_deg);
                if sun.elevation_deg > 0.0 {
                    let nearest = (sun.azimuth_deg / 360.0 * f64::from(azimuths)).round() as usize;
                    slopes[nearest % azimuths as usize].push(libm::tan(sun.elevation_deg.to_radians()) as f32);
                }
            }
        }
        slopes.iter_mut().for_each(|slopes| slopes.sort_unstable_by(f32::total_cmp));
        Ok(Self { slopes, hours: 24.0 / (f64::from(places_a_day) * day_count as f64) })
    }

    /// Returns the hours of sun a day where the horizon is level all around.
    pub fn hours_over_level_ground(&self) -> f64 {
        self.slopes.iter().map(|slopes| slopes.len() as f64 * self.hours).sum()
    }

    /// Returns the number of azimuths.
    pub(super) fn azimuths(&self) -> u32 {
        self.slopes.len() as u32
    }

    /// Returns `true` if the sun is ever at an azimuth.
    pub(super) fn has_sun_at(&self, azimuth: usize) -> bool {
        !self.slopes[azimuth].is_empty()
    }

    /// Returns the number of places at an azimuth over a slope, which may be NaN for no horizon.
    #[inline]
    pub(super) fn places_over(&self, azimuth: usize, slope: f32) -> usize {
        let slopes = &self.slopes[azimuth];
        slopes.len() - slopes.partition_point(|sun| *sun <= slope) // none is less than NaN
    }

    /// Returns the hours a day that some places stand for.
    pub(super) fn hours(&self, places: f32) -> f32 {
        (f64::from(places) * self.hours) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_year() {
        for (text, day) in [("01-01", 1), ("3-1", 60), ("06-21", 172), ("12-31", 365)] {
            assert_eq!(text.parse(), Ok(SunDays::Day(day)), "{text}");
        }
        for day in 1..=365 {
            assert_eq!(SunDays::Day(day).to_string().parse(), Ok(SunDays::Day(day)));
        }
        assert_eq!(("year".parse(), SunDays::Year.to_string().as_str()), (Ok(SunDays::Year), "year"));
        for text in ["", "summer", "02-29", "13-01", "00-10", "06-00", "06", "2026-06-21", "-1-3"] {
            let error = text.parse::<SunDays>().unwrap_err().to_string();
            assert!(error.contains(&format!("{text:?}")) && error.contains("06-21"), "{error}");
        }
    }
}
