//! [`Attenuation`]: turns raw values into visibilities by path rule, half cells and decay, in vectors of a window.
//!
//! Values are computed lane by lane: the bits do not depend on the width of vectors.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x16};
use glam::{IVec2, UVec2, uvec2};

use super::half_cells::{HalfCellTable, HalfCells};
use super::view_plan::ViewPlan;
use super::window::{Window, half_width};
use crate::grid::AlignedGrid;
use crate::math::{exp2_approx, log2_approx};
use crate::sight_config::{Decay, Method, PathRule, RadiusShape, SightConfig};
use crate::simd::{LANES, dispatch, each_lane};

/// The cached factors of a configuration for the vectors of a window with cells in sight.
#[derive(Clone, Debug, Default)]
pub(super) struct Attenuation {
    layout: Option<Layout>,
    /// The radius of the lists.
    radius: u32,
    /// The vectors, and a buffer for those that are not dark.
    places: Vec<VectorIndex>,
    lit: Vec<VectorIndex>,
    terms: Terms,
    /// The half cells in `terms`.
    half_cells: Option<HalfCellTable>,
}

/// The window of the lists of factors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    /// The distance from one row of the window to the next, in values.
    stride: usize,
    /// The index of the viewer's value.
    middle: usize,
    has_decay: bool,
}

/// The positions of the values of a vector.
#[derive(Clone, Copy, Debug)]
struct VectorIndex {
    /// The index of the first value in the window.
    value: u32,
    /// The index of the terms, which are the same above and below the viewer.
    terms: u32,
}

type LaneValues = [f32; LANES];

/// The terms of all vectors. Unused lists are empty.
#[derive(Clone, Debug, Default)]
struct Terms {
    /// The exponents of the path rule less 1.
    extra_exponents: Vec<LaneValues>,
    decay: Vec<LaneValues>,
    /// The fields of [`HalfCells`]. Two parents have no `slope` and no `bend`.
    base: Vec<LaneValues>,
    slope: Vec<LaneValues>,
    bend: Vec<LaneValues>,
}

impl Attenuation {
    /// Multiplies the raw values of a window by the factors of path rule, half cells and decay. With a
    /// [scale](ViewPlan::scale), the decay is not applied.
    #[inline]
    pub(super) fn apply(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        window: &mut Window,
        half_cells: Option<&HalfCellTable>,
    ) {
        let has_half_cells = half_cells.is_some();
        if has_exponents(config) || applies_decay(config, plan) || has_half_cells {
            self.extend(config, plan, window, half_cells);
            dispatch!(Level::new(), simd => self.apply_to(simd, window, true, has_half_cells));
        }
    }

    /// Multiplies all cells in sight by the decay only. With a [scale](ViewPlan::scale), it is not applied.
    pub(super) fn apply_decay(&mut self, config: &SightConfig, plan: &ViewPlan, window: &mut Window) {
        if applies_decay(config, plan) {
            self.extend(config, plan, window, None);
            dispatch!(Level::new(), simd => self.apply_to(simd, window, false, false));
        }
    }

    /// Extends the lists to at least the radius of a view.
    #[inline]
    fn extend(&mut self, config: &SightConfig, plan: &ViewPlan, window: &Window, half_cells: Option<&HalfCellTable>) {
        let (radius, seen, has_decay) = (plan.radii.in_sight, &window.seen, applies_decay(config, plan));
        let layout = Some(Layout { stride: seen.stride(), middle: window.middle(), has_decay });
        let fits = half_cells.is_none_or(|table| self.half_cells.as_ref().is_some_and(|known| known.is(table)));
        if self.layout != layout || self.radius < radius || !fits {
            // Doubling, so that a walk across a large map does not rebuild the lists at every step.
            let doubled = if self.layout == layout { 2 * self.radius } else { 0 };
            let mut listed = radius.max(doubled.min(config.radius).min(window.radius));
            if radius > window.radius {
                listed = listed.max(RadiusShape::Square.outer_radius(window.radius)); // all of the window
            }
            self.layout = layout;
            self.radius = listed;
            self.half_cells = half_cells.cloned();
            self.list(&window.seen, config, has_decay);
        }
    }

    #[cold]
    fn list(&mut self, seen: &AlignedGrid, config: &SightConfig, has_decay: bool) {
        let middle = seen.width() / 2;
        let farthest = middle.min(self.radius as usize);
        let spans: Vec<_> = (0..=farthest).map(|dy| VectorSpan::new(self.radius, dy, middle)).collect();
        let each_vector = |is_needed: bool, value: &dyn Fn(UVec2) -> f32| -> Vec<LaneValues> {
            spans.iter().take_while(|_| is_needed).flat_map(|span| span.vectors(value)).collect()
        };
        let half_cells = self.half_cells.as_ref();
        let has_moments = matches!(half_cells, Some(HalfCellTable::Lines(_)));
        let each_field = |is_needed: bool, field: fn(HalfCells) -> f32| {
            each_vector(is_needed, &|offset| half_cells.map_or(0.0, |table| field(table.at(offset.as_ivec2()))))
        };
        self.terms = Terms {
            extra_exponents: each_vector(has_exponents(config), &|offset| extra_exponent(offset)),
            decay: each_vector(has_decay, &|offset| config.decay.at(offset.as_dvec2().length(), config.radius) as f32),
            base: each_field(half_cells.is_some(), |half_cells| half_cells.base),
            slope: each_field(has_moments, |half_cells| half_cells.slope),
            bend: each_field(has_moments, |half_cells| half_cells.bend),
        };
        self.places.clear();
        let mut terms = 0;
        for (dy, span) in spans.iter().enumerate() {
            // Rows with the same terms are adjacent.
            for &y in &[middle - dy, middle + dy][usize::from(dy == 0)..] {
                let row = (seen.index_of(middle, y) - span.left) as u32;
                let vectors = (terms..).zip(span.starts());
                self.places.extend(vectors.map(|(terms, start)| VectorIndex { value: row + start as u32, terms }));
            }
            terms += span.starts().count() as u32;
        }
        self.lit = self.places.clone();
    }

    #[inline(always)]
    fn apply_to<S: Simd>(&mut self, simd: S, window: &mut Window, has_path: bool, has_half_cells: bool) {
        let middle = window.middle();
        let (seen, log2) = (window.seen.values_mut(), window.end_log2.values());
        let factors = Factors {
            terms: &self.terms,
            has_path: has_path && !self.terms.extra_exponents.is_empty(),
            log2: has_half_cells.then(|| EndLog2 { viewer: log2[middle], cells: log2 }),
        };
        if factors.has_path || has_half_cells {
            let lit = list_lit(simd, seen, &self.places, &mut self.lit);
            factors.apply(seen, lit);
        } else if !self.terms.decay.is_empty() {
            for &place in &self.places {
                let decay = &self.terms.decay[place.terms as usize];
                for (value, factor) in vector_at_mut(seen, place).iter_mut().zip(decay) {
                    *value *= factor;
                }
            }
        }
    }
}

/// Turns the raw value of one cell into its visibility: the bits that [`Attenuation::apply`] gives it. `slants_count` if the path
/// rule raises raw values.
pub(super) fn attenuate_one(raw: f32, offset: IVec2, slants_count: bool, decay: &Decay, radius: u32) -> f32 {
    if !slants_count && *decay == Decay::None {
        return raw;
    }
    let offset = offset.abs().as_uvec2();
    let distance = offset.as_dvec2().length();
    let value = if *decay == Decay::None { raw } else { raw * decay.at(distance, radius) as f32 };
    if !slants_count {
        return value;
    }
    value * exp2_approx(log2_approx(raw) * extra_exponent(offset))
}

/// Returns `true` if the path rule raises raw values.
pub(super) fn has_exponents(config: &SightConfig) -> bool {
    match config.method {
        Method::TwoParent { .. } => config.path == PathRule::PerLength,
        // These methods include the length of their lines in each cell, or have only walls.
        Method::Beam { .. }
        | Method::Exact { .. }
        | Method::SymmetricShadowcast { .. }
        | Method::Shadowcast { .. }
        | Method::RaycastBorder { .. }
        | Method::RaycastCircle { .. } => false,
    }
}

/// Returns `true` if the decay is applied vector by vector. With a scale the decay depends on the sides of cells.
fn applies_decay(config: &SightConfig, plan: &ViewPlan) -> bool {
    config.decay != Decay::None && plan.scale.is_none()
}

/// Returns the exponent e of V = rawᵉ. A line of length r crosses M − 1 cells between its ends, over r/M each: e = 1 +
/// (r/M − 1)(M − 1)/M.
pub(crate) fn length_exponent(distance: f64, longer: f64) -> f64 {
    let steps = longer.max(1.0);
    1.0 + (distance.max(steps) / steps - 1.0) * (steps - 1.0) / steps
}

/// Returns [`length_exponent`] less 1 for a target at an offset.
fn extra_exponent(offset: UVec2) -> f32 {
    (length_exponent(offset.as_dvec2().length(), f64::from(offset.max_element())) - 1.0) as f32
}

/// Lists the vectors that are not dark.
#[inline(always)]
fn list_lit<'a, S: Simd>(
    simd: S,
    seen: &[f32],
    places: &[VectorIndex],
    lit: &'a mut [VectorIndex],
) -> &'a [VectorIndex] {
    let dark = f32x16::splat(simd, 0.0);
    let mut count = 0;
    for &place in places {
        lit[count] = place;
        count += usize::from(f32x16::from_slice(simd, vector_at(seen, place)).simd_gt(dark).any_true());
    }
    &lit[..count]
}

/// The number of vectors that are computed together: two short passes have more independent operations than one long
/// pass.
const BLOCK: usize = 12;

/// The factors of raw values.
#[derive(Clone, Copy)]
struct Factors<'a> {
    terms: &'a Terms,
    /// `true` if the path rule raises raw values.
    has_path: bool,
    /// The transmittances of the cells at the ends of the paths, if half cells count.
    log2: Option<EndLog2<'a>>,
}

/// log₂ of transmittances.
#[derive(Clone, Copy)]
struct EndLog2<'a> {
    viewer: f32,
    /// Those of all cells, in the layout of the window.
    cells: &'a [f32],
}

impl Factors<'_> {
    /// Multiplies vectors by 2 to the power of their exponents, and by the decay.
    #[inline(always)]
    fn apply(&self, seen: &mut [f32], lit: &[VectorIndex]) {
        let mut exponents = [[0.0; LANES]; BLOCK];
        for lit in lit.chunks(BLOCK) {
            for (&place, exponents) in lit.iter().zip(&mut exponents) {
                *exponents = self.exponents(vector_at(seen, place), place);
            }
            for (&place, exponents) in lit.iter().zip(&exponents) {
                let values = vector_at_mut(seen, place);
                let raw = *values;
                *values = match self.terms.decay.get(place.terms as usize) {
                    Some(decay) => each_lane(|i| raw[i] * decay[i] * exp2_approx(exponents[i])),
                    None => each_lane(|i| raw[i] * exp2_approx(exponents[i])),
                };
            }
        }
    }

    /// Returns log₂ of the factors of the path rule and of the half cells.
    #[inline(always)]
    fn exponents(&self, raw: &LaneValues, place: VectorIndex) -> LaneValues {
        let Terms { extra_exponents, base, slope, bend, .. } = self.terms;
        let at = place.terms as usize;
        let exponents = match extra_exponents.get(at).filter(|_| self.has_path) {
            Some(extra) => each_lane(|i| log2_approx(raw[i]) * extra[i]),
            None => [0.0; LANES],
        };
        let Some(EndLog2 { viewer, cells }) = self.log2 else { return exponents };
        let (cells, base) = (vector_at(cells, place), &base[at]);
        let exponents = match (slope.get(at), bend.get(at)) {
            (Some(slope), Some(bend)) => each_lane(|i| {
                let half_cells = HalfCells { base: base[i], slope: slope[i], bend: bend[i] };
                exponents[i] + half_cells.log2_transmittance(viewer + cells[i])
            }),
            // No length is negative, so this is not above 0; the sum is bounded below.
            _ => each_lane(|i| exponents[i] + base[i] * (viewer + cells[i])),
        };
        // `exp2_approx` accepts no less.
        each_lane(|i| if exponents[i] > -126.0 { exponents[i] } else { -126.0 })
    }
}

#[inline(always)]
fn vector_at(values: &[f32], place: VectorIndex) -> &LaneValues {
    values[place.value as usize..].first_chunk().expect("a vector of the window")
}

#[inline(always)]
fn vector_at_mut(values: &mut [f32], place: VectorIndex) -> &mut LaneValues {
    values[place.value as usize..].first_chunk_mut().expect("a vector of the window")
}

/// The columns in sight of a row, as whole vectors.
struct VectorSpan {
    dy: usize,
    /// Cells to the left and to the right of the centre.
    left: usize,
    right: usize,
}

impl VectorSpan {
    fn new(radius: u32, dy: usize, window_radius: usize) -> Self {
        let half = window_radius.min(half_width(radius, dy as u32) as usize);
        // In a small window, whole cache lines would include too many cells out of sight.
        Self { dy, left: if radius < ALIGNED_FROM { half } else { half.next_multiple_of(LANES) }, right: half }
    }

    /// Returns the first column of each vector.
    fn starts(&self) -> impl Iterator<Item = usize> + use<> {
        (0..=self.left + self.right).step_by(LANES)
    }

    /// Returns the values of a function of |dx| and |dy|, vector by vector.
    fn vectors(&self, value: &dyn Fn(UVec2) -> f32) -> Vec<LaneValues> {
        let aside: Vec<f32> = (0..=self.right + LANES).map(|dx| value(uvec2(dx as u32, self.dy as u32))).collect();
        self.starts().map(|start| std::array::from_fn(|i| aside[(start + i).abs_diff(self.left)])).collect()
    }
}

/// The minimum radius at which vectors are aligned to cache lines.
const ALIGNED_FROM: u32 = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::sight::exact;
    use crate::sight_config::MethodKind;
    use crate::simd::levels;

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for (radius, has_path) in [
            (1, true),
            (8, true),
            (31, true),
            (33, false),
            (64, true),
            (64, false),
            (65, true),
            (65, false),
            (300, true),
        ] {
            assert_same_bits(radius, MethodKind::TwoParent, has_path, None);
            let half_cells = HalfCellTable::Steps(PathRule::PerLength);
            assert_same_bits(radius, MethodKind::TwoParent, has_path, Some(half_cells));
        }
        let half_cells = exact::half_cell_table(19, 8, PathRule::PerLength);
        assert_same_bits(19, MethodKind::Exact, true, Some(half_cells));
    }

    /// Attenuates a window with vectors of any width, and compares each cell with the formula.
    fn assert_same_bits(radius: u32, method: MethodKind, has_path: bool, half_cells: Option<HalfCellTable>) {
        let decay = Decay::Smooth { reach: None };
        let config =
            SightConfig { radius, method: method.into(), path: PathRule::PerLength, decay, ..Default::default() };
        let (mut attenuation, mut window, mut plan) = (Attenuation::default(), Window::default(), ViewPlan::default());
        plan.set(&config, None, IVec2::ZERO, None, config.sector).unwrap();
        window.fit(radius, radius);
        attenuation.extend(&config, &plan, &window, half_cells.as_ref());
        let before = fill_seen(&mut window);
        window.end_log2 = window.seen.clone();
        window.end_log2.values_mut().iter_mut().enumerate().for_each(|(i, log2)| *log2 = -0.3 * (i % 400) as f32);
        let attenuated = levels().into_iter().map(|level| {
            let mut window = window.clone();
            dispatch!(level, simd => attenuation.apply_to(simd, &mut window, has_path, has_path && half_cells.is_some()));
            window
        });
        let attenuated: Vec<Window> = attenuated.collect();
        let bits = |window: &Window| window.seen.view().map(|value| value.to_bits());
        assert!(attenuated.iter().all(|window| bits(window) == bits(&attenuated[0])));
        let viewer_log2 = window.end_log2[window.centre()];
        for (cell, &value) in before.iter() {
            let offset = cell - window.centre();
            let (distance, longer) = (offset.as_dvec2().length(), f64::from(offset.abs().max_element()));
            let slants = has_path && method == MethodKind::TwoParent;
            let extra = if slants { (length_exponent(distance, longer) - 1.0) as f32 } else { 0.0 };
            let mut exponent = log2_approx(value) * extra;
            if let (Some(table), true) = (&half_cells, has_path) {
                exponent += table.at(offset).log2_transmittance(viewer_log2 + window.end_log2[cell]);
            }
            let expected = value * config.decay.at(distance, radius) as f32 * exp2_approx(exponent.max(-126.0));
            let found = attenuated[0].seen[cell];
            assert_eq!(found.to_bits(), expected.to_bits(), "{offset} of {radius}, {half_cells:?}");
        }
    }

    /// Fills the disc of a window with visibilities, and some rows with zeros.
    fn fill_seen(window: &mut Window) -> Grid<f32> {
        for (y, columns) in window.rows(window.radius).filter(|(y, _)| y % 32 < 24) {
            for (x, value) in columns.clone().zip(&mut window.seen.row_mut(y)[columns]) {
                *value = ((7 * x + 31 * y) % 101) as f32 / 100.0;
            }
        }
        window.seen.view().to_grid()
    }
}
