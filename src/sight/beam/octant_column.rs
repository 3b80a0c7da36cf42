//! [`OctantColumn`]: the cells of one column of the octant, in all eight octants; [`OctantLanes`]: a value for each octant.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use super::beam_list::CellRays;
use crate::math::{LOW_OPACITY, ln_transparency};
use crate::sight::window::Window;
use crate::sight_config::PathRule;

/// A value for each of the eight mirror images of the octant 0 ≤ dy ≤ dx. Bit 0 of the lane mirrors x, bit 1 mirrors y, and
/// bit 2 swaps the axes first.
pub(super) type OctantLanes = [f32; 8];

/// Returns `true` if a lane is above 0.
#[inline(always)]
pub(super) fn any_above_0<S: Simd>(simd: S, lanes: &OctantLanes) -> bool {
    f32x8::simd_from(simd, *lanes).simd_gt(0.0).any_true()
}

/// Returns a bit for each lane that is above a value.
#[inline(always)]
pub(super) fn lanes_above<S: Simd>(simd: S, lanes: &OctantLanes, value: f32) -> u32 {
    f32x8::simd_from(simd, *lanes).simd_gt(value).to_bitmask() as u32
}

/// The cells (dx, 0), (dx, 1), … of one column of the octant.
#[derive(Clone, Debug, Default)]
pub(super) struct OctantColumn {
    pub(super) opacity: Vec<OctantLanes>,
    pub(super) seen: Vec<OctantLanes>,
    /// ln(1 − opacity), times M/r for `per_cell`. It is valid for opacities up to [`LOW_OPACITY`](crate::math::LOW_OPACITY).
    pub(super) depth: Vec<OctantLanes>,
}

impl OctantColumn {
    /// Sets the column to that of the viewer's cell.
    pub(super) fn start(&mut self) {
        self.resize(1);
        (self.opacity[0], self.seen[0]) = ([0.0; 8], [1.0; 8]);
    }

    /// Allocates for up to `cells` cells.
    pub(super) fn reserve(&mut self, cells: usize) {
        for lanes in [&mut self.opacity, &mut self.seen, &mut self.depth] {
            lanes.reserve(cells.saturating_sub(lanes.len()));
        }
    }

    /// Resizes the column to `cells` cells.
    #[inline(always)]
    pub(super) fn resize(&mut self, cells: usize) {
        self.opacity.resize(cells, [0.0; 8]);
        self.seen.resize(cells, [0.0; 8]);
        self.depth.resize(cells, [0.0; 8]);
    }

    /// Reads the opacities of some cells from the window.
    #[inline(always)]
    pub(super) fn read(&mut self, window: &Window, dx: u32, run: Range<usize>) {
        let (grid, middle, dx) = (&window.opacity, window.radius as usize, dx as usize);
        let (left, right) = (middle - dx, middle + dx);
        let (above, below) = (grid.row(left), grid.row(right));
        let above = above[middle + run.start..].iter().zip(above[..=middle - run.start].iter().rev());
        let below = below[middle + run.start..].iter().zip(below[..=middle - run.start].iter().rev());
        let (down, up) = (grid.downwards(middle + run.start), grid.upwards(middle - run.start));
        for ((opacity, (down, up)), (above, below)) in
            self.opacity[run].iter_mut().zip(down.zip(up)).zip(above.zip(below))
        {
            *opacity = [down[right], down[left], up[right], up[left], *below.0, *below.1, *above.0, *above.1];
        }
    }

    /// Returns the maximum opacity of some cells, and `true` if `depth` is needed: if an opacity is above 0 and low.
    #[inline(always)]
    pub(super) fn max_opacity(&self, run: Range<usize>) -> (f32, bool) {
        let (mut max, mut low) = ([0.0; 8], [false; 8]);
        for opacity in &self.opacity[run] {
            for lane in 0..8 {
                let opacity = opacity[lane];
                max[lane] = if opacity > max[lane] { opacity } else { max[lane] };
                low[lane] |= (opacity > 0.0) & (opacity <= LOW_OPACITY);
            }
        }
        (max.into_iter().fold(0.0, f32::max), low != [false; 8])
    }

    /// Computes `depth` of some cells in one pass, which is faster than cell by cell.
    #[inline(always)]
    pub(super) fn compute_depth(&mut self, cells: &[CellRays], path: PathRule, run: Range<usize>) {
        let opacity = &self.opacity[run.clone()];
        for ((depth, opacity), cell) in self.depth[run.clone()].iter_mut().zip(opacity).zip(&cells[run]) {
            let (scale, mut lanes) = (cell.scale(path), *opacity);
            for lane in &mut lanes {
                *lane = ln_transparency(*lane) * scale;
            }
            *depth = lanes;
        }
    }

    /// Writes the visibilities of some cells into the window.
    #[inline(always)]
    pub(super) fn write(&self, window: &mut Window, dx: u32, run: Range<usize>) {
        let (grid, middle, dx) = (&mut window.seen, window.radius as usize, dx as usize);
        let (left, right) = (middle - dx, middle + dx);
        let first = run.start;
        let seen = &self.seen[run];
        for (seen, row) in seen.iter().zip(grid.downwards_mut(middle + first)) {
            (row[right], row[left]) = (seen[0], seen[1]);
        }
        for (seen, row) in seen.iter().zip(grid.upwards_mut(middle - first)) {
            (row[right], row[left]) = (seen[2], seen[3]);
        }
        for (lane, row) in [(4, right), (6, left)] {
            let row = grid.row_mut(row);
            for (seen, value) in seen.iter().zip(&mut row[middle + first..]) {
                *value = seen[lane];
            }
            for (seen, value) in seen.iter().zip(row[..=middle - first].iter_mut().rev()) {
                *value = seen[lane + 1];
            }
        }
    }

    /// Sets cells on an axis or a diagonal to the mean of the two octants that share them.
    #[inline(always)]
    pub(super) fn merge_shared_cells(&mut self, dx: u32) {
        let merge = |seen: &mut OctantLanes, pairs: [(usize, usize); 4]| {
            for (a, b) in pairs {
                let mean = 0.5 * (seen[a] + seen[b]);
                (seen[a], seen[b]) = (mean, mean);
            }
        };
        if let Some(on_axis) = self.seen.first_mut() {
            merge(on_axis, [(0, 2), (1, 3), (4, 5), (6, 7)]);
        }
        if let Some(on_diagonal) = self.seen.get_mut(dx as usize) {
            merge(on_diagonal, [(0, 4), (1, 5), (2, 6), (3, 7)]);
        }
    }
}
