//! Tiles of eight by eight values turned: columns become rows.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4};

use crate::simd::{TILE_SIDE, Tile};

/// A way to turn tiles.
pub(crate) trait Turn: Copy {
    /// Rows and columns swapped.
    fn turn<S: Simd>(self, simd: S, rows: &Tile) -> Tile;
}

/// In quarters, which every processor with vectors of four can do in its registers.
#[derive(Clone, Copy)]
pub(crate) struct InQuarters;

impl Turn for InQuarters {
    #[inline(always)]
    fn turn<S: Simd>(self, simd: S, rows: &Tile) -> Tile {
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
                let turned = [ac.zip_low(bd), ac.zip_high(bd), ac_high.zip_low(bd_high), ac_high.zip_high(bd_high)];
                for i in 0..HALF {
                    *columns[left + i][top..].first_chunk_mut().expect("half a row") = turned[i].into();
                }
            }
        }
        columns
    }
}

/// In the registers of a processor with AVX2, whole rows at once.
#[cfg(target_arch = "x86_64")]
impl Turn for pulp::x86::V3 {
    #[inline(always)]
    fn turn<S: Simd>(self, _: S, rows: &Tile) -> Tile {
        crate::simd::transpose_avx2(self, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Transpose;

    #[test]
    fn every_way_gives_the_same_tile() {
        let mut rows = [[0.0; TILE_SIDE]; TILE_SIDE];
        for (i, value) in rows.as_flattened_mut().iter_mut().enumerate() {
            *value = i as f32;
        }
        let plain = Transpose::scalar().transpose(&rows);
        let level = fearless_simd::Level::new();
        assert_eq!(fearless_simd::dispatch!(level, simd => InQuarters.turn(simd, &rows)), plain);
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = pulp::x86::V3::try_new() {
            assert_eq!(fearless_simd::dispatch!(level, simd => wide.turn(simd, &rows)), plain);
        }
    }
}
