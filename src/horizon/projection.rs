//! [`Projection`]: the directions of the pixels of a panorama.

use std::ops::Bound::{Excluded, Included, Unbounded};

use super::config::{HorizonError, MAX_PIXELS};
use crate::setters;
use crate::sight::OutOfRange;

/// The directions of the pixels of a panorama: a cylinder on which azimuths and elevations are evenly spaced.
///
/// ```
/// use farsight::horizon::Projection;
/// let west = Projection::new(900, 200).with_left_deg(225.0).with_field_deg(90.0);
/// assert!(west.check().is_ok());
/// assert_eq!((west.azimuth_deg(450.0), west.x(270.0)), (270.0, Some(450.0))); // the middle column
/// assert_eq!((west.elevation_deg(50.0), west.y(5.0)), (5.0, 50.0)); // rows are counted from above
/// assert!(west.with_field_deg(720.0).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Projection {
    /// Columns of pixels. Their product with the rows is from 1 to [`MAX_PIXELS`](Self::MAX_PIXELS).
    pub width: usize,
    /// Rows of pixels.
    pub height: usize,
    /// The azimuth of the left edge, in degrees clockwise from north.
    pub left_deg: f64,
    /// The field from the left to the right edge, in degrees: above 0, at most 360.
    pub field_deg: f64,
    /// The elevation of the upper edge over the level of the eye, in degrees: above that of the lower edge.
    pub top_deg: f64,
    /// The elevation of the lower edge, in degrees.
    pub bottom_deg: f64,
}

impl Projection {
    /// The most pixels: 131,072 columns of 32,768 rows, which take 16 GiB.
    pub const MAX_PIXELS: u64 = MAX_PIXELS;

    /// All around from north over east to north, from 10° below the level of the eye to 10° above it.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, left_deg: 0.0, field_deg: 360.0, top_deg: 10.0, bottom_deg: -10.0 }
    }

    setters! {
        with_width(width: usize), with_height(height: usize), with_left_deg(left_deg: f64), with_field_deg(field_deg: f64),
        with_top_deg(top_deg: f64), with_bottom_deg(bottom_deg: f64),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`HorizonError::Pixels`], [`HorizonError::OutOfRange`].
    pub fn check(&self) -> Result<(), HorizonError> {
        let Self { width, height, left_deg, field_deg, top_deg, bottom_deg } = *self;
        if !(1..=u128::from(Self::MAX_PIXELS)).contains(&(width as u128 * height as u128)) {
            return Err(HorizonError::Pixels { width, height });
        }
        OutOfRange::check("left_deg", left_deg, ..)?;
        OutOfRange::check("field_deg", field_deg, (Excluded(0.0), Included(360.0)))?;
        OutOfRange::check("bottom_deg", bottom_deg, ..)?;
        Ok(OutOfRange::check("top_deg", top_deg, (Excluded(bottom_deg), Unbounded))?)
    }

    /// Returns the azimuth at a distance in pixels from the left edge, from 0 to below 360 degrees.
    pub fn azimuth_deg(&self, x: f64) -> f64 {
        (self.left_deg + self.field_deg * x / self.width as f64).rem_euclid(360.0)
    }

    /// Returns the distance of an azimuth from the left edge in pixels, or `None` if it is not in the field.
    pub fn x(&self, azimuth_deg: f64) -> Option<f64> {
        let x = (azimuth_deg - self.left_deg).rem_euclid(360.0) / self.field_deg * self.width as f64;
        (x <= self.width as f64).then_some(x)
    }

    /// Returns the elevation at a distance in pixels from the upper edge, in degrees.
    pub fn elevation_deg(&self, y: f64) -> f64 {
        self.top_deg + (self.bottom_deg - self.top_deg) * y / self.height as f64
    }

    /// Returns the distance of an elevation from the upper edge, in pixels; outside of the edges for elevations that
    /// are not shown.
    pub fn y(&self, elevation_deg: f64) -> f64 {
        (elevation_deg - self.top_deg) / (self.bottom_deg - self.top_deg) * self.height as f64
    }

    /// Returns the distance of a slope from the upper edge, in pixels.
    pub fn y_of_slope(&self, slope: f64) -> f64 {
        self.y(libm::atan(slope).to_degrees())
    }

    /// Returns the slope, rise over run, at a distance in pixels from the upper edge.
    pub fn slope(&self, y: f64) -> f64 {
        /// Straight up and down have an infinite slope.
        const STEEPEST_DEG: f64 = 89.999;
        libm::tan(self.elevation_deg(y).clamp(-STEEPEST_DEG, STEEPEST_DEG).to_radians())
    }

    /// Returns the number of pixels per degree, horizontally and vertically.
    pub fn pixels_per_degree(&self) -> [f64; 2] {
        [self.width as f64 / self.field_deg, self.height as f64 / (self.top_deg - self.bottom_deg)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_pixels_agree() {
        let projection = Projection::new(900, 200).with_left_deg(300.0).with_field_deg(90.0).with_bottom_deg(-5.0);
        assert_eq!(projection.azimuth_deg(450.0), 345.0);
        assert_eq!(projection.azimuth_deg(900.0), 30.0);
        assert_eq!([projection.x(345.0), projection.x(-15.0), projection.x(100.0)], [Some(450.0), Some(450.0), None]);
        for y in [0.0, 33.3, 200.0] {
            assert!((projection.y_of_slope(projection.slope(y)) - y).abs() < 1e-9);
        }
        assert!(projection.slope(0.0) > 0.17 && projection.slope(200.0) < -0.08);
        assert_eq!(projection.pixels_per_degree(), [10.0, 200.0 / 15.0]);
    }
}
