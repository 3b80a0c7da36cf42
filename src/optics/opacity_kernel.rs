//! [`fill_rows`]: rows of opacities for one eye, and of the transmittances at the ends of paths.
//!
//! Opacities are computed lane by lane: the bits do not depend on the width of vectors.

use glam::IVec2;

use super::eye_terms::{EyeTerms, RowBounds, StaticTerms};
use crate::grid::Grid;
use crate::row_requests::RowRequests;
use crate::simd::{LANES, each_lane};
use crate::world::World;

/// Fills the requested rows. An adaptor around them would make a call of each row, after which all constants are loaded again.
#[inline(always)]
pub(super) fn fill_rows(fields: &OpacityFields<'_>, eye: &EyeTerms, rows: RowRequests<'_>) {
    for row in rows {
        fill_row(fields, eye, row.start, row.opacity, row.end_log2);
    }
}

/// Fills one row from `start` to the right: the opacities, and log₂ of the transmittances at the ends of paths, of air and
/// vegetation without relief. Most vectors of a world are below the eye, or around the whole ray; the shorter formulas for these
/// give the bits of [`EyeTerms::opacity`].
#[inline(always)]
pub(super) fn fill_row(
    fields: &OpacityFields<'_>,
    eye: &EyeTerms,
    start: IVec2,
    opacity: &mut [f32],
    end_log2: &mut [f32],
) {
    let cells = fields.cells(start, opacity.len());
    let fields = [cells.ground, cells.cover, cells.air, cells.air_log2, cells.below_tops, cells.below_tops_log2];
    let [ground, cover, air, air_log2, below_tops, below_tops_log2] = fields.map(|field| field.as_chunks::<LANES>().0);
    let fields = ground.iter().zip(cover).zip(air.iter().zip(air_log2)).zip(below_tops.iter().zip(below_tops_log2));
    let slots = opacity.as_chunks_mut::<LANES>().0.iter_mut().zip(end_log2.as_chunks_mut::<LANES>().0);
    for (((opacity, end_log2), bounds), fields) in slots.zip(cells.bounds).zip(fields) {
        let (((ground, cover), (air, air_log2)), (below_tops, below_tops_log2)) = fields;
        if eye.overlooks(bounds) {
            *opacity = each_lane(|i| 1.0 - air[i]);
            *end_log2 = *air_log2;
        } else if eye.is_below_tops(bounds) {
            *opacity = each_lane(|i| eye.opacity_below_tops(ground[i], below_tops[i]));
            *end_log2 = *below_tops_log2;
        } else {
            let vegetation = each_lane(|i| eye.vegetation_log2(ground[i], cover[i]));
            *opacity = each_lane(|i| eye.opacity_in_vegetation(ground[i], vegetation[i], air[i]));
            *end_log2 = each_lane(|i| air_log2[i] + vegetation[i]);
        }
    }
    if !opacity.len().is_multiple_of(LANES) {
        fill_end(eye, &cells, opacity, end_log2);
    }
}

/// Fills the end of a row after its last whole vector: by a vector that ends there, if the row is long enough.
#[inline(always)]
fn fill_end(eye: &EyeTerms, cells: &RowFields<'_>, opacity: &mut [f32], end_log2: &mut [f32]) {
    let at = opacity.len().saturating_sub(LANES);
    let fields = [cells.ground, cells.cover, cells.air, cells.air_log2];
    let [ground, cover, air, air_log2] = fields.map(|field| first_vector(&field[at..]));
    let vegetation = each_lane(|i| eye.vegetation_log2(ground[i], cover[i]));
    let values = each_lane(|i| eye.opacity_in_vegetation(ground[i], vegetation[i], air[i]));
    let ends = each_lane(|i| air_log2[i] + vegetation[i]);
    for (row, values) in [(opacity, values), (end_log2, ends)] {
        let row = &mut row[at..];
        row.copy_from_slice(&values[..row.len()]);
    }
}

/// Returns the first values of a row, and zeros after a shorter one.
#[inline(always)]
fn first_vector(values: &[f32]) -> [f32; LANES] {
    values.first_chunk().copied().unwrap_or_else(|| {
        let mut vector = [0.0; LANES];
        vector[..values.len()].copy_from_slice(values);
        vector
    })
}

/// The fields of a world. All slices have the same length, so that one bounds check serves all.
#[derive(Clone, Copy)]
pub(super) struct OpacityFields<'a> {
    width: usize,
    height: usize,
    ground: &'a [f32],
    cover: &'a [f32],
    air: &'a [f32],
    world: &'a World,
    air_grid: &'a Grid<f32>,
    terms: &'a StaticTerms,
}

/// The fields of some cells in a row.
pub(super) struct RowFields<'a> {
    pub(super) ground: &'a [f32],
    pub(super) cover: &'a [f32],
    pub(super) air: &'a [f32],
    pub(super) air_log2: &'a [f32],
    below_tops: &'a [f32],
    below_tops_log2: &'a [f32],
    /// One for each vector.
    pub(super) bounds: &'a [RowBounds],
}

impl<'a> OpacityFields<'a> {
    #[inline]
    pub(super) fn new(world: &'a World, air: &'a Grid<f32>, terms: &'a StaticTerms) -> Self {
        let ground = world.ground_m();
        let (width, height) = (ground.width(), ground.height());
        let field = |field: &'a Grid<f32>| &field.as_slice()[..width * height];
        Self {
            width,
            height,
            ground: field(ground),
            cover: field(world.vegetation()),
            air: field(air),
            world,
            air_grid: air,
            terms,
        }
    }

    /// Returns the fields of `count` cells from `first` to the right.
    #[inline(always)]
    pub(super) fn cells(&self, first: IVec2, count: usize) -> RowFields<'a> {
        let [x, y] = [first.x, first.y].map(|i| i as usize);
        debug_assert!(y < self.height && x <= self.width && count <= self.width - x);
        let start = y * self.width + x;
        let cells = start..start + count;
        let terms = self.terms.row(self.world, self.air_grid, y);
        RowFields {
            ground: &self.ground[cells.clone()],
            cover: &self.cover[cells.clone()],
            air: &self.air[cells],
            air_log2: &terms.air_log2[x..x + count],
            below_tops: &terms.below_tops[x..x + count],
            below_tops_log2: &terms.below_tops_log2[x..x + count],
            bounds: &terms.bounds[x / LANES..x / LANES + count / LANES],
        }
    }
}
