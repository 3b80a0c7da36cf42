//! [`ClippedDisc`]: the cells within the radius that are on the map.

use glam::IVec2;

use crate::grid::AlignedGrid;
use crate::sight::half_width;

#[derive(Clone, Debug, Default)]
pub(super) struct ClippedDisc {
    in_sight: u32,
    /// The radius, clipped to the window.
    reach: usize,
    /// Half the width of the disc in row |dy| = 0, 1, …, not clipped.
    pub(super) half_widths: Vec<usize>,
    /// Cells in sight to the left, to the right, up and down.
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
