//! [`multiply_by_ends`]: the transmittance of air and woods in the cells of viewer and target; see [`EndLength`].

use glam::IVec2;

use super::eye_terms::EyeTerms;
use crate::math::log2_approx;
use crate::sight::{EndLength, EndLengths};

/// Cells in a row; all slices have the same length.
pub(super) struct EndRow<'a> {
    pub(super) air: &'a [f32],
    pub(super) ground: &'a [f32],
    pub(super) cover: &'a [f32],
    pub(super) seen: &'a mut [f32],
}

/// The lengths of paths in their first and last cell, by the method.
#[derive(Clone, Copy)]
pub(super) enum PathEnds<'a> {
    /// With the factor of the slant.
    TwoParent(f32),
    Lines(&'a EndLengths),
}

/// Multiplies the visibilities of some rows by the transmittance of the ends of their paths.
///
/// `woods` is `None` where woods are not opacities, `own` is log₂ of the transmittance of the viewer's cell. An item of `rows`
/// is the offset of the first cell from the viewer, and the cells with their visibilities.
#[inline(always)]
pub(super) fn multiply_by_ends<'r>(
    ends: PathEnds<'_>,
    woods: Option<EyeTerms>,
    own: f32,
    rows: impl Iterator<Item = (IVec2, EndRow<'r>)>,
) {
    for (first, row) in rows {
        match ends {
            PathEnds::TwoParent(slant) => {
                let (x, y, cells) = (first.x as f32, first.y as f32, 0..row.seen.len());
                row.multiply(woods.as_ref(), own, cells.map(|i| EndLength::two_parent(slant, x + i as f32, y)));
            }
            PathEnds::Lines(lengths) => {
                let (dy, end) = (first.y.unsigned_abs(), first.x + row.seen.len() as i32);
                let (left, right) = row.split_at((-first.x).clamp(0, end - first.x) as usize);
                let [nearest, farthest] = [end, first.x].map(|x| (1 - x.min(0)) as usize);
                left.multiply(woods.as_ref(), own, lengths.row(dy, nearest..farthest).rev());
                let [nearest, farthest] = [first.x, end].map(|x| x.max(0) as usize);
                right.multiply(woods.as_ref(), own, lengths.row(dy, nearest..farthest));
            }
        }
    }
}

impl<'a> EndRow<'a> {
    fn split_at(self, cell: usize) -> (Self, Self) {
        let [air, ground, cover] = [self.air, self.ground, self.cover].map(|field| field.split_at(cell));
        let seen = self.seen.split_at_mut(cell);
        (
            EndRow { air: air.0, ground: ground.0, cover: cover.0, seen: seen.0 },
            EndRow { air: air.1, ground: ground.1, cover: cover.1, seen: seen.1 },
        )
    }

    #[inline(always)]
    fn multiply(self, woods: Option<&EyeTerms>, own: f32, lengths: impl Iterator<Item = EndLength>) {
        let cells = self.seen.iter_mut().zip(self.air).zip(lengths);
        match woods {
            None => {
                for ((seen, &air), length) in cells {
                    *seen *= length.transmittance(own + log2_approx(air));
                }
            }
            Some(eye) => {
                for (((seen, &air), length), (&ground, &cover)) in cells.zip(self.ground.iter().zip(self.cover)) {
                    *seen *= length.transmittance(own + cell_log2(eye, ground, cover, air));
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
