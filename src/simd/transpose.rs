//! Transposition of tiles of eight by eight and of 16 by 16 values.

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
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = simd.level().as_avx512() {
        let mut values = [[0.0; 16]; 16];
        for i in 0..16 {
            values[i] = rows[i].into();
        }
        let values = transpose_16_avx512(avx512, values);
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
    /// Interleaves pairs of rows and pairs of pairs, then exchanges quarters and halves.
    #[inline(always)]
    fn transpose_16_avx512(simd: Avx512, rows: [[f32; 16]; 16]) -> [[f32; 16]; 16] {
        use std::arch::x86_64::{
            _mm512_setzero_ps, _mm512_shuffle_f32x4, _mm512_shuffle_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps,
        };
        let mut vectors = [_mm512_setzero_ps(); 16];
        for i in 0..16 {
            vectors[i] = f32x16::simd_from(simd, rows[i]).into();
        }
        let mut pairs = vectors;
        for i in 0..8 {
            pairs[2 * i] = _mm512_unpacklo_ps(vectors[2 * i], vectors[2 * i + 1]);
            pairs[2 * i + 1] = _mm512_unpackhi_ps(vectors[2 * i], vectors[2 * i + 1]);
        }
        let mut fours = pairs;
        for i in [0, 4, 8, 12] {
            fours[i] = _mm512_shuffle_ps::<0b01_00_01_00>(pairs[i], pairs[i + 2]);
            fours[i + 1] = _mm512_shuffle_ps::<0b11_10_11_10>(pairs[i], pairs[i + 2]);
            fours[i + 2] = _mm512_shuffle_ps::<0b01_00_01_00>(pairs[i + 1], pairs[i + 3]);
            fours[i + 3] = _mm512_shuffle_ps::<0b11_10_11_10>(pairs[i + 1], pairs[i + 3]);
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
    /// Interleaves in two instructions; the compiler does not find them by itself.
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
}
