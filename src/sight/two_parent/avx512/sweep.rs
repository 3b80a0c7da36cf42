//! The fast kernel in vectors of sixteen, for processors with AVX-512: linear weights, to the bit what the plain kernel
//! gives.
//!
//! ```text
//!    ╲ 0 │ 2 ╱      Two wedges are swept at once, up and down along the rows of a map, then left and right along the
//!      ╲ │ ╱        rows of its mirror image, in which columns are rows. Each has two octants. In steps M = 1, 2, …
//!   ─────@─────     outwards, what passes through a row stays in registers: up to three vectors for each of the four
//!      ╱ │ ╲        octants, aside from the axis n = 16 b …  The parents of a cell are the same lane of the step before,
//!    ╱ 3 │ 1 ╲      and the lane beside. What is seen left and right is turned in tiles of 16 × 16.
//! ```
//!
//! Work is cut into pieces of 16 steps by 16 cells ([`Disc`]). Where no light enters a piece, it is skipped, and cleared
//! if an earlier view left light in it. Octants 0 and 1 run to one side of their axis, 2 and 3 are mirrored: their lanes
//! run the other way. All have the axis in them: it is computed twice.
//!
//! # Why this directory may be `unsafe`
//!
//! Intrinsics that take no pointer are safe in functions that enable AVX-512, and those are entered in one place, after
//! the processor was asked. What is left are reads and writes through pointers, since checking each of some thousand
//! vectors costs as much as computing it:
//! - Opacities are read around the viewer's cell in a slice. A vector that may reach out of the slice is read under a
//!   mask that has only lanes in sight and on the map: [`Wedges::band`] chooses, by how much of the slice lies before and
//!   behind the viewer. Masked lanes touch no memory.
//!   Octants that the map ends before are laid over a row of [`Nothing`] instead.
//! - Visibilities are written in the same way into the window, which holds every cell in sight and on the map.
//! - What lies between is in buffers of fixed shape that this directory alone sizes.
//!
//! The first two are in `access`, the last in `buffers`; `turn` has the reads and writes of a mirror image, and `near`
//! those of small radii. Debug builds check every access, and the tests run in them.

use super::both_axes::sweep_jointly;
use super::buffers::{Nothing, Vector, Work};
use super::octant_pairs::{Axis, Wedges};
use super::octant_tiling::Disc;
use super::row_band::{COLUMNS, ROWS};
use crate::grid::AlignedGrid;
use crate::grid::GridView;

/// The buffers of the sweep in vectors of sixteen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sixteen {
    disc: Disc,
    /// Up and down, then left and right.
    axes: [Axis; 2],
    /// For what window they know where light was written.
    written_for: Option<Shape>,
    work: Box<Work>,
    /// The cells of octants beyond the end of the map.
    nothing: Box<Nothing>,
}

/// Opacities, and where the viewer stands in them.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    /// Row by row.
    pub(crate) rows: GridView<'a, f32>,
    /// The same, mirrored: column by column.
    pub(crate) columns: GridView<'a, f32>,
    pub(crate) viewer: [usize; 2],
    /// Whether there are opacities that stand for no cell.
    pub(crate) holes: bool,
}

/// What a window's values depend on, beside opacities.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    in_sight: u32,
    window: u32,
    reach: [usize; 4],
}

impl Shape {
    /// Clears what was on the map `before`, and is no more.
    fn clear_beyond(self, before: Self, seen: &mut AlignedGrid) {
        let centre = self.window as usize;
        let [up, down, left, right] = self.reach;
        let [was_up, was_down, was_left, was_right] = before.reach;
        for y in (centre - was_up..centre - up.min(was_up)).chain(centre + down + 1..centre + was_down + 1) {
            seen.row_mut(y)[centre - was_left..=centre + was_right].fill(0.0);
        }
        if left < was_left || right < was_right {
            for y in centre - up.min(was_up)..=centre + down.min(was_down) {
                let row = seen.row_mut(y);
                row[centre - was_left..centre - left.min(was_left)].fill(0.0);
                row[centre + right.min(was_right) + 1..=centre + was_right].fill(0.0);
            }
        }
    }
}

impl Sixteen {
    /// To be told when something else wrote into the window.
    pub(crate) fn forget(&mut self) {
        self.written_for = None;
    }

    /// Leaves in the window `seen` the raw visibility of every cell within `in_sight`, before the path rule and decay. A
    /// `whole` map lies in sight anyway: then it is as well for a larger radius, which serves other viewers, too.
    ///
    /// # Panics
    /// If the processor cannot do it, or the window does not hold all cells of the ground within `in_sight`.
    pub(crate) fn sweep(&mut self, ground: Ground<'_>, seen: &mut AlignedGrid, in_sight: u32, whole: bool) {
        assert!(crate::simd::has_avx512());
        let [x, y] = ground.viewer;
        let (width, height) = (ground.rows.width(), ground.rows.height());
        assert!(x < width && y < height && (ground.columns.width(), ground.columns.height()) == (height, width));
        let reach = [y, height - 1 - y, x, width - 1 - x];
        let furthest = in_sight.max(1).min(reach.into_iter().max().unwrap_or(0) as u32);
        let window = (seen.width() / 2) as u32;
        assert!(seen.size().x == seen.size().y && furthest <= window, "a window of {window} is none for {furthest}");
        let radius = if whole { in_sight.next_power_of_two() } else { in_sight };
        if self.disc.radius != radius as usize {
            self.disc.cut(radius);
            for axis in &mut self.axes {
                axis.light.resize(4 * self.disc.blocks, Vector::default());
                axis.lit.resize(self.disc.blocks, false);
            }
            self.written_for = None;
        }
        let shape = Shape { in_sight: radius, window, reach: reach.map(|r| r.min(radius as usize)) };
        match self.written_for {
            Some(before) if (before.in_sight, before.window) == (radius, window) => shape.clear_beyond(before, seen),
            _ => {
                seen.values_mut().fill(0.0);
                for axis in &mut self.axes {
                    axis.written.clear();
                    axis.written.resize(self.disc.pieces(), false);
                }
            }
        }
        self.written_for = Some(shape);
        // SAFETY: the processor has AVX-512, as asserted above.
        unsafe {
            if ground.holes {
                self.both_axes::<true>(ground, seen, reach);
            } else {
                self.both_axes::<false>(ground, seen, reach);
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    fn both_axes<const HOLES: bool>(&mut self, ground: Ground<'_>, seen: &mut AlignedGrid, reach: [usize; 4]) {
        let [up, down, left, right] = reach;
        let [x, y] = ground.viewer;
        let (radius, stride) = (seen.width() / 2, seen.stride());
        let middle = seen.index_of(radius, radius);
        let seen = seen.values_mut();
        seen[middle] = 1.0;
        let room_seen = middle.min(seen.len() - 1 - middle);
        // Not through `seen` any more, but through this pointer alone.
        let writable = seen.as_mut_ptr_range();
        let (disc, nothing) = (&self.disc, self.nothing.middle());
        let wedges = |grid: GridView<'_, f32>, [x, y]: [usize; 2], along: [usize; 2], aside: [usize; 2]| {
            let (row, cells) = grid.stride_and_values();
            let at = y * row + x;
            Wedges {
                disc,
                cells: cells[at..].as_ptr(),
                readable: cells.as_ptr_range(),
                cells_row: row as isize,
                room: [at, cells.len() - 1 - at],
                nothing,
                seen: writable.start.wrapping_add(middle),
                writable: writable.clone(),
                seen_row: stride as isize,
                room_seen,
                window: radius,
                along,
                aside,
                far: along[0].max(along[1]).min(disc.radius),
            }
        };
        let rows = wedges(ground.rows, [x, y], [up, down], [right, left]);
        let columns = wedges(ground.columns, [y, x], [left, right], [down, up]);
        self.axes.iter_mut().for_each(Axis::start);
        let done = sweep_jointly::<HOLES>([&rows, &columns], &mut self.axes, &mut self.work);
        let [up_and_down, left_and_right] = &mut self.axes;
        rows.sweep::<HOLES, ROWS>(done, up_and_down, &mut self.work);
        columns.sweep::<HOLES, COLUMNS>(done, left_and_right, &mut self.work);
    }
}
