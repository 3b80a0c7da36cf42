//! [`AtlasCell`]: the summary of the view from one cell; [`AtlasLayer`]: its fields; [`ViewSummary`]: the summary of a view, for
//! vectors of any width.

use std::cell::Cell;

use glam::IVec2;

use farsight::grid::CellSize;
use farsight::internal::simd::LANES;
use farsight::named_enum;
use farsight::perception::Thresholds;
use farsight::sight::{RadiusShape, View};

thread_local! {
    /// A row of visibility times light, reused so that no view allocates.
    static LIT: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
}

/// Summarizes a view on a map of a size, or on a window of a larger map that starts at `origin`. Thresholds apply to
/// visibility times light; without a function for light it is 1 everywhere.
pub(super) struct ViewSummary<'a, L> {
    pub(super) view: View<'a>,
    pub(super) radius: u32,
    pub(super) shape: RadiusShape,
    /// The cell size at the viewer.
    pub(super) cell_size: CellSize,
    pub(super) size: IVec2,
    pub(super) origin: IVec2,
    /// Columns and rows of the larger map.
    pub(super) whole_size: IVec2,
    pub(super) thresholds: Thresholds,
    pub(super) light: Option<L>,
}

impl<L: Fn(IVec2) -> f32> ViewSummary<'_, L> {
    #[inline(always)]
    pub(super) fn sum_up(self) -> AtlasCell {
        let Self { view, radius, shape, cell_size, size, origin, whole_size, thresholds, light } = self;
        let (viewer, window) = (view.viewer(), view.grid());
        let low = view.top_left().max(IVec2::ZERO);
        let high = (view.top_left() + window.size()).min(size);
        let (mut total_visibility, mut identified) = (0.0f64, 0usize);
        let (mut farthest, ratios) = ((0.0, viewer), cell_size.ratios());
        let mut lit = LIT.take();
        for y in low.y..high.y {
            let row = window.row((y - view.top_left().y) as usize);
            let row = &row[(low.x - view.top_left().x) as usize..(high.x - view.top_left().x) as usize];
            total_visibility += f64::from(sum(row));
            let perceived = match &light {
                None => row,
                Some(light) => {
                    let seen = row.iter().zip(low.x..);
                    lit.clear();
                    lit.extend(seen.map(|(&v, x)| if v == 0.0 { v } else { v * light(IVec2::new(x, y)) }));
                    &lit
                }
            };
            identified += count_reaching(perceived, thresholds.identify) as usize;
            // The farthest cell is the first or the last glimpsed cell of a row.
            let Some([first, last]) = first_and_last(perceived, thresholds.glimpse) else { continue };
            for i in [first, last] {
                let cell = IVec2::new(low.x + i as i32, y);
                let squared = ((cell - viewer).as_dvec2() * ratios).length_squared();
                if squared > farthest.0 {
                    farthest = (squared, cell);
                }
            }
        }
        LIT.set(lit);
        AtlasCell {
            total_visibility: total_visibility as f32,
            identified: identified as f32
                / cells_in_range(origin + viewer, shape, cell_size, radius, whole_size) as f32,
            farthest: origin + farthest.1,
        }
    }
}

/// Sums a row in eight lanes, in an order that is the same on every processor.
#[inline(always)]
fn sum(row: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let (eights, rest) = row.as_chunks::<8>();
    let rest: f32 = rest.iter().sum();
    for eight in eights {
        for (lane, value) in lanes.iter_mut().zip(eight) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// Returns `true` if a visibility is above 0 and reaches a threshold.
#[inline(always)]
fn reaches(visibility: f32, threshold: f32) -> bool {
    (visibility > 0.0) & (visibility >= threshold)
}

/// Counts the cells of a row that reach a threshold.
#[inline(always)]
fn count_reaching(row: &[f32], threshold: f32) -> u32 {
    row.iter().map(|&v| u32::from(reaches(v, threshold))).sum()
}

/// Returns `true` if any cell of a vector reaches a threshold.
#[inline(always)]
fn any_reaches(vector: &[f32; LANES], threshold: f32) -> bool {
    vector.iter().fold(false, |any, &v| any | reaches(v, threshold))
}

/// Returns the first and the last cell of a row that reach a threshold.
#[inline(always)]
fn first_and_last(row: &[f32], threshold: f32) -> Option<[usize; 2]> {
    // Whole vectors first, to skip most cells outside of the circle. Plain loops, since LLVM does not inline closures
    // here.
    let vectors = row.as_chunks::<LANES>().0;
    let mut vector = 0;
    while vector < vectors.len() && !any_reaches(&vectors[vector], threshold) {
        vector += 1;
    }
    let mut first = vector * LANES;
    while !reaches(*row.get(first)?, threshold) {
        first += 1;
    }
    let vectors = row[first..].as_rchunks::<LANES>().1;
    let mut left = vectors.len();
    while left > 0 && !any_reaches(&vectors[left - 1], threshold) {
        left -= 1;
    }
    let mut last = row.len() - 1 - (vectors.len() - left) * LANES;
    while !reaches(row[last], threshold) {
        last -= 1; // stops at the first
    }
    Some([first, last])
}

/// Counts the cells of the map within the radius of a viewer; at least 1.
fn cells_in_range(viewer: IVec2, shape: RadiusShape, cell_size: CellSize, radius: u32, size: IVec2) -> usize {
    let reach = radius.min(i32::MAX as u32 / 2) as i32;
    let rows = (viewer.y - reach).max(0)..(viewer.y + reach + 1).min(size.y);
    let half_width = |y: i32| shape.half_width_on(cell_size, (y - viewer.y).unsigned_abs(), radius);
    rows.map(|y| columns_in_range(viewer.x, half_width(y), size.x)).sum::<usize>().max(1)
}

/// Counts the cells of a row of the map that are at most `half` columns from the viewer.
fn columns_in_range(x: i32, half: Option<u32>, width: i32) -> usize {
    let Some(half) = half else { return 0 };
    let half = half.min(i32::MAX as u32 / 2) as i32;
    ((x + half).min(width - 1) - (x - half).max(0) + 1).max(0) as usize
}

/// The summary of the view from one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtlasCell {
    /// The sum of the visibility of all cells, in cells. The viewer's own cell counts 1.
    pub total_visibility: f32,
    /// The identified fraction of the map's cells within the radius, in [0, 1].
    pub identified: f32,
    /// The farthest cell that is at least glimpsed; the first in row order on a tie.
    pub farthest: IVec2,
}

named_enum! {
    /// A field of an atlas.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum AtlasLayer: "atlas layer" {
        /// The sum of visibility over all cells, in cells.
        #[default]
        TotalVisibility = "total-visibility",
        /// The identified fraction of the cells in range, in [0, 1].
        Identified = "identified",
        /// The distance to the farthest cell that is glimpsed, in cells; in shorter sides of rectangular cells.
        Farthest = "farthest",
    }
}

impl AtlasLayer {
    /// Returns the unit of the values, or an empty text.
    pub fn unit(self) -> &'static str {
        match self {
            Self::TotalVisibility | Self::Farthest => "cells",
            Self::Identified => "",
        }
    }

    /// Returns the value for a viewer on `viewer`, on square cells.
    pub fn value(self, viewer: IVec2, seen: &AtlasCell) -> f32 {
        self.value_on(CellSize::square(1.0), viewer, seen)
    }

    /// Returns the value for a viewer on `viewer`, with a cell size.
    pub fn value_on(self, cell_size: CellSize, viewer: IVec2, seen: &AtlasCell) -> f32 {
        match self {
            Self::TotalVisibility => seen.total_visibility,
            Self::Identified => seen.identified,
            Self::Farthest => ((seen.farthest - viewer).as_dvec2() * cell_size.ratios()).length() as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::Level;
    use glam::ivec2;

    use super::*;
    use farsight::grid::Grid;
    use farsight::internal::simd::dispatch;

    /// Computes the summary by its definition, cell by cell.
    fn one_by_one(seen: &ViewSummary<'_, impl Fn(IVec2) -> f32>, cells: &[IVec2]) -> (f64, usize, IVec2) {
        let perceived = |cell: IVec2| seen.view.get(cell) * seen.light.as_ref().map_or(1.0, |light| light(cell));
        let (mut total_visibility, mut identified, mut farthest) = (0.0, 0, (0, seen.view.viewer()));
        for &cell in cells {
            total_visibility += f64::from(seen.view.get(cell));
            identified += usize::from(reaches(perceived(cell), seen.thresholds.identify));
            let squared = (cell - seen.view.viewer()).length_squared();
            if reaches(perceived(cell), seen.thresholds.glimpse) && squared > farthest.0 {
                farthest = (squared, cell);
            }
        }
        (total_visibility, identified, farthest.1)
    }

    #[test]
    fn a_view_is_summed_up_as_its_cells_say() {
        let mut state = 3u64;
        let mut pick = |count: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % count as u64) as i32
        };
        let (mut farthest_at, mut ties) = (std::collections::BTreeSet::new(), 0);
        for _ in 0..400 {
            let radius = [0, 1, 5, 15, 16, 40][pick(6) as usize];
            let size = ivec2(1 + pick(70), 1 + pick(70));
            let viewer = ivec2(pick(size.x), pick(size.y));
            let top_left = viewer - radius;
            let side = 2 * radius as usize + 1;
            // Few glimpsed cells, so that ties for the farthest occur.
            let few = [2, 30, 400][pick(3) as usize];
            let window = Grid::from_fn(side, side, |cell| {
                let (cell, offset) = (top_left + cell, cell - radius);
                let on_map = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all();
                let in_sight = on_map && offset.length_squared() <= radius * radius;
                if in_sight && pick(few) == 0 { pick(100) as f32 / 99.0 } else { 0.0 }
            });
            let cells: Vec<_> = (0..size.y).flat_map(|y| (0..size.x).map(move |x| ivec2(x, y))).collect();
            for light in [None, Some(|cell: IVec2| ((cell.x * 3 + cell.y * 5) % 7) as f32 / 6.0)] {
                let thresholds = Thresholds { identify: 0.6, glimpse: [0.0, 0.3][pick(2) as usize], hysteresis: 0.0 };
                let view = View::of(viewer, top_left, window.view());
                let (radius, shape) = (radius as u32, RadiusShape::Circle);
                let (origin, whole_size) = (IVec2::ZERO, size);
                let cell_size = CellSize::square(30.0);
                let seen = ViewSummary { view, radius, shape, cell_size, size, origin, whole_size, thresholds, light };
                let radius = radius as i32;
                let (total_visibility, identified, farthest) = one_by_one(&seen, &cells);
                let in_range =
                    cells.iter().filter(|cell| (**cell - viewer).length_squared() <= radius * radius).count();
                let found = dispatch!(Level::new(), _ => seen.sum_up());
                assert!(
                    (f64::from(found.total_visibility) - total_visibility).abs() <= 1e-6 * total_visibility,
                    "{found:?}, {total_visibility}"
                );
                assert_eq!(found.identified, identified as f32 / in_range as f32);
                assert_eq!(found.farthest, farthest, "from {viewer}, radius {radius}, on {size}");
                farthest_at.insert((farthest - viewer).to_array());
                let as_far = cells.iter().filter(|cell| {
                    let lit = light.map_or(1.0, |light| light(**cell));
                    let squared = (**cell - viewer).length_squared();
                    squared == (farthest - viewer).length_squared()
                        && reaches(view.get(**cell) * lit, thresholds.glimpse)
                });
                ties += usize::from(as_far.count() > 1);
            }
        }
        assert!(farthest_at.len() > 100 && ties > 50, "{} places, {ties} times several", farthest_at.len());
    }

    #[test]
    fn the_cells_in_range_are_counted_on_cells_that_are_no_squares() {
        let size = ivec2(60, 50);
        for cell_size in [CellSize::new(20.0, 31.0), CellSize::new(45.0, 20.0)] {
            for shape in [RadiusShape::Circle, RadiusShape::Square, RadiusShape::Diamond] {
                for (viewer, radius) in
                    [(ivec2(30, 25), 0), (ivec2(30, 25), 13), (ivec2(2, 47), 29), (ivec2(59, 0), 200)]
                {
                    let all = (0..size.y).flat_map(|y| (0..size.x).map(move |x| ivec2(x, y)));
                    let count = all.filter(|cell| shape.contains_on(cell_size, *cell - viewer, radius)).count();
                    let found = cells_in_range(viewer, shape, cell_size, radius, size);
                    assert_eq!(found, count, "{shape:?} {viewer} {radius}");
                }
            }
        }
    }

    #[test]
    fn the_ends_of_a_row_are_its_first_and_last_cell_that_reach_the_threshold() {
        for length in 0..70usize {
            for step in [1, 7, 16, 33, 100] {
                for first in 0..length.min(40) {
                    let value = |i: usize| if i >= first && (i - first).is_multiple_of(step) { 0.05 } else { 0.04 };
                    let row: Vec<f32> = (0..length).map(value).collect();
                    let expected = [row.iter().position(|&v| v >= 0.05), row.iter().rposition(|&v| v >= 0.05)];
                    assert_eq!(
                        first_and_last(&row, 0.05).map_or([None; 2], |ends| ends.map(Some)),
                        expected,
                        "{row:?}"
                    );
                }
            }
        }
        assert_eq!(
            (first_and_last(&[0.0; 40], 0.05), first_and_last(&[], 0.05), first_and_last(&[0.0; 3], 0.0)),
            (None, None, None)
        );
    }
}
