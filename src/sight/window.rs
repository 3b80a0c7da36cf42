//! The square around a viewer that a field of view works in.

use std::ops::Range;

use glam::IVec2;

use super::row_request::{Clamp, Parts, WantedRows, blot, whole};
use crate::grid::AlignedGrid;
use crate::simd::dispatch;

/// Stands for the opacity of a place where there is no cell: neither seen nor seen through.
pub(crate) const NO_CELL: f32 = 2.0;

/// Rows of windows up to this radius are worked on as one vector each, with the column of the viewer in this lane.
pub(crate) const SMALL: u32 = 8;
pub(crate) const AXIS: usize = 7;

/// The square around a viewer: opacities in, visibilities out. Both are rows of one shape, the viewer in the middle.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Cells from the viewer to each side.
    pub(crate) radius: u32,
    /// Opacity of every cell in sight, in [0, 1]; [`NO_CELL`] where there is none. Farther out it is one of these, too, but
    /// means nothing.
    pub(crate) opacity: AlignedGrid,
    /// Visibility of every cell; 0 out of sight.
    pub(crate) seen: AlignedGrid,
    /// How far the disc goes to each side in row |dy| = 0, 1, …, as far as the window holds it.
    pub(crate) halves: Vec<usize>,
    /// The columns in sight of each row in sight, from the top: in whole vectors, if the window has room for them.
    spans: Vec<Range<usize>>,
    /// How far the values in `seen` go.
    written: u32,
    /// Whether they are of a kernel that clears only what it wrote before.
    pub(crate) swept: bool,
    /// Whether there is [`NO_CELL`] in sight.
    pub(crate) holes: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            radius: 0,
            opacity: AlignedGrid::new(1, 1),
            seen: AlignedGrid::new(1, 1),
            halves: Vec::new(),
            spans: Vec::new(),
            written: 0,
            swept: false,
            holes: false,
        }
    }
}

impl Window {
    /// Makes the window span `radius` cells and clears what an earlier view left beyond `in_sight` cells.
    #[inline]
    pub(crate) fn make_room(&mut self, radius: u32, in_sight: u32) {
        if (self.radius, self.written) != (radius, in_sight) || self.halves.is_empty() {
            self.fit(radius, in_sight);
        }
        self.swept = false;
    }

    fn fit(&mut self, radius: u32, in_sight: u32) {
        if self.radius != radius {
            let side = 2 * radius as usize + 1;
            // Of a small window, one vector has a row, or all but its end: in one line of the cache. To write across two
            // would take longer, and much longer where a page of memory ends between them.
            let middle = if radius <= SMALL { AXIS } else { 0 };
            let cells = AlignedGrid::with_middle_at_lane(middle, side, side);
            *self = Self { radius, opacity: cells.clone(), seen: cells, ..Self::default() };
        }
        if self.written > in_sight {
            for (y, columns) in self.rows(self.written) {
                self.seen.row_mut(y)[columns].fill(0.0);
            }
        }
        if self.written != in_sight || self.halves.is_empty() {
            let half = |dy| (half_width(in_sight, dy) as usize).min(radius as usize);
            self.halves.clear();
            self.halves.extend((0..=in_sight.min(radius)).map(half));
            let (middle, side) = (radius as usize, self.opacity.width());
            let span = |&half: &usize| whole(middle - half..middle + half + 1, 0..side);
            self.spans.clear();
            self.spans.extend(self.halves.iter().rev().chain(&self.halves[1..]).map(span));
        }
        self.written = in_sight;
    }

    /// Where the viewer stands in it.
    pub(crate) fn centre(&self) -> IVec2 {
        IVec2::splat(self.radius as i32)
    }

    /// Where the viewer stands among the values of a grid of the window.
    pub(crate) fn middle(&self) -> usize {
        self.seen.index_of(self.radius as usize, self.radius as usize)
    }

    /// Asks `fill` for the opacities of all cells in sight that lie in the box `extent`, from its first cell up to, not
    /// including, its second; there is no other cell. Answers that are not `trusted` to lie in [0, 1] are clamped, and NaN
    /// is no cell.
    pub(crate) fn take(&mut self, viewer: IVec2, extent: [IVec2; 2], trusted: bool, fill: impl FnOnce(WantedRows<'_>)) {
        let parts = Parts::new(self.radius, viewer, extent, &self.halves);
        fill(WantedRows::new(parts.clone(), &self.spans, &mut self.opacity));
        self.holes = !trusted && dispatch(Clamp { opacity: &mut self.opacity, parts: &parts });
        self.holes |= blot(&mut self.opacity, &parts);
    }

    /// Every row of the disc of `in_sight` cells, as far as the window holds it: the window's row and columns.
    #[inline(always)]
    pub(crate) fn rows(&self, in_sight: u32) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let radius = self.radius as usize;
        let reach = radius.min(in_sight as usize);
        (radius - reach..=radius + reach).map(move |y| {
            let half = (half_width(in_sight, y.abs_diff(radius) as u32) as usize).min(radius);
            (y, radius - half..radius + half + 1)
        })
    }
}

/// The radius of a window on a map that goes on for `farthest` cells from the viewer: up to 1024 all of the sight's radius,
/// then cut down to what the map can hold. In steps, so that a viewer goes a long way until another window is needed.
pub(crate) fn radius_of_window(radius: u32, farthest: u32) -> u32 {
    radius.min(farthest.max(1024).next_multiple_of(256))
}

/// Half the width of the disc of `radius` cells in row dy: the greatest dx with dx² + dy² ≤ radius². dy ≤ radius < 2¹⁶.
#[inline(always)]
pub(crate) fn half_width(radius: u32, dy: u32) -> u32 {
    f64::from(radius * radius - dy * dy).sqrt() as u32 // exact: a root is rounded correctly
}
