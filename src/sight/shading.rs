//! [`Shading`]: turns raw values into visibilities by the path rule, the ends of paths and the decay, vector by vector.

use fearless_simd::{Level, Simd};
use glam::{IVec2, UVec2, uvec2};

use super::end_length::EndLength;
use super::end_lengths::EndLengths;
use super::shading_kernel::{EndTerms, Ends, Factors, Place, Vector, list_lit};
use super::window::{Window, half_width};
use crate::grid::AlignedGrid;
use crate::math::{exp2_approx, log2_approx};
use crate::sight_config::{Decay, DecayKind, Method, PathRule, RadiusShape, SightConfig};
use crate::simd::{LANES, dispatch};

/// The terms of each vector of a window that has cells in sight, as far as they were needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Shading {
    /// The radius of the lists.
    radius: u32,
    /// The layout of the window.
    layout: Option<Layout>,
    /// The vectors, and space for those that are not dark.
    places: Vec<Place>,
    lit: Vec<Place>,
    /// The exponents less 1, if the path rule needs them.
    extra_exponents: Vec<Vector>,
    /// The factors, if there is a decay.
    decay: Vec<Vector>,
    ends: Option<EndTerms>,
    /// The decay is applied elsewhere.
    skips_decay: bool,
}

/// The layout of a window's values: from one row to the next, and the viewer's place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    stride: usize,
    middle: usize,
}

impl Shading {
    /// Creates lists that are made when they are needed.
    pub(super) fn new(skips_decay: bool) -> Self {
        Self { skips_decay, ..Self::default() }
    }

    /// Returns `true` if the decay is applied elsewhere.
    pub(super) fn skips_decay(&self) -> bool {
        self.skips_decay
    }

    fn has_decay(&self, config: &SightConfig) -> bool {
        !self.skips_decay && has_decay(config)
    }

    /// Extends the lists to at least a radius of a window. With `ends`, they include the ends of paths.
    #[inline]
    pub(super) fn extend(&mut self, radius: u32, window: &Window, config: &SightConfig, ends: Option<&EndLengths>) {
        let layout = Some(Layout { stride: window.seen.stride(), middle: window.middle() });
        let ends_fit = ends.is_none_or(|ends| self.ends.as_ref().is_some_and(|terms| terms.lengths.are(ends)));
        if (self.radius < radius || self.layout != layout || !ends_fit)
            && (has_exponents(config) || self.has_decay(config) || ends.is_some())
        {
            // Doubling, so that a walk across a large map does not list all again at every step.
            let doubled = if self.layout == layout { 2 * self.radius } else { 0 };
            let mut listed = radius.max(doubled.min(config.radius).min(window.radius));
            if radius > window.radius {
                listed = listed.max(RadiusShape::Square.outer_radius(window.radius)); // all of the window
            }
            self.list(listed, &window.seen, config, ends);
            self.layout = layout;
        }
    }

    #[cold]
    fn list(&mut self, radius: u32, seen: &AlignedGrid, config: &SightConfig, ends: Option<&EndLengths>) {
        self.radius = radius;
        let middle = seen.width() / 2;
        let farthest = middle.min(radius as usize);
        let spans: Vec<_> = (0..=farthest).map(|dy| VectorSpan::new(radius, dy, middle)).collect();
        let each_vector = |needed: bool, value: &dyn Fn(UVec2) -> f32| -> Vec<Vector> {
            spans.iter().take_while(|_| needed).flat_map(|span| span.vectors(value)).collect()
        };
        self.extra_exponents = each_vector(has_exponents(config), &|offset| {
            (length_exponent(offset.as_dvec2().length(), f64::from(offset.max_element())) - 1.0) as f32
        });
        self.decay = each_vector(self.has_decay(config), &|offset| {
            config.decay.at(offset.as_dvec2().length(), config.radius) as f32
        });
        self.ends = ends.map(|lengths| {
            let field = |field: fn(EndLength) -> f32| each_vector(true, &|offset| field(lengths.at(offset.as_ivec2())));
            let has_moments = matches!(lengths, EndLengths::OfLines(_));
            EndTerms {
                lengths: lengths.clone(),
                base: field(|length| length.base),
                moments: has_moments.then(|| [field(|length| length.slope), field(|length| length.bend)]),
            }
        });
        self.places.clear();
        let mut terms = 0;
        for (dy, span) in spans.iter().enumerate() {
            // Rows with the same terms follow each other.
            for &y in &[middle - dy, middle + dy][usize::from(dy == 0)..] {
                let row = (seen.index_of(middle, y) - span.left) as u32;
                let vectors = (terms..).zip(span.starts());
                self.places.extend(vectors.map(|(terms, start)| Place { value: row + start as u32, terms }));
            }
            terms += span.starts().count() as u32;
        }
        self.lit = self.places.clone();
    }

    /// Turns the raw values of all cells in sight into visibilities.
    #[inline]
    pub(super) fn apply(&mut self, window: &mut Window) {
        if !self.extra_exponents.is_empty() || !self.decay.is_empty() || window.has_ends {
            dispatch!(Level::new(), simd => self.apply_to(simd, window, true));
        }
    }

    /// Multiplies all cells in sight by the decay, without the path rule and the ends of paths.
    pub(super) fn apply_decay(&mut self, window: &mut Window) {
        dispatch!(Level::new(), simd => self.apply_to(simd, window, false));
    }

    #[inline(always)]
    fn apply_to<S: Simd>(&mut self, simd: S, window: &mut Window, applies_path: bool) {
        let middle = window.middle();
        let Window { seen, end_log2, has_ends, .. } = window;
        let ends = self.ends.as_ref().filter(|_| applies_path && *has_ends);
        let ends = ends.map(|terms| Ends { terms, own_log2: end_log2.values()[middle], log2: end_log2.values() });
        let extra_exponents = if applies_path { &*self.extra_exponents } else { &[] };
        let factors = Factors { extra_exponents, decay: &self.decay, ends };
        if !extra_exponents.is_empty() || ends.is_some() {
            let lit = list_lit(simd, seen.values(), &self.places, &mut self.lit);
            factors.apply(seen.values_mut(), lit);
        } else if !self.decay.is_empty() {
            factors.apply_decay(seen.values_mut(), &self.places);
        }
    }
}

/// Turns the raw value of one cell into its visibility: the bits that [`Shading::apply`] gives it. `slants_count` if the path
/// rule raises raw values.
pub(super) fn shade_one(raw: f32, offset: IVec2, slants_count: bool, decay: &Decay, radius: u32) -> f32 {
    if !slants_count && decay.kind == DecayKind::None {
        return raw;
    }
    let offset = offset.abs();
    let distance = offset.as_dvec2().length();
    let value = if decay.kind == DecayKind::None { raw } else { raw * decay.at(distance, radius) as f32 };
    if !slants_count {
        return value;
    }
    let extra = (length_exponent(distance, f64::from(offset.max_element())) - 1.0) as f32;
    value * exp2_approx(log2_approx(raw) * extra)
}

/// Returns `true` if the path rule raises raw values.
pub(super) fn has_exponents(config: &SightConfig) -> bool {
    config.method == Method::TwoParent && config.path == PathRule::PerLength
}

pub(super) fn has_decay(config: &SightConfig) -> bool {
    config.decay.kind != DecayKind::None
}

/// The columns in sight of a row, as whole vectors.
struct VectorSpan {
    dy: usize,
    /// Cells to the left and to the right of the middle.
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
    fn vectors(&self, value: &dyn Fn(UVec2) -> f32) -> Vec<Vector> {
        let aside: Vec<f32> = (0..=self.right + LANES).map(|dx| value(uvec2(dx as u32, self.dy as u32))).collect();
        self.starts().map(|start| std::array::from_fn(|i| aside[(start + i).abs_diff(self.left)])).collect()
    }
}

/// From this radius on, vectors begin at cache lines.
const ALIGNED_FROM: u32 = 32;

/// Returns the exponent e of V = rawᵉ. A line of length r crosses M − 1 cells between its ends, over r/M each: e = 1 +
/// (r/M − 1)(M − 1)/M.
pub(crate) fn length_exponent(distance: f64, longer: f64) -> f64 {
    let steps = longer.max(1.0);
    1.0 + (distance.max(steps) / steps - 1.0) * (steps - 1.0) / steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::sight::end_lengths::LineLengths;
    use crate::simd::levels;

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for (radius, applies_path) in [
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
            assert_same_bits(radius, Method::TwoParent, applies_path, None);
            assert_same_bits(radius, Method::TwoParent, applies_path, Some(EndLengths::TwoParent(PathRule::PerLength)));
        }
        let samples = LineLengths::of_samples(19, 8, PathRule::PerLength);
        assert_same_bits(19, Method::Exact, true, Some(EndLengths::OfLines(samples.into())));
    }

    /// Shades a window with vectors of any width, and compares each cell with the formula.
    fn assert_same_bits(radius: u32, method: Method, applies_path: bool, ends: Option<EndLengths>) {
        let decay = Decay::of(DecayKind::Smooth);
        let config = SightConfig { radius, method, path: PathRule::PerLength, decay, ..Default::default() };
        let mut shading = Shading::default();
        let mut window = Window::default();
        window.make_room(radius, radius);
        shading.extend(radius, &window, &config, ends.as_ref());
        let before = fill_seen(&mut window);
        window.has_ends = ends.is_some();
        window.end_log2 = window.seen.clone();
        window.end_log2.values_mut().iter_mut().enumerate().for_each(|(i, log2)| *log2 = -0.3 * (i % 400) as f32);
        let shaded = levels().into_iter().map(|level| {
            let mut window = window.clone();
            dispatch!(level, simd => shading.apply_to(simd, &mut window, applies_path));
            window
        });
        let shaded: Vec<Window> = shaded.collect();
        let bits = |window: &Window| window.seen.view().map(|value| value.to_bits());
        assert!(shaded.iter().all(|window| bits(window) == bits(&shaded[0])));
        let own_log2 = window.end_log2[window.centre()];
        for (cell, &value) in before.iter() {
            let offset = cell - window.centre();
            let (distance, longer) = (offset.as_dvec2().length(), f64::from(offset.abs().max_element()));
            let slants = applies_path && method == Method::TwoParent;
            let extra = if slants { (length_exponent(distance, longer) - 1.0) as f32 } else { 0.0 };
            let mut exponent = log2_approx(value) * extra;
            if let (Some(ends), true) = (&ends, applies_path) {
                exponent += ends.at(offset).log2_transmittance(own_log2 + window.end_log2[cell]);
            }
            let expected = value * config.decay.at(distance, radius) as f32 * exp2_approx(exponent.max(-126.0));
            assert_eq!(shaded[0].seen[cell].to_bits(), expected.to_bits(), "{offset} of {radius}, {ends:?}");
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
