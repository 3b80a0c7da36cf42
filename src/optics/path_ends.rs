//! [`PathEnds`]: the half of the viewer's cell and the half of the target's that belong to the path.
//!
//! A field of view counts the cells between viewer and target, which is right for walls: a wall is visible itself. Air and
//! woods have no surface. A path of M steps from centre to centre leaves half of its first cell and enters half of its last,
//! so that it is as long as M cells, not M − 1.

use glam::IVec2;

use super::eye_terms::EyeTerms;
use crate::math::{exp2_approx, log2_approx};
use crate::sight::{Method, PathRule, SightConfig};

/// The rule for the length of the path in its first and its last cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathEnds {
    /// 1 if a slanted path is longer, else 0.
    slant: f32,
    /// 1 if the cells in between count by the exponent of two parents, else 0.
    two_parent: f32,
}

impl PathEnds {
    pub(crate) fn new(method: Method, path: PathRule) -> Self {
        let is_true = |value: bool| f32::from(u8::from(value));
        Self { slant: is_true(path == PathRule::PerLength), two_parent: is_true(method == Method::TwoParent) }
    }

    pub(super) fn of(config: &SightConfig) -> Self {
        Self::new(config.method, config.path)
    }

    /// Returns the length of the path in each of the two cells, in cell widths: 0 on the viewer's own cell, ½ along an axis.
    ///
    /// With s = r/M for the slant, it is s/2. Two parents raise the cells in between to the exponent 1 + (s − 1)(M − 1)/M
    /// instead of s; the ends have the difference, so that the whole path in even air is r.
    #[inline(always)]
    pub(crate) fn length(self, dx: f32, dy: f32) -> f32 {
        let (dx, dy) = (dx.abs(), dy.abs());
        let steps = if dx > dy { dx } else { dy };
        let is_other = if steps < 1.0 { 0.0 } else { 1.0 };
        let divisor = if steps > 1.0 { steps } else { 1.0 };
        let extra = ((dx * dx + dy * dy).sqrt() / divisor - 1.0) * self.slant;
        0.5 * is_other * (1.0 + extra + extra * self.two_parent * ((divisor - 1.0) / divisor))
    }
}

/// Cells in a row; all slices have the same length.
pub(super) struct EndRow<'a> {
    pub(super) air: &'a [f32],
    pub(super) ground: &'a [f32],
    pub(super) cover: &'a [f32],
    pub(super) seen: &'a mut [f32],
}

/// Multiplies the visibilities of some rows by the transmittance of the ends of their paths.
///
/// `woods` is `None` where woods are not opacities, `own` is log₂ of the transmittance of the viewer's cell. An item of `rows`
/// is the offset of the first cell from the viewer, and the cells with their visibilities.
#[inline(always)]
pub(super) fn multiply_by_ends<'r>(
    ends: PathEnds,
    woods: Option<EyeTerms>,
    own: f32,
    rows: impl Iterator<Item = (IVec2, EndRow<'r>)>,
) {
    for (first, EndRow { air, ground, cover, seen }) in rows {
        let (x, y) = (first.x as f32, first.y as f32);
        match &woods {
            None => {
                for (i, (seen, &air)) in seen.iter_mut().zip(air).enumerate() {
                    *seen *= end_factor(ends, own + log2_approx(air), x + i as f32, y);
                }
            }
            Some(eye) => {
                let fields = air.iter().zip(ground).zip(cover);
                for (i, (seen, ((&air, &ground), &cover))) in seen.iter_mut().zip(fields).enumerate() {
                    let log2 = cell_log2(eye, ground, cover, air);
                    *seen *= end_factor(ends, own + log2, x + i as f32, y);
                }
            }
        }
    }
}

/// Returns log₂ of the transmittance of air and woods of a cell.
#[inline(always)]
pub(super) fn cell_log2(eye: &EyeTerms, ground_m: f32, cover: f32, air: f32) -> f32 {
    log2_approx(air) + eye.vegetation_log2(ground_m, cover)
}

/// Returns the transmittance of both ends, from the sum of log₂ of the transmittances of the two cells.
#[inline(always)]
pub(super) fn end_factor(ends: PathEnds, log2: f32, dx: f32, dy: f32) -> f32 {
    let exponent = log2 * ends.length(dx, dy);
    let exponent = if exponent > -126.0 { exponent } else { -126.0 };
    exp2_approx(if exponent < 0.0 { exponent } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_in_even_air_is_as_long_as_the_line() {
        for (dx, dy) in [(1, 0), (1, 1), (0, -7), (5, 5), (-9, 4), (300, 299), (0, 0)] {
            let (steps, r) = (f64::from(i32::max(i32::abs(dx), i32::abs(dy))), f64::hypot(dx.into(), dy.into()));
            let slant = if steps > 0.0 { r / steps } else { 1.0 };
            let between = (steps - 1.0).max(0.0);
            let raised = between * (1.0 + (slant - 1.0) * between / steps.max(1.0));
            for (method, path, between, whole) in [
                (Method::TwoParent, PathRule::PerLength, raised, r),
                (Method::Exact, PathRule::PerLength, between * slant, r),
                (Method::TwoParent, PathRule::PerCell, between, steps),
            ] {
                let length = PathEnds::new(method, path).length(dx as f32, dy as f32);
                assert!(
                    (between + 2.0 * f64::from(length) - whole).abs() < 1e-4 * whole.max(1.0),
                    "{dx},{dy} {method:?}"
                );
            }
        }
    }
}
