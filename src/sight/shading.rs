//! What the path rule and decay make of the raw values, row by row.

use pulp::{Simd, WithSimd};

use super::power::{exp2, log2};
#[cfg(target_arch = "x86_64")]
use super::sixteen::{Sixteen, widely};
use super::window::Window;
use super::{Method, PathRule, SightConfig};
use crate::Grid;

/// The exponents of the path rule and the values of the decay for every offset, as far as they were needed.
///
/// Rows of the tables are |dy| = 0, 1, …, columns dx = −reach … reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Shading {
    reach: u32,
    exponent: Option<Grid<f32>>,
    decay: Option<Grid<f32>>,
}

impl Shading {
    /// Makes the tables reach at least `reach` cells.
    pub(super) fn extend(&mut self, reach: u32, config: &SightConfig) {
        let wants_exponent = config.method == Method::TwoParent && config.path == PathRule::PerLength;
        let wants_decay = config.decay.kind != super::DecayKind::None;
        let ready = self.exponent.is_some() == wants_exponent && self.decay.is_some() == wants_decay;
        if ready && self.reach >= reach {
            return;
        }
        // Doubling, so that a walk across a large map does not rebuild them at every step.
        self.reach = reach.max((2 * self.reach).min(config.radius));
        let side = self.reach as usize + 1;
        let table = |value: &dyn Fn(f64, f64) -> f64| {
            let quadrant = Grid::from_fn(side, side, |cell| {
                let longer = f64::from(cell.max_element());
                value(cell.as_dvec2().length(), longer) as f32
            });
            Grid::from_fn(2 * side - 1, side, |cell| {
                let dx = (cell.x - self.reach as i32).abs();
                quadrant[super::ivec2(dx, cell.y)]
            })
        };
        self.exponent = wants_exponent.then(|| table(&length_exponent));
        self.decay = wants_decay.then(|| table(&|distance, _| config.decay.at(distance, config.radius)));
    }

    /// Turns the raw values of all cells within `in_sight` into visibilities.
    pub(super) fn apply(&self, window: &mut Window, in_sight: u32) {
        if self.exponent.is_some() || self.decay.is_some() {
            Apply { shading: self, window, in_sight, raises: true }.run();
        }
    }

    /// Multiplies all cells within `in_sight` by the decay, and leaves the path rule out.
    pub(super) fn fade(&self, window: &mut Window, in_sight: u32) {
        Apply { shading: self, window, in_sight, raises: false }.run();
    }
}

/// The work of one call, compiled for the vectors of the processor at hand.
struct Apply<'a> {
    shading: &'a Shading,
    window: &'a mut Window,
    in_sight: u32,
    raises: bool,
}

impl Apply<'_> {
    fn run(self) {
        #[cfg(target_arch = "x86_64")]
        if Sixteen::is_supported() {
            return widely(self);
        }
        pulp::Arch::new().dispatch(self);
    }
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { shading, window, in_sight, raises } = self;
        let middle = window.radius as usize;
        let reach = middle.min(in_sight as usize);
        let table = shading.reach as usize;
        for (y, columns) in window.rows(in_sight) {
            // In whole vectors, as far as there is room: out of sight, 0 stays 0.
            let missing = columns.len().next_multiple_of(16) - columns.len();
            let end = (columns.end + missing).min(middle + reach + 1);
            let start = end.saturating_sub(columns.len() + missing).max(middle - reach);
            let (row, part) = (y.abs_diff(middle), start + table - middle..end + table - middle);
            let seen = &mut window.seen.row_mut(y)[start..end];
            if let (Some(exponent), true) = (&shading.exponent, raises) {
                raise(seen, &exponent.row(row)[part.clone()]);
            }
            if let Some(decay) = &shading.decay {
                fade(seen, &decay.row(row)[part]);
            }
        }
    }
}

#[inline(always)]
fn raise(seen: &mut [f32], exponents: &[f32]) {
    // Two short passes keep more of a row in flight than a long one.
    for (value, &exponent) in seen.iter_mut().zip(exponents) {
        *value = log2(*value) * exponent;
    }
    for value in seen {
        *value = exp2(*value);
    }
}

#[inline(always)]
fn fade(seen: &mut [f32], decay: &[f32]) {
    for (value, &left) in seen.iter_mut().zip(decay) {
        *value *= left;
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
    use crate::sight::Decay;

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        let decay = Decay::of(super::super::DecayKind::Smooth);
        let config = SightConfig { radius: 37, path: PathRule::PerLength, decay, ..Default::default() };
        let mut shading = Shading::default();
        shading.extend(37, &config);
        let mut window = Window::default();
        window.make_room(37, 37);
        for (i, value) in window.seen.as_mut_slice().iter_mut().enumerate() {
            *value = (i % 101) as f32 / 100.0;
        }
        let [mut best, mut wide] = [window.clone(), window.clone()];
        let apply = |window| Apply { shading: &shading, window, in_sight: 37, raises: true };
        apply(&mut window).with_simd(pulp::Scalar);
        pulp::Arch::new().dispatch(apply(&mut wide));
        apply(&mut best).run();
        let bits = |window: &Window| window.seen.map(|value| value.to_bits());
        assert!(bits(&window) == bits(&wide) && bits(&window) == bits(&best));
    }
}
