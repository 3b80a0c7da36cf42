//! [`Decay`]: the decay of visibility with distance.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::error::{DecayPointsError, OutOfRange, SightError};

/// The decay of visibility with distance: a factor that is 1 at the viewer and never rises. Distances are in cells, d is that of
/// the target.
///
/// `reach` is the distance at which the factor is 0. `None` is the radius + 1, so that the rim is still visible. `half`
/// is the distance at which the factor is ½. `None` is half the radius, at least 1.
///
/// ```
/// use farsight::sight::Decay;
/// let decay = Decay::Exponential { half: Some(10.0) };
/// assert_eq!(decay.at(20.0, 64), 0.25);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
#[doc(alias = "attenuation")]
#[doc(alias = "falloff")]
pub enum Decay {
    /// 1 everywhere.
    #[default]
    None,
    /// max(0, 1 − d/reach).
    Linear {
        /// The distance at which the factor is 0.
        reach: Option<f64>,
    },
    /// (1 − (d/reach)²)² inside the reach: soft at both ends.
    Smooth {
        /// The distance at which the factor is 0.
        reach: Option<f64>,
    },
    /// 1 / (1 + (d/half)²).
    InverseSquare {
        /// The distance at which the factor is ½.
        half: Option<f64>,
    },
    /// 2^(−d/half).
    Exponential {
        /// The distance at which the factor is ½.
        half: Option<f64>,
    },
    /// sat(1 − (d/reach)⁴)² / (1 + (d/half)²): the windowed inverse square of game engines
    /// (Karis, "Real Shading in Unreal Engine 4", 2013).
    Lamp {
        /// The distance at which the factor is 0.
        reach: Option<f64>,
        /// The distance at which the factor would be ½ without the window.
        half: Option<f64>,
    },
    /// 1 up to `near`, then 1 / (1 + ((d − near)/half)²): the fuzzy viewshed (Fisher, "Probable and
    /// fuzzy models of the viewshed operation", 1994).
    Fuzzy {
        /// The distance up to which the factor is 1.
        near: f64,
        /// The distance beyond `near` at which the factor is ½.
        half: Option<f64>,
    },
    /// Linear interpolation through pairs of distance (rising) and value (in [0, 1], falling), from 1 at distance 0; the last
    /// value beyond the last point.
    Points(Vec<[f64; 2]>),
}

impl Decay {
    /// The valid range of `reach`, in cells: 0.5 to 100,000.
    pub const REACH: RangeInclusive<f64> = 0.5..=100_000.0;

    /// The valid range of `half`, in cells: 0.1 to 100,000.
    pub const HALF: RangeInclusive<f64> = 0.1..=100_000.0;

    /// The valid range of `near`, in cells: 0 to 100,000.
    pub const NEAR: RangeInclusive<f64> = 0.0..=100_000.0;

    /// Computes the factor at a distance in cells, in [0, 1], for a field of view of `radius` cells.
    pub fn at(&self, distance: f64, radius: u32) -> f64 {
        let by_reach = |reach: Option<f64>| distance / reach.unwrap_or(f64::from(radius) + 1.0);
        let by_half = |half: Option<f64>, distance: f64| distance / half.unwrap_or((f64::from(radius) / 2.0).max(1.0));
        match self {
            Self::None => 1.0,
            Self::Linear { reach } => (1.0 - by_reach(*reach)).max(0.0),
            Self::Smooth { reach } => square((1.0 - square(by_reach(*reach))).max(0.0)),
            Self::InverseSquare { half } => 1.0 / (1.0 + square(by_half(*half, distance))),
            Self::Exponential { half } => libm::exp2(-by_half(*half, distance)),
            Self::Lamp { reach, half } => {
                square((1.0 - square(square(by_reach(*reach)))).max(0.0)) / (1.0 + square(by_half(*half, distance)))
            }
            Self::Fuzzy { near, half } => 1.0 / (1.0 + square(by_half(*half, (distance - near).max(0.0)))),
            Self::Points(points) => between_points(points, distance),
        }
    }

    /// Returns the distances that may depend on the radius: reach and half of a formula, if it has them.
    fn lengths(&self) -> [Option<Option<f64>>; 2] {
        match *self {
            Self::None | Self::Points(_) => [None, None],
            Self::Linear { reach } | Self::Smooth { reach } => [Some(reach), None],
            Self::InverseSquare { half } | Self::Exponential { half } | Self::Fuzzy { near: _, half } => {
                [None, Some(half)]
            }
            Self::Lamp { reach, half } => [Some(reach), Some(half)],
        }
    }

    /// Returns `true` if the factors depend on the radius because a distance has its default.
    pub(crate) fn depends_on_radius(&self) -> bool {
        self.lengths().contains(&Some(None))
    }

    /// Checks the distances and points.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`] and [`SightError::DecayPoints`].
    pub fn check(&self) -> Result<(), SightError> {
        for ((name, range), length) in [("reach", Self::REACH), ("half", Self::HALF)].into_iter().zip(self.lengths()) {
            if let Some(length) = length.flatten() {
                OutOfRange::check(name, length, range)?;
            }
        }
        match self {
            Self::Fuzzy { near, half: _ } => Ok(OutOfRange::check("near", *near, Self::NEAR)?),
            Self::Points(points) => Ok(check_points(points)?),
            // Each by name, so that the compiler asks for the check of another parameter.
            Self::None
            | Self::Linear { reach: _ }
            | Self::Smooth { reach: _ }
            | Self::InverseSquare { half: _ }
            | Self::Exponential { half: _ }
            | Self::Lamp { reach: _, half: _ } => Ok(()),
        }
    }
}

fn between_points(points: &[[f64; 2]], distance: f64) -> f64 {
    let mut before = [0.0, 1.0];
    for &point in points {
        if distance <= point[0] {
            let span = point[0] - before[0];
            let t = if span > 0.0 { (distance - before[0]) / span } else { 1.0 };
            return (before[1] + (point[1] - before[1]) * t).max(point[1]); // rounding must not give less
        }
        before = point;
    }
    before[1]
}

fn check_points(points: &[[f64; 2]]) -> Result<(), DecayPointsError> {
    if points.is_empty() {
        return Err(DecayPointsError::Missing);
    }
    let mut before = [0.0, 1.0];
    for (index, &point) in points.iter().enumerate() {
        let [distance, value] = point;
        let rises = if index == 0 { distance >= 0.0 } else { distance > before[0] };
        if !(distance.is_finite() && rises) {
            return Err(DecayPointsError::Distance { index, point });
        }
        if !(0.0..=before[1]).contains(&value) {
            return Err(DecayPointsError::Value { index, point });
        }
        if distance == 0.0 && value != 1.0 {
            return Err(DecayPointsError::Start { index, point });
        }
        before = point;
    }
    Ok(())
}

/// Returns x² with the same bits on every platform, which `powi` does not guarantee.
fn square(x: f64) -> f64 {
    x * x
}
