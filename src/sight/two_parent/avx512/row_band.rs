//! [`RowBand`]: up to three neighbouring blocks of all four octants, with their addresses and masks.

use std::ops::Range;

use super::octant_pairs::{DIRECTIONS, OctantPairs};
use super::tiling::{Mask, low_bits};
use crate::simd::LANES;

/// Up to three neighbouring blocks of all four octants.
pub(super) struct RowBand<'a> {
    /// M of the first of the 16 rows.
    pub(super) first_row: usize,
    /// n of the first cell.
    pub(super) first_cell: usize,
    /// The rows to sweep, of 16.
    pub(super) rows: Range<usize>,
    /// `true` if the last block has the diagonal.
    pub(super) has_diagonal: bool,
    pub(super) cells: [*const f32; 4],
    pub(super) cells_step: [isize; 2],
    pub(super) seen: [*mut f32; 4],
    pub(super) seen_step: [isize; 2],
    /// The masks of the blocks, for each octant.
    pub(super) masks: [&'a [[Mask; LANES]]; 4],
}

/// The light that leaves a band.
#[derive(Clone, Copy, Default)]
pub(super) struct LightLeft {
    /// `true` if any light goes to the next band away from the axis.
    pub(super) aside: bool,
    /// `true` if any light passes the last row.
    pub(super) ahead: bool,
}

impl OctantPairs<'_> {
    /// Lays out the rows `from` … `to` of a band. Octants that are not `alive` are off the map.
    pub(super) fn lay_out<'a>(
        &self,
        first_row: usize,
        first_cell: usize,
        from: usize,
        to: usize,
        alive: [bool; 2],
        masks: [&'a [[Mask; LANES]]; 4],
    ) -> RowBand<'a> {
        let Self { cells, cells_stride, seen, seen_stride, zero_row, .. } = *self;
        let m = (first_row + from) as isize;
        let sides = [first_cell as isize, 1 - (first_cell + LANES) as isize];
        let step = |way: usize, stride: isize| if alive[way] { DIRECTIONS[way] * stride } else { 0 };
        let offset = |k: usize, stride: isize| DIRECTIONS[k] * m * stride + sides[k / 2];
        RowBand {
            first_row,
            first_cell,
            rows: from..to,
            has_diagonal: false,
            cells: std::array::from_fn(|k| match alive[k % 2] {
                true => cells.wrapping_offset(offset(k, cells_stride)),
                false => zero_row.cast_const().wrapping_sub(k / 2 * (LANES - 1)),
            }),
            cells_step: std::array::from_fn(|way| step(way, cells_stride)),
            seen: std::array::from_fn(|k| match alive[k % 2] {
                true => seen.wrapping_offset(offset(k, seen_stride)),
                false => zero_row.wrapping_sub(k / 2 * (LANES - 1)),
            }),
            seen_step: std::array::from_fn(|way| step(way, seen_stride)),
            masks,
        }
    }

    /// Returns `true` if the map has this number of cells on both sides of the axis.
    #[inline]
    pub(super) fn map_reaches_aside(&self, cells: usize) -> bool {
        self.aside[0] >= cells && self.aside[1] >= cells
    }

    /// The number of rows on the map, of `rows` rows from `first_row` on, in both directions.
    #[inline]
    pub(super) fn rows_on_map(&self, first_row: usize, rows: usize) -> [usize; 2] {
        self.along.map(|along| (along + 1).saturating_sub(first_row).min(rows))
    }

    /// Returns `true` if whole vectors may be read in the rows `first` … `last`, up to `beyond` cells from the axis. What
    /// follows the end of a row is another row, and no cell of the map takes light from there.
    pub(super) fn may_read_all(&self, first: usize, last: usize, beyond: usize, alive: [bool; 2]) -> bool {
        let stride = self.cells_stride as usize;
        (0..2).filter(|&way| alive[way]).all(|way| {
            let (ahead, back) = (self.room[way], self.room[1 - way]);
            last * stride + beyond <= ahead && beyond <= first * stride + back
        })
    }

    /// Returns `true` if whole vectors may be written up to row `last`: 0 beyond the diagonal stays in the window and does
    /// not wrap round to cells of an earlier row.
    pub(super) fn may_write_all(&self, last: usize, beyond: usize) -> bool {
        self.tiling.radius > 22
            && self.tiling.radius <= self.window
            && last * self.seen_stride as usize + beyond <= self.room_seen
    }

    /// The masks of a band's rows, clipped to the map.
    #[cold]
    pub(super) fn clip_rows<const N: usize>(
        &self,
        first_cell: usize,
        masks: [&[[Mask; LANES]]; 2],
    ) -> [[[Mask; LANES]; N]; 4] {
        std::array::from_fn(|k| {
            std::array::from_fn(|j| {
                let cells = low_bits((self.aside[k / 2] + 1).saturating_sub(first_cell + j * LANES));
                let cells = if k < 2 { cells } else { cells.reverse_bits() };
                masks[k / 2][j].map(|mask| mask & cells)
            })
        })
    }
}
