//! [`Factors`]: the factors of raw values, for the vectors of a window that are not dark.
//!
//! Values are computed lane by lane: the bits do not depend on the width of vectors.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

use super::end_length::EndLength;
use super::end_lengths::EndLengths;
use crate::math::{exp2_approx, log2_approx};
use crate::simd::{LANES, each_lane};

pub(super) type Vector = [f32; LANES];

/// Where the values of a vector are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The index of the first value in the window.
    pub(super) value: u32,
    /// The index of the terms, which are the same above and below the viewer.
    pub(super) terms: u32,
}

/// The lengths of paths in both cells: the fields of [`EndLength`].
#[derive(Clone, Debug)]
pub(super) struct EndTerms {
    pub(super) lengths: EndLengths,
    pub(super) base: Vec<Vector>,
    /// `slope` and `bend`, if the method has them.
    pub(super) moments: Option<[Vec<Vector>; 2]>,
}

/// The factors of raw values.
#[derive(Clone, Copy)]
pub(super) struct Factors<'a> {
    /// The exponents of the path rule less 1, or nothing.
    pub(super) extra_exponents: &'a [Vector],
    /// The decay, or nothing.
    pub(super) decay: &'a [Vector],
    pub(super) ends: Option<Ends<'a>>,
}

/// The ends of the paths from one viewer.
#[derive(Clone, Copy)]
pub(super) struct Ends<'a> {
    pub(super) terms: &'a EndTerms,
    /// log₂ of the transmittance of the viewer's cell.
    pub(super) own_log2: f32,
    /// Those of all cells, at the places of the window.
    pub(super) log2: &'a [f32],
}

/// Lists the vectors that are not dark.
#[inline(always)]
pub(super) fn list_lit<'a, S: Simd>(simd: S, seen: &[f32], places: &[Place], lit: &'a mut [Place]) -> &'a [Place] {
    let dark = f32x16::splat(simd, 0.0);
    let mut count = 0;
    for &place in places {
        lit[count] = place;
        count += usize::from(f32x16::from_slice(simd, vector_at(seen, place)).simd_gt(dark).any_true());
    }
    &lit[..count]
}

/// Vectors that are computed together: two short passes have more independent operations at a time than a long one.
const BLOCK: usize = 12;

impl Factors<'_> {
    /// Multiplies vectors by 2 to the power of their exponents, and by the decay.
    #[inline(always)]
    pub(super) fn apply(&self, seen: &mut [f32], lit: &[Place]) {
        let mut exponents = [[0.0; LANES]; BLOCK];
        for lit in lit.chunks(BLOCK) {
            for (&place, exponents) in lit.iter().zip(&mut exponents) {
                *exponents = self.exponents(vector_at(seen, place), place);
            }
            for (&place, exponents) in lit.iter().zip(&exponents) {
                let values = vector_at_mut(seen, place);
                let raw = *values;
                *values = match self.decay.get(place.terms as usize) {
                    Some(decay) => each_lane(|i| raw[i] * decay[i] * exp2_approx(exponents[i])),
                    None => each_lane(|i| raw[i] * exp2_approx(exponents[i])),
                };
            }
        }
    }

    /// Returns log₂ of the factors of the path rule and of the ends.
    #[inline(always)]
    fn exponents(&self, raw: &Vector, place: Place) -> Vector {
        let exponents = match self.extra_exponents.get(place.terms as usize) {
            Some(extra) => each_lane(|i| log2_approx(raw[i]) * extra[i]),
            None => [0.0; LANES],
        };
        let Some(Ends { terms, own_log2, log2 }) = self.ends else { return exponents };
        let (cells, base) = (vector_at(log2, place), &terms.base[place.terms as usize]);
        let exponents = match &terms.moments {
            // No length is negative, so this is not above 0; the sum is bounded below.
            None => each_lane(|i| exponents[i] + base[i] * (own_log2 + cells[i])),
            Some(moments) => {
                let [slope, bend] = moments.each_ref().map(|list| &list[place.terms as usize]);
                each_lane(|i| {
                    let length = EndLength { base: base[i], slope: slope[i], bend: bend[i] };
                    exponents[i] + length.log2_transmittance(own_log2 + cells[i])
                })
            }
        };
        // `exp2_approx` accepts no less.
        each_lane(|i| if exponents[i] > -126.0 { exponents[i] } else { -126.0 })
    }

    /// Multiplies vectors by the decay.
    #[inline(always)]
    pub(super) fn apply_decay(&self, seen: &mut [f32], places: &[Place]) {
        for &place in places {
            let decay = &self.decay[place.terms as usize];
            for (value, left) in vector_at_mut(seen, place).iter_mut().zip(decay) {
                *value *= left;
            }
        }
    }
}

#[inline(always)]
fn vector_at(values: &[f32], place: Place) -> &Vector {
    values[place.value as usize..].first_chunk().expect("a vector of the window")
}

#[inline(always)]
fn vector_at_mut(values: &mut [f32], place: Place) -> &mut Vector {
    values[place.value as usize..].first_chunk_mut().expect("a vector of the window")
}
