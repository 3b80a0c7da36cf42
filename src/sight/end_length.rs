//! [`EndLength`]: how far a path runs in the viewer's cell and in the target's.
//!
//! A field of view counts the cells between viewer and target, which is right for walls: a wall is visible itself. Air and
//! woods have no surface. A path of M steps from centre to centre leaves half of its first cell and enters half of its last,
//! so that it is as long as M cells, not M − 1.
//!
//! The lines of the methods `beam` and `exact` end all over the target's cell, and some cross more cells than others: on a
//! diagonal, those beside it cross a corner of the next cell. In even air of the optical depth β a cell their mean is
//! g(β) = Σ w exp(−β L), with L the length of a line between the two cells. The two cells have what g lacks of the law
//! exp(−β r). With the mean k₁, the variance k₂ and the third central moment k₃ of L, −ln g = β (k₁ − β k₂/2 + β² k₃/6).

use std::f64::consts::LN_2;

use glam::IVec2;

use super::exact::line_lengths;
use crate::math::exp2_approx;
use crate::sight_config::{Method, PathRule, SightConfig};

/// The length of a path in each of its two cells, in cell widths: `base` + `slope` q + `bend` q², where −q is the sum of log₂
/// of the transmittances of both cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EndLength {
    pub(crate) base: f32,
    pub(crate) slope: f32,
    pub(crate) bend: f32,
}

/// The greatest q for which the moments hold: an optical depth of 4 a cell.
const MAX_DEPTH: f32 = 11.5;

impl EndLength {
    /// Returns the length for two parents and a target at an offset: 0 on the viewer's own cell, ½ along an axis. `slant` is 1
    /// if a slanted path is longer, else 0.
    ///
    /// With s = r/M for the slant, the path in each cell is s/2. Two parents raise the cells in between to the exponent
    /// 1 + (s − 1)(M − 1)/M instead of s; the ends have the difference, so that the whole path in even air is r.
    #[inline(always)]
    pub(crate) fn two_parent(slant: f32, dx: f32, dy: f32) -> Self {
        let (dx, dy) = (dx.abs(), dy.abs());
        let steps = if dx > dy { dx } else { dy };
        let is_other = if steps < 1.0 { 0.0 } else { 1.0 };
        let divisor = if steps > 1.0 { steps } else { 1.0 };
        let extra = ((dx * dx + dy * dy).sqrt() / divisor - 1.0) * slant;
        Self { base: 0.5 * is_other * (1.0 + extra + extra * ((divisor - 1.0) / divisor)), slope: 0.0, bend: 0.0 }
    }

    /// Returns the length for the method of a configuration; for beams, that of the lines of the exact method.
    pub(crate) fn of(config: &SightConfig, offset: IVec2) -> Self {
        match config.method {
            Method::TwoParent => Self::two_parent(slant(config.path), offset.x as f32, offset.y as f32),
            Method::Beam | Method::Exact => {
                let lengths = line_lengths(offset, config.samples, config.path);
                Self::of_lines(offset, config.path, lengths.into_iter().map(|length| (1.0, length)))
            }
        }
    }

    /// Returns the length for lines with these weights and lengths between the two cells.
    pub(super) fn of_lines(offset: IVec2, path: PathRule, lines: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        if offset == IVec2::ZERO {
            return Self::default();
        }
        let whole = match path {
            PathRule::PerCell => f64::from(offset.abs().max_element()),
            PathRule::PerLength => offset.as_dvec2().length(),
        };
        let weight: f64 = lines.clone().map(|(weight, _)| weight).sum();
        let mean = lines.clone().map(|(weight, length)| weight * length).sum::<f64>() / weight;
        let (mut second, mut third) = (0.0, 0.0);
        for (weight, length) in lines {
            let deviation = length - mean;
            second += weight * deviation * deviation;
            third += weight * deviation * deviation * deviation;
        }
        Self {
            base: (0.5 * (whole - mean)) as f32,
            slope: (second / weight * LN_2 / 8.0) as f32,
            bend: (-third / weight * LN_2 * LN_2 / 48.0) as f32,
        }
    }

    /// Returns the transmittance of both ends, from the sum of log₂ of the transmittances of the two cells.
    pub(crate) fn transmittance(self, log2: f32) -> f32 {
        exp2_approx(self.log2_transmittance(log2))
    }

    /// Returns log₂ of [`transmittance`](Self::transmittance), from −126 to 0.
    #[inline(always)]
    pub(super) fn log2_transmittance(self, log2: f32) -> f32 {
        let depth = if -log2 < MAX_DEPTH { -log2 } else { MAX_DEPTH };
        let exponent = log2 * (self.base + depth * (self.slope + depth * self.bend));
        let exponent = if exponent > -126.0 { exponent } else { -126.0 };
        if exponent < 0.0 { exponent } else { 0.0 }
    }
}

/// Returns 1 if a slanted path is longer, else 0.
pub(super) fn slant(path: PathRule) -> f32 {
    f32::from(u8::from(path == PathRule::PerLength))
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn path_in_even_air_is_as_long_as_the_line() {
        for (dx, dy) in [(1, 0), (1, 1), (0, -7), (5, 5), (-9, 4), (30, 29), (0, 0)] {
            let (steps, r) = (f64::from(i32::max(i32::abs(dx), i32::abs(dy))), f64::hypot(dx.into(), dy.into()));
            let extra = if steps > 0.0 { r / steps - 1.0 } else { 0.0 };
            let between = (steps - 1.0).max(0.0);
            let raised = between * (1.0 + extra * between / steps.max(1.0));
            for (path, between, whole) in [(PathRule::PerLength, raised, r), (PathRule::PerCell, between, steps)] {
                let length = EndLength::two_parent(slant(path), dx as f32, dy as f32).base;
                assert!((between + 2.0 * f64::from(length) - whole).abs() < 1e-4 * whole.max(1.0), "{dx},{dy}");
            }
            let config = SightConfig::default().with_method(Method::Exact).with_path(PathRule::PerLength);
            let lines = line_lengths(ivec2(dx, dy), config.samples, config.path);
            for depth in [0.05, 0.5, 2.0] {
                let mean = lines.iter().map(|length| (-depth * length).exp()).sum::<f64>() / lines.len() as f64;
                let log2 = (-2.0 * depth / LN_2) as f32;
                let seen = mean * f64::from(EndLength::of(&config, ivec2(dx, dy)).transmittance(log2));
                let law = (-depth * r).exp();
                assert!((seen - law).abs() < 0.01 * law, "{dx},{dy}, {depth}: {seen}, not {law}");
            }
        }
    }
}
