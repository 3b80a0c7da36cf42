//! How visibility falls with distance.

use serde::{Deserialize, Serialize};

/// How visibility falls with distance: never increasing, and 1 at the viewer.
///
/// The parameters that a [`kind`](DecayKind) does not name are ignored, so that a preset may change
/// the kind alone.
///
/// ```
/// use farsight::sight::{Decay, DecayKind};
/// let decay = Decay { kind: DecayKind::Exponential, half: Some(10.0), ..Default::default() };
/// assert_eq!(decay.at(20.0, 64), 0.25);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Decay {
    /// The formula.
    pub kind: DecayKind,
    /// Where nothing is left, in cells. Default: radius + 1, so that the rim is still seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<f64>,
    /// Where half is left, in cells. Default: half the radius, at least 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<f64>,
    /// Up to where all is left (`fuzzy`), in cells.
    pub near: f64,
    /// Pairs of distance (in cells, rising) and value (in [0, 1], falling) for `points`.
    pub points: Vec<[f64; 2]>,
}

/// The formulas of [`Decay`], with d the distance in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DecayKind {
    /// 1 everywhere.
    #[default]
    None,
    /// max(0, 1 − d/reach).
    Linear,
    /// (1 − (d/reach)²)² inside the reach: soft at both ends.
    Smooth,
    /// 1 / (1 + (d/half)²).
    #[serde(alias = "inverse-square")]
    InverseSquare,
    /// 2^(−d/half).
    Exponential,
    /// sat(1 − (d/reach)⁴)² / (1 + (d/half)²): the windowed inverse square of game engines
    /// (Karis, "Real Shading in Unreal Engine 4", 2013).
    Lamp,
    /// 1 up to `near`, then 1 / (1 + ((d − near)/half)²): the fuzzy viewshed (Fisher, "Probable and
    /// fuzzy models of the viewshed operation", 1994).
    Fuzzy,
    /// Straight lines through `points`; 1 before the first at most, its last value after the last.
    Points,
}

impl Decay {
    /// A decay of one kind with its default parameters.
    pub fn of(kind: DecayKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// The share that is left at a distance, in [0, 1], for a field of view of `radius` cells.
    pub fn at(&self, distance: f64, radius: u32) -> f64 {
        let reach = self.reach_or_default(radius);
        let half = self.half_or_default(radius);
        match self.kind {
            DecayKind::None => 1.0,
            DecayKind::Linear => (1.0 - distance / reach).max(0.0),
            DecayKind::Smooth => square((1.0 - square(distance / reach)).max(0.0)),
            DecayKind::InverseSquare => 1.0 / (1.0 + square(distance / half)),
            DecayKind::Exponential => libm::exp2(-distance / half),
            DecayKind::Lamp => {
                square((1.0 - square(square(distance / reach))).max(0.0)) / (1.0 + square(distance / half))
            }
            DecayKind::Fuzzy => 1.0 / (1.0 + square((distance - self.near).max(0.0) / half)),
            DecayKind::Points => self.between_points(distance),
        }
    }

    /// `reach`, or its default for a radius.
    pub fn reach_or_default(&self, radius: u32) -> f64 {
        self.reach.unwrap_or(f64::from(radius) + 1.0)
    }

    /// `half`, or its default for a radius.
    pub fn half_or_default(&self, radius: u32) -> f64 {
        self.half.unwrap_or((f64::from(radius) / 2.0).max(1.0))
    }

    /// Whether the values hang on the radius, for want of a parameter.
    pub(crate) fn follows_radius(&self) -> bool {
        match self.kind {
            DecayKind::None | DecayKind::Points => false,
            DecayKind::Linear | DecayKind::Smooth => self.reach.is_none(),
            DecayKind::InverseSquare | DecayKind::Exponential | DecayKind::Fuzzy => self.half.is_none(),
            DecayKind::Lamp => self.reach.is_none() || self.half.is_none(),
        }
    }

    fn between_points(&self, distance: f64) -> f64 {
        let mut before = [0.0, 1.0];
        for &point in &self.points {
            if distance <= point[0] {
                let span = point[0] - before[0];
                let share = if span > 0.0 { (distance - before[0]) / span } else { 1.0 };
                return (before[1] + (point[1] - before[1]) * share).max(point[1]); // rounding must not undershoot
            }
            before = point;
        }
        before[1]
    }

    /// Checks the parameters that the kind names.
    pub(super) fn check(&self) -> Result<(), String> {
        let positive = |name: &str, value: Option<f64>| match value {
            Some(v) if !(v.is_finite() && v > 0.0) => {
                Err(format!("{name} is {v}; it must be a distance above 0 cells"))
            }
            _ => Ok(()),
        };
        positive("reach", self.reach)?;
        positive("half", self.half)?;
        if !(self.near.is_finite() && self.near >= 0.0) {
            return Err(format!("near is {}; it must be a distance of at least 0 cells", self.near));
        }
        if self.kind == DecayKind::Points && self.points.is_empty() {
            return Err("kind points needs points = [[distance, value], …]".into());
        }
        let mut before = [0.0, 1.0];
        for (i, &[distance, value]) in self.points.iter().enumerate() {
            let place = format!("points[{i}] is [{distance}, {value}]");
            let rises = if i == 0 { distance >= 0.0 } else { distance > before[0] };
            if !(distance.is_finite() && rises) {
                return Err(format!("{place}; distances must rise from 0"));
            }
            if !(0.0..=1.0).contains(&value) || value > before[1] {
                return Err(format!("{place}; values must not rise and lie within 0 to 1"));
            }
            if distance == 0.0 && value != 1.0 {
                return Err(format!("{place}; the value at distance 0 must be 1"));
            }
            before = [distance, value];
        }
        Ok(())
    }
}

/// x², to the bit on every platform, which `powi` does not promise.
fn square(x: f64) -> f64 {
    x * x
}
