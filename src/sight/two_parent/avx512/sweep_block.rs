//! The kernel: up to three pieces of four octants, step by step.

use std::arch::x86_64::*;

use super::access::{ALL, IN_SIGHT, store_lane};
use super::buffers::{BAND, Lines, Vector, Work};
use super::octant_pairs::Wedges;
use super::octant_tiling::{LANES, Mask};
use super::row_band::{Band, Flow, ROWS};

/// Cells aside from where a piece begins, lane by lane, on either side of the axis.
const UPWARDS: Vector = Vector([0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.]);
const DOWNWARDS: Vector = Vector([15., 14., 13., 12., 11., 10., 9., 8., 7., 6., 5., 4., 3., 2., 1., 0.]);

impl Wedges<'_> {
    /// [`strip`], compiled for what the band is.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(crate) fn run<const HOLES: bool, const TOUCH: u8, const ORDER: u8, const N: usize>(
        &self,
        band: &Band<'_>,
        light: &mut [Vector],
        work: &mut Work,
    ) -> Flow {
        let disc = self.disc;
        let first = band.before == 0;
        if N < BAND {
            return match first {
                true => strip::<HOLES, TOUCH, ORDER, true, false, N, 1>([self], [band], [light], work)[0],
                false => strip::<HOLES, TOUCH, ORDER, false, false, N, 1>([self], [band], [light], work)[0],
            };
        }
        let more = disc.widest[band.near / LANES] >= band.before + N * LANES;
        match first {
            true if !more => strip::<HOLES, TOUCH, ORDER, true, false, N, 1>([self], [band], [light], work)[0],
            true => strip::<HOLES, TOUCH, ORDER, true, true, N, 1>([self], [band], [light], work)[0],
            false => strip::<HOLES, TOUCH, ORDER, false, true, N, 1>([self], [band], [light], work)[0],
        }
    }
}

/// The kernel, along one axis or along both at once: two `AXES` are rows, then columns, whatever the `ORDER`. The `FIRST`
/// band lies on the axis; with `MORE` beside it, its outermost light is kept. What is seen goes straight into the window in
/// `ROWS`, otherwise into lines, to be turned.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn strip<
    const HOLES: bool,
    const TOUCH: u8,
    const ORDER: u8,
    const FIRST: bool,
    const MORE: bool,
    const N: usize,
    const AXES: usize,
>(
    wedges: [&Wedges<'_>; AXES],
    bands: [&Band<'_>; AXES],
    light: [&mut [Vector]; AXES],
    work: &mut Work,
) -> [Flow; AXES] {
    let band = bands[0];
    let units = &wedges[0].disc.units[band.near + band.steps.start..][..band.steps.len()];
    let one = _mm512_set1_ps(1.0);
    let zero = _mm512_setzero_ps();
    // Plain loops: a closure that is handed to a function without these vectors is called, not inlined.
    let mut distance = [[zero; N]; 2];
    let mut through = [[[zero; N]; 4]; AXES];
    let [upwards, downwards] = &mut distance;
    for (b, (up, down)) in upwards.iter_mut().zip(downwards).enumerate() {
        let before = _mm512_set1_ps((band.before + b * LANES) as f32);
        *up = _mm512_add_ps(UPWARDS.load(), before);
        *down = _mm512_add_ps(DOWNWARDS.load(), before);
    }
    let mut cells = [[std::ptr::null(); 4]; AXES];
    let mut seen = [[std::ptr::null_mut(); 4]; AXES];
    let none: &[[Mask; LANES]; N] = &[[0; LANES]; N];
    let mut masks = [[none; 4]; AXES];
    for axis in 0..AXES {
        let light: &mut [Vector] = &mut light[axis][..4 * N];
        for k in 0..4 {
            cells[axis][k] = bands[axis].cells[k];
            seen[axis][k] = bands[axis].seen[k];
            masks[axis][k] = bands[axis].masks[k].try_into().expect("a mask for each piece");
            for b in 0..N {
                through[axis][k][b] = light[4 * b + k].load();
            }
        }
    }
    let mut any = _mm512_setzero_si512();
    let mut diagonal =
        _mm512_set1_ps(if band.diagonal { (band.near + band.steps.start) as f32 } else { f32::NEG_INFINITY });
    let lines = work.lines.0.as_mut_ptr();
    for (i, &unit) in band.steps.clone().zip(units) {
        let unit = _mm512_set1_ps(unit);
        for axis in 0..AXES {
            let rows = if AXES == 2 { axis == 0 } else { ORDER == ROWS };
            for k in 0..4 {
                // On the axis nothing comes from beside.
                let inner = if FIRST { zero } else { _mm512_set1_ps(work.outer[k].0[i]) };
                if MORE {
                    let lane = if k < 2 { LANES - 1 } else { 0 };
                    store_lane(&mut work.outer[k].0[i], lane, through[axis][k][N - 1]);
                }
                // From the outermost on, as the diagonal parents are those of the step before.
                for b in (0..N).rev() {
                    let mut share = _mm512_mul_ps(distance[k / 2][b], unit);
                    if b == N - 1 {
                        // m · (1/m) may miss 1.
                        let on = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(distance[k / 2][b], diagonal);
                        share = _mm512_mask_mov_ps(share, on, one);
                    }
                    let straight = through[axis][k][b];
                    let beside = if b == 0 { inner } else { through[axis][k][b - 1] };
                    let beside = if k < 2 { shift_up(straight, beside) } else { shift_down(straight, beside) };
                    let from_straight = _mm512_mul_ps(_mm512_sub_ps(one, share), straight);
                    let arriving = _mm512_add_ps(from_straight, _mm512_mul_ps(share, beside));
                    let at = if k < 2 { b as isize } else { -(b as isize) } * LANES as isize;
                    let mask = if TOUCH == ALL { Mask::MAX } else { masks[axis][k][b][i % LANES] };
                    let read = if TOUCH == IN_SIGHT { mask } else { Mask::MAX };
                    let opacity = wedges[axis].read::<TOUCH>(cells[axis][k].wrapping_offset(at), read);
                    let (arriving, passing) = pass::<HOLES>(arriving, opacity);
                    if !rows {
                        let to = lines.wrapping_add(Lines::place(k, b) + i);
                        debug_assert!(work.lines.0.as_ptr_range().contains(&to.cast_const()));
                        // SAFETY: row i of the lines of piece b.
                        unsafe { _mm512_store_ps(to.cast(), arriving) };
                    } else {
                        wedges[axis].write::<TOUCH>(seen[axis][k].wrapping_offset(at), mask, arriving);
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
    let mut flow = [[false; 2]; AXES];
    for ((flow, through), light) in flow.iter_mut().zip(&through).zip(light) {
        let mut left = _mm512_setzero_si512();
        for (k, through) in through.iter().enumerate() {
            for (b, &through) in through.iter().enumerate() {
                light[4 * b + k].store(through);
                left = _mm512_or_si512(left, _mm512_castps_si512(through));
            }
        }
        *flow = [_mm512_test_epi32_mask(any, any) != 0, _mm512_test_epi32_mask(left, left) != 0];
    }
    flow
}

/// What is seen of cells, and what passes through them.
#[target_feature(enable = "avx512f")]
#[inline]
fn pass<const HOLES: bool>(arriving: __m512, opacity: __m512) -> (__m512, __m512) {
    let one = _mm512_set1_ps(1.0);
    let clear = _mm512_sub_ps(one, opacity);
    if HOLES {
        let exists = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(opacity, one);
        (_mm512_maskz_mov_ps(exists, arriving), _mm512_maskz_mul_ps(exists, arriving, clear))
    } else {
        (arriving, _mm512_mul_ps(arriving, clear))
    }
}

/// Each lane takes the one before it, the first the last of `before`.
#[target_feature(enable = "avx512f")]
#[inline]
fn shift_up(row: __m512, before: __m512) -> __m512 {
    _mm512_castsi512_ps(_mm512_alignr_epi32::<15>(_mm512_castps_si512(row), _mm512_castps_si512(before)))
}

/// Each lane takes the one behind it, the last the first of `behind`.
#[target_feature(enable = "avx512f")]
#[inline]
fn shift_down(row: __m512, behind: __m512) -> __m512 {
    _mm512_castsi512_ps(_mm512_alignr_epi32::<1>(_mm512_castps_si512(behind), _mm512_castps_si512(row)))
}
