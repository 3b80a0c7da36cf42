//! [`FlowDirections`]: the neighbour that the water of each cell flows to (D8).
//!
//! # References
//! J. F. O'Callaghan and D. M. Mark, *The extraction of drainage networks from digital elevation data*, 1984.

use rayon::prelude::*;

use super::neighbours::{is_at_edge, is_diagonal, neighbour, neighbours, neighbours_at, opposite};
use crate::grid::Grid;

/// Instead of a direction: the cell is sea, where all water ends.
pub(super) const SEA: u8 = 8;
/// Instead of a direction: the water leaves the map.
pub(super) const OFF_MAP: u8 = 9;
/// Instead of a direction, until depressions are routed: no neighbour is lower.
pub(super) const PIT: u8 = 10;

pub(super) struct FlowDirections {
    /// An index into [`NEIGHBOURS`](super::neighbours::NEIGHBOURS), or [`SEA`], [`OFF_MAP`] or [`PIT`].
    pub(super) codes: Vec<u8>,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl FlowDirections {
    /// Lets each land cell drain to its steepest neighbour; cells without one are [`PIT`]s, or [`OFF_MAP`] at the edge.
    pub(super) fn steepest(ground: &Grid<f32>, sea: &Grid<bool>, jitter: FlowJitter) -> Self {
        let (width, height) = (ground.width(), ground.height());
        let mut codes = vec![SEA; width * height];
        codes.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, code) in row.iter_mut().enumerate().filter(|&(x, _)| !sea.row(y)[x]) {
                *code = steepest_direction(ground, sea, x, y, jitter);
            }
        });
        Self { codes, width, height }
    }

    /// Returns the cell downstream, or `None` where the water ends or leaves the map.
    #[inline]
    pub(super) fn downstream(&self, i: usize) -> Option<usize> {
        let direction = self.codes[i];
        (direction < SEA).then(|| neighbour(i, direction, self.width))
    }

    /// Returns the land cells that drain directly into the sea or off the map, row after row.
    pub(super) fn outlets(&self) -> Vec<u32> {
        let is_outlet = |i: &u32| {
            self.codes[*i as usize] == OFF_MAP
                || self.downstream(*i as usize).is_some_and(|downstream| self.codes[downstream] == SEA)
        };
        (0..self.codes.len() as u32).filter(is_outlet).collect()
    }

    /// Returns `roots` and all cells upstream of them, each after its downstream cell, depth first.
    pub(super) fn upstream_order(&self, roots: &[u32]) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.codes.len());
        let mut stack = Vec::new();
        for &root in roots {
            stack.push(root);
            while let Some(i) = stack.pop() {
                order.push(i);
                for (direction, from) in neighbours(i as usize, self.width, self.height) {
                    if self.codes[from] == opposite(direction) {
                        stack.push(from as u32);
                    }
                }
            }
        }
        order
    }

    /// Lets `cell` drain in direction `code`, and reverses the path that led from it down to its pit.
    pub(super) fn reverse_path(&mut self, mut cell: usize, mut code: u8) {
        loop {
            let old = std::mem::replace(&mut self.codes[cell], code);
            if old >= SEA {
                return;
            }
            cell = neighbour(cell, old, self.width);
            code = opposite(old);
        }
    }
}

/// Random variation of slopes, which makes streams wind on even ground.
#[derive(Clone, Copy, Default)]
pub(super) struct FlowJitter {
    /// The greatest share of a slope that is taken away, 0 to 1.
    pub(super) strength: f32,
    /// The seed of the pattern.
    pub(super) seed: u32,
}

impl FlowJitter {
    /// Returns the factor of the slope from a neighbour `to` in a direction.
    fn factor(self, to: usize, direction: u8) -> f32 {
        let pattern = self.seed.wrapping_mul(0x9e37_79b9);
        1.0 - self.strength * hash_to_unit(to as u32 ^ (u32::from(direction) << 28) ^ pattern)
    }
}

/// Returns a number from 0 to 1 that is a fixed random function of `i`.
pub(super) fn hash_to_unit(i: u32) -> f32 {
    let mixed = (i ^ (i >> 15)).wrapping_mul(0x2c1b_3c6d);
    ((mixed ^ (mixed >> 12)).wrapping_mul(0x297a_2d39) >> 16) as f32 * (1.0 / 65536.0)
}

fn steepest_direction(ground: &Grid<f32>, sea: &Grid<bool>, x: usize, y: usize, jitter: FlowJitter) -> u8 {
    let (width, height) = (ground.width(), ground.height());
    let here = ground.row(y)[x];
    let (mut best, mut steepest) = (if is_at_edge(x, y, width, height) { OFF_MAP } else { PIT }, 0.0);
    for (direction, to) in neighbours_at(x, y, width, height) {
        let lower = if sea.as_slice()[to] { 0.0 } else { ground.as_slice()[to] };
        let mut slope = here - lower;
        if slope <= steepest && !sea.as_slice()[to] {
            continue;
        }
        slope *= if is_diagonal(direction) { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
        slope *= jitter.factor(to, direction);
        if slope > steepest {
            (best, steepest) = (direction, slope);
        }
    }
    if best >= SEA {
        // On a plateau, drain left or up. Any fixed order leads off the plateau.
        let is_level =
            |&(direction, to): &(u8, usize)| direction >= 4 && ground.as_slice()[to] == here && !sea.as_slice()[to];
        best = neighbours_at(x, y, width, height).find(is_level).map_or(best, |(direction, _)| direction);
    }
    best
}
