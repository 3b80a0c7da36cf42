//! Transposition of tiles of eight by eight values.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

/// The number of rows, and of columns, of a [`Tile`].
pub(crate) const TILE_SIDE: usize = 8;

/// Eight rows of eight values.
pub(crate) type Tile = [[f32; TILE_SIDE]; TILE_SIDE];

/// Returns the columns of a tile as rows.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(simd: S, rows: &Tile) -> Tile {
    const HALF: usize = TILE_SIDE / 2;
    let (above, below) = (transpose_quarters(simd, &rows[..HALF]), transpose_quarters(simd, &rows[HALF..]));
    let mut columns = [[0.0; TILE_SIDE]; TILE_SIDE];
    for i in 0..HALF {
        let ((above, above_right), (below, below_right)) = (above[i].split(), below[i].split());
        columns[i] = above.combine(below).into();
        columns[HALF + i] = above_right.combine(below_right).into();
    }
    columns
}

/// Transposes the left and the right quarter of half a tile, in the halves of the vectors.
#[inline(always)]
fn transpose_quarters<S: Simd>(simd: S, rows: &[[f32; TILE_SIDE]]) -> [f32x8<S>; TILE_SIDE / 2] {
    let mut vectors = [simd.splat_f32x8(0.0); TILE_SIDE / 2];
    for (vector, row) in vectors.iter_mut().zip(rows) {
        *vector = f32x8::simd_from(simd, *row);
    }
    let [a, b, c, d] = vectors;
    let ([ac, ac_high], [bd, bd_high]) = (zip(simd, a, c), zip(simd, b, d));
    let ([i, j], [k, l]) = (zip(simd, ac, bd), zip(simd, ac_high, bd_high));
    [i, j, k, l]
}

/// Interleaves the lower and the upper lanes of two vectors, in each half of the vectors.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "only x86-64 has instructions of its own"))]
fn zip<S: Simd>(simd: S, a: f32x8<S>, b: f32x8<S>) -> [f32x8<S>; 2] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let [low, high] = zip_avx2(avx2, a.into(), b.into());
        return [low.simd_into(simd), high.simd_into(simd)];
    }
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
}
