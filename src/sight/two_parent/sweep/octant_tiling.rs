//! [`OctantTiling`]: an octant of the disc, cut into blocks of W × W cells.

use crate::sight::offsets::diagonal_weight;
use crate::sight::window::half_width;
use crate::sight_config::Weights;
use glam::ivec2;

/// The blocks of an octant that are in sight and in the window.
///
/// An octant is between an axis and a diagonal. Row M = 1, 2, … of it has the cells n = 0, 1, … away from the axis, up to
/// the diagonal (n = M) and the circle. Block (g, b) has the rows M = W g … W g + W − 1 and the cells n = W b … W b + W − 1.
#[derive(Clone, Debug, Default)]
pub(super) struct OctantTiling<const W: usize> {
    /// The radius of the disc, clipped to the window.
    pub(super) reach: usize,
    /// The last row in the groups.
    pub(super) last_row: usize,
    /// Group g has the W rows starting at M = W g.
    pub(super) groups: Vec<RowGroup<W>>,
    /// The number of blocks.
    pub(super) blocks: usize,
    /// The largest number of blocks in a group.
    pub(super) max_group_blocks: usize,
}

/// W rows of an octant.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowGroup<const W: usize> {
    /// The index of its first block among all blocks.
    pub(super) first_block: usize,
    /// The number of its blocks.
    pub(super) blocks: usize,
    /// The number of blocks, counted from the axis, that are completely inside the circle.
    pub(super) blocks_inside: usize,
    /// 1/M for each row; undefined for M = 0.
    pub(super) reciprocals: [f32; W],
    /// The last cell in sight of each row, clipped to the window.
    pub(super) last_cells: [f32; W],
}

impl<const W: usize> OctantTiling<W> {
    /// Tiles the disc of radius `in_sight` in a window of radius `window`.
    pub(super) fn tile(&mut self, in_sight: u32, window: u32) {
        let reach = in_sight.min(window);
        // The row M = radius has one cell. If it is the first of a group, the group is omitted.
        let clips_to_axis = reach == in_sight && reach > 0 && (reach as usize).is_multiple_of(W);
        let last_row = reach - u32::from(clips_to_axis);
        self.groups.clear();
        self.reach = reach as usize;
        self.last_row = last_row as usize;
        self.blocks = 0;
        self.max_group_blocks = 0;
        for first in (0..=last_row).step_by(W) {
            let rows = first..=last_row.min(first + W as u32 - 1);
            let half = |m: u32| half_width(in_sight, m).min(window);
            let last_cell = rows.clone().map(|m| half(m).min(m)).max().unwrap_or(0);
            let blocks = last_cell as usize / W + 1;
            let is_inside = |b: &usize| rows.clone().all(|m| half(m) as usize >= (m as usize).min(b * W + W - 1));
            let each_row = |value: &dyn Fn(u32) -> f32| std::array::from_fn(|i| value(first + i as u32));
            self.groups.push(RowGroup {
                first_block: self.blocks,
                blocks,
                blocks_inside: (0..blocks).take_while(is_inside).count(),
                reciprocals: each_row(&|m| 1.0 / m.max(1) as f32),
                last_cells: each_row(&|m| if m <= last_row { half(m) as f32 } else { 0.0 }),
            });
            self.blocks += blocks;
            self.max_group_blocks = self.max_group_blocks.max(blocks);
        }
    }

    /// Returns `true` if the last row in sight is not in the groups. It has only the cell on the axis.
    pub(super) fn clips_to_axis(&self) -> bool {
        self.last_row < self.reach
    }
}

/// The weights of the diagonal parents if weights are not linear, for each row of each block up to the diagonal.
#[derive(Clone, Debug, Default)]
pub(super) struct ShareTable<const W: usize> {
    weights: Weights,
    /// The number of groups it covers.
    groups: usize,
    shares: Vec<[[f32; W]; W]>,
}

impl<const W: usize> ShareTable<W> {
    /// Extends the table to this number of groups.
    pub(super) fn extend(&mut self, groups: usize, weights: Weights) {
        if self.weights != weights {
            *self = Self { weights, ..Self::default() };
        }
        for g in self.groups..groups {
            for first in (0..=g).map(|b| b * W) {
                let share = |n: usize, m: usize| diagonal_weight(ivec2(n.min(m) as i32, m as i32), weights);
                self.shares.push(std::array::from_fn(|i| std::array::from_fn(|n| share(first + n, g * W + i))));
            }
        }
        self.groups = self.groups.max(groups);
    }

    /// Returns the weights of group `g`, starting at block `b`, row by row of each block.
    #[inline(always)]
    pub(super) fn blocks(&self, g: usize, b: usize) -> &[[[f32; W]; W]] {
        &self.shares[g * (g + 1) / 2 + b..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_cells_in_sight_and_know_the_circle() {
        assert_blocks_cover_the_disc::<8>();
        assert_blocks_cover_the_disc::<16>();
    }

    fn assert_blocks_cover_the_disc<const W: usize>() {
        let mut tiling = OctantTiling::<W>::default();
        for [in_sight, window] in
            [[8, 8], [64, 64], [23, 23], [100, 40], [16, 16], [131, 131], [1, 1], [40, 32], [0, 0]]
        {
            tiling.tile(in_sight, window);
            let limit = in_sight * in_sight;
            let mut blocks = 0;
            for (g, group) in tiling.groups.iter().enumerate() {
                assert_eq!(group.first_block, blocks);
                blocks += group.blocks;
                for (i, m) in (g * W..).take(W).enumerate() {
                    let seen = |n: usize| m <= tiling.last_row && n <= tiling.reach && (m * m + n * n) as u32 <= limit;
                    let beyond = group.blocks * W;
                    assert!((beyond..=m).all(|n| !seen(n)), "{in_sight}, {window}: {m}");
                    let within = (group.blocks_inside * W).min(m + 1);
                    assert!(m > tiling.last_row || (0..within).all(seen), "{in_sight}, {window}: {m}");
                    assert!((0..=m).all(|n| m > tiling.last_row || seen(n) == (n as f32 <= group.last_cells[i])));
                }
            }
            let skips = tiling.clips_to_axis();
            assert_eq!(
                skips,
                in_sight <= window && in_sight > 0 && (in_sight as usize).is_multiple_of(W),
                "{in_sight}"
            );
            assert_eq!(tiling.last_row + usize::from(skips), in_sight.min(window) as usize);
            assert_eq!(tiling.groups.len(), tiling.last_row / W + 1);
            assert_eq!(tiling.blocks, blocks);
            assert_eq!(tiling.max_group_blocks, tiling.groups.iter().map(|group| group.blocks).max().unwrap());
        }
    }

    #[test]
    fn share_table_made_at_once_equals_an_extended_one() {
        let [mut at_once, mut extended] = [ShareTable::<8>::default(), ShareTable::default()];
        at_once.extend(6, Weights::Projection);
        (1..=6).for_each(|groups| extended.extend(groups, Weights::Projection));
        assert_eq!(at_once.shares, extended.shares);
        assert_eq!(extended.blocks(3, 1)[1][4][5], diagonal_weight(ivec2(21, 28), Weights::Projection));
    }
}
