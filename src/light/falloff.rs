//! [`Falloff`]: the falloff of the light of a lamp.

use serde::{Deserialize, Serialize};

use crate::named_enum;
use crate::sight::Decay;

named_enum! {
    /// The falloff of the light of a lamp: from 1 on its own cell to 0 at its reach.
    ///
    /// ```
    /// use farsight::light::Falloff;
    /// let at_half_the_reach = Falloff::ALL.iter().map(|falloff| falloff.at(6.0, 12.0)).collect::<Vec<_>>();
    /// assert!((at_half_the_reach[0] - 0.439).abs() < 1e-3);
    /// assert_eq!(at_half_the_reach[1..], [0.5625, 0.5]);
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Falloff: "falloff" {
        /// [`Decay::Lamp`] that halves at half the reach, without the window: a bright centre, as in game engines.
        #[default]
        #[serde(alias = "inverse-square")]
        InverseSquare = "inverse-square",
        /// [`Decay::Smooth`]: an even centre and a soft rim, as of the viewer's lantern.
        Smooth = "smooth",
        /// [`Decay::Linear`]: a linear falloff.
        Linear = "linear",
    }
}

impl Falloff {
    /// Returns `true` for the default falloff.
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
