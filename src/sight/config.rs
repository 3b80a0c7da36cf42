//! What a field of view computes: [`SightConfig`] and its choices.

use serde::{Deserialize, Serialize};

use super::{Decay, SightError};
use crate::knob::{Kind, Knob};

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
            decay: Decay::default(),
        }
    }
}

impl SightConfig {
    /// A screen of a roguelike in every direction.
    pub const DEFAULT_RADIUS: u32 = 32;

    /// The knobs of `[sight]`, but for its decay.
    pub const KNOBS: &'static [Knob] = &[
        Knob {
            key: "sight.radius",
            unit: "cells",
            kind: Kind::Integer { min: 0, max: 4096, usual: [8, 160] },
            help: "How far one can see. Cost grows with its square.",
        },
        Knob {
            key: "sight.method",
            unit: "",
            kind: Kind::Choice(&["two_parent"]),
            help: "The algorithm: two_parent takes a cell's light from up to two cells one step nearer.",
        },
        Knob {
            key: "sight.weights",
            unit: "",
            kind: Kind::Choice(&["linear", "projection"]),
            help: "How two parents share a cell: linear is symmetric and nearer to traced lines; projection is as published.",
        },
        Knob {
            key: "sight.path",
            unit: "",
            kind: Kind::Choice(&["per_cell", "per_length"]),
            help: "What opacity takes away: per_cell once a cell, per_length for each cell width that the line travels.",
        },
    ];

    /// Checks the parts that can be wrong.
    ///
    /// # Errors
    /// [`SightError::Decay`] for a decay whose parameters are out of range.
    pub fn check(&self) -> Result<(), SightError> {
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
