//! [`Decay`]: the decay of visibility with distance.

use serde::{Deserialize, Serialize};

use crate::named_enum;
use crate::setters;

/// The decay of visibility with distance: a factor that is 1 at the viewer and never rises.
///
/// Parameters that the formula of the [`kind`](DecayKind) does not use are ignored, so a preset may change only the kind.
///
/// ```
/// use farsight::sight::{Decay, DecayKind};
/// let decay = Decay::of(DecayKind::Exponential).with_half(10.0);
/// assert_eq!(decay.at(20.0, 64), 0.25);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
#[doc(alias = "attenuation")]
#[doc(alias = "falloff")]
pub struct Decay {
    /// The formula.
    pub kind: DecayKind,
    /// The distance in cells at which the factor is 0. By default radius + 1, so that the rim is still visible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<f64>,
    /// The distance in cells at which the factor is ½. By default half the radius, at least 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<f64>,
    /// The distance in cells up to which the factor is 1 (`fuzzy`).
    pub near: f64,
    /// Pairs of distance (in cells, rising) and value (in [0, 1], falling) for `points`.
    pub points: Vec<[f64; 2]>,
}

named_enum! {
    /// The formulas of [`Decay`], with d the distance in cells.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum DecayKind: "decay" {
        /// 1 everywhere.
        #[default]
        None = "none",
        /// max(0, 1 − d/reach).
        Linear = "linear",
        /// (1 − (d/reach)²)² inside the reach: soft at both ends.
        Smooth = "smooth",
        /// 1 / (1 + (d/half)²).
        #[serde(alias = "inverse-square")]
        InverseSquare = "inverse-square",
        /// 2^(−d/half).
        Exponential = "exponential",
        /// sat(1 − (d/reach)⁴)² / (1 + (d/half)²): the windowed inverse square of game engines
        /// (Karis, "Real Shading in Unreal Engine 4", 2013).
        Lamp = "lamp",
        /// 1 up to `near`, then 1 / (1 + ((d − near)/half)²): the fuzzy viewshed (Fisher, "Probable and
        /// fuzzy models of the viewshed operation", 1994).
        Fuzzy = "fuzzy",
        /// Linear interpolation through `points`, from 1 at distance 0; the last value beyond the last point.
        Points = "points",
    }
}

/// The parameters of [`Decay`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecayParameter {
    /// [`Decay::reach`].
    Reach,
    /// [`Decay::half`].
    Half,
    /// [`Decay::near`].
    Near,
    /// [`Decay::points`].
    Points,
}

impl DecayKind {
    /// Returns the parameters that the formula uses.
    pub fn parameters(self) -> &'static [DecayParameter] {
        use DecayParameter::{Half, Near, Points, Reach};
        match self {
            Self::None => &[],
            Self::Linear | Self::Smooth => &[Reach],
            Self::InverseSquare | Self::Exponential => &[Half],
            Self::Lamp => &[Reach, Half],
            Self::Fuzzy => &[Half, Near],
            Self::Points => &[Points],
        }
    }
}

impl Decay {
    /// A decay with the default parameters of its kind.
    pub fn of(kind: DecayKind) -> Self {
        Self { kind, ..Self::default() }
    }

    setters! {
        with_reach(reach: impl Into<Option<f64>>), with_half(half: impl Into<Option<f64>>), with_near(near: f64),
        with_points(points: Vec<[f64; 2]>),
    }

    /// Computes the factor at a distance in cells, in [0, 1], for a field of view of `radius` cells.
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

    /// Returns `reach`, or its default for a radius.
    pub fn reach_or_default(&self, radius: u32) -> f64 {
        self.reach.unwrap_or(f64::from(radius) + 1.0)
    }

    /// Returns `half`, or its default for a radius.
    pub fn half_or_default(&self, radius: u32) -> f64 {
        self.half.unwrap_or((f64::from(radius) / 2.0).max(1.0))
    }

    /// Returns `true` if the factors depend on the radius because a parameter has its default.
    pub(crate) fn depends_on_radius(&self) -> bool {
        self.kind.parameters().iter().any(|parameter| match parameter {
            DecayParameter::Reach => self.reach.is_none(),
            DecayParameter::Half => self.half.is_none(),
            DecayParameter::Near | DecayParameter::Points => false,
        })
    }

    fn between_points(&self, distance: f64) -> f64 {
        let mut before = [0.0, 1.0];
        for &point in &self.points {
            if distance <= point[0] {
                let span = point[0] - before[0];
                let t = if span > 0.0 { (distance - before[0]) / span } else { 1.0 };
                return (before[1] + (point[1] - before[1]) * t).max(point[1]); // rounding must not give less
            }
            before = point;
        }
        before[1]
    }

    /// Checks the ranges of all parameters.
    pub(super) fn check(&self) -> Result<(), String> {
        let positive = |name: &str, value: Option<f64>| match value {
            Some(v) if !(v.is_finite() && v > 0.0) => Err(format!("{name} is {v}; expected a distance above 0 cells")),
            _ => Ok(()),
        };
        positive("reach", self.reach)?;
        positive("half", self.half)?;
        if !(self.near.is_finite() && self.near >= 0.0) {
            return Err(format!("near is {}; expected a distance of 0 cells or more", self.near));
        }
        if self.kind == DecayKind::Points && self.points.is_empty() {
            return Err("kind points needs points = [[distance, value], …]".into());
        }
        let mut before = [0.0, 1.0];
        for (i, &[distance, value]) in self.points.iter().enumerate() {
            let quoted = format!("points[{i}] is [{distance}, {value}]");
            let rises = if i == 0 { distance >= 0.0 } else { distance > before[0] };
            if !(distance.is_finite() && rises) {
                return Err(format!("{quoted}; expected distances that rise from 0"));
            }
            if !(0.0..=1.0).contains(&value) || value > before[1] {
                return Err(format!("{quoted}; expected values from 0 to 1 that do not rise"));
            }
            if distance == 0.0 && value != 1.0 {
                return Err(format!("{quoted}; expected the value 1 at distance 0"));
            }
            before = [distance, value];
        }
        Ok(())
    }
}

/// x² with the same bits on every platform, which `powi` does not guarantee.
fn square(x: f64) -> f64 {
    x * x
}
