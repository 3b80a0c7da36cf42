//! [`Vector`]: operations on vectors of W lanes that depend on W, and a shift from the middle outwards.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, f32x16};

use super::transpose::{transpose_8, transpose_16};

/// The values of W neighbouring cells. A vector consists of narrower ones if the processor has none of W lanes.
pub(crate) trait Vector<S: Simd, const W: usize>: SimdFloat<S, Element = f32, Array = [f32; W]> {
    /// Moves each lane to the next higher. The first lane is set to the last lane of the previous vector.
    fn shift_up(self, before: Self) -> Self;

    /// Moves each lane to the next lower. The last lane is set to the first lane of the next vector.
    #[inline(always)]
    fn shift_down(self, after: Self) -> Self {
        self.slide::<1>(after)
    }

    /// Returns the columns of a tile as rows.
    fn transpose(simd: S, rows: [Self; W]) -> [Self; W];
}

impl<S: Simd> Vector<S, 8> for f32x8<S> {
    #[inline(always)]
    fn shift_up(self, before: Self) -> Self {
        before.slide::<7>(self)
    }

    #[inline(always)]
    fn transpose(simd: S, rows: [Self; 8]) -> [Self; 8] {
        transpose_8(simd, rows)
    }
}

impl<S: Simd> Vector<S, 16> for f32x16<S> {
    #[inline(always)]
    fn shift_up(self, before: Self) -> Self {
        before.slide::<15>(self)
    }

    #[inline(always)]
    fn transpose(simd: S, rows: [Self; 16]) -> [Self; 16] {
        transpose_16(simd, rows)
    }
}

/// Moves each lane one step away from lane 7, which is then undefined.
#[inline(always)]
pub(crate) fn shift_outwards<S: Simd>(simd: S, vector: f32x16<S>) -> f32x16<S> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = simd.level().as_avx512() {
        return shift_outwards_avx512(avx512, vector.into()).simd_into(simd);
    }
    let _ = simd; // only AVX-512 needs the token
    let (before, after): (f32x8<S>, f32x8<S>) = vector.split();
    before.shift_down(before).combine(after.shift_up(before))
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel! {
    #[inline(always)]
    fn shift_outwards_avx512(simd: Avx512, vector: [f32; 16]) -> [f32; 16] {
        use std::arch::x86_64::{_mm512_permutexvar_ps, _mm512_setr_epi32};
        let inwards = _mm512_setr_epi32(1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 10, 11, 12, 13, 14);
        let moved: f32x16<_> =
            _mm512_permutexvar_ps(inwards, f32x16::simd_from(simd, vector).into()).simd_into(simd);
        moved.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{dispatch, levels};

    #[test]
    fn lanes_move_by_one() {
        let ramp: [f32; 16] = std::array::from_fn(|i| i as f32);
        for level in levels() {
            let [up, down, outwards] = dispatch!(level, simd => {
                let (vector, other) = (f32x16::simd_from(simd, ramp), f32x16::splat(simd, -1.0));
                [vector.shift_up(other), vector.shift_down(other), shift_outwards(simd, vector)].map(|v| v.to_array())
            });
            assert_eq!(up, std::array::from_fn(|i| i as f32 - 1.0));
            assert_eq!(down, std::array::from_fn(|i| if i < 15 { i as f32 + 1.0 } else { -1.0 }));
            assert_eq!(outwards[..7], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
            assert_eq!(outwards[8..], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0]);
        }
    }
}
