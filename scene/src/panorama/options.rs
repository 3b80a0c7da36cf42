//! [`PanoramaOptions`]: the size and the directions of a panorama; [`PanoramaError`].

use std::ops::RangeInclusive;

use farsight::horizon::{HorizonConfig, HorizonError};
use farsight::light::SunPosition;
use farsight::setters;
use glam::IVec2;

use crate::files::MapSource;

/// The size and the directions of a panorama.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PanoramaOptions {
    /// Columns of pixels, [`WIDTHS`](Self::WIDTHS).
    pub width: u32,
    /// Rows of pixels, [`HEIGHTS`](Self::HEIGHTS).
    pub height: u32,
    /// The azimuth of the centre, in degrees clockwise from north, 0 to 360.
    pub middle_deg: f64,
    /// The horizontal field of view, in degrees: [`LEAST_FIELD_DEG`](Self::LEAST_FIELD_DEG) to 360.
    pub field_deg: f64,
    /// The vertical exaggeration, [`EXAGGERATIONS`](Self::EXAGGERATIONS). `None`: chosen so that the land fills the
    /// panorama.
    pub exaggeration: Option<f64>,
    /// The range in metres, above 0. Infinite: to the edge of the map.
    pub max_distance_m: f64,
    /// Samples per pixel along each axis, 1 to 4: more samples make smoother edges.
    pub samples: u32,
    /// Whether to name summits, waters and places.
    pub names: bool,
    /// The latitude of the viewer in degrees, −90 to 90, for the position of the sun.
    pub latitude_deg: f64,
    /// The meridian convergence at the viewer in degrees: the azimuth of grid north, the top of the map, from true north. With it
    /// azimuths count from true north; with 0 from the top of the map.
    pub convergence_deg: f64,
}

impl Default for PanoramaOptions {
    /// Returns the full circle with north at the centre, 1,920 × 360 pixels, with names.
    fn default() -> Self {
        Self {
            width: 1920,
            height: 360,
            middle_deg: 0.0,
            field_deg: 360.0,
            exaggeration: None,
            max_distance_m: f64::INFINITY,
            samples: 2,
            names: true,
            latitude_deg: SunPosition::LATITUDE_DEG,
            convergence_deg: 0.0,
        }
    }
}

impl PanoramaOptions {
    /// The accepted widths in pixels.
    pub const WIDTHS: RangeInclusive<u32> = 100..=32_768;
    /// The accepted heights in pixels.
    pub const HEIGHTS: RangeInclusive<u32> = 60..=8192;
    /// The minimum field of view in degrees.
    pub const LEAST_FIELD_DEG: f64 = 0.5;
    /// The accepted vertical exaggerations.
    pub const EXAGGERATIONS: RangeInclusive<f64> = 0.1..=20.0;

    setters! {
        with_width(width: u32), with_height(height: u32), with_middle_deg(middle_deg: f64), with_field_deg(field_deg: f64),
        with_exaggeration(exaggeration: impl Into<Option<f64>>), with_max_distance_m(max_distance_m: f64),
        with_samples(samples: u32), with_names(names: bool), with_latitude_deg(latitude_deg: f64),
        with_convergence_deg(convergence_deg: f64),
    }

    /// Sets the latitude and the meridian convergence to those of a cell of a heightmap, if its reference system is known.
    pub fn set_place(&mut self, map: &MapSource, cell: IVec2) {
        self.latitude_deg = map.latitude_deg(cell).unwrap_or(self.latitude_deg);
        self.convergence_deg = map.convergence_deg(cell).unwrap_or(0.0);
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`PanoramaError`].
    pub fn check(&self) -> Result<(), PanoramaError> {
        if !Self::WIDTHS.contains(&self.width) {
            return Err(PanoramaError::Width(self.width));
        }
        if !Self::HEIGHTS.contains(&self.height) {
            return Err(PanoramaError::Height(self.height));
        }
        if !(0.0..=360.0).contains(&self.middle_deg) {
            return Err(PanoramaError::Azimuth(self.middle_deg));
        }
        if !(Self::LEAST_FIELD_DEG..=360.0).contains(&self.field_deg) {
            return Err(PanoramaError::Field(self.field_deg));
        }
        if let Some(exaggeration) = self.exaggeration.filter(|factor| !Self::EXAGGERATIONS.contains(factor)) {
            return Err(PanoramaError::Exaggeration(exaggeration));
        }
        if self.max_distance_m.is_nan() || self.max_distance_m <= 0.0 {
            return Err(HorizonError::MaxDistance(self.max_distance_m).into());
        }
        if !(1..=4).contains(&self.samples) {
            return Err(PanoramaError::Samples(self.samples));
        }
        if !(-90.0..=90.0).contains(&self.latitude_deg) {
            return Err(PanoramaError::Latitude(self.latitude_deg));
        }
        HorizonConfig::default().with_convergence_deg(self.convergence_deg).check()?;
        Ok(())
    }
}

/// An error of a panorama.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PanoramaError {
    /// The scene has no heights.
    #[error("a dungeon or an opacity map has no heights: a panorama needs land")]
    NoLand,
    /// A width out of range.
    #[error("a panorama of {0} pixels across: expected {low} to {high}",
        low = PanoramaOptions::WIDTHS.start(), high = PanoramaOptions::WIDTHS.end())]
    Width(u32),
    /// A height out of range.
    #[error("a panorama of {0} pixels upwards: expected {low} to {high}",
        low = PanoramaOptions::HEIGHTS.start(), high = PanoramaOptions::HEIGHTS.end())]
    Height(u32),
    /// An azimuth out of range.
    #[error("an azimuth of {0}°: expected 0 to 360, clockwise from north")]
    Azimuth(f64),
    /// A field out of range.
    #[error("a field of {0}°: expected {least} to 360", least = PanoramaOptions::LEAST_FIELD_DEG)]
    Field(f64),
    /// A vertical exaggeration out of range.
    #[error("an exaggeration of {0}: expected {low} to {high}",
        low = PanoramaOptions::EXAGGERATIONS.start(), high = PanoramaOptions::EXAGGERATIONS.end())]
    Exaggeration(f64),
    /// A number of samples out of range.
    #[error("{0} samples of a pixel: expected 1 to 4")]
    Samples(u32),
    /// A latitude out of range.
    #[error("a latitude of {0}°: expected -90 to 90")]
    Latitude(f64),
    /// There is no horizon.
    #[error(transparent)]
    Horizon(#[from] HorizonError),
}
