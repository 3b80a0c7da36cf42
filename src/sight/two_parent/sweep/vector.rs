//! [`Vector`]: the operations of the sweep that depend on the number of lanes.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, f32x16};

use crate::simd::{transpose_8, transpose_16};

/// The values of W neighbouring cells. A vector is made of narrower ones if the processor has none of W lanes.
pub(in crate::sight::two_parent) trait Vector<S: Simd, const W: usize>:
    SimdFloat<S, Element = f32, Array = [f32; W]>
{
    /// The largest number of blocks that are swept together: as many as there are registers for.
    const BAND: usize;

    /// `true` if bands may have two blocks. Code for wider bands is not compiled.
    const HAS_TWO: bool = Self::BAND >= 2;

    /// `true` if bands may have three blocks.
    const HAS_THREE: bool = Self::BAND >= 3;

    /// Prepares a vector for [`shift_up`](Self::shift_up) into it and into the next: one instruction serves both.
    fn carry_up(self) -> Self;

    /// Prepares a vector for [`shift_down`](Self::shift_down).
    fn carry_down(self) -> Self;

    /// Moves each lane to the next higher. The first becomes the last lane of the vector before. `carry` and `before` are
    /// [`carry_up`](Self::carry_up) of this vector and of the one before.
    fn shift_up(self, carry: Self, before: Self) -> Self;

    /// Moves each lane to the next lower. The last becomes the first lane of the vector after. `carry` and `after` are
    /// [`carry_down`](Self::carry_down) of this vector and of the one after.
    fn shift_down(self, carry: Self, after: Self) -> Self;

    /// Returns the lanes in reverse order.
    fn mirror(self) -> Self;

    /// Returns the columns of a tile as rows.
    fn transpose(simd: S, rows: [Self; W]) -> [Self; W];
}

impl<S: Simd> Vector<S, 8> for f32x8<S> {
    const BAND: usize = 2;

    #[inline(always)]
    fn carry_up(self) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.simd.level().as_avx2() {
            return avx2::rotate_up(avx2, self.into()).simd_into(self.simd);
        }
        self
    }

    #[inline(always)]
    fn carry_down(self) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.simd.level().as_avx2() {
            return avx2::rotate_down(avx2, self.into()).simd_into(self.simd);
        }
        self
    }

    #[inline(always)]
    fn shift_up(self, carry: Self, before: Self) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.simd.level().as_avx2() {
            return avx2::replace_first(avx2, carry.into(), before.into()).simd_into(self.simd);
        }
        let _ = carry;
        before.slide::<7>(self)
    }

    #[inline(always)]
    fn shift_down(self, carry: Self, after: Self) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.simd.level().as_avx2() {
            return avx2::replace_last(avx2, carry.into(), after.into()).simd_into(self.simd);
        }
        let _ = carry;
        self.slide::<1>(after)
    }

    #[inline(always)]
    fn mirror(self) -> Self {
        self.reverse()
    }

    #[inline(always)]
    fn transpose(simd: S, rows: [Self; 8]) -> [Self; 8] {
        transpose_8(simd, rows)
    }
}

impl<S: Simd> Vector<S, 16> for f32x16<S> {
    // Without vectors of 16 lanes, only a caller who asks for this width gets it: short code, except in tests.
    const BAND: usize = if size_of::<S::f32s>() == size_of::<[f32; 16]>() || cfg!(test) { 3 } else { 1 };

    #[inline(always)]
    fn carry_up(self) -> Self {
        self
    }

    #[inline(always)]
    fn carry_down(self) -> Self {
        self
    }

    #[inline(always)]
    fn shift_up(self, _: Self, before: Self) -> Self {
        before.slide::<15>(self)
    }

    #[inline(always)]
    fn shift_down(self, _: Self, after: Self) -> Self {
        self.slide::<1>(after)
    }

    #[inline(always)]
    fn mirror(self) -> Self {
        self.reverse()
    }

    #[inline(always)]
    fn transpose(simd: S, rows: [Self; 16]) -> [Self; 16] {
        transpose_16(simd, rows)
    }
}

/// Rotations and blends of AVX2. The compiler makes slower code of a `slide` over two vectors.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use fearless_simd::f32x8;
    use fearless_simd::prelude::*;

    fearless_simd::kernel! {
        #[inline(always)]
        pub(super) fn rotate_up(simd: Avx2, a: [f32; 8]) -> [f32; 8] {
            use std::arch::x86_64::{_mm256_permutevar8x32_ps, _mm256_setr_epi32};
            let a = f32x8::simd_from(simd, a).into();
            let rotated: f32x8<_> =
                _mm256_permutevar8x32_ps(a, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6)).simd_into(simd);
            rotated.into()
        }
    }

    fearless_simd::kernel! {
        #[inline(always)]
        pub(super) fn rotate_down(simd: Avx2, a: [f32; 8]) -> [f32; 8] {
            use std::arch::x86_64::{_mm256_permutevar8x32_ps, _mm256_setr_epi32};
            let a = f32x8::simd_from(simd, a).into();
            let rotated: f32x8<_> =
                _mm256_permutevar8x32_ps(a, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0)).simd_into(simd);
            rotated.into()
        }
    }

    fearless_simd::kernel! {
        #[inline(always)]
        pub(super) fn replace_first(simd: Avx2, a: [f32; 8], first: [f32; 8]) -> [f32; 8] {
            use std::arch::x86_64::_mm256_blend_ps;
            let (a, first) = (f32x8::simd_from(simd, a).into(), f32x8::simd_from(simd, first).into());
            let blended: f32x8<_> = _mm256_blend_ps::<0b0000_0001>(a, first).simd_into(simd);
            blended.into()
        }
    }

    fearless_simd::kernel! {
        #[inline(always)]
        pub(super) fn replace_last(simd: Avx2, a: [f32; 8], last: [f32; 8]) -> [f32; 8] {
            use std::arch::x86_64::_mm256_blend_ps;
            let (a, last) = (f32x8::simd_from(simd, a).into(), f32x8::simd_from(simd, last).into());
            let blended: f32x8<_> = _mm256_blend_ps::<0b1000_0000>(a, last).simd_into(simd);
            blended.into()
        }
    }
}
