//! What a field of view computes: [`SightConfig`] and its choices.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::decay::Decay;
use super::error::SightError;

/// What a field of view computes. The default is the bare kernel: two parents, linear weights,
/// per cell, no decay, radius 32.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SightConfig {
    /// How far one can see, in cells: the offsets with dx² + dy² ≤ radius².
    pub radius: u32,
    /// The algorithm.
    pub method: Method,
    /// How a cell's two parents share it.
    pub weights: Weights,
    /// What a cell's opacity means to a slanting line of sight.
    pub path: PathRule,
    /// Directions of [`Method::Beam`], in units of 12 · radius for the full turn, in [0.5, 4]. At 1 every cell of the rim
    /// is crossed by one ray to three. Raising it refines what is seen through fog; in clear air shadows are exact to
    /// a few hundredths at 1 already. (On a small map, a radius above 256 counts only as the next power of two beyond the
    /// farthest corner.)
    pub beams: f64,
    /// Lines of [`Method::Exact`] to a cell: `samples` × `samples` points, 1 to 32 a side. What is left of error comes
    /// from edges of shadows that run through a cell: with 7 a side, against 31 a side, an RMSE of 0.007 where 10 % of
    /// the cells are walls, 0.003 where 30 % are, 0.002 in rooms and 0.0001 in haze (radius 64), and it falls about as
    /// 1/`samples`. Time grows with the square.
    pub samples: u32,
    /// How visibility falls with distance.
    pub decay: Decay,
}

impl Default for SightConfig {
    fn default() -> Self {
        Self {
            radius: Self::DEFAULT_RADIUS,
            method: Method::TwoParent,
            weights: Weights::Linear,
            path: PathRule::PerCell,
            beams: Self::DEFAULT_BEAMS,
            samples: Self::DEFAULT_SAMPLES,
            decay: Decay::default(),
        }
    }
}

impl SightConfig {
    /// A screen of a roguelike in every direction.
    pub const DEFAULT_RADIUS: u32 = 32;

    /// One to three rays for each cell of the rim, hence no cell between two rays.
    pub const DEFAULT_BEAMS: f64 = 1.0;

    /// 49 lines a cell, those of the published accuracy table.
    pub const DEFAULT_SAMPLES: u32 = 7;

    /// The valid range of `beams`.
    pub const BEAMS: RangeInclusive<f64> = 0.5..=4.0;

    /// The valid range of `samples`.
    pub const SAMPLES: RangeInclusive<u32> = 1..=32;

    /// Checks the parts that can be wrong.
    ///
    /// # Errors
    /// [`SightError::Decay`] for a decay whose parameters are out of range; [`SightError::OutOfRange`] for `beams` and
    /// `samples`.
    pub fn check(&self) -> Result<(), SightError> {
        let out_of_range = |key, value, range| Err(SightError::OutOfRange { key, value, range });
        let (beams, samples) = (Self::BEAMS, Self::SAMPLES);
        if !beams.contains(&self.beams) {
            return out_of_range("sight.beams", self.beams, format!("from {} to {}", beams.start(), beams.end()));
        }
        if !samples.contains(&self.samples) {
            let range = format!("a whole number from {} to {}", samples.start(), samples.end());
            return out_of_range("sight.samples", self.samples.into(), range);
        }
        self.decay.check().map_err(SightError::Decay)
    }
}

/// The algorithm of a field of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// Every cell takes its light from up to two cells one step nearer to the viewer.
    #[default]
    #[serde(alias = "two-parent")]
    TwoParent,
    /// Rays in all directions, each dimmed by the cells that it crosses: true shadows, crisp and fractional at once. Not
    /// symmetric.
    Beam,
    /// Straight lines to many points of every cell: the reference for the others, and slow.
    Exact,
}

/// How a cell's two parents share it. With M the longer and m the shorter of |dx| and |dy|, and r
/// the distance:
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Weights {
    /// The diagonal parent gives m / M. The result is the mean over all shortest paths of a king (the
    /// orders of M − m straight and m diagonal steps), hence exactly symmetric: V(a→b) = V(b→a).
    #[default]
    Linear,
    /// The straight parent gives M / r, as published. Not symmetric; kept to reproduce the source.
    Projection,
}

/// What a cell's opacity means to a line of sight that crosses the cell on a slant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PathRule {
    /// What one cell takes away, whichever way it is crossed. Right for walls and hand-drawn maps.
    #[default]
    #[serde(alias = "per-cell")]
    PerCell,
    /// What one cell width of travel takes away. Right for haze and forest, where a diagonal
    /// crossing is √2 as long.
    #[serde(alias = "per-length")]
    PerLength,
}
