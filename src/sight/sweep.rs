//! The fast kernel: two-parent visibility ring by ring, in rows. To the bit what the plain kernel gives.
//!
//! ```text
//!   ┌───────────┐     The cells with the same M = max(|dx|, |dy|) form a ring, and they depend on the ring M − 1
//!   │ ╲   up  ╱ │     alone: row dy = −M on row 1 − M, straight and shifted by one. Up and down run along the rows of
//!   │   ╲   ╱   │     the window. Left and right run along its columns; eight at a time are turned into rows, and
//!   │ left @ right    what is seen is turned back.
//!   │   ╱   ╲   │
//!   │ ╱  down ╲ │     Each of the four wedges has both its diagonals: its next row needs nothing else, and where a
//!   └───────────┘     row is all dark, so is the rest of the wedge.
//! ```
//!
//! Rows are computed in whole vectors, hence a little beyond their ends. What comes of that is overwritten by the wedge
//! beside, or 0 where nothing is in sight; and no cell of the wedge depends on it.

use pulp::{Simd, WithSimd};

use super::Weights;
use super::sweep_row::{Light, Shares};
use super::tile::{Swap, WIDE};
use super::window::{NO_CELL, Window, half_width};

/// The buffers of the sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    light: Light,
    shares: Shares,
    /// How far the disc goes to each side in row dy, as far as the window holds it; and of what disc and window.
    widths: Vec<usize>,
    widths_of: [u32; 2],
    block: Block,
}

/// Leaves in the window the raw visibility of every cell within `in_sight`, before the path rule and decay.
pub(super) fn over_window(window: &mut Window, in_sight: u32, weights: Weights, sweep: &mut Sweep) {
    sweep.make_room(window, in_sight, weights);
    pulp::Arch::new().dispatch(Wedges { window, sweep, swap: Swap::new() });
}

/// The same as on a processor without wide vectors.
pub(super) fn narrow_over_window(window: &mut Window, in_sight: u32, weights: Weights, sweep: &mut Sweep) {
    sweep.make_room(window, in_sight, weights);
    Wedges { window, sweep, swap: Swap::none() }.with_simd(pulp::Scalar);
}

impl Sweep {
    fn make_room(&mut self, window: &Window, in_sight: u32, weights: Weights) {
        let reach = in_sight.min(window.radius);
        if self.widths.is_empty() || self.widths_of != [in_sight, window.radius] {
            self.widths.clear();
            self.widths.extend((0..=reach).map(|dy| half_width(in_sight, dy).min(window.radius) as usize));
            self.widths_of = [in_sight, window.radius];
        }
        self.light.make_room(window.radius as usize);
        self.shares.make_room(reach as usize, weights);
    }
}

/// The work of one call, compiled for the vectors of the processor at hand.
struct Wedges<'a> {
    window: &'a mut Window,
    sweep: &'a mut Sweep,
    swap: Swap,
}

impl WithSimd for Wedges<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { window, sweep, swap } = self;
        let Sweep { light, shares, widths, block, .. } = sweep;
        let (first, stride) = (window.seen.place(0, 0), window.seen.stride());
        let disc = Disc { radius: window.radius as usize, stride, widths };
        let middle = window.middle();
        window.seen.values_mut()[middle] = 1.0;
        let (opacity, seen) = (&window.opacity.values()[first..], &mut window.seen.values_mut()[first..]);
        for down in [false, true] {
            along_rows(simd, &disc, opacity, seen, light, shares, down);
        }
        // After the others, since rows are computed a little beyond their ends, into the wedges beside them.
        for right in [false, true] {
            along_columns(simd, &disc, opacity, seen, light, shares, block, swap, right);
        }
    }
}

/// What is in sight of a window of some radius.
struct Disc<'a> {
    radius: usize,
    /// From a row of the window to the next.
    stride: usize,
    widths: &'a [usize],
}

impl Disc<'_> {
    /// Length of a row of the window.
    #[inline(always)]
    fn side(&self) -> usize {
        2 * self.radius + 1
    }

    /// The outermost row.
    #[inline(always)]
    fn reach(&self) -> usize {
        self.widths.len() - 1
    }

    /// How far row M goes to each side in a wedge.
    #[inline(always)]
    fn half(&self, m: usize) -> usize {
        m.min(self.widths[m])
    }
}

/// The wedge above or below the viewer, row after row outwards.
#[inline(always)]
fn along_rows<S: Simd>(
    simd: S,
    disc: &Disc<'_>,
    opacity: &[f32],
    seen: &mut [f32],
    light: &mut Light,
    shares: &Shares,
    down: bool,
) {
    let (side, radius) = (disc.side(), disc.radius);
    light.start();
    let mut lit = true;
    for m in 1..=disc.reach() {
        let half = disc.half(m);
        let start = (if down { radius + m } else { radius - m }) * disc.stride;
        let row = &mut seen[start..start + side];
        if lit {
            lit = light.settle(simd, [m, half], &opacity[start..start + side], row, shares);
        } else {
            row[radius - half..=radius + half].fill(0.0);
        }
    }
}

/// Eight columns turned into rows, in tiles of eight places.
#[derive(Clone, Debug, Default)]
struct Block {
    opacity: Vec<[f32; WIDE]>,
    seen: Vec<[f32; WIDE]>,
}

/// The wedge left or right of the viewer, eight columns after eight outwards.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "they are the parts of one window and one sweep")]
fn along_columns<S: Simd>(
    simd: S,
    disc: &Disc<'_>,
    opacity: &[f32],
    seen: &mut [f32],
    light: &mut Light,
    shares: &Shares,
    block: &mut Block,
    swap: Swap,
    right: bool,
) {
    light.start();
    for near in (1..=disc.reach()).step_by(WIDE) {
        let far = (near + WIDE - 1).min(disc.reach());
        let half = (near..=far).map(|m| disc.half(m)).max().unwrap_or(0);
        let part = Part { near, far, right, axis: (half + 1).next_multiple_of(WIDE) };
        part.turn(disc, opacity, block, swap);
        let mut lit = true;
        for m in near..=far {
            let row = part.lane(m) * 2 * part.axis..(part.lane(m) + 1) * 2 * part.axis;
            let seen = &mut block.seen.as_flattened_mut()[row.clone()];
            if lit {
                lit = light.settle(simd, [m, disc.half(m)], &block.opacity.as_flattened()[row], seen, shares);
            } else {
                seen.fill(0.0);
            }
        }
        part.turn_back(disc, block, seen, swap);
        if !lit {
            darken(disc, far + 1, right, seen);
            return;
        }
    }
}

/// Nothing is seen in the left or right wedge from column M = `from` on.
fn darken(disc: &Disc<'_>, from: usize, right: bool, seen: &mut [f32]) {
    for (dy, &width) in disc.widths.iter().enumerate() {
        let nearest = from.max(dy);
        if nearest <= width {
            let first = if right { disc.radius + nearest } else { disc.radius - width };
            for y in [disc.radius - dy, disc.radius + dy] {
                let start = y * disc.stride + first;
                seen[start..=start + width - nearest].fill(0.0);
            }
        }
    }
}

/// Up to eight columns of the left or right wedge, from M = `near` to `far`; `axis` places on each side of dy = 0.
#[derive(Clone, Copy)]
struct Part {
    near: usize,
    far: usize,
    right: bool,
    axis: usize,
}

impl Part {
    /// Which of the columns M is, from left to right.
    #[inline(always)]
    fn lane(&self, m: usize) -> usize {
        if self.right { m - self.near } else { self.far - m }
    }

    /// The window's column that is leftmost.
    #[inline(always)]
    fn first(&self, disc: &Disc<'_>) -> usize {
        if self.right { disc.radius + self.near } else { disc.radius - self.far }
    }

    /// Tiles of eight rows of the window: their number in the block, and their first row (out of the window if huge).
    #[inline(always)]
    fn tiles(&self, disc: &Disc<'_>) -> impl Iterator<Item = (usize, usize)> + use<> {
        let top = disc.radius.wrapping_sub(self.axis);
        (0..2 * self.axis / WIDE).map(move |tile| (tile, top.wrapping_add(tile * WIDE)))
    }

    /// The opacities of the columns, as rows.
    #[inline(always)]
    fn turn(&self, disc: &Disc<'_>, opacity: &[f32], block: &mut Block, swap: Swap) {
        let tiles = 2 * self.axis / WIDE;
        block.opacity.resize(WIDE * tiles, [NO_CELL; WIDE]);
        block.seen.resize(WIDE * tiles, [0.0; WIDE]);
        let (first, columns) = (self.first(disc), self.far + 1 - self.near);
        for (tile, top) in self.tiles(disc) {
            let mut rows = [[NO_CELL; WIDE]; WIDE];
            if columns == WIDE && top < disc.side() && top + WIDE <= disc.side() {
                for (row, from) in rows.iter_mut().zip(opacity[top * disc.stride..].chunks_exact(disc.stride)) {
                    row.copy_from_slice(&from[first..first + WIDE]);
                }
            } else {
                for (i, row) in rows.iter_mut().enumerate() {
                    let y = top.wrapping_add(i);
                    if y < disc.side() {
                        let from = &opacity[y * disc.stride + first..];
                        row[..columns].copy_from_slice(&from[..columns]);
                    }
                }
            }
            for (lane, turned) in swap.swap(&rows).into_iter().enumerate() {
                block.opacity[lane * tiles + tile] = turned;
            }
        }
    }

    /// Puts what is seen in the columns into the window: exactly the cells of the wedge.
    #[inline(always)]
    fn turn_back(&self, disc: &Disc<'_>, block: &Block, seen: &mut [f32], swap: Swap) {
        let tiles = 2 * self.axis / WIDE;
        let first = self.first(disc);
        // The rows that have all columns in the wedge.
        let whole = disc.half(self.near).min(disc.half(self.far));
        let inner = disc.radius - whole..=disc.radius + whole;
        for (tile, top) in self.tiles(disc) {
            let mut rows = [[0.0; WIDE]; WIDE];
            for (lane, row) in rows.iter_mut().enumerate() {
                *row = block.seen[lane * tiles + tile];
            }
            let rows = swap.swap(&rows);
            if self.far + 1 - self.near == WIDE && inner.contains(&top) && inner.contains(&(top + WIDE - 1)) {
                for (row, to) in rows.iter().zip(seen[top * disc.stride..].chunks_exact_mut(disc.stride)) {
                    to[first..first + WIDE].copy_from_slice(row);
                }
                continue;
            }
            for (i, row) in rows.iter().enumerate() {
                let y = top.wrapping_add(i);
                let dy = y.abs_diff(disc.radius);
                if dy > self.far || y >= disc.side() {
                    continue;
                }
                let (nearest, farthest) = (self.near.max(dy), self.far.min(disc.widths[dy]));
                if nearest <= farthest {
                    let lanes =
                        self.lane(nearest).min(self.lane(farthest))..=self.lane(nearest).max(self.lane(farthest));
                    let to = &mut seen[y * disc.stride + first + lanes.start()..];
                    for (slot, value) in to.iter_mut().zip(&row[lanes]) {
                        *slot = *value;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::IVec2;
    use proptest::prelude::*;

    use super::*;
    use crate::sight::wanted::one_by_one;
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
                let fill = |start: IVec2, row: &mut [f32]| {
                    for (x, slot) in (start.x..).zip(row) {
                        *slot = some[(x * 31 + start.y * 17 + shift as i32).rem_euclid(700) as usize];
                    }
                };
                plain.take(IVec2::ZERO, [IVec2::MIN, IVec2::MAX], [true, true], one_by_one(fill));
                let mut fast = plain.clone();
                propagate::over_window(list.as_slice(), &mut plain, &mut Vec::new(), &mut Vec::new());
                let mut narrow = plain.clone();
                over_window(&mut fast, in_sight, weights, &mut sweep);
                narrow_over_window(&mut narrow, in_sight, weights, &mut sweep);
                for (cell, value) in plain.seen.view().iter() {
                    prop_assert_eq!(value.to_bits(), fast.seen[cell].to_bits(), "{:?}, {}", weights, cell);
                    prop_assert_eq!(value.to_bits(), narrow.seen[cell].to_bits(), "narrow, {:?}, {}", weights, cell);
                }
            }
        }
    }
}
