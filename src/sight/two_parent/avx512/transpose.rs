//! Transposition of 16 × 16 tiles, and of whole grids in such tiles.

use std::arch::x86_64::*;
use std::ops::Range;

use glam::Vec2Swizzles;

use super::access::lies_in;
use super::buffers::{BAND, BandScratch, ColumnBuffer, Vector16};
use super::mask_mode::IN_SIGHT;
use super::octant_pairs::{DIRECTIONS, OctantPairs};
use super::tiling::{Mask, low_bits};
use crate::grid::AlignedGrid;
use crate::grid::GridView;
use crate::sight::window::half_width;
use crate::simd::{LANES, has_avx512};

impl OctantPairs<'_> {
    /// Transposes the visibilities in the blocks `b` of group `g` into rows of the window. `on_map` is the number of the
    /// band's rows on the map, in both directions; a `whole` band has all its cells on the map on both sides.
    #[target_feature(enable = "avx512f")]
    pub(super) fn transpose_blocks(
        &self,
        g: usize,
        b: Range<usize>,
        whole: bool,
        on_map: [usize; 2],
        scratch: &BandScratch,
    ) {
        let tiling = self.tiling;
        let (first_row, first_cell) = (g * LANES, b.start * LANES);
        let blocks = tiling.starts[g] + b.start..tiling.starts[g] + b.end;
        let (plain, mirrored) = (&tiling.columns[0][blocks.clone()], &tiling.columns[1][blocks]);
        let clipped: [[[Mask; LANES]; BAND]; 4];
        // The masks are 0 beyond the radius.
        let masks: [&[[Mask; LANES]]; 4] = if whole && on_map == [LANES.min(tiling.radius + 1 - first_row); 2] {
            [mirrored, plain, mirrored, plain]
        } else {
            clipped = self.clip_columns(first_row, first_cell, [plain, mirrored]);
            [0, 1, 2, 3].map(|k| &clipped[k][..b.len()])
        };
        self.transpose_octant::<true, true>(first_row, first_cell, masks[0], scratch);
        self.transpose_octant::<false, true>(first_row, first_cell, masks[1], scratch);
        self.transpose_octant::<true, false>(first_row, first_cell, masks[2], scratch);
        self.transpose_octant::<false, false>(first_row, first_cell, masks[3], scratch);
    }

    /// [`transpose_blocks`](Self::transpose_blocks) for one octant: the columns run from right to left if `BACKWARDS`, and
    /// extend `DOWN` from the axis. Not inlined: copies would compete for the cache of decoded instructions.
    #[target_feature(enable = "avx512f")]
    #[inline(never)]
    fn transpose_octant<const BACKWARDS: bool, const DOWN: bool>(
        &self,
        first_row: usize,
        first_cell: usize,
        masks: &[[Mask; LANES]],
        scratch: &BandScratch,
    ) {
        let octant = 2 * usize::from(!DOWN) + usize::from(!BACKWARDS);
        let (m, n) = (first_row as isize, first_cell as isize);
        let left = if BACKWARDS { 1 - m - LANES as isize } else { m };
        let top = if DOWN { n } else { 1 - n - LANES as isize };
        let step = if DOWN { LANES as isize } else { -(LANES as isize) } * self.seen_stride;
        let mut to = self.seen.wrapping_offset(top * self.seen_stride + left);
        for (block, masks) in masks.iter().enumerate() {
            let columns = scratch.columns.0[ColumnBuffer::start(octant, block)..].first_chunk().expect("16 columns");
            let rows = transpose_tile(load_tile::<BACKWARDS>(columns));
            for (i, row) in rows.into_iter().enumerate() {
                let mask = masks[if DOWN { i } else { LANES - 1 - i }];
                self.write::<IN_SIGHT>(to.wrapping_offset(i as isize * self.seen_stride), mask, row);
            }
            to = to.wrapping_offset(step);
        }
    }

    /// The masks of a band's columns, clipped to the map.
    #[cold]
    fn clip_columns(
        &self,
        first_row: usize,
        first_cell: usize,
        masks: [&[[Mask; LANES]]; 2],
    ) -> [[[Mask; LANES]; BAND]; 4] {
        let mut clipped = [[[0; LANES]; BAND]; 4];
        for (k, clipped) in clipped.iter_mut().enumerate() {
            let rows = low_bits((self.along[k % 2] + 1).saturating_sub(first_row));
            let rows = if DIRECTIONS[k] < 0 { rows.reverse_bits() } else { rows };
            for (j, (clipped, masks)) in clipped.iter_mut().zip(masks[usize::from(DIRECTIONS[k] < 0)]).enumerate() {
                let cells = (self.aside[k / 2] + 1).saturating_sub(first_cell + j * LANES);
                for (clipped, mask) in clipped.iter_mut().zip(masks).take(cells) {
                    *clipped = mask & rows;
                }
            }
        }
        clipped
    }
}

/// Loads 16 rows, in reverse order if `BACKWARDS`.
#[target_feature(enable = "avx512f")]
#[inline]
fn load_tile<const BACKWARDS: bool>(tile: &[Vector16; LANES]) -> [__m512; LANES] {
    let mut rows = [_mm512_setzero_ps(); LANES];
    for i in 0..LANES {
        rows[i] = tile[if BACKWARDS { LANES - 1 - i } else { i }].load();
    }
    rows
}

/// Returns the columns of a tile as rows: interleaves pairs of rows and pairs of pairs, then swaps quarters and halves.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn transpose_tile(rows: [__m512; LANES]) -> [__m512; LANES] {
    let fours = transpose_fours(rows);
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

/// Transposes each 4 × 4 part of four rows.
#[target_feature(enable = "avx512f")]
#[inline]
fn transpose_fours(rows: [__m512; LANES]) -> [__m512; LANES] {
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
    fours
}

/// Writes the columns of a grid as rows of `into`.
pub(in crate::sight) fn transpose_grid(grid: GridView<'_, f32>, into: &mut AlignedGrid) {
    transpose_part(grid, [0..grid.width(), 0..grid.height()], into);
}

/// Transposes the wedges of a window to the left and to the right of its middle. Other values have no meaning.
pub(in crate::sight::two_parent) fn transpose_wedges(window: &AlignedGrid, in_sight: u32, into: &mut AlignedGrid) {
    let middle = window.width() / 2;
    let reach = middle.min(in_sight as usize);
    // Up and down to where the diagonals meet the circle.
    let aside = reach.min((f64::from(in_sight) * std::f64::consts::FRAC_1_SQRT_2) as usize + 1);
    let window = window.view();
    // 16 rows at a time, from the middle outwards: they are cache lines of `into`, if its middle column begins one.
    for below in (0..=aside).step_by(LANES) {
        let above = middle.saturating_sub(below + LANES)..middle - below;
        let below = middle + below..window.height().min(middle + below + LANES);
        for (rows, nearest) in [(above, below.start - middle + 1), (below.clone(), below.start - middle)] {
            let near = nearest.max(1);
            let far = reach.min(half_width(in_sight, nearest.min(reach) as u32) as usize);
            if far < near {
                continue;
            }
            // Whole tiles, if the window has space for them.
            let far = middle.min(near - 1 + (far + 1 - near).next_multiple_of(LANES));
            transpose_part(window, [middle - far..middle + 1 - near, rows.clone()], into);
            transpose_part(window, [middle + near..middle + far + 1, rows], into);
        }
    }
}

/// Transposes the given columns and rows of a grid. Other values of `into` do not change.
fn transpose_part(grid: GridView<'_, f32>, [columns, rows]: [Range<usize>; 2], into: &mut AlignedGrid) {
    let (width, height) = (grid.width(), grid.height());
    assert!(into.size() == grid.size().yx() && columns.end <= width && rows.end <= height);
    assert!(has_avx512());
    // SAFETY: the processor has AVX-512.
    let (stride, cells) = grid.stride_and_values();
    let (first, to) = (into.index_of(0, 0), into.stride());
    unsafe { transpose_tiles(cells, stride, &mut into.values_mut()[first..], to, [columns, rows]) }
}

#[target_feature(enable = "avx512f")]
fn transpose_tiles(from: &[f32], stride: usize, to: &mut [f32], to_stride: usize, [columns, rows]: [Range<usize>; 2]) {
    for y in rows.clone().step_by(LANES) {
        let in_rows = low_bits(rows.end - y);
        for x in columns.clone().step_by(LANES) {
            let in_columns = low_bits(columns.end - x);
            let (at, line) = (y * stride + x, x * to_stride + y);
            if in_rows & in_columns == Mask::MAX {
                transpose_whole_tile(&from[at..], stride, &mut to[line..], to_stride);
                continue;
            }
            let mut tile = [_mm512_setzero_ps(); LANES];
            for (i, values) in tile.iter_mut().enumerate() {
                let mask = if in_rows >> i & 1 == 1 { in_columns } else { 0 };
                let row = from.as_ptr().wrapping_add(at + i * stride);
                debug_assert!(lies_in(&from.as_ptr_range(), row, mask));
                // SAFETY: the lanes of the mask are cells of row y + i from column x on, less than the width.
                *values = unsafe { _mm512_maskz_loadu_ps(mask, row) };
            }
            let tile = transpose_tile(tile);
            for (i, column) in tile.into_iter().enumerate() {
                let mask = if in_columns >> i & 1 == 1 { in_rows } else { 0 };
                let line = to.as_mut_ptr().wrapping_add(line + i * to_stride);
                debug_assert!(lies_in(&to.as_ptr_range(), line, mask));
                // SAFETY: the lanes of the mask are cells of row x + i from column y on, less than the height.
                unsafe { _mm512_mask_storeu_ps(line, mask, column) }
            }
        }
    }
}

/// Transposes a tile without masks. Rows are read in halves, two in a vector, which saves shuffles.
#[target_feature(enable = "avx512f")]
#[inline]
fn transpose_whole_tile(from: &[f32], stride: usize, to: &mut [f32], to_stride: usize) {
    let last = LANES - 1;
    assert!(last * stride + LANES <= from.len() && last * to_stride + LANES <= to.len());
    let mut rows = [_mm512_setzero_ps(); LANES];
    for half in 0..2 {
        for eight in 0..2 {
            for i in 0..4 {
                let row = from.as_ptr().wrapping_add((8 * eight + i) * stride + 8 * half);
                // SAFETY: eight cells each of two of the 16 rows, which are all in the slice.
                let (one, other) =
                    unsafe { (_mm256_loadu_pd(row.cast()), _mm256_loadu_pd(row.wrapping_add(4 * stride).cast())) };
                rows[8 * half + 4 * eight + i] =
                    _mm512_castpd_ps(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(one), other));
            }
        }
    }
    let fours = transpose_fours(rows);
    for half in 0..2 {
        for i in 0..4 {
            let (a, b) = (fours[8 * half + i], fours[8 * half + 4 + i]);
            let line = to.as_mut_ptr().wrapping_add((8 * half + i) * to_stride);
            // SAFETY: two of 16 rows, which are all in the slice.
            unsafe {
                _mm512_storeu_ps(line, _mm512_shuffle_f32x4::<0x88>(a, b));
                _mm512_storeu_ps(line.wrapping_add(4 * to_stride), _mm512_shuffle_f32x4::<0xdd>(a, b));
            }
        }
    }
}
