//! Tiles of sixteen by sixteen values turned: columns become rows.

use std::arch::x86_64::*;
use std::ops::Range;

use glam::Vec2Swizzles;

use super::access::{IN_SIGHT, lies_in};
use super::buffers::{BAND, Lines, Vector, Work};
use super::octant_pairs::Wedges;
use super::octant_tiling::{LANES, Mask, low_bits};
use super::row_band::WAYS;
use crate::grid::AlignedGrid;
use crate::grid::GridView;
use crate::sight::window::half_width;
use crate::simd::has_avx512;

impl Wedges<'_> {
    /// Turns what is seen in the pieces `b` of group `g` from columns into rows of the window. `rows` of the band lie on the
    /// map each way, and to both sides it has all cells if it is `whole`.
    #[target_feature(enable = "avx512f")]
    pub(crate) fn turn_pieces(&self, g: usize, b: Range<usize>, whole: bool, rows: [usize; 2], work: &Work) {
        let disc = self.disc;
        let (near, before) = (g * LANES, b.start * LANES);
        let pieces = disc.starts[g] + b.start..disc.starts[g] + b.end;
        let (plain, mirrored) = (&disc.columns[0][pieces.clone()], &disc.columns[1][pieces]);
        let clipped: [[[Mask; LANES]; BAND]; 4];
        // Beyond the radius nothing is in sight anyway.
        let masks: [&[[Mask; LANES]]; 4] = if whole && rows == [LANES.min(disc.radius + 1 - near); 2] {
            [mirrored, plain, mirrored, plain]
        } else {
            clipped = self.clip_columns(near, before, [plain, mirrored]);
            [0, 1, 2, 3].map(|k| &clipped[k][..b.len()])
        };
        self.turn_octant::<true, true>(near, before, masks[0], work);
        self.turn_octant::<false, true>(near, before, masks[1], work);
        self.turn_octant::<true, false>(near, before, masks[2], work);
        self.turn_octant::<false, false>(near, before, masks[3], work);
    }

    /// The same for one octant: the columns lie from right to left if `BACKWARDS`, and go on `DOWN` from the axis. Once for
    /// all bands: copies of it would push others out of what the processor keeps of decoded instructions.
    #[target_feature(enable = "avx512f")]
    #[inline(never)]
    fn turn_octant<const BACKWARDS: bool, const DOWN: bool>(
        &self,
        near: usize,
        before: usize,
        masks: &[[Mask; LANES]],
        work: &Work,
    ) {
        let octant = 2 * usize::from(!DOWN) + usize::from(!BACKWARDS);
        let (near, before) = (near as isize, before as isize);
        let left = if BACKWARDS { 1 - near - LANES as isize } else { near };
        let top = if DOWN { before } else { 1 - before - LANES as isize };
        let step = if DOWN { LANES as isize } else { -(LANES as isize) } * self.seen_row;
        let mut to = self.seen.wrapping_offset(top * self.seen_row + left);
        for (piece, masks) in masks.iter().enumerate() {
            let columns = work.lines.0[Lines::place(octant, piece)..].first_chunk().expect("sixteen columns");
            let rows = turn(load_tile::<BACKWARDS>(columns));
            for (i, row) in rows.into_iter().enumerate() {
                let mask = masks[if DOWN { i } else { LANES - 1 - i }];
                self.write::<IN_SIGHT>(to.wrapping_offset(i as isize * self.seen_row), mask, row);
            }
            to = to.wrapping_offset(step);
        }
    }

    /// The lanes that exist of a band's columns.
    #[cold]
    fn clip_columns(&self, near: usize, before: usize, masks: [&[[Mask; LANES]]; 2]) -> [[[Mask; LANES]; BAND]; 4] {
        let mut clipped = [[[0; LANES]; BAND]; 4];
        for (k, clipped) in clipped.iter_mut().enumerate() {
            let steps = low_bits((self.along[k % 2] + 1).saturating_sub(near));
            let steps = if WAYS[k] < 0 { steps.reverse_bits() } else { steps };
            for (j, (clipped, masks)) in clipped.iter_mut().zip(masks[usize::from(WAYS[k] < 0)]).enumerate() {
                let cells = (self.aside[k / 2] + 1).saturating_sub(before + j * LANES);
                for (clipped, mask) in clipped.iter_mut().zip(masks).take(cells) {
                    *clipped = mask & steps;
                }
            }
        }
        clipped
    }
}

/// Sixteen rows, from the last on if `BACKWARDS`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn load_tile<const BACKWARDS: bool>(tile: &[Vector; LANES]) -> [__m512; LANES] {
    let mut rows = [_mm512_setzero_ps(); LANES];
    for i in 0..LANES {
        rows[i] = tile[if BACKWARDS { LANES - 1 - i } else { i }].load();
    }
    rows
}

/// Rows and columns swapped: in pairs, in pairs of pairs, in quarters, in halves.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn turn(rows: [__m512; LANES]) -> [__m512; LANES] {
    let fours = turn_fours(rows);
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

/// Of four rows each, every quarter turned.
#[target_feature(enable = "avx512f")]
#[inline]
fn turn_fours(rows: [__m512; LANES]) -> [__m512; LANES] {
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

/// Rows and columns of a grid swapped.
pub(crate) fn mirror(grid: GridView<'_, f32>, into: &mut AlignedGrid) {
    mirror_part(grid, [0..grid.width(), 0..grid.height()], into);
}

/// Rows and columns of a window swapped, in the wedges to the left and to the right of its middle. What stands elsewhere
/// means nothing.
pub(crate) fn mirror_wedges(window: &AlignedGrid, in_sight: u32, into: &mut AlignedGrid) {
    let middle = window.width() / 2;
    let reach = middle.min(in_sight as usize);
    // As far up and down as the diagonals meet the circle.
    let aside = reach.min((f64::from(in_sight) * std::f64::consts::FRAC_1_SQRT_2) as usize + 1);
    let window = window.view();
    // Sixteen rows at a time, from the middle on: lines of a processor's cache in the mirror image, if its middle is.
    for below in (0..=aside).step_by(LANES) {
        let above = middle.saturating_sub(below + LANES)..middle - below;
        let below = middle + below..window.height().min(middle + below + LANES);
        for (rows, nearest) in [(above, below.start - middle + 1), (below.clone(), below.start - middle)] {
            let near = nearest.max(1);
            let far = reach.min(half_width(in_sight, nearest.min(reach) as u32) as usize);
            if far < near {
                continue;
            }
            // Whole tiles, if there is room for them.
            let far = middle.min(near - 1 + (far + 1 - near).next_multiple_of(LANES));
            mirror_part(window, [middle - far..middle + 1 - near, rows.clone()], into);
            mirror_part(window, [middle + near..middle + far + 1, rows], into);
        }
    }
}

/// Rows and columns swapped of a part of a grid: these columns, these rows. What stands elsewhere is left alone.
fn mirror_part(grid: GridView<'_, f32>, [columns, rows]: [Range<usize>; 2], into: &mut AlignedGrid) {
    let (width, height) = (grid.width(), grid.height());
    assert!(into.size() == grid.size().yx() && columns.end <= width && rows.end <= height);
    assert!(has_avx512());
    // SAFETY: the processor has AVX-512.
    let (stride, cells) = grid.stride_and_values();
    let (first, to) = (into.index_of(0, 0), into.stride());
    unsafe { mirror_tiles(cells, stride, &mut into.values_mut()[first..], to, [columns, rows]) }
}

#[target_feature(enable = "avx512f")]
fn mirror_tiles(from: &[f32], stride: usize, to: &mut [f32], to_stride: usize, [columns, rows]: [Range<usize>; 2]) {
    for y in rows.clone().step_by(LANES) {
        let in_rows = low_bits(rows.end - y);
        for x in columns.clone().step_by(LANES) {
            let in_columns = low_bits(columns.end - x);
            let (at, line) = (y * stride + x, x * to_stride + y);
            if in_rows & in_columns == Mask::MAX {
                mirror_tile(&from[at..], stride, &mut to[line..], to_stride);
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
            let tile = turn(tile);
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

/// A whole tile. Rows are read by halves, two of which make a vector: that spares the shuffles that would bring them
/// together.
#[target_feature(enable = "avx512f")]
#[inline]
fn mirror_tile(from: &[f32], stride: usize, to: &mut [f32], to_stride: usize) {
    let last = LANES - 1;
    assert!(last * stride + LANES <= from.len() && last * to_stride + LANES <= to.len());
    let mut rows = [_mm512_setzero_ps(); LANES];
    for half in 0..2 {
        for eight in 0..2 {
            for i in 0..4 {
                let row = from.as_ptr().wrapping_add((8 * eight + i) * stride + 8 * half);
                // SAFETY: eight cells each of two of the sixteen rows, of which all lie in the slice.
                let (one, other) =
                    unsafe { (_mm256_loadu_pd(row.cast()), _mm256_loadu_pd(row.wrapping_add(4 * stride).cast())) };
                rows[8 * half + 4 * eight + i] =
                    _mm512_castpd_ps(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(one), other));
            }
        }
    }
    let fours = turn_fours(rows);
    for half in 0..2 {
        for i in 0..4 {
            let (a, b) = (fours[8 * half + i], fours[8 * half + 4 + i]);
            let line = to.as_mut_ptr().wrapping_add((8 * half + i) * to_stride);
            // SAFETY: two of sixteen rows that lie in the slice.
            unsafe {
                _mm512_storeu_ps(line, _mm512_shuffle_f32x4::<0x88>(a, b));
                _mm512_storeu_ps(line.wrapping_add(4 * to_stride), _mm512_shuffle_f32x4::<0xdd>(a, b));
            }
        }
    }
}
