//! [`Lamp`]: a light on a cell. Entries of `[[lamps]]`.

use std::ops::RangeInclusive;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::flicker::Flicker;
use super::rgb::Rgb;
use crate::setters::setters;
use crate::sight::{Decay, DecayKind, PathRule, SightConfig, SightError};

/// A light on a cell. Walls, hedges, woods and hills block it as they block the view: its light on a cell is the
/// visibility of that cell from the lamp, times strength and decay.
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
    /// Its hue; brightness is `strength`.
    #[serde(default = "Lamp::default_colour")]
    pub colour: Rgb,
    /// The distance at which its light ends, in cells, 1 to 256; in shorter sides of rectangular cells.
    #[serde(default = "Lamp::default_reach")]
    pub reach: f64,
    /// Light on its own cell, 0 to 4. Full daylight is 1.
    #[serde(default = "Lamp::default_strength")]
    pub strength: f64,
    /// Height above the ground in metres, 0 to 1000; ignored on opacity maps.
    #[serde(default = "Lamp::default_height_m")]
    pub height_m: f64,
    /// The change of its strength with time.
    #[serde(default, skip_serializing_if = "Flicker::is_steady")]
    pub flicker: Flicker,
}

impl Lamp {
    /// The accepted [`reach`](field@Self::reach), in cells.
    pub const REACH: RangeInclusive<f64> = 1.0..=256.0;
    /// The accepted [`strength`](field@Self::strength).
    pub const STRENGTH: RangeInclusive<f64> = 0.0..=4.0;
    /// The accepted [`height_m`](field@Self::height_m), in metres.
    pub const HEIGHT_M: RangeInclusive<f64> = 0.0..=1000.0;

    /// A steady lamp on a cell, in the colour of a flame, with a reach of 12 cells and a strength of 1, 3 m above the ground.
    pub fn new(at: impl Into<IVec2>) -> Self {
        let at = at.into();
        Self {
            at,
            colour: Self::default_colour(),
            reach: Self::default_reach(),
            strength: Self::default_strength(),
            height_m: Self::default_height_m(),
            flicker: Flicker::Steady,
        }
    }

    setters! {
        with_at(at: IVec2), with_colour(colour: Rgb), with_reach(reach: f64), with_strength(strength: f64), with_height_m(height_m: f64),
        with_flicker(flicker: Flicker),
    }

    /// Checks that its values are in range. The cell is checked where there is a map.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`] for the first value out of range.
    pub fn check(&self) -> Result<(), SightError> {
        let values = [
            ("reach", self.reach, Self::REACH),
            ("strength", self.strength, Self::STRENGTH),
            ("height_m", self.height_m, Self::HEIGHT_M),
        ];
        for (key, value, range) in values {
            if !range.contains(&value) {
                let range = format!("a number from {} to {}", range.start(), range.end());
                return Err(SightError::OutOfRange { key, value, range });
            }
        }
        Ok(())
    }

    /// Warm lamplight.
    fn default_colour() -> Rgb {
        Rgb([255, 176, 96])
    }

    fn default_reach() -> f64 {
        12.0
    }

    fn default_strength() -> f64 {
        1.0
    }

    /// The height of a lantern on a post.
    fn default_height_m() -> f64 {
        3.0
    }

    /// Returns the field of view that computes its light: the two-parent method with the windowed inverse square decay of
    /// game engines, which is 0.44 at half the reach.
    pub fn sight_config(&self, path: PathRule) -> SightConfig {
        let decay = Decay::of(DecayKind::Lamp).with_reach(self.reach).with_half(self.reach / 2.0);
        SightConfig::default().with_radius(self.reach.ceil() as u32).with_path(path).with_decay(decay)
    }
}
