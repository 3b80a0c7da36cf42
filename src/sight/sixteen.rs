//! The fast kernel in vectors of sixteen, for processors with AVX-512: linear weights, to the bit what the plain kernel
//! gives.
//!
//! ```text
//!    ╲ 0 │ 2 ╱      Two wedges are swept at once, up and down along the rows of a map, then left and right along the
//!      ╲ │ ╱        rows of its mirror image, in which columns are rows. Each has two octants. In steps M = 1, 2, …
//!   ─────@─────     outwards, what passes through a row stays in registers: up to three vectors for each of the four
//!      ╱ │ ╲        octants, aside from the axis n = 16 b + 1 …  The parents of a cell are the same lane of the step
//!    ╱ 3 │ 1 ╲      before, and the lane beside. What is seen left and right is turned in tiles of 16 × 16.
//! ```
//!
//! Work is cut into pieces of 16 steps by 16 cells ([`Disc`]). Where no light enters a piece, it is skipped, and cleared
//! if an earlier view left light in it. Octants 0 and 1 run to one side of their axis, 2 and 3 are mirrored: their lanes
//! run the other way.
//!
//! # Why this file may be `unsafe`
//!
//! Intrinsics that take no pointer are safe in functions that enable AVX-512, and those are entered in one place, after
//! the processor was asked. What is left are reads and writes through pointers, since checking each of some thousand
//! vectors costs as much as computing it:
//! - Opacities are read around the viewer's cell in a slice. A vector that may reach out of the slice is read under a
//!   mask that has only lanes in sight and on the map: [`Wedges::band`] chooses, by how much of the slice lies before and
//!   behind the viewer. Masked lanes touch no memory.
//! - Visibilities are written in the same way into the window, which holds every cell in sight and on the map.
//! - What lies between is in buffers of fixed shape that this file alone sizes.
//!
//! Debug builds check every access, and the tests run in them.

use std::arch::x86_64::*;
use std::ops::Range;

use super::disc::{Disc, LANES, Mask, low_bits};
use crate::Grid;

/// Pieces of an octant that are kept in registers at once.
const BAND: usize = 3;

/// Values for the sixteen lanes, as the processor likes them to lie.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Vector([f32; LANES]);

/// The buffers of the sweep in vectors of sixteen.
#[derive(Clone, Debug, Default)]
pub(super) struct Sixteen {
    disc: Disc,
    /// What passes through the last row, for each piece aside and each octant.
    light: Vec<Vector>,
    /// Whether any does.
    lit: Vec<bool>,
    /// For each piece, up and down, then left and right: whether the window has light in it.
    written: [Vec<bool>; 2],
    /// What window that holds for.
    written_for: Option<Shape>,
    work: Box<Work>,
}

/// Working space of a band.
#[derive(Clone, Debug, Default)]
struct Work {
    /// What passed through the outermost lane before each step, for the next pieces aside.
    outer: [Vector; 4],
    /// Rows of the mirror image, to be turned.
    lines: Lines,
    /// What passed through the last cells of the axes.
    axis: [f32; 2],
}

/// Sixteen rows for each octant and piece. Every fourth begins five rows later, since a processor confuses what it reads
/// with what it has just written a multiple of 4096 bytes away.
#[derive(Clone, Debug)]
struct Lines([Vector; 4 * BAND * LANES + 4 * 5]);

impl Default for Lines {
    fn default() -> Self {
        Self([Vector::default(); 4 * BAND * LANES + 4 * 5])
    }
}

impl Lines {
    #[inline(always)]
    const fn place(octant: usize, piece: usize) -> usize {
        let rank = octant * BAND + piece;
        rank * LANES + rank / 4 * 5
    }
}

/// Opacities, and where the viewer stands in them.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// Row by row.
    pub(super) rows: &'a Grid<f32>,
    /// The same, mirrored: column by column.
    pub(super) columns: &'a Grid<f32>,
    pub(super) viewer: [usize; 2],
    /// Whether there are opacities that stand for no cell.
    pub(super) holes: bool,
}

/// What a window's values depend on, beside opacities.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    in_sight: u32,
    window: u32,
    reach: [usize; 4],
}

impl Sixteen {
    /// Whether this processor can do it.
    pub(super) fn is_supported() -> bool {
        std::arch::is_x86_feature_detected!("avx512f")
    }

    /// To be told when something else wrote into the window.
    pub(super) fn forget(&mut self) {
        self.written_for = None;
    }

    /// Leaves in the window `seen` the raw visibility of every cell within `in_sight`, before the path rule and decay. A
    /// `whole` map lies in sight anyway: then it is as well for a larger radius, which serves other viewers, too.
    ///
    /// # Panics
    /// If the processor cannot do it, or the window does not hold all cells of the ground within `in_sight`.
    pub(super) fn sweep(&mut self, ground: Ground<'_>, seen: &mut Grid<f32>, in_sight: u32, whole: bool) {
        assert!(Self::is_supported());
        let [x, y] = ground.viewer;
        let (width, height) = (ground.rows.width(), ground.rows.height());
        assert!(x < width && y < height && (ground.columns.width(), ground.columns.height()) == (height, width));
        let reach = [y, height - 1 - y, x, width - 1 - x];
        let furthest = in_sight.max(1).min(reach.into_iter().max().unwrap_or(0) as u32);
        let window = (seen.width() / 2) as u32;
        assert!(seen.width() == seen.height() && furthest <= window, "a window of {window} is none for {furthest}");
        let radius = if whole { in_sight.next_power_of_two() } else { in_sight };
        if self.disc.radius != radius as usize {
            self.disc.cut(radius);
            self.light.resize(4 * self.disc.blocks, Vector::default());
            self.lit.resize(self.disc.blocks, false);
            self.written_for = None;
        }
        let shape = Shape { in_sight: radius, window, reach: reach.map(|r| r.min(radius as usize)) };
        if self.written_for != Some(shape) {
            seen.as_mut_slice().fill(0.0);
            for written in &mut self.written {
                written.clear();
                written.resize(self.disc.pieces(), false);
            }
            self.written_for = Some(shape);
        }
        // SAFETY: the processor has AVX-512, as asserted above.
        unsafe {
            if ground.holes {
                self.both_axes::<true>(ground, seen, reach);
            } else {
                self.both_axes::<false>(ground, seen, reach);
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    fn both_axes<const HOLES: bool>(&mut self, ground: Ground<'_>, seen: &mut Grid<f32>, reach: [usize; 4]) {
        let [up, down, left, right] = reach;
        let [x, y] = ground.viewer;
        let side = seen.width();
        let middle = side / 2 * (side + 1);
        let seen = seen.as_mut_slice();
        seen[middle] = 1.0;
        let room_seen = middle.min(seen.len() - 1 - middle);
        // Not through `seen` any more, but through this pointer alone.
        let writable = seen.as_mut_ptr_range();
        let opposite = [up.max(down), left.max(right)];
        let along = [[up, down], [left, right]];
        let aside = [[right, left], [down, up]];
        for (axis, (grid, at)) in
            [(ground.rows, y * ground.rows.width() + x), (ground.columns, x * ground.columns.width() + y)]
                .into_iter()
                .enumerate()
        {
            let cells = grid.as_slice();
            let wedges = Wedges {
                disc: &self.disc,
                cells: cells[at..].as_ptr(),
                readable: cells.as_ptr_range(),
                cells_row: grid.width() as isize,
                room: at.min(cells.len() - 1 - at),
                seen: writable.start.wrapping_add(middle),
                writable: writable.clone(),
                seen_row: side as isize,
                room_seen,
                window: side / 2,
                along: along[axis],
                aside: aside[axis],
                far: opposite[axis].min(self.disc.radius),
            };
            let state = State {
                light: &mut self.light,
                lit: &mut self.lit,
                written: &mut self.written[axis],
                work: &mut self.work,
            };
            if axis == 0 {
                wedges.sweep::<HOLES, true>(state);
            } else {
                wedges.sweep::<HOLES, false>(state);
            }
        }
    }
}

/// What a sweep of two wedges changes, beside the window.
struct State<'a> {
    light: &'a mut [Vector],
    lit: &'a mut [bool],
    written: &'a mut [bool],
    work: &'a mut Work,
}

/// Two wedges that lie opposite: four octants.
struct Wedges<'a> {
    disc: &'a Disc,
    /// The viewer's cell among the opacities, of which rows are this long, and as many lie before as behind at least.
    cells: *const f32,
    readable: Range<*const f32>,
    cells_row: isize,
    room: usize,
    /// The viewer's cell in the window.
    seen: *mut f32,
    writable: Range<*mut f32>,
    seen_row: isize,
    room_seen: usize,
    /// The window's radius.
    window: usize,
    /// How far the map goes along the axis from the viewer, backwards and forwards.
    along: [usize; 2],
    /// And to the two sides.
    aside: [usize; 2],
    /// The last step.
    far: usize,
}

/// Which cells a band may touch.
#[derive(Clone, Copy, PartialEq)]
enum Touch {
    /// All lanes, though beyond the diagonal there is only darkness to be written.
    All,
    /// All lanes may be read, but only those in sight written.
    ReadAll,
    /// Only the lanes in sight.
    InSight,
}

/// Up to three pieces beside each other, of all four octants: where they lie, and what passes from one to the next.
struct Band<'a> {
    /// The first step, and the cells between axis and band.
    near: usize,
    before: usize,
    steps: usize,
    /// Whether the last piece holds the diagonal.
    diagonal: bool,
    cells: [*const f32; 4],
    cells_step: [isize; 4],
    seen: [*mut f32; 4],
    seen_step: [isize; 4],
    axis_cells: [*const f32; 2],
    axis_seen: [*mut f32; 2],
    axis_seen_step: [isize; 2],
    axis_steps: [usize; 2],
    /// For each octant the masks of its pieces.
    masks: [&'a [[Mask; LANES]]; 4],
}

/// What flows out of a band: whether any light went on aside, and whether any is left in its last row.
type Flow = [bool; 2];

impl Wedges<'_> {
    #[target_feature(enable = "avx512f")]
    fn sweep<const HOLES: bool, const ROWS: bool>(&self, state: State<'_>) {
        let State { light, lit, written, work } = state;
        for light in light.iter_mut() {
            Self::store(light, _mm512_setzero_ps());
        }
        lit.fill(false);
        work.axis = [1.0; 2];
        for (g, pair) in self.disc.starts.windows(2).enumerate() {
            let near = g * LANES + 1;
            let mut flowing = work.axis != [0.0; 2];
            let mut start = pair[0];
            while start < pair[1] {
                let size = BAND.min(pair[1] - start);
                let b = start - pair[0];
                let pieces = start..start + size;
                if near <= self.far && (flowing || lit[b..b + size].contains(&true)) {
                    let light = &mut light[4 * b..4 * (b + size)];
                    let [aside, ahead] = match size {
                        1 => self.band::<HOLES, ROWS, 1>(g, b, light, work),
                        2 => self.band::<HOLES, ROWS, 2>(g, b, light, work),
                        _ => self.band::<HOLES, ROWS, 3>(g, b, light, work),
                    };
                    flowing = aside;
                    lit[b..b + size].fill(ahead);
                    written[pieces].fill(true);
                } else {
                    work.outer = Default::default();
                    for piece in pieces {
                        if std::mem::take(&mut written[piece]) {
                            self.darken::<ROWS>(g, piece - pair[0]);
                        }
                    }
                }
                start += size;
            }
        }
    }

    /// Clears a piece, with the axis if it lies beside it.
    #[cold]
    fn darken<const ROWS: bool>(&self, g: usize, b: usize) {
        let (first, piece) = (g * LANES + 1, self.disc.starts[g] + b);
        let (along, aside) = if ROWS { (self.seen_row, 1) } else { (1, self.seen_row) };
        for (way, sign) in [-1, 1].into_iter().enumerate() {
            for (i, mask) in self.disc.rows[0][piece].iter().enumerate() {
                let m = first + i;
                if m > self.along[way].min(self.far) {
                    continue;
                }
                let row = self.seen.wrapping_offset(sign * m as isize * along);
                if b == 0 {
                    self.put(row, 0.0);
                }
                for j in (0..LANES).filter(|j| mask >> j & 1 == 1) {
                    let n = b * LANES + j + 1;
                    for (side, to) in self.aside.into_iter().zip([aside, -aside]) {
                        if n <= side {
                            self.put(row.wrapping_offset(n as isize * to), 0.0);
                        }
                    }
                }
            }
        }
    }

    /// Sweeps N pieces from `b` on of each octant, through sixteen steps.
    #[target_feature(enable = "avx512f")]
    fn band<const HOLES: bool, const ROWS: bool, const N: usize>(
        &self,
        g: usize,
        b: usize,
        light: &mut [Vector],
        work: &mut Work,
    ) -> Flow {
        let Self { disc, cells, cells_row, seen, seen_row, .. } = *self;
        let (first, before) = (disc.starts[g] + b, b * LANES);
        let near = g * LANES + 1;
        let steps = (self.far + 1 - near).min(LANES);
        let last = near + steps - 1;
        let beyond = (b + N) * LANES;
        let exist = self.along.iter().all(|&along| along >= disc.radius.min(near + LANES - 1))
            && self.aside.iter().all(|&aside| aside >= disc.widest[g].min(beyond));
        let touch = if !exist || last * cells_row as usize + beyond > self.room {
            Touch::InSight
        } else if disc.round[g] && self.is_roomy(last, beyond) {
            Touch::All
        } else {
            Touch::ReadAll
        };
        let clipped: [[[Mask; LANES]; N]; 4];
        let [plain, mirrored] = [0, 1].map(|h| &disc.rows[h][first..first + N]);
        let masks: [&[[Mask; LANES]]; 4] = if exist {
            [plain, plain, mirrored, mirrored]
        } else {
            clipped = self.clip_rows(near, before, [plain, mirrored]);
            std::array::from_fn(|k| clipped[k].as_slice())
        };
        let n = near as isize;
        let sides =
            [1, -(LANES as isize)].map(|side| if side > 0 { side + before as isize } else { side - before as isize });
        let offset = |row: isize, k: usize| WAYS[k] * n * row + sides[k / 2];
        let axis_step = if ROWS { seen_row } else { 1 };
        let mut band = Band {
            near,
            before,
            steps,
            diagonal: (b..b + N).contains(&g),
            cells: std::array::from_fn(|k| cells.wrapping_offset(offset(cells_row, k))),
            cells_step: WAYS.map(|way| way * cells_row),
            seen: std::array::from_fn(|k| seen.wrapping_offset(offset(seen_row, k))),
            seen_step: WAYS.map(|way| way * seen_row),
            axis_cells: [-n, n].map(|m| cells.wrapping_offset(m * cells_row)),
            axis_seen: [-n, n].map(|m| seen.wrapping_offset(m * axis_step)),
            axis_seen_step: [-axis_step, axis_step],
            axis_steps: self.along.map(|along| (along + 1).saturating_sub(near)),
            masks,
        };
        if ROWS {
            return match touch {
                Touch::All => self.run::<HOLES, ALL, false, N>(&band, light, work),
                Touch::ReadAll => self.run::<HOLES, READ_ALL, false, N>(&band, light, work),
                Touch::InSight => self.run::<HOLES, IN_SIGHT, false, N>(&band, light, work),
            };
        }
        let lines = work.lines.0.as_mut_ptr();
        band.seen = std::array::from_fn(|k| lines.wrapping_add(Lines::place(k, 0)).cast());
        let flow = match touch {
            Touch::InSight => self.run::<HOLES, IN_SIGHT, true, N>(&band, light, work),
            _ => self.run::<HOLES, ALL, true, N>(&band, light, work),
        };
        for (k, &way) in WAYS.iter().enumerate() {
            for j in 0..N {
                let aside = (before + j * LANES) as isize;
                let top = if k < 2 { aside + 1 } else { -aside - LANES as isize };
                let left = if way < 0 { -n - LANES as isize + 1 } else { n };
                let to = seen.wrapping_offset(top * seen_row + left);
                let mut masks = disc.columns[usize::from(way < 0)][first + j];
                if !exist {
                    self.clip_columns(k, near, before + j * LANES, &mut masks);
                }
                let lines = &work.lines.0[Lines::place(k, j)..][..LANES];
                match [way < 0, k < 2] {
                    [false, true] => self.turn_out::<false, true>(lines, &masks, to),
                    [false, false] => self.turn_out::<false, false>(lines, &masks, to),
                    [true, true] => self.turn_out::<true, true>(lines, &masks, to),
                    [true, false] => self.turn_out::<true, false>(lines, &masks, to),
                }
            }
        }
        flow
    }

    /// Whether beyond the diagonal there is room for darkness up to the end of a vector: in the window, and without
    /// reaching round its edge to where an earlier row is seen.
    fn is_roomy(&self, last: usize, beyond: usize) -> bool {
        self.disc.radius > 22
            && self.disc.radius <= self.window
            && last * self.seen_row as usize + beyond <= self.room_seen
    }

    /// The lanes that exist of a band's rows.
    #[cold]
    fn clip_rows<const N: usize>(
        &self,
        near: usize,
        before: usize,
        masks: [&[[Mask; LANES]]; 2],
    ) -> [[[Mask; LANES]; N]; 4] {
        std::array::from_fn(|k| {
            let rows = (self.along[k % 2] + 1).saturating_sub(near);
            std::array::from_fn(|j| {
                let cells = low_bits(self.aside[k / 2].saturating_sub(before + j * LANES));
                let cells = if k < 2 { cells } else { cells.reverse_bits() };
                let mut clipped = masks[k / 2][j].map(|mask| mask & cells);
                clipped[rows.min(LANES)..].fill(0);
                clipped
            })
        })
    }

    /// Leaves the lanes that exist of the columns of a piece.
    #[cold]
    fn clip_columns(&self, k: usize, near: usize, before: usize, masks: &mut [Mask; LANES]) {
        let steps = low_bits((self.along[k % 2] + 1).saturating_sub(near));
        let steps = if WAYS[k] < 0 { steps.reverse_bits() } else { steps };
        let cells = self.aside[k / 2].saturating_sub(before);
        for (i, mask) in masks.iter_mut().enumerate() {
            *mask = if i < cells { *mask & steps } else { 0 };
        }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn run<const HOLES: bool, const TOUCH: u8, const LINES: bool, const N: usize>(
        &self,
        band: &Band<'_>,
        light: &mut [Vector],
        work: &mut Work,
    ) -> Flow {
        let disc = self.disc;
        let first = band.before == 0;
        if N < BAND {
            return match first {
                true => self.strip::<HOLES, TOUCH, LINES, true, false, N>(band, light, work),
                false => self.strip::<HOLES, TOUCH, LINES, false, false, N>(band, light, work),
            };
        }
        let more = disc.widest[band.near / LANES] > band.before + N * LANES;
        match first {
            true if !more => self.strip::<HOLES, TOUCH, LINES, true, false, N>(band, light, work),
            true => self.strip::<HOLES, TOUCH, LINES, true, true, N>(band, light, work),
            false => self.strip::<HOLES, TOUCH, LINES, false, true, N>(band, light, work),
        }
    }

    /// The kernel. In the `FIRST` band the axis is settled along with it; with `MORE` beside it, its outermost light is
    /// kept. `LINES`: what is seen goes into lines, to be turned.
    #[target_feature(enable = "avx512f")]
    fn strip<
        const HOLES: bool,
        const TOUCH: u8,
        const LINES: bool,
        const FIRST: bool,
        const MORE: bool,
        const N: usize,
    >(
        &self,
        band: &Band<'_>,
        light: &mut [Vector],
        work: &mut Work,
    ) -> Flow {
        let light: &mut [Vector] = &mut light[..4 * N];
        let units = &self.disc.units[band.near - 1..][..band.steps];
        let masks: [&[[Mask; LANES]; N]; 4] = band.masks.map(|masks| masks.try_into().expect("a mask for each piece"));
        let one = _mm512_set1_ps(1.0);
        let distance: [[__m512; N]; 2] = [&UPWARDS, &DOWNWARDS].map(|ramp| {
            std::array::from_fn(|b| _mm512_add_ps(Self::load(ramp), _mm512_set1_ps((band.before + b * LANES) as f32)))
        });
        let mut through: [[__m512; N]; 4] =
            std::array::from_fn(|k| std::array::from_fn(|b| Self::load(&light[4 * b + k])));
        let mut axis = work.axis.map(|light| _mm512_set1_ps(light));
        let mut any = _mm512_setzero_si512();
        let mut diagonal = _mm512_set1_ps(if band.diagonal { band.near as f32 } else { f32::NEG_INFINITY });
        let (mut cells, mut seen) = (band.cells, band.seen);
        let (mut axis_cells, mut axis_seen) = (band.axis_cells, band.axis_seen);
        for (i, &unit) in units.iter().enumerate() {
            let unit = _mm512_set1_ps(unit);
            for k in 0..4 {
                let inner = if FIRST { axis[k % 2] } else { _mm512_set1_ps(work.outer[k].0[i]) };
                if MORE {
                    let lane = if k < 2 { LANES - 1 } else { 0 };
                    Self::store_lane(&mut work.outer[k].0[i], lane, through[k][N - 1]);
                }
                // From the outermost on, as the diagonal parents are those of the step before.
                for b in (0..N).rev() {
                    let mut share = _mm512_mul_ps(distance[k / 2][b], unit);
                    if b == N - 1 {
                        // m · (1/m) may miss 1.
                        let on = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(distance[k / 2][b], diagonal);
                        share = _mm512_mask_mov_ps(share, on, one);
                    }
                    let straight = through[k][b];
                    let beside = if b == 0 { inner } else { through[k][b - 1] };
                    let beside = if k < 2 { shift_up(straight, beside) } else { shift_down(straight, beside) };
                    let from_straight = _mm512_mul_ps(_mm512_sub_ps(one, share), straight);
                    let arriving = _mm512_add_ps(from_straight, _mm512_mul_ps(share, beside));
                    let at = if k < 2 { b as isize } else { -(b as isize) } * LANES as isize;
                    let mask = if TOUCH == ALL { Mask::MAX } else { masks[k][b][i % LANES] };
                    let read = if TOUCH == IN_SIGHT { mask } else { Mask::MAX };
                    let opacity = self.read::<TOUCH>(cells[k].wrapping_offset(at), read);
                    let (arriving, passing) = pass::<HOLES>(arriving, opacity);
                    if LINES {
                        let place = Lines::place(k, b) - Lines::place(k, 0) + i;
                        let to = seen[k].wrapping_add(place * LANES);
                        debug_assert!(work.lines.0.as_ptr_range().contains(&to.cast_const().cast()));
                        // SAFETY: row i of the lines of piece b, which are vectors; `seen` points at those of piece 0.
                        unsafe { _mm512_store_ps(to, arriving) };
                    } else {
                        self.write::<TOUCH>(seen[k].wrapping_offset(at), mask, arriving);
                    }
                    through[k][b] = passing;
                }
                cells[k] = cells[k].wrapping_offset(band.cells_step[k]);
                if !LINES {
                    seen[k] = seen[k].wrapping_offset(band.seen_step[k]);
                }
            }
            if FIRST {
                for d in 0..2 {
                    if TOUCH != IN_SIGHT || i < band.axis_steps[d] {
                        let opacity = _mm512_set1_ps(self.get(axis_cells[d]));
                        let (arriving, passing) = pass::<HOLES>(axis[d], opacity);
                        self.put(axis_seen[d], _mm512_cvtss_f32(arriving));
                        axis[d] = passing;
                    }
                    axis_cells[d] = axis_cells[d].wrapping_offset(band.cells_step[d]);
                    axis_seen[d] = axis_seen[d].wrapping_offset(band.axis_seen_step[d]);
                }
            }
            diagonal = _mm512_add_ps(diagonal, one);
            if MORE {
                any = (0..4).fold(any, |any, k| _mm512_or_si512(any, _mm512_castps_si512(through[k][N - 1])));
            }
        }
        if FIRST {
            work.axis = axis.map(|axis| _mm512_cvtss_f32(axis));
        }
        let mut left = _mm512_setzero_si512();
        for k in 0..4 {
            for b in 0..N {
                Self::store(&mut light[4 * b + k], through[k][b]);
                left = _mm512_or_si512(left, _mm512_castps_si512(through[k][b]));
            }
        }
        [any, left].map(|any| _mm512_test_epi32_mask(any, any) != 0)
    }

    /// Turns what is seen in sixteen columns, and puts what `masks` have of the rows into the window at `to`. `BACKWARDS`:
    /// the columns lie from right to left; `DOWN`: the masks from top to bottom.
    #[target_feature(enable = "avx512f")]
    fn turn_out<const BACKWARDS: bool, const DOWN: bool>(
        &self,
        columns: &[Vector],
        masks: &[Mask; LANES],
        to: *mut f32,
    ) {
        let columns: &[Vector; LANES] = columns.try_into().expect("sixteen columns");
        let rows = turn(std::array::from_fn(|i| Self::load(&columns[if BACKWARDS { LANES - 1 - i } else { i }])));
        for (i, row) in rows.into_iter().enumerate() {
            let mask = masks[if DOWN { i } else { LANES - 1 - i }];
            self.write::<IN_SIGHT>(to.wrapping_offset(i as isize * self.seen_row), mask, row);
        }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load(vector: &Vector) -> __m512 {
        // SAFETY: a vector holds sixteen values, aligned to 64 bytes.
        unsafe { _mm512_load_ps(vector.0.as_ptr()) }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn store(vector: &mut Vector, values: __m512) {
        // SAFETY: a vector holds sixteen values, aligned to 64 bytes.
        unsafe { _mm512_store_ps(vector.0.as_mut_ptr(), values) }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn store_lane(to: &mut f32, lane: usize, values: __m512) {
        // SAFETY: of the vector, only the lane of the mask is written, and that is where `to` points.
        unsafe { _mm512_mask_storeu_ps(std::ptr::from_mut(to).wrapping_sub(lane), 1 << lane, values) }
    }

    /// The opacities at `from`; 0 in lanes that are not to be touched.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn read<const TOUCH: u8>(&self, from: *const f32, mask: Mask) -> __m512 {
        debug_assert!(lies_in(&self.readable, from, mask));
        // SAFETY: all lanes of the mask lie in the slice of opacities. With all lanes, `band` has seen to it that there
        // are as many cells before and behind the viewer as it takes; otherwise they are cells of the map, of which
        // there are as many as `along` and `aside` say; and masked lanes touch no memory.
        unsafe { if TOUCH == IN_SIGHT { _mm512_maskz_loadu_ps(mask, from) } else { _mm512_loadu_ps(from) } }
    }

    /// Writes the lanes that are to be touched.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn write<const TOUCH: u8>(&self, to: *mut f32, mask: Mask, values: __m512) {
        debug_assert!(lies_in(&(self.writable.start.cast_const()..self.writable.end.cast_const()), to, mask));
        // SAFETY: all lanes of the mask lie in the window's values, and nothing else refers to these. With all lanes,
        // `is_roomy` has seen to it; otherwise they are cells in sight and on the map, which the window holds.
        unsafe { if TOUCH == ALL { _mm512_storeu_ps(to, values) } else { _mm512_mask_storeu_ps(to, mask, values) } }
    }

    #[inline(always)]
    fn get(&self, from: *const f32) -> f32 {
        debug_assert!(lies_in(&self.readable, from, 1));
        // SAFETY: a cell of the axis, no farther than `along` says.
        unsafe { *from }
    }

    #[inline(always)]
    fn put(&self, to: *mut f32, value: f32) {
        debug_assert!(lies_in(&(self.writable.start.cast_const()..self.writable.end.cast_const()), to, 1));
        // SAFETY: a cell in sight and on the map, which the window holds; nothing else refers to its values.
        unsafe { *to = value }
    }
}

/// The values of [`Touch`], for the compiler.
const ALL: u8 = 0;
const READ_ALL: u8 = 1;
const IN_SIGHT: u8 = 2;

/// Which way each octant goes.
const WAYS: [isize; 4] = [-1, 1, -1, 1];

const UPWARDS: Vector = Vector([1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15., 16.]);
const DOWNWARDS: Vector = Vector([16., 15., 14., 13., 12., 11., 10., 9., 8., 7., 6., 5., 4., 3., 2., 1.]);

/// Whether all lanes of a vector that are to be touched lie in a range.
fn lies_in(range: &Range<*const f32>, at: *const f32, mask: Mask) -> bool {
    let lane = |lane: u32| range.contains(&at.wrapping_add(lane as usize));
    mask == 0 || lane(mask.trailing_zeros()) && lane(15 - mask.leading_zeros())
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

/// Rows and columns swapped: in pairs, in pairs of pairs, in quarters, in halves.
#[target_feature(enable = "avx512f")]
#[inline]
fn turn(rows: [__m512; LANES]) -> [__m512; LANES] {
    let (single, double) = (|v| _mm512_castpd_ps(v), |v| _mm512_castps_pd(v));
    let mut pairs = rows;
    for i in 0..8 {
        pairs[2 * i] = _mm512_unpacklo_ps(rows[2 * i], rows[2 * i + 1]);
        pairs[2 * i + 1] = _mm512_unpackhi_ps(rows[2 * i], rows[2 * i + 1]);
    }
    let mut fours = pairs;
    for i in (0..16).step_by(4) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|j| double(pairs[i + j]));
        fours[i] = single(_mm512_unpacklo_pd(a, c));
        fours[i + 1] = single(_mm512_unpackhi_pd(a, c));
        fours[i + 2] = single(_mm512_unpacklo_pd(b, d));
        fours[i + 3] = single(_mm512_unpackhi_pd(b, d));
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

/// Does work that is written for any width, compiled for these vectors.
///
/// # Panics
/// If the processor cannot do it.
pub(super) fn widely<W: pulp::WithSimd>(work: W) -> W::Output {
    #[target_feature(enable = "avx512f")]
    fn compiled<W: pulp::WithSimd>(work: W) -> W::Output {
        work.with_simd(pulp::Scalar)
    }
    assert!(Sixteen::is_supported());
    // SAFETY: the processor has AVX-512.
    unsafe { compiled(work) }
}

/// Rows and columns of a grid swapped.
pub(super) fn mirror(grid: &Grid<f32>, into: &mut Grid<f32>) {
    let (width, height) = (grid.width(), grid.height());
    assert!((into.width(), into.height()) == (height, width));
    assert!(Sixteen::is_supported());
    // SAFETY: the processor has AVX-512.
    unsafe { mirror_tiles(grid.as_slice(), width, into.as_mut_slice(), height) }
}

#[target_feature(enable = "avx512f")]
fn mirror_tiles(from: &[f32], width: usize, to: &mut [f32], height: usize) {
    for y in (0..height).step_by(LANES) {
        let rows = low_bits(height - y);
        for x in (0..width).step_by(LANES) {
            let columns = low_bits(width - x);
            let tile = turn(std::array::from_fn(|i| {
                let mask = if rows >> i & 1 == 1 { columns } else { 0 };
                let row = from.as_ptr().wrapping_add((y + i) * width + x);
                debug_assert!(lies_in(&from.as_ptr_range(), row, mask));
                // SAFETY: the lanes of the mask are cells of row y + i from column x on, less than the width.
                unsafe { _mm512_maskz_loadu_ps(mask, row) }
            }));
            for (i, column) in tile.into_iter().enumerate() {
                let mask = if columns >> i & 1 == 1 { rows } else { 0 };
                let line = to.as_mut_ptr().wrapping_add((x + i) * height + y);
                debug_assert!(lies_in(&to.as_ptr_range(), line, mask));
                // SAFETY: the lanes of the mask are cells of row x + i from column y on, less than the height.
                unsafe { _mm512_mask_storeu_ps(line, mask, column) }
            }
        }
    }
}
