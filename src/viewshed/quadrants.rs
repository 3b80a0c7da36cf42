//! The order of computation of the reference plane: four quadrants of 90° around the viewer, each ring by ring.
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

use super::surface::SurfaceTerms;
use super::transposed_columns::{ColumnBlock, ColumnRow, READ_COLUMNS, TransposedColumns, WRITTEN_COLUMNS};
use crate::grid::AlignedGrid;
use crate::sight::half_width;

/// The cells within the radius and on the map.
#[derive(Clone, Debug, Default)]
pub(super) struct ClippedDisc {
    in_sight: u32,
    /// The radius, clipped to the window.
    reach: usize,
    /// Half the width of the disc in row |dy| = 0, 1, …, not clipped.
    pub(super) half_widths: Vec<usize>,
    /// The numbers of cells in sight to the left, to the right, up and down.
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) up: usize,
    pub(super) down: usize,
}

impl ClippedDisc {
    /// Fits the disc of radius `in_sight` to a window of radius `window` and a map.
    pub(super) fn fit(&mut self, in_sight: u32, window: u32, size: IVec2, viewer: IVec2) {
        self.reach = in_sight.min(window) as usize;
        let within = |cells: i32| in_sight.min(window).min(cells.max(0) as u32) as usize;
        self.left = within(viewer.x);
        self.right = within(size.x - 1 - viewer.x);
        self.up = within(viewer.y);
        self.down = within(size.y - 1 - viewer.y);
        let outermost = self.outermost_ring();
        if self.in_sight != in_sight || self.half_widths.len() <= outermost {
            self.in_sight = in_sight;
            self.half_widths.clear();
            self.half_widths.extend((0..=outermost as u32).map(|dy| half_width(in_sight, dy) as usize));
        }
    }

    /// Returns the outermost ring.
    pub(super) fn outermost_ring(&self) -> usize {
        self.left.max(self.right).max(self.up).max(self.down)
    }

    /// Fills the places of a window that are in sight but off the map.
    pub(super) fn fill_off_map(&self, out: &mut AlignedGrid, value: f32) {
        if [self.left, self.right, self.up, self.down] == [self.reach; 4] {
            return;
        }
        let radius = out.width() / 2;
        let in_sight = radius.min(self.in_sight as usize);
        for y in radius - in_sight..=radius + in_sight {
            let dy = y.abs_diff(radius);
            let half = (half_width(self.in_sight, dy as u32) as usize).min(radius);
            let row = &mut out.row_mut(y)[radius - half..=radius + half];
            if dy > if y < radius { self.up } else { self.down } {
                row.fill(value);
                continue;
            }
            row[..half.saturating_sub(self.left)].fill(value);
            row[(half + 1 + self.right).min(2 * half + 1)..].fill(value);
        }
    }
}

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
    /// Elevations of the cells in sight; the axis is at `in_sight[0]`.
    pub(super) ground: &'a [f32],
    /// Elevations of obstacles in the same layout; the ground without them.
    pub(super) obstacles: &'a [f32],
    /// Cover in the same layout; empty without a canopy.
    pub(super) cover: &'a [f32],
    /// The quantity to write, in the same layout.
    pub(super) out: &'a mut [f32],
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
    /// Calls `process` for the rings of all quadrants, one quadrant after another, starting at the first ring.
    #[inline(always)]
    pub(super) fn run<S: Simd>(mut self, simd: S, mut process: impl FnMut(RingRow<'_>)) {
        for down in [false, true] {
            self.sweep_rows(down, &mut process);
        }
        for right in [false, true] {
            self.sweep_columns(simd, right, &mut process);
        }
    }

    #[inline(always)]
    fn sweep_rows(&mut self, down: bool, process: &mut impl FnMut(RingRow<'_>)) {
        let (terms, disc) = (self.terms, self.disc);
        let middle = self.out.width() / 2;
        let x = terms.viewer.x as usize;
        let (sign, last) = if down { (1, disc.down) } else { (-1, disc.up) };
        for m in 1..=last {
            let y = terms.viewer.y + sign * m as i32;
            let in_sight = [disc.left, disc.right].map(|limit| disc.half_widths[m].min(limit).min(m));
            let cells = x - in_sight[0]..x + in_sight[1] + 1;
            let window_row = self.out.row_mut((middle as i32 + sign * m as i32) as usize);
            let row = RingRow {
                m,
                outwards: IVec2::new(0, sign),
                sideways: IVec2::X,
                in_sight,
                ground: &terms.ground.row(y as usize)[cells.clone()],
                obstacles: &terms.obstacles.unwrap_or(terms.ground).row(y as usize)[cells.clone()],
                cover: terms.cover.map_or(&[][..], |cover| &cover.row(y as usize)[cells]),
                out: &mut window_row[middle - in_sight[0]..=middle + in_sight[1]],
            };
            process(row);
        }
    }

    #[inline(always)]
    fn sweep_columns<S: Simd>(&mut self, simd: S, right: bool, process: &mut impl FnMut(RingRow<'_>)) {
        let Self { terms, disc, columns, out } = self;
        let last = if right { disc.right } else { disc.left };
        let block = |near: usize, columns: usize| {
            let far = (near + columns - 1).min(last);
            // The nearest column is the longest.
            let longest = |limit: usize| disc.half_widths[near].min(limit).min(far);
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
                    let ColumnRow { ground, obstacles, cover, out } = columns.row(&read, &written, m);
                    let cells = read.above - in_sight[0]..read.above + in_sight[1] + 1;
                    let row = RingRow {
                        m,
                        outwards: IVec2::new(if right { 1 } else { -1 }, 0),
                        sideways: IVec2::Y,
                        in_sight,
                        ground: &ground[cells.clone()],
                        obstacles: &obstacles[cells.clone()],
                        cover: if cover.is_empty() { cover } else { &cover[cells] },
                        out: &mut out[written.above - in_sight[0]..=written.above + in_sight[1]],
                    };
                    process(row);
                }
            }
            columns.store(simd, &written, &disc.half_widths, out);
        }
    }
}
