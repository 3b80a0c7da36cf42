//! A disc cut into pieces of eight steps outwards by eight cells aside.

use crate::sight::config::Weights;
use crate::sight::offsets::diagonal_weight;
use crate::sight::window::half_width;
use crate::simd::TILE_SIDE;
use glam::ivec2;

/// What of a wedge lies in sight and in the window. An octant lies between an axis and a diagonal; its row M = 1, 2, …
/// goes n = 0, 1, … cells aside, as far as the diagonal (n = M) and the circle let it. Piece (g, b) has the rows
/// M = 8 g … 8 g + 7 and the cells n = 8 b … 8 b + 7.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cut {
    /// The last step.
    pub(crate) reach: usize,
    /// The eight rows from M = 8 g on.
    pub(crate) groups: Vec<Group>,
    /// The number of pieces.
    pub(crate) pieces: usize,
    /// The most pieces that eight rows have.
    pub(crate) blocks: usize,
}

/// Eight rows of an octant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Which of all pieces is the first.
    pub(crate) first: usize,
    /// How many there are.
    pub(crate) blocks: usize,
    /// So many of them have all their cells this side of the circle.
    pub(crate) round: usize,
    /// 1/M of each row; of M = 0, it means nothing.
    pub(crate) units: [f32; TILE_SIDE],
    /// How far the circle goes to each side of each row, as far as the window holds it.
    pub(crate) halves: [f32; TILE_SIDE],
}

impl Cut {
    /// Cuts the disc of a radius, in a window of another.
    pub(crate) fn cut(&mut self, in_sight: u32, window: u32) {
        let reach = in_sight.min(window);
        self.groups.clear();
        self.reach = reach as usize;
        self.pieces = 0;
        self.blocks = 0;
        for near in (0..=reach).step_by(TILE_SIDE) {
            let rows = near..=reach.min(near + TILE_SIDE as u32 - 1);
            let half = |m: u32| half_width(in_sight, m).min(window);
            let most = rows.clone().map(|m| half(m).min(m)).max().unwrap_or(0);
            let blocks = most as usize / TILE_SIDE + 1;
            let is_round =
                |b: &usize| rows.clone().all(|m| half(m) as usize >= (m as usize).min(b * TILE_SIDE + TILE_SIDE - 1));
            let each_row = |value: &dyn Fn(u32) -> f32| std::array::from_fn(|i| value(near + i as u32));
            self.groups.push(Group {
                first: self.pieces,
                blocks,
                round: (0..blocks).take_while(is_round).count(),
                units: each_row(&|m| 1.0 / m.max(1) as f32),
                halves: each_row(&|m| if m <= reach { half(m) as f32 } else { 0.0 }),
            });
            self.pieces += blocks;
            self.blocks = self.blocks.max(blocks);
        }
    }
}

/// The shares of the diagonal parents where they are not a mere ratio, for each row of each piece up to the diagonal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    weights: Weights,
    /// How many groups it has.
    groups: usize,
    shares: Vec<[f32; TILE_SIDE]>,
}

impl Table {
    /// Makes it reach so many groups.
    pub(crate) fn extend(&mut self, groups: usize, weights: Weights) {
        if self.weights != weights {
            *self = Self { weights, ..Self::default() };
        }
        for g in self.groups..groups {
            for before in (0..=g).map(|b| b * TILE_SIDE) {
                for m in g * TILE_SIDE..(g + 1) * TILE_SIDE {
                    let share = |n: usize| diagonal_weight(ivec2(n.min(m) as i32, m as i32), weights);
                    self.shares.push(std::array::from_fn(|i| share(before + i)));
                }
            }
        }
        self.groups = self.groups.max(groups);
    }

    /// The rows of some pieces of group `g`, from `b` on.
    #[inline(always)]
    pub(crate) fn rows(&self, g: usize, b: usize, pieces: usize) -> &[[f32; TILE_SIDE]] {
        let first = g * (g + 1) / 2 + b;
        &self.shares[first * TILE_SIDE..(first + pieces) * TILE_SIDE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hold_all_cells_in_sight_and_know_which_lie_on_the_rim() {
        let mut cut = Cut::default();
        for [in_sight, window] in [[8, 8], [64, 64], [23, 23], [100, 40], [16, 16], [131, 131]] {
            cut.cut(in_sight, window);
            let limit = in_sight * in_sight;
            let mut pieces = 0;
            for (g, group) in cut.groups.iter().enumerate() {
                assert_eq!(group.first, pieces);
                pieces += group.blocks;
                for (i, m) in (g * TILE_SIDE..).take(TILE_SIDE).enumerate() {
                    let seen = |n: usize| m <= cut.reach && n <= cut.reach && (m * m + n * n) as u32 <= limit;
                    let beyond = group.blocks * TILE_SIDE;
                    assert!((beyond..=m).all(|n| !seen(n)), "{in_sight}, {window}: {m}");
                    let within = (group.round * TILE_SIDE).min(m + 1);
                    assert!(m > cut.reach || (0..within).all(seen), "{in_sight}, {window}: {m}");
                    assert!((0..=m).all(|n| m > cut.reach || seen(n) == (n as f32 <= group.halves[i])));
                }
            }
            assert_eq!(cut.pieces, pieces);
            assert_eq!(cut.blocks, cut.groups.iter().map(|group| group.blocks).max().unwrap());
        }
    }

    #[test]
    fn a_table_is_the_same_whether_made_at_once_or_extended() {
        let [mut at_once, mut extended] = [Table::default(), Table::default()];
        at_once.extend(6, Weights::Projection);
        (1..=6).for_each(|groups| extended.extend(groups, Weights::Projection));
        assert_eq!(at_once.shares, extended.shares);
        assert_eq!(extended.rows(3, 1, 2)[8 + 4][5], diagonal_weight(ivec2(21, 28), Weights::Projection));
    }
}
