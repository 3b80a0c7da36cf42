//! [`fill_rows`]: rows of opacities for one eye.
//!
//! Opacities are computed lane by lane: the bits do not depend on the width of vectors.

use glam::IVec2;

use super::eye_terms::EyeTerms;
use super::row_bounds::RowBounds;
use super::static_terms::StaticTerms;
use crate::grid::Grid;
use crate::simd::LANES;
use crate::world::World;

/// Fills rows with opacities. An item of `rows` is the first cell of a row and its opacities from there to the right.
#[inline(always)]
pub(super) fn fill_rows<'r>(
    fields: OpacityFields<'_>,
    eye: EyeTerms,
    rows: impl Iterator<Item = (IVec2, &'r mut [f32])>,
) {
    for (first, row) in rows {
        fill_row(&eye, &fields.cells(first, row.len()), row);
    }
}

/// Fills one row. Most vectors of a world are below the eye, or around the whole ray; the shorter formulas for these give the
/// bits of [`EyeTerms::opacity`].
#[inline(always)]
fn fill_row(eye: &EyeTerms, cells: &RowFields<'_>, row: &mut [f32]) {
    let [ground, cover, air, below_tops] =
        [cells.ground, cells.cover, cells.air, cells.below_tops].map(|field| field.as_chunks::<LANES>().0);
    let (vectors, end) = row.as_chunks_mut::<LANES>();
    let fields = ground.iter().zip(cover).zip(air.iter().zip(below_tops));
    for ((slot, bounds), ((ground, cover), (air, below_tops))) in vectors.iter_mut().zip(cells.bounds).zip(fields) {
        *slot = if eye.overlooks(bounds) {
            each_lane(|i| 1.0 - air[i])
        } else if eye.is_below_tops(bounds) {
            each_lane(|i| eye.opacity_below_tops(ground[i], below_tops[i]))
        } else {
            each_lane(|i| eye.opacity(ground[i], cover[i], air[i]))
        };
    }
    if !end.is_empty() {
        fill_end(eye, cells, row);
    }
}

/// Fills the end of a row after its last whole vector: by a vector that ends there, if the row is long enough.
#[inline(always)]
fn fill_end(eye: &EyeTerms, cells: &RowFields<'_>, row: &mut [f32]) {
    let fields = [cells.ground, cells.cover, cells.air].map(|field| field.last_chunk::<LANES>());
    if let (Some(slot), [Some(ground), Some(cover), Some(air)]) = (row.last_chunk_mut::<LANES>(), fields) {
        *slot = each_lane(|i| eye.opacity(ground[i], cover[i], air[i]));
    } else {
        for (((slot, &ground), &cover), &air) in row.iter_mut().zip(cells.ground).zip(cells.cover).zip(cells.air) {
            *slot = eye.opacity(ground, cover, air);
        }
    }
}

/// Computes a vector lane by lane.
#[inline(always)]
fn each_lane(lane: impl Fn(usize) -> f32) -> [f32; LANES] {
    let mut vector = [0.0; LANES];
    for (i, slot) in vector.iter_mut().enumerate() {
        *slot = lane(i);
    }
    vector
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
    pub(super) below_tops_log2: &'a [f32],
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
