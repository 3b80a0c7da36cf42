//! Radii up to 8 in vectors of sixteen: a wedge fits into one vector, and the whole view into as many as it has rows.
//!
//! ```text
//!   n = −5 … 5       Step M = 1, 2, … of a wedge is one vector: lane 7 lies on the axis, n cells aside is lane 7 + n.
//!   \‥‥‥‥‥/          All four wedges go outwards at once. Those to the left and right give columns; these are turned
//!    \‥‥‥/           into rows, and laid beside what is seen up and down. So every cell in sight is written, and
//!     \@/            nothing is remembered between views.
//! ```
//!
//! Visibilities are written under masks, each of which has only cells in sight, and the window holds these. Opacities are
//! read whole where there is room around the viewer, otherwise under masks, too, that have cells of the map alone. Masked
//! lanes touch no memory.

use std::arch::x86_64::*;

use super::access::lies_in;
use super::buffers::Vector;
use super::octant_tiling::{LANES, Mask};
use super::transpose::turn;
use crate::grid::AlignedGrid;
use crate::grid::GridView;
use crate::sight::window::{AXIS, SMALL};
use crate::simd::has_avx512;

/// The greatest radius.
pub(crate) const NEAR: u32 = SMALL;

const STEPS: usize = NEAR as usize;

/// For steps M = 1 … 8, the share of what a cell sees that comes straight, and what comes diagonally; 0 beyond the
/// diagonals.
static WEIGHTS: [[Vector; STEPS]; 2] = {
    let mut weights = [[Vector([0.0; LANES]); STEPS]; 2];
    let mut m = 1;
    while m <= STEPS {
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

/// Lanes with n ≤ M aside, for M = 0, 1, …
const WEDGE: [Mask; STEPS + 1] = {
    let mut wedge = [0; STEPS + 1];
    let mut m = 0;
    while m <= STEPS {
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

/// For each radius, and each row (M = 0, 1, …) of its disc: the lanes in sight.
static DISCS: [[Mask; STEPS + 1]; STEPS + 1] = {
    let mut discs = [[0; STEPS + 1]; STEPS + 1];
    let mut radius = 0;
    while radius <= STEPS {
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

/// Leaves in the window `seen` the raw visibility of every cell within `radius`, before the path rule and decay.
/// `columns` is the mirror image of the map `rows`.
///
/// # Panics
/// If the processor cannot do it, the radius is above [`NEAR`], the viewer is not on the map or the window does not hold
/// the radius.
#[inline]
pub(crate) fn over_map(
    rows: GridView<'_, f32>,
    columns: GridView<'_, f32>,
    viewer: [usize; 2],
    seen: &mut AlignedGrid,
    radius: u32,
) {
    let [x, y] = viewer;
    let (width, height) = (rows.width(), rows.height());
    assert!(x < width && y < height && (columns.width(), columns.height()) == (height, width));
    let ground = [Plane::of(rows, viewer), Plane::of(columns, [y, x])];
    let reach = [y, height - 1 - y, x, width - 1 - x];
    let window = Output::of(seen, radius);
    // SAFETY: the processor has AVX-512, as asserted with the window.
    unsafe {
        let inside = reach.into_iter().all(|reach| reach >= radius as usize);
        if inside && ground[0].is_open() && ground[1].is_open() {
            open_view(ground, window);
        } else {
            map_view(ground, reach, window);
        }
    }
}

/// The same over a window's `opacity`, the viewer in the middle; opacities above 1 stand for no cell.
///
/// # Panics
/// If the processor cannot do it, the radius is above [`NEAR`] or the windows do not hold it.
pub(crate) fn over_window(opacity: GridView<'_, f32>, seen: &mut AlignedGrid, radius: u32) {
    let side = opacity.width();
    assert!(side == opacity.height() && side / 2 >= radius as usize);
    let ground = Plane::of(opacity, [side / 2; 2]);
    // SAFETY: the processor has AVX-512, as asserted with the window.
    unsafe { window_view(ground, Output::of(seen, radius)) }
}

/// Values around the viewer's cell.
#[derive(Clone, Copy)]
struct Plane<'a> {
    cells: &'a [f32],
    /// Where the viewer's cell is.
    at: usize,
    row: usize,
}

impl<'a> Plane<'a> {
    #[inline]
    fn of(grid: GridView<'a, f32>, [x, y]: [usize; 2]) -> Self {
        let (row, cells) = grid.stride_and_values();
        Self { cells, at: y * row + x, row }
    }

    /// The lanes of a row `y` away that the mask has; 0 in others.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn read(self, y: isize, mask: Mask) -> __m512 {
        let from = self.cells.as_ptr().wrapping_add(self.at).wrapping_offset(y * self.row as isize - AXIS as isize);
        debug_assert!(lies_in(&self.cells.as_ptr_range(), from, mask));
        // SAFETY: the lanes of the mask are cells of the grid, in its slice; others are not touched.
        unsafe { _mm512_maskz_loadu_ps(mask, from) }
    }

    /// Whether all lanes may be read of all rows: what lies past the end of a row of the grid is another row.
    #[inline]
    fn is_open(self) -> bool {
        let reach = STEPS * self.row + LANES;
        reach <= self.at && reach < self.cells.len() - self.at
    }

    /// All lanes of a row `y` away.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn read_all(self, y: isize) -> __m512 {
        let from = self.cells.as_ptr().wrapping_add(self.at).wrapping_offset(y * self.row as isize - AXIS as isize);
        debug_assert!(lies_in(&self.cells.as_ptr_range(), from, Mask::MAX));
        // SAFETY: asked only of planes that [are open](Self::is_open): all lanes lie in the slice.
        unsafe { _mm512_loadu_ps(from) }
    }
}

/// The window of what is seen, and the radius.
struct Output<'a> {
    values: &'a mut [f32],
    middle: usize,
    stride: usize,
    radius: usize,
}

impl<'a> Output<'a> {
    #[inline]
    fn of(seen: &'a mut AlignedGrid, radius: u32) -> Self {
        assert!(has_avx512());
        let side = seen.width();
        assert!(seen.size().x == seen.size().y && radius <= NEAR && side / 2 >= radius as usize);
        let (middle, stride) = (seen.index_of(side / 2, side / 2), seen.stride());
        Self { values: seen.values_mut(), middle, stride, radius: radius as usize }
    }

    /// Writes the lanes in sight of the row `y` away.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn write(&mut self, y: isize, left: isize, mask: Mask, values: __m512) {
        let to = self.values.as_mut_ptr().wrapping_add(self.middle).wrapping_offset(y * self.stride as isize + left);
        debug_assert!(lies_in(&self.values.as_ptr_range(), to, mask));
        // SAFETY: the lanes of the mask are cells in sight, which the window holds; others are not touched.
        unsafe { _mm512_mask_storeu_ps(to, mask, values) }
    }
}

/// Lanes of the cells that there are to both sides of the axis.
fn lanes(before: usize, behind: usize) -> Mask {
    let [first, end] = [AXIS.saturating_sub(before), (AXIS + behind + 1).min(LANES)];
    ((1u32 << end) - (1u32 << first)) as Mask
}

/// Whatever of it lies on the map.
#[target_feature(enable = "avx512f")]
fn map_view([rows, columns]: [Plane<'_>; 2], reach: [usize; 4], window: Output<'_>) {
    let [up, down, left, right] = reach;
    let aside = [lanes(left, right), lanes(up, down)];
    let existing = |way: usize, m: usize, mask: Mask| {
        if m <= reach[way] { mask & aside[way / 2] } else { 0 }
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

/// Where no cell in sight lies off the map, and there is room around it: nothing is masked but what is written.
#[target_feature(enable = "avx512f")]
fn open_view([rows, columns]: [Plane<'_>; 2], window: Output<'_>) {
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
fn window_view(opacity: Plane<'_>, window: Output<'_>) {
    let disc = &DISCS[window.radius];
    let mut rows = [_mm512_setzero_ps(); LANES];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = opacity.read(i as isize - AXIS as isize, disc[i.abs_diff(AXIS)]);
    }
    let columns = turn(rows);
    // One cell more than there are lanes: the last to the left, of which nothing counts but whether it exists.
    let last = match window.radius == STEPS {
        true => _mm512_set1_ps(opacity.cells[opacity.at - STEPS]),
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

/// The kernel. `existing(way, M, mask)` leaves of the lanes in sight those of cells that exist, and
/// `opacity(way, M, mask)` has their opacities. Ways are up, down, left, right. `HOLES`: opacities above 1 are no cells.
/// `OPEN`: all lanes have opacities, and what comes of those out of sight is not written.
#[target_feature(enable = "avx512f")]
#[inline]
fn view<const HOLES: bool, const OPEN: bool>(
    mut window: Output<'_>,
    existing: impl Fn(usize, usize, Mask) -> Mask,
    opacity: impl Fn(usize, usize, Mask) -> __m512,
) {
    let disc = &DISCS[window.radius];
    let one = _mm512_set1_ps(1.0);
    // SAFETY: sixteen numbers.
    let inwards = unsafe { _mm512_loadu_si512(INWARDS.as_ptr().cast()) };
    let mut light = [_mm512_maskz_mov_ps(1 << AXIS, one); 4];
    let mut seen = [[_mm512_setzero_ps(); STEPS]; 4];
    // Written out, since a loop would keep all that is seen in memory.
    macro_rules! steps {
        ($($m:literal)*) => {
            $({
                let m: usize = $m;
                let (straight, diagonal) = (WEIGHTS[0][m - 1].load(), WEIGHTS[1][m - 1].load());
                let in_sight = disc[m] & WEDGE[m];
                for way in 0..4 {
                    let mask = existing(way, m, in_sight);
                    let opacity = opacity(way, m, mask);
                    let mask = if HOLES { _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(mask, opacity, one) } else { mask };
                    let from_straight = _mm512_mul_ps(straight, light[way]);
                    let from_beside = _mm512_mul_ps(diagonal, _mm512_permutexvar_ps(inwards, light[way]));
                    let arriving = if OPEN { _mm512_add_ps(from_straight, from_beside) } else { _mm512_maskz_add_ps(mask, from_straight, from_beside) };
                    let clear = _mm512_sub_ps(one, opacity);
                    light[way] = match HOLES {
                        true => _mm512_maskz_mul_ps(mask, arriving, clear),
                        false => _mm512_mul_ps(arriving, clear),
                    };
                    seen[way][m - 1] = arriving;
                }
            })*
        };
    }
    steps!(1 2 3 4 5 6 7 8);
    let [up, down, left, right] = seen;
    let mut tile = [_mm512_setzero_ps(); LANES];
    for m in 1..=AXIS {
        tile[AXIS - m] = left[m - 1];
    }
    tile[AXIS + 1..].copy_from_slice(&right);
    let tile = turn(tile);
    let middle = _mm512_mask_mov_ps(tile[AXIS], 1 << AXIS, one);
    window.write(0, -(AXIS as isize), disc[0], middle);
    if window.radius == STEPS {
        // One cell more than there are lanes.
        window.write(0, -(AXIS as isize) - STEPS as isize, 1 << AXIS, left[STEPS - 1]);
    }
    macro_rules! rows {
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
    rows!(1 2 3 4 5 6 7 8);
}
