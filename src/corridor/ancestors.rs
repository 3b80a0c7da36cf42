//! [`Ancestors`]: the cells from which one target takes its light in the two-parent method.
//!
//! With M the longer and m the shorter of |dx| and |dy|, the target's parents, their parents and so on fill a
//! parallelogram between viewer and target. Each step back is one along the longer axis, so they form layers:
//!
//! ```text
//!            layer  0  1  2  3  4  5  6
//!                               ■  ■  ◎   target (6, 2)
//!                      ■  ■  ■  ■  ■
//!                   @  ■  ■  ■  ■         viewer
//! ```
//!
//! A forward pass, layer after layer, gives the same bits as the kernel (`sight::two_parent::definition`). The target's raw value is linear
//! in the opacity of each cell, and one backward pass gives the slopes of all cells. With λ(c) the fraction of T(c) that
//! reaches the target,
//!
//! ```text
//! λ(parent of the target) = w          λ(p) = Σ over p's children c:  w(c, p) · (1 − opacity(c)) · λ(c)
//! ∂ raw(target) / ∂ opacity(c) = −raw(c) · λ(c)
//! ```
//!
//! This is reverse-mode differentiation (Griewank and Walther, "Evaluating Derivatives", 2008). It is exact because a
//! path passes a cell at most once.

use glam::IVec2;

use crate::sight::{ancestor_ranks, arriving, axes, diagonal_weight};
use crate::sight_config::Weights;

/// The cells from which a target takes its light, in layers.
#[derive(Clone, Debug)]
pub(super) struct Ancestors {
    /// M: the layers from the viewer to the target.
    steps: i32,
    /// m: the target's distance from the longer axis.
    across: i32,
    /// The index of the first cell of each layer from 1 to M, then the number of cells. Layer M has only the target.
    starts: Vec<usize>,
    /// The weight of the diagonal parent of every cell, the target last.
    diagonal: Vec<f32>,
}

impl Ancestors {
    /// Creates the ancestors of a target at this offset from the viewer, and the offsets of their cells without viewer
    /// and target, nearest layer first.
    pub(super) fn new(target: IVec2, weights: Weights) -> (Self, Vec<IVec2>) {
        let (along, across) = axes(target);
        let (steps, distance_across) = (target.abs().max_element(), target.abs().min_element());
        let mut ancestors = Self { steps, across: distance_across, starts: vec![0], diagonal: Vec::new() };
        let mut cells = Vec::new();
        for layer in 1..=steps {
            for rank in ancestors.ranks(layer) {
                let cell = along * layer + across * rank;
                ancestors.diagonal.push(diagonal_weight(cell, weights));
                if layer < steps {
                    cells.push(cell);
                }
            }
            ancestors.starts.push(ancestors.diagonal.len());
        }
        (ancestors, cells)
    }

    /// Returns the distances of a layer's cells from the longer axis.
    fn ranks(&self, layer: i32) -> std::ops::RangeInclusive<i32> {
        ancestor_ranks([self.steps, self.across], layer)
    }

    /// Computes the raw value of every cell, the target last.
    pub(super) fn raw_values(&self, opacity: &[f32]) -> Vec<f32> {
        let mut raw = Vec::with_capacity(self.diagonal.len());
        if self.steps == 0 {
            return vec![1.0];
        }
        // T of each cell of the previous layer, by rank, with a 0 on either side.
        let width = self.across as usize + 3;
        let (mut before, mut through) = (vec![0.0; width], vec![0.0; width]);
        before[1] = 1.0;
        for layer in 1..=self.steps {
            through.fill(0.0);
            for rank in self.ranks(layer) {
                let (i, slot) = (raw.len(), rank as usize + 1);
                let diagonal = self.diagonal[i];
                let seen: f32 = arriving(1.0, diagonal, before[slot], before[slot - 1]);
                raw.push(seen);
                through[slot] = seen * (1.0 - opacity.get(i).copied().unwrap_or(0.0));
            }
            std::mem::swap(&mut before, &mut through);
        }
        raw
    }

    /// Computes for each cell the decrease of the target's raw value per unit of the cell's opacity: raw · λ.
    pub(super) fn slopes(&self, opacity: &[f32], raw: &[f32]) -> Vec<f64> {
        let mut slopes = vec![0.0; opacity.len()];
        let width = self.across as usize + 3;
        // (1 − opacity) · λ of the next layer, by rank.
        let (mut outer, mut inner) = (vec![0.0; width], vec![0.0; width]);
        outer[self.across as usize + 1] = 1.0;
        for layer in (1..self.steps).rev() {
            inner.fill(0.0);
            let first = *self.ranks(layer).start();
            let first_outer = *self.ranks(layer + 1).start();
            for rank in self.ranks(layer) {
                let (i, slot) = (self.starts[layer as usize - 1] + (rank - first) as usize, rank as usize + 1);
                let weight_of = |rank: i32| {
                    let index = rank - first_outer;
                    let child = self.starts[layer as usize] as i32 + index;
                    let is_child = index >= 0 && child < self.starts[layer as usize + 1] as i32;
                    if is_child { f64::from(self.diagonal[child as usize]) } else { 0.0 }
                };
                let lambda = (1.0 - weight_of(rank)) * outer[slot] + weight_of(rank + 1) * outer[slot + 1];
                slopes[i] = f64::from(raw[i]) * lambda;
                inner[slot] = lambda * (1.0 - f64::from(opacity[i]));
            }
            std::mem::swap(&mut outer, &mut inner);
        }
        slopes
    }

    /// Finds the smallest set of opaque cells that must all be removed to make the target visible, nearest first.
    pub(super) fn fewest_in_series(&self, opacity: &[f32]) -> Vec<usize> {
        let mut walls = vec![0u32; self.diagonal.len()];
        let mut parent = vec![None; self.diagonal.len()];
        for layer in 1..=self.steps {
            let first = *self.ranks(layer).start();
            for rank in self.ranks(layer) {
                let i = self.starts[layer as usize - 1] + (rank - first) as usize;
                let diagonal = self.diagonal[i];
                let parents = [(rank, 1.0 - diagonal), (rank - 1, diagonal)];
                let is_cell =
                    |rank: i32, weight: f32| layer > 1 && weight > 0.0 && self.ranks(layer - 1).contains(&rank);
                let index =
                    |rank: i32| self.starts[layer as usize - 2] + (rank - self.ranks(layer - 1).start()) as usize;
                let known = parents.into_iter().filter(|&(rank, weight)| is_cell(rank, weight));
                let known = known.map(|(rank, weight)| (index(rank), weight));
                // Of two sets with the same number of walls, take the one with the larger weight.
                let best = known.min_by(|a, b| walls[a.0].cmp(&walls[b.0]).then(b.1.total_cmp(&a.1)));
                parent[i] = best.map(|(parent, _)| parent);
                walls[i] = parent[i].map_or(0, |parent| walls[parent])
                    + u32::from(opacity.get(i).is_some_and(|opacity| *opacity >= 1.0));
            }
        }
        let mut chain = Vec::new();
        let mut at = parent.last().copied().flatten();
        while let Some(i) = at {
            if opacity[i] >= 1.0 {
                chain.push(i);
            }
            at = parent[i];
        }
        chain.reverse();
        chain
    }
}
