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
    /// Shares of the diagonal parent where they are not a mere ratio: for each M those of dx = −M … M.
    table: Vec<f32>,
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
            row.resize(side + 2, 0.0);
        }
        if weights != Weights::Linear {
            let known = (self.table.len() as u32).isqrt();
            for m in known..=in_sight.min(window.radius) {
                let m = m as i32;
                self.table.extend((-m..=m).map(|dx| diagonal_weight(super::ivec2(dx, m), weights)));
            }
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
    fn with_simd<S: Simd>(self, _: S) {
        let Self { window, in_sight, weights, sweep } = self;
        let centre = window.centre();
        window.seen[centre] = 1.0;
        let disc = Disc { radius: window.radius as usize, in_sight };
        let Sweep { turned_opacity, turned_seen, through, table } = sweep;
        let table = if weights == Weights::Linear { None } else { Some(&table[..]) };
        turn(&disc, window.opacity.as_slice(), turned_opacity);
        let mut side = |opacity: &[f32], seen: &mut [f32], down| wedge(&disc, opacity, seen, through, table, down);
        side(turned_opacity, turned_seen, false);
        side(turned_opacity, turned_seen, true);
        turn_back(&disc, turned_seen, window.seen.as_mut_slice());
        side(window.opacity.as_slice(), window.seen.as_mut_slice(), false);
        side(window.opacity.as_slice(), window.seen.as_mut_slice(), true);
    }
}

/// What is in sight of a window of some radius.
struct Disc {
    radius: usize,
    in_sight: usize,
}

impl Disc {
    /// Length of a row of the window.
    #[inline(always)]
    fn side(&self) -> usize {
        2 * self.radius + 1
    }

    /// The outermost row.
    #[inline(always)]
    fn reach(&self) -> usize {
        self.in_sight.min(self.radius)
    }

    /// The columns of a wedge in blocks: the nearest and the farthest M of each.
    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let reach = self.reach();
        (1..=reach).step_by(BLOCK).map(move |near| [near, (near + BLOCK - 1).min(reach)])
    }

    /// How far row M goes to each side in a wedge.
    #[inline(always)]
    fn half(&self, m: usize) -> usize {
        m.min(half_width(self.in_sight as u32, m as u32) as usize)
    }
}

/// One wedge, row after row outwards.
#[inline(always)]
fn wedge(
    disc: &Disc,
    opacity: &[f32],
    seen: &mut [f32],
    [before, now]: &mut [Vec<f32>; 2],
    table: Option<&[f32]>,
    down: bool,
) {
    let (side, radius) = (disc.side(), disc.radius);
    let (mut before, mut now) = (before.as_mut_slice(), now.as_mut_slice());
    before[radius + 1] = 1.0;
    let mut dark = false;
    for m in 1..=disc.reach() {
        let half = disc.half(m);
        let start = (if down { radius + m } else { radius - m }) * side + radius;
        let cells = start - half..start + half + 1;
        if dark {
            seen[cells].fill(0.0);
            continue;
        }
        let (opacity, seen) = (&opacity[cells.clone()], &mut seen[cells]);
        let middle = radius + 1;
        {
            // Outwards to the left: the diagonal parent stands one to the right.
            let row = Row {
                opacity: &opacity[..half],
                straight: &before[middle - half..middle],
                diagonal: &before[middle - half + 1..=middle],
                seen: &mut seen[..half],
                through: &mut now[middle - half..middle],
            };
            match table {
                None => row.settle_ratio(m, |i| half - i),
                Some(table) => row.settle(&table[m * m + m - half..]),
            }
        }
        let row = Row {
            opacity: &opacity[half..],
            straight: &before[middle..=middle + half],
            diagonal: &before[middle - 1..middle + half],
            seen: &mut seen[half..],
            through: &mut now[middle..=middle + half],
        };
        match table {
            None => row.settle_ratio(m, |i| i),
            Some(table) => row.settle(&table[m * m + m..]),
        }
        if half == m {
            // On the diagonals m · (1/m) may miss 1: their only parent is the diagonal one.
            for (cell, place, parent) in [(0, middle - m, middle - m + 1), (2 * m, middle + m, middle + m - 1)] {
                (seen[cell], now[place]) = pass(before[parent], opacity[cell]);
            }
        }
        let light = now[middle - half..=middle + half].iter().fold(0, |bits, through| bits | through.to_bits());
        dark = light == 0;
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
    /// Diagonal shares m/M, with m the distance from the axis.
    #[inline(always)]
    fn settle_ratio(self, m: usize, distance: impl Fn(usize) -> usize) {
        let unit = 1.0 / m as f32;
        self.settle_by(|i| distance(i) as u32 as i32 as f32 * unit);
    }

    /// Diagonal shares from a table.
    #[inline(always)]
    fn settle(self, weights: &[f32]) {
        let weights = &weights[..self.seen.len()];
        self.settle_by(|i| weights[i]);
    }

    #[inline(always)]
    fn settle_by(self, weight: impl Fn(usize) -> f32) {
        let cells = self.seen.len();
        let (opacity, straight, diagonal) = (&self.opacity[..cells], &self.straight[..cells], &self.diagonal[..cells]);
        let (seen, through) = (&mut self.seen[..cells], &mut self.through[..cells]);
        for i in 0..cells {
            let weight = weight(i);
            let arriving = (1.0 - weight) * straight[i] + weight * diagonal[i];
            (seen[i], through[i]) = pass(arriving, opacity[i]);
        }
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
fn turn(disc: &Disc, from: &[f32], to: &mut [f32]) {
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
fn turn_back(disc: &Disc, from: &[f32], to: &mut [f32]) {
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
                sweep.table.clear();
                over_window(&mut fast, in_sight, weights, &mut sweep);
                for (cell, value) in plain.seen.iter() {
                    prop_assert_eq!(value.to_bits(), fast.seen[cell].to_bits(), "{:?}, {}", weights, cell);
                }
            }
        }
    }
}
