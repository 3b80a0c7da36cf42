//! [`PictureHeights`]: how the numbers of a picture are heights; [`HeightEncoding`]: heights as colours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::height_range::{HeightRange, HeightRangeError};
use farsight::named_enum;

named_enum! {
    /// A way to write heights in metres as the three bytes of a colour, for the maps of web pages and for engines of games. The
    /// lowest number is read as no data.
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
    /// Returns the steps of a metre, and the height of the number 0.
    pub(super) const fn scale(self) -> (f64, f64) {
        match self {
            Self::Terrarium => (256.0, -32_768.0),
            Self::TerrainRgb => (10.0, -10_000.0),
        }
    }

    /// Returns the height of a colour in metres, or NaN for the one of no data.
    pub(super) fn metres_of([red, green, blue]: [u8; 3], scale: (f64, f64)) -> f64 {
        let (steps, lowest) = scale;
        match u32::from_be_bytes([0, red, green, blue]) {
            0 => f64::NAN,
            number => f64::from(number) / steps + lowest,
        }
    }
}

/// How the numbers of a picture are heights: between those of black and white, or written in colours.
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
    /// The brightness is a share of the height.
    Shades(HeightRange),
    /// A colour is a number.
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
