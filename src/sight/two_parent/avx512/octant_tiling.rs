//! A disc cut into pieces of sixteen steps outwards by sixteen cells aside, for the kernel in vectors of sixteen.
//!
//! ```text
//!    @────────────── axis          An octant lies between an axis and a diagonal. Its row M = 1, 2, … goes n = 0, 1, …
//!      ▚▞▚▞▚▞│▚▞▚▞▚▞│              cells aside, as far as the diagonal (n = M) and the circle let it. Piece (g, b) has
//!        ▚▞▚▞│▚▞▚▞▚▞│              the rows M = 16 g … 16 g + 15 and the cells n = 16 b … 16 b + 15. Where the axis
//!      b = 0 │ b = 1                ends at a multiple of 16, its tip is in no piece.
//! ```

use crate::sight::window::half_width;

/// Steps of a piece, and cells aside: the lanes of a vector.
pub(crate) const LANES: usize = 16;

/// One bit for each lane.
pub(crate) type Mask = u16;

/// What of each octant lies in sight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disc {
    pub(crate) radius: usize,
    /// Where the pieces of each sixteen rows begin, b = 0 first, and where the last end.
    pub(crate) starts: Vec<usize>,
    /// The most pieces that sixteen rows have.
    pub(crate) blocks: usize,
    /// How many cells aside the widest of sixteen rows goes, beside the axis.
    pub(crate) widest: Vec<usize>,
    /// Whether in these sixteen rows nothing but what lies beyond the diagonal is out of sight.
    pub(crate) round: Vec<bool>,
    /// For each piece and each of its rows: the cells aside that are in sight; then the same mirrored.
    pub(crate) rows: [Vec<[Mask; LANES]>; 2],
    /// For each piece and each of its cells aside: the rows in which it is in sight; then the same mirrored.
    pub(crate) columns: [Vec<[Mask; LANES]>; 2],
    /// 1/M for M = 1, 2, …; the first means nothing.
    pub(crate) units: Vec<f32>,
}

impl Disc {
    /// Cuts the disc of a radius of at least 1.
    pub(crate) fn cut(&mut self, radius: u32) {
        let reach = radius as usize;
        let Self { starts, widest, round, rows, columns, units, .. } = self;
        starts.clear();
        widest.clear();
        round.clear();
        for mask in rows.iter_mut().chain(columns.iter_mut()) {
            mask.clear();
        }
        units.clear();
        units.extend((0..=reach.next_multiple_of(LANES)).map(|m| 1.0 / m.max(1) as f32));
        let half = |distance: usize| half_width(radius, distance as u32) as usize;
        starts.push(0);
        // The tip of an axis is no group of its own.
        for first in (0..reach).step_by(LANES) {
            let last = reach.min(first + LANES - 1);
            let most = (first..=last).map(|m| m.min(half(m))).max().unwrap_or(0);
            let blocks = most / LANES + 1;
            for before in (0..blocks).map(|b| b * LANES) {
                let row = std::array::from_fn(|i| match first + i {
                    m if (1..=last).contains(&m) => low_bits((m.min(half(m)) + 1).saturating_sub(before)),
                    _ => 0,
                });
                let column = std::array::from_fn(|i| match before + i {
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
            widest.push(most);
            let reaches = |m: usize| half(m) >= m.min(blocks * LANES - 1);
            round.push(last == first + LANES - 1 && (first..=last).all(reaches));
            starts.push(rows[0].len());
        }
        self.radius = reach;
        self.blocks = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    }

    /// The number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.rows[0].len()
    }
}

/// The lowest bits, all from 16 on.
pub(crate) fn low_bits(number: usize) -> Mask {
    ((1u32 << number.min(LANES)) - 1) as Mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_hold_each_cell_in_sight_once() {
        let mut disc = Disc::default();
        for radius in [1, 5, 16, 17, 40, 64, 131, 23] {
            disc.cut(radius);
            let limit = (radius * radius) as usize;
            for (g, pair) in disc.starts.windows(2).enumerate() {
                for (b, piece) in (pair[0]..pair[1]).enumerate() {
                    for (i, j) in (0..LANES).flat_map(|i| (0..LANES).map(move |j| (i, j))) {
                        let (m, n) = (g * LANES + i, b * LANES + j);
                        let in_sight = m > 0 && n <= m && m * m + n * n <= limit;
                        assert_eq!(disc.rows[0][piece][i] >> j & 1 == 1, in_sight, "{radius}: {m}, {n}");
                        assert_eq!(disc.rows[1][piece][i] >> (15 - j) & 1 == 1, in_sight);
                        assert_eq!(disc.columns[0][piece][j] >> i & 1 == 1, in_sight, "{radius}: {m}, {n}");
                        assert_eq!(disc.columns[1][piece][j] >> (15 - i) & 1 == 1, in_sight);
                    }
                }
            }
            let held: u32 = disc.rows[0].iter().flatten().map(|mask| mask.count_ones()).sum();
            let cells = (1..=radius as usize).flat_map(|m| (0..=m).map(move |n| (m, n)));
            let in_sight = cells.filter(|(m, n)| m * m + n * n <= limit).count();
            let tip = usize::from(radius.is_multiple_of(LANES as u32));
            assert_eq!(held as usize, in_sight - tip, "{radius}");
        }
    }
}
