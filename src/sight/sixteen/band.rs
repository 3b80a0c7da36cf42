//! A band of pieces: where it lies, and which cells of it may be touched.

use super::super::disc::{LANES, Mask, low_bits};
use super::access::{ALL, IN_SIGHT, READ_ALL};
use super::buffers::{Lines, Vector, Work};
use super::wedges::Wedges;

/// Which cells a band may touch.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Touch {
    /// All lanes, though beyond the diagonal there is only darkness to be written.
    All,
    /// All lanes may be read, but only those in sight written.
    ReadAll,
    /// Only the lanes in sight.
    InSight,
}

/// Up to three pieces beside each other, of all four octants: where they lie, and what passes from one to the next.
pub(super) struct Band<'a> {
    /// The first step, and the cells between axis and band.
    pub(super) near: usize,
    pub(super) before: usize,
    pub(super) steps: usize,
    /// Whether the last piece holds the diagonal.
    pub(super) diagonal: bool,
    pub(super) cells: [*const f32; 4],
    pub(super) cells_step: [isize; 4],
    pub(super) seen: [*mut f32; 4],
    pub(super) seen_step: [isize; 4],
    pub(super) axis_cells: [*const f32; 2],
    pub(super) axis_seen: [*mut f32; 2],
    pub(super) axis_seen_step: [isize; 2],
    pub(super) axis_steps: [usize; 2],
    /// For each octant the masks of its pieces.
    pub(super) masks: [&'a [[Mask; LANES]]; 4],
}

/// What flows out of a band: whether any light went on aside, and whether any is left in its last row.
pub(super) type Flow = [bool; 2];
impl Wedges<'_> {
    /// Sweeps N pieces from `b` on of each octant, through sixteen steps.
    #[target_feature(enable = "avx512f")]
    pub(super) fn band<const HOLES: bool, const ROWS: bool, const N: usize>(
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
}

/// Which way each octant goes.
pub(super) const WAYS: [isize; 4] = [-1, 1, -1, 1];
