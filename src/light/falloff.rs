//! [`Falloff`]: how the light of a lamp falls with distance.

use serde::{Deserialize, Serialize};

use crate::named_enum;
use crate::sight::Decay;

named_enum! {
    /// How the light of a lamp falls with distance: from all of it on its own cell to nothing at its reach.
    ///
    /// ```
    /// use farsight::light::Falloff;
    /// let at_half_the_reach = Falloff::ALL.map(|falloff| falloff.at(6.0, 12.0));
    /// assert!((at_half_the_reach[0] - 0.439).abs() < 1e-3);
    /// assert_eq!(at_half_the_reach[1..], [0.5625, 0.5]);
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Falloff: "falloff" {
        /// [`Decay::Lamp`] that is half of it at half the reach, without the window: a bright middle, as in game engines.
        #[default]
        #[serde(alias = "inverse-square")]
        InverseSquare = "inverse-square",
        /// [`Decay::Smooth`]: an even middle and a soft rim. The viewer's lantern has it.
        Smooth = "smooth",
        /// [`Decay::Linear`]: even steps of light.
        Linear = "linear",
    }
}

impl Falloff {
    /// Returns `true` for the falloff of a lamp that does not choose one.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the decay of the field of view of a lamp with a reach in cells.
    pub fn decay(self, reach: f64) -> Decay {
        let (reach, half) = (Some(reach), Some(reach / 2.0));
        match self {
            Self::InverseSquare => Decay::Lamp { reach, half },
            Self::Smooth => Decay::Smooth { reach },
            Self::Linear => Decay::Linear { reach },
        }
    }

    /// Returns the fraction of a lamp's light at a distance, in [0, 1].
    pub fn at(self, distance: f64, reach: f64) -> f64 {
        self.decay(reach).at(distance, 0)
    }
}
