//! The raw value of a single cell, by the part of the definition that the target needs.
//!
//! With M the longer and m the shorter of |dx| and |dy|, only cells with at most m steps across can pass light to the
//! target. So they are computed layer by layer, M times up to m + 1 cells, as in `ancestors`:
//!
//! ```text
//!            rank 2                 ·  ■  ■  ◎   target (6, 2)
//!            rank 1        ·  ■  ■  ■  ■
//!            rank 0     @  ■  ■  ■  ■            viewer
//! ```
//!
//! Up to 24 ranks are in registers, as in the sweep; more are in memory. The sums and bits are those of the definition.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x8};
use glam::{IVec2, ivec2};

use super::definition::arriving;
use super::kernel::{Kernel, TwoParent};
use super::sweep::Plane;
use crate::sight::offsets::{ancestor_ranks, axes, diagonal_weight, linear_weight};
use crate::sight::opacity_map::OpacityMap;
use crate::sight_config::Weights;
use crate::simd::{Vector, dispatch_8_lanes};

/// The number of lanes.
const W: usize = 8;

/// The largest number of vectors in registers.
const MAX_VECTORS: usize = 3;

impl TwoParent {
    /// Computes the raw visibility of the cell at an offset from the viewer. Both are on the map.
    pub(crate) fn raw_of_target(
        &mut self,
        map: &OpacityMap,
        viewer: IVec2,
        target: IVec2,
        in_sight: u32,
        weights: Weights,
    ) -> f32 {
        // Allocates both buffers, so that later targets allocate nothing.
        map.transmittance();
        self.passing.reserve((in_sight as usize + 2).saturating_sub(self.passing.len()));
        if target == IVec2::ZERO {
            return 1.0;
        }
        if weights == Weights::Linear && self.chosen_kernel != Some(Kernel::Plain) {
            let level = if self.chosen_kernel == Some(Kernel::Width4) { Level::baseline() } else { Level::new() };
            let path = TargetPath::new(map, viewer, target);
            if let Some(path) = path {
                return dispatch_8_lanes!(level, simd => path.raw(simd));
            }
        }
        match weights {
            Weights::Linear => self.raw_in_memory(map, viewer, target, linear_weight),
            Weights::Projection => {
                let weight = |rank, layer| diagonal_weight(ivec2(layer, rank), Weights::Projection);
                self.raw_in_memory(map, viewer, target, weight)
            }
        }
    }

    /// Computes the layers with ranks in memory, for any distance. `weight` returns the weight of the diagonal parent
    /// of a rank in a layer.
    fn raw_in_memory(
        &mut self,
        map: &OpacityMap,
        viewer: IVec2,
        target: IVec2,
        weight: impl Fn(i32, i32) -> f32,
    ) -> f32 {
        let (along, across) = axes(target);
        let (steps, ranks) = (target.abs().max_element(), target.abs().min_element());
        // T of the previous layer by rank, after a 0.
        let through = &mut self.passing;
        through.clear();
        through.resize(ranks as usize + 2, 0.0);
        through[1] = 1.0;
        for layer in 1..=steps {
            let mut is_lit = false;
            // From the outermost rank inwards, since the parents are in the previous layer.
            for rank in ancestor_ranks([steps, ranks], layer).rev() {
                let (offset, slot) = (along * layer + across * rank, rank as usize + 1);
                let seen = arriving(1.0, weight(rank, layer), through[slot], through[slot - 1]);
                if layer == steps {
                    return seen;
                }
                through[slot] = seen * (1.0 - map.grid()[viewer + offset]);
                is_lit |= through[slot] > 0.0;
            }
            if !is_lit {
                return 0.0;
            }
        }
        1.0
    }
}

/// The cells between viewer and target in a plane in which ranks are contiguous.
struct TargetPath<'a> {
    plane: Plane<'a>,
    /// The distance from one layer to the next, in values.
    step: isize,
    /// `true` if ranks run towards lower indices.
    is_mirrored: bool,
    layers: usize,
    ranks: usize,
}

impl<'a> TargetPath<'a> {
    /// Returns `None` if there are too many ranks for registers, or if vectors would end beyond the plane.
    fn new(map: &'a OpacityMap, viewer: IVec2, target: IVec2) -> Option<Self> {
        let distance = target.abs();
        let (layers, ranks) = (distance.max_element() as usize, distance.min_element() as usize);
        if ranks >= MAX_VECTORS * W {
            return None;
        }
        let [rows, columns] = map.transmittance().around(viewer, 0)?.planes;
        // Layers are columns of the map if the target is farther along x.
        let (plane, along, across) =
            if distance.x >= distance.y { (columns, target.x, target.y) } else { (rows, target.y, target.x) };
        let step = plane.stride as isize * along.signum() as isize;
        let path = Self { plane, step, is_mirrored: across < 0, layers, ranks };
        let places = [1, layers as isize].map(|layer| path.place(layer, 0));
        let width = MAX_VECTORS * W;
        let fits = |place: isize| {
            let place = usize::try_from(place).ok();
            place.is_some_and(|place| place >= width && place + width <= path.plane.cells.len())
        };
        places.into_iter().all(fits).then_some(path)
    }

    /// Returns the index of the first value of a vector in a layer.
    #[inline(always)]
    fn place(&self, layer: isize, vector: usize) -> isize {
        let first = (vector * W) as isize;
        let aside = if self.is_mirrored { 1 - first - W as isize } else { first };
        self.plane.viewer as isize + layer * self.step + aside
    }

    #[inline(always)]
    fn raw<S: Simd>(&self, simd: S) -> f32 {
        match self.ranks / W {
            0 => self.walk::<S, 1>(simd),
            1 => self.walk::<S, 2>(simd),
            _ => self.walk::<S, MAX_VECTORS>(simd),
        }
    }

    /// Computes the layers with the ranks in N vectors. Ranks beyond the diagonal stay 0, and those beyond the target's
    /// pass no light to lower ranks.
    #[inline(always)]
    fn walk<S: Simd, const N: usize>(&self, simd: S) -> f32 {
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let mut light = [zero; N];
        let mut ramp = [0.0; W];
        ramp[0] = 1.0;
        light[0] = f32x8::simd_from(simd, ramp);
        let mut distance = [zero; N];
        for (b, distance) in distance.iter_mut().enumerate() {
            for (i, n) in ramp.iter_mut().enumerate() {
                *n = (b * W + i) as u32 as f32;
            }
            *distance = f32x8::simd_from(simd, ramp);
        }
        let mut on_diagonal = one;
        for layer in 1..self.layers {
            let reciprocal = f32x8::splat(simd, 1.0 / layer as u32 as f32);
            let mut any = zero;
            for b in (0..N).rev() {
                // M · (1/M) may differ from 1.
                let share = distance[b].simd_eq(on_diagonal).select(one, distance[b] * reciprocal);
                let diagonal = light[b].shift_up(if b == 0 { zero } else { light[b - 1] });
                let place = self.place(layer as isize, b) as usize;
                let transmittance = f32x8::from_slice(simd, &self.plane.cells[place..place + W]);
                let transmittance = if self.is_mirrored { transmittance.reverse() } else { transmittance };
                light[b] = arriving(one, share, light[b], diagonal) * transmittance;
                any = any.max(light[b]);
            }
            on_diagonal += one;
            if layer.is_multiple_of(LAYERS_PER_CHECK) && !any.simd_gt(zero).any_true() {
                return 0.0;
            }
        }
        let mut through = [0.0; MAX_VECTORS * W];
        for b in 0..N {
            through[b * W..(b + 1) * W].copy_from_slice(&light[b].to_array());
        }
        let diagonal = diagonal_weight(ivec2(self.layers as i32, self.ranks as i32), Weights::Linear);
        let [straight, before] =
            [Some(self.ranks), self.ranks.checked_sub(1)].map(|rank| rank.map_or(0.0, |rank| through[rank]));
        arriving(1.0, diagonal, straight, before)
    }
}

/// The number of layers between checks for remaining light.
const LAYERS_PER_CHECK: usize = 8;
