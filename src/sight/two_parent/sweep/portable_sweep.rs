//! [`PortableSweep`]: the sweep with vectors of up to eight lanes, by `fearless_simd`. It works on any processor and with
//! any weights, and gives the same bits as the definition.
//!
//! ```text
//!    ╲ 0 │ 1 ╱      The cells with the same M = max(|dx|, |dy|) form a ring, and they depend only on the ring M − 1.
//!   0  ╲ │ ╱  2     So each octant is swept outwards in rows M = 1, 2, …, and the light that passes a row stays in
//!   ─────@─────     registers: cell n = 0, 1, … away from the axis in lane n. The parents of a cell are the same lane of
//!   1  ╱ │ ╲  3     the row before, and the lane next to it. Left and right of the viewer, opacities are read and
//!    ╱ 2 │ 3 ╲      visibilities are written in transposed tiles of 8 × 8.
//! ```
//!
//! The work is cut into blocks of 8 × 8 cells in all eight octants ([`OctantTiling`]); a [`BlockSweep`] computes up to two
//! of them. Blocks that no light enters are skipped, and cleared if an earlier view left light in them. Vectors extend a
//! little beyond the cells in sight: beyond the diagonal all is 0, beyond the circle it is masked, and no cell in sight
//! takes light from there.

use fearless_simd::{Level, Simd};
use glam::IVec2;

use super::neighbourhood::{Neighbourhood, NeighbourhoodMut};
use super::octant_tiling::{OctantTiling, ShareTable};
use super::sweep_block::{BlockInput, BlockSweep, DARK, MAX_BLOCKS, OutermostLight, PassedLight, TransposedBlocks};
use crate::grid::AlignedGrid;
use crate::grid::Grid;
use crate::sight::config::Weights;
use crate::simd::{TILE_SIDE, dispatch_8_lanes};

/// The buffers of the sweep.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct PortableSweep {
    tiling: OctantTiling,
    /// The radii of disc and window that the tiling is for.
    tiled_for: Option<[u32; 2]>,
    table: ShareTable,
    /// The light of the blocks of the current group.
    light: Vec<PassedLight>,
    /// `true` for each block in which the window has light.
    written: Vec<bool>,
    /// `true` if the window is as the last sweep left it.
    window_is_known: bool,
    columns: Box<TransposedBlocks>,
    outermost: Box<[OutermostLight; 2]>,
}

/// Opacities around a viewer.
#[derive(Clone, Copy)]
pub(in crate::sight) struct SweepInput<'a> {
    pub(in crate::sight) cells: &'a [f32],
    /// The index of the viewer's cell.
    pub(in crate::sight) viewer: usize,
    /// The distance from one row to the next, in values.
    pub(in crate::sight) stride: usize,
    /// `true` if some opacities are above 1, which means that there is no cell.
    pub(in crate::sight) has_nodata: bool,
}

impl<'a> SweepInput<'a> {
    /// The cells of a map around a viewer, or `None` if the map does not contain all cells that the sweep reads.
    pub(in crate::sight) fn on_map(map: &'a Grid<f32>, viewer: IVec2, in_sight: u32) -> Option<Self> {
        let reach = in_sight as i32;
        let fits = viewer.min_element() >= reach && (map.size() - viewer).min_element() > reach;
        let (cells, stride) = (map.as_slice(), map.width());
        let viewer = viewer.y as usize * stride + viewer.x as usize;
        let fits = fits && Neighbourhood::new(cells, viewer, stride, in_sight as usize).is_some();
        fits.then_some(Self { cells, viewer, stride, has_nodata: false })
    }
}

impl PortableSweep {
    /// The smallest radius that the sweep accepts.
    pub(in crate::sight) const MIN_RADIUS: u32 = TILE_SIDE as u32;

    /// Must be called after other code wrote into the window.
    pub(in crate::sight) fn forget(&mut self) {
        self.window_is_known = false;
    }

    /// Computes the raw visibility of every cell within `in_sight` into the window `seen`, before the path rule and decay.
    /// `may_use_avx2`: use AVX2 if the processor has it.
    ///
    /// # Panics
    /// If window or input do not contain the cells in sight with seven more on each side, or either radius is below
    /// [`MIN_RADIUS`](Self::MIN_RADIUS).
    pub(in crate::sight) fn sweep(
        &mut self,
        input: SweepInput<'_>,
        seen: &mut AlignedGrid,
        in_sight: u32,
        weights: Weights,
        may_use_avx2: bool,
    ) {
        let window = (seen.width() / 2) as u32;
        assert!(in_sight.min(window) >= Self::MIN_RADIUS, "a radius below {}", Self::MIN_RADIUS);
        let linear = weights == Weights::Linear;
        if self.tiled_for != Some([in_sight, window]) {
            self.tiling.tile(in_sight, window);
            let blocks = self.light.len().max(self.tiling.max_group_blocks);
            self.light.resize_with(blocks, PassedLight::default);
            self.tiled_for = Some([in_sight, window]);
            self.window_is_known = false;
        }
        if !linear {
            self.table.extend(self.tiling.groups.len(), weights);
        }
        if !self.window_is_known {
            seen.values_mut().fill(0.0);
            self.written.clear();
            self.written.resize(self.tiling.blocks, false);
            self.window_is_known = true;
        }
        let (viewer, stride) = (seen.index_of(window as usize, window as usize), seen.stride());
        let reach = self.tiling.reach;
        let seen = seen.values_mut();
        seen[viewer - (TILE_SIDE - 1)..viewer + TILE_SIDE].fill(0.0);
        seen[viewer] = 1.0;
        let opacity = Neighbourhood::new(input.cells, input.viewer, input.stride, reach);
        let run = SweepRun {
            opacity: opacity.expect("the input contains the cells in sight"),
            seen: NeighbourhoodMut::new(seen, viewer, stride, reach).expect("the window contains the cells in sight"),
            has_nodata: input.has_nodata,
            linear,
            buffers: self,
        };
        let level = if may_use_avx2 { Level::new() } else { Level::baseline() };
        dispatch_8_lanes!(level, simd => run.run(simd));
    }
}

/// One call of the sweep.
struct SweepRun<'a> {
    buffers: &'a mut PortableSweep,
    opacity: Neighbourhood<'a>,
    has_nodata: bool,
    linear: bool,
    seen: NeighbourhoodMut<'a>,
}

impl SweepRun<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match (self.linear, self.has_nodata) {
            (true, false) => self.sweep_groups::<S, false, false>(simd),
            (true, true) => self.sweep_groups::<S, true, false>(simd),
            (false, _) => self.sweep_groups::<S, true, true>(simd),
        }
    }

    /// Sweeps the groups from the viewer outwards, and the blocks of each from the axis outwards.
    #[inline(always)]
    fn sweep_groups<S: Simd, const NODATA: bool, const TABLE: bool>(self, simd: S) {
        let Self { buffers, opacity, mut seen, .. } = self;
        let PortableSweep { tiling, table, light, written, columns, outermost, .. } = buffers;
        let seen = &mut seen;
        light.iter_mut().for_each(PassedLight::clear);
        light[0].start();
        let [mut inner, mut outer] = outermost.each_mut();
        for (g, group) in tiling.groups.iter().enumerate() {
            let mut inner_is_lit = false;
            for b in (0..group.blocks).step_by(MAX_BLOCKS) {
                let (first, n) = (group.first_block + b, MAX_BLOCKS.min(group.blocks - b));
                let light = &mut light[b..b + n];
                let shares = if TABLE { table.rows(g, b, n) } else { &[] };
                let (first_row, first_cell) = (g * TILE_SIDE, b * TILE_SIDE);
                let input = &BlockInput { reach: tiling.reach, group, first_row, first_cell, shares, opacity };
                if inner_is_lit || light.iter().any(|light| light.lit) {
                    let inner = if inner_is_lit { &*inner } else { &DARK };
                    // The last block of a group is on the diagonal or on the circle. With nodata or a table there is no copy
                    // of the code without an edge.
                    let edge = NODATA || TABLE || b + n > g.min(group.blocks_inside);
                    inner_is_lit = match (n, edge) {
                        (1, _) => BlockSweep::<S, 1> { simd, input }
                            .sweep::<NODATA, TABLE, true>(seen, light, inner, outer, columns),
                        (_, true) => BlockSweep::<S, 2> { simd, input }
                            .sweep::<NODATA, TABLE, true>(seen, light, inner, outer, columns),
                        (_, false) => BlockSweep::<S, 2> { simd, input }
                            .sweep::<false, false, false>(seen, light, inner, outer, columns),
                    };
                    written[first..first + n].fill(true);
                } else {
                    for (b, written) in written[first..first + n].iter_mut().enumerate() {
                        if std::mem::take(written) {
                            input.clear(b, seen);
                        }
                    }
                }
                std::mem::swap(&mut inner, &mut outer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sight::OpacityRows;
    use crate::sight::offsets::OffsetList;
    use crate::sight::two_parent::definition;
    use crate::sight::window::Window;

    fn opacity() -> impl Strategy<Value = f32> {
        prop_oneof![3 => Just(0.0f32), 1 => Just(1.0f32), 3 => 0.0..=1.0f32, 1 => Just(f32::NAN)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

        #[test]
        fn sweep_gives_the_bits_of_the_definition(
            in_sight in 8..60u32,
            cut in 0..6u32,
            dark in 0..3usize,
            opacities in proptest::collection::vec(opacity(), 700),
            shift in 0..700usize,
        ) {
            let mut sweeps = [PortableSweep::default(), PortableSweep::default()];
            let mut windows = [Window::default(), Window::default()];
            // Twice each, since the second view overwrites the first.
            for (weights, shift) in [
                (Weights::Linear, shift),
                (Weights::Linear, 2 * shift),
                (Weights::Projection, shift),
                (Weights::Projection, 2 * shift),
                (Weights::Linear, shift),
            ] {
                let list = OffsetList::new(in_sight, weights);
                let window = in_sight.saturating_sub(cut).max(8);
                let mut plain = Window::default();
                plain.make_room(window, in_sight);
                let fill = |start: IVec2, row: &mut [f32]| {
                    for (x, slot) in (start.x..).zip(row) {
                        let i = (x * 31 + start.y * 17 + shift as i32).rem_euclid(700) as usize;
                        // Some views are mostly dark.
                        *slot = if (i + shift) % 3 < dark { 1.0 } else { opacities[i] };
                    }
                };
                plain.fill_opacities(OpacityRows::new(fill), IVec2::ZERO);
                definition::over_window(list.as_slice(), &mut plain, &mut Vec::new(), &mut Vec::new());
                for ((sweep, fast), may_use_avx2) in sweeps.iter_mut().zip(&mut windows).zip([false, true]) {
                    fast.make_room(window, in_sight);
                    let input = SweepInput {
                        cells: plain.opacity.values(),
                        viewer: plain.middle(),
                        stride: plain.opacity.stride(),
                        has_nodata: true,
                    };
                    sweep.sweep(input, &mut fast.seen, in_sight, weights, may_use_avx2);
                    for (cell, value) in plain.seen.view().iter() {
                        prop_assert_eq!(value.to_bits(), fast.seen[cell].to_bits(), "{:?}, {}, {}", weights, cell, may_use_avx2);
                    }
                }
            }
        }
    }

    #[test]
    fn map_is_read_in_place_only_with_enough_cells_around() {
        let map = Grid::new(40, 60, 0.0);
        let holds = |x, y, radius| SweepInput::on_map(&map, glam::ivec2(x, y), radius).is_some();
        assert!(holds(20, 30, 19) && holds(15, 30, 15));
        assert!(!holds(14, 30, 15) && !holds(25, 30, 15) && !holds(20, 14, 15) && !holds(20, 45, 15));
        // Seven cells next to those in sight are read, too.
        assert!(holds(15, 16, 15) && !holds(15, 15, 15));
    }
}
