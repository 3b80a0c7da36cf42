//! [`Sweep`]: the buffers of the sweep, and its loop over the bands of the disc.

use fearless_simd::Simd;
use glam::IVec2;

use super::band::{AxisLight, Band, CIRCLE, GENERAL, MAX_BAND, OPEN, Plane, across_diagonals, run_band};
use super::band::{BandColumns, Output};
use super::octant_tiling::{OctantTiling, ShareTable};
use super::sector_mask::AxisSector;
use super::small_disc::{MAX_RADIUS, sweep_small_disc};
use super::tile_store::{clear_band, store_columns};
use super::transmittance::TransmittancePlanes;
use crate::grid::AlignedGrid;
use crate::sight_config::{OctantParts, OctantSet, Weights};
use crate::simd::Vector;

/// The buffers of the sweep with W lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep<const W: usize> {
    tiling: OctantTiling<W>,
    /// The radii of disc and window of the tiling.
    tiled_for: Option<[u32; 2]>,
    table: ShareTable<W>,
    /// The light along rows and along columns.
    light: [AxisLight<W>; 2],
    /// The octants with possible values above 0 in the window, for the first block of each band along rows and along columns.
    written: [Vec<OctantSet>; 2],
    /// The number of groups along rows and along columns, counted from the viewer, that may have such values.
    written_groups: [usize; 2],
    columns: Box<BandColumns<W>>,
    /// `true` if the window is unchanged since the last sweep.
    window_is_known: bool,
}

/// The numbers of the octants along rows and along columns, clockwise from the top.
const ROW_OCTANTS: [usize; 4] = [0, 3, 7, 4];
const COLUMN_OCTANTS: [usize; 4] = [5, 2, 6, 1];

/// The window that a sweep fills, and its configuration.
pub(crate) struct SweepWindow<'a> {
    pub(crate) seen: &'a mut AlignedGrid,
    /// The radius of the disc. The window may be smaller.
    pub(crate) in_sight: u32,
    pub(crate) weights: Weights,
    /// `true` if `seen` is unchanged since the last sweep, except for values above 0.
    pub(crate) was_swept: bool,
    /// The parts of octants to be swept: the other cells are 0, unless the disc is small.
    pub(crate) octants: &'a OctantParts,
}

impl<const W: usize> Sweep<W> {
    /// Invalidates the state of the window, after another sweep has written into it.
    pub(crate) fn forget(&mut self) {
        self.window_is_known = false;
    }

    /// Computes the raw value of every cell in sight into the window. Returns `false` and does nothing if the planes do not
    /// contain all these cells; the kernel is up to a tenth slower without this check.
    #[inline(always)]
    pub(crate) fn sweep<S: Simd, V: Vector<S, W>>(
        &mut self,
        simd: S,
        planes: &TransmittancePlanes,
        viewer: IVec2,
        window: &mut SweepWindow<'_>,
    ) -> bool {
        let radius = (window.seen.width() / 2) as u32;
        let Some(around) = planes.around(viewer, window.in_sight.min(radius)) else { return false };
        let &mut SweepWindow { ref mut seen, in_sight, weights, was_swept, octants } = window;
        self.window_is_known &= was_swept;
        // A window that is smaller than the disc has corners beyond the circle of its radius.
        let is_disc = in_sight as usize <= MAX_RADIUS && in_sight <= radius;
        let is_small = is_disc && around.margin as usize >= MAX_RADIUS && weights == Weights::Linear;
        let middle = seen.index_of(radius as usize, radius as usize);
        let (stride, reach) = (seen.stride(), in_sight.min(radius) as usize);
        if is_small {
            self.forget();
            let mut out = Output { viewer: middle, stride, reach, seen: seen.values_mut() };
            if around.cell_margin <= MAX_RADIUS as i32 {
                sweep_small_disc::<S, true>(simd, around.planes, &mut out);
            } else {
                sweep_small_disc::<S, false>(simd, around.planes, &mut out);
            }
        } else {
            let sectors =
                [AxisSector::new(octants, ROW_OCTANTS, in_sight), AxisSector::new(octants, COLUMN_OCTANTS, in_sight)];
            self.prepare(seen, in_sight, weights, &sectors);
            let mut out = Output { viewer: middle, stride, reach, seen: seen.values_mut() };
            if reach > 0 {
                let margin = if weights == Weights::Linear { around.cell_margin as usize } else { 0 };
                let [rows, columns] = around.planes;
                self.sweep_axis::<S, V, true>(simd, margin, weights, rows, &sectors[0], &mut out);
                self.sweep_axis::<S, V, false>(simd, margin, weights, columns, &sectors[1], &mut out);
                if self.tiling.clips_to_axis() {
                    self.clip_to_axis(around.planes, &sectors, &mut out);
                }
            }
            seen.values_mut()[middle] = 1.0;
        }
        true
    }

    /// Fits the buffers to a disc and a window.
    #[inline]
    fn prepare(&mut self, seen: &mut AlignedGrid, in_sight: u32, weights: Weights, sectors: &[AxisSector<'_>; 2]) {
        let radius = (seen.width() / 2) as u32;
        if self.tiled_for != Some([in_sight, radius]) {
            self.tiling.tile(in_sight, radius);
            let blocks = self.tiling.max_group_blocks;
            for light in &mut self.light {
                light.blocks.resize(blocks.max(light.blocks.len()), Default::default());
                light.lit.resize(blocks.max(light.lit.len()), OctantSet::NONE);
            }
            self.tiled_for = Some([in_sight, radius]);
            self.window_is_known = false;
        }
        if weights != Weights::Linear {
            self.table.extend(self.tiling.groups.len(), weights);
        }
        if !self.window_is_known {
            seen.values_mut().fill(0.0);
            for written in &mut self.written {
                written.clear();
                written.resize(self.tiling.blocks, OctantSet::NONE);
            }
            self.written_groups = [0; 2];
            self.window_is_known = true;
        }
        for (light, sector) in self.light.iter_mut().zip(sectors) {
            light.blocks.fill(Default::default());
            light.lit.fill(OctantSet::NONE);
            light.lit[0] = sector.octants;
            // The viewer's cell, n = 0, is in the first lane, or in the last if lanes run towards the viewer.
            for (k, octant) in light.blocks[0].iter_mut().enumerate() {
                octant.0[if k < 2 { 0 } else { W - 1 }] = if sector.octants.contains(k) { 1.0 } else { 0.0 };
            }
        }
        self.columns.clear(0..1);
        let viewer = seen.index_of(radius as usize, radius as usize);
        seen.values_mut()[viewer + 1 - W..viewer + W].fill(0.0);
    }

    /// Sweeps the groups from the viewer outwards, and the bands of each from the axis outwards, along `ROWS` or
    /// columns. All rows with M ≥ `margin` need mode [`GENERAL`].
    #[inline(always)]
    fn sweep_axis<S: Simd, V: Vector<S, W>, const ROWS: bool>(
        &mut self,
        simd: S,
        margin: usize,
        weights: Weights,
        plane: Plane<'_>,
        sector: &AxisSector<'_>,
        out: &mut Output<'_>,
    ) {
        let axis = usize::from(!ROWS);
        let Self { tiling, table, light, written, written_groups, columns, .. } = self;
        let light = &mut light[axis];
        let groups_before = std::mem::replace(&mut written_groups[axis], tiling.groups.len());
        for (g, group) in tiling.groups.iter().enumerate() {
            light.inner_lit = OctantSet::NONE;
            let mut any_lit = false;
            let first_row = g * W;
            let rows = usize::from(g == 0)..W.min(tiling.last_row + 1 - first_row);
            let chained = group.blocks > MAX_BAND;
            let mut b = 0;
            while b < group.blocks {
                let n = MAX_BAND.min(group.blocks - b);
                let at = group.first_block + b;
                let mut octants = light.lit[b].and(light.inner_lit);
                if octants != OctantSet::NONE {
                    octants = octants.among(sector.octants_at::<W>(g, b..b + n));
                }
                // Octants along rows share the tiles on the diagonal.
                let shared = if ROWS { OctantSet::NONE } else { across_diagonals(written[0][at]) };
                let dark = std::mem::replace(&mut written[axis][at], octants).without(octants);
                if dark != OctantSet::NONE {
                    clear_band::<W, ROWS>(out, g, b..b + n, dark, shared);
                }
                if octants != OctantSet::NONE {
                    any_lit = true;
                    let band = Band {
                        group,
                        first_row,
                        rows: rows.clone(),
                        first_block: b,
                        has_diagonal: (b..b + n).contains(&g),
                        octants,
                        shares: (weights != Weights::Linear).then(|| table.blocks(g, b)),
                    };
                    let mode = match b + n {
                        // Vectors extend beyond the cells in sight.
                        _ if first_row + W > margin => GENERAL,
                        end if end > group.blocks_inside => CIRCLE,
                        _ => OPEN,
                    };
                    if !ROWS && rows.end < W {
                        columns.clear(rows.end..W);
                    }
                    let m = first_row + rows.start;
                    let mut to = if ROWS { out.rows(m, b * W, (b + n) * W) } else { columns.rows(rows.start) };
                    run_band::<S, V, W>(simd, mode, n, chained, &band, plane, &mut to, light);
                    sector.clip::<S, V, W>(simd, n, &band, &mut to);
                    if !ROWS {
                        store_columns::<S, V, W>(simd, out, g, b, n, [octants, shared], columns);
                    }
                }
                b += n;
            }
            if !any_lit && g + 1 >= groups_before {
                written_groups[axis] = g;
                break;
            }
        }
    }

    /// Writes the last cells on the axes, which belong to no group.
    #[inline]
    fn clip_to_axis(&self, planes: [Plane<'_>; 2], sectors: &[AxisSector<'_>; 2], out: &mut Output<'_>) {
        let reach = out.reach;
        for (((light, plane), stride), sector) in self.light.iter().zip(planes).zip([out.stride, 1]).zip(sectors) {
            let seen = [out.viewer - reach * stride, out.viewer + reach * stride];
            let from = [plane.viewer - reach * plane.stride, plane.viewer + reach * plane.stride];
            for (k, (to, from)) in seen.into_iter().zip(from).enumerate() {
                // Two octants contain the axis. On the lower side it is in the last lane.
                let light = match () {
                    () if sector.contains_on_axis(k, reach) => light.blocks[0][k].0[0],
                    () if sector.contains_on_axis(k + 2, reach) => light.blocks[0][k + 2].0[W - 1],
                    () => 0.0,
                };
                out.seen[to] = if plane.cells[from] >= 0.0 { light } else { 0.0 };
            }
        }
    }
}
