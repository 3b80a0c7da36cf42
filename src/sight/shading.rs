//! What the path rule and decay make of the raw values, vector by vector.

use glam::dvec2;
use pulp::{Simd, WithSimd};

use super::config::{Method, PathRule, SightConfig};
use super::window::{Window, half_width};
use crate::grid::AlignedGrid;
use crate::math::{exp2_approx, log2_of_split, split};
use crate::simd::{LANES, dispatch};

type Vector = [f32; LANES];

/// The exponents of the path rule and the values of the decay, as far as they were needed: for each vector of a window that
/// has cells in sight. The last is repeated up to the end of a [part](PART).
#[derive(Clone, Debug, Default)]
pub(super) struct Shading {
    reach: u32,
    /// In what windows: from one row to the next, and where the middle is.
    window: [usize; 2],
    /// Where the vectors begin.
    places: Vec<u32>,
    /// How many there are without repetitions.
    count: usize,
    /// What the exponents have over 1, if there is a path rule.
    extra: Vec<Vector>,
    /// If there is a decay.
    decay: Vec<Vector>,
}

impl Shading {
    /// Makes it reach at least `reach` cells of a window.
    #[inline]
    pub(super) fn extend(&mut self, reach: u32, window: &Window, config: &SightConfig) {
        let shape = [window.seen.stride(), window.middle()];
        if (self.reach < reach || self.window != shape) && (raises(config) || fades(config)) {
            // Doubling, so that a walk across a large map does not list all anew at every step.
            let roomy = if self.window == shape { 2 * self.reach } else { 0 };
            self.list(reach.max(roomy.min(config.radius).min(window.radius)), &window.seen, config);
            self.window = shape;
        }
    }

    #[cold]
    fn list(&mut self, reach: u32, seen: &AlignedGrid, config: &SightConfig) {
        self.reach = reach;
        self.places.clear();
        self.extra.clear();
        self.decay.clear();
        let middle = seen.width() / 2;
        let furthest = middle.min(reach as usize);
        let spans: Vec<_> = (0..=furthest).map(|dy| Span::new(reach, dy, middle)).collect();
        let each = |there: bool, value: &dyn Fn(f64, f64) -> f64| -> Vec<Vec<Vector>> {
            spans.iter().take_while(|_| there).map(|span| span.vectors(value)).collect()
        };
        let extra = each(raises(config), &|distance, longer| length_exponent(distance, longer) - 1.0);
        let decay = each(fades(config), &|distance, _| config.decay.at(distance, config.radius));
        for y in middle - furthest..=middle + furthest {
            let dy = y.abs_diff(middle);
            let row = seen.index_of(middle, y) - spans[dy].left;
            self.places.extend(spans[dy].starts().map(|start| (row + start) as u32));
            self.extra.extend(extra.get(dy).into_iter().flatten());
            self.decay.extend(decay.get(dy).into_iter().flatten());
        }
        self.count = self.places.len();
        fill_up(&mut self.places);
        fill_up(&mut self.extra);
        fill_up(&mut self.decay);
    }

    /// Turns the raw values of all cells in sight into visibilities.
    #[inline]
    pub(super) fn apply(&self, window: &mut Window) {
        if !self.extra.is_empty() || !self.decay.is_empty() {
            dispatch(Apply { shading: self, seen: window.seen.values_mut(), raises: true });
        }
    }

    /// Multiplies all cells in sight by the decay, without the path rule.
    pub(super) fn apply_decay(&self, window: &mut Window) {
        dispatch(Apply { shading: self, seen: window.seen.values_mut(), raises: false });
    }
}

fn raises(config: &SightConfig) -> bool {
    config.method == Method::TwoParent && config.path == PathRule::PerLength
}

fn fades(config: &SightConfig) -> bool {
    config.decay.kind != crate::sight::decay::DecayKind::None
}

/// What of a row is in sight, as whole vectors.
struct Span {
    dy: usize,
    /// Cells to the left of the middle, and to the right.
    left: usize,
    right: usize,
}

impl Span {
    fn new(reach: u32, dy: usize, window: usize) -> Self {
        let half = window.min(half_width(reach, dy as u32) as usize);
        // In a small window, whole lines of the cache would be too many cells out of sight.
        Self { dy, left: if reach < ALIGNED { half } else { half.next_multiple_of(LANES) }, right: half }
    }

    /// Where the vectors begin.
    fn starts(&self) -> impl Iterator<Item = usize> + use<> {
        (0..=self.left + self.right).step_by(LANES)
    }

    /// The values of a function of a cell's distance and of its longer side, vector by vector.
    fn vectors(&self, value: &dyn Fn(f64, f64) -> f64) -> Vec<Vector> {
        let value = |dx: usize| value(dvec2(dx as f64, self.dy as f64).length(), dx.max(self.dy) as f64) as f32;
        let aside: Vec<f32> = (0..=self.right + LANES).map(value).collect();
        self.starts().map(|start| std::array::from_fn(|i| aside[(start + i).abs_diff(self.left)])).collect()
    }
}

/// Repeats the last of a list up to the end of a part.
fn fill_up<T: Copy>(list: &mut Vec<T>) {
    if let Some(&last) = list.last() {
        list.resize(list.len().next_multiple_of(PART), last);
    }
}

/// The work of one call.
struct Apply<'a> {
    shading: &'a Shading,
    seen: &'a mut [f32],
    raises: bool,
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { shading: Shading { places, count, extra, decay, .. }, seen, raises } = self;
        match (raises && !extra.is_empty(), !decay.is_empty()) {
            (true, true) => raise::<true>(seen, places, extra, decay),
            (true, false) => raise::<false>(seen, places, extra, extra),
            (false, true) => fade(seen, &places[..*count], decay),
            (false, false) => (),
        }
    }
}

/// From this reach on, vectors begin at cache lines.
const ALIGNED: u32 = 32;

/// Vectors that are worked on at a time: three short passes over some hundred cells keep more of them in flight than a long
/// one over each.
const PART: usize = 12;

/// The cells of a part.
#[repr(align(64))]
struct Part([Vector; PART]);

/// Raises all cells in sight, and multiplies them by the decay if it `FADES`. Parts in which nothing is seen stay as they
/// are.
#[inline(always)]
fn raise<const FADES: bool>(seen: &mut [f32], places: &[u32], extra: &[Vector], decay: &[Vector]) {
    let [mut values, mut logs, mut slants] = std::array::from_fn(|_| Part([[0.0; LANES]; PART]));
    let parts = places.as_chunks::<PART>().0.iter();
    for ((places, extra), decay) in parts.zip(extra.as_chunks::<PART>().0).zip(decay.as_chunks::<PART>().0) {
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
        // Of what was read: so it does no harm that the last vector is repeated.
        for (k, &place) in places.iter().enumerate() {
            let to: &mut Vector = seen[place as usize..].first_chunk_mut().expect("a vector of the window");
            let (values, logs, decay) = (&values.0[k], &logs.0[k], &decay[k]);
            for i in 0..LANES {
                let value = if FADES { values[i] * decay[i] } else { values[i] };
                to[i] = value * exp2_approx(logs[i]);
            }
        }
    }
}

/// Multiplies all cells in sight by the decay.
#[inline(always)]
fn fade(seen: &mut [f32], places: &[u32], decay: &[Vector]) {
    for (&place, decay) in places.iter().zip(decay) {
        for (value, &left) in seen[place as usize..][..LANES].iter_mut().zip(decay) {
            *value *= left;
        }
    }
}

/// e of V = rawᵉ: the M − 1 cells between two cells are crossed on a slant, r/M as long each.
/// e = 1 + (r/M − 1)(M − 1)/M.
pub(super) fn length_exponent(distance: f64, longer: f64) -> f64 {
    let steps = longer.max(1.0);
    1.0 + (distance.max(steps) / steps - 1.0) * (steps - 1.0) / steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::math::log2_approx;
    use crate::sight::decay::Decay;

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for (radius, raises) in [
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
            let decay = Decay::of(crate::sight::decay::DecayKind::Smooth);
            let config = SightConfig { radius, path: PathRule::PerLength, decay, ..Default::default() };
            let mut shading = Shading::default();
            let mut window = Window::default();
            window.make_room(radius, radius);
            shading.extend(radius, &window, &config);
            let before = seen_of_some(&mut window);
            let [mut best, mut wide] = [window.clone(), window.clone()];
            let [narrow, eight, sixteen] = [&mut window, &mut wide, &mut best].map(|window| Apply {
                shading: &shading,
                seen: window.seen.values_mut(),
                raises,
            });
            narrow.with_simd(pulp::Scalar);
            pulp::Arch::new().dispatch(eight);
            dispatch(sixteen);
            let bits = |window: &Window| window.seen.view().map(|value| value.to_bits());
            assert!(bits(&window) == bits(&wide) && bits(&window) == bits(&best));
            for (cell, &value) in before.iter() {
                let offset = cell - window.centre();
                let (distance, longer) = (offset.as_dvec2().length(), f64::from(offset.abs().max_element()));
                let extra = if raises { (length_exponent(distance, longer) - 1.0) as f32 } else { 0.0 };
                let decay = config.decay.at(distance, radius) as f32;
                let expected = value * decay * exp2_approx(log2_approx(value) * extra);
                assert_eq!(window.seen[cell].to_bits(), expected.to_bits(), "{offset} of {radius}");
            }
        }
    }

    /// Fills the disc of a window with some visibilities; in some rows nothing is seen.
    fn seen_of_some(window: &mut Window) -> Grid<f32> {
        for (y, columns) in window.rows(window.radius).filter(|(y, _)| y % 32 < 24) {
            for (x, value) in columns.clone().zip(&mut window.seen.row_mut(y)[columns]) {
                *value = ((7 * x + 31 * y) % 101) as f32 / 100.0;
            }
        }
        window.seen.view().to_grid()
    }
}
