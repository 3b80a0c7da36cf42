//! Reads and writes through pointers into the map and the window, each checked in debug builds.

use std::arch::x86_64::*;
use std::ops::Range;

use super::buffers::BAND;
use super::mask_mode::{ALL, IN_SIGHT};
use super::octant_pairs::OctantPairs;
use super::tiling::Mask;
use crate::simd::LANES;

impl OctantPairs<'_> {
    /// Reads the opacities at `from`. Masked lanes are 0 in mode [`IN_SIGHT`].
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn read<const MODE: u8>(&self, from: *const f32, mask: Mask) -> __m512 {
        debug_assert!(lies_in(&self.readable, from, mask) || self.is_zero_row(from));
        // SAFETY: all lanes of the mask are in the slice of opacities, or in the zero row, which extends the width of a band
        // to either side. If all lanes are read, `may_read_all` checked that the slice is long enough before and after the
        // viewer. Otherwise they are cells of the map by `along` and `aside`, and masked lanes access no memory.
        unsafe { if MODE == IN_SIGHT { _mm512_maskz_loadu_ps(mask, from) } else { _mm512_loadu_ps(from) } }
    }

    /// Writes the lanes of the mask, or all in mode [`ALL`].
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn write<const MODE: u8>(&self, to: *mut f32, mask: Mask, values: __m512) {
        debug_assert!(self.is_writable(to, mask));
        // SAFETY: all lanes of the mask are in the window's values, or in the zero row, and nothing else refers to these. If
        // all lanes are written, `may_write_all` checked it. Otherwise they are cells in sight and on the map, which the
        // window contains.
        unsafe { if MODE == ALL { _mm512_storeu_ps(to, values) } else { _mm512_mask_storeu_ps(to, mask, values) } }
    }

    #[inline(always)]
    pub(super) fn get(&self, from: *const f32) -> f32 {
        debug_assert!(lies_in(&self.readable, from, 1) || self.is_zero_row(from));
        // SAFETY: a cell of the axis on the map by `along`, or of the zero row.
        unsafe { *from }
    }

    #[inline(always)]
    pub(super) fn set(&self, to: *mut f32, value: f32) {
        debug_assert!(self.is_writable(to, 1));
        // SAFETY: a cell in sight and on the map, which the window contains, or of the zero row; nothing else refers to its
        // values.
        unsafe { *to = value }
    }

    fn is_writable(&self, to: *const f32, mask: Mask) -> bool {
        let window = self.writable.start.cast_const()..self.writable.end.cast_const();
        lies_in(&window, to, mask) || self.is_zero_row(to)
    }

    /// Returns `true` if a vector is in the row for octants off the map.
    fn is_zero_row(&self, at: *const f32) -> bool {
        let reach = BAND * LANES;
        let row = self.zero_row.wrapping_sub(reach).cast_const()..self.zero_row.wrapping_add(reach).cast_const();
        lies_in(&row, at, Mask::MAX)
    }
}

/// Writes one lane of a vector to `to`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn store_lane(to: &mut f32, lane: usize, values: __m512) {
    // SAFETY: only the lane of the mask is written, and its address is `to`.
    unsafe { _mm512_mask_storeu_ps(std::ptr::from_mut(to).wrapping_sub(lane), 1 << lane, values) }
}

/// Returns `true` if all lanes of the mask are in a range.
pub(super) fn lies_in(range: &Range<*const f32>, at: *const f32, mask: Mask) -> bool {
    let lane = |lane: u32| range.contains(&at.wrapping_add(lane as usize));
    mask == 0 || lane(mask.trailing_zeros()) && lane(15 - mask.leading_zeros())
}
