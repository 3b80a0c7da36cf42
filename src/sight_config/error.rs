//! [`SightError`]: the errors of a field of view; [`OutOfRange`]: a number out of its range.

use std::fmt;
use std::ops::{Bound, RangeBounds, RangeInclusive};

use glam::IVec2;

use crate::grid::CellRect;
use crate::job::Cancelled;

/// An error of a field of view.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SightError {
    /// The viewer is not on the map.
    #[error("the viewer at {},{} is outside the map of {width}x{height} cells{}",
        viewer.x, viewer.y, cell_range(*extent), width = extent.width(), height = extent.height())]
    ViewerOutside {
        /// The viewer's cell.
        viewer: IVec2,
        /// The cells of the map.
        extent: CellRect,
    },
    /// The ground at the viewer has no elevation.
    #[error("the viewer at {},{} is on a nodata cell; choose a cell with an elevation",
        viewer.x, viewer.y)]
    ViewerWithoutData {
        /// The viewer's cell.
        viewer: IVec2,
    },
    /// A grid has another size than the ground.
    #[error("{field}: {}x{} cells; expected {}x{}, as the ground has", size.x, size.y, expected.x, expected.y)]
    OtherSize {
        /// The name of the grid.
        field: &'static str,
        /// Its columns and rows.
        size: IVec2,
        /// Those of the ground.
        expected: IVec2,
    },
    /// The viewer is so far from 0,0 that coordinates around it would overflow.
    #[error("the viewer at {},{} is too far away; coordinates go from -{limit} to {limit}", viewer.x, viewer.y)]
    TooFarAway {
        /// The viewer's cell.
        viewer: IVec2,
        /// The maximum coordinate.
        limit: i32,
    },
    /// The radius is above the limit.
    #[error("a radius of {radius} cells is too large; at most {limit} is accepted")]
    RadiusTooLarge {
        /// The radius in cells.
        radius: u32,
        /// The maximum radius.
        limit: u32,
    },
    /// A number is out of range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The points of a decay are invalid.
    #[error(transparent)]
    DecayPoints(#[from] DecayPointsError),
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Invalid points of [`Decay::Points`](super::Decay::Points).
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecayPointsError {
    /// The list is empty.
    #[error("a decay by points needs points; expected one at least")]
    Missing,
    /// A distance is not a finite number above that of the previous point.
    #[error("points[{index}] is [{}, {}]; expected distances that rise from 0", point[0], point[1])]
    Distance {
        /// The index of the point.
        index: usize,
        /// Its distance and value.
        point: [f64; 2],
    },
    /// A value is outside of [0, 1] or above that of the previous point.
    #[error("points[{index}] is [{}, {}]; expected values from 0 to 1 that do not rise", point[0], point[1])]
    Value {
        /// The index of the point.
        index: usize,
        /// Its distance and value.
        point: [f64; 2],
    },
    /// The value at distance 0 is not 1.
    #[error("points[{index}] is [{}, {}]; expected the value 1 at distance 0", point[0], point[1])]
    Start {
        /// The index of the point.
        index: usize,
        /// Its distance and value.
        point: [f64; 2],
    },
}

/// Returns the first and last cell of a map in parentheses; empty for a map without cells.
fn cell_range(extent: CellRect) -> String {
    let (first, last) = (extent.min, extent.max - 1);
    match (extent.width(), extent.height()) {
        (0, _) | (_, 0) => String::new(),
        _ => format!(" ({},{} to {},{})", first.x, first.y, last.x, last.y),
    }
}

/// A number out of its range.
///
/// ```
/// use farsight::sight::{Method, OutOfRange};
/// let error = Method::Beam { beams: 99.0 }.check().unwrap_err();
/// assert_eq!((error.name, error.value, error.limits), ("beams", 99.0, (0.5..=4.0).into()));
/// assert_eq!(error.to_string(), "beams: 99 is not valid: expected 0.5 to 4");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{name}: {value} is not valid: expected {limits}")]
#[non_exhaustive]
pub struct OutOfRange {
    /// The name of the parameter, for instance of a field.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// The accepted values.
    pub limits: Limits,
}

impl OutOfRange {
    /// Checks a number. Infinity is accepted only if it is the included end of the range.
    ///
    /// # Errors
    /// [`OutOfRange`] if it is outside the range, or NaN.
    pub fn check(name: &'static str, value: f64, range: impl Into<Limits>) -> Result<(), Self> {
        let limits = range.into();
        if limits.contains(value) { Ok(()) } else { Err(Self { name, value, limits }) }
    }

    /// Checks a whole number.
    pub(crate) fn check_whole(name: &'static str, value: u32, range: RangeInclusive<u32>) -> Result<(), Self> {
        Self::check(name, value.into(), f64::from(*range.start())..=f64::from(*range.end()))
    }
}

/// The accepted range. As text: `0 to 1`, `more than 0`, `a finite number`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The minimum.
    pub min: Bound<f64>,
    /// The maximum.
    pub max: Bound<f64>,
}

impl<R: RangeBounds<f64>> From<R> for Limits {
    fn from(range: R) -> Self {
        Self { min: range.start_bound().cloned(), max: range.end_bound().cloned() }
    }
}

impl Limits {
    /// Returns `true` for an accepted number. Infinity is accepted only if the range includes it as its end.
    pub fn contains(&self, value: f64) -> bool {
        (self.min, self.max).contains(&value) && (value.is_finite() || self.max == Bound::Included(value))
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Bound::{Excluded, Included, Unbounded};
        match (self.min, self.max) {
            (Included(min), Included(f64::INFINITY) | Unbounded) => write!(f, "{min} or more"),
            (Included(min), Included(max)) => write!(f, "{min} to {max}"),
            (Included(min), Excluded(max)) => write!(f, "{min} to less than {max}"),
            (Excluded(min), Included(f64::INFINITY) | Unbounded) => write!(f, "more than {min}"),
            (Excluded(min), Included(max)) => write!(f, "more than {min}, and {max} at most"),
            (Excluded(min), Excluded(max)) => write!(f, "more than {min} and less than {max}"),
            (Unbounded, Included(max)) => write!(f, "{max} at most"),
            (Unbounded, Excluded(max)) => write!(f, "less than {max}"),
            (Unbounded, Unbounded) => f.write_str("a finite number"),
        }
    }
}
