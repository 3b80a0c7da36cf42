//! Transposition of tiles of eight by eight values.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4};

/// The number of rows, and of columns, of a [`Tile`].
pub(crate) const TILE_SIDE: usize = 8;

/// Eight rows of eight values.
pub(crate) type Tile = [[f32; TILE_SIDE]; TILE_SIDE];

/// Returns the columns of a tile as rows.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(simd: S, rows: &Tile) -> Tile {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = simd.level().as_avx2() {
        return with_avx2(simd, *rows);
    }
    by_quarters(simd, rows)
}

/// Transposes quarters of 4 × 4, in registers of four lanes.
#[inline(always)]
fn by_quarters<S: Simd>(simd: S, rows: &Tile) -> Tile {
    const HALF: usize = TILE_SIDE / 2;
    let mut columns = [[0.0; TILE_SIDE]; TILE_SIDE];
    for top in [0, HALF] {
        for left in [0, HALF] {
            let mut quarter = [simd.splat_f32x4(0.0); HALF];
            for i in 0..HALF {
                let row: &[f32; HALF] = rows[top + i][left..].first_chunk().expect("half a row");
                quarter[i] = f32x4::simd_from(simd, *row);
            }
            let [a, b, c, d] = quarter;
            let [ac, ac_high] = [a.zip_low(c), a.zip_high(c)];
            let [bd, bd_high] = [b.zip_low(d), b.zip_high(d)];
            let quarter = [ac.zip_low(bd), ac.zip_high(bd), ac_high.zip_low(bd_high), ac_high.zip_high(bd_high)];
            for i in 0..HALF {
                *columns[left + i][top..].first_chunk_mut().expect("half a row") = quarter[i].into();
            }
        }
    }
    columns
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel! {
    /// Transposes a tile in registers: interleaves pairs of rows, then pairs of pairs, then swaps halves.
    #[inline(always)]
    fn with_avx2(simd: Avx2, rows: Tile) -> Tile {
        use fearless_simd::f32x8;
        use std::arch::x86_64::{_mm256_permute2f128_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps};

        const LOW: i32 = 0b01_00_01_00;
        const HIGH: i32 = 0b11_10_11_10;
        let [a, b, c, d, e, f, g, h] = rows.map(|row| f32x8::simd_from(simd, row).into());
        let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        let (ef, ef_high) = (_mm256_unpacklo_ps(e, f), _mm256_unpackhi_ps(e, f));
        let (gh, gh_high) = (_mm256_unpacklo_ps(g, h), _mm256_unpackhi_ps(g, h));
        let four = [
            [_mm256_shuffle_ps::<LOW>(ab, cd), _mm256_shuffle_ps::<LOW>(ef, gh)],
            [_mm256_shuffle_ps::<HIGH>(ab, cd), _mm256_shuffle_ps::<HIGH>(ef, gh)],
            [_mm256_shuffle_ps::<LOW>(ab_high, cd_high), _mm256_shuffle_ps::<LOW>(ef_high, gh_high)],
            [_mm256_shuffle_ps::<HIGH>(ab_high, cd_high), _mm256_shuffle_ps::<HIGH>(ef_high, gh_high)],
        ];
        let mut columns = [[0.0; TILE_SIDE]; TILE_SIDE];
        for i in 0..TILE_SIDE / 2 {
            let [left, right] = four[i];
            columns[i] = f32x8::simd_from(simd, _mm256_permute2f128_ps::<0x20>(left, right)).into();
            columns[TILE_SIDE / 2 + i] = f32x8::simd_from(simd, _mm256_permute2f128_ps::<0x31>(left, right)).into();
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{dispatch, levels};

    #[test]
    fn all_ways_give_the_same_tile() {
        let rows: Tile = std::array::from_fn(|i| std::array::from_fn(|j| (TILE_SIDE * i + j) as f32));
        let columns: Tile = std::array::from_fn(|j| std::array::from_fn(|i| rows[i][j]));
        for level in levels() {
            assert_eq!(dispatch!(level, simd => transpose(simd, &rows)), columns);
            assert_eq!(dispatch!(level, simd => by_quarters(simd, &rows)), columns);
        }
    }
}
