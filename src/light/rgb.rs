//! [`Rgb`]: a colour in hexadecimal notation, `#ffb060`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An sRGB colour, eight bits a channel; in text, `#rrggbb` in hexadecimal digits.
///
/// ```
/// use farsight::light::Rgb;
/// assert_eq!("#ffb060".parse(), Ok(Rgb([255, 176, 96])));
/// assert_eq!(Rgb([255, 176, 96]).to_string(), "#ffb060");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rgb(pub [u8; 3]);

/// A text that is not a colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("colour {0:?} is not valid: expected #rrggbb in hexadecimal digits, such as #ffb060")]
pub struct RgbError(String);

impl Rgb {
    /// Returns the hue without brightness: the channels divided by the greatest. Black counts as white.
    pub fn hue(self) -> [f32; 3] {
        let greatest = self.0.into_iter().max().unwrap_or(0);
        if greatest == 0 { [1.0; 3] } else { self.0.map(|channel| f32::from(channel) / f32::from(greatest)) }
    }
}

impl FromStr for Rgb {
    type Err = RgbError;

    fn from_str(text: &str) -> Result<Self, RgbError> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
        let channel = |from: usize| digits.and_then(|digits| u8::from_str_radix(&digits[from..from + 2], 16).ok());
        match [0, 2, 4].map(channel) {
            [Some(red), Some(green), Some(blue)] if !text.contains('+') => Ok(Self([red, green, blue])),
            _ => Err(RgbError(text.to_owned())),
        }
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl TryFrom<String> for Rgb {
    type Error = RgbError;

    fn try_from(text: String) -> Result<Self, RgbError> {
        text.parse()
    }
}

impl From<Rgb> for String {
    fn from(colour: Rgb) -> Self {
        colour.to_string()
    }
}
