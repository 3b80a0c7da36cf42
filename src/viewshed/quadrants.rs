//! The order of computation: four quadrants of 90° around the viewer, each ring by ring.
//!
//! ```text
//!   ╲ up  ╱      Above and below the viewer, a ring of a quadrant is a run of a row of the map. To the left and right it is
//!    ╲   ╱       a run of a column; there, blocks of columns are transposed into rows.
//! left @ right
//!    ╱   ╲       Every quadrant includes both its diagonals and depends on its own rings only.
//!   ╱down ╲
//! ```

use fearless_simd::Simd;
use glam::IVec2;

use super::clipped_disc::ClippedDisc;
use super::surface_terms::SurfaceTerms;
use super::transposed_columns::{ColumnBlock, READ_COLUMNS, TransposedColumns, WRITTEN_COLUMNS};
use crate::grid::AlignedGrid;

/// The cells of one ring in one quadrant. Index 0 of an array is the side to the left or up, index 1 to the right or down.
pub(super) struct RingRow<'a> {
    /// The number of the ring, M = max(|dx|, |dy|).
    pub(super) m: usize,
    /// A step outwards.
    pub(super) outwards: IVec2,
    /// A step to side 1.
    pub(super) sideways: IVec2,
    /// Cells to each side of the axis that are in sight.
    pub(super) in_sight: [usize; 2],
    /// Cells to each side of the axis in `ground` and `cover`.
    pub(super) known: [usize; 2],
    /// Elevations; the axis is at `known[0]`.
    pub(super) ground: &'a [f32],
    /// Cover in the same layout; empty without a canopy.
    pub(super) cover: &'a [f32],
    /// The quantity to write for the cells in sight; the axis is at `in_sight[0]`.
    pub(super) out: &'a mut [f32],
}

/// A kernel that carries the horizon from ring to ring.
pub(super) trait RingKernel {
    /// `true` if a call costs little next to the work.
    const IS_LARGE: bool;

    /// Starts a quadrant: there is no horizon yet.
    fn start_quadrant(&mut self);
    /// Processes the next ring.
    fn process(&mut self, row: RingRow<'_>);
}

/// A sweep over all four quadrants.
pub(super) struct QuadrantSweep<'a, 'g> {
    pub(super) terms: &'a SurfaceTerms<'g>,
    pub(super) disc: &'a ClippedDisc,
    pub(super) columns: &'a mut TransposedColumns,
    /// A grid with the shape of the window.
    pub(super) out: &'a mut AlignedGrid,
}

impl QuadrantSweep<'_, '_> {
    #[inline(always)]
    pub(super) fn run<S: Simd>(mut self, simd: S, mut kernel: impl RingKernel) {
        for down in [false, true] {
            self.sweep_rows(simd, down, &mut kernel);
        }
        for right in [false, true] {
            self.sweep_columns(simd, right, &mut kernel);
        }
    }

    #[inline(always)]
    fn sweep_rows<S: Simd>(&mut self, simd: S, down: bool, kernel: &mut impl RingKernel) {
        let (terms, disc) = (self.terms, self.disc);
        let middle = self.out.width() / 2;
        let x = terms.viewer.x as usize;
        let (sign, last) = if down { (1, disc.down) } else { (-1, disc.up) };
        kernel.start_quadrant();
        for m in 1..=last {
            let y = terms.viewer.y + sign * m as i32;
            let in_sight = [disc.left, disc.right].map(|limit| disc.half_widths[m].min(limit).min(m));
            // One more, since a height is interpolated between a cell in sight and one out of sight.
            let known = [disc.left, disc.right].map(|limit| (disc.half_widths[m] + 1).min(limit).min(m));
            let cells = x - known[0]..x + known[1] + 1;
            let window_row = self.out.row_mut((middle as i32 + sign * m as i32) as usize);
            let row = RingRow {
                m,
                outwards: IVec2::new(0, sign),
                sideways: IVec2::X,
                in_sight,
                known,
                ground: &terms.ground.row(y as usize)[cells.clone()],
                cover: terms.cover.map_or(&[][..], |cover| &cover.row(y as usize)[cells]),
                out: &mut window_row[middle - in_sight[0]..=middle + in_sight[1]],
            };
            process(simd, kernel, row);
        }
    }

    #[inline(always)]
    fn sweep_columns<S: Simd>(&mut self, simd: S, right: bool, kernel: &mut impl RingKernel) {
        let Self { terms, disc, columns, out } = self;
        let last = if right { disc.right } else { disc.left };
        kernel.start_quadrant();
        let block = |near: usize, columns: usize| {
            let far = (near + columns - 1).min(last);
            // The nearest column is the longest.
            let longest = |limit: usize| (disc.half_widths[near] + 1).min(limit).min(far);
            ColumnBlock { near, far, right, above: longest(disc.up), below: longest(disc.down) }
        };
        for near in (1..=last).step_by(WRITTEN_COLUMNS) {
            let written = block(near, WRITTEN_COLUMNS);
            columns.reserve_output(&written);
            for near in (near..=written.far).step_by(READ_COLUMNS) {
                let read = block(near, READ_COLUMNS);
                columns.load(simd, &read, terms);
                for m in near..=read.far {
                    let in_sight = [disc.up, disc.down].map(|limit| disc.half_widths[m].min(limit).min(m));
                    let known = [disc.up, disc.down].map(|limit| (disc.half_widths[m] + 1).min(limit).min(m));
                    let (ground, cover, out) = columns.row(&read, &written, m);
                    let cells = read.above - known[0]..read.above + known[1] + 1;
                    let row = RingRow {
                        m,
                        outwards: IVec2::new(if right { 1 } else { -1 }, 0),
                        sideways: IVec2::Y,
                        in_sight,
                        known,
                        ground: &ground[cells.clone()],
                        cover: if cover.is_empty() { cover } else { &cover[cells] },
                        out: &mut out[written.above - in_sight[0]..=written.above + in_sight[1]],
                    };
                    process(simd, kernel, row);
                }
            }
            columns.store(simd, &written, disc, out);
        }
    }
}

/// Processes a ring.
#[inline(always)]
fn process<S: Simd, K: RingKernel>(simd: S, kernel: &mut K, row: RingRow<'_>) {
    if K::IS_LARGE { process_apart(simd, kernel, row) } else { kernel.process(row) }
}

/// Not inlined: rows and columns share the code of a kernel.
#[inline(never)]
fn process_apart<S: Simd>(simd: S, kernel: &mut impl RingKernel, row: RingRow<'_>) {
    simd.vectorize(
        #[inline(always)]
        || kernel.process(row),
    );
}
