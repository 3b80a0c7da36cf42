//! [`OctantTiling`]: an octant of the disc, cut into blocks of 8 × 8 cells.

use crate::sight::config::Weights;
use crate::sight::offsets::diagonal_weight;
use crate::sight::window::half_width;
use crate::simd::TILE_SIDE;
use glam::ivec2;

/// The blocks of an octant that are in sight and in the window.
///
/// An octant is between an axis and a diagonal. Row M = 1, 2, … of it has the cells n = 0, 1, … away from the axis, up to
/// the diagonal (n = M) and the circle. Block (g, b) has the rows M = 8 g … 8 g + 7 and the cells n = 8 b … 8 b + 7.
#[derive(Clone, Debug, Default)]
pub(super) struct OctantTiling {
    /// The last row.
    pub(super) reach: usize,
    /// Group g has the eight rows from M = 8 g on.
    pub(super) groups: Vec<RowGroup>,
    /// The number of blocks.
    pub(super) blocks: usize,
    /// The largest number of blocks in a group.
    pub(super) max_group_blocks: usize,
}

/// Eight rows of an octant.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowGroup {
    /// The index of its first block among all blocks.
    pub(super) first_block: usize,
    /// The number of its blocks.
    pub(super) blocks: usize,
    /// The number of blocks, from the axis on, that are completely inside the circle.
    pub(super) blocks_inside: usize,
    /// 1/M for each row; for M = 0 it has no meaning.
    pub(super) reciprocals: [f32; TILE_SIDE],
    /// The last cell in sight of each row, clipped to the window.
    pub(super) last_cells: [f32; TILE_SIDE],
}

impl OctantTiling {
    /// Tiles the disc of radius `in_sight` in a window of radius `window`.
    pub(super) fn tile(&mut self, in_sight: u32, window: u32) {
        let reach = in_sight.min(window);
        self.groups.clear();
        self.reach = reach as usize;
        self.blocks = 0;
        self.max_group_blocks = 0;
        for first in (0..=reach).step_by(TILE_SIDE) {
            let rows = first..=reach.min(first + TILE_SIDE as u32 - 1);
            let half = |m: u32| half_width(in_sight, m).min(window);
            let last_cell = rows.clone().map(|m| half(m).min(m)).max().unwrap_or(0);
            let blocks = last_cell as usize / TILE_SIDE + 1;
            let is_inside =
                |b: &usize| rows.clone().all(|m| half(m) as usize >= (m as usize).min(b * TILE_SIDE + TILE_SIDE - 1));
            let each_row = |value: &dyn Fn(u32) -> f32| std::array::from_fn(|i| value(first + i as u32));
            self.groups.push(RowGroup {
                first_block: self.blocks,
                blocks,
                blocks_inside: (0..blocks).take_while(is_inside).count(),
                reciprocals: each_row(&|m| 1.0 / m.max(1) as f32),
                last_cells: each_row(&|m| if m <= reach { half(m) as f32 } else { 0.0 }),
            });
            self.blocks += blocks;
            self.max_group_blocks = self.max_group_blocks.max(blocks);
        }
    }
}

/// The shares of the diagonal parents for weights that are not linear, for each row of each block up to the diagonal.
#[derive(Clone, Debug, Default)]
pub(super) struct ShareTable {
    weights: Weights,
    /// The number of groups it covers.
    groups: usize,
    shares: Vec<[f32; TILE_SIDE]>,
}

impl ShareTable {
    /// Extends the table to this number of groups.
    pub(super) fn extend(&mut self, groups: usize, weights: Weights) {
        if self.weights != weights {
            *self = Self { weights, ..Self::default() };
        }
        for g in self.groups..groups {
            for first in (0..=g).map(|b| b * TILE_SIDE) {
                for m in g * TILE_SIDE..(g + 1) * TILE_SIDE {
                    let share = |n: usize| diagonal_weight(ivec2(n.min(m) as i32, m as i32), weights);
                    self.shares.push(std::array::from_fn(|i| share(first + i)));
                }
            }
        }
        self.groups = self.groups.max(groups);
    }

    /// The rows of `blocks` blocks of group `g`, from block `b` on.
    #[inline(always)]
    pub(super) fn rows(&self, g: usize, b: usize, blocks: usize) -> &[[f32; TILE_SIDE]] {
        let first = g * (g + 1) / 2 + b;
        &self.shares[first * TILE_SIDE..(first + blocks) * TILE_SIDE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_cells_in_sight_and_know_the_circle() {
        let mut tiling = OctantTiling::default();
        for [in_sight, window] in [[8, 8], [64, 64], [23, 23], [100, 40], [16, 16], [131, 131]] {
            tiling.tile(in_sight, window);
            let limit = in_sight * in_sight;
            let mut blocks = 0;
            for (g, group) in tiling.groups.iter().enumerate() {
                assert_eq!(group.first_block, blocks);
                blocks += group.blocks;
                for (i, m) in (g * TILE_SIDE..).take(TILE_SIDE).enumerate() {
                    let seen = |n: usize| m <= tiling.reach && n <= tiling.reach && (m * m + n * n) as u32 <= limit;
                    let beyond = group.blocks * TILE_SIDE;
                    assert!((beyond..=m).all(|n| !seen(n)), "{in_sight}, {window}: {m}");
                    let within = (group.blocks_inside * TILE_SIDE).min(m + 1);
                    assert!(m > tiling.reach || (0..within).all(seen), "{in_sight}, {window}: {m}");
                    assert!((0..=m).all(|n| m > tiling.reach || seen(n) == (n as f32 <= group.last_cells[i])));
                }
            }
            assert_eq!(tiling.blocks, blocks);
            assert_eq!(tiling.max_group_blocks, tiling.groups.iter().map(|group| group.blocks).max().unwrap());
        }
    }

    #[test]
    fn share_table_made_at_once_equals_an_extended_one() {
        let [mut at_once, mut extended] = [ShareTable::default(), ShareTable::default()];
        at_once.extend(6, Weights::Projection);
        (1..=6).for_each(|groups| extended.extend(groups, Weights::Projection));
        assert_eq!(at_once.shares, extended.shares);
        assert_eq!(extended.rows(3, 1, 2)[8 + 4][5], diagonal_weight(ivec2(21, 28), Weights::Projection));
    }
}
