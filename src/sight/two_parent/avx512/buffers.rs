//! What a sweep keeps from piece to piece, in the shape that vectors want.

use std::arch::x86_64::*;

use super::octant_tiling::LANES;

/// Pieces of an octant that are kept in registers at once.
pub(crate) const BAND: usize = 3;

/// Values for the sixteen lanes, as the processor likes them to lie.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Vector(pub(crate) [f32; LANES]);

impl Vector {
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(crate) fn load(&self) -> __m512 {
        // SAFETY: a vector holds sixteen values, aligned to 64 bytes.
        unsafe { _mm512_load_ps(self.0.as_ptr()) }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(crate) fn store(&mut self, values: __m512) {
        // SAFETY: a vector holds sixteen values, aligned to 64 bytes.
        unsafe { _mm512_store_ps(self.0.as_mut_ptr(), values) }
    }
}

/// Stands for the cells of an octant beyond the end of the map: clear, and dark for ever.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nothing([Vector; 2 * BAND]);

impl Nothing {
    /// Where a row of it begins that goes on as far to either side as a band does.
    pub(crate) fn middle(&mut self) -> *mut f32 {
        self.0.as_mut_ptr().wrapping_add(BAND).cast()
    }
}

/// Working space of a band.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// What passed through the outermost lane before each step, for the next pieces aside.
    pub(crate) outer: [Vector; 4],
    /// Rows of the mirror image, to be turned.
    pub(crate) lines: Lines,
}

/// Sixteen rows for each octant and piece. Every fourth begins five rows later, since a processor confuses what it reads
/// with what it has just written a multiple of 4096 bytes away.
#[derive(Clone, Debug)]
pub(crate) struct Lines(pub(crate) [Vector; 4 * BAND * LANES + 4 * 5]);

impl Default for Lines {
    fn default() -> Self {
        Self([Vector::default(); 4 * BAND * LANES + 4 * 5])
    }
}

impl Lines {
    #[inline(always)]
    pub(crate) const fn place(octant: usize, piece: usize) -> usize {
        let rank = octant * BAND + piece;
        rank * LANES + rank / 4 * 5
    }
}
