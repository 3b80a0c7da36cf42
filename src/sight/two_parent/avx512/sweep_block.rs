//! [`sweep_blocks`]: the kernel for up to three neighbouring blocks of four octants, row by row.

use std::arch::x86_64::*;

use super::access::store_lane;
use super::buffers::{BAND, BandScratch, ColumnBuffer, Vector16};
use super::mask_mode::{ALL, IN_SIGHT, ROWS};
use super::octant_pairs::OctantPairs;
use super::row_band::{LightLeft, RowBand};
use super::tiling::Mask;
use crate::simd::LANES;

/// The index of each lane's cell in its block, on either side of the axis.
const ASCENDING: Vector16 = Vector16([0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.]);
const DESCENDING: Vector16 = Vector16([15., 14., 13., 12., 11., 10., 9., 8., 7., 6., 5., 4., 3., 2., 1., 0.]);

impl OctantPairs<'_> {
    /// Calls [`sweep_blocks`] with constants for the position of the band.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn run_band<const NODATA: bool, const MODE: u8, const ORDER: u8, const N: usize>(
        &self,
        band: &RowBand<'_>,
        light: &mut [Vector16],
        scratch: &mut BandScratch,
    ) -> LightLeft {
        let first = band.first_cell == 0;
        if N < BAND {
            return match first {
                true => sweep_blocks::<NODATA, MODE, ORDER, true, false, N, 1>([self], [band], [light], scratch)[0],
                false => sweep_blocks::<NODATA, MODE, ORDER, false, false, N, 1>([self], [band], [light], scratch)[0],
            };
        }
        let more = self.tiling.last_cells[band.first_row / LANES] >= band.first_cell + N * LANES;
        match first {
            true if !more => {
                sweep_blocks::<NODATA, MODE, ORDER, true, false, N, 1>([self], [band], [light], scratch)[0]
            }
            true => sweep_blocks::<NODATA, MODE, ORDER, true, true, N, 1>([self], [band], [light], scratch)[0],
            false => sweep_blocks::<NODATA, MODE, ORDER, false, true, N, 1>([self], [band], [light], scratch)[0],
        }
    }
}

/// Sweeps N blocks through their rows, along one axis or along both at once.
///
/// Two `AXES` are rows, then columns, whatever the `ORDER`. The `FIRST` band of a group is at the axis. With `MORE` bands
/// after it, the light of its outermost cells is kept for them. Visibilities along rows are written into the window, those
/// along columns into the scratch buffer, to be transposed.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn sweep_blocks<
    const NODATA: bool,
    const MODE: u8,
    const ORDER: u8,
    const FIRST: bool,
    const MORE: bool,
    const N: usize,
    const AXES: usize,
>(
    pairs: [&OctantPairs<'_>; AXES],
    bands: [&RowBand<'_>; AXES],
    light: [&mut [Vector16]; AXES],
    scratch: &mut BandScratch,
) -> [LightLeft; AXES] {
    let band = bands[0];
    let reciprocals = &pairs[0].tiling.reciprocals[band.first_row + band.rows.start..][..band.rows.len()];
    let one = _mm512_set1_ps(1.0);
    let zero = _mm512_setzero_ps();
    // Plain loops: a closure passed to a function without these target features would be called, not inlined.
    let mut distance = [[zero; N]; 2];
    let mut through = [[[zero; N]; 4]; AXES];
    let [ascending, descending] = &mut distance;
    for (b, (up, down)) in ascending.iter_mut().zip(descending).enumerate() {
        let first_cell = _mm512_set1_ps((band.first_cell + b * LANES) as f32);
        *up = _mm512_add_ps(ASCENDING.load(), first_cell);
        *down = _mm512_add_ps(DESCENDING.load(), first_cell);
    }
    let mut cells = [[std::ptr::null(); 4]; AXES];
    let mut seen = [[std::ptr::null_mut(); 4]; AXES];
    let none: &[[Mask; LANES]; N] = &[[0; LANES]; N];
    let mut masks = [[none; 4]; AXES];
    for axis in 0..AXES {
        let light: &mut [Vector16] = &mut light[axis][..4 * N];
        for k in 0..4 {
            cells[axis][k] = bands[axis].cells[k];
            seen[axis][k] = bands[axis].seen[k];
            masks[axis][k] = bands[axis].masks[k].try_into().expect("a mask for each block");
            for b in 0..N {
                through[axis][k][b] = light[4 * b + k].load();
            }
        }
    }
    let mut any = _mm512_setzero_si512();
    let mut diagonal =
        _mm512_set1_ps(if band.has_diagonal { (band.first_row + band.rows.start) as f32 } else { f32::NEG_INFINITY });
    let columns = scratch.columns.0.as_mut_ptr();
    for (i, &reciprocal) in band.rows.clone().zip(reciprocals) {
        let reciprocal = _mm512_set1_ps(reciprocal);
        for axis in 0..AXES {
            let rows = if AXES == 2 { axis == 0 } else { ORDER == ROWS };
            for k in 0..4 {
                // At the axis there is no inner neighbour.
                let inner = if FIRST { zero } else { _mm512_set1_ps(scratch.outermost[k].0[i]) };
                if MORE {
                    let lane = if k < 2 { LANES - 1 } else { 0 };
                    store_lane(&mut scratch.outermost[k].0[i], lane, through[axis][k][N - 1]);
                }
                // From the outermost block inwards, since the diagonal parents are those of the row before.
                for b in (0..N).rev() {
                    let mut share = _mm512_mul_ps(distance[k / 2][b], reciprocal);
                    if b == N - 1 {
                        // M · (1/M) may differ from 1.
                        let on = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(distance[k / 2][b], diagonal);
                        share = _mm512_mask_mov_ps(share, on, one);
                    }
                    let straight = through[axis][k][b];
                    let neighbour = if b == 0 { inner } else { through[axis][k][b - 1] };
                    let diagonal_parent =
                        if k < 2 { shift_up(straight, neighbour) } else { shift_down(straight, neighbour) };
                    let from_straight = _mm512_mul_ps(_mm512_sub_ps(one, share), straight);
                    let arriving = _mm512_add_ps(from_straight, _mm512_mul_ps(share, diagonal_parent));
                    let at = if k < 2 { b as isize } else { -(b as isize) } * LANES as isize;
                    let mask = if MODE == ALL { Mask::MAX } else { masks[axis][k][b][i % LANES] };
                    let read = if MODE == IN_SIGHT { mask } else { Mask::MAX };
                    let opacity = pairs[axis].read::<MODE>(cells[axis][k].wrapping_offset(at), read);
                    let (arriving, passing) = pass::<NODATA>(arriving, opacity);
                    if !rows {
                        let to = columns.wrapping_add(ColumnBuffer::start(k, b) + i);
                        debug_assert!(scratch.columns.0.as_ptr_range().contains(&to.cast_const()));
                        // SAFETY: row i of block b in the column buffer.
                        unsafe { _mm512_store_ps(to.cast(), arriving) };
                    } else {
                        pairs[axis].write::<MODE>(seen[axis][k].wrapping_offset(at), mask, arriving);
                    }
                    through[axis][k][b] = passing;
                }
            }
            for k in 0..4 {
                cells[axis][k] = cells[axis][k].wrapping_offset(bands[axis].cells_step[k % 2]);
                if rows {
                    seen[axis][k] = seen[axis][k].wrapping_offset(bands[axis].seen_step[k % 2]);
                }
            }
        }
        diagonal = _mm512_add_ps(diagonal, one);
        if MORE {
            for through in &through[0] {
                any = _mm512_or_si512(any, _mm512_castps_si512(through[N - 1]));
            }
        }
    }
    let mut result = [LightLeft::default(); AXES];
    for ((result, through), light) in result.iter_mut().zip(&through).zip(light) {
        let mut left = _mm512_setzero_si512();
        for (k, through) in through.iter().enumerate() {
            for (b, &through) in through.iter().enumerate() {
                light[4 * b + k].store(through);
                left = _mm512_or_si512(left, _mm512_castps_si512(through));
            }
        }
        *result =
            LightLeft { aside: _mm512_test_epi32_mask(any, any) != 0, ahead: _mm512_test_epi32_mask(left, left) != 0 };
    }
    result
}

/// The visibility of cells, and the light that passes them.
#[target_feature(enable = "avx512f")]
#[inline]
fn pass<const NODATA: bool>(arriving: __m512, opacity: __m512) -> (__m512, __m512) {
    let one = _mm512_set1_ps(1.0);
    let clear = _mm512_sub_ps(one, opacity);
    if NODATA {
        let exists = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(opacity, one);
        (_mm512_maskz_mov_ps(exists, arriving), _mm512_maskz_mul_ps(exists, arriving, clear))
    } else {
        (arriving, _mm512_mul_ps(arriving, clear))
    }
}

/// Moves each lane to the next; the first takes the last of `before`.
#[target_feature(enable = "avx512f")]
#[inline]
fn shift_up(row: __m512, before: __m512) -> __m512 {
    _mm512_castsi512_ps(_mm512_alignr_epi32::<15>(_mm512_castps_si512(row), _mm512_castps_si512(before)))
}

/// Moves each lane to the one before; the last takes the first of `after`.
#[target_feature(enable = "avx512f")]
#[inline]
fn shift_down(row: __m512, after: __m512) -> __m512 {
    _mm512_castsi512_ps(_mm512_alignr_epi32::<1>(_mm512_castps_si512(after), _mm512_castps_si512(row)))
}
