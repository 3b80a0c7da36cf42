//! [`BandRows`]: the rows into which a band is written, in the window or, for columns, in [`BandColumns`].

use std::ops::Range;

/// The number of values of a row in [`BandColumns`]. Each side of the viewer has half of it: three blocks of 16 lanes, or six of 8.
const ROW_VALUES: usize = 96;

/// The visibilities of a window.
pub(super) struct Output<'a> {
    pub(super) seen: &'a mut [f32],
    /// The index of the viewer's cell.
    pub(super) viewer: usize,
    /// The distance from one row to the next, in values.
    pub(super) stride: usize,
    /// The last row and column in sight, counted from the viewer.
    pub(super) reach: usize,
}

/// The rows of a band on both sides of the viewer, from the viewer outwards. A row has the blocks on the side of lower coordinates
/// at its begin, those on the side of higher coordinates from `higher` on.
pub(super) struct BandRows<'a> {
    /// The rows on the side of lower coordinates, of which the last is the nearest: the first values of each `stride`.
    pub(super) back: &'a mut [f32],
    /// The rows on the side of higher coordinates: the last values of each `stride`.
    pub(super) forward: &'a mut [f32],
    /// The distance from one row to the next, in values.
    pub(super) stride: usize,
    /// The number of values of a row.
    pub(super) span: usize,
    pub(super) higher: usize,
}

impl Output<'_> {
    /// Returns the rows of the window from row `m` on, 1 or more, for a band with the cells `first..end`.
    #[inline(always)]
    pub(super) fn rows(&mut self, m: usize, first: usize, end: usize) -> BandRows<'_> {
        let (stride, span) = (self.stride, 2 * end - 1);
        let start = self.viewer - (end - 1);
        let (back, rest) = self.seen.split_at_mut(start - (m - 1) * stride);
        // These end with their span, so that the last one is whole, too.
        let forward = &mut rest[2 * (m - 1) * stride + span..];
        BandRows { back, forward, stride, span, higher: first + end - 1 }
    }
}

impl BandRows<'_> {
    /// Returns W values of octant `k`, `i` rows after the first, `at` values after the first of its side.
    #[inline(always)]
    pub(super) fn vector<const W: usize>(&mut self, k: usize, i: usize, at: usize) -> &mut [f32; W] {
        let row = match k % 2 {
            0 => self.back.rchunks_exact_mut(self.stride).nth(i),
            _ => self.forward.chunks_exact_mut(self.stride).nth(i).map(|row| &mut row[self.stride - self.span..]),
        };
        let start = if k < 2 { self.higher + at } else { at };
        row.and_then(|row| row[start..].first_chunk_mut()).expect("the rows of the band have whole vectors")
    }
}

/// The columns of a band on one side of the viewer, as rows from lower to higher coordinates: in each the blocks of the octant
/// towards lower coordinates, and then those of the other.
pub(super) type TurnedColumns<const W: usize> = [[f32; ROW_VALUES]; W];

/// Working space: a band along columns, on the sides of lower and of higher coordinates. Aligned to a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct BandColumns<const W: usize>([TurnedColumns<W>; 2]);

impl<const W: usize> Default for BandColumns<W> {
    fn default() -> Self {
        Self([[[0.0; ROW_VALUES]; W]; 2])
    }
}

impl<const W: usize> BandColumns<W> {
    /// Returns the rows from `first` on.
    #[inline(always)]
    pub(super) fn rows(&mut self, first: usize) -> BandRows<'_> {
        let [back, forward] = &mut self.0;
        let (back, forward) = (back[..W - first].as_flattened_mut(), forward[first..].as_flattened_mut());
        BandRows { back, forward, stride: ROW_VALUES, span: ROW_VALUES, higher: ROW_VALUES / 2 }
    }

    /// Clears some rows.
    pub(super) fn clear(&mut self, rows: Range<usize>) {
        self.0[0][W - rows.end..W - rows.start].as_flattened_mut().fill(0.0);
        self.0[1][rows].as_flattened_mut().fill(0.0);
    }

    /// Returns the side of octant `k`, and where in its rows block `b` of a band of `n` begins.
    #[inline(always)]
    pub(super) fn block(&self, k: usize, b: usize, n: usize) -> (&TurnedColumns<W>, usize) {
        // Octants towards lower coordinates have the blocks at the axis last.
        (&self.0[k % 2], if k < 2 { ROW_VALUES / 2 + b * W } else { (n - 1 - b) * W })
    }
}
