//! [`sweep_small_disc`]: the sweep for radii up to 8, for which each row of the window is one vector.
//!
//! ```text
//!   n = −5 … 5       Row M = 1, 2, … of the two octants along an axis is one vector: lane 7 is on the axis, cell n is in
//!   \‥‥‥‥‥/          lane 7 + n. All eight octants are swept outwards at the same time. The octants along columns give a
//!    \‥‥‥/           tile, which is transposed and combined with the rows of the others. So every cell in sight is written,
//!     \@/            and no state is kept between views.
//! ```

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

use super::band::Output;
use super::band::Plane;
use crate::sight::offsets::linear_weight;
use crate::sight::two_parent::definition::arriving;
use crate::sight::window::{AXIS, SMALL};
use crate::simd::{shift_outwards, transpose_octants};

/// The number of lanes.
const W: usize = 16;

/// The largest radius of a small disc.
pub(super) const MAX_RADIUS: usize = SMALL as usize;

/// A value for each lane of the rows M = 0 to 8.
type RowTable = [[f32; W]; MAX_RADIUS + 1];

/// The linear weights of the diagonal parents, and the squared distances from the viewer. Row 0 has no parents, and
/// beyond the diagonals there is no light.
static SHARES_AND_SQUARES: (RowTable, RowTable) = {
    let (mut shares, mut squares) = ([[0.0; W]; MAX_RADIUS + 1], [[0.0; W]; MAX_RADIUS + 1]);
    let mut i = 0;
    while i < W * (MAX_RADIUS + 1) {
        let (m, lane) = (i / W, i % W);
        let n = lane.abs_diff(AXIS);
        shares[m][lane] = linear_weight(n as i32, m as i32);
        squares[m][lane] = (n * n + m * m) as f32;
        i += 1;
    }
    (shares, squares)
};

/// Computes the raw visibility of every cell within `out.reach`, which is the radius of the disc.
#[inline(always)]
pub(super) fn sweep_small_disc<S: Simd, const NODATA: bool>(simd: S, planes: [Plane<'_>; 2], out: &mut Output<'_>) {
    let (shares, squares) = &SHARES_AND_SQUARES;
    let zero = f32x16::splat(simd, 0.0);
    let mut on_axis = [0.0; W];
    on_axis[AXIS] = 1.0;
    let on_axis = f32x16::simd_from(simd, on_axis);
    let mut light = [on_axis; 4];
    // The visibilities of the octants along rows and along columns, from row or column −8 to 8.
    let mut rows = [zero; 2 * MAX_RADIUS + 1];
    rows[MAX_RADIUS] = on_axis;
    let mut columns = [zero; W];
    let mut leftmost = zero;
    let [row_plane, column_plane] = planes;
    let (row_plane, column_plane) = (PlaneRows::new(row_plane), PlaneRows::new(column_plane));
    macro_rules! sweep_octants {
        ($k:literal, $m:literal, $row:expr, $seen:expr) => {{
            let transmittance = f32x16::from_slice(simd, $row);
            $seen = sweep_row::<S, NODATA>(simd, &mut light[$k], &shares[$m], transmittance);
        }};
    }
    // Unrolled, since a loop would spill all visibilities to memory.
    macro_rules! sweep_rows {
        ($($m:literal)*) => {
            $(
                sweep_octants!(0, $m, row_plane.row(MAX_RADIUS - $m), rows[MAX_RADIUS - $m]);
                sweep_octants!(1, $m, row_plane.row(MAX_RADIUS + $m), rows[MAX_RADIUS + $m]);
                sweep_octants!(2, $m, column_plane.row(MAX_RADIUS - $m), *columns.get_mut(AXIS.wrapping_sub($m)).unwrap_or(&mut leftmost));
                sweep_octants!(3, $m, column_plane.row(MAX_RADIUS + $m), columns[AXIS + $m]);
            )*
        };
    }
    sweep_rows!(1 2 3 4 5 6 7 8);
    // A tile has one column less than the disc of radius 8, whose outermost column has a single cell.
    let columns = transpose_octants(simd, columns);
    let Output { viewer, stride, reach, .. } = *out;
    let limit = f32x16::splat(simd, (reach * reach) as u32 as f32);
    assert!((W..u32::MAX as usize).contains(&stride), "the rows of a window have room for a vector");
    let cells = &mut out.seen[viewer - AXIS - MAX_RADIUS * stride..][..2 * MAX_RADIUS * stride + W];
    macro_rules! store_rows {
        ($($i:literal)*) => {
            $({
                let row = if $i == 0 { rows[0] } else { rows[$i].max(columns[usize::max($i, 1) - 1]) };
                let inside = f32x16::simd_from(simd, squares[MAX_RADIUS.abs_diff($i)]).simd_le(limit);
                inside.select(row, zero).store_slice(&mut cells[$i * stride..][..W]);
            })*
        };
    }
    store_rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    if reach == MAX_RADIUS {
        out.seen[viewer - MAX_RADIUS] = leftmost[AXIS];
    }
}

/// The cells of a plane from row −8 to row 8. Their number is computed from the stride, so that the compiler can omit
/// bounds checks for rows.
#[derive(Clone, Copy)]
struct PlaneRows<'a> {
    cells: &'a [f32],
    stride: usize,
}

impl<'a> PlaneRows<'a> {
    #[inline(always)]
    fn new(Plane { cells, viewer, stride }: Plane<'a>) -> Self {
        assert!((W..u32::MAX as usize).contains(&stride), "the rows of a plane have room for a vector");
        Self { cells: &cells[viewer - AXIS - MAX_RADIUS * stride..][..2 * MAX_RADIUS * stride + W], stride }
    }

    /// Returns the vector of row `y` − 8.
    #[inline(always)]
    fn row(self, y: usize) -> &'a [f32] {
        &self.cells[y * self.stride..][..W]
    }
}

/// Sweeps one row of the two octants along an axis. `light` is the light that passes the previous row, and on return
/// this row. Returns the visibilities.
#[inline(always)]
fn sweep_row<S: Simd, const NODATA: bool>(
    simd: S,
    light: &mut f32x16<S>,
    share: &[f32; W],
    transmittance: f32x16<S>,
) -> f32x16<S> {
    let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
    let share = f32x16::simd_from(simd, *share);
    let arriving = arriving(one, share, *light, shift_outwards(simd, *light));
    let passing = arriving * transmittance;
    if !NODATA {
        *light = passing;
        return arriving;
    }
    let exists = transmittance.simd_ge(zero);
    *light = exists.select(passing, zero);
    exists.select(arriving, zero)
}
