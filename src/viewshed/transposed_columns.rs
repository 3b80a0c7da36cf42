//! [`TransposedColumns`]: columns of a map transposed into rows, and back into the window.

use std::ops::Range;

use fearless_simd::Simd;

use super::surface::SurfaceTerms;
use crate::grid::{AlignedBuffer, AlignedGrid, Grid};
use crate::simd::{TILE_SIDE, Tile, transpose};

/// The number of columns that are read from the map at a time: two adjacent tiles are one cache line, and each row of a
/// large map is on a different memory page.
pub(super) const READ_COLUMNS: usize = 2 * TILE_SIDE;

/// The number of columns that are written to the window at a time: sequential writes are fastest.
pub(super) const WRITTEN_COLUMNS: usize = 4 * READ_COLUMNS;

/// Adjacent columns of the left or right quadrant, from ring `near` to `far`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnBlock {
    pub(super) near: usize,
    pub(super) far: usize,
    pub(super) right: bool,
    /// Rows above and below the axis.
    pub(super) above: usize,
    pub(super) below: usize,
}

impl ColumnBlock {
    fn count(&self) -> usize {
        self.far + 1 - self.near
    }

    fn tiles(&self) -> usize {
        (self.above + 1 + self.below).div_ceil(TILE_SIDE)
    }

    /// Returns the stride between columns in tiles: an odd number of cache lines, so that columns do not evict each
    /// other.
    #[inline(always)]
    fn stride(&self) -> usize {
        2 * (self.tiles().div_ceil(2) | 1)
    }

    /// Returns the nearest and the farthest ring of `count` columns, starting at `lane`.
    #[inline(always)]
    fn rings(&self, lane: usize, count: usize) -> (usize, usize) {
        match self.right {
            true => (self.near + lane, self.near + lane + count - 1),
            false => (self.far + 1 - lane - count, self.far - lane),
        }
    }

    /// Returns the index of ring M among the columns, from left to right.
    #[inline(always)]
    fn lane(&self, m: usize) -> usize {
        if self.right { m - self.near } else { self.far - m }
    }

    /// Returns the indices of the values of ring M.
    #[inline(always)]
    fn places(&self, m: usize) -> Range<usize> {
        let first = TILE_SIDE * self.lane(m) * self.stride();
        first..first + TILE_SIDE * self.tiles()
    }

    /// Returns the leftmost column, if the viewer's is `middle`.
    fn first(&self, middle: usize) -> usize {
        if self.right { middle + self.near } else { middle - self.far }
    }
}

/// Elevations, obstacles, cover and output of a block of columns, in tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct TransposedColumns {
    ground: AlignedBuffer,
    obstacles: AlignedBuffer,
    cover: AlignedBuffer,
    out: AlignedBuffer,
    has_obstacles: bool,
    has_cover: bool,
}

/// The values of a ring in a block of columns, from top to bottom.
pub(super) struct ColumnRow<'a> {
    pub(super) ground: &'a [f32],
    /// The ground without obstacles.
    pub(super) obstacles: &'a [f32],
    /// Empty without a canopy.
    pub(super) cover: &'a [f32],
    pub(super) out: &'a mut [f32],
}

impl TransposedColumns {
    /// Reads up to [`READ_COLUMNS`] columns from the map. Not inlined: all kernels share the code.
    #[inline(never)]
    pub(super) fn load<S: Simd>(&mut self, simd: S, block: &ColumnBlock, terms: &SurfaceTerms<'_>) {
        simd.vectorize(
            #[inline(always)]
            || {
                load_grid(simd, block, terms.ground, terms, &mut self.ground);
                self.has_obstacles = terms.obstacles.is_some();
                if let Some(obstacles) = terms.obstacles {
                    load_grid(simd, block, obstacles, terms, &mut self.obstacles);
                }
                self.has_cover = terms.cover.is_some();
                if let Some(cover) = terms.cover {
                    load_grid(simd, block, cover, terms, &mut self.cover);
                }
            },
        );
    }

    /// Allocates for the output of up to [`WRITTEN_COLUMNS`] columns.
    #[inline(always)]
    pub(super) fn reserve_output(&mut self, block: &ColumnBlock) {
        self.out.grow_to(WRITTEN_COLUMNS * TILE_SIDE * block.stride());
    }

    /// Returns the values of ring M from the block `read`, and its output in the block `written`.
    #[inline(always)]
    pub(super) fn row(&mut self, read: &ColumnBlock, written: &ColumnBlock, m: usize) -> ColumnRow<'_> {
        let places = read.places(m);
        let ground = &self.ground[places.clone()];
        ColumnRow {
            ground,
            obstacles: if self.has_obstacles { &self.obstacles[places.clone()] } else { ground },
            cover: if self.has_cover { &self.cover[places] } else { &[] },
            out: &mut self.out[written.places(m)],
        }
    }

    /// Writes the output into the window: exactly the cells of the quadrant. `half_widths` are those of the disc in row |dy| = 0,
    /// 1, …. Not inlined: all kernels share the code.
    #[inline(never)]
    pub(super) fn store<S: Simd>(&self, simd: S, block: &ColumnBlock, half_widths: &[usize], out: &mut AlignedGrid) {
        simd.vectorize(
            #[inline(always)]
            || self.store_tiles(simd, block, half_widths, out),
        );
    }

    #[inline(always)]
    fn store_tiles<S: Simd>(&self, simd: S, block: &ColumnBlock, half_widths: &[usize], out: &mut AlignedGrid) {
        let stride = block.stride();
        let below = out.stride();
        let middle = out.width() / 2;
        let (first, top) = (block.first(middle), middle - block.above);
        for tile in 0..block.tiles() {
            let y = top + tile * TILE_SIDE;
            let inside = y + TILE_SIDE <= middle + block.below + 1;
            let farthest = middle.abs_diff(y).max(middle.abs_diff(y + TILE_SIDE - 1));
            for lane in (0..block.count()).step_by(READ_COLUMNS) {
                let count = READ_COLUMNS.min(block.count() - lane);
                let (near, far) = block.rings(lane, count);
                let columns = &self.out.as_chunks().0[lane * stride + tile..];
                let transposed = [
                    transpose(simd, &tile_of(columns, stride)),
                    transpose(simd, &tile_of(&columns[TILE_SIDE * stride..], stride)),
                ];
                let x = first + lane;
                if inside && count == READ_COLUMNS && farthest <= near.min(half_widths[far]) {
                    let place = out.index_of(x, y);
                    let rows = &mut out.values_mut()[place..][..(TILE_SIDE - 1) * below + READ_COLUMNS];
                    for i in 0..TILE_SIDE {
                        let to: &mut [f32; READ_COLUMNS] =
                            (&mut rows[i * below..][..READ_COLUMNS]).try_into().expect("a slice of this length");
                        to[..TILE_SIDE].copy_from_slice(&transposed[0][i]);
                        to[TILE_SIDE..].copy_from_slice(&transposed[1][i]);
                    }
                    continue;
                }
                for (i, y) in (y..=middle + block.below).take(TILE_SIDE).enumerate() {
                    let dy = y.abs_diff(middle);
                    let (nearest, farthest) = (near.max(dy), far.min(half_widths[dy]));
                    if nearest > farthest {
                        continue;
                    }
                    let mut row = [0.0; READ_COLUMNS];
                    for (row, half) in row.chunks_exact_mut(TILE_SIDE).zip(&transposed) {
                        row.copy_from_slice(&half[i]);
                    }
                    let (inner, outer) = (block.lane(nearest), block.lane(farthest));
                    let lanes = inner.min(outer) - lane..inner.max(outer) + 1 - lane;
                    for (slot, value) in out.row_mut(y)[x..][lanes.clone()].iter_mut().zip(&row[lanes]) {
                        *slot = *value;
                    }
                }
            }
        }
    }
}

/// Returns a tile of columns that are `stride` tiles apart.
#[inline(always)]
fn tile_of(columns: &[[f32; TILE_SIDE]], stride: usize) -> Tile {
    let columns = &columns[..(TILE_SIDE - 1) * stride + 1];
    let mut tile = [[0.0; TILE_SIDE]; TILE_SIDE];
    for (i, column) in tile.iter_mut().enumerate() {
        *column = columns[i * stride];
    }
    tile
}

#[inline(always)]
fn load_grid<S: Simd>(
    simd: S,
    block: &ColumnBlock,
    grid: &Grid<f32>,
    terms: &SurfaceTerms<'_>,
    into: &mut AlignedBuffer,
) {
    let stride = block.stride();
    into.grow_to(READ_COLUMNS * TILE_SIDE * stride);
    let into = &mut into.as_chunks_mut().0[..READ_COLUMNS * stride];
    let (side, first) = (grid.width(), block.first(terms.viewer.x as usize));
    let (top, count) = (terms.viewer.y as usize - block.above, block.count());
    let bottom = terms.viewer.y as usize + block.below;
    for tile in 0..block.tiles() {
        let y = top + tile * TILE_SIDE;
        if count == READ_COLUMNS && y + TILE_SIDE - 1 <= bottom {
            let rows = &grid.as_slice()[y * side + first..][..(TILE_SIDE - 1) * side + READ_COLUMNS];
            for half in 0..READ_COLUMNS / TILE_SIDE {
                let mut whole = [[0.0; TILE_SIDE]; TILE_SIDE];
                for i in 0..TILE_SIDE {
                    whole[i].copy_from_slice(&rows[i * side + half * TILE_SIDE..][..TILE_SIDE]);
                }
                let transposed = transpose(simd, &whole);
                let into = &mut into[half * TILE_SIDE * stride + tile..][..(TILE_SIDE - 1) * stride + 1];
                for i in 0..TILE_SIDE {
                    into[i * stride] = transposed[i];
                }
            }
            continue;
        }
        let mut rows: [Tile; READ_COLUMNS / TILE_SIDE] = [[[f32::NAN; TILE_SIDE]; TILE_SIDE]; READ_COLUMNS / TILE_SIDE];
        for (i, y) in (y..=bottom).take(TILE_SIDE).enumerate() {
            for (lane, &value) in grid.row(y)[first..first + count].iter().enumerate() {
                rows[lane / TILE_SIDE][i][lane % TILE_SIDE] = value;
            }
        }
        for (half, rows) in rows.iter().enumerate() {
            for (lane, transposed) in transpose(simd, rows).into_iter().enumerate() {
                into[(half * TILE_SIDE + lane) * stride + tile] = transposed;
            }
        }
    }
}
