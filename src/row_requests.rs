//! [`RowRequests`]: the rows of a window that need opacities.

use std::iter::Zip;
use std::ops::Range;
use std::slice::{ChunksExactMut, Iter};

use glam::{IVec2, ivec2};

use crate::grid::{AlignedGrid, CellRect};
use crate::simd::LANES;

/// The opacity that marks a place without a cell: neither seen nor seen through.
pub const NO_CELL: f32 = 2.0;

/// The rows of a window that are in sight, and their part on the map.
#[derive(Clone)]
pub struct RowSpans<'a> {
    radius: usize,
    /// The cell of the window's upper left corner.
    top_left: IVec2,
    half_widths: &'a [usize],
    /// The rows and columns of the window that are on the map.
    rows_on_map: Range<usize>,
    columns_on_map: Range<usize>,
}

/// Columns of one row of a window.
struct ColumnSpan {
    in_sight: Range<usize>,
    /// The columns on the map, if the row is on the map.
    on_map: Range<usize>,
}

impl<'a> RowSpans<'a> {
    /// Creates the spans for a map of the cells of `extent`, or of all cells.
    pub(crate) fn new(radius: u32, viewer: IVec2, extent: Option<CellRect>, half_widths: &'a [usize]) -> Self {
        let top_left = viewer - IVec2::splat(radius as i32);
        let side = 2 * radius as usize + 1;
        let (mut rows_on_map, mut columns_on_map) = (0..side, 0..side);
        if let Some(extent) = extent {
            let corner =
                |cell: IVec2| cell.saturating_sub(top_left).clamp(IVec2::ZERO, IVec2::splat(side as i32)).as_uvec2();
            let (min, max) = (corner(extent.min), corner(extent.max));
            rows_on_map = min.y as usize..max.y as usize;
            columns_on_map = min.x as usize..max.x as usize;
        }
        Self { radius: radius as usize, top_left, half_widths, rows_on_map, columns_on_map }
    }

    /// Returns the rows in sight.
    #[inline(always)]
    fn rows(&self) -> Range<usize> {
        let in_sight = self.half_widths.len() - 1;
        self.radius - in_sight..self.radius + in_sight + 1
    }

    /// Returns the rows in sight that are on the map.
    fn rows_on_map(&self) -> Range<usize> {
        let (rows, on_map) = (self.rows(), &self.rows_on_map);
        let start = rows.start.max(on_map.start);
        start..rows.end.min(on_map.end).max(start)
    }

    #[inline(always)]
    fn columns(&self, y: usize) -> ColumnSpan {
        let half = self.half_widths[y.abs_diff(self.radius)];
        let in_sight = self.radius - half..self.radius + half + 1;
        let on_map = in_sight.start.max(self.columns_on_map.start)..in_sight.end.min(self.columns_on_map.end);
        ColumnSpan { in_sight, on_map }
    }

    /// Returns `true` if all cells of the window are on the map.
    fn are_on_map(&self) -> bool {
        [&self.rows_on_map, &self.columns_on_map] == [&(0..2 * self.radius + 1); 2]
    }
}

/// The rows of a window in sight and on the map, from the top, to be filled with opacities.
pub struct RowRequests<'a> {
    spans: RowSpans<'a>,
    /// `true` if some cells of the window are off the map.
    is_clipped: bool,
    /// The next row.
    y: usize,
    rows: Zip<Iter<'a, Range<usize>>, ChunksExactMut<'a, f32>>,
    end_rows: Option<ChunksExactMut<'a, f32>>,
}

/// A run of cells on the map whose opacities are requested.
pub struct RowRequest<'a> {
    /// The leftmost cell.
    pub start: IVec2,
    /// The opacities from there to the right, with arbitrary contents. There may be padding beyond the cells in sight,
    /// to fill whole vectors; its values are ignored.
    pub opacity: &'a mut [f32],
    /// log₂ of the transmittances at the ends of paths, for the same cells; empty without ends.
    pub end_log2: &'a mut [f32],
    /// The columns in sight.
    in_sight: Range<usize>,
}

impl<'a> RowRequests<'a> {
    /// Creates the requests of a window, whose `columns` of each row in sight are widened to whole vectors.
    pub(crate) fn new(
        spans: RowSpans<'a>,
        columns: &'a [Range<usize>],
        opacity: &'a mut AlignedGrid,
        ends: Option<&'a mut AlignedGrid>,
    ) -> Self {
        let rows = spans.rows_on_map();
        let first = spans.rows().start;
        let columns = &columns[rows.start - first..rows.end - first];
        Self {
            is_clipped: !spans.are_on_map(),
            y: rows.start,
            spans,
            rows: columns.iter().zip(opacity.downwards_mut(rows.start)),
            end_rows: ends.map(|ends| ends.downwards_mut(rows.start)),
        }
    }
}

impl RowRequests<'_> {
    /// Calls `fill` for each requested row, with exactly the cells in sight. Programs that use the library do not compile the loop again.
    #[inline(never)]
    pub(crate) fn fill_rows(self, fill: &mut dyn FnMut(IVec2, &mut [f32])) {
        for RowRequest { start, opacity, in_sight, .. } in self {
            fill(start + ivec2(in_sight.start as i32, 0), &mut opacity[in_sight]);
        }
    }
}

impl<'a> Iterator for RowRequests<'a> {
    type Item = RowRequest<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (columns, row) = self.rows.next()?;
            let end_row = self.end_rows.as_mut().and_then(Iterator::next);
            let y = self.y;
            self.y += 1;
            let mut columns = columns.clone();
            let on_map = self.spans.columns(y).on_map;
            if self.is_clipped {
                if on_map.is_empty() {
                    continue;
                }
                columns = widen_to_vectors(on_map.clone(), self.spans.columns_on_map.clone());
            }
            return Some(RowRequest {
                start: self.spans.top_left + ivec2(columns.start as i32, y as i32),
                in_sight: on_map.start - columns.start..on_map.end - columns.start,
                opacity: &mut row[columns.clone()],
                end_log2: end_row.map_or(&mut [], |row| &mut row[columns]),
            });
        }
    }
}

/// Widens a range of columns of a `row` to whole vectors, if they fit into it.
#[inline(always)]
pub fn widen_to_vectors(columns: Range<usize>, row: Range<usize>) -> Range<usize> {
    let length = columns.len().next_multiple_of(LANES);
    if length > row.len() {
        return columns;
    }
    let start = columns.start.min(row.end - length);
    start..start + length
}

/// Writes [`NO_CELL`] to all places in sight that are off the map. Returns `true` if such places exist.
pub(crate) fn mark_missing(opacity: &mut AlignedGrid, spans: &RowSpans<'_>) -> bool {
    let mut any = false;
    if spans.are_on_map() {
        return any;
    }
    for y in spans.rows() {
        let ColumnSpan { in_sight, mut on_map } = spans.columns(y);
        if !spans.rows_on_map.contains(&y) || on_map.is_empty() {
            on_map = in_sight.start..in_sight.start;
        }
        if on_map == in_sight {
            continue;
        }
        let row = opacity.row_mut(y);
        any = true;
        row[in_sight.start..on_map.start].fill(NO_CELL);
        row[on_map.end..in_sight.end].fill(NO_CELL);
    }
    any
}

/// Clamps opacities to [0, 1] and replaces NaN by [`NO_CELL`]. Returns `true` if there was any NaN.
#[inline(always)]
pub(crate) fn clamp_opacities(opacity: &mut AlignedGrid, spans: &RowSpans<'_>) -> bool {
    let mut any_nan = false;
    for y in spans.rows_on_map() {
        let on_map = spans.columns(y).on_map;
        for opacity in opacity.row_mut(y).get_mut(on_map).into_iter().flatten() {
            any_nan |= opacity.is_nan();
            *opacity = clamp_opacity(*opacity);
        }
    }
    any_nan
}

/// Returns an opacity clamped to [0, 1], [`NO_CELL`] for NaN.
#[inline(always)]
pub(crate) fn clamp_opacity(opacity: f32) -> f32 {
    let low = if opacity < 1.0 { opacity } else { 1.0 };
    let clamped = if low > 0.0 { low } else { 0.0 };
    if opacity.is_nan() { NO_CELL } else { clamped }
}
