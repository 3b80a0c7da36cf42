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

    /// Moves each lane to the next higher. The first becomes the last lane of the vector before.
    fn shift_up(self, before: Self) -> Self;

    /// Moves each lane to the next lower. The last becomes the first lane of the vector after.
    #[inline(always)]
    fn shift_down(self, after: Self) -> Self {
        self.slide::<1>(after)
    }

    /// Returns the columns of a tile as rows.
    fn transpose(simd: S, rows: [Self; W]) -> [Self; W];
}

impl<S: Simd> Vector<S, 8> for f32x8<S> {
    const BAND: usize = 2;

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
    // Without vectors of 16 lanes, only a caller who asks for this width gets it: short code, except in tests.
    const BAND: usize = if size_of::<S::f32s>() == size_of::<[f32; 16]>() || cfg!(test) { 3 } else { 1 };

    #[inline(always)]
    fn shift_up(self, before: Self) -> Self {
        before.slide::<15>(self)
    }

    #[inline(always)]
    fn transpose(simd: S, rows: [Self; 16]) -> [Self; 16] {
        transpose_16(simd, rows)
    }
}
