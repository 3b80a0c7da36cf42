//! Tiled BigTIFF files of float32 for tests, also sparse ones and ones whose rows start in the south.

use std::collections::BTreeMap;

use farsight::glam::{IVec2, ivec2};

/// A raster in tiles.
pub(super) struct TiledTif {
    pub(super) size: IVec2,
    /// Side of a tile; a multiple of 16.
    pub(super) tile: i32,
    /// Upper left corner and side of a cell.
    pub(super) corner: [f64; 2],
    pub(super) cell: f64,
    /// `true` for degrees, `false` for metres.
    pub(super) is_geographic: bool,
    pub(super) from_south: bool,
}

impl TiledTif {
    pub(super) fn new(size: IVec2, tile: i32) -> Self {
        Self { size, tile, corner: [600_000.0, 5_200_000.0], cell: 30.0, is_geographic: false, from_south: false }
    }

    /// Returns columns and rows of tiles.
    fn tiles(&self) -> IVec2 {
        (self.size + self.tile - 1) / self.tile
    }

    /// Returns the file. Tiles of the file for which `is_there` is `false` are omitted; -9999 is nodata. `height` takes cells of
    /// the raster from the north.
    pub(super) fn file(&self, is_there: impl Fn(IVec2) -> bool, height: impl Fn(IVec2) -> f32) -> Vec<u8> {
        let (tiles, side) = (self.tiles(), self.tile);
        let count = (tiles.x * tiles.y) as usize;
        let mut data = Vec::new();
        let (mut offsets, mut lengths) = (vec![0u64; count], vec![0u64; count]);
        let start = 16 + 8 + 20 * 15 + 8;
        for i in 0..count {
            let tile = ivec2(i as i32 % tiles.x, i as i32 / tiles.x);
            if !is_there(tile) {
                continue;
            }
            (offsets[i], lengths[i]) = (start + data.len() as u64, 4 * (side * side) as u64);
            for y in 0..side {
                for x in 0..side {
                    let mut cell = tile * side + ivec2(x, y);
                    if self.from_south {
                        cell.y = self.size.y - 1 - cell.y;
                    }
                    let height = if cell.clamp(IVec2::ZERO, self.size - 1) == cell { height(cell) } else { 0.0 };
                    data.extend(if height.is_nan() { -9999.0f32 } else { height }.to_le_bytes());
                }
            }
        }
        let words = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let doubles = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let longs = |values: &[u64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let (x, y, cell) = (self.corner[0], self.corner[1], self.cell);
        let keys: &[u16] = if self.is_geographic {
            &[1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]
        } else {
            &[1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32632]
        };
        let step = if self.from_south { cell } else { -cell };
        let first = if self.from_south { y - f64::from(self.size.y) * cell } else { y };
        let matrix = [cell, 0.0, 0.0, x, 0.0, step, 0.0, first, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        // Tag, type and bytes of the value.
        let tags = BTreeMap::from([
            (256, (4, (self.size.x as u32).to_le_bytes().to_vec())),
            (257, (4, (self.size.y as u32).to_le_bytes().to_vec())),
            (258, (3, words(&[32]))),
            (259, (3, words(&[1]))),
            (262, (3, words(&[1]))),
            (277, (3, words(&[1]))),
            (322, (4, (side as u32).to_le_bytes().to_vec())),
            (323, (4, (side as u32).to_le_bytes().to_vec())),
            (324, (16, longs(&offsets))),
            (325, (16, longs(&lengths))),
            (339, (3, words(&[3]))),
            (34264, (12, doubles(&matrix))),
            (34735, (3, words(keys))),
            (42113, (2, b"-9999\0".to_vec())),
            (65000, (3, words(&[0]))),
        ]);
        assert_eq!(tags.len(), 15);
        let mut file = b"II\x2b\0\x08\0\0\0".to_vec();
        file.extend(16u64.to_le_bytes());
        file.extend((tags.len() as u64).to_le_bytes());
        let mut more = Vec::new();
        for (tag, (kind, bytes)) in tags {
            let size = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8][kind];
            file.extend((tag as u16).to_le_bytes());
            file.extend((kind as u16).to_le_bytes());
            file.extend(((bytes.len() / size) as u64).to_le_bytes());
            if bytes.len() <= 8 {
                file.extend(bytes.iter().copied().chain(std::iter::repeat(0)).take(8));
            } else {
                file.extend((start + (data.len() + more.len()) as u64).to_le_bytes());
                more.extend(bytes);
            }
        }
        file.extend(0u64.to_le_bytes());
        assert_eq!(file.len() as u64, start);
        file.extend(data);
        file.extend(more);
        file
    }
}
