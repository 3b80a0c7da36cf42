//! Some columns of a map turned into rows, and turned back.

use super::surface::Sight;
use super::wedge::Disc;
use crate::grid::AlignedBuffer;
use crate::grid::AlignedGrid;
use crate::grid::Grid;
use crate::simd::{TILE_SIDE as WIDE, Tile, Transpose as Swap};

/// Columns that are taken from the map at a time: two tiles abreast make a line of a processor's cache, and every line of
/// the map is on a page of memory of its own.
pub(super) const ABREAST: usize = 2 * WIDE;

/// Columns that are put into the window at a time, a multiple of those that are taken: lines are written best one after
/// another.
pub(super) const TOGETHER: usize = 4 * ABREAST;

/// Some columns of the left or right wedge, from ring `near` to `far`.
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

    /// Tiles from one column to the next: lines of a processor's cache, odd in number, so that columns do not push each
    /// other out.
    #[inline(always)]
    fn stride(&self) -> usize {
        2 * (self.tiles().div_ceil(2) | 1)
    }

    /// The nearest and the farthest ring of some columns.
    #[inline(always)]
    fn rings(&self, lane: usize, count: usize) -> [usize; 2] {
        match self.right {
            true => [self.near + lane, self.near + lane + count - 1],
            false => [self.far + 1 - lane - count, self.far - lane],
        }
    }

    /// Which of the columns ring M is, from left to right.
    #[inline(always)]
    fn lane(&self, m: usize) -> usize {
        if self.right { m - self.near } else { self.far - m }
    }

    /// Where the values of ring M stand.
    #[inline(always)]
    fn places(&self, m: usize) -> std::ops::Range<usize> {
        let first = WIDE * self.lane(m) * self.stride();
        first..first + WIDE * self.tiles()
    }

    /// The leftmost column, where the viewer's is `middle`.
    fn first(&self, middle: usize) -> usize {
        if self.right { middle + self.near } else { middle - self.far }
    }
}

/// Heights, cover and what is shown of some columns, in tiles of eight places.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    ground: AlignedBuffer,
    cover: AlignedBuffer,
    out: AlignedBuffer,
    woods: bool,
}

impl Columns {
    /// Takes up to [`ABREAST`] columns from the map.
    #[inline(always)]
    pub(super) fn turn(&mut self, part: &Part, sight: &Sight<'_>, swap: Swap) {
        turn_grid(part, sight.ground, sight, &mut self.ground, swap);
        self.woods = sight.cover.is_some();
        if let Some(cover) = sight.cover {
            turn_grid(part, cover, sight, &mut self.cover, swap);
        }
    }

    /// Makes room for what is shown of up to [`TOGETHER`] columns.
    #[inline(always)]
    pub(super) fn begin(&mut self, part: &Part) {
        self.out.grow_to(TOGETHER * WIDE * part.stride());
    }

    /// Heights and cover (empty without woods) of ring M, of columns that were taken, and places for what is shown of it,
    /// from above to below.
    #[inline(always)]
    pub(super) fn row(&mut self, taken: &Part, shown: &Part, m: usize) -> (&[f32], &[f32], &mut [f32]) {
        let places = taken.places(m);
        (
            &self.ground[places.clone()],
            if self.woods { &self.cover[places] } else { &[] },
            &mut self.out[shown.places(m)],
        )
    }

    /// Puts what is shown into the window: exactly the cells of the wedge.
    #[inline(always)]
    pub(super) fn turn_back(&self, part: &Part, disc: &Disc, swap: Swap, out: &mut AlignedGrid) {
        let stride = part.stride();
        let below = out.stride();
        let middle = out.width() / 2;
        let (first, top) = (part.first(middle), middle - part.above);
        // Eight rows at a time from end to end: a processor writes best what goes on where it left off.
        for tile in 0..part.tiles() {
            let y = top + tile * WIDE;
            let inside = y + WIDE <= middle + part.below + 1;
            let farthest = middle.abs_diff(y).max(middle.abs_diff(y + WIDE - 1));
            for lane in (0..part.count()).step_by(ABREAST) {
                let count = ABREAST.min(part.count() - lane);
                let [near, far] = part.rings(lane, count);
                let columns = &self.out.as_chunks().0[lane * stride + tile..];
                let turned = [
                    swap.transpose(&tile_of(columns, stride)),
                    swap.transpose(&tile_of(&columns[WIDE * stride..], stride)),
                ];
                let x = first + lane;
                if inside && count == ABREAST && farthest <= near.min(disc.widths[far]) {
                    let place = out.index_of(x, y);
                    let rows = &mut out.values_mut()[place..][..(WIDE - 1) * below + ABREAST];
                    for i in 0..WIDE {
                        let to: &mut [f32; ABREAST] = (&mut rows[i * below..][..ABREAST]).try_into().expect("so many");
                        to[..WIDE].copy_from_slice(&turned[0][i]);
                        to[WIDE..].copy_from_slice(&turned[1][i]);
                    }
                    continue;
                }
                for (i, y) in (y..=middle + part.below).take(WIDE).enumerate() {
                    let dy = y.abs_diff(middle);
                    let (nearest, farthest) = (near.max(dy), far.min(disc.widths[dy]));
                    if nearest > farthest {
                        continue;
                    }
                    let mut row = [0.0; ABREAST];
                    for (row, half) in row.chunks_exact_mut(WIDE).zip(&turned) {
                        row.copy_from_slice(&half[i]);
                    }
                    let (one, other) = (part.lane(nearest), part.lane(farthest));
                    let lanes = one.min(other) - lane..one.max(other) + 1 - lane;
                    for (slot, value) in out.row_mut(y)[x..][lanes.clone()].iter_mut().zip(&row[lanes]) {
                        *slot = *value;
                    }
                }
            }
        }
    }
}

/// A tile of columns that lie so far from one another.
#[inline(always)]
fn tile_of(columns: &[[f32; WIDE]], stride: usize) -> Tile {
    let columns = &columns[..(WIDE - 1) * stride + 1];
    let mut tile = [[0.0; WIDE]; WIDE];
    for (i, column) in tile.iter_mut().enumerate() {
        *column = columns[i * stride];
    }
    tile
}

#[inline(always)]
fn turn_grid(part: &Part, grid: &Grid<f32>, sight: &Sight<'_>, into: &mut AlignedBuffer, swap: Swap) {
    let stride = part.stride();
    into.grow_to(ABREAST * WIDE * stride);
    let into = &mut into.as_chunks_mut().0[..ABREAST * stride];
    let (side, first) = (grid.width(), part.first(sight.viewer.x as usize));
    let (top, count) = (sight.viewer.y as usize - part.above, part.count());
    let bottom = sight.viewer.y as usize + part.below;
    for tile in 0..part.tiles() {
        let y = top + tile * WIDE;
        if count == ABREAST && y + WIDE - 1 <= bottom {
            let rows = &grid.as_slice()[y * side + first..][..(WIDE - 1) * side + ABREAST];
            for half in 0..ABREAST / WIDE {
                let mut whole = [[0.0; WIDE]; WIDE];
                for i in 0..WIDE {
                    whole[i].copy_from_slice(&rows[i * side + half * WIDE..][..WIDE]);
                }
                let turned = swap.transpose(&whole);
                let into = &mut into[half * WIDE * stride + tile..][..(WIDE - 1) * stride + 1];
                for i in 0..WIDE {
                    into[i * stride] = turned[i];
                }
            }
            continue;
        }
        let mut rows: [Tile; ABREAST / WIDE] = [[[f32::NAN; WIDE]; WIDE]; ABREAST / WIDE];
        for (i, y) in (y..=bottom).take(WIDE).enumerate() {
            for (lane, &value) in grid.row(y)[first..first + count].iter().enumerate() {
                rows[lane / WIDE][i][lane % WIDE] = value;
            }
        }
        for (half, rows) in rows.iter().enumerate() {
            for (lane, turned) in swap.transpose(rows).into_iter().enumerate() {
                into[(half * WIDE + lane) * stride + tile] = turned;
            }
        }
    }
}
