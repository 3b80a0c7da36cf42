//! [`Sky`]: the horizons of every cell of a surface, with sky-view factors and hours of sun; [`SunPath`]: the positions
//! of the sun on a day or in a year, by azimuth.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::ivec2;

use crate::grid::{CellRect, CellSize, Grid};
use crate::horizon::{CellHorizons, HorizonConfig, HorizonError};
use crate::job::{Cancelled, Job};
use crate::light::SunPosition;
use crate::parallel::*;
use crate::sight::OutOfRange;
use crate::viewshed::Surface;

/// An error of the sky over cells.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SkyError {
    /// There is no horizon, or cells are off the map.
    #[error(transparent)]
    Horizon(#[from] HorizonError),
    /// A latitude out of range.
    #[error("a latitude of {0}°: expected -90 to 90")]
    Latitude(f64),
    /// A day out of range.
    #[error("day {0} of the year: expected 1 to 365")]
    Day(u16),
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A text that is no date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no date: expected a month and a day such as 06-21, or year")]
pub struct DateError(String);

/// The days whose hours of sun are counted. In text, a month and a day such as `06-21`, or `year`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SunDays {
    /// A day of the year: 1 is the first of January, 365 the last of December.
    Day(u16),
    /// The mean of all days of a year.
    Year,
}

/// The lengths of the months.
const MONTHS: [u16; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

impl fmt::Display for SunDays {
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
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        if text == "year" {
            return Ok(Self::Year);
        }
        let date = || {
            let (month, day) = text.split_once('-')?;
            let (month, day): (usize, u16) = (month.parse().ok()?, day.parse().ok()?);
            let length = *MONTHS.get(month.checked_sub(1)?)?;
            (1..=length).contains(&day).then(|| MONTHS[..month - 1].iter().sum::<u16>() + day)
        };
        date().map(Self::Day).ok_or_else(|| DateError(text.to_owned()))
    }
}

/// The positions of the sun on a day or in a year at a latitude, each at the nearest of some azimuths.
///
/// ```
/// use farsight::sky::{SunDays, SunPath};
/// let midsummer = SunPath::new(47.0, "06-21".parse()?, 64)?;
/// assert!((midsummer.hours_over_level_ground() - 15.7).abs() < 0.1);
/// let year = SunPath::new(47.0, SunDays::Year, 64)?;
/// assert!((year.hours_over_level_ground() - 12.0).abs() < 0.1); // a day, as everywhere
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SunPath {
    /// The slopes of the lines to the sun at each azimuth, from low to high.
    slopes: Vec<Vec<f32>>,
    /// The hours per day that a position represents.
    hours: f64,
}

impl SunPath {
    /// The usual number of azimuths: with 64, the sun stands behind one ridge for up to 25 minutes, and shadows are fans; with 360 it is
    /// 3 minutes.
    pub const AZIMUTHS: u32 = 360;

    /// Computes the positions of the sun at a latitude in degrees, for each minute of a day, or every five minutes of
    /// all days of a year. The azimuths are evenly spaced from north over east.
    ///
    /// # Errors
    /// [`SkyError::Latitude`]; [`SkyError::Day`]; [`SkyError::Horizon`] for a number of azimuths out of range.
    pub fn new(latitude_deg: f64, days: SunDays, azimuths: u32) -> Result<Self, SkyError> {
        Self::over_grid(latitude_deg, 0.0, days, azimuths)
    }

    /// Computes [`new`](Self::new) over a map whose top, grid north, is at an azimuth from true north, the meridian convergence in
    /// degrees. The azimuths of the horizons count from the top of the map.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn over_grid(latitude_deg: f64, convergence_deg: f64, days: SunDays, azimuths: u32) -> Result<Self, SkyError> {
        if !(-90.0..=90.0).contains(&latitude_deg) {
            return Err(SkyError::Latitude(latitude_deg));
        }
        HorizonConfig::default().with_azimuths(azimuths).with_convergence_deg(convergence_deg).check()?;
        let (days, places_a_day) = match days {
            SunDays::Day(day) if !(1..=365).contains(&day) => return Err(SkyError::Day(day)),
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
                    let on_grid_deg = (sun.azimuth_deg - convergence_deg).rem_euclid(360.0);
                    let nearest = (on_grid_deg / 360.0 * f64::from(azimuths)).round() as usize;
                    slopes[nearest % azimuths as usize].push(libm::tan(sun.elevation_deg.to_radians()) as f32);
                }
            }
        }
        slopes.iter_mut().for_each(|slopes| slopes.sort_unstable_by(f32::total_cmp));
        Ok(Self { slopes, hours: 24.0 / (f64::from(places_a_day) * day_count as f64) })
    }

    /// Returns the hours of sun per day with a level horizon.
    pub fn hours_over_level_ground(&self) -> f64 {
        self.slopes.iter().map(|slopes| slopes.len() as f64 * self.hours).sum()
    }

    /// Returns the number of azimuths.
    fn azimuths(&self) -> u32 {
        self.slopes.len() as u32
    }

    /// Returns `true` if the sun is at an azimuth at any time.
    fn has_sun_at(&self, azimuth: usize) -> bool {
        !self.slopes[azimuth].is_empty()
    }

    /// Returns the number of positions at an azimuth above a slope; NaN is no horizon.
    #[inline]
    fn places_over(&self, azimuth: usize, slope: f32) -> usize {
        let slopes = &self.slopes[azimuth];
        slopes.len() - slopes.partition_point(|sun| *sun <= slope) // none is less than NaN
    }

    /// Returns the hours per day that some positions represent.
    fn hours(&self, places: f32) -> f32 {
        (f64::from(places) * self.hours) as f32
    }
}

/// The sky over the cells of a surface, for eyes at its [eye height](field@Surface::eye_height): by default on the ground.
///
/// A grid of some cells has (0, 0) at their `min`: the value of `cell` is `grid[cell - cells.min]`. For one cell pass
/// `CellRect::around(cell, 0)`.
///
/// ```
/// use farsight::grid::CellRect;
/// use farsight::sky::{Sky, SunPath};
/// use farsight::viewshed::Surface;
/// use farsight::{Grid, Job};
/// let ground = Grid::from_fn(61, 61, |cell| if cell.x == 40 { 300.0 } else { 0.0 }); // a ridge in the east
/// let sky = Sky::new(&Surface::of(&ground, 30.0), f64::INFINITY)?;
/// let (cells, foot) = (sky.cells(), [38, 30]);
/// let factor = sky.view_factor(64, cells, Job::none())?;
/// assert!(factor[[5, 30]] > 0.97 && factor[foot] < 0.6); // half of the sky is behind the ridge
/// let midsummer = SunPath::new(47.0, "06-21".parse()?, 64)?;
/// let hours = sky.sunshine_h(&midsummer, cells, Job::none())?;
/// assert!((hours[foot] - 8.0).abs() < 1.0); // the sun of the afternoon
/// let one = sky.view_factor(64, CellRect::around(foot, 0), Job::none())?;
/// assert_eq!(one[(0, 0)], factor[foot]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sky<'a> {
    ground: &'a Grid<f32>,
    horizons: CellHorizons<'a>,
    max_distance_m: f64,
    cell_size_at: Box<dyn Fn(i32) -> CellSize + Send + Sync + 'a>,
}

impl fmt::Debug for Sky<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sky").field("max_distance_m", &self.max_distance_m).finish_non_exhaustive()
    }
}

impl<'a> Sky<'a> {
    /// The usual number of azimuths of a [sky-view factor](Self::view_factor).
    pub const AZIMUTHS: u32 = 64;

    /// Prepares the sky over a surface, with horizons up to a range in metres, which may be infinite. Target height and
    /// softness are ignored.
    ///
    /// # Errors
    /// [`SkyError::Horizon`].
    pub fn new(surface: &Surface<'a>, max_distance_m: f64) -> Result<Self, SkyError> {
        HorizonConfig::default().with_max_distance_m(max_distance_m).check()?;
        let (ground, cell_size) = (surface.ground, surface.cell_size);
        let horizons = CellHorizons::new(surface)?;
        Ok(Self { ground, horizons, max_distance_m, cell_size_at: Box::new(move |_| cell_size) })
    }

    /// Sets the cell size of each row, for a raster in degrees.
    #[must_use]
    pub fn with_cell_size_at(mut self, cell_size_at: impl Fn(i32) -> CellSize + Send + Sync + 'a) -> Self {
        self.cell_size_at = Box::new(cell_size_at);
        self
    }

    /// Returns all cells of the surface.
    pub fn cells(&self) -> CellRect {
        CellRect::of_size(self.ground.size())
    }

    /// Computes the angle of the horizon of some cells along an azimuth in degrees clockwise from north, on all threads. In degrees over
    /// the level of the eye, from −90 to 90; NaN for a nodata cell, and for nodata in that direction.
    ///
    /// # Errors
    /// [`SkyError`].
    pub fn horizon_deg(&self, azimuth_deg: f64, cells: CellRect, job: Job<'_>) -> Result<Grid<f32>, SkyError> {
        OutOfRange::check("azimuth_deg", azimuth_deg, ..).map_err(HorizonError::from)?;
        let angle = |angle: &mut f32, slope: f32| *angle = libm::atanf(slope).to_degrees();
        self.add_up([azimuth_deg], cells, job, |_| angle)
    }

    /// Computes the sky-view factor (SVF) of some cells from evenly spaced azimuths, on all threads: from 0 to 1, NaN for a
    /// nodata cell. A direction with nodata is open.
    ///
    /// # Errors
    /// [`SkyError`].
    #[doc(alias = "svf")]
    pub fn view_factor(&self, azimuths: u32, cells: CellRect, job: Job<'_>) -> Result<Grid<f32>, SkyError> {
        HorizonConfig::default().with_azimuths(azimuths).check()?;
        let directions = (0..azimuths).map(|i| 360.0 * f64::from(i) / f64::from(azimuths));
        let open = |sum: &mut f32, slope: f32| {
            // cos² of the angle of the horizon.
            *sum += if slope > 0.0 { 1.0 / (1.0 + slope * slope) } else { 1.0 };
        };
        let sums = self.add_up(directions, cells, job, |_| open)?;
        Ok(self.with_gaps(sums, cells, |sum| sum / azimuths as f32))
    }

    /// Computes the hours of direct sun of some cells on all cores with the feature `parallel`: hours a day, NaN for a cell without data. A direction without data
    /// has a level horizon.
    ///
    /// # Errors
    /// [`SkyError`].
    pub fn sunshine_h(&self, sun: &SunPath, cells: CellRect, job: Job<'_>) -> Result<Grid<f32>, SkyError> {
        let with_sun: Vec<usize> = (0..sun.azimuths() as usize).filter(|i| sun.has_sun_at(*i)).collect();
        let directions = with_sun.iter().map(|i| 360.0 * *i as f64 / f64::from(sun.azimuths()));
        let places = self.add_up(directions, cells, job, |i| {
            let azimuth = with_sun[i];
            move |sum: &mut f32, slope: f32| *sum += sun.places_over(azimuth, slope) as f32 // whole numbers: exact
        })?;
        Ok(self.with_gaps(places, cells, |places| sun.hours(places)))
    }

    /// Passes the slopes of the horizons of some cells, azimuth by azimuth, to the function of that azimuth, which changes the value
    /// of the cell. Values begin at 0.
    fn add_up<F: Fn(&mut f32, f32) + Sync>(
        &self,
        azimuths: impl IntoIterator<Item = f64, IntoIter: ExactSizeIterator>,
        cells: CellRect,
        job: Job<'_>,
        add: impl Fn(usize) -> F,
    ) -> Result<Grid<f32>, SkyError> {
        self.horizons.check_cells(cells)?;
        let mut values = Grid::new(cells.width(), cells.height(), 0.0);
        let (first_row, width, height) = (cells.min.y, cells.width().max(1), cells.height());
        let azimuths = azimuths.into_iter();
        let count = azimuths.len() as f32;
        let first_size = (self.cell_size_at)(first_row);
        for (i, azimuth_deg) in azimuths.enumerate() {
            let (line, add) = (self.horizons.line(azimuth_deg, first_size, self.max_distance_m), add(i));
            let rows_done = AtomicUsize::new(0);
            values.as_mut_slice().par_chunks_mut(width).enumerate().try_for_each(|(y, row)| {
                let of_azimuth = rows_done.fetch_add(1, Ordering::Relaxed) as f32 / height as f32;
                job.report("horizons", (i as f32 + of_azimuth) / count)?;
                let y = first_row + y as i32;
                let mut slopes = vec![0.0; width];
                let cell_size = (self.cell_size_at)(y);
                let first = ivec2(cells.min.x, y);
                if cell_size == first_size {
                    self.horizons.fill_row(&line, first, &mut slopes);
                } else {
                    let line = self.horizons.line(azimuth_deg, cell_size, self.max_distance_m);
                    self.horizons.fill_row(&line, first, &mut slopes);
                }
                row.iter_mut().zip(slopes).for_each(|(value, slope)| add(value, slope));
                Ok::<(), Cancelled>(())
            })?;
        }
        job.report("horizons", 1.0)?;
        Ok(values)
    }

    /// Finishes the values of some cells; NaN for nodata cells.
    fn with_gaps(&self, values: Grid<f32>, cells: CellRect, finish: impl Fn(f32) -> f32) -> Grid<f32> {
        Grid::from_fn(values.width(), values.height(), |cell| {
            if self.ground[cells.min + cell].is_nan() { f32::NAN } else { finish(values[cell]) }
        })
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
