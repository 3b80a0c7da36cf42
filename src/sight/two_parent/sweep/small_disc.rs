//! [`sweep_small_disc`]: the sweep for radii up to 8, for which each row of the window is one vector.
//!
//! ```text
//!   n = −5 … 5       Row M = 1, 2, … of the two octants along an axis is one vector: lane 7 is on the axis, cell n is in
//!   \‥‥‥‥‥/          lane 7 + n. All eight octants are swept outwards at the same time. The octants along columns give a
//!    \‥‥‥/           tile, which is transposed and combined with the rows of the others. So every cell in sight is written,
//!     \@/            and no state is kept between views.
//! ```

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, f32x16};

use super::row_band::{Output, Plane};
use super::vector::Vector;
use crate::sight::window::{AXIS, SMALL};
use crate::simd::transpose_16;

/// The number of lanes.
const W: usize = 16;

/// The largest radius of a small disc.
pub(super) const MAX_RADIUS: usize = SMALL as usize;

/// The shares of the diagonal parents in the rows M = 0, 1, …, for linear weights. Beyond the diagonals there is no light.
static SHARES: [[f32; W]; MAX_RADIUS + 1] = {
    let mut shares = [[0.0; W]; MAX_RADIUS + 1];
    let mut m = 1;
    while m <= MAX_RADIUS {
        let mut lane = 0;
        while lane < W {
            let n = lane.abs_diff(AXIS);
            // M · (1/M) may differ from 1.
            shares[m][lane] = if n == m { 1.0 } else { n as f32 * (1.0 / m as f32) };
            lane += 1;
        }
        m += 1;
    }
    shares
};

/// The squared distances from the viewer to the cells of rows 0 to 8.
static SQUARED_DISTANCES: [[f32; W]; MAX_RADIUS + 1] = {
    let mut squares = [[0.0; W]; MAX_RADIUS + 1];
    let mut dy = 0;
    while dy <= MAX_RADIUS {
        let mut lane = 0;
        while lane < W {
            let n = lane.abs_diff(AXIS);
            squares[dy][lane] = (n * n + dy * dy) as f32;
            lane += 1;
        }
        dy += 1;
    }
    squares
};

/// Computes the raw visibility of every cell within `out.reach`, which is the radius of the disc.
#[inline(always)]
pub(super) fn sweep_small_disc<S: Simd, const NODATA: bool>(simd: S, planes: [Plane<'_>; 2], out: &mut Output<'_>) {
    let zero = f32x16::splat(simd, 0.0);
    let mut on_axis = [0.0; W];
    on_axis[AXIS] = 1.0;
    let on_axis = f32x16::simd_from(simd, on_axis);
    let mut light = [on_axis; 4];
    // The visibilities of the octants along rows and along columns, from row or column −8 to 8.
    let mut rows = [zero; 2 * MAX_RADIUS + 1];
    let mut columns = [zero; W];
    let mut leftmost = zero;
    let [row_plane, column_plane] = planes;
    let mut row_cursors = RowCursors::new(row_plane);
    let mut column_cursors = RowCursors::new(column_plane);
    macro_rules! sweep_octants {
        ($k:literal, $m:literal, $row:expr, $seen:expr) => {{
            let transmittance = f32x16::from_slice(simd, $row);
            $seen = sweep_row::<S, NODATA>(simd, &mut light[$k], &SHARES[$m], transmittance);
        }};
    }
    // Unrolled, since a loop would keep all visibilities in memory.
    macro_rules! sweep_rows {
        ($($m:literal)*) => {
            $(
                sweep_octants!(0, $m, row_cursors.next_above(), rows[MAX_RADIUS - $m]);
                sweep_octants!(1, $m, row_cursors.next_below($m), rows[MAX_RADIUS + $m]);
                sweep_octants!(2, $m, column_cursors.next_above(), *columns.get_mut(AXIS.wrapping_sub($m)).unwrap_or(&mut leftmost));
                sweep_octants!(3, $m, column_cursors.next_below($m), columns[AXIS + $m]);
            )*
        };
    }
    sweep_rows!(1 2 3 4 5 6 7 8);
    // A tile has one column less than the disc of radius 8: that one has a single cell.
    let columns = transpose_16(simd, columns);
    let Output { viewer, stride, reach, .. } = *out;
    let limit = f32x16::splat(simd, (reach * reach) as u32 as f32);
    macro_rules! store_rows {
        ($($i:literal)*) => {
            $({
                let dy = MAX_RADIUS.abs_diff($i);
                if dy <= reach {
                    let row = if $i == 0 { rows[0] } else { rows[$i].max(columns[usize::max($i, 1) - 1]) };
                    let row = f32x16::simd_from(simd, SQUARED_DISTANCES[dy]).simd_le(limit).select(row, zero);
                    row.store_slice(&mut out.seen[viewer + $i * stride - MAX_RADIUS * stride - AXIS..][..W]);
                }
            })*
        };
    }
    store_rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    if reach == MAX_RADIUS {
        let leftmost: [f32; W] = leftmost.into();
        out.seen[viewer - MAX_RADIUS] = leftmost[AXIS];
    }
}

/// The rows of a plane above and below the viewer, from the nearest on. Each row is split off with one comparison, where an
/// index would need two.
struct RowCursors<'a> {
    above: &'a [f32],
    below: &'a [f32],
    stride: usize,
}

impl<'a> RowCursors<'a> {
    #[inline(always)]
    fn new(Plane { cells, viewer, stride }: Plane<'a>) -> Self {
        assert!(stride >= W, "the rows of a plane have room for a vector");
        let (above, below) = cells.split_at(viewer - AXIS);
        Self { above, below: &below[stride..], stride }
    }

    #[inline(always)]
    fn next_above(&mut self) -> &'a [f32] {
        let (farther, row) = self.above.split_at(self.above.len() - self.stride);
        self.above = farther;
        &row[..W]
    }

    /// Returns row `m`. The plane may end before the next one begins.
    #[inline(always)]
    fn next_below(&mut self, m: usize) -> &'a [f32] {
        if m == MAX_RADIUS {
            return &self.below[..W];
        }
        let (row, farther) = self.below.split_at(self.stride);
        self.below = farther;
        &row[..W]
    }
}

/// Sweeps one row of the two octants along an axis. `light` is the light that passes the row before, and then this row.
/// Returns the visibilities.
#[inline(always)]
fn sweep_row<S: Simd, const NODATA: bool>(
    simd: S,
    light: &mut f32x16<S>,
    share: &[f32; W],
    transmittance: f32x16<S>,
) -> f32x16<S> {
    let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
    let share = f32x16::simd_from(simd, *share);
    let arriving = (one - share) * *light + share * move_outwards(simd, *light);
    let passing = arriving * transmittance;
    if !NODATA {
        *light = passing;
        return arriving;
    }
    let exists = transmittance.simd_ge(zero);
    *light = exists.select(passing, zero);
    exists.select(arriving, zero)
}

/// Moves each lane one step away from the axis.
#[inline(always)]
fn move_outwards<S: Simd>(simd: S, light: f32x16<S>) -> f32x16<S> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = simd.level().as_avx512() {
        return move_outwards_avx512(avx512, light.into()).simd_into(simd);
    }
    let _ = simd; // only AVX-512 needs the token
    let (before, after): (f32x8<S>, f32x8<S>) = light.split();
    before.shift_down(before).combine(after.shift_up(before))
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel! {
    #[inline(always)]
    fn move_outwards_avx512(simd: Avx512, light: [f32; W]) -> [f32; W] {
        use std::arch::x86_64::{_mm512_permutexvar_ps, _mm512_setr_epi32};
        let inwards = _mm512_setr_epi32(1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 10, 11, 12, 13, 14);
        let moved: f32x16<_> =
            _mm512_permutexvar_ps(inwards, f32x16::simd_from(simd, light).into()).simd_into(simd);
        moved.into()
    }
}
