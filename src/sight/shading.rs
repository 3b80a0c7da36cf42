//! [`Shading`]: turns raw values into visibilities by the path rule and the decay, vector by vector.

use fearless_simd::Level;
use glam::{IVec2, dvec2};

use super::config::{Method, PathRule, SightConfig};
use super::decay::{Decay, DecayKind};
use super::radius_shape::RadiusShape;
use super::window::{Window, half_width};
use crate::grid::AlignedGrid;
use crate::math::{exp2_approx, log2_approx, log2_of_split, split};
use crate::simd::{LANES, dispatch};

type Vector = [f32; LANES];

/// The exponents of the path rule and the factors of the decay for each vector of a window that has cells in sight, as far as
/// they were needed. The last vector is repeated to fill a [block](BLOCK).
#[derive(Clone, Debug, Default)]
pub(super) struct Shading {
    /// The radius of the lists.
    radius: u32,
    /// The layout of the window.
    layout: Option<Layout>,
    /// The index of the first value of each vector.
    places: Vec<u32>,
    /// The number of vectors without repetitions.
    count: usize,
    /// The exponents less 1, if the path rule needs them.
    extra_exponents: Vec<Vector>,
    /// The factors, if there is a decay.
    decay: Vec<Vector>,
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

    /// Extends the lists to at least a radius of a window.
    #[inline]
    pub(super) fn extend(&mut self, radius: u32, window: &Window, config: &SightConfig) {
        let layout = Some(Layout { stride: window.seen.stride(), middle: window.middle() });
        if (self.radius < radius || self.layout != layout) && (has_exponents(config) || self.has_decay(config)) {
            // Doubling, so that a walk across a large map does not list all again at every step.
            let doubled = if self.layout == layout { 2 * self.radius } else { 0 };
            let mut listed = radius.max(doubled.min(config.radius).min(window.radius));
            if radius > window.radius {
                listed = listed.max(RadiusShape::Square.outer_radius(window.radius)); // all of the window
            }
            self.list(listed, &window.seen, config);
            self.layout = layout;
        }
    }

    #[cold]
    fn list(&mut self, radius: u32, seen: &AlignedGrid, config: &SightConfig) {
        self.radius = radius;
        self.places.clear();
        self.extra_exponents.clear();
        self.decay.clear();
        let middle = seen.width() / 2;
        let farthest = middle.min(radius as usize);
        let spans: Vec<_> = (0..=farthest).map(|dy| VectorSpan::new(radius, dy, middle)).collect();
        let each_row = |needed: bool, value: &dyn Fn(f64, f64) -> f64| -> Vec<Vec<Vector>> {
            spans.iter().take_while(|_| needed).map(|span| span.vectors(value)).collect()
        };
        let extra = each_row(has_exponents(config), &|distance, longer| length_exponent(distance, longer) - 1.0);
        let decay = each_row(self.has_decay(config), &|distance, _| config.decay.at(distance, config.radius));
        for y in middle - farthest..=middle + farthest {
            let dy = y.abs_diff(middle);
            let row = seen.index_of(middle, y) - spans[dy].left;
            self.places.extend(spans[dy].starts().map(|start| (row + start) as u32));
            self.extra_exponents.extend(extra.get(dy).into_iter().flatten());
            self.decay.extend(decay.get(dy).into_iter().flatten());
        }
        self.count = self.places.len();
        fill_block(&mut self.places);
        fill_block(&mut self.extra_exponents);
        fill_block(&mut self.decay);
    }

    /// Turns the raw values of all cells in sight into visibilities.
    #[inline]
    pub(super) fn apply(&self, window: &mut Window) {
        if !self.extra_exponents.is_empty() || !self.decay.is_empty() {
            dispatch!(Level::new(), _ => self.apply_to(window.seen.values_mut(), true));
        }
    }

    /// Multiplies all cells in sight by the decay, without the path rule.
    pub(super) fn apply_decay(&self, window: &mut Window) {
        dispatch!(Level::new(), _ => self.apply_to(window.seen.values_mut(), false));
    }

    #[inline(always)]
    fn apply_to(&self, seen: &mut [f32], applies_path: bool) {
        let Self { places, count, extra_exponents: extra, decay, .. } = self;
        match (applies_path && !extra.is_empty(), !decay.is_empty()) {
            (true, true) => apply_exponents::<true>(seen, places, extra, decay),
            (true, false) => apply_exponents::<false>(seen, places, extra, extra),
            (false, true) => apply_decay(seen, &places[..*count], decay),
            (false, false) => (),
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

    /// Returns the values of a function of a cell's distance and of max(|dx|, |dy|), vector by vector.
    fn vectors(&self, value: &dyn Fn(f64, f64) -> f64) -> Vec<Vector> {
        let value = |dx: usize| value(dvec2(dx as f64, self.dy as f64).length(), dx.max(self.dy) as f64) as f32;
        let aside: Vec<f32> = (0..=self.right + LANES).map(value).collect();
        self.starts().map(|start| std::array::from_fn(|i| aside[(start + i).abs_diff(self.left)])).collect()
    }
}

/// Repeats the last element of a list to fill a block.
fn fill_block<T: Copy>(list: &mut Vec<T>) {
    if let Some(&last) = list.last() {
        list.resize(list.len().next_multiple_of(BLOCK), last);
    }
}

/// From this radius on, vectors begin at cache lines.
const ALIGNED_FROM: u32 = 32;

/// Vectors that are computed together: three short passes over some hundred cells have more independent operations than one
/// long pass.
const BLOCK: usize = 12;

/// The values of some vectors.
#[repr(align(64))]
struct Block([Vector; BLOCK]);

/// Raises all cells in sight to their exponents, and multiplies them by the decay if there is one. Skips blocks of zeros.
#[inline(always)]
fn apply_exponents<const DECAYS: bool>(seen: &mut [f32], places: &[u32], extra: &[Vector], decay: &[Vector]) {
    let [mut values, mut logs, mut slants] = std::array::from_fn(|_| Block([[0.0; LANES]; BLOCK]));
    let blocks = places.as_chunks::<BLOCK>().0.iter();
    for ((places, extra), decay) in blocks.zip(extra.as_chunks::<BLOCK>().0).zip(decay.as_chunks::<BLOCK>().0) {
        let mut bits = [0; LANES];
        for (k, &place) in places.iter().enumerate() {
            let from: &Vector = seen[place as usize..].first_chunk().expect("a vector of the window");
            let (values, logs, slants) = (&mut values.0[k], &mut logs.0[k], &mut slants.0[k]);
            for i in 0..LANES {
                values[i] = from[i];
                bits[i] |= from[i].to_bits();
                (logs[i], slants[i]) = split(from[i]);
            }
        }
        if bits == [0; LANES] {
            continue;
        }
        let slants = slants.0.as_flattened().iter().zip(extra.as_flattened());
        for (log, (&slant, &extra)) in logs.0.as_flattened_mut().iter_mut().zip(slants) {
            *log = log2_of_split(*log, slant) * extra;
        }
        // The results use the values that were read, so that a repeated last vector is harmless.
        for (k, &place) in places.iter().enumerate() {
            let to: &mut Vector = seen[place as usize..].first_chunk_mut().expect("a vector of the window");
            let (values, logs, decay) = (&values.0[k], &logs.0[k], &decay[k]);
            for i in 0..LANES {
                let value = if DECAYS { values[i] * decay[i] } else { values[i] };
                to[i] = value * exp2_approx(logs[i]);
            }
        }
    }
}

/// Multiplies all cells in sight by the decay.
#[inline(always)]
fn apply_decay(seen: &mut [f32], places: &[u32], decay: &[Vector]) {
    for (&place, decay) in places.iter().zip(decay) {
        for (value, &left) in seen[place as usize..][..LANES].iter_mut().zip(decay) {
            *value *= left;
        }
    }
}

/// Returns the exponent e of V = rawᵉ. A line of length r crosses M − 1 cells between its ends, over r/M each: e = 1 +
/// (r/M − 1)(M − 1)/M.
pub(super) fn length_exponent(distance: f64, longer: f64) -> f64 {
    let steps = longer.max(1.0);
    1.0 + (distance.max(steps) / steps - 1.0) * (steps - 1.0) / steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
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
            let decay = Decay::of(DecayKind::Smooth);
            let config = SightConfig { radius, path: PathRule::PerLength, decay, ..Default::default() };
            let mut shading = Shading::default();
            let mut window = Window::default();
            window.make_room(radius, radius);
            shading.extend(radius, &window, &config);
            let before = fill_seen(&mut window);
            let shaded = levels().into_iter().map(|level| {
                let mut window = window.clone();
                dispatch!(level, _ => shading.apply_to(window.seen.values_mut(), applies_path));
                window
            });
            let shaded: Vec<Window> = shaded.collect();
            let bits = |window: &Window| window.seen.view().map(|value| value.to_bits());
            assert!(shaded.iter().all(|window| bits(window) == bits(&shaded[0])));
            for (cell, &value) in before.iter() {
                let offset = cell - window.centre();
                let (distance, longer) = (offset.as_dvec2().length(), f64::from(offset.abs().max_element()));
                let extra = if applies_path { (length_exponent(distance, longer) - 1.0) as f32 } else { 0.0 };
                let decay = config.decay.at(distance, radius) as f32;
                let expected = value * decay * exp2_approx(log2_approx(value) * extra);
                assert_eq!(shaded[0].seen[cell].to_bits(), expected.to_bits(), "{offset} of {radius}");
            }
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
