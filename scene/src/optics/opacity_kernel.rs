//! [`fill_rows`]: rows of opacities for one eye, and of the transmittances at the ends of paths, from the [`EyeTerms`] of cells.
//!
//! Opacities are computed lane by lane: the bits do not depend on the width of vectors.
//!
//! Vegetation that reaches up into the line of sight has the transmittance 2^(depth · share), with the depth of a cell of
//! full cover and the share of the ray below the canopy's top. The code is branch-free arithmetic, which the compiler
//! vectorizes.
//!
//! [`StaticTerms`] are those that do not depend on the viewer, and [`RowBounds`] bound the heights of some cells in a row.

use std::sync::OnceLock;

use fearless_simd::Level;
use glam::IVec2;

use super::config::{OpticsConfig, Relief};
use crate::world::World;
use farsight::grid::Grid;
use farsight::internal::math::{exp2_approx, hermite_f32, log2_approx};
use farsight::internal::row_requests::RowRequests;
use farsight::internal::simd::{LANES, dispatch, each_lane};

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

/// Returns the first values of a row, padded with zeros.
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

/// The minimum depth of vegetation below a ray. Smaller divisors give subnormal numbers, which are slow.
const MIN_DEPTH_M: f32 = 1e-6;

/// The minimum heights over the sea for which [`EyeTerms::vegetation_log2`] certainly computes a fraction of 1.
#[derive(Clone, Copy, Debug)]
struct BelowTopsFrom {
    ground: f32,
    tops: f32,
}

/// The terms that all cells share for one eye.
#[derive(Clone, Copy, Debug)]
pub(super) struct EyeTerms {
    /// Metres over the sea, of lines of sight.
    height: f32,
    /// Metres over the sea, of the eye itself: without the mean rise of lines to tall targets.
    level: f32,
    /// Height of full vegetation, in metres.
    canopy: f32,
    /// The eye over its ground, in metres.
    eye_height: f32,
    /// The minimum depth of vegetation below a ray, in metres.
    min_depth: f32,
    /// log₂ of the transmittance of a cell of full cover.
    depth: f32,
    /// The reciprocal of the softness in metres: ground that rises that far above the eye is opaque. `f32::MAX` if any
    /// rise is opaque, 0 if none.
    steepness: f32,
    /// The minimum ground and canopy tops for which a ray is below the tops throughout the cell.
    below_tops_from: BelowTopsFrom,
}

impl EyeTerms {
    /// Creates the terms for lines of sight at `eye_m` metres over the sea.
    pub(super) fn new(config: &OpticsConfig, cell_size_m: f64, eye_m: f32) -> Self {
        let (eye_height, target) = (config.eye_height_m as f32, config.target_height_m as f32);
        let extinction = config.vegetation_extinction_per_m * cell_size_m;
        let level = eye_m - config.mean_lift_m() as f32;
        let min_depth = (target - eye_height).max(MIN_DEPTH_M);
        Self {
            height: eye_m,
            level,
            canopy: config.canopy_height_m as f32,
            eye_height,
            min_depth,
            depth: (-extinction * std::f64::consts::LOG2_E) as f32,
            steepness: match config.relief {
                Relief::HeightDifference => (1.0 / config.relief_softness_m as f32).min(f32::MAX),
                _ => 0.0,
            },
            below_tops_from: BelowTopsFrom::new(level.into(), eye_height.into(), min_depth.into()),
        }
    }

    /// Returns the transmittance of the vegetation of a cell.
    pub(super) fn vegetation_transmittance(&self, ground_m: f32, cover: f32) -> f32 {
        exp2_approx(self.vegetation_log2(ground_m, cover))
    }

    /// Returns the opacity of a cell; `air` is the transmittance of its air.
    #[inline(always)]
    pub(super) fn opacity(&self, ground_m: f32, cover: f32, air: f32) -> f32 {
        self.opacity_in_vegetation(ground_m, self.vegetation_log2(ground_m, cover), air)
    }

    /// Returns the opacity of a cell from the [`vegetation_log2`](Self::vegetation_log2) of its vegetation.
    #[inline(always)]
    fn opacity_in_vegetation(&self, ground_m: f32, vegetation_log2: f32, air: f32) -> f32 {
        1.0 - air * exp2_approx(vegetation_log2) * self.relief_transmittance(ground_m)
    }

    /// Returns `true` if ground and vegetation of these cells are all below the eye: their [`opacity`](Self::opacity)
    /// is that of their air.
    #[inline(always)]
    pub(super) fn overlooks(&self, bounds: &RowBounds) -> bool {
        self.level >= bounds.highest
    }

    /// Returns `true` if the ray is below the canopy's top throughout each of these cells that has vegetation: their
    /// [`opacity`](Self::opacity) is [`opacity_below_tops`](Self::opacity_below_tops).
    #[inline(always)]
    pub(super) fn is_below_tops(&self, bounds: &RowBounds) -> bool {
        (bounds.ground >= self.below_tops_from.ground) & (bounds.tops >= self.below_tops_from.tops)
    }

    /// Returns the transmittance of a cell throughout which the ray is below the canopy's top; `air` is that of its air.
    #[inline(always)]
    fn below_tops(&self, air: f32, cover: f32) -> f32 {
        air * exp2_approx(self.log2_below_tops(cover))
    }

    /// Returns log₂ of the transmittance of the vegetation of such a cell.
    #[inline(always)]
    fn log2_below_tops(&self, cover: f32) -> f32 {
        self.vegetation_log2_of_share(at_least_0(cover), 1.0)
    }

    /// Returns the opacity of such a cell from its [`below_tops`](Self::below_tops).
    #[inline(always)]
    fn opacity_below_tops(&self, ground_m: f32, below_tops: f32) -> f32 {
        1.0 - below_tops * self.relief_transmittance(ground_m)
    }

    /// Returns the transmittance of a cell whose ground rises above the eye.
    #[inline(always)]
    pub(super) fn relief_transmittance(&self, ground_m: f32) -> f32 {
        let left = 1.0 - (ground_m - self.height) * self.steepness;
        let left = at_least_0(at_most_1(left));
        hermite_f32(left)
    }

    /// Returns log₂ of the transmittance of the vegetation of a cell, at least the −126 that [`exp2_approx`] accepts.
    ///
    /// The fraction of the ray inside the vegetation is 0 if the eye is above the canopy, and 1 if the cell's ground is
    /// at or above the viewer's. For a line that climbs to a target above the canopy, it is the part over level ground
    /// that is below the canopy's top.
    #[inline(always)]
    pub(super) fn vegetation_log2(&self, ground_m: f32, cover: f32) -> f32 {
        let cover = at_least_0(cover);
        let top = canopy_top(self.canopy, cover);
        let below_top = (ground_m - self.level) + top;
        let depth = top - self.eye_height;
        let share = below_top / if depth > self.min_depth { depth } else { self.min_depth };
        self.vegetation_log2_of_share(cover, at_least_0(at_most_1(share)))
    }

    #[inline(always)]
    fn vegetation_log2_of_share(&self, cover: f32, share: f32) -> f32 {
        let log2 = self.depth * cover * share;
        if log2 > -126.0 { log2 } else { -126.0 }
    }
}

impl BelowTopsFrom {
    /// With g and t for the heights of ground and tops, the fraction is 1 if g − level + (t − g) ≥ max(t − g − eye
    /// height, min depth). Rounding keeps the order of numbers, so g ≥ level − eye height implies the first. If t
    /// decides, g − level is within the eye height of 0 or greater than required, and a small addition covers its
    /// rounding.
    fn new(level: f64, eye_height: f64, min_depth: f64) -> Self {
        let tops = level + min_depth + (eye_height + min_depth) * f64::from(f32::EPSILON);
        Self { ground: round_up(level - eye_height), tops: (tops as f32).next_up() }
    }
}

/// Returns the smallest float that is at least `value`.
fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

/// Returns the minimum of a value and 1; 1 for NaN.
#[inline(always)]
fn at_most_1(value: f32) -> f32 {
    if value < 1.0 { value } else { 1.0 }
}

/// Returns the maximum of a value and 0; 0 for NaN.
#[inline(always)]
fn at_least_0(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// A cache of the terms of air, ground and vegetation that are the same for all eyes. It computes a band of rows when a
/// view first needs it, since most views cover a small part of a large world.
#[derive(Debug)]
pub(super) struct StaticTerms {
    canopy_height_m: f32,
    /// The eye does not matter.
    eye: EyeTerms,
    /// The thread that needs a band computes it: if it waited for other threads, it could start work that waits for the band.
    bands: Vec<OnceLock<Vec<TermsOfRow>>>,
}

const ROWS_OF_BAND: usize = 16;

/// The terms of a row of cells.
#[derive(Debug)]
struct TermsOfRow {
    /// The transmittance of air and vegetation of a cell, for a ray that is below the canopy's top throughout.
    below_tops: Vec<f32>,
    /// log₂ of the transmittance of the air of a cell.
    pub(super) air_log2: Vec<f32>,
    /// That of air and vegetation, for such a ray.
    below_tops_log2: Vec<f32>,
    /// Element x covers 2 · [`LANES`] cells, starting at [`LANES`] · x, so that one element covers any vector.
    pub(super) bounds: Vec<RowBounds>,
}

impl StaticTerms {
    pub(super) fn new(world: &World, config: &OpticsConfig) -> Self {
        Self {
            canopy_height_m: config.canopy_height_m as f32,
            eye: EyeTerms::new(config, world.shortest_side_m(), 0.0),
            bands: (0..world.height().div_ceil(ROWS_OF_BAND)).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Invalidates the terms of rows whose ground or vegetation changes.
    pub(super) fn forget(&mut self, rows: std::ops::Range<usize>) {
        let bands = rows.start / ROWS_OF_BAND..rows.end.div_ceil(ROWS_OF_BAND).min(self.bands.len());
        self.bands[bands].fill_with(OnceLock::new);
    }

    /// Returns the terms of a row of a world with the air of its cells, which must be the same until the row is
    /// [forgotten](Self::forget).
    #[inline]
    fn row(&self, world: &World, air: &Grid<f32>, y: usize) -> &TermsOfRow {
        &self.bands[y / ROWS_OF_BAND].get_or_init(|| self.band(world, air, y / ROWS_OF_BAND))[y % ROWS_OF_BAND]
    }

    #[cold]
    fn band(&self, world: &World, air: &Grid<f32>, band: usize) -> Vec<TermsOfRow> {
        let first = band * ROWS_OF_BAND;
        (first..(first + ROWS_OF_BAND).min(world.height())).map(|y| self.terms_of_row(world, air, y)).collect()
    }

    fn terms_of_row(&self, world: &World, air: &Grid<f32>, y: usize) -> TermsOfRow {
        let [ground, cover, air] = [world.ground_m(), world.vegetation(), air].map(|field| field.row(y));
        let (mut below_tops, mut air_log2) = (air.to_vec(), air.to_vec());
        dispatch!(Level::new(), _ => add_vegetation(self.eye, cover, &mut below_tops));
        dispatch!(Level::new(), _ => air_log2.iter_mut().for_each(|air| *air = log2_approx(*air)));
        let mut below_tops_log2 = air_log2.clone();
        dispatch!(Level::new(), _ => add_vegetation_log2(self.eye, cover, &mut below_tops_log2));
        let cells = ground.chunks(LANES).zip(cover.chunks(LANES));
        let mut bounds: Vec<_> =
            cells.map(|(ground, cover)| RowBounds::new(self.canopy_height_m, ground, cover)).collect();
        for x in 1..bounds.len() {
            bounds[x - 1] = bounds[x - 1].union(bounds[x]);
        }
        TermsOfRow { below_tops, air_log2, below_tops_log2, bounds }
    }
}

/// Multiplies the transmittance of air by that of vegetation.
#[inline(always)]
fn add_vegetation(eye: EyeTerms, cover: &[f32], cells: &mut [f32]) {
    for (cell, &cover) in cells.iter_mut().zip(cover) {
        *cell = eye.below_tops(*cell, cover);
    }
}

/// Adds the logarithms of the transmittance of vegetation, as [`add_vegetation`].
#[inline(always)]
fn add_vegetation_log2(eye: EyeTerms, cover: &[f32], cells: &mut [f32]) {
    for (cell, &cover) in cells.iter_mut().zip(cover) {
        *cell += eye.log2_below_tops(cover);
    }
}

/// Bounds for a run of cells in a row. Cells with nodata have neither ground nor vegetation.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBounds {
    /// At or above all ground and all canopy tops.
    highest: f32,
    /// The minimum height of ground with vegetation.
    ground: f32,
    /// At or below all canopy tops.
    tops: f32,
}

impl RowBounds {
    const NONE: Self = Self { highest: f32::NEG_INFINITY, ground: f32::INFINITY, tops: f32::INFINITY };

    /// Computes the bounds of some cells; `canopy_height` is that of full cover.
    fn new(canopy_height: f32, ground: &[f32], cover: &[f32]) -> Self {
        let mut all = Self::NONE;
        for (&ground, &cover) in ground.iter().zip(cover) {
            let top = ground + canopy_top(canopy_height, cover);
            if cover > 0.0 {
                all = all.union(Self { highest: top, ground, tops: top });
            } else {
                all.highest = max_not_nan(all.highest, ground);
            }
        }
        // A sum is rounded to the nearest float: the exact one is between its neighbours.
        Self { highest: all.highest.next_up(), tops: all.tops.next_down(), ..all }
    }

    fn union(self, other: Self) -> Self {
        Self {
            highest: max_not_nan(self.highest, other.highest),
            ground: -max_not_nan(-self.ground, -other.ground),
            tops: -max_not_nan(-self.tops, -other.tops),
        }
    }
}

/// Returns the height of vegetation over its ground; `canopy_height` is that of full cover.
#[inline(always)]
pub(super) fn canopy_top(canopy_height: f32, cover: f32) -> f32 {
    canopy_height * cover * cover
}

/// Returns the greater number, or `a` if one is NaN.
fn max_not_nan(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
