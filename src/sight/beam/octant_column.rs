//! [`OctantColumn`]: the cells of one column of the octant, in all eight octants.

use super::beam_list::CellRays;
use super::octant_lanes::OctantLanes;
use crate::math::ln_transparency;
use crate::sight::config::PathRule;
use crate::sight::window::Window;

/// The cells (dx, 0), (dx, 1), … of one column of the octant.
#[derive(Clone, Debug, Default)]
pub(super) struct OctantColumn {
    pub(super) opacity: Vec<OctantLanes>,
    pub(super) seen: Vec<OctantLanes>,
    /// ln(1 − opacity), times M/r for `per_cell`. It is valid for opacities up to [`LOW_OPACITY`](crate::math::LOW_OPACITY).
    pub(super) depth: Vec<OctantLanes>,
}

impl OctantColumn {
    /// Reads the opacities of `cells` cells from the window.
    #[inline(always)]
    pub(super) fn read(&mut self, window: &Window, dx: u32, cells: usize) {
        self.opacity.resize(cells, [0.0; 8]);
        self.seen.resize(cells, [0.0; 8]);
        let (grid, middle, dx) = (&window.opacity, window.radius as usize, dx as usize);
        let (left, right) = (middle - dx, middle + dx);
        let (above, below) = (grid.row(left), grid.row(right));
        let above = above[middle..].iter().zip(above[..=middle].iter().rev());
        let below = below[middle..].iter().zip(below[..=middle].iter().rev());
        let (down, up) = (grid.downwards(middle), grid.upwards(middle));
        for ((opacity, (down, up)), (above, below)) in self.opacity.iter_mut().zip(down.zip(up)).zip(above.zip(below)) {
            *opacity = [down[right], down[left], up[right], up[left], *below.0, *below.1, *above.0, *above.1];
        }
    }

    /// Computes `depth` for the whole column in one pass, which is faster than cell by cell during the walk. Returns the
    /// largest opacity of the column.
    #[inline(always)]
    pub(super) fn compute_depth(&mut self, cells: &[CellRays], path: PathRule) -> f32 {
        self.depth.resize(cells.len(), [0.0; 8]);
        let mut max = [0.0; 8];
        for opacity in &self.opacity {
            for lane in 0..8 {
                max[lane] = if opacity[lane] > max[lane] { opacity[lane] } else { max[lane] };
            }
        }
        let max = max.into_iter().fold(0.0, f32::max);
        if max == 0.0 {
            return max;
        }
        for ((depth, opacity), cell) in self.depth.iter_mut().zip(&self.opacity).zip(cells) {
            let (scale, mut lanes) = (cell.scale(path), *opacity);
            for lane in &mut lanes {
                *lane = ln_transparency(*lane) * scale;
            }
            *depth = lanes;
        }
        max
    }

    /// Writes the visibilities of the eight octants into the window.
    #[inline(always)]
    pub(super) fn write(&self, window: &mut Window, dx: u32) {
        let (grid, middle, dx) = (&mut window.seen, window.radius as usize, dx as usize);
        let (left, right) = (middle - dx, middle + dx);
        for (seen, row) in self.seen.iter().zip(grid.downwards_mut(middle)) {
            (row[right], row[left]) = (seen[0], seen[1]);
        }
        for (seen, row) in self.seen.iter().zip(grid.upwards_mut(middle)) {
            (row[right], row[left]) = (seen[2], seen[3]);
        }
        for (lane, row) in [(4, right), (6, left)] {
            let row = grid.row_mut(row);
            for (seen, value) in self.seen.iter().zip(&mut row[middle..]) {
                *value = seen[lane];
            }
            for (seen, value) in self.seen.iter().zip(row[..=middle].iter_mut().rev()) {
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
