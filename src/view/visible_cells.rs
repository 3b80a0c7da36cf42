//! [`VisibleCells`]: the visible cells of a view, row by row.

use std::iter::FusedIterator;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x16};
use glam::{IVec2, ivec2};

use crate::grid::GridView;
use crate::simd::{LANES, dispatch};

/// The number of words of a segment.
const WORDS: usize = 4;

/// The columns of a row that are compared together, one bit a cell.
const SEGMENT: usize = WORDS * u64::BITS as usize;

/// Cells of a view that may be visible, by rows of bits: all other cells are 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LitRows<'a> {
    pub(crate) bits: &'a [u64],
    /// The number of words of a row.
    pub(crate) words: usize,
    /// The number of bits before column 0.
    pub(crate) before: i32,
}

/// The cells of a view with at least some visibility, with their visibilities.
///
/// The values are compared in vectors by a function that programs which use the library do not compile again.
#[derive(Clone, Debug)]
pub(super) struct VisibleCells<'a> {
    grid: GridView<'a, f32>,
    lit: Option<LitRows<'a>>,
    top_left: IVec2,
    /// Above 0, or NaN for no cells.
    threshold: f32,
    /// The row and the first column of the next segment.
    y: usize,
    x: usize,
    /// The bits of the present segment that are at least the threshold.
    bits: [u64; WORDS],
    /// The index of the next word, in the segment or among the lit rows.
    word: usize,
    /// The present row, and its first cell.
    row: &'a [f32],
    start: IVec2,
    /// The column of bit 0 of the present word.
    column: i32,
    /// The bits of the present word that were not yet returned.
    rest: u64,
}

impl<'a> VisibleCells<'a> {
    /// Creates the cells of a grid with this cell at its top left, whose visibility is at least a threshold and above 0.
    pub(super) fn new(grid: GridView<'a, f32>, lit: Option<LitRows<'a>>, top_left: IVec2, threshold: f32) -> Self {
        let threshold = if threshold <= 0.0 { f32::from_bits(1) } else { threshold };
        let word = if lit.is_some() { 0 } else { WORDS };
        let (bits, row, start) = ([0; WORDS], &[][..], top_left);
        Self { grid, lit, top_left, threshold, y: 0, x: 0, bits, word, row, start, column: 0, rest: 0 }
    }

    /// Reads the next word. Returns `false` if there is none.
    #[inline(never)]
    fn next_word(&mut self) -> bool {
        if let Some(lit) = self.lit {
            let Some(dark) = lit.bits[self.word..].iter().position(|bits| *bits != 0) else { return false };
            let word = self.word + dark;
            let [y, in_row] = [word as u32 / lit.words as u32, word as u32 % lit.words as u32];
            self.set_row(y as usize);
            self.column = (in_row * u64::BITS) as i32 - lit.before;
            self.rest = lit.bits[word];
            self.word = word + 1;
            return true;
        }
        if self.word == WORDS {
            if !dispatch!(Level::new(), simd => self.next_segment(simd)) {
                return false;
            }
            self.word = 0;
        }
        self.rest = self.bits[self.word];
        self.column += u64::BITS as i32;
        self.word += 1;
        true
    }

    fn set_row(&mut self, y: usize) {
        self.row = self.grid.row(y);
        self.start = self.top_left + ivec2(0, y as i32);
    }

    /// Finds the next segment with a visible cell. Returns `false` if there is none.
    #[inline(always)]
    fn next_segment<S: Simd>(&mut self, simd: S) -> bool {
        let (stride, cells) = self.grid.stride_and_values();
        while self.y < self.grid.height() {
            let (y, x, width) = (self.y, self.x, self.grid.width());
            self.bits = compare(simd, &cells[y * stride + x..], (width - x).min(SEGMENT), self.threshold);
            (self.x, self.y) = if x + SEGMENT < width { (x + SEGMENT, y) } else { (0, y + 1) };
            if self.bits.iter().any(|bits| *bits != 0) {
                self.set_row(y);
                self.column = x as i32 - u64::BITS as i32;
                return true;
            }
        }
        false
    }
}

/// Returns the bits of the first `count` values that are at least a threshold. There may be padding after them.
#[inline(always)]
fn compare<S: Simd>(simd: S, values: &[f32], count: usize, threshold: f32) -> [u64; WORDS] {
    let minimum = f32x16::splat(simd, threshold);
    let mut words = [0; WORDS];
    for start in (0..count).step_by(LANES) {
        let values = &values[start..];
        let bits = match values.first_chunk::<LANES>() {
            Some(vector) => f32x16::from_slice(simd, vector).simd_ge(minimum).to_bitmask(),
            None => values.iter().rev().fold(0, |bits, value| bits << 1 | u64::from(*value >= threshold)),
        };
        words[start / 64] |= bits << (start % 64);
    }
    if !count.is_multiple_of(64) {
        words[count / 64] &= !(!0 << (count % 64));
    }
    words
}

impl Iterator for VisibleCells<'_> {
    type Item = (IVec2, f32);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.rest == 0 {
                if !self.next_word() {
                    return None;
                }
            }
            let x = self.column + self.rest.trailing_zeros() as i32;
            self.rest &= self.rest - 1;
            let value = self.row.get(x as usize).copied().unwrap_or_default();
            if value >= self.threshold {
                return Some((self.start + ivec2(x, 0), value));
            }
        }
    }
}

impl FusedIterator for VisibleCells<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    #[test]
    fn cells_are_those_of_a_plain_loop() {
        for (width, height, seed) in
            [(1, 1, 1u32), (15, 3, 2), (16, 2, 3), (17, 9, 4), (255, 2, 5), (256, 3, 6), (700, 4, 7)]
        {
            let value = |cell: IVec2| {
                let hash = (cell.x as u32 ^ (cell.y as u32) << 16 ^ seed << 28).wrapping_mul(0x9e37_79b9);
                match hash >> 30 {
                    0 => 0.0,
                    1 => -1.0,
                    2 => f32::NAN,
                    _ => (hash >> 8 & 0xff) as f32 / 255.0,
                }
            };
            let (grid, top_left) = (Grid::from_fn(width, height, value), ivec2(-7, 5));
            for threshold in [-1.0, 0.0, 0.5, 1.0, f32::NAN] {
                let plain = grid.iter().filter(|(_, value)| **value > 0.0 && **value >= threshold);
                let expected: Vec<_> = plain.map(|(cell, value)| (cell + top_left, *value)).collect();
                let mut cells = VisibleCells::new(grid.view(), None, top_left, threshold);
                assert_eq!(cells.by_ref().collect::<Vec<_>>(), expected, "{width}x{height}, at least {threshold}");
                assert_eq!((cells.next(), cells.next()), (None, None));
            }
        }
    }
}
