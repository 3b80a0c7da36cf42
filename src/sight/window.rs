//! The square around a viewer that a field of view works in.

use std::ops::Range;

use glam::{IVec2, ivec2};

use super::sweep_row::PAD;
use crate::Grid;

/// Stands for the opacity of a place where there is no cell: neither seen nor seen through.
pub(super) const NO_CELL: f32 = 2.0;

/// The square around a viewer: opacities in, visibilities out. Both are rows of one shape, the viewer in the middle.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Cells from the viewer to each side.
    pub(super) radius: u32,
    /// Opacity of every cell in sight, in [0, 1]; [`NO_CELL`] where there is none, and for some places beside. Meaningless
    /// farther out.
    pub(super) opacity: Grid<f32>,
    /// Visibility of every cell; 0 out of sight.
    pub(super) seen: Grid<f32>,
    /// How far the values in `seen` go.
    written: u32,
    /// Whether they are of a kernel that clears only what it wrote before.
    pub(super) swept: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self { radius: 0, opacity: Grid::new(1, 1, 0.0), seen: Grid::new(1, 1, 0.0), written: 0, swept: false }
    }
}

impl Window {
    /// Makes the window span `radius` cells and clears what an earlier view left beyond `in_sight` cells.
    pub(super) fn make_room(&mut self, radius: u32, in_sight: u32) {
        if self.radius != radius {
            let side = 2 * radius as usize + 1;
            let cells = Grid::new(side, side, 0.0);
            *self = Self { radius, opacity: cells.clone(), seen: cells, written: 0, swept: false };
        }
        if self.written > in_sight {
            for (y, columns) in self.rows(self.written) {
                self.seen.row_mut(y)[columns].fill(0.0);
            }
        }
        self.written = in_sight;
        self.swept = false;
    }

    /// Where the viewer stands in it.
    pub(super) fn centre(&self) -> IVec2 {
        IVec2::splat(self.radius as i32)
    }

    /// Where the viewer stands among the cells of a grid of the window.
    pub(super) fn middle(&self) -> usize {
        self.radius as usize * (2 * self.radius as usize + 2)
    }

    /// Asks `fill` for the opacities of all cells within `in_sight` that lie in the box from `low` up to, not
    /// including, `high`; there is no other cell. Answers that are not `trusted` to lie in [0, 1] are clamped, and NaN is
    /// no cell.
    pub(super) fn take(
        &mut self,
        viewer: IVec2,
        [low, high]: [IVec2; 2],
        in_sight: u32,
        trusted: bool,
        mut fill: impl FnMut(IVec2, &mut [f32]),
    ) {
        let origin = viewer - self.centre();
        for (y, columns) in self.rows(in_sight) {
            let row = self.opacity.row_mut(y);
            let around = columns.start.saturating_sub(PAD)..(columns.end + PAD).min(row.len());
            row[around.start..columns.start].fill(NO_CELL);
            row[columns.end..around.end].fill(NO_CELL);
            let row = &mut row[columns.clone()];
            let y = origin.y + y as i32;
            let left = origin.x + columns.start as i32;
            let start = left.max(low.x);
            let end = (origin.x + columns.end as i32).min(high.x);
            if !(low.y..high.y).contains(&y) || start >= end {
                row.fill(NO_CELL);
                continue;
            }
            let (start, end) = ((start - left) as usize, (end - left) as usize);
            row[..start].fill(NO_CELL);
            row[end..].fill(NO_CELL);
            let row = &mut row[start..end];
            fill(ivec2(left + start as i32, y), row);
            if !trusted {
                for opacity in row {
                    *opacity = if opacity.is_nan() { NO_CELL } else { opacity.clamp(0.0, 1.0) };
                }
            }
        }
    }

    /// Every row of the disc of `in_sight` cells, as far as the window holds it: the window's row and columns.
    #[inline(always)]
    pub(super) fn rows(&self, in_sight: u32) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let radius = self.radius as usize;
        let reach = radius.min(in_sight as usize);
        (radius - reach..=radius + reach).map(move |y| {
            let half = (half_width(in_sight, y.abs_diff(radius) as u32) as usize).min(radius);
            (y, radius - half..radius + half + 1)
        })
    }
}

/// Half the width of the disc of `radius` cells in row dy: the greatest dx with dx² + dy² ≤ radius². dy ≤ radius < 2¹⁶.
#[inline(always)]
pub(super) fn half_width(radius: u32, dy: u32) -> u32 {
    f64::from(radius * radius - dy * dy).sqrt() as u32 // exact: a root is rounded correctly
}
