//! Transposition of tiles of eight by eight values.

/// The number of rows, and of columns, of a [`Tile`].
pub(crate) const TILE_SIDE: usize = 8;

/// Eight rows of eight values.
pub(crate) type Tile = [[f32; TILE_SIDE]; TILE_SIDE];

/// Transposes tiles, with AVX2 if the processor has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transpose {
    #[cfg(target_arch = "x86_64")]
    avx: Option<pulp::x86::V3>,
}

impl Transpose {
    /// Detects whether the processor has AVX2.
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx: pulp::x86::V3::try_new(),
        }
    }

    /// Returns the columns of a tile as rows.
    #[inline(always)]
    pub(crate) fn transpose(self, rows: &Tile) -> Tile {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.avx {
            return transpose_avx2(simd, rows);
        }
        transpose_scalar(rows)
    }
}

#[inline(always)]
fn transpose_scalar(rows: &Tile) -> Tile {
    let mut columns = [[0.0; TILE_SIDE]; TILE_SIDE];
    for (i, row) in rows.iter().enumerate() {
        for (column, value) in columns.iter_mut().zip(row) {
            column[i] = *value;
        }
    }
    columns
}

/// Transposes a tile in registers: interleaves pairs of rows, then pairs of pairs, then swaps halves.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn transpose_avx2(simd: pulp::x86::V3, rows: &Tile) -> Tile {
    use std::arch::x86_64::__m256;

    const LOW: i32 = 0b01_00_01_00;
    const HIGH: i32 = 0b11_10_11_10;
    const FIRST: i32 = 0x20;
    const SECOND: i32 = 0x31;
    let avx = simd.avx;
    let [a, b, c, d, e, f, g, h]: [__m256; TILE_SIDE] = pulp::cast(*rows);
    let (ab, ab_high) = (avx._mm256_unpacklo_ps(a, b), avx._mm256_unpackhi_ps(a, b));
    let (cd, cd_high) = (avx._mm256_unpacklo_ps(c, d), avx._mm256_unpackhi_ps(c, d));
    let (ef, ef_high) = (avx._mm256_unpacklo_ps(e, f), avx._mm256_unpackhi_ps(e, f));
    let (gh, gh_high) = (avx._mm256_unpacklo_ps(g, h), avx._mm256_unpackhi_ps(g, h));
    let four = [
        [avx._mm256_shuffle_ps::<LOW>(ab, cd), avx._mm256_shuffle_ps::<LOW>(ef, gh)],
        [avx._mm256_shuffle_ps::<HIGH>(ab, cd), avx._mm256_shuffle_ps::<HIGH>(ef, gh)],
        [avx._mm256_shuffle_ps::<LOW>(ab_high, cd_high), avx._mm256_shuffle_ps::<LOW>(ef_high, gh_high)],
        [avx._mm256_shuffle_ps::<HIGH>(ab_high, cd_high), avx._mm256_shuffle_ps::<HIGH>(ef_high, gh_high)],
    ];
    let [i, j, k, l] = four;
    let columns: [__m256; TILE_SIDE] = [
        avx._mm256_permute2f128_ps::<FIRST>(i[0], i[1]),
        avx._mm256_permute2f128_ps::<FIRST>(j[0], j[1]),
        avx._mm256_permute2f128_ps::<FIRST>(k[0], k[1]),
        avx._mm256_permute2f128_ps::<FIRST>(l[0], l[1]),
        avx._mm256_permute2f128_ps::<SECOND>(i[0], i[1]),
        avx._mm256_permute2f128_ps::<SECOND>(j[0], j[1]),
        avx._mm256_permute2f128_ps::<SECOND>(k[0], k[1]),
        avx._mm256_permute2f128_ps::<SECOND>(l[0], l[1]),
    ];
    pulp::cast(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_transpose() {
        let mut rows = [[0.0; TILE_SIDE]; TILE_SIDE];
        for (i, value) in rows.as_flattened_mut().iter_mut().enumerate() {
            *value = i as f32;
        }
        for columns in [Transpose::new().transpose(&rows), transpose_scalar(&rows)] {
            for (i, j) in (0..TILE_SIDE).flat_map(|i| (0..TILE_SIDE).map(move |j| (i, j))) {
                assert_eq!(columns[j][i], rows[i][j]);
            }
        }
    }
}
