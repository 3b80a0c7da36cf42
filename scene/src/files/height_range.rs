//! [`HeightRange`]: the heights of black and white in a picture.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use farsight::internal::text::excerpt;

/// The largest height or depth that a heightmap may have, in metres.
pub(super) const MAX_HEIGHT_M: f64 = 20_000.0;

/// The heights of black and white in a picture that is read as a [`Heightmap`](super::Heightmap), in metres.
///
/// ```
/// let heights: crate::files::HeightRange = "-50:1800".parse().unwrap();
/// assert_eq!(heights.metres(), [-50.0, 1800.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 2]", into = "[f64; 2]")]
pub struct HeightRange {
    low_m: f64,
    high_m: f64,
}

/// Heights of black and white that are not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "heights \"{}\" are not valid: expected LOW:HIGH, the metres of black and white from -20000 to 20000, the lower first, \
    such as 0:1500",
    excerpt(given)
)]
pub struct HeightRangeError {
    given: String,
}

/// Neither height is NaN.
impl Eq for HeightRange {}

impl HeightRange {
    /// From the sea to 1500 m: a start for pictures that tell no heights.
    pub const FROM_SEA_TO_1500_M: Self = Self { low_m: 0.0, high_m: 1500.0 };

    /// Creates a range from the heights of black and white in metres.
    ///
    /// # Errors
    /// [`HeightRangeError`] unless `low_m` is less than `high_m`, and both are from -20000 to 20000.
    pub fn new(low_m: f64, high_m: f64) -> Result<Self, HeightRangeError> {
        let is_valid = low_m >= -MAX_HEIGHT_M && low_m < high_m && high_m <= MAX_HEIGHT_M;
        let range = Self { low_m, high_m };
        if is_valid { Ok(range) } else { Err(HeightRangeError { given: range.to_string() }) }
    }

    /// Returns the heights of black and white.
    pub fn metres(self) -> [f64; 2] {
        [self.low_m, self.high_m]
    }

    /// Returns the height of a brightness from 0 to 1.
    pub(super) fn at(self, brightness: f64) -> f32 {
        (self.low_m + (self.high_m - self.low_m) * brightness) as f32
    }
}

impl fmt::Display for HeightRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.low_m, self.high_m)
    }
}

impl FromStr for HeightRange {
    type Err = HeightRangeError;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let metres = given.split_once(':').and_then(|(low, high)| Some((number(low)?, number(high)?)));
        let range = metres.and_then(|(low_m, high_m)| Self::new(low_m, high_m).ok());
        range.ok_or_else(|| HeightRangeError { given: given.to_owned() })
    }
}

impl TryFrom<[f64; 2]> for HeightRange {
    type Error = HeightRangeError;

    fn try_from([low_m, high_m]: [f64; 2]) -> Result<Self, Self::Error> {
        Self::new(low_m, high_m)
    }
}

impl From<HeightRange> for [f64; 2] {
    fn from(range: HeightRange) -> Self {
        range.metres()
    }
}
