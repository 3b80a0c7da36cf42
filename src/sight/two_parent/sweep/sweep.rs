//! The fast kernel in vectors of eight, by way of `fearless_simd`: for any processor and any weights, to the bit what the
//! plain kernel gives.
//!
//! ```text
//!    ╲ 0 │ 1 ╱      The cells with the same M = max(|dx|, |dy|) form a ring, and they depend on the ring M − 1 alone.
//!   0  ╲ │ ╱  2     So each octant is swept in steps M = 1, 2, … outwards, and what passes through a row stays in
//!   ─────@─────     registers: n = 0, 1, … cells aside from the axis in lane n. The parents of a cell are the same lane
//!   1  ╱ │ ╲  3     of the step before, and the lane beside. Opacities left and right are read, and what is seen there is
//!    ╱ 2 │ 3 ╲      written, in tiles of eight by eight that are turned: columns become rows.
//! ```
//!
//! Work is cut into pieces of eight steps by eight cells of all eight octants ([`Cut`]), of which up to two lie in a
//! [`Strip`]. Where no light enters a strip, it is skipped, and cleared if an earlier view left light in it. Vectors reach
//! a little beyond what is in sight: beyond the diagonal there is only darkness, beyond the circle it is put out, and
//! nothing that is in sight takes light from there.

use fearless_simd::{Level, Simd};
use glam::IVec2;

use super::block::{Beside, DARK, Light, MOST, Site, Strip, Work};
use super::neighbourhood::{Around, AroundMut};
use super::octant_tiling::{Cut, Table};
use super::transpose::{InQuarters, Turn};
use crate::grid::AlignedGrid;
use crate::grid::Grid;
use crate::sight::config::Weights;
use crate::simd::WIDE;

/// The buffers of the sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Eight {
    cut: Cut,
    /// For what disc, in what window.
    cut_for: Option<[u32; 2]>,
    table: Table,
    /// What passes through the last row, for each piece aside.
    light: Vec<Light>,
    /// Whether the window has light in a piece.
    written: Vec<bool>,
    /// Whether the window is as the last sweep left it.
    known: bool,
    work: Box<Work>,
    beside: Box<[Beside; 2]>,
}

/// Opacities, and where the viewer stands in them.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) cells: &'a [f32],
    /// Where the viewer's cell is.
    pub(crate) at: usize,
    /// From one row to the next.
    pub(crate) row: usize,
    /// Whether there are opacities that stand for no cell.
    pub(crate) holes: bool,
}

impl<'a> Ground<'a> {
    /// The cells of a map around a viewer, if all that are looked at within a radius lie on it.
    pub(crate) fn on_map(map: &'a Grid<f32>, viewer: IVec2, in_sight: u32) -> Option<Self> {
        let reach = in_sight as i32;
        let fits = viewer.min_element() >= reach && (map.size() - viewer).min_element() > reach;
        let (cells, row) = (map.as_slice(), map.width());
        let at = viewer.y as usize * row + viewer.x as usize;
        let fits = fits && Around::new(cells, at, row, in_sight as usize).is_some();
        fits.then_some(Self { cells, at, row, holes: false })
    }
}

impl Eight {
    /// The least radius that is worth it.
    pub(crate) const FROM: u32 = WIDE as u32;

    /// To be told when something else wrote into the window.
    pub(crate) fn forget(&mut self) {
        self.known = false;
    }

    /// Leaves in the window `seen` the raw visibility of every cell within `in_sight`, before the path rule and decay: in
    /// the widest vectors at hand, or only in those that every processor of this kind knows.
    ///
    /// # Panics
    /// If the window or the ground does not hold what is in sight, with seven cells beside, or either radius is below 8.
    pub(crate) fn sweep(
        &mut self,
        ground: Ground<'_>,
        seen: &mut AlignedGrid,
        in_sight: u32,
        weights: Weights,
        wide: bool,
    ) {
        let window = (seen.width() / 2) as u32;
        assert!(in_sight.min(window) >= Self::FROM, "too little for a whole vector");
        let linear = weights == Weights::Linear;
        if self.cut_for != Some([in_sight, window]) {
            self.cut.cut(in_sight, window);
            let blocks = self.light.len().max(self.cut.blocks);
            self.light.resize_with(blocks, Light::default);
            self.cut_for = Some([in_sight, window]);
            self.known = false;
        }
        if !linear {
            self.table.extend(self.cut.groups.len(), weights);
        }
        if !self.known {
            seen.values_mut().fill(0.0);
            self.written.clear();
            self.written.resize(self.cut.pieces, false);
            self.known = true;
        }
        let (at, row, reach) = (seen.place(window as usize, window as usize), seen.stride(), self.cut.reach);
        let seen = seen.values_mut();
        seen[at - (WIDE - 1)..at + WIDE].fill(0.0);
        seen[at] = 1.0;
        let room = "room for what is in sight";
        let sweep = Sweep {
            ground: Around::new(ground.cells, ground.at, ground.row, reach).expect(room),
            seen: AroundMut::new(seen, at, row, reach).expect(room),
            holes: ground.holes,
            linear,
            eight: self,
        };
        let level = Level::new();
        #[cfg(target_arch = "x86_64")]
        if let (true, Some(simd), Some(turn)) = (wide, level.as_avx2(), pulp::x86::V3::try_new()) {
            simd.vectorize(
                #[inline(always)]
                || sweep.run(simd, turn),
            );
        } else if let Some(simd) = level.as_sse2() {
            simd.vectorize(
                #[inline(always)]
                || sweep.run(simd, InQuarters),
            );
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = wide;
            fearless_simd::dispatch!(level, simd => sweep.run(simd, InQuarters));
        }
    }
}

/// The work of one call.
struct Sweep<'a> {
    eight: &'a mut Eight,
    ground: Around<'a>,
    holes: bool,
    linear: bool,
    seen: AroundMut<'a>,
}

impl Sweep<'_> {
    #[inline(always)]
    fn run<S: Simd, T: Turn>(self, simd: S, turn: T) {
        match (self.linear, self.holes) {
            (true, false) => self.over::<S, T, false, false>(simd, turn),
            (true, true) => self.over::<S, T, true, false>(simd, turn),
            (false, _) => self.over::<S, T, true, true>(simd, turn),
        }
    }

    /// From the viewer on, eight steps after eight, and from the axis on, strip after strip.
    #[inline(always)]
    fn over<S: Simd, T: Turn, const HOLES: bool, const TABLE: bool>(self, simd: S, turn: T) {
        let Self { eight: Eight { cut, table, light, written, work, beside, .. }, ground, mut seen, .. } = self;
        let seen = &mut seen;
        light.iter_mut().for_each(Light::clear);
        light[0].start();
        let [mut inner, mut outer] = beside.each_mut();
        for (g, group) in cut.groups.iter().enumerate() {
            let mut flowing = false;
            for b in (0..group.blocks).step_by(MOST) {
                let (first, n) = (group.first + b, MOST.min(group.blocks - b));
                let light = &mut light[b..b + n];
                let shares = if TABLE { table.rows(g, b, n) } else { &[] };
                let site = &Site { reach: cut.reach, group, near: g * WIDE, before: b * WIDE, shares, ground };
                if flowing || light.iter().any(|light| light.lit) {
                    let inner = if flowing { &*inner } else { &DARK };
                    // A piece that has no other beside it lies on the diagonal or on the rim. Holes and tables are spared a
                    // copy of the code without an edge.
                    let edge = HOLES || TABLE || b + n > g.min(group.round);
                    flowing = match (n, edge) {
                        (1, _) => Strip::<S, T, 1> { simd, turn, site }
                            .sweep::<HOLES, TABLE, true>(seen, light, inner, outer, work),
                        (_, true) => Strip::<S, T, 2> { simd, turn, site }
                            .sweep::<HOLES, TABLE, true>(seen, light, inner, outer, work),
                        (_, false) => Strip::<S, T, 2> { simd, turn, site }
                            .sweep::<false, false, false>(seen, light, inner, outer, work),
                    };
                    written[first..first + n].fill(true);
                } else {
                    for (b, written) in written[first..first + n].iter_mut().enumerate() {
                        if std::mem::take(written) {
                            site.darken(b, seen);
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
    use crate::sight::two_parent::definition as propagate;
    use crate::sight::window::Window;

    fn opacity() -> impl Strategy<Value = f32> {
        prop_oneof![3 => Just(0.0f32), 1 => Just(1.0f32), 3 => 0.0..=1.0f32, 1 => Just(f32::NAN)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

        #[test]
        fn equals_the_plain_kernel_to_the_bit(
            in_sight in 8..60u32,
            cut in 0..6u32,
            dark in 0..3usize,
            some in proptest::collection::vec(opacity(), 700),
            shift in 0..700usize,
        ) {
            let mut sweeps = [Eight::default(), Eight::default()];
            let mut windows = [Window::default(), Window::default()];
            // Twice each, since the second view finds what the first left.
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
                        *slot = if (i + shift) % 3 < dark { 1.0 } else { some[i] };
                    }
                };
                plain.fill_opacities(OpacityRows::new(fill), IVec2::ZERO);
                propagate::over_window(list.as_slice(), &mut plain, &mut Vec::new(), &mut Vec::new());
                for ((sweep, fast), wide) in sweeps.iter_mut().zip(&mut windows).zip([false, true]) {
                    fast.make_room(window, in_sight);
                    let ground = Ground {
                        cells: plain.opacity.values(),
                        at: plain.middle(),
                        row: plain.opacity.stride(),
                        holes: true,
                    };
                    sweep.sweep(ground, &mut fast.seen, in_sight, weights, wide);
                    for (cell, value) in plain.seen.view().iter() {
                        prop_assert_eq!(value.to_bits(), fast.seen[cell].to_bits(), "{:?}, {}, {}", weights, cell, wide);
                    }
                }
            }
        }
    }

    #[test]
    fn a_map_is_swept_in_place_only_with_room_around() {
        let map = Grid::new(40, 60, 0.0);
        let holds = |x, y, radius| Ground::on_map(&map, glam::ivec2(x, y), radius).is_some();
        assert!(holds(20, 30, 19) && holds(15, 30, 15));
        assert!(!holds(14, 30, 15) && !holds(25, 30, 15) && !holds(20, 14, 15) && !holds(20, 45, 15));
        // Seven cells beside those in sight are read, too.
        assert!(holds(15, 16, 15) && !holds(15, 15, 15));
    }
}
