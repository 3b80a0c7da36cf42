//! Some columns of a map turned into rows, and turned back.

use super::land::Sight;
use super::wedge::Disc;
use crate::Grid;
use crate::sight::tile::{Swap, Tile, WIDE};

/// Columns that are turned at a time: two tiles abreast make a line of a processor's cache, and every line of the map is
/// on a page of memory of its own.
pub(super) const ABREAST: usize = 2 * WIDE;

/// Up to [`ABREAST`] columns of the left or right wedge, from ring `near` to `far`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) near: usize,
    pub(super) far: usize,
    pub(super) right: bool,
    /// Rows above and below the axis.
    pub(super) above: usize,
    pub(super) below: usize,
}

impl Part {
    fn count(&self) -> usize {
        self.far + 1 - self.near
    }

    fn tiles(&self) -> usize {
        (self.above + 1 + self.below).div_ceil(WIDE)
    }

    /// Which of the columns ring M is, from left to right.
    #[inline(always)]
    fn lane(&self, m: usize) -> usize {
        if self.right { m - self.near } else { self.far - m }
    }

    /// The leftmost column, where the viewer's is `middle`.
    fn first(&self, middle: usize) -> usize {
        if self.right { middle + self.near } else { middle - self.far }
    }
}

/// Heights, cover and what is shown of up to [`ABREAST`] columns, in tiles of eight places.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    ground: Vec<[f32; WIDE]>,
    cover: Vec<[f32; WIDE]>,
    out: Vec<[f32; WIDE]>,
}

impl Columns {
    /// Takes the columns from the map.
    #[inline(always)]
    pub(super) fn turn(&mut self, part: &Part, sight: &Sight<'_>, swap: Swap) {
        turn_grid(part, sight.ground, sight, &mut self.ground, swap);
        match sight.cover {
            Some(cover) => turn_grid(part, cover, sight, &mut self.cover, swap),
            None => self.cover.clear(),
        }
        grow(&mut self.out, ABREAST * part.tiles());
    }

    /// Heights, cover (empty without woods) and places for what is shown of ring M, from above to below.
    #[inline(always)]
    pub(super) fn row(&mut self, part: &Part, m: usize) -> (&[f32], &[f32], &mut [f32]) {
        let length = WIDE * part.tiles();
        let places = part.lane(m) * length..(part.lane(m) + 1) * length;
        let cover = self.cover.as_flattened();
        (
            &self.ground.as_flattened()[places.clone()],
            if cover.is_empty() { cover } else { &cover[places.clone()] },
            &mut self.out.as_flattened_mut()[places],
        )
    }

    /// Puts what is shown into the window: exactly the cells of the wedge.
    #[inline(always)]
    pub(super) fn turn_back(&self, part: &Part, disc: &Disc, swap: Swap, out: &mut Grid<f32>) {
        let tiles = part.tiles();
        let side = out.width();
        let middle = side / 2;
        let (first, top) = (part.first(middle), middle - part.above);
        let lanes: [&[[f32; WIDE]]; ABREAST] = std::array::from_fn(|lane| &self.out[lane * tiles..(lane + 1) * tiles]);
        // Within this distance from the axis all columns are in the wedge.
        let inner = part.near.min(disc.widths[part.far]);
        for tile in 0..tiles {
            let mut turned: [Tile; ABREAST / WIDE] = [[[0.0; WIDE]; WIDE]; ABREAST / WIDE];
            for (lane, from) in lanes.iter().enumerate() {
                turned[lane / WIDE][lane % WIDE] = from[tile];
            }
            for half in &mut turned {
                *half = swap.swap(half);
            }
            let y = top + tile * WIDE;
            let last = y + WIDE - 1;
            if part.count() == ABREAST && y + inner >= middle && last <= middle + inner && last <= middle + part.below {
                let rows = out.as_mut_slice()[y * side..(y + WIDE) * side].chunks_exact_mut(side);
                for (i, row) in rows.enumerate() {
                    let to = &mut row[first..first + ABREAST];
                    for (half, rows) in turned.iter().enumerate() {
                        to[half * WIDE..(half + 1) * WIDE].copy_from_slice(&rows[i]);
                    }
                }
                continue;
            }
            for (i, y) in (y..=middle + part.below).take(WIDE).enumerate() {
                let dy = y.abs_diff(middle);
                let (nearest, farthest) = (part.near.max(dy), part.far.min(disc.widths[dy]));
                if nearest > farthest {
                    continue;
                }
                let mut row = [0.0; ABREAST];
                for (row, half) in row.chunks_exact_mut(WIDE).zip(&turned) {
                    row.copy_from_slice(&half[i]);
                }
                let to = &mut out.row_mut(y)[first..];
                if farthest - nearest == ABREAST - 1 {
                    to[..ABREAST].copy_from_slice(&row);
                } else {
                    let (one, other) = (part.lane(nearest), part.lane(farthest));
                    let lanes = one.min(other)..=one.max(other);
                    for (slot, value) in to[lanes.clone()].iter_mut().zip(&row[lanes]) {
                        *slot = *value;
                    }
                }
            }
        }
    }
}

/// Makes room; what was there means nothing.
fn grow(places: &mut Vec<[f32; WIDE]>, length: usize) {
    if places.len() < length {
        places.resize(length, [0.0; WIDE]);
    }
}

#[inline(always)]
fn turn_grid(part: &Part, grid: &Grid<f32>, sight: &Sight<'_>, into: &mut Vec<[f32; WIDE]>, swap: Swap) {
    let tiles = part.tiles();
    grow(into, ABREAST * tiles);
    let (side, first) = (grid.width(), part.first(sight.viewer.x as usize));
    let (top, count) = (sight.viewer.y as usize - part.above, part.count());
    let bottom = sight.viewer.y as usize + part.below;
    for tile in 0..tiles {
        let y = top + tile * WIDE;
        let mut rows: [Tile; ABREAST / WIDE] = [[[f32::NAN; WIDE]; WIDE]; ABREAST / WIDE];
        if count == ABREAST && y + WIDE - 1 <= bottom {
            for (i, row) in grid.as_slice()[y * side..(y + WIDE) * side].chunks_exact(side).enumerate() {
                let from = &row[first..first + ABREAST];
                for (half, rows) in rows.iter_mut().enumerate() {
                    rows[i].copy_from_slice(&from[half * WIDE..(half + 1) * WIDE]);
                }
            }
        } else {
            for (i, y) in (y..=bottom).take(WIDE).enumerate() {
                for (lane, &value) in grid.row(y)[first..first + count].iter().enumerate() {
                    rows[lane / WIDE][i][lane % WIDE] = value;
                }
            }
        }
        for (half, rows) in rows.iter().enumerate() {
            for (lane, turned) in swap.swap(rows).into_iter().enumerate() {
                into[(half * WIDE + lane) * tiles + tile] = turned;
            }
        }
    }
}
