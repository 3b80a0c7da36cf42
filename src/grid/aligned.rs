//! Values that begin where a line of a processor's cache does: vectors that lie across two lines take twice the time.

use std::ops::{Deref, DerefMut};

/// Values of a cache line, 64 bytes.
pub(crate) const LINE: usize = 16;

/// A row of values, aligned.
#[derive(Debug, Default)]
pub(crate) struct AlignedBuffer {
    values: Vec<f32>,
    skipped: usize,
    length: usize,
}

impl AlignedBuffer {
    /// Makes it as long as asked, all of one value.
    pub(crate) fn reset(&mut self, length: usize, value: f32) {
        self.values.clear();
        self.values.resize(length + LINE, value);
        self.skipped = self.values.as_ptr().align_offset(LINE * size_of::<f32>()).min(LINE);
        self.length = length;
    }

    /// Makes it at least as long as asked; what was there means nothing.
    #[inline(always)]
    pub(crate) fn reach(&mut self, length: usize) {
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
