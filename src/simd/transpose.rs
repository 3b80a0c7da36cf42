//! Transposition of tiles of eight by eight values.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x8};

/// The number of rows, and of columns, of a [`Tile`].
pub(crate) const TILE_SIDE: usize = 8;

/// Eight rows of eight values.
pub(crate) type Tile = [[f32; TILE_SIDE]; TILE_SIDE];

/// Half of a side.
const HALF: usize = TILE_SIDE / 2;

/// Returns the columns of a tile as rows.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(simd: S, rows: &Tile) -> Tile {
    let mut columns = [[0.0; TILE_SIDE]; TILE_SIDE];
    for left in [0, HALF] {
        // A quarter of the tile in the lower halves of the vectors, and the quarter below it in the upper halves.
        let mut quarters = [simd.splat_f32x8(0.0); HALF];
        for i in 0..HALF {
            let above: &[f32; HALF] = rows[i][left..].first_chunk().expect("half a row");
            let below: &[f32; HALF] = rows[HALF + i][left..].first_chunk().expect("half a row");
            quarters[i] = f32x4::simd_from(simd, *above).combine(f32x4::simd_from(simd, *below));
        }
        let [a, b, c, d] = quarters;
        let ([ac, ac_high], [bd, bd_high]) = (zip(a, c), zip(b, d));
        let ([i, j], [k, l]) = (zip(ac, bd), zip(ac_high, bd_high));
        for (column, quarters) in columns[left..].iter_mut().zip([i, j, k, l]) {
            *column = quarters.into();
        }
    }
    columns
}

/// Interleaves the lower and the upper lanes of two vectors, in each half of the vectors.
#[inline(always)]
fn zip<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> [f32x8<S>; 2] {
    let ((a, a_below), (b, b_below)) = (a.split(), b.split());
    [a.zip_low(b).combine(a_below.zip_low(b_below)), a.zip_high(b).combine(a_below.zip_high(b_below))]
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
