//! Transposition of tiles of eight by eight and of 16 by 16 values.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m512;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, f32x16};

/// The number of rows, and of columns, of a [`Tile`].
pub(crate) const TILE_SIDE: usize = 8;

/// Eight rows of eight values.
pub(crate) type Tile = [[f32; TILE_SIDE]; TILE_SIDE];

/// Returns the columns of a tile as rows.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(simd: S, rows: &Tile) -> Tile {
    let mut vectors = [simd.splat_f32x8(0.0); TILE_SIDE];
    for i in 0..TILE_SIDE {
        vectors[i] = f32x8::simd_from(simd, rows[i]);
    }
    let vectors = transpose_8(simd, vectors);
    let mut columns = [[0.0; TILE_SIDE]; TILE_SIDE];
    for i in 0..TILE_SIDE {
        columns[i] = vectors[i].into();
    }
    columns
}

/// Returns the columns of a tile of eight by eight values as rows.
#[inline(always)]
pub(crate) fn transpose_8<S: Simd>(simd: S, [a, b, c, d, e, f, g, h]: [f32x8<S>; 8]) -> [f32x8<S>; 8] {
    const HALF: usize = TILE_SIDE / 2;
    let (above, below) = (transpose_quarters(simd, [a, b, c, d]), transpose_quarters(simd, [e, f, g, h]));
    let mut columns = [a; 8];
    for i in 0..HALF {
        let ((above, above_right), (below, below_right)) = (above[i].split(), below[i].split());
        columns[i] = above.combine(below);
        columns[HALF + i] = above_right.combine(below_right);
    }
    columns
}

/// Returns the columns of a tile of 16 by 16 values as rows.
#[inline(always)]
pub(crate) fn transpose_16<S: Simd>(simd: S, rows: [f32x16<S>; 16]) -> [f32x16<S>; 16] {
    transpose_16_or_octants::<S, false>(simd, rows)
}

/// Returns the columns of a tile of 16 by 16 values as rows, if only two of its octants have values above 0: those that
/// start at value 7 of row 7 and widen towards the first and the last row. Values on their diagonals may be lost.
#[inline(always)]
pub(crate) fn transpose_octants<S: Simd>(simd: S, rows: [f32x16<S>; 16]) -> [f32x16<S>; 16] {
    transpose_16_or_octants::<S, true>(simd, rows)
}

/// Calls [`transpose_octants`] if only two `OCTANTS` have values, otherwise [`transpose_16`].
#[inline(always)]
fn transpose_16_or_octants<S: Simd, const OCTANTS: bool>(simd: S, rows: [f32x16<S>; 16]) -> [f32x16<S>; 16] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = simd.level().as_avx512() {
        let mut values = [[0.0; 16]; 16];
        for i in 0..16 {
            values[i] = rows[i].into();
        }
        let values =
            if OCTANTS { transpose_octants_avx512(avx512, values) } else { transpose_16_avx512(avx512, values) };
        let mut columns = rows;
        for i in 0..16 {
            columns[i] = values[i].simd_into(simd);
        }
        return columns;
    }
    let mut quarters = [[[simd.splat_f32x8(0.0); 8]; 2]; 2];
    for i in 0..8 {
        ((quarters[0][0][i], quarters[0][1][i]), (quarters[1][0][i], quarters[1][1][i])) =
            (rows[i].split(), rows[8 + i].split());
    }
    let [[a, b], [c, d]] = quarters;
    let (a, b, c, d) = (transpose_8(simd, a), transpose_8(simd, b), transpose_8(simd, c), transpose_8(simd, d));
    let mut columns = rows;
    for i in 0..8 {
        columns[i] = a[i].combine(c[i]);
        columns[8 + i] = b[i].combine(d[i]);
    }
    columns
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel! {
    /// Transposes each 128 bits, then exchanges quarters and halves.
    #[inline(always)]
    fn transpose_16_avx512(simd: Avx512, rows: [[f32; 16]; 16]) -> [[f32; 16]; 16] {
        use std::arch::x86_64::{_mm512_setzero_ps, _mm512_shuffle_f32x4};
        let vector = |i: usize| f32x16::simd_from(simd, rows[i]).into();
        let mut fours = [_mm512_setzero_ps(); 16];
        for i in [0, 4, 8, 12] {
            [fours[i], fours[i + 1], fours[i + 2], fours[i + 3]] =
                transpose_quarters_avx512(simd, [vector(i), vector(i + 1), vector(i + 2), vector(i + 3)]);
        }
        let mut eights = fours;
        for i in [0, 1, 2, 3, 8, 9, 10, 11] {
            eights[i] = _mm512_shuffle_f32x4::<0x88>(fours[i], fours[i + 4]);
            eights[i + 4] = _mm512_shuffle_f32x4::<0xdd>(fours[i], fours[i + 4]);
        }
        let mut columns = rows;
        for i in 0..8 {
            let upper: f32x16<_> = _mm512_shuffle_f32x4::<0x88>(eights[i], eights[i + 8]).simd_into(simd);
            let lower: f32x16<_> = _mm512_shuffle_f32x4::<0xdd>(eights[i], eights[i + 8]).simd_into(simd);
            columns[i] = upper.into();
            columns[i + 8] = lower.into();
        }
        columns
    }
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel! {
    /// Takes 48 instead of 64 instructions: rows 4 to 11 have values only in their middle halves, so that two of them
    /// fit into a vector.
    #[inline(always)]
    fn transpose_octants_avx512(simd: Avx512, rows: [[f32; 16]; 16]) -> [[f32; 16]; 16] {
        use std::arch::x86_64::{
            _mm512_maskz_shuffle_f32x4, _mm512_permutex2var_ps, _mm512_setr_epi32, _mm512_shuffle_f32x4,
        };
        const MIDDLE: i32 = 0b10_01_10_01;
        let vector = |i: usize| f32x16::simd_from(simd, rows[i]).into();
        let middle = |i: usize| _mm512_shuffle_f32x4::<MIDDLE>(vector(4 + i), vector(8 + i));
        let left = transpose_quarters_avx512(simd, [vector(0), vector(1), vector(2), vector(3)]);
        let middle = transpose_quarters_avx512(simd, [middle(0), middle(1), middle(2), middle(3)]);
        let right = transpose_quarters_avx512(simd, [vector(12), vector(13), vector(14), vector(15)]);
        let second = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 24, 25, 26, 27, 8, 9, 10, 11);
        let third = _mm512_setr_epi32(4, 5, 6, 7, 20, 21, 22, 23, 28, 29, 30, 31, 12, 13, 14, 15);
        let mut columns = rows;
        for i in 0..4 {
            let sides = _mm512_shuffle_f32x4::<MIDDLE>(left[i], right[i]);
            let quarters: [f32x16<_>; 4] = [
                _mm512_maskz_shuffle_f32x4::<0b00_00_00_00>(0xf00f, left[i], right[i]).simd_into(simd),
                _mm512_permutex2var_ps(sides, second, middle[i]).simd_into(simd),
                _mm512_permutex2var_ps(sides, third, middle[i]).simd_into(simd),
                _mm512_maskz_shuffle_f32x4::<0b11_11_11_11>(0xf00f, left[i], right[i]).simd_into(simd),
            ];
            for (q, column) in quarters.into_iter().enumerate() {
                columns[4 * q + i] = column.into();
            }
        }
        columns
    }
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel! {
    /// Transposes four by four values in each quarter of the vectors: interleaves pairs of rows, and pairs of pairs.
    #[inline(always)]
    fn transpose_quarters_avx512(_simd: Avx512, rows: [__m512; 4]) -> [__m512; 4] {
        use std::arch::x86_64::{_mm512_shuffle_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps};
        let [a, b, c, d] = rows;
        let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
        [
            _mm512_shuffle_ps::<0b01_00_01_00>(ab, cd),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab, cd),
            _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

/// Transposes the left and the right quarter of half a tile, in the halves of the vectors.
#[inline(always)]
fn transpose_quarters<S: Simd>(simd: S, [a, b, c, d]: [f32x8<S>; 4]) -> [f32x8<S>; 4] {
    let ([ac, ac_high], [bd, bd_high]) = (zip(simd, a, c), zip(simd, b, d));
    let ([i, j], [k, l]) = (zip(simd, ac, bd), zip(simd, ac_high, bd_high));
    [i, j, k, l]
}

/// Interleaves the lower and the upper lanes of two vectors, in each half of the vectors.
#[inline(always)]
fn zip<S: Simd>(simd: S, a: f32x8<S>, b: f32x8<S>) -> [f32x8<S>; 2] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let [low, high] = zip_avx2(avx2, a.into(), b.into());
        return [low.simd_into(simd), high.simd_into(simd)];
    }
    let _ = simd; // only AVX2 needs the token
    let ((a, a_below), (b, b_below)) = (a.split(), b.split());
    [a.zip_low(b).combine(a_below.zip_low(b_below)), a.zip_high(b).combine(a_below.zip_high(b_below))]
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel! {
    /// Interleaves in two instructions, which the compiler does not find.
    #[inline(always)]
    fn zip_avx2(simd: Avx2, a: [f32; TILE_SIDE], b: [f32; TILE_SIDE]) -> [[f32; TILE_SIDE]; 2] {
        use std::arch::x86_64::{_mm256_unpackhi_ps, _mm256_unpacklo_ps};
        let (a, b) = (f32x8::simd_from(simd, a).into(), f32x8::simd_from(simd, b).into());
        let low: f32x8<_> = _mm256_unpacklo_ps(a, b).simd_into(simd);
        let high: f32x8<_> = _mm256_unpackhi_ps(a, b).simd_into(simd);
        [low.into(), high.into()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{dispatch, levels};

    #[test]
    fn rows_become_columns() {
        let rows: Tile = std::array::from_fn(|i| std::array::from_fn(|j| (TILE_SIDE * i + j) as f32));
        let columns: Tile = std::array::from_fn(|j| std::array::from_fn(|i| rows[i][j]));
        for level in levels() {
            assert_eq!(dispatch!(level, simd => transpose(simd, &rows)), columns);
        }
    }

    #[test]
    fn rows_of_16_become_columns() {
        let value = |i: usize, j: usize| (16 * i + j) as f32;
        for level in levels() {
            let columns = dispatch!(level, simd => {
                let mut rows = [f32x16::splat(simd, 0.0); 16];
                for (i, row) in rows.iter_mut().enumerate() {
                    *row = f32x16::simd_from(simd, std::array::from_fn::<f32, 16, _>(|j| value(i, j)));
                }
                let columns = transpose_16(simd, rows);
                std::array::from_fn::<[f32; 16], 16, _>(|i| columns[i].into())
            });
            for (j, column) in columns.into_iter().enumerate() {
                assert_eq!(column, std::array::from_fn::<f32, 16, _>(|i| value(i, j)));
            }
        }
    }

    #[test]
    fn rows_of_two_octants_become_columns() {
        let value = |i: usize, j: usize| if j.abs_diff(7) <= i.abs_diff(7) { (1 + 16 * i + j) as f32 } else { 0.0 };
        for level in levels() {
            let columns = dispatch!(level, simd => {
                let mut rows = [f32x16::splat(simd, 0.0); 16];
                for (i, row) in rows.iter_mut().enumerate() {
                    *row = f32x16::simd_from(simd, std::array::from_fn::<f32, 16, _>(|j| value(i, j)));
                }
                let columns = transpose_octants(simd, rows);
                std::array::from_fn::<[f32; 16], 16, _>(|i| columns[i].into())
            });
            for (j, column) in columns.into_iter().enumerate() {
                for (i, found) in column.into_iter().enumerate() {
                    let may_be_lost = j.abs_diff(7) == i.abs_diff(7);
                    assert!(
                        found == value(i, j) || may_be_lost && found == 0.0,
                        "{level:?}, row {i}, column {j}: {found}"
                    );
                }
            }
        }
    }
}
