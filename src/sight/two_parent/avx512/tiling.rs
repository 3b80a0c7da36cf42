//! [`Avx512Tiling`]: an octant of the disc, cut into blocks of 16 × 16 cells.
//!
//! An octant is between an axis and a diagonal. Row M = 1, 2, … of it has the cells n = 0, 1, … away from the axis, up to
//! the diagonal (n = M) and the circle. Block (g, b) has the rows M = 16 g … 16 g + 15 and the cells n = 16 b … 16 b + 15.
//! If the radius is a multiple of 16, the last cell of the axis is in no block.

use crate::sight::window::half_width;
use crate::simd::LANES;

/// One bit for each lane.
pub(super) type Mask = u16;

/// The blocks and the cells in sight of each octant.
#[derive(Clone, Debug, Default)]
pub(super) struct Avx512Tiling {
    pub(super) radius: usize,
    /// The index of the first block of each group of 16 rows, then the number of blocks.
    pub(super) starts: Vec<usize>,
    /// The largest number of blocks in a group.
    pub(super) max_group_blocks: usize,
    /// The last cell in sight of the widest row, for each group.
    pub(super) last_cells: Vec<usize>,
    /// `true` for each group in which only cells beyond the diagonal are out of sight.
    pub(super) inside_circle: Vec<bool>,
    /// For each block and each of its rows: the cells in sight; then the same with reversed bits.
    pub(super) rows: [Vec<[Mask; LANES]>; 2],
    /// For each block and each of its columns n: the rows in which it is in sight; then the same with reversed bits.
    pub(super) columns: [Vec<[Mask; LANES]>; 2],
    /// 1/M for M = 1, 2, …; the first has no meaning.
    pub(super) reciprocals: Vec<f32>,
}

impl Avx512Tiling {
    /// Tiles the disc of a radius of at least 1.
    pub(super) fn tile(&mut self, radius: u32) {
        let reach = radius as usize;
        let Self { starts, last_cells, inside_circle, rows, columns, reciprocals, .. } = self;
        starts.clear();
        last_cells.clear();
        inside_circle.clear();
        for mask in rows.iter_mut().chain(columns.iter_mut()) {
            mask.clear();
        }
        reciprocals.clear();
        reciprocals.extend((0..=reach.next_multiple_of(LANES)).map(|m| 1.0 / m.max(1) as f32));
        let half = |distance: usize| half_width(radius, distance as u32) as usize;
        starts.push(0);
        for first in (0..reach).step_by(LANES) {
            let last = reach.min(first + LANES - 1);
            let last_cell = (first..=last).map(|m| m.min(half(m))).max().unwrap_or(0);
            let blocks = last_cell / LANES + 1;
            for first_cell in (0..blocks).map(|b| b * LANES) {
                let row = std::array::from_fn(|i| match first + i {
                    m if (1..=last).contains(&m) => low_bits((m.min(half(m)) + 1).saturating_sub(first_cell)),
                    _ => 0,
                });
                let column = std::array::from_fn(|i| match first_cell + i {
                    n if n <= reach => {
                        let steps = low_bits((half(n) + 1).min(last + 1).saturating_sub(first));
                        steps & !low_bits(n.max(1).saturating_sub(first))
                    }
                    _ => 0,
                });
                rows[0].push(row);
                rows[1].push(row.map(Mask::reverse_bits));
                columns[0].push(column);
                columns[1].push(column.map(Mask::reverse_bits));
            }
            last_cells.push(last_cell);
            let reaches = |m: usize| half(m) >= m.min(blocks * LANES - 1);
            inside_circle.push(last == first + LANES - 1 && (first..=last).all(reaches));
            starts.push(rows[0].len());
        }
        self.radius = reach;
        self.max_group_blocks = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.rows[0].len()
    }
}

/// A mask of the lowest bits; all of them if `number` is 16 or more.
pub(super) fn low_bits(number: usize) -> Mask {
    ((1u32 << number.min(LANES)) - 1) as Mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_contain_each_cell_in_sight_once() {
        let mut tiling = Avx512Tiling::default();
        for radius in [1, 5, 16, 17, 40, 64, 131, 23] {
            tiling.tile(radius);
            let limit = (radius * radius) as usize;
            for (g, pair) in tiling.starts.windows(2).enumerate() {
                for (b, block) in (pair[0]..pair[1]).enumerate() {
                    for (i, j) in (0..LANES).flat_map(|i| (0..LANES).map(move |j| (i, j))) {
                        let (m, n) = (g * LANES + i, b * LANES + j);
                        let in_sight = m > 0 && n <= m && m * m + n * n <= limit;
                        assert_eq!(tiling.rows[0][block][i] >> j & 1 == 1, in_sight, "{radius}: {m}, {n}");
                        assert_eq!(tiling.rows[1][block][i] >> (15 - j) & 1 == 1, in_sight);
                        assert_eq!(tiling.columns[0][block][j] >> i & 1 == 1, in_sight, "{radius}: {m}, {n}");
                        assert_eq!(tiling.columns[1][block][j] >> (15 - i) & 1 == 1, in_sight);
                    }
                }
            }
            let held: u32 = tiling.rows[0].iter().flatten().map(|mask| mask.count_ones()).sum();
            let cells = (1..=radius as usize).flat_map(|m| (0..=m).map(move |n| (m, n)));
            let in_sight = cells.filter(|(m, n)| m * m + n * n <= limit).count();
            let tip = usize::from(radius.is_multiple_of(LANES as u32));
            assert_eq!(held as usize, in_sight - tip, "{radius}");
        }
    }
}
