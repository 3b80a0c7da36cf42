//! Transposition of 8 × 8 tiles inside a dispatched sweep.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4};

use crate::simd::{TILE_SIDE, Tile};

/// A way to transpose tiles.
pub(super) trait TransposeTile: Copy {
    /// Returns the columns of a tile as rows.
    fn transpose<S: Simd>(self, simd: S, rows: &Tile) -> Tile;
}

/// Transposes quarters of 4 × 4, in registers of four lanes.
#[derive(Clone, Copy)]
pub(super) struct ByQuarters;

impl TransposeTile for ByQuarters {
    #[inline(always)]
    fn transpose<S: Simd>(self, simd: S, rows: &Tile) -> Tile {
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
}

/// Transposes whole rows in registers of AVX2.
#[cfg(target_arch = "x86_64")]
impl TransposeTile for pulp::x86::V3 {
    #[inline(always)]
    fn transpose<S: Simd>(self, _: S, rows: &Tile) -> Tile {
        crate::simd::transpose_avx2(self, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Transpose;

    #[test]
    fn all_ways_give_the_same_tile() {
        let mut rows = [[0.0; TILE_SIDE]; TILE_SIDE];
        for (i, value) in rows.as_flattened_mut().iter_mut().enumerate() {
            *value = i as f32;
        }
        let plain = Transpose::scalar().transpose(&rows);
        let level = fearless_simd::Level::new();
        assert_eq!(fearless_simd::dispatch!(level, simd => ByQuarters.transpose(simd, &rows)), plain);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = pulp::x86::V3::try_new() {
            assert_eq!(fearless_simd::dispatch!(level, simd => avx2.transpose(simd, &rows)), plain);
        }
    }
}
