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

use rayon::prelude::*;

use crate::grid::Grid;

use super::drainage::{Drainage, OFF_MAP, Wobble};
use super::frame::rows_mut;

/// The steepest slope that stands, rise over run.
const STEEPEST: f32 = 0.9;
/// The least fall of a stream, rise over run.
const LEAST: f32 = 0.0004;
/// It is less in wide cells, and none at this height, so that no stream is so long that it begins in the sky.
const LEAST_M: f32 = 0.5;
const SKY_M: f32 = 9000.0;

/// How hard a pass works.
pub(super) struct Pass {
    /// Side of a cell in kilometres.
    pub(super) step_km: f32,
    /// Cutting power.
    pub(super) strength: f32,
    /// Share of the difference from its neighbours that a cell loses by creep of the soil.
    pub(super) creep: f32,
    /// Streams that leave the map fall to the sea in this distance beyond it, in kilometres.
    pub(super) beyond_km: f32,
    /// Which pass it is: streams waver differently in each.
    pub(super) turn: u32,
}

impl Pass {
    /// Cuts `ground`, metres over the sea, once; it rises by this share of a grid of metres while it does.
    pub(super) fn cut(&self, ground: &mut Grid<f32>, sea: &Grid<bool>, rise: Option<(f32, &Grid<f32>)>) {
        let drainage = Drainage::of(ground, sea, Wobble { share: 0.5, turn: self.turn });
        let area = drainage.gathered(self.step_km * self.step_km);
        let cells = ground.as_mut_slice();
        for &i in &drainage.order {
            let i = i as usize;
            let slanted = drainage.downstream[i] % 2 == 1 && drainage.downstream[i] != OFF_MAP;
            let distance = self.step_km * if slanted { std::f32::consts::SQRT_2 } else { 1.0 };
            let (below, distance) = match drainage.next(i) {
                Some(next) => (cells[next].max(0.0), distance),
                None => (0.0, self.beyond_km),
            };
            let f = self.strength * area[i].sqrt() / distance;
            let cut =
                (cells[i] + rise.map_or(0.0, |(share, metres)| share * metres.as_slice()[i]) + f * below) / (1.0 + f);
            let metres = 1000.0 * distance;
            let least = (LEAST * metres).min(LEAST_M) * (1.0 - below / SKY_M).max(0.0);
            cells[i] = cut.clamp(below + least, below + STEEPEST * metres);
        }
        if self.creep > 0.0 {
            self.soften(ground, sea);
        }
    }

    /// Soil creeps from crests into hollows: each land cell goes towards the mean of its neighbours.
    fn soften(&self, ground: &mut Grid<f32>, sea: &Grid<bool>) {
        let before = ground.clone();
        let (right, bottom) = (ground.width() - 1, ground.height() - 1);
        rows_mut(ground).for_each(|(y, row)| {
            let [above, here, below] = [y.saturating_sub(1), y, (y + 1).min(bottom)].map(|y| before.row(y));
            for (x, cell) in row.iter_mut().enumerate().filter(|&(x, _)| !sea.row(y)[x]) {
                let mean = 0.25 * (above[x] + below[x] + here[x.saturating_sub(1)] + here[(x + 1).min(right)]);
                *cell += self.creep * (mean.max(0.0) - *cell);
            }
        });
    }
}
