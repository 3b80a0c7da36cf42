//! [`Lamp`]: a light on a cell; its colour, [`Rgb`]; its [`Flicker`]; and [`LightError`].

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::falloff::Falloff;
use crate::grid::{CellRect, ToCell};
use crate::math::{SplitMix64, hermite, unit_f64};
use crate::named_enum;
use crate::setters;
use crate::sight::{OutOfRange, PathRule, SightConfig, SightError};

/// A light on a cell. Walls, hedges, woods and hills block it as they block the view: its light on a cell is the
/// visibility of that cell from the lamp, times strength and falloff.
///
/// ```
/// use farsight::OpacityMap;
/// use farsight::light::{Flicker, Lamp, LightMap, Rgb};
/// let fire = Lamp::new((2, 0)).with_reach(8.0).with_strength(1.5).with_colour(Rgb([255, 120, 40]));
/// assert_eq!(fire.flicker, Flicker::Steady);
/// let map = OpacityMap::from_text("..........")?;
/// let mut light = LightMap::new(&map);
/// light.insert(&map, fire)?;
/// assert_eq!(light.level((2, 0)), 1.5);
/// assert!((light.level((6, 0)) / 1.5 - 0.44).abs() < 1e-3); // at half the reach
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Lamp {
    /// Its cell.
    pub at: IVec2,
    /// Its hue; brightness is `strength`. A black lamp gives no light.
    #[serde(default = "Lamp::default_colour")]
    pub colour: Rgb,
    /// The distance at which its light ends, in cells, 1 to 256; in shorter sides of rectangular cells.
    #[serde(default = "Lamp::default_reach")]
    pub reach: f64,
    /// The light on its own cell, 0 to 4. Full daylight is 1.
    #[serde(default = "Lamp::default_strength")]
    pub strength: f64,
    /// Height above the ground in metres, 0 to 1000; ignored on opacity maps.
    #[serde(default = "Lamp::default_height_m")]
    pub height_m: f64,
    /// The falloff of its light up to its reach.
    #[serde(default, skip_serializing_if = "Falloff::is_default")]
    pub falloff: Falloff,
    /// The change of its strength with time.
    #[serde(default, skip_serializing_if = "Flicker::is_steady")]
    pub flicker: Flicker,
}

impl Lamp {
    /// The accepted [`reach`](field@Self::reach), in cells: 1 to 256.
    pub const REACH: RangeInclusive<f64> = 1.0..=256.0;
    /// The accepted [`strength`](field@Self::strength): 0 to 4.
    pub const STRENGTH: RangeInclusive<f64> = 0.0..=4.0;
    /// The accepted [`height_m`](field@Self::height_m), in metres: 0 to 1000.
    pub const HEIGHT_M: RangeInclusive<f64> = 0.0..=1000.0;

    /// Creates a steady lamp on a cell, in the colour of a flame, with a reach of 12 cells and a strength of 1, 3 m
    /// above the ground.
    pub fn new(at: impl ToCell) -> Self {
        let at = at.to_cell();
        Self {
            at,
            colour: Self::default_colour(),
            reach: Self::default_reach(),
            strength: Self::default_strength(),
            height_m: Self::default_height_m(),
            falloff: Falloff::default(),
            flicker: Flicker::Steady,
        }
    }

    /// Sets [`at`](field@Self::at).
    #[must_use]
    pub fn with_at(self, at: impl ToCell) -> Self {
        Self { at: at.to_cell(), ..self }
    }

    setters! {
        with_colour(colour: Rgb), with_reach(reach: f64), with_strength(strength: f64), with_height_m(height_m: f64),
        with_falloff(falloff: Falloff), with_flicker(flicker: Flicker),
    }

    /// Checks that its values are in range. The cell is checked against a map elsewhere.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`] for the first value out of range.
    pub fn check(&self) -> Result<(), SightError> {
        OutOfRange::check("reach", self.reach, Self::REACH)?;
        OutOfRange::check("strength", self.strength, Self::STRENGTH)?;
        Ok(OutOfRange::check("height_m", self.height_m, Self::HEIGHT_M)?)
    }

    /// Returns warm lamplight.
    fn default_colour() -> Rgb {
        Rgb([255, 176, 96])
    }

    fn default_reach() -> f64 {
        12.0
    }

    fn default_strength() -> f64 {
        1.0
    }

    /// Returns the height of a lantern on a post.
    fn default_height_m() -> f64 {
        3.0
    }

    /// Returns the field of view that computes its light: the two-parent method with the decay of its falloff.
    pub fn sight_config(&self, path: PathRule) -> SightConfig {
        SightConfig::default()
            .with_radius(self.reach.ceil() as u32)
            .with_path(path)
            .with_decay(self.falloff.decay(self.reach))
    }
}

named_enum! {
    /// The change of the strength of a lamp with time. It is a function of time and seed, so it is reproducible.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::{Flicker, Lamp, LightMap};
    /// let map = OpacityMap::from_text(".....")?;
    /// let mut light = LightMap::new(&map).with_seed(3);
    /// light.insert(&map, Lamp::new((2, 0)).with_flicker(Flicker::Strobe))?;
    /// let mut levels = [0.0, 0.25, 0.5].map(|seconds| {
    ///     light.set_time(seconds);
    ///     light.level((2, 0))
    /// });
    /// assert_eq!(levels[0], levels[2]); // two flashes a second
    /// levels.sort_by(f32::total_cmp);
    /// assert_eq!((levels[0], levels[2]), (0.0, 1.0)); // off and on
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Flicker: "flicker" {
        /// Always at its strength.
        #[default]
        Steady = "steady",
        /// An open fire: between 0.6 and 1 of its strength, at random, about four times a second.
        Flame = "flame",
        /// A slow swell between 0.4 and 1 of its strength, every three seconds.
        Pulse = "pulse",
        /// On and off, two flashes a second.
        Strobe = "strobe",
    }
}

/// The number of random strengths of a flame per second.
const FLAME_RATE: f64 = 8.0;
const FLAME_DEPTH: f64 = 0.4;
const PULSE_PERIOD_S: f64 = 3.0;
const PULSE_DEPTH: f64 = 0.6;
/// Flashes per second: below three, the threshold of danger for people with epilepsy (WCAG 2.3.1).
const STROBE_RATE: f64 = 2.0;

impl Flicker {
    /// Returns the factor of the strength of a lamp at a time, in [0, 1]. Lamps with different seeds flicker independently.
    ///
    /// ```
    /// use farsight::light::Flicker;
    /// assert_eq!(Flicker::Steady.factor(12.5, 1), 1.0);
    /// assert!((0.6..=1.0).contains(&Flicker::Flame.factor(12.5, 1)));
    /// assert_ne!(Flicker::Flame.factor(12.5, 1), Flicker::Flame.factor(12.5, 2));
    /// ```
    pub fn factor(self, seconds: f64, seed: u64) -> f64 {
        // The fraction of a second keeps its precision for days; later, and for infinite time, lamps are steady.
        let seconds = if seconds.abs() < 1e9 { seconds } else { 0.0 };
        let phase = unit_f64(SplitMix64::mix(seed));
        match self {
            Self::Steady => 1.0,
            Self::Flame => 1.0 - FLAME_DEPTH * value_noise(seconds * FLAME_RATE, seed),
            Self::Pulse => {
                let turn = std::f64::consts::TAU * (seconds / PULSE_PERIOD_S + phase);
                1.0 - PULSE_DEPTH * (0.5 + 0.5 * libm::cos(turn))
            }
            Self::Strobe => f64::from((seconds * STROBE_RATE + phase).rem_euclid(1.0) < 0.5),
        }
    }

    /// Returns `true` if the strength does not change.
    pub fn is_steady(&self) -> bool {
        *self == Self::Steady
    }

    /// Returns the seed of a lamp on a cell.
    pub(super) fn seed_of(seed: u64, cell: IVec2) -> u64 {
        SplitMix64::mix(seed ^ SplitMix64::mix((cell.x as u32 as u64) << 32 | cell.y as u32 as u64))
    }
}

/// Returns random values at whole numbers, in [0, 1), with a smooth curve between them.
fn value_noise(at: f64, seed: u64) -> f64 {
    let before = at.floor();
    let value = |index: f64| unit_f64(SplitMix64::mix(seed ^ SplitMix64::mix(index as i64 as u64)));
    let [from, to] = [value(before), value(before + 1.0)];
    from + (to - from) * hermite(at - before)
}

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
    /// Returns the hue without brightness: the channels divided by their maximum. Black counts as white.
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

/// An error of a lamp.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LightError {
    /// The lamp is not on the map.
    #[error("the lamp at {},{} is outside the map of {}x{} cells", at.x, at.y, extent.width(), extent.height())]
    LampOutside {
        /// The cell of the lamp.
        at: IVec2,
        /// The cells of the map.
        extent: CellRect,
    },
    /// A value of the lamp is out of range, or its light cannot be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
}

/// The light of a lamp is its field of view.
impl From<LightError> for SightError {
    fn from(error: LightError) -> Self {
        match error {
            LightError::LampOutside { at, extent } => Self::ViewerOutside { viewer: at, extent },
            LightError::Sight(error) => error,
        }
    }
}
