//! [`Flicker`]: how the strength of a lamp changes with time.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::math::{SplitMix64, hermite, unit_f64};
use crate::named_enum::named_enum;

named_enum! {
    /// The change of the strength of a lamp with time. It is a function of time and seed: the same moment looks the same again.
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
    #[serde(rename_all = "kebab-case")]
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

/// Random strengths of a flame a second.
const FLAME_RATE: f64 = 8.0;
const FLAME_DEPTH: f64 = 0.4;
const PULSE_PERIOD_S: f64 = 3.0;
const PULSE_DEPTH: f64 = 0.6;
/// Flashes a second: fewer than the three from which flashes are a danger to people with epilepsy (WCAG 2.3.1).
const STROBE_RATE: f64 = 2.0;

impl Flicker {
    /// Returns the share of its strength that a lamp has at a time, in [0, 1]. Lamps with other seeds flicker at other times.
    ///
    /// ```
    /// use farsight::light::Flicker;
    /// assert_eq!(Flicker::Steady.factor(12.5, 1), 1.0);
    /// assert!((0.6..=1.0).contains(&Flicker::Flame.factor(12.5, 1)));
    /// assert_ne!(Flicker::Flame.factor(12.5, 1), Flicker::Flame.factor(12.5, 2));
    /// ```
    pub fn factor(self, seconds: f64, seed: u64) -> f64 {
        // Days pass before the fraction of a second is lost; then, and for infinite time, lamps are steady.
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
