//! What the path rule and decay make of the raw values, row by row.

use std::ops::Range;

use super::power::pow;
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

    /// Turns the raw values of the offsets (dx, dy), dx in `columns`, into visibilities.
    pub(super) fn apply(&self, dy: i32, columns: Range<i32>, row: &mut [f32]) {
        let reach = self.reach as i32;
        let part = (columns.start + reach) as usize..(columns.end + reach) as usize;
        if let Some(exponent) = &self.exponent {
            for (value, &e) in row.iter_mut().zip(&exponent.row(dy.unsigned_abs() as usize)[part.clone()]) {
                *value = pow(*value, e);
            }
        }
        if let Some(decay) = &self.decay {
            for (value, &left) in row.iter_mut().zip(&decay.row(dy.unsigned_abs() as usize)[part]) {
                *value *= left;
            }
        }
    }
}

/// e of V = rawᵉ: the M − 1 cells between two cells are crossed on a slant, r/M as long each.
/// e = 1 + (r/M − 1)(M − 1)/M.
fn length_exponent(distance: f64, longer: f64) -> f64 {
    let steps = longer.max(1.0);
    1.0 + (distance.max(steps) / steps - 1.0) * (steps - 1.0) / steps
}
