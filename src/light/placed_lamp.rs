//! [`LampId`], and a lamp with its light.

use super::flicker::Flicker;
use super::lamp::Lamp;
use super::lit_area::LitArea;

/// The number of a lamp in a [`LightMap`](super::LightMap). It stays the same when the lamp moves, and is not given again when
/// the lamp is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LampId(pub(super) u64);

/// A lamp in a light map.
#[derive(Clone, Debug)]
pub(super) struct PlacedLamp {
    pub(super) lamp: Lamp,
    pub(super) area: LitArea,
    /// The strength at the present time: that of the lamp times its flicker.
    pub(super) strength: f32,
}

impl PlacedLamp {
    pub(super) fn new(lamp: Lamp, area: LitArea, seconds: f64, seed: u64) -> Self {
        let strength = strength_at(&lamp, seconds, seed);
        Self { lamp, area, strength }
    }

    /// Takes over the strength at a time. Returns `true` if it changes.
    pub(super) fn set_time(&mut self, seconds: f64, seed: u64) -> bool {
        let strength = strength_at(&self.lamp, seconds, seed);
        std::mem::replace(&mut self.strength, strength) != strength
    }
}

fn strength_at(lamp: &Lamp, seconds: f64, seed: u64) -> f32 {
    match lamp.flicker {
        Flicker::Steady => lamp.strength as f32,
        flicker => (lamp.strength * flicker.factor(seconds, Flicker::seed_of(seed, lamp.at))) as f32,
    }
}
