//! [`AlignedBuffer`]: values aligned to a cache line. A vector that crosses two cache lines takes twice the time.

use std::ops::{Deref, DerefMut};

/// The number of values in a cache line of 64 bytes.
pub(super) const CACHE_LINE: usize = 16;

/// A buffer of values whose first is aligned to a cache line.
#[derive(Debug, Default)]
pub(crate) struct AlignedBuffer {
    values: Vec<f32>,
    skipped: usize,
    length: usize,
}

impl AlignedBuffer {
    /// Sets the length and fills the buffer with `value`.
    pub(crate) fn reset(&mut self, length: usize, value: f32) {
        if self.values.capacity() < length + CACHE_LINE {
            self.values = vec![value; length + CACHE_LINE]; // pages of zeros come from the system
        } else {
            self.values.clear();
            self.values.resize(length + CACHE_LINE, value);
        }
        self.skipped = self.values.as_ptr().align_offset(CACHE_LINE * size_of::<f32>()).min(CACHE_LINE);
        self.length = length;
    }

    /// Grows the buffer to at least this length. If it grows, all its values become 0.
    #[inline(always)]
    pub(crate) fn grow_to(&mut self, length: usize) {
        if self.length < length {
            self.reset(length, 0.0);
        }
    }
}

impl Clone for AlignedBuffer {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.reset(self.length, 0.0);
        clone.copy_from_slice(self);
        clone
    }
}

impl Deref for AlignedBuffer {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        &self.values[self.skipped..self.skipped + self.length]
    }
}

impl DerefMut for AlignedBuffer {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.values[self.skipped..self.skipped + self.length]
    }
}
