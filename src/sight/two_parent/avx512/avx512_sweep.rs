//! [`Avx512Sweep`]: the buffers of the sweep, and its entry.

use super::both_axes::sweep_both_axes;
use super::buffers::{BandScratch, Vector16, ZeroRows};
use super::map_margins::MapMargins;
use super::mask_mode::{COLUMNS, ROWS};
use super::octant_pairs::{AxisState, OctantPairs};
use super::tiling::Avx512Tiling;
use crate::grid::AlignedGrid;
use crate::grid::GridView;

/// The buffers of the AVX-512 sweep.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct Avx512Sweep {
    tiling: Avx512Tiling,
    /// Up and down, then left and right.
    axes: [AxisState; 2],
    /// The extent of what the last sweep wrote, if the window is still as it left it.
    written: Option<WrittenExtent>,
    scratch: Box<BandScratch>,
    zero_rows: Box<ZeroRows>,
}

/// Opacities around a viewer.
#[derive(Clone, Copy)]
pub(in crate::sight) struct Avx512Input<'a> {
    pub(in crate::sight) rows: GridView<'a, f32>,
    /// The transposed opacities: the columns as rows.
    pub(in crate::sight) columns: GridView<'a, f32>,
    /// Column and row of the viewer.
    pub(in crate::sight) viewer: [usize; 2],
    /// `true` if some opacities are above 1, which means that there is no cell.
    pub(in crate::sight) has_nodata: bool,
}

/// The part of the window that a sweep writes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WrittenExtent {
    radius: u32,
    window: u32,
    margins: MapMargins,
}

impl WrittenExtent {
    /// Clears the cells that were on the map `before` and are not now.
    fn clear_outside(self, before: Self, seen: &mut AlignedGrid) {
        let centre = self.window as usize;
        let [up, down, left, right] = self.margins.to_array();
        let [was_up, was_down, was_left, was_right] = before.margins.to_array();
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

impl Avx512Sweep {
    /// Must be called after other code wrote into the window.
    pub(in crate::sight) fn forget(&mut self) {
        self.written = None;
    }

    /// Computes the raw visibility of every cell within `in_sight` into the window `seen`, before the path rule and decay.
    /// `map_in_sight`: the whole map is within `in_sight`. Then the sweep uses a larger radius that serves other viewers,
    /// too.
    ///
    /// # Panics
    /// If the processor has no AVX-512, or the window does not contain all cells of the input within `in_sight`.
    pub(in crate::sight) fn sweep(
        &mut self,
        input: Avx512Input<'_>,
        seen: &mut AlignedGrid,
        in_sight: u32,
        map_in_sight: bool,
    ) {
        assert!(crate::simd::has_avx512());
        let (width, height) = (input.rows.width(), input.rows.height());
        assert!((input.columns.width(), input.columns.height()) == (height, width));
        let margins = MapMargins::new([width, height], input.viewer);
        let farthest = in_sight.max(1).min(margins.to_array().into_iter().max().unwrap_or(0) as u32);
        let window = (seen.width() / 2) as u32;
        assert!(seen.size().x == seen.size().y && farthest <= window, "window {window} is smaller than {farthest}");
        let radius = if map_in_sight { in_sight.next_power_of_two() } else { in_sight };
        if self.tiling.radius != radius as usize {
            self.tiling.tile(radius);
            for axis in &mut self.axes {
                axis.light.resize(4 * self.tiling.max_group_blocks, Vector16::default());
                axis.lit.resize(self.tiling.max_group_blocks, false);
            }
            self.written = None;
        }
        let extent = WrittenExtent { radius, window, margins: margins.clip(radius as usize) };
        match self.written {
            Some(before) if (before.radius, before.window) == (radius, window) => extent.clear_outside(before, seen),
            _ => {
                seen.values_mut().fill(0.0);
                for axis in &mut self.axes {
                    axis.written.clear();
                    axis.written.resize(self.tiling.blocks(), false);
                }
            }
        }
        self.written = Some(extent);
        // SAFETY: the processor has AVX-512, as asserted above.
        unsafe {
            if input.has_nodata {
                self.sweep_axes::<true>(input, seen, margins);
            } else {
                self.sweep_axes::<false>(input, seen, margins);
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    fn sweep_axes<const NODATA: bool>(&mut self, input: Avx512Input<'_>, seen: &mut AlignedGrid, margins: MapMargins) {
        let MapMargins { up, down, left, right } = margins;
        let [x, y] = input.viewer;
        let (radius, stride) = (seen.width() / 2, seen.stride());
        let middle = seen.index_of(radius, radius);
        let seen = seen.values_mut();
        seen[middle] = 1.0;
        let room_seen = middle.min(seen.len() - 1 - middle);
        // From here on the window is accessed only through this pointer.
        let writable = seen.as_mut_ptr_range();
        let (tiling, zero_row) = (&self.tiling, self.zero_rows.middle());
        let pairs = |grid: GridView<'_, f32>, [x, y]: [usize; 2], along: [usize; 2], aside: [usize; 2]| {
            let (stride_of_cells, cells) = grid.stride_and_values();
            let at = y * stride_of_cells + x;
            OctantPairs {
                tiling,
                cells: cells[at..].as_ptr(),
                readable: cells.as_ptr_range(),
                cells_stride: stride_of_cells as isize,
                room: [at, cells.len() - 1 - at],
                zero_row,
                seen: writable.start.wrapping_add(middle),
                writable: writable.clone(),
                seen_stride: stride as isize,
                room_seen,
                window: radius,
                along,
                aside,
                last_row: along[0].max(along[1]).min(tiling.radius),
            }
        };
        let rows = pairs(input.rows, [x, y], [up, down], [right, left]);
        let columns = pairs(input.columns, [y, x], [left, right], [down, up]);
        self.axes.iter_mut().for_each(AxisState::start);
        let done = sweep_both_axes::<NODATA>([&rows, &columns], &mut self.axes, &mut self.scratch);
        let [up_and_down, left_and_right] = &mut self.axes;
        rows.sweep::<NODATA, ROWS>(done, up_and_down, &mut self.scratch);
        columns.sweep::<NODATA, COLUMNS>(done, left_and_right, &mut self.scratch);
    }
}
