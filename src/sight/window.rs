//! The square around a viewer that a field of view works in.

use std::iter::{Enumerate, Skip, Take};
use std::ops::Range;
use std::slice::ChunksExactMut;

use glam::{IVec2, ivec2};
use pulp::{Simd, WithSimd};

use super::padded::Padded;
use super::sweep_row::PAD;
use super::vectors::{LANES, widest};

/// Stands for the opacity of a place where there is no cell: neither seen nor seen through.
pub(super) const NO_CELL: f32 = 2.0;

/// The square around a viewer: opacities in, visibilities out. Both are rows of one shape, the viewer in the middle.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Cells from the viewer to each side.
    pub(super) radius: u32,
    /// Opacity of every cell in sight, in [0, 1]; [`NO_CELL`] where there is none, and for some places beside. Meaningless
    /// farther out.
    pub(super) opacity: Padded,
    /// Visibility of every cell; 0 out of sight.
    pub(super) seen: Padded,
    /// How far the disc goes to each side in row |dy| = 0, 1, …, as far as the window holds it.
    pub(super) halves: Vec<usize>,
    /// How far the values in `seen` go.
    written: u32,
    /// Whether they are of a kernel that clears only what it wrote before.
    pub(super) swept: bool,
    /// Whether there is [`NO_CELL`] in sight.
    pub(super) holes: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            radius: 0,
            opacity: Padded::new(1, 1),
            seen: Padded::new(1, 1),
            halves: vec![0],
            written: 0,
            swept: false,
            holes: false,
        }
    }
}

impl Window {
    /// Makes the window span `radius` cells and clears what an earlier view left beyond `in_sight` cells.
    pub(super) fn make_room(&mut self, radius: u32, in_sight: u32) {
        if self.radius != radius {
            let side = 2 * radius as usize + 1;
            let cells = Padded::new(side, side);
            *self = Self { radius, opacity: cells.clone(), seen: cells, halves: Vec::new(), ..Self::default() };
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
        }
        self.written = in_sight;
        self.swept = false;
    }

    /// Where the viewer stands in it.
    pub(super) fn centre(&self) -> IVec2 {
        IVec2::splat(self.radius as i32)
    }

    /// Where the viewer stands among the values of a grid of the window.
    pub(super) fn middle(&self) -> usize {
        self.seen.place(self.radius as usize, self.radius as usize)
    }

    /// Asks `fill` for the opacities of all cells in sight that lie in the box `extent`, from its first cell up to, not
    /// including, its second; there is no other cell. Answers that are not `trusted` to lie in [0, 1] are clamped, and NaN
    /// is no cell. With `pads`, there is no cell beside the rows either, where a kernel may look that goes in whole
    /// vectors.
    pub(super) fn take(
        &mut self,
        viewer: IVec2,
        extent: [IVec2; 2],
        [trusted, pads]: [bool; 2],
        fill: impl FnOnce(WantedRows<'_>),
    ) {
        let (radius, side, stride) = (self.radius as usize, self.opacity.width(), self.opacity.stride());
        let reach = self.halves.len() - 1;
        let parts = Parts { radius, origin: viewer - self.centre(), extent, halves: &self.halves };
        let first = self.opacity.place(0, 0);
        let rows = self.opacity.values_mut()[first..].chunks_exact_mut(stride).enumerate();
        let rows = rows.skip(radius - reach).take(2 * reach + 1);
        fill(WantedRows { parts, on_map: parts.on_map(), rows });
        self.holes = !trusted && widest(Clamp { opacity: &mut self.opacity, parts });
        if pads || parts.on_map() != (0..side) || !parts.reach_all_rows() {
            self.holes |= blot(&mut self.opacity, parts, if pads { PAD } else { 0 });
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

/// Where the rows of a window lie in sight, and where on a map.
#[derive(Clone, Copy)]
struct Parts<'a> {
    radius: usize,
    /// The cell of the window's upper left corner.
    origin: IVec2,
    /// The first cell of the map, and the first beyond.
    extent: [IVec2; 2],
    halves: &'a [usize],
}

impl Parts<'_> {
    /// The columns of row `y` in sight, and those of them that are cells of the map.
    #[inline(always)]
    fn of(&self, y: usize) -> [Range<usize>; 2] {
        let half = self.halves[y.abs_diff(self.radius)];
        let columns = self.radius - half..self.radius + half + 1;
        let on_map = self.on_map();
        let cells = columns.start.max(on_map.start)..columns.end.min(on_map.end);
        let [low, high] = self.extent;
        if !(low.y..high.y).contains(&(self.origin.y + y as i32)) || cells.is_empty() {
            return [columns.clone(), columns.start..columns.start];
        }
        [columns, cells]
    }

    /// The columns of the window that the map has.
    #[inline(always)]
    fn on_map(&self) -> Range<usize> {
        let [low, high] = self.extent.map(|cell| cell.x.saturating_sub(self.origin.x));
        let side = 2 * self.radius as i32 + 1;
        low.clamp(0, side) as usize..high.clamp(0, side) as usize
    }

    /// Whether the map has all rows of the window.
    fn reach_all_rows(&self) -> bool {
        let [low, high] = self.extent;
        low.y <= self.origin.y && self.origin.y + 2 * (self.radius as i32) < high.y
    }
}

/// The parts of a window's rows that lie in sight and on the map, from the top, to be filled with opacities.
pub(crate) struct WantedRows<'a> {
    parts: Parts<'a>,
    on_map: Range<usize>,
    rows: Take<Skip<Enumerate<ChunksExactMut<'a, f32>>>>,
}

/// A run of cells on the map. What their opacities hold before means nothing.
pub(crate) struct WantedRow<'a> {
    /// The leftmost cell.
    pub(crate) first: IVec2,
    /// Opacities from there to the right: of those in sight and of some beside, if that makes it whole vectors. What these
    /// are means nothing.
    pub(crate) opacity: &'a mut [f32],
    /// Which of them are in sight.
    pub(crate) in_sight: Range<usize>,
}

impl<'a> Iterator for WantedRows<'a> {
    type Item = WantedRow<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (y, row) = self.rows.next()?;
            let [_, cells] = self.parts.of(y);
            if !cells.is_empty() {
                let whole = cells.len().next_multiple_of(LANES);
                let part = if whole <= self.on_map.len() {
                    let start = cells.start.min(self.on_map.end - whole);
                    start..start + whole
                } else {
                    cells.clone()
                };
                let first = self.parts.origin + ivec2(part.start as i32, y as i32);
                let in_sight = cells.start - part.start..cells.end - part.start;
                return Some(WantedRow { first, opacity: &mut row[part], in_sight });
            }
        }
    }
}

/// Asks for one row after another.
pub(super) fn one_by_one(mut fill: impl FnMut(IVec2, &mut [f32])) -> impl FnOnce(WantedRows<'_>) {
    move |rows| {
        for row in rows {
            fill(row.first + ivec2(row.in_sight.start as i32, 0), &mut row.opacity[row.in_sight]);
        }
    }
}

/// Puts [`NO_CELL`] where the map ends within sight, and `pad` places beside what is in sight. Whether it ends there.
fn blot(opacity: &mut Padded, parts: Parts<'_>, pad: usize) -> bool {
    let (radius, reach) = (parts.radius, parts.halves.len() - 1);
    let mut holes = false;
    for y in radius - reach..=radius + reach {
        let [columns, cells] = parts.of(y);
        let row = opacity.row_mut(y);
        holes |= cells != columns;
        row[columns.start.saturating_sub(pad)..cells.start].fill(NO_CELL);
        let end = (columns.end + pad).min(row.len());
        row[cells.end..end].fill(NO_CELL);
    }
    holes
}

/// Clamps opacities to [0, 1], and makes holes of what is not a number. Whether there are any.
struct Clamp<'a> {
    opacity: &'a mut Padded,
    parts: Parts<'a>,
}

impl WithSimd for Clamp<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { opacity, parts } = self;
        let (radius, reach) = (parts.radius, parts.halves.len() - 1);
        let mut holes = false;
        for y in radius - reach..=radius + reach {
            let [_, cells] = parts.of(y);
            for opacity in &mut opacity.row_mut(y)[cells] {
                let exists = !opacity.is_nan();
                let low = if *opacity < 1.0 { *opacity } else { 1.0 };
                let clamped = if low > 0.0 { low } else { 0.0 };
                holes |= !exists;
                *opacity = if exists { clamped } else { NO_CELL };
            }
        }
        holes
    }
}

/// Half the width of the disc of `radius` cells in row dy: the greatest dx with dx² + dy² ≤ radius². dy ≤ radius < 2¹⁶.
#[inline(always)]
pub(super) fn half_width(radius: u32, dy: u32) -> u32 {
    f64::from(radius * radius - dy * dy).sqrt() as u32 // exact: a root is rounded correctly
}
