//! The kernel for radii up to 8: a row of a wedge is one vector, and so is each row of the view.
//!
//! ```text
//!   n = −5 … 5       Row M = 1, 2, … of a wedge is one vector: lane 7 is on the axis, cell n is in lane 7 + n. All four
//!   \‥‥‥‥‥/          wedges are swept outwards at once. The wedges to the left and right give columns, which are
//!    \‥‥‥/           transposed and combined with the rows of the other two. So every cell in sight is written, and
//!     \@/            no state is kept between views.
//! ```
//!
//! Visibilities are written under masks that have only cells in sight, which the window contains. Opacities are read
//! without masks if there are enough cells around the viewer, otherwise under masks that have only cells of the map.
//! Masked lanes access no memory.

use std::arch::x86_64::*;

use super::access::lies_in;
use super::buffers::Vector16;
use super::map_margins::MapMargins;
use super::tiling::Mask;
use super::transpose::transpose_tile;
use crate::grid::AlignedGrid;
use crate::grid::GridView;
use crate::sight::window::{AXIS, SMALL};
use crate::simd::{LANES, has_avx512};

/// The largest radius that this kernel accepts.
pub(in crate::sight::two_parent) const MAX_RADIUS: u32 = SMALL;

const ROWS: usize = MAX_RADIUS as usize;

/// The shares of the straight and of the diagonal parents in the rows M = 1 … 8; 0 beyond the diagonals.
static WEIGHTS: [[Vector16; ROWS]; 2] = {
    let mut weights = [[Vector16([0.0; LANES]); ROWS]; 2];
    let mut m = 1;
    while m <= ROWS {
        let mut lane = 0;
        while lane < LANES {
            let n = lane.abs_diff(AXIS);
            if n <= m {
                let share = if n == m { 1.0 } else { n as f32 * (1.0 / m as f32) };
                weights[0][m - 1].0[lane] = 1.0 - share;
                weights[1][m - 1].0[lane] = share;
            }
            lane += 1;
        }
        m += 1;
    }
    weights
};

/// The lane one step nearer to the axis.
const INWARDS: [i32; LANES] = [1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 10, 11, 12, 13, 14];

/// The lanes with |n| ≤ M, for M = 0, 1, …
const WEDGE: [Mask; ROWS + 1] = {
    let mut wedge = [0; ROWS + 1];
    let mut m = 0;
    while m <= ROWS {
        let mut lane = 0;
        while lane < LANES {
            if lane.abs_diff(AXIS) <= m {
                wedge[m] |= 1 << lane;
            }
            lane += 1;
        }
        m += 1;
    }
    wedge
};

/// The lanes in sight, for each radius and each row M = 0, 1, … of its disc.
static DISCS: [[Mask; ROWS + 1]; ROWS + 1] = {
    let mut discs = [[0; ROWS + 1]; ROWS + 1];
    let mut radius = 0;
    while radius <= ROWS {
        let mut m = 0;
        while m <= radius {
            let mut lane = 0;
            while lane < LANES {
                let n = lane.abs_diff(AXIS);
                if n * n + m * m <= radius * radius {
                    discs[radius][m] |= 1 << lane;
                }
                lane += 1;
            }
            m += 1;
        }
        radius += 1;
    }
    discs
};

/// Computes the raw visibility of every cell within `radius` into the window `seen`, before the path rule and decay.
/// `columns` is the transposed map `rows`.
///
/// # Panics
/// If the processor has no AVX-512, the radius is above [`MAX_RADIUS`], the viewer is not on the map or the window does not
/// contain the radius.
#[inline]
pub(in crate::sight::two_parent) fn over_map(
    rows: GridView<'_, f32>,
    columns: GridView<'_, f32>,
    viewer: [usize; 2],
    seen: &mut AlignedGrid,
    radius: u32,
) {
    let [x, y] = viewer;
    let (width, height) = (rows.width(), rows.height());
    assert!((columns.width(), columns.height()) == (height, width));
    let margins = MapMargins::new([width, height], viewer);
    let opacity = [OpacityAround::new(rows, viewer), OpacityAround::new(columns, [y, x])];
    let window = SeenWindow::new(seen, radius);
    // SAFETY: `SeenWindow::new` asserts that the processor has AVX-512.
    unsafe {
        let inside = margins.to_array().into_iter().all(|margin| margin >= radius as usize);
        if inside && opacity.iter().all(|opacity| opacity.may_read_all()) {
            view_inside_map(opacity, window);
        } else {
            view_clipped_to_map(opacity, margins, window);
        }
    }
}

/// [`over_map`] for the opacities of a window with the viewer in the middle. Opacities above 1 mean that there is no cell.
///
/// # Panics
/// If the processor has no AVX-512, the radius is above [`MAX_RADIUS`] or the windows do not contain it.
pub(in crate::sight::two_parent) fn over_window(opacity: GridView<'_, f32>, seen: &mut AlignedGrid, radius: u32) {
    let side = opacity.width();
    assert!(side == opacity.height() && side / 2 >= radius as usize);
    let opacity = OpacityAround::new(opacity, [side / 2; 2]);
    // SAFETY: `SeenWindow::new` asserts that the processor has AVX-512.
    unsafe { view_of_window(opacity, SeenWindow::new(seen, radius)) }
}

/// Opacities around the viewer's cell.
#[derive(Clone, Copy)]
struct OpacityAround<'a> {
    cells: &'a [f32],
    /// The index of the viewer's cell.
    viewer: usize,
    stride: usize,
}

impl<'a> OpacityAround<'a> {
    #[inline]
    fn new(grid: GridView<'a, f32>, [x, y]: [usize; 2]) -> Self {
        let (stride, cells) = grid.stride_and_values();
        Self { cells, viewer: y * stride + x, stride }
    }

    /// Reads the lanes of the mask in the row at distance `y`; the others are 0.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn read(self, y: isize, mask: Mask) -> __m512 {
        let from = self.row_start(y);
        debug_assert!(lies_in(&self.cells.as_ptr_range(), from, mask));
        // SAFETY: the lanes of the mask are cells of the grid, in its slice; others are not accessed.
        unsafe { _mm512_maskz_loadu_ps(mask, from) }
    }

    #[inline]
    fn row_start(self, y: isize) -> *const f32 {
        self.cells.as_ptr().wrapping_add(self.viewer).wrapping_offset(y * self.stride as isize - AXIS as isize)
    }

    /// Returns `true` if all lanes of all rows may be read. What follows the end of a row of the grid is another row.
    #[inline]
    fn may_read_all(&self) -> bool {
        let reach = ROWS * self.stride + LANES;
        reach <= self.viewer && reach < self.cells.len() - self.viewer
    }

    /// Reads all lanes of the row at distance `y`.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn read_all(self, y: isize) -> __m512 {
        let from = self.row_start(y);
        debug_assert!(lies_in(&self.cells.as_ptr_range(), from, Mask::MAX));
        // SAFETY: only called after `may_read_all`: all lanes are in the slice.
        unsafe { _mm512_loadu_ps(from) }
    }
}

/// The window for visibilities, and the radius.
struct SeenWindow<'a> {
    values: &'a mut [f32],
    middle: usize,
    stride: usize,
    radius: usize,
}

impl<'a> SeenWindow<'a> {
    #[inline]
    fn new(seen: &'a mut AlignedGrid, radius: u32) -> Self {
        assert!(has_avx512());
        let side = seen.width();
        assert!(seen.size().x == seen.size().y && radius <= MAX_RADIUS && side / 2 >= radius as usize);
        let (middle, stride) = (seen.index_of(side / 2, side / 2), seen.stride());
        Self { values: seen.values_mut(), middle, stride, radius: radius as usize }
    }

    /// Writes the lanes of the mask into the row at distance `y`.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn write(&mut self, y: isize, left: isize, mask: Mask, values: __m512) {
        let to = self.values.as_mut_ptr().wrapping_add(self.middle).wrapping_offset(y * self.stride as isize + left);
        debug_assert!(lies_in(&self.values.as_ptr_range(), to, mask));
        // SAFETY: the lanes of the mask are cells in sight, which the window contains; others are not accessed.
        unsafe { _mm512_mask_storeu_ps(to, mask, values) }
    }
}

/// The lanes with this number of cells on the two sides of the axis.
fn lanes(before: usize, after: usize) -> Mask {
    let [first, end] = [AXIS.saturating_sub(before), (AXIS + after + 1).min(LANES)];
    ((1u32 << end) - (1u32 << first)) as Mask
}

/// The view where the map ends within the radius.
#[target_feature(enable = "avx512f")]
fn view_clipped_to_map([rows, columns]: [OpacityAround<'_>; 2], margins: MapMargins, window: SeenWindow<'_>) {
    let MapMargins { up, down, left, right } = margins;
    let margins = margins.to_array();
    let aside = [lanes(left, right), lanes(up, down)];
    let existing = |way: usize, m: usize, mask: Mask| {
        if m <= margins[way] { mask & aside[way / 2] } else { 0 }
    };
    view::<false, false>(window, existing, |way, m, mask| {
        let m = m as isize;
        match way {
            0 => rows.read(-m, mask),
            1 => rows.read(m, mask),
            2 => columns.read(-m, mask),
            _ => columns.read(m, mask),
        }
    });
}

/// The view where all cells in sight are on the map with enough cells around them: only writes are masked.
#[target_feature(enable = "avx512f")]
fn view_inside_map([rows, columns]: [OpacityAround<'_>; 2], window: SeenWindow<'_>) {
    view::<false, true>(
        window,
        |_, _, mask| mask,
        |way, m, _| {
            let m = m as isize;
            match way {
                0 => rows.read_all(-m),
                1 => rows.read_all(m),
                2 => columns.read_all(-m),
                _ => columns.read_all(m),
            }
        },
    );
}

#[target_feature(enable = "avx512f")]
fn view_of_window(opacity: OpacityAround<'_>, window: SeenWindow<'_>) {
    let disc = &DISCS[window.radius];
    let mut rows = [_mm512_setzero_ps(); LANES];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = opacity.read(i as isize - AXIS as isize, disc[i.abs_diff(AXIS)]);
    }
    let columns = transpose_tile(rows);
    // One cell more than there are lanes: the last to the left. It only matters whether it exists.
    let last = match window.radius == ROWS {
        true => _mm512_set1_ps(opacity.cells[opacity.viewer - ROWS]),
        false => _mm512_setzero_ps(),
    };
    view::<true, false>(
        window,
        |_, _, mask| mask,
        |way, m, mask| match way {
            0 if m <= AXIS => rows[AXIS - m],
            0 => opacity.read(-(m as isize), mask),
            1 => rows[AXIS + m],
            2 if m <= AXIS => columns[AXIS - m],
            2 => last,
            _ => columns[AXIS + m],
        },
    );
}

/// The kernel. `existing(way, M, mask)` masks the lanes in sight to cells that exist, and `opacity(way, M, mask)` reads
/// their opacities. Ways are up, down, left, right. `NODATA`: opacities above 1 mean that there is no cell. `INSIDE`: all
/// lanes have opacities, and results out of sight are not written.
#[target_feature(enable = "avx512f")]
#[inline]
fn view<const NODATA: bool, const INSIDE: bool>(
    mut window: SeenWindow<'_>,
    existing: impl Fn(usize, usize, Mask) -> Mask,
    opacity: impl Fn(usize, usize, Mask) -> __m512,
) {
    let disc = &DISCS[window.radius];
    let one = _mm512_set1_ps(1.0);
    // SAFETY: `INWARDS` has 16 numbers.
    let inwards = unsafe { _mm512_loadu_si512(INWARDS.as_ptr().cast()) };
    let mut light = [_mm512_maskz_mov_ps(1 << AXIS, one); 4];
    let mut seen = [[_mm512_setzero_ps(); ROWS]; 4];
    // Unrolled, since a loop would keep all visibilities in memory.
    macro_rules! sweep_rows {
        ($($m:literal)*) => {
            $({
                let m: usize = $m;
                let (straight, diagonal) = (WEIGHTS[0][m - 1].load(), WEIGHTS[1][m - 1].load());
                let in_sight = disc[m] & WEDGE[m];
                for way in 0..4 {
                    let mask = existing(way, m, in_sight);
                    let opacity = opacity(way, m, mask);
                    let mask = if NODATA { _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(mask, opacity, one) } else { mask };
                    let from_straight = _mm512_mul_ps(straight, light[way]);
                    let from_diagonal = _mm512_mul_ps(diagonal, _mm512_permutexvar_ps(inwards, light[way]));
                    let arriving = if INSIDE { _mm512_add_ps(from_straight, from_diagonal) } else { _mm512_maskz_add_ps(mask, from_straight, from_diagonal) };
                    let clear = _mm512_sub_ps(one, opacity);
                    light[way] = match NODATA {
                        true => _mm512_maskz_mul_ps(mask, arriving, clear),
                        false => _mm512_mul_ps(arriving, clear),
                    };
                    seen[way][m - 1] = arriving;
                }
            })*
        };
    }
    sweep_rows!(1 2 3 4 5 6 7 8);
    let [up, down, left, right] = seen;
    let mut tile = [_mm512_setzero_ps(); LANES];
    for m in 1..=AXIS {
        tile[AXIS - m] = left[m - 1];
    }
    tile[AXIS + 1..].copy_from_slice(&right);
    let tile = transpose_tile(tile);
    let middle = _mm512_mask_mov_ps(tile[AXIS], 1 << AXIS, one);
    window.write(0, -(AXIS as isize), disc[0], middle);
    if window.radius == ROWS {
        // One cell more than there are lanes.
        window.write(0, -(AXIS as isize) - ROWS as isize, 1 << AXIS, left[ROWS - 1]);
    }
    macro_rules! write_rows {
        ($($m:literal)*) => {
            $({
                let m: usize = $m;
                let above = if m <= AXIS { _mm512_mask_mov_ps(tile[AXIS - m], WEDGE[m], up[m - 1]) } else { up[m - 1] };
                let below = _mm512_mask_mov_ps(tile[AXIS + m], WEDGE[m], down[m - 1]);
                window.write(-(m as isize), -(AXIS as isize), disc[m], above);
                window.write(m as isize, -(AXIS as isize), disc[m], below);
            })*
        };
    }
    write_rows!(1 2 3 4 5 6 7 8);
}
