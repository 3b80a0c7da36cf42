//! Tiles of sixteen by sixteen values turned: columns become rows.

use std::arch::x86_64::*;
use std::ops::Range;

use super::super::disc::{LANES, Mask, low_bits};
use super::super::padded::Padded;
use super::super::window::half_width;
use super::Sixteen;
use super::access::{IN_SIGHT, lies_in};
use super::buffers::Vector;
use super::wedges::Wedges;
use crate::GridView;

impl Wedges<'_> {
    /// Turns what is seen in sixteen columns, and puts what `masks` have of the rows into the window at `to`. `BACKWARDS`:
    /// the columns lie from right to left; `DOWN`: the masks from top to bottom.
    #[target_feature(enable = "avx512f")]
    pub(super) fn turn_out<const BACKWARDS: bool, const DOWN: bool>(
        &self,
        columns: &[Vector],
        masks: &[Mask; LANES],
        to: *mut f32,
    ) {
        let columns: &[Vector; LANES] = columns.try_into().expect("sixteen columns");
        let rows = turn(load_tile::<BACKWARDS>(columns));
        for (i, row) in rows.into_iter().enumerate() {
            let mask = masks[if DOWN { i } else { LANES - 1 - i }];
            self.write::<IN_SIGHT>(to.wrapping_offset(i as isize * self.seen_row), mask, row);
        }
    }
}

/// Sixteen rows, from the last on if `BACKWARDS`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load_tile<const BACKWARDS: bool>(tile: &[Vector; LANES]) -> [__m512; LANES] {
    let mut rows = [_mm512_setzero_ps(); LANES];
    for i in 0..LANES {
        rows[i] = tile[if BACKWARDS { LANES - 1 - i } else { i }].load();
    }
    rows
}

/// Rows and columns swapped: in pairs, in pairs of pairs, in quarters, in halves.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn turn(rows: [__m512; LANES]) -> [__m512; LANES] {
    let mut pairs = rows;
    for i in 0..8 {
        pairs[2 * i] = _mm512_unpacklo_ps(rows[2 * i], rows[2 * i + 1]);
        pairs[2 * i + 1] = _mm512_unpackhi_ps(rows[2 * i], rows[2 * i + 1]);
    }
    let mut fours = pairs;
    for i in (0..16).step_by(4) {
        let (a, b) = (_mm512_castps_pd(pairs[i]), _mm512_castps_pd(pairs[i + 1]));
        let (c, d) = (_mm512_castps_pd(pairs[i + 2]), _mm512_castps_pd(pairs[i + 3]));
        fours[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
        fours[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
        fours[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
        fours[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
    }
    let mut eights = fours;
    for i in 0..4 {
        for half in [0, 8] {
            let (a, b) = (fours[half + i], fours[half + i + 4]);
            eights[half + i] = _mm512_shuffle_f32x4::<0x88>(a, b);
            eights[half + i + 4] = _mm512_shuffle_f32x4::<0xdd>(a, b);
        }
    }
    let mut columns = eights;
    for i in 0..8 {
        columns[i] = _mm512_shuffle_f32x4::<0x88>(eights[i], eights[i + 8]);
        columns[i + 8] = _mm512_shuffle_f32x4::<0xdd>(eights[i], eights[i + 8]);
    }
    columns
}

/// Rows and columns of a grid swapped.
pub(in super::super) fn mirror(grid: GridView<'_, f32>, into: &mut Padded) {
    mirror_part(grid, [0..grid.width(), 0..grid.height()], into);
}

/// Rows and columns of a window swapped, in the wedges to the left and to the right of its middle.
pub(in super::super) fn mirror_wedges(window: &Padded, in_sight: u32, into: &mut Padded) {
    let window = window.view();
    let middle = window.width() / 2;
    let reach = middle.min(in_sight as usize);
    for first in (1..=reach).step_by(LANES) {
        let last = reach.min(first + LANES - 1);
        // As far aside as the diagonals, the circle, and where the two meet.
        let aside = last.min(half_width(in_sight, first as u32) as usize);
        let aside = aside.min((f64::from(in_sight) * std::f64::consts::FRAC_1_SQRT_2) as usize + 1);
        let rows = middle - aside..middle + aside + 1;
        mirror_part(window, [middle - last..middle + 1 - first, rows.clone()], into);
        mirror_part(window, [middle + first..middle + last + 1, rows], into);
    }
}

/// Rows and columns swapped of a part of a grid: these columns, these rows. What stands elsewhere is left alone.
fn mirror_part(grid: GridView<'_, f32>, [columns, rows]: [Range<usize>; 2], into: &mut Padded) {
    let (width, height) = (grid.width(), grid.height());
    assert!((into.width(), into.height()) == (height, width) && columns.end <= width && rows.end <= height);
    assert!(Sixteen::is_supported());
    // SAFETY: the processor has AVX-512.
    let (stride, cells) = grid.stride_and_values();
    let (first, to) = (into.place(0, 0), into.stride());
    unsafe { mirror_tiles(cells, stride, &mut into.values_mut()[first..], to, [columns, rows]) }
}

#[target_feature(enable = "avx512f")]
fn mirror_tiles(from: &[f32], stride: usize, to: &mut [f32], to_stride: usize, [columns, rows]: [Range<usize>; 2]) {
    for y in rows.clone().step_by(LANES) {
        let in_rows = low_bits(rows.end - y);
        for x in columns.clone().step_by(LANES) {
            let in_columns = low_bits(columns.end - x);
            let mut tile = [_mm512_setzero_ps(); LANES];
            for (i, values) in tile.iter_mut().enumerate() {
                let mask = if in_rows >> i & 1 == 1 { in_columns } else { 0 };
                let row = from.as_ptr().wrapping_add((y + i) * stride + x);
                debug_assert!(lies_in(&from.as_ptr_range(), row, mask));
                // SAFETY: the lanes of the mask are cells of row y + i from column x on, less than the width.
                *values = unsafe { _mm512_maskz_loadu_ps(mask, row) };
            }
            let tile = turn(tile);
            for (i, column) in tile.into_iter().enumerate() {
                let mask = if in_columns >> i & 1 == 1 { in_rows } else { 0 };
                let line = to.as_mut_ptr().wrapping_add((x + i) * to_stride + y);
                debug_assert!(lies_in(&to.as_ptr_range(), line, mask));
                // SAFETY: the lanes of the mask are cells of row x + i from column y on, less than the height.
                unsafe { _mm512_mask_storeu_ps(line, mask, column) }
            }
        }
    }
}
