//! Buffers of the sweep in units of vectors.

use std::arch::x86_64::*;

use crate::simd::LANES;

/// The largest number of blocks that are swept together: there are registers for three.
pub(super) const BAND: usize = 3;

/// The values of 16 lanes, aligned to a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Vector16(pub(super) [f32; LANES]);

impl Vector16 {
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn load(&self) -> __m512 {
        // SAFETY: `self` has 16 values and is aligned to 64 bytes.
        unsafe { _mm512_load_ps(self.0.as_ptr()) }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn store(&mut self, values: __m512) {
        // SAFETY: `self` has 16 values and is aligned to 64 bytes.
        unsafe { _mm512_store_ps(self.0.as_mut_ptr(), values) }
    }
}

/// The row that octants off the map read and write. It is always 0.
#[derive(Clone, Debug, Default)]
pub(super) struct ZeroRows([Vector16; 2 * BAND]);

impl ZeroRows {
    /// A pointer to the middle, from which the width of a band extends to either side.
    pub(super) fn middle(&mut self) -> *mut f32 {
        self.0.as_mut_ptr().wrapping_add(BAND).cast()
    }
}

/// Working space of a row band.
#[derive(Clone, Debug, Default)]
pub(super) struct BandScratch {
    /// The light that passes the outermost lane before each row, for the next band away from the axis.
    pub(super) outermost: [Vector16; 4],
    /// Visibilities along columns, before they are transposed.
    pub(super) columns: ColumnBuffer,
}

/// 16 vectors for each octant and block. After every fourth block there is a gap of five vectors: a load that follows a
/// store at a distance of a multiple of 4096 bytes would wait for it (4K aliasing).
#[derive(Clone, Debug)]
pub(super) struct ColumnBuffer(pub(super) [Vector16; 4 * BAND * LANES + 4 * 5]);

impl Default for ColumnBuffer {
    fn default() -> Self {
        Self([Vector16::default(); 4 * BAND * LANES + 4 * 5])
    }
}

impl ColumnBuffer {
    #[inline(always)]
    pub(super) const fn start(octant: usize, block: usize) -> usize {
        let index = octant * BAND + block;
        index * LANES + index / 4 * 5
    }
}
