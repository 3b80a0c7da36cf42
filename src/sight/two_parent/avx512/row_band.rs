//! A band of pieces: where it lies, and which cells of it may be touched.

use std::ops::Range;

use super::access::{ALL, IN_SIGHT, READ_ALL};
use super::buffers::{Vector, Work};
use super::octant_pairs::Wedges;
use super::octant_tiling::{LANES, Mask, low_bits};

/// In which order two wedges are swept: along the rows of the map, or along its columns. Constants, for the compiler.
pub(crate) const ROWS: u8 = 0;
pub(crate) const COLUMNS: u8 = 1;

/// Which cells a band may touch.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Touch {
    /// All lanes, though beyond the diagonal there is only darkness to be written.
    All,
    /// All lanes may be read, but only those in sight written.
    ReadAll,
    /// Only the lanes in sight.
    InSight,
}

/// Up to three pieces beside each other, of all four octants: where they lie, and what passes from one to the next.
pub(crate) struct Band<'a> {
    /// The step that would be the first of sixteen, and the cells between axis and band.
    pub(crate) near: usize,
    pub(crate) before: usize,
    /// Of sixteen.
    pub(crate) steps: Range<usize>,
    /// Whether the last piece holds the diagonal.
    pub(crate) diagonal: bool,
    pub(crate) cells: [*const f32; 4],
    pub(crate) cells_step: [isize; 2],
    pub(crate) seen: [*mut f32; 4],
    pub(crate) seen_step: [isize; 2],
    /// For each octant the masks of its pieces.
    pub(crate) masks: [&'a [[Mask; LANES]]; 4],
}

/// What flows out of a band: whether any light went on aside, and whether any is left in its last row.
pub(crate) type Flow = [bool; 2];

impl Wedges<'_> {
    /// Sweeps N pieces from `b` on of each octant, through sixteen steps.
    #[target_feature(enable = "avx512f")]
    pub(crate) fn band<const HOLES: bool, const ORDER: u8, const N: usize>(
        &self,
        g: usize,
        b: usize,
        light: &mut [Vector],
        work: &mut Work,
    ) -> Flow {
        let disc = self.disc;
        let (first, before) = (disc.starts[g] + b, b * LANES);
        let near = g * LANES;
        let steps = (self.far + 1 - near).min(LANES);
        let beyond = (b + N) * LANES;
        let whole = self.reaches_aside(disc.widest[g].min(beyond - 1));
        let clipped: [[[Mask; LANES]; N]; 4];
        let (plain, mirrored) = (&disc.rows[0][first..first + N], &disc.rows[1][first..first + N]);
        let masks: [&[[Mask; LANES]]; 4] = if whole {
            [plain, plain, mirrored, mirrored]
        } else {
            clipped = self.clip_rows(before, [plain, mirrored]);
            [&clipped[0], &clipped[1], &clipped[2], &clipped[3]]
        };
        // Where the map ends on one side before it does on the other, only two octants go on.
        let rows = self.rows_on_map(near, steps);
        let mut flow = [false; 2];
        let mut from = usize::from(g == 0); // not the viewer's own cell
        for to in [rows[0].min(rows[1]), steps] {
            if from >= to {
                continue;
            }
            let alive = [rows[0] >= to, rows[1] >= to];
            let mut band = self.lay(near, before, from, to, alive, masks);
            band.diagonal = (b..b + N).contains(&g);
            if alive != [true; 2] {
                put_out(light, alive);
            }
            let touch = if !self.may_read_all(near + from, near + to - 1, beyond, alive) {
                Touch::InSight
            } else if whole && disc.round[g] && self.is_roomy(near + to - 1, beyond) {
                Touch::All
            } else {
                Touch::ReadAll
            };
            let [aside, ahead] = if ORDER == ROWS {
                match touch {
                    Touch::All => self.run::<HOLES, ALL, ORDER, N>(&band, light, work),
                    Touch::ReadAll => self.run::<HOLES, READ_ALL, ORDER, N>(&band, light, work),
                    Touch::InSight => self.run::<HOLES, IN_SIGHT, ORDER, N>(&band, light, work),
                }
            } else {
                match touch {
                    Touch::InSight => self.run::<HOLES, IN_SIGHT, ORDER, N>(&band, light, work),
                    _ => self.run::<HOLES, ALL, ORDER, N>(&band, light, work),
                }
            };
            flow = [flow[0] || aside, ahead];
            from = to;
        }
        if ORDER == COLUMNS {
            self.turn_pieces(g, b..b + N, whole, rows, work);
        }
        flow
    }

    /// The steps `from` … `to` of a band; octants that are not `alive` lie beyond the end of the map.
    pub(crate) fn lay<'a>(
        &self,
        near: usize,
        before: usize,
        from: usize,
        to: usize,
        alive: [bool; 2],
        masks: [&'a [[Mask; LANES]]; 4],
    ) -> Band<'a> {
        let Self { cells, cells_row, seen, seen_row, nothing, .. } = *self;
        let m = (near + from) as isize;
        let sides = [before as isize, 1 - (before + LANES) as isize];
        let or = |way: usize, there: isize, otherwise: isize| if alive[way % 2] { there } else { otherwise };
        let at = |k: usize, row: isize| WAYS[k] * m * row + sides[k / 2];
        Band {
            near,
            before,
            steps: from..to,
            diagonal: false,
            cells: std::array::from_fn(|k| match alive[k % 2] {
                true => cells.wrapping_offset(at(k, cells_row)),
                false => nothing.cast_const().wrapping_sub(k / 2 * (LANES - 1)),
            }),
            cells_step: std::array::from_fn(|k| or(k, WAYS[k] * cells_row, 0)),
            seen: std::array::from_fn(|k| match alive[k % 2] {
                true => seen.wrapping_offset(at(k, seen_row)),
                false => nothing.wrapping_sub(k / 2 * (LANES - 1)),
            }),
            seen_step: std::array::from_fn(|k| or(k, WAYS[k] * seen_row, 0)),
            masks,
        }
    }

    /// Whether the map goes so far to both sides.
    #[inline]
    pub(crate) fn reaches_aside(&self, cells: usize) -> bool {
        self.aside[0] >= cells && self.aside[1] >= cells
    }

    /// How many of some steps from `near` on lie on the map, each way.
    #[inline]
    fn rows_on_map(&self, near: usize, steps: usize) -> [usize; 2] {
        self.along.map(|along| (along + 1).saturating_sub(near).min(steps))
    }

    /// Whether whole vectors may be read in the steps `near` … `last`, up to `beyond` cells aside: what lies past the end
    /// of a row is another row, and no cell of the map takes light from there.
    pub(crate) fn may_read_all(&self, near: usize, last: usize, beyond: usize, alive: [bool; 2]) -> bool {
        let row = self.cells_row as usize;
        (0..2).filter(|&way| alive[way]).all(|way| {
            let (ahead, back) = (self.room[way], self.room[1 - way]);
            last * row + beyond <= ahead && beyond <= near * row + back
        })
    }

    /// Whether beyond the diagonal there is room for darkness up to the end of a vector: in the window, and without
    /// reaching round its edge to where an earlier row is seen.
    pub(crate) fn is_roomy(&self, last: usize, beyond: usize) -> bool {
        self.disc.radius > 22
            && self.disc.radius <= self.window
            && last * self.seen_row as usize + beyond <= self.room_seen
    }

    /// The lanes that exist of a band's rows, of octants that go on.
    #[cold]
    fn clip_rows<const N: usize>(&self, before: usize, masks: [&[[Mask; LANES]]; 2]) -> [[[Mask; LANES]; N]; 4] {
        std::array::from_fn(|k| {
            std::array::from_fn(|j| {
                let cells = low_bits((self.aside[k / 2] + 1).saturating_sub(before + j * LANES));
                let cells = if k < 2 { cells } else { cells.reverse_bits() };
                masks[k / 2][j].map(|mask| mask & cells)
            })
        })
    }
}

/// Nothing passes any more on ways that are not `alive`.
#[cold]
fn put_out(light: &mut [Vector], alive: [bool; 2]) {
    for way in (0..2).filter(|&way| !alive[way]) {
        for light in light.chunks_exact_mut(4) {
            light[way] = Vector::default();
            light[way + 2] = Vector::default();
        }
    }
}

/// Which way each octant goes.
pub(crate) const WAYS: [isize; 4] = [-1, 1, -1, 1];
