//! Every read and write through a pointer into the map and the window, each checked in debug builds.

use std::arch::x86_64::*;
use std::ops::Range;

use super::buffers::BAND;
use super::octant_pairs::Wedges;
use super::octant_tiling::{LANES, Mask};

/// The values of [`Touch`](super::band::Touch), for the compiler.
pub(crate) const ALL: u8 = 0;
pub(crate) const READ_ALL: u8 = 1;
pub(crate) const IN_SIGHT: u8 = 2;

impl Wedges<'_> {
    /// The opacities at `from`; 0 in lanes that are not to be touched.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(crate) fn read<const TOUCH: u8>(&self, from: *const f32, mask: Mask) -> __m512 {
        debug_assert!(lies_in(&self.readable, from, mask) || self.is_nothing(from));
        // SAFETY: all lanes of the mask lie in the slice of opacities, or in the row of nothing, which is as wide as a band
        // to either side. With all lanes, `may_read_all` has seen to it that there are as many cells before and behind the
        // viewer as it takes; otherwise they are cells of the map, of which there are as many as `along` and `aside` say;
        // and masked lanes touch no memory.
        unsafe { if TOUCH == IN_SIGHT { _mm512_maskz_loadu_ps(mask, from) } else { _mm512_loadu_ps(from) } }
    }

    /// Writes the lanes that are to be touched.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(crate) fn write<const TOUCH: u8>(&self, to: *mut f32, mask: Mask, values: __m512) {
        debug_assert!(self.is_writable(to, mask));
        // SAFETY: all lanes of the mask lie in the window's values, or in the row of nothing, and nothing else refers to
        // these. With all lanes, `is_roomy` has seen to it; otherwise they are cells in sight and on the map, which the window holds.
        unsafe { if TOUCH == ALL { _mm512_storeu_ps(to, values) } else { _mm512_mask_storeu_ps(to, mask, values) } }
    }

    #[inline(always)]
    pub(crate) fn get(&self, from: *const f32) -> f32 {
        debug_assert!(lies_in(&self.readable, from, 1) || self.is_nothing(from));
        // SAFETY: a cell of the axis, no farther than `along` says, or of the row of nothing.
        unsafe { *from }
    }

    #[inline(always)]
    pub(crate) fn put(&self, to: *mut f32, value: f32) {
        debug_assert!(self.is_writable(to, 1));
        // SAFETY: a cell in sight and on the map, which the window holds, or of the row of nothing; nothing else refers to
        // its values.
        unsafe { *to = value }
    }

    fn is_writable(&self, to: *const f32, mask: Mask) -> bool {
        let window = self.writable.start.cast_const()..self.writable.end.cast_const();
        lies_in(&window, to, mask) || self.is_nothing(to)
    }

    /// Whether a vector lies in the row that stands for cells beyond the end of the map.
    fn is_nothing(&self, at: *const f32) -> bool {
        let reach = BAND * LANES;
        let row = self.nothing.wrapping_sub(reach).cast_const()..self.nothing.wrapping_add(reach).cast_const();
        lies_in(&row, at, Mask::MAX)
    }
}

/// Writes one lane of a vector.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn store_lane(to: &mut f32, lane: usize, values: __m512) {
    // SAFETY: of the vector, only the lane of the mask is written, and that is where `to` points.
    unsafe { _mm512_mask_storeu_ps(std::ptr::from_mut(to).wrapping_sub(lane), 1 << lane, values) }
}

/// Whether all lanes of a vector that are to be touched lie in a range.
pub(crate) fn lies_in(range: &Range<*const f32>, at: *const f32, mask: Mask) -> bool {
    let lane = |lane: u32| range.contains(&at.wrapping_add(lane as usize));
    mask == 0 || lane(mask.trailing_zeros()) && lane(15 - mask.leading_zeros())
}
