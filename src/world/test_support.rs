//! Ground for tests.

use crate::grid::Grid;
use crate::math::SplitMix64;

/// Returns a number from 0 to 1 that is a fixed random function of `i`.
pub(super) fn hash_to_unit(i: u32) -> f32 {
    (SplitMix64::mix(i.into()) >> 40) as f32 * (1.0 / (1 << 24) as f32)
}

/// Random ground with many pits; some of it level, some of it sea.
pub(super) fn random_ground(seed: u32, width: usize, height: usize, steps: f32) -> (Grid<f32>, Grid<bool>) {
    let ground = Grid::from_fn(width, height, |c| {
        let height = (hash_to_unit(seed.wrapping_add((c.x * 31 + c.y * 1009) as u32)) * steps).floor();
        if height == 0.0 && seed.is_multiple_of(2) { -1.0 } else { 1.0 + height }
    });
    let sea = ground.map(|&ground| ground < 0.0);
    (ground, sea)
}
