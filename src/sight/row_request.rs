//! [`WantedRows`]: what a window wants to be filled with opacities.

use std::iter::Zip;
use std::ops::Range;
use std::slice::{ChunksExactMut, Iter};

use glam::{IVec2, ivec2};
use pulp::{Simd, WithSimd};

use super::window::NO_CELL;
use crate::grid::AlignedGrid;
use crate::simd::LANES;

/// Where the rows of a window lie in sight, and where on a map.
#[derive(Clone)]
pub(crate) struct Parts<'a> {
    radius: usize,
    /// The cell of the window's upper left corner.
    origin: IVec2,
    halves: &'a [usize],
    /// The rows of the window that the map has, and the columns.
    rows_on_map: Range<usize>,
    columns_on_map: Range<usize>,
}

impl<'a> Parts<'a> {
    /// The map has the cells from the first of `extent` up to, not including, the second.
    pub(crate) fn new(radius: u32, viewer: IVec2, extent: [IVec2; 2], halves: &'a [usize]) -> Self {
        let origin = viewer - IVec2::splat(radius as i32);
        let side = 2 * radius as i32 + 1;
        let [low, high] = extent.map(|cell| {
            let place = |cell: i32, origin: i32| cell.saturating_sub(origin).clamp(0, side) as usize;
            [place(cell.x, origin.x), place(cell.y, origin.y)]
        });
        Self { radius: radius as usize, origin, halves, rows_on_map: low[1]..high[1], columns_on_map: low[0]..high[0] }
    }

    /// The rows in sight.
    #[inline(always)]
    fn rows(&self) -> Range<usize> {
        let reach = self.halves.len() - 1;
        self.radius - reach..self.radius + reach + 1
    }

    /// Those of them that the map has.
    fn rows_on_map(&self) -> Range<usize> {
        let (rows, on_map) = (self.rows(), &self.rows_on_map);
        let start = rows.start.max(on_map.start);
        start..rows.end.min(on_map.end).max(start)
    }

    /// The columns of row `y` in sight, and those of them that are cells of the map, if it has the row.
    #[inline(always)]
    fn of(&self, y: usize) -> [Range<usize>; 2] {
        let half = self.halves[y.abs_diff(self.radius)];
        let columns = self.radius - half..self.radius + half + 1;
        let on_map = &self.columns_on_map;
        let cells = columns.start.max(on_map.start)..columns.end.min(on_map.end);
        [columns, cells]
    }

    /// Whether the map has all cells of the window.
    fn are_on_map(&self) -> bool {
        [&self.rows_on_map, &self.columns_on_map] == [&(0..2 * self.radius + 1); 2]
    }
}

/// The parts of a window's rows that lie in sight and on the map, from the top, to be filled with opacities.
pub(crate) struct WantedRows<'a> {
    parts: Parts<'a>,
    /// Whether the map lacks cells of the window.
    clipped: bool,
    /// Which the next is.
    y: usize,
    rows: Zip<Iter<'a, Range<usize>>, ChunksExactMut<'a, f32>>,
}

/// A run of cells on the map. What their opacities hold before means nothing.
pub(crate) struct WantedRow<'a> {
    /// The leftmost cell.
    pub(crate) first: IVec2,
    /// Opacities from there to the right: of those in sight and of some beside, if that makes it whole vectors. What these
    /// are means nothing.
    pub(crate) opacity: &'a mut [f32],
    y: usize,
    part: Range<usize>,
    parts: Parts<'a>,
}

impl<'a> WantedRows<'a> {
    pub(crate) fn new(parts: Parts<'a>, spans: &'a [Range<usize>], opacity: &'a mut AlignedGrid) -> Self {
        let rows = parts.rows_on_map();
        let first = parts.rows().start;
        let spans = &spans[rows.start - first..rows.end - first];
        Self {
            clipped: !parts.are_on_map(),
            y: rows.start,
            parts,
            rows: spans.iter().zip(opacity.downwards_mut(rows.start)),
        }
    }
}

impl<'a> Iterator for WantedRows<'a> {
    type Item = WantedRow<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (span, row) = self.rows.next()?;
            let y = self.y;
            self.y += 1;
            let mut part = span.clone();
            if self.clipped {
                let [_, cells] = self.parts.of(y);
                if cells.is_empty() {
                    continue;
                }
                part = whole(cells, self.parts.columns_on_map.clone());
            }
            let first = self.parts.origin + ivec2(part.start as i32, y as i32);
            return Some(WantedRow { first, opacity: &mut row[part.clone()], y, part, parts: self.parts.clone() });
        }
    }
}

impl WantedRow<'_> {
    /// Which of the opacities are in sight.
    pub(crate) fn in_sight(&self) -> Range<usize> {
        let [_, cells] = self.parts.of(self.y);
        cells.start - self.part.start..cells.end - self.part.start
    }
}

/// Some columns in whole vectors, if there is `room` for them.
#[inline(always)]
pub(crate) fn whole(columns: Range<usize>, room: Range<usize>) -> Range<usize> {
    let whole = columns.len().next_multiple_of(LANES);
    if whole > room.len() {
        return columns;
    }
    let start = columns.start.min(room.end - whole);
    start..start + whole
}

/// Asks for one row after another.
pub(crate) fn one_by_one(mut fill: impl FnMut(IVec2, &mut [f32])) -> impl FnOnce(WantedRows<'_>) {
    move |rows| {
        for row in rows {
            let in_sight = row.in_sight();
            fill(row.first + ivec2(in_sight.start as i32, 0), &mut row.opacity[in_sight]);
        }
    }
}

/// Puts [`NO_CELL`] where the map ends within sight. Whether it ends there.
pub(crate) fn blot(opacity: &mut AlignedGrid, parts: &Parts<'_>) -> bool {
    let mut holes = false;
    if parts.are_on_map() {
        return holes;
    }
    for y in parts.rows() {
        let [columns, mut cells] = parts.of(y);
        if !parts.rows_on_map.contains(&y) || cells.is_empty() {
            cells = columns.start..columns.start;
        }
        if cells == columns {
            continue;
        }
        let row = opacity.row_mut(y);
        holes = true;
        row[columns.start..cells.start].fill(NO_CELL);
        row[cells.end..columns.end].fill(NO_CELL);
    }
    holes
}

/// Clamps opacities to [0, 1], and makes holes of what is not a number. Whether there are any.
pub(crate) struct Clamp<'a> {
    pub(crate) opacity: &'a mut AlignedGrid,
    pub(crate) parts: &'a Parts<'a>,
}

impl WithSimd for Clamp<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { opacity, parts } = self;
        let mut holes = false;
        for y in parts.rows_on_map() {
            let [_, cells] = parts.of(y);
            for opacity in opacity.row_mut(y).get_mut(cells).into_iter().flatten() {
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
