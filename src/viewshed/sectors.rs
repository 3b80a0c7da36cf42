//! The order of computation: four sectors of 90° around the viewer, each ring by ring.
//!
//! ```text
//!   ╲ up  ╱      Above and below the viewer, a ring of a sector is a run of a row of the map. To the left and right it is
//!    ╲   ╱       a run of a column; there, blocks of columns are transposed into rows.
//! left @ right
//!    ╱   ╲       Every sector includes both its diagonals and depends on its own rings only.
//!   ╱down ╲
//! ```

use glam::IVec2;

use super::clipped_disc::ClippedDisc;
use super::surface_terms::SurfaceTerms;
use super::transposed_columns::{ColumnBlock, READ_COLUMNS, TransposedColumns, WRITTEN_COLUMNS};
use crate::grid::AlignedGrid;
use crate::simd::Transpose;

/// The cells of one ring in one sector. Index 0 of an array is the side to the left or up, index 1 to the right or down.
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
    /// Starts a sector: there is no horizon yet.
    fn start_sector(&mut self);
    /// Processes the next ring.
    fn process(&mut self, row: RingRow<'_>);
}

/// Runs a kernel over all four sectors.
#[inline(always)]
pub(super) fn sweep_sectors(
    terms: &SurfaceTerms<'_>,
    disc: &ClippedDisc,
    columns: &mut TransposedColumns,
    swap: Transpose,
    out: &mut AlignedGrid,
    kernel: &mut impl RingKernel,
) {
    for down in [false, true] {
        sweep_rows(terms, disc, down, out, kernel);
    }
    for right in [false, true] {
        sweep_columns(terms, disc, right, columns, swap, out, kernel);
    }
}

#[inline(always)]
fn sweep_rows(
    terms: &SurfaceTerms<'_>,
    disc: &ClippedDisc,
    down: bool,
    out: &mut AlignedGrid,
    kernel: &mut impl RingKernel,
) {
    let middle = out.width() / 2;
    let x = terms.viewer.x as usize;
    let (sign, last) = if down { (1, disc.down) } else { (-1, disc.up) };
    kernel.start_sector();
    for m in 1..=last {
        let y = terms.viewer.y + sign * m as i32;
        let in_sight = [disc.left, disc.right].map(|limit| disc.half_widths[m].min(limit).min(m));
        // One more, since a height is interpolated between a cell in sight and one out of sight.
        let known = [disc.left, disc.right].map(|limit| (disc.half_widths[m] + 1).min(limit).min(m));
        let cells = x - known[0]..x + known[1] + 1;
        let cover = terms.cover.map_or(&[][..], |cover| &cover.row(y as usize)[cells.clone()]);
        let window_row = out.row_mut((middle as i32 + sign * m as i32) as usize);
        kernel.process(RingRow {
            m,
            outwards: IVec2::new(0, sign),
            sideways: IVec2::X,
            in_sight,
            known,
            ground: &terms.ground.row(y as usize)[cells],
            cover,
            out: &mut window_row[middle - in_sight[0]..=middle + in_sight[1]],
        });
    }
}

#[inline(always)]
fn sweep_columns(
    terms: &SurfaceTerms<'_>,
    disc: &ClippedDisc,
    right: bool,
    columns: &mut TransposedColumns,
    swap: Transpose,
    out: &mut AlignedGrid,
    kernel: &mut impl RingKernel,
) {
    let last = if right { disc.right } else { disc.left };
    kernel.start_sector();
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
            columns.load(&read, terms, swap);
            for m in near..=read.far {
                let in_sight = [disc.up, disc.down].map(|limit| disc.half_widths[m].min(limit).min(m));
                let known = [disc.up, disc.down].map(|limit| (disc.half_widths[m] + 1).min(limit).min(m));
                let (ground, cover, out) = columns.row(&read, &written, m);
                let cells = read.above - known[0]..read.above + known[1] + 1;
                kernel.process(RingRow {
                    m,
                    outwards: IVec2::new(if right { 1 } else { -1 }, 0),
                    sideways: IVec2::Y,
                    in_sight,
                    known,
                    ground: &ground[cells.clone()],
                    cover: if cover.is_empty() { cover } else { &cover[cells] },
                    out: &mut out[written.above - in_sight[0]..=written.above + in_sight[1]],
                });
            }
        }
        columns.store(&written, disc, swap, out);
    }
}
