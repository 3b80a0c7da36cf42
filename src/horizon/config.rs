//! [`HorizonConfig`]: the azimuths and the range of a horizon; [`HorizonError`].

use glam::IVec2;

use crate::grid::CellRect;
use crate::setters;
use crate::sight::{OutOfRange, SightError};

/// The most pixels of a panorama.
pub(super) const MAX_PIXELS: u64 = 1 << 32;

/// The azimuths and the range of a [`Horizon`](super::Horizon). By default 360 azimuths from the top of the map, to its edge, and
/// each ridge with any hidden ground behind it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HorizonConfig {
    /// The number of azimuths, 1 to [`MAX_AZIMUTHS`](Self::MAX_AZIMUTHS), evenly spaced from north over east.
    pub azimuths: u32,
    /// The range in metres, above 0. Infinite: to the edge of the map.
    pub max_distance_m: f64,
    /// The minimum depth of hidden ground behind a listed ridge, in metres, 0 or more.
    pub min_gap_m: f64,
    /// The meridian convergence in degrees: the azimuth of grid north, the top of the map, from true north. With it azimuths count
    /// from true north; with 0 from the top of the map.
    pub convergence_deg: f64,
}

impl Default for HorizonConfig {
    fn default() -> Self {
        Self { azimuths: 360, max_distance_m: f64::INFINITY, min_gap_m: 0.0, convergence_deg: 0.0 }
    }
}

impl HorizonConfig {
    /// One for each 0.077 seconds of arc: 360° / 2²⁴.
    pub const MAX_AZIMUTHS: u32 = 1 << 24;

    setters! {
        with_azimuths(azimuths: u32), with_max_distance_m(max_distance_m: f64), with_min_gap_m(min_gap_m: f64),
        with_convergence_deg(convergence_deg: f64),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn check(&self) -> Result<(), HorizonError> {
        let HorizonConfig { azimuths, max_distance_m, min_gap_m, convergence_deg } = *self;
        if !(1..=Self::MAX_AZIMUTHS).contains(&azimuths) {
            return Err(HorizonError::Azimuths(azimuths));
        }
        if max_distance_m.is_nan() || max_distance_m <= 0.0 {
            return Err(HorizonError::MaxDistance(max_distance_m));
        }
        if !(0.0..f64::INFINITY).contains(&min_gap_m) {
            return Err(HorizonError::MinGap(min_gap_m));
        }
        if !(-360.0..=360.0).contains(&convergence_deg) {
            return Err(HorizonError::Convergence(convergence_deg));
        }
        Ok(())
    }
}

/// An error of a horizon.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HorizonError {
    /// The viewer is off the map.
    #[error("the viewer {},{} is outside the map of {}x{} cells", viewer.x, viewer.y, size.x, size.y)]
    ViewerOutside {
        /// The cell of the viewer.
        viewer: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// The viewer is on a nodata cell.
    #[error("the viewer {},{} is on a nodata cell", .0.x, .0.y)]
    ViewerWithoutData(IVec2),
    /// The eye is below its ground.
    #[error("the eye is {0} m over its ground: expected 0 m or more")]
    EyeHeight(f64),
    /// A number of the surface is out of range.
    #[error(transparent)]
    Surface(#[from] SightError),
    /// Too few or too many azimuths.
    #[error("{0} azimuths: expected 1 to {max}", max = HorizonConfig::MAX_AZIMUTHS)]
    Azimuths(u32),
    /// A range of 0 or less.
    #[error("the range is {0} m: expected more than 0 m")]
    MaxDistance(f64),
    /// A direction or a field out of range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A panorama without pixels, or with too many.
    #[error("a panorama of {width}x{height} pixels: expected 1 to {max} pixels", max = MAX_PIXELS)]
    Pixels {
        /// Columns of pixels.
        width: usize,
        /// Rows of pixels.
        height: usize,
    },
    /// Cells off the map.
    #[error("the cells {},{} to {},{} are not all on the map of {}x{} cells",
        cells.min.x, cells.min.y, cells.max.x.saturating_sub(1), cells.max.y.saturating_sub(1), size.x, size.y)]
    CellsOutside {
        /// The cells.
        cells: CellRect,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// A least gap that is not 0 or more.
    #[error("the least gap behind a ridge is {0} m: expected 0 m or more")]
    MinGap(f64),
    /// A meridian convergence out of range.
    #[error("a meridian convergence of {0}°: expected -360 to 360")]
    Convergence(f64),
}
