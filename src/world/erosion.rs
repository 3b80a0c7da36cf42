//! Valleys: water cuts into the ground, the more of it the deeper.
//!
//! One pass lowers every cell towards the cell downstream of it, from the sea upwards:
//!
//! ```text
//! h ← (h + lift + f · h(downstream)) / (1 + f),    f = strength · √(drained area) / distance
//! ```
//!
//! which is the implicit solution of the stream power law with the exponents ½ and 1. Slopes end at
//! the steepest that loose rock bears.
//!
//! # References
//! Braun and Willett, *A very efficient O(n), implicit and parallel method to solve the stream power
//! equation*, 2013; Cordonnier et al., *Large scale terrain generation from tectonic uplift and fluvial
//! erosion*, 2016.

use crate::Grid;

use super::drainage::{Drainage, OFF_MAP};

/// The steepest slope that stands, rise over run.
const STEEPEST: f32 = 0.9;
/// The least fall of a stream, rise over run.
const LEAST: f32 = 0.0004;
/// Streams that leave the map fall to the sea in this distance beyond it, in kilometres.
const BEYOND_KM: f32 = 12.0;

/// How hard a pass works.
pub(super) struct Pass {
    /// Side of a cell in kilometres.
    pub(super) step_km: f32,
    /// Cutting power.
    pub(super) strength: f32,
    /// Share of `lift` that the ground rises by.
    pub(super) lift: f32,
}

impl Pass {
    /// Cuts `ground`, metres over the sea, once. `lift` is in metres.
    pub(super) fn cut(&self, ground: &mut Grid<f32>, sea: &Grid<bool>, lift: &Grid<f32>) {
        let drainage = Drainage::of(ground, sea, 0.5);
        let area = drainage.gathered(self.step_km * self.step_km);
        let ground = ground.as_mut_slice();
        for &i in &drainage.order {
            let i = i as usize;
            let slanted = drainage.downstream[i] % 2 == 1 && drainage.downstream[i] != OFF_MAP;
            let distance = self.step_km * if slanted { std::f32::consts::SQRT_2 } else { 1.0 };
            let (below, distance) = match drainage.next(i) {
                Some(next) => (ground[next].max(0.0), distance),
                None => (0.0, BEYOND_KM),
            };
            let f = self.strength * area[i].sqrt() / distance;
            let cut = (ground[i] + self.lift * lift.as_slice()[i] + f * below) / (1.0 + f);
            let metres = 1000.0 * distance;
            ground[i] = cut.clamp(below + LEAST * metres, below + STEEPEST * metres);
        }
    }
}
