//! Tiles of eight by eight values, and how rows and columns are swapped in the registers of a processor that can.

/// Cells that are worked on at once.
pub(crate) const WIDE: usize = 8;

/// Eight rows of eight.
pub(crate) type Tile = [[f32; WIDE]; WIDE];

/// A way to swap rows and columns that is fit for the processor at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swap {
    #[cfg(target_arch = "x86_64")]
    avx: Option<pulp::x86::V3>,
}

impl Swap {
    /// The best way that this processor knows.
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx: pulp::x86::V3::try_new(),
        }
    }

    /// The plain way.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx: None,
        }
    }

    /// Rows and columns swapped.
    #[inline(always)]
    pub(crate) fn swap(self, rows: &Tile) -> Tile {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.avx {
            return in_registers(simd, rows);
        }
        one_by_one(rows)
    }
}

#[inline(always)]
fn one_by_one(rows: &Tile) -> Tile {
    let mut columns = [[0.0; WIDE]; WIDE];
    for (i, row) in rows.iter().enumerate() {
        for (column, value) in columns.iter_mut().zip(row) {
            column[i] = *value;
        }
    }
    columns
}

/// Pairs of rows, then pairs of pairs, then halves.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn in_registers(simd: pulp::x86::V3, rows: &Tile) -> Tile {
    use std::arch::x86_64::__m256;

    const LOW: i32 = 0b01_00_01_00;
    const HIGH: i32 = 0b11_10_11_10;
    const FIRST: i32 = 0x20;
    const SECOND: i32 = 0x31;
    let avx = simd.avx;
    let [a, b, c, d, e, f, g, h]: [__m256; WIDE] = pulp::cast(*rows);
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
    let columns: [__m256; WIDE] = [
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
    fn every_way_swaps_rows_and_columns() {
        let mut rows = [[0.0; WIDE]; WIDE];
        for (i, value) in rows.as_flattened_mut().iter_mut().enumerate() {
            *value = i as f32;
        }
        for columns in [Swap::new(), Swap::none()].map(|way| way.swap(&rows)) {
            for (i, j) in (0..WIDE).flat_map(|i| (0..WIDE).map(move |j| (i, j))) {
                assert_eq!(columns[j][i], rows[i][j]);
            }
        }
    }
}
