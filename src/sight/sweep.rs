//! The fast kernel: two-parent visibility ring by ring, in rows. To the bit what the plain kernel gives.
//!
//! ```text
//!   ┌───────────┐     The cells with the same M = max(|dx|, |dy|) form a ring, and they depend on the ring M − 1
//!   │ ╲   up  ╱ │     alone: row dy = −M on row 1 − M, straight and shifted by one. Up and down run along the rows of
//!   │   ╲   ╱   │     the window. Left and right run along its columns; they are turned into rows first, and what is
//!   │ left @ right    seen is turned back.
//!   │   ╱   ╲   │
//!   │ ╱  down ╲ │     Each of the four wedges has both its diagonals: its next row needs nothing else, and where a
//!   └───────────┘     row is all dark, so is the rest of the wedge.
//! ```
//!
//! Rows are computed in whole vectors, hence a little beyond their ends. What comes of that is overwritten by the wedge
//! beside, or 0 where nothing is in sight; and no cell of the wedge depends on it.

use pulp::{Simd, WithSimd};

use super::Weights;
use super::offsets::diagonal_weight;
use super::window::{Window, half_width};

/// The buffers of the sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// Opacities and visibilities with rows and columns swapped, in the shape of the window.
    turned_opacity: Vec<f32>,
    turned_seen: Vec<f32>,
    /// T of a row and of the row before, the axis in the middle.
    through: [Vec<f32>; 2],
    /// How far row M goes to each side in a wedge, and for how many cells around the viewer that holds.
    halves: Vec<u32>,
    halves_of: u32,
    table: Table,
}

/// Places beside a row that may be computed along with it.
pub(super) const PAD: usize = WIDE;

/// Cells that are settled at once.
const WIDE: usize = 8;

/// Shares of the diagonal parent where they are not a mere ratio.
#[derive(Clone, Debug, Default)]
struct Table {
    /// For each M the shares of dx = −n … −1 and 0 … n − 1, where n is M + 1 rounded up to whole vectors.
    shares: Vec<f32>,
    /// Where dx = 0 stands for each M.
    axis: Vec<usize>,
}

impl Table {
    fn extend(&mut self, reach: usize, weights: Weights) {
        for m in self.axis.len()..=reach {
            let n = (m + 1).next_multiple_of(WIDE);
            let share = |dx: usize| diagonal_weight(super::ivec2(dx.min(m) as i32, m as i32), weights);
            self.shares.extend((1..=n).rev().map(share));
            self.axis.push(self.shares.len());
            self.shares.extend((0..n).map(share));
        }
    }
}

/// Leaves in the window the raw visibility of every cell within `in_sight`, before the path rule and decay.
pub(super) fn over_window(window: &mut Window, in_sight: u32, weights: Weights, sweep: &mut Sweep) {
    sweep.make_room(window, in_sight, weights);
    pulp::Arch::new().dispatch(Wedges { window, in_sight: in_sight as usize, weights, sweep });
}

impl Sweep {
    fn make_room(&mut self, window: &Window, in_sight: u32, weights: Weights) {
        let side = 2 * window.radius as usize + 1;
        self.turned_opacity.resize(side * side, 0.0);
        self.turned_seen.resize(side * side, 0.0);
        for row in &mut self.through {
            row.resize(side + 2 * PAD, 0.0);
        }
        if self.halves_of != in_sight || self.halves.len() <= in_sight.min(window.radius) as usize {
            self.halves.clear();
            self.halves.extend((0..=in_sight.min(window.radius)).map(|m| m.min(half_width(in_sight, m))));
            self.halves_of = in_sight;
        }
        if weights != Weights::Linear {
            self.table.extend(in_sight.min(window.radius) as usize, weights);
        }
    }
}

/// The work of one call, compiled for the vectors of the processor at hand.
struct Wedges<'a> {
    window: &'a mut Window,
    in_sight: usize,
    weights: Weights,
    sweep: &'a mut Sweep,
}

impl WithSimd for Wedges<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { window, in_sight, weights, sweep } = self;
        let centre = window.centre();
        window.seen[centre] = 1.0;
        let Sweep { turned_opacity, turned_seen, through, halves, table, .. } = sweep;
        let disc = Disc { radius: window.radius as usize, reach: in_sight.min(window.radius as usize), halves };
        let table = if weights == Weights::Linear { None } else { Some(&*table) };
        turn(&disc, window.opacity.as_slice(), turned_opacity);
        let mut side =
            |opacity: &[f32], seen: &mut [f32], down| wedge(simd, &disc, opacity, seen, through, table, down);
        for down in [false, true] {
            side(turned_opacity, turned_seen, down);
            side(window.opacity.as_slice(), window.seen.as_mut_slice(), down);
        }
        // Last, since rows are computed a little beyond their ends, into the wedges beside them.
        turn_back(&disc, turned_seen, window.seen.as_mut_slice());
    }
}

/// What is in sight of a window of some radius.
struct Disc<'a> {
    radius: usize,
    /// The outermost row.
    reach: usize,
    halves: &'a [u32],
}

impl Disc<'_> {
    /// Length of a row of the window.
    #[inline(always)]
    fn side(&self) -> usize {
        2 * self.radius + 1
    }

    /// The columns of a wedge in blocks: the nearest and the farthest M of each.
    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let reach = self.reach;
        (1..=reach).step_by(BLOCK).map(move |near| [near, (near + BLOCK - 1).min(reach)])
    }

    /// How far row M goes to each side in a wedge.
    #[inline(always)]
    fn half(&self, m: usize) -> usize {
        self.halves[m] as usize
    }
}

/// One wedge, row after row outwards.
#[inline(always)]
fn wedge<S: Simd>(
    simd: S,
    disc: &Disc<'_>,
    opacity: &[f32],
    seen: &mut [f32],
    [before, now]: &mut [Vec<f32>; 2],
    table: Option<&Table>,
    down: bool,
) {
    let (side, radius) = (disc.side(), disc.radius);
    let (mut before, mut now) = (before.as_mut_slice(), now.as_mut_slice());
    // With nothing but 0 around the viewer, what is computed beyond a diagonal is 0, too.
    before.fill(0.0);
    now.fill(0.0);
    let middle = radius + PAD;
    before[middle] = 1.0;
    let mut dark = false;
    for m in 1..=disc.reach {
        let half = disc.half(m);
        let start = (if down { radius + m } else { radius - m }) * side + radius;
        let cells = start - half..start + half + 1;
        if dark {
            seen[cells].fill(0.0);
            continue;
        }
        let whole = (half + 1).next_multiple_of(WIDE).min(radius / WIDE * WIDE);
        // Outwards to the left: the diagonal parent stands one to the right.
        let left = Row {
            opacity: &opacity[start - whole..start],
            straight: &before[middle - whole..middle],
            diagonal: &before[middle + 1 - whole..=middle],
            seen: &mut seen[start - whole..start],
            through: &mut now[middle - whole..middle],
        };
        let mut lit = match table {
            None => left.settle_ratio(simd, m, whole as f32, -1.0),
            Some(table) => left.settle(simd, &table.shares[table.axis[m] - whole..table.axis[m]]),
        };
        let right = Row {
            opacity: &opacity[start..start + whole],
            straight: &before[middle..middle + whole],
            diagonal: &before[middle - 1..middle + whole - 1],
            seen: &mut seen[start..start + whole],
            through: &mut now[middle..middle + whole],
        };
        lit |= match table {
            None => right.settle_ratio(simd, m, 0.0, 1.0),
            Some(table) => right.settle(simd, &table.shares[table.axis[m]..table.axis[m] + whole]),
        };
        // A window that was cut down to a map ends where its last rows do.
        for distance in whole..=half {
            let unit = 1.0 / m as f32;
            let share = table.map_or(distance as f32 * unit, |table| table.shares[table.axis[m] + distance]);
            for (dx, inwards) in [(distance as isize, -1), (-(distance as isize), 1)] {
                let (cell, place) = (start.wrapping_add_signed(dx), middle.wrapping_add_signed(dx));
                let arriving = (1.0 - share) * before[place] + share * before[place.wrapping_add_signed(inwards)];
                (seen[cell], now[place]) = pass(arriving, opacity[cell]);
                lit |= now[place] > 0.0;
            }
        }
        if half == m {
            // On the diagonals m · (1/m) may miss 1: their only parent is the diagonal one.
            for (cell, place, parent) in
                [(start - m, middle - m, middle + 1 - m), (start + m, middle + m, middle + m - 1)]
            {
                (seen[cell], now[place]) = pass(before[parent], opacity[cell]);
                lit |= now[place] > 0.0;
            }
        }
        dark = !lit;
        std::mem::swap(&mut before, &mut now);
    }
}

/// One half of a row of a wedge, all parts of the same length.
struct Row<'a> {
    opacity: &'a [f32],
    straight: &'a [f32],
    diagonal: &'a [f32],
    seen: &'a mut [f32],
    through: &'a mut [f32],
}

impl Row<'_> {
    /// Diagonal shares of distance/M, where the distance to the axis starts with `from` and grows by `step`.
    #[inline(always)]
    fn settle_ratio<S: Simd>(self, simd: S, m: usize, from: f32, step: f32) -> bool {
        let mut ramp = [0.0; 16];
        for (i, distance) in ramp.iter_mut().enumerate() {
            *distance = step * i as f32;
        }
        let ramp = S::as_simd_f32s(&ramp).0[0];
        let unit = simd.splat_f32s(1.0 / m as f32);
        let lanes = size_of::<S::f32s>() / size_of::<f32>();
        self.settle_by(simd, |i| {
            let first = simd.splat_f32s(from + step * (i * lanes) as f32);
            simd.mul_f32s(simd.add_f32s(first, ramp), unit)
        })
    }

    /// Diagonal shares from a table.
    #[inline(always)]
    fn settle<S: Simd>(self, simd: S, shares: &[f32]) -> bool {
        let shares = S::as_simd_f32s(shares).0;
        self.settle_by(simd, |i| shares[i])
    }

    /// Whether any light passes.
    #[inline(always)]
    fn settle_by<S: Simd>(self, simd: S, shares: impl Fn(usize) -> S::f32s) -> bool {
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let mut most = zero;
        let parents = S::as_simd_f32s(self.straight).0.iter().zip(S::as_simd_f32s(self.diagonal).0);
        let cells = S::as_mut_simd_f32s(self.seen).0.iter_mut().zip(S::as_mut_simd_f32s(self.through).0);
        let opacity = S::as_simd_f32s(self.opacity).0;
        for (i, (((seen, through), (&straight, &diagonal)), &opacity)) in cells.zip(parents).zip(opacity).enumerate() {
            let share = shares(i);
            let straight = simd.mul_f32s(simd.sub_f32s(one, share), straight);
            let arriving = simd.add_f32s(straight, simd.mul_f32s(share, diagonal));
            let exists = simd.less_than_or_equal_f32s(opacity, one);
            *seen = simd.select_f32s(exists, arriving, zero);
            *through = simd.select_f32s(exists, simd.mul_f32s(arriving, simd.sub_f32s(one, opacity)), zero);
            most = simd.max_f32s(most, *through);
        }
        simd.first_true_m32s(simd.less_than_f32s(zero, most)) < size_of::<S::f32s>() / size_of::<f32>()
    }
}

/// What is seen of a cell, and what passes through it.
#[inline(always)]
fn pass(arriving: f32, opacity: f32) -> (f32, f32) {
    let exists = opacity <= 1.0;
    (if exists { arriving } else { 0.0 }, if exists { arriving * (1.0 - opacity) } else { 0.0 })
}

/// Columns that are turned at once.
const BLOCK: usize = 8;

/// Swaps rows and columns of the opacities of the left and right wedges (and of some cells beside them).
#[inline(always)]
fn turn(disc: &Disc<'_>, from: &[f32], to: &mut [f32]) {
    let (side, radius) = (disc.side(), disc.radius);
    for [near, far] in disc.blocks() {
        let half = (near..=far).map(|m| disc.half(m)).max().unwrap_or(0);
        for first in [radius + near, radius - far] {
            let from = &from[(radius - half) * side..(radius + half + 1) * side];
            if far + 1 - near == BLOCK {
                let rows = to[first * side..(first + BLOCK) * side].chunks_exact_mut(side);
                let mut rows: [&mut [f32]; BLOCK] = eight(rows.map(|row| &mut row[radius - half..=radius + half]));
                for (y, from) in from.chunks_exact(side).enumerate() {
                    let from = &from[first..first + BLOCK];
                    for (row, value) in rows.iter_mut().zip(from) {
                        row[y] = *value;
                    }
                }
            } else {
                for x in first..=first + far - near {
                    let row = &mut to[x * side + radius - half..=x * side + radius + half];
                    for (slot, from) in row.iter_mut().zip(from.chunks_exact(side)) {
                        *slot = from[x];
                    }
                }
            }
        }
    }
}

/// Swaps rows and columns of what is seen in the left and right wedges.
#[inline(always)]
fn turn_back(disc: &Disc<'_>, from: &[f32], to: &mut [f32]) {
    let (side, radius) = (disc.side(), disc.radius);
    for [near, far] in disc.blocks() {
        // Up to here, the rows have all columns of the block in their wedge.
        let whole = if far + 1 - near == BLOCK { disc.half(near).min(disc.half(far)) + 1 } else { 0 };
        for first in [radius + near, radius - far] {
            if whole > 0 {
                let inner = radius + 1 - whole..radius + whole;
                let rows = from[first * side..(first + BLOCK) * side].chunks_exact(side);
                let rows: [&[f32]; BLOCK] = eight(rows.map(|row| &row[inner.clone()]));
                for (y, to) in to[inner.start * side..inner.end * side].chunks_exact_mut(side).enumerate() {
                    for (slot, row) in to[first..first + BLOCK].iter_mut().zip(rows) {
                        *slot = row[y];
                    }
                }
            }
            for x in first..=first + far - near {
                let half = disc.half(x.abs_diff(radius));
                for dy in whole..=half {
                    for y in [radius - dy, radius + dy] {
                        to[y * side + x] = from[x * side + y];
                    }
                }
            }
        }
    }
}

/// An array of the first eight.
#[inline(always)]
fn eight<T>(mut rows: impl Iterator<Item = T>) -> [T; BLOCK] {
    std::array::from_fn(|_| rows.next().expect("eight rows make a block"))
}

#[cfg(test)]
mod tests {
    use glam::IVec2;
    use proptest::prelude::*;

    use super::*;
    use crate::sight::window::NO_CELL;
    use crate::sight::{OffsetList, propagate};

    fn opacity() -> impl Strategy<Value = f32> {
        prop_oneof![3 => Just(0.0f32), 1 => Just(1.0f32), 3 => 0.0..=1.0f32, 1 => Just(NO_CELL)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

        #[test]
        fn equals_the_plain_kernel_to_the_bit(
            in_sight in 0..40u32,
            cut in 0..6u32,
            some in proptest::collection::vec(opacity(), 700),
            shift in 0..700usize,
        ) {
            let mut sweep = Sweep::default();
            for weights in [Weights::Linear, Weights::Projection, Weights::Linear] {
                let list = OffsetList::new(in_sight, weights);
                let mut plain = Window::default();
                plain.make_room(in_sight.saturating_sub(cut), in_sight);
                plain.take(IVec2::ZERO, [IVec2::MIN, IVec2::MAX], in_sight, true, |start, row| {
                    for (x, slot) in (start.x..).zip(row) {
                        *slot = some[(x * 31 + start.y * 17 + shift as i32).rem_euclid(700) as usize];
                    }
                });
                let mut fast = plain.clone();
                propagate::over_window(list.as_slice(), &mut plain, &mut Vec::new(), &mut Vec::new());
                sweep.table = Table::default();
                over_window(&mut fast, in_sight, weights, &mut sweep);
                for (cell, value) in plain.seen.iter() {
                    prop_assert_eq!(value.to_bits(), fast.seen[cell].to_bits(), "{:?}, {}", weights, cell);
                }
            }
        }
    }
}
