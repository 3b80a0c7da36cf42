//! [`Lamp`]: a light that stands on a cell. Entries of `[[lamps]]`.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::rgb::Rgb;
use crate::sight::{Decay, DecayKind, PathRule, SightConfig};

/// A light that stands on a cell. Walls, hedges, woods and hills block it as they block the view: its light on a cell
/// is what an eye on the lamp would see of that cell, times its strength and a decay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lamp {
    /// The cell that it stands on.
    pub at: IVec2,
    /// Its hue; how bright it is, its strength tells.
    #[serde(default = "Lamp::default_colour")]
    pub colour: Rgb,
    /// Where its light ends, in cells, 1 to 256.
    #[serde(default = "Lamp::default_reach")]
    pub reach: f64,
    /// Light on its own cell, 0 to 4. Full daylight is 1.
    #[serde(default = "Lamp::default_strength")]
    pub strength: f64,
    /// Height over its ground, in metres: it shines over what lies lower.
    #[serde(default = "Lamp::default_height_m")]
    pub height_m: f64,
}

impl Lamp {
    /// A lamp of the usual kind on a cell.
    pub fn new(at: IVec2) -> Self {
        Self {
            at,
            colour: Self::default_colour(),
            reach: Self::default_reach(),
            strength: Self::default_strength(),
            height_m: Self::default_height_m(),
        }
    }

    /// Lamplight.
    fn default_colour() -> Rgb {
        Rgb([255, 176, 96])
    }

    fn default_reach() -> f64 {
        12.0
    }

    fn default_strength() -> f64 {
        1.0
    }

    /// A lantern on a post.
    fn default_height_m() -> f64 {
        3.0
    }

    /// How its light spreads, given how opacities count along a line: the two-parent kernel with the windowed inverse
    /// square of game engines, half of it left at half the reach.
    pub fn sight(&self, path: PathRule) -> SightConfig {
        SightConfig {
            radius: self.reach.ceil() as u32,
            path,
            decay: Decay {
                kind: DecayKind::Lamp,
                reach: Some(self.reach),
                half: Some(self.reach / 2.0),
                ..Decay::default()
            },
            ..SightConfig::default()
        }
    }
}
