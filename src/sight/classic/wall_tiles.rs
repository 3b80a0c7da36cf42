//! [`WallTiles`]: the walls of a map as bits, in tiles that are made when a view first reads them.

use std::sync::OnceLock;

use fearless_simd::{Level, Simd};
use glam::{IVec2, ivec2};

use super::wall_bits::{BitLayout, GridWalls, Quadrant, ReadWalls, Strip, transpose_16};
use crate::grid::Grid;
use crate::simd::{LANES, dispatch};

/// The side of a tile, in cells.
const SIDE: i32 = 64;

/// The walls of a square of cells, row by row and column by column.
#[derive(Debug)]
struct Tile {
    rows: [u64; SIDE as usize],
    columns: [u64; SIDE as usize],
}

/// The walls of a map: two bits a cell.
#[derive(Debug)]
pub(in crate::sight) struct WallTiles {
    /// The minimum opacity of a wall.
    wall_at: f32,
    /// The number of columns of tiles.
    width: i32,
    height: i32,
    tiles: Box<[OnceLock<Tile>]>,
}

impl WallTiles {
    /// Creates the tiles of a map of this size. None is made yet.
    #[cold]
    pub(in crate::sight) fn new(size: IVec2, wall_at: f32) -> Self {
        let [width, height] = [size.x, size.y].map(|side| side.div_euclid(SIDE) + i32::from(side % SIDE != 0));
        Self { wall_at, width, height, tiles: (0..width as usize * height as usize).map(|_| OnceLock::new()).collect() }
    }

    /// Returns the minimum opacity of a wall.
    pub(in crate::sight) fn wall_at(&self) -> f32 {
        self.wall_at
    }

    fn index(&self, tile: IVec2) -> Option<usize> {
        let is_on_map = tile.min_element() >= 0 && tile.x < self.width && tile.y < self.height;
        is_on_map.then(|| tile.y as usize * self.width as usize + tile.x as usize)
    }

    /// Changes the opacity of a cell of the map.
    pub(in crate::sight) fn set(&mut self, cell: IVec2, opacity: f32) {
        let (tile, inside) = (cell.div_euclid(IVec2::splat(SIDE)), cell.rem_euclid(IVec2::splat(SIDE)).as_uvec2());
        let Some(tile) = self.index(tile).and_then(|index| self.tiles[index].get_mut()) else { return };
        for (line, bit) in
            [(&mut tile.rows[inside.y as usize], inside.x), (&mut tile.columns[inside.x as usize], inside.y)]
        {
            *line = *line & !(1 << bit) | u64::from(opacity >= self.wall_at) << bit;
        }
    }

    /// Returns a tile of a map, or `None` outside.
    #[inline(always)]
    fn tile(&self, map: &Grid<f32>, tile: IVec2) -> Option<&Tile> {
        let place = &self.tiles[self.index(tile)?];
        Some(match place.get() {
            Some(tile) => tile,
            None => place.get_or_init(|| self.make(map, tile)),
        })
    }

    #[cold]
    #[inline(never)]
    fn make(&self, map: &Grid<f32>, tile: IVec2) -> Tile {
        dispatch!(Level::new(), simd => make_tile(simd, map, SIDE * tile, self.wall_at))
    }
}

/// Makes the tile with this cell at its top left.
#[inline(always)]
fn make_tile<S: Simd>(simd: S, map: &Grid<f32>, top_left: IVec2, wall_at: f32) -> Tile {
    let walls = GridWalls::new(simd, map.view(), top_left, wall_at);
    let size = (map.size() - top_left).min(IVec2::splat(SIDE));
    let mut tile = Tile { rows: [0; SIDE as usize], columns: [0; SIDE as usize] };
    for y in 0..size.y {
        tile.rows[y as usize] = walls.line(walls.index_of(ivec2(0, y)), (size.x as usize).div_ceil(8));
        if size.x < SIDE {
            tile.rows[y as usize] &= !(!0 << size.x);
        }
    }
    for group in 0..SIDE as usize / LANES {
        let mut words = [0; LANES];
        for (y, row) in tile.rows.iter().enumerate() {
            words[y & 15] |= (row >> (16 * group) & 0xffff) << (y & !15);
        }
        transpose_16(&mut words);
        tile.columns[16 * group..][..16].copy_from_slice(&words);
    }
    tile
}

/// The walls around a viewer on a map with tiles.
pub(super) struct TileWalls<'a> {
    pub(super) tiles: &'a WallTiles,
    pub(super) map: &'a Grid<f32>,
    pub(super) viewer: IVec2,
}

impl ReadWalls for TileWalls<'_> {
    #[inline(always)]
    fn read_strip(&mut self, layout: BitLayout, strip: Strip, in_reach: &[u64], walls: &mut [u64]) {
        let is_row_major = matches!(strip.quadrant, Quadrant::North | Quadrant::South);
        let (viewer, viewer_line) =
            if is_row_major { (self.viewer.x, self.viewer.y) } else { (self.viewer.y, self.viewer.x) };
        let step = if matches!(strip.quadrant, Quadrant::North | Quadrant::West) { -1 } else { 1 };
        for (word, &columns) in in_reach.iter().enumerate() {
            if columns == 0 {
                continue;
            }
            let start = viewer + layout.first_column(word);
            let shift = start.rem_euclid(SIDE);
            // The first tile has the lower bits of the word, the second has the others.
            let along = start.div_euclid(SIDE);
            let is_needed = [columns & !0 >> shift != 0, shift > 0 && columns & !(!0 >> shift) != 0];
            let mut across = None;
            let mut lines: [Option<&[u64; SIDE as usize]>; 2] = [None; 2];
            for row in strip.rows[0]..=strip.rows[1] {
                let line = viewer_line + step * row;
                let tile_line = line.div_euclid(SIDE);
                if across != Some(tile_line) {
                    across = Some(tile_line);
                    for i in 0..2 {
                        let along = along + i as i32;
                        let tile = if is_row_major { ivec2(along, tile_line) } else { ivec2(tile_line, along) };
                        lines[i] = if is_needed[i] { self.tiles.tile(self.map, tile) } else { None }
                            .map(|tile| if is_row_major { &tile.rows } else { &tile.columns });
                    }
                }
                let inside = (line & (SIDE - 1)) as usize;
                let mut bits = 0;
                if let Some(lines) = lines[0] {
                    bits = lines[inside] >> shift;
                }
                if let Some(lines) = lines[1] {
                    bits |= lines[inside] << (SIDE - shift);
                }
                walls[strip.place(row) * layout.words() + word] = bits;
            }
        }
    }

    #[inline(always)]
    fn read_row(&mut self, _: BitLayout, _: Quadrant, _: i32, _: [i32; 2], _: &mut [u64]) {}
}
