//! [`HeightRange`]: the heights of black and white in a picture; [`PictureHeights`] and [`HeightEncoding`]: the mapping from pixel
//! values to heights.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use farsight::internal::text::excerpt;
use farsight::named_enum;

/// The maximum height or depth of a heightmap, in metres.
pub(super) const MAX_HEIGHT_M: f64 = 20_000.0;

/// The heights of black and white in a picture that is read as a [`Heightmap`](super::Heightmap), in metres.
///
/// ```
/// let heights: farsight_scene::files::HeightRange = "-50:1800".parse().unwrap();
/// assert_eq!(heights.metres(), [-50.0, 1800.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 2]", into = "[f64; 2]")]
pub struct HeightRange {
    low_m: f64,
    high_m: f64,
}

/// Invalid heights of black and white.
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
    /// From the sea to 1500 m: an initial value for pictures without heights.
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

named_enum! {
    /// An encoding of heights in metres as the three bytes of a colour, for web maps and game engines. The lowest
    /// number is read as nodata.
    ///
    /// # References
    /// Mapzen, *Terrain Tiles: formats*; Mapbox, *Mapbox Terrain-RGB v1*.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum HeightEncoding: "encoding" {
        /// Red × 256 + green + blue / 256 − 32768 m.
        Terrarium = "terrarium",
        /// (Red × 65536 + green × 256 + blue) / 10 − 10000 m.
        TerrainRgb = "terrain-rgb",
    }
}

impl HeightEncoding {
    /// Returns the steps per metre, and the height of the number 0.
    pub(super) const fn scale(self) -> (f64, f64) {
        match self {
            Self::Terrarium => (256.0, -32_768.0),
            Self::TerrainRgb => (10.0, -10_000.0),
        }
    }

    /// Returns the height of a colour in metres, or NaN for nodata.
    pub(super) fn metres_of([red, green, blue]: [u8; 3], scale: (f64, f64)) -> f64 {
        let (steps, lowest) = scale;
        match u32::from_be_bytes([0, red, green, blue]) {
            0 => f64::NAN,
            number => f64::from(number) / steps + lowest,
        }
    }
}

/// The mapping from pixel values to heights: linear between black and white, or encoded as colours.
///
/// ```
/// use farsight_scene::files::{HeightEncoding, PictureHeights};
/// let tile: PictureHeights = "terrarium".parse()?;
/// assert_eq!(tile, PictureHeights::Colours(HeightEncoding::Terrarium));
/// assert_eq!("-50:1800".parse::<PictureHeights>()?.to_string(), "-50:1800");
/// # Ok::<(), farsight_scene::files::HeightRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PictureHeights {
    /// The brightness is relative height.
    Shades(HeightRange),
    /// A colour encodes a number.
    Colours(HeightEncoding),
}

impl From<HeightRange> for PictureHeights {
    fn from(heights: HeightRange) -> Self {
        Self::Shades(heights)
    }
}

impl From<HeightEncoding> for PictureHeights {
    fn from(encoding: HeightEncoding) -> Self {
        Self::Colours(encoding)
    }
}

impl fmt::Display for PictureHeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shades(heights) => heights.fmt(f),
            Self::Colours(encoding) => f.write_str(encoding.name()),
        }
    }
}

/// Parses `LOW:HIGH` or the name of an encoding.
impl FromStr for PictureHeights {
    type Err = HeightRangeError;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        match given.parse::<HeightEncoding>() {
            Ok(encoding) => Ok(Self::Colours(encoding)),
            Err(_) => given.parse().map(Self::Shades),
        }
    }
}
