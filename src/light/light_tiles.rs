//! [`LightTiles`]: the sum of the light of many lamps.

use std::collections::BTreeMap;

use glam::IVec2;

use super::placed_lamp::{LampId, LitArea, PlacedLamp};
use crate::grid::{CellRect, Grid};

/// Side of a [`LightTile`] in cells.
const SIDE: i32 = 32;

/// The light of all lamps on each cell of a map, in square tiles. Only lit tiles take memory.
#[derive(Clone, Debug)]
pub(super) struct LightTiles {
    /// The top left tile.
    first: IVec2,
    tiles: Grid<LightTile>,
}

/// A square part of the map.
#[derive(Clone, Debug, Default)]
struct LightTile {
    /// Row-major; empty without lamps.
    cells: Vec<CellLight>,
    /// The lamps that light cells of the tile or their neighbours, in the order of their ids.
    lamps: Vec<LampId>,
}

/// The light of lamps on a cell: its level, and the level times each channel of its hue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CellLight([f32; 4]);

impl CellLight {
    /// Returns the sum of the light of all lamps.
    pub(super) fn level(self) -> f32 {
        self.0[0]
    }

    /// Returns the mean hue, white without light.
    pub(super) fn hue(self) -> [f32; 3] {
        let [level, red, green, blue] = self.0;
        if level > 0.0 { [red / level, green / level, blue / level] } else { [1.0; 3] }
    }

    /// Adds the light of a lamp.
    #[inline]
    pub(super) fn add(&mut self, share: f32, strength: f32, hue: [f32; 3]) {
        let level = share * strength;
        let [red, green, blue] = hue;
        for (sum, channel) in self.0.iter_mut().zip([1.0, red, green, blue]) {
            *sum += level * channel;
        }
    }
}

impl LightTiles {
    pub(super) fn new(extent: CellRect) -> Self {
        let first = tile_of(extent.min);
        let tiles = (tile_of(extent.max.saturating_sub(IVec2::ONE)) + 1 - first).max(IVec2::ZERO);
        Self { first, tiles: Grid::from_fn(tiles.x as usize, tiles.y as usize, |_| LightTile::default()) }
    }

    fn get(&self, tile: IVec2) -> Option<&LightTile> {
        self.tiles.get(tile - self.first)
    }

    fn get_mut(&mut self, tile: IVec2) -> Option<&mut LightTile> {
        self.tiles.get_mut(tile - self.first)
    }

    #[inline]
    pub(super) fn light(&self, cell: IVec2) -> CellLight {
        let tile = self.get(tile_of(cell));
        tile.and_then(|tile| tile.cells.get(index(cell))).copied().unwrap_or_default()
    }

    /// Returns the lamps that may light a cell or its neighbours, in the order of their ids.
    #[inline]
    pub(super) fn lamps_near(&self, cell: IVec2) -> &[LampId] {
        self.get(tile_of(cell)).map_or(&[], |tile| &tile.lamps)
    }

    /// Adds a lamp to the lists of the tiles with cells that it lights, or with their neighbours. The sums of its cells are unchanged.
    pub(super) fn list(&mut self, id: LampId, area: &LitArea) {
        for tile in tiles_of(area.frame_with_walls()) {
            if let Some(LightTile { cells, lamps }) = self.get_mut(tile) {
                cells.resize((SIDE * SIDE) as usize, CellLight::default());
                if let Err(place) = lamps.binary_search(&id) {
                    lamps.insert(place, id);
                }
            }
        }
    }

    /// Removes a lamp from the lists of the tiles that it lit. The sums of its cells are unchanged.
    pub(super) fn unlist(&mut self, id: LampId, area: &LitArea) {
        for tile in tiles_of(area.frame_with_walls()) {
            if let Some(LightTile { cells, lamps }) = self.get_mut(tile) {
                lamps.retain(|lamp| *lamp != id);
                if lamps.is_empty() {
                    *cells = Vec::new();
                }
            }
        }
    }

    /// Adds the light of a lamp with the maximum id.
    pub(super) fn add(&mut self, lamp: &PlacedLamp) {
        for at in tiles_of(lamp.area.frame()) {
            if let Some(tile) = self.get_mut(at) {
                add(&mut tile.cells, lamp, lamp.area.frame().intersect(frame_of(at)));
            }
        }
    }

    /// Recomputes the sum of the light on the cells of `region`, in the order of ids, as if all lamps had just been
    /// added.
    pub(super) fn sum_up(&mut self, region: CellRect, lamps: &BTreeMap<LampId, PlacedLamp>) {
        for at in tiles_of(region) {
            let Some(tile) = self.get_mut(at).filter(|tile| !tile.lamps.is_empty()) else { continue };
            let part = region.intersect(frame_of(at));
            for y in part.min.y..part.max.y {
                let start = index(IVec2::new(part.min.x, y));
                tile.cells[start..start + part.width()].fill(CellLight::default());
            }
            for lamp in tile.lamps.iter().map(|id| &lamps[id]) {
                add(&mut tile.cells, lamp, part.intersect(lamp.area.frame()));
            }
        }
    }
}

/// Adds the light of a lamp to the cells of `part`, which lies in the tile and in the lit area.
fn add(tile: &mut [CellLight], lamp: &PlacedLamp, part: CellRect) {
    let (strength, hue) = (lamp.strength, lamp.lamp.colour.hue());
    if part.is_empty() {
        return;
    }
    for y in part.min.y..part.max.y {
        let start = index(IVec2::new(part.min.x, y));
        let cells = &mut tile[start..start + part.width()];
        for (cell, share) in cells.iter_mut().zip(lamp.area.row(y, part.min.x..part.max.x)) {
            cell.add(*share, strength, hue);
        }
    }
}

/// Returns the tiles that intersect a rectangle.
fn tiles_of(rect: CellRect) -> impl Iterator<Item = IVec2> + use<> {
    let (first, last) = (tile_of(rect.min), tile_of(rect.max - 1));
    let columns = if rect.is_empty() { 0..0 } else { first.x..last.x + 1 };
    columns.flat_map(move |x| (first.y..=last.y).map(move |y| IVec2::new(x, y)))
}

fn tile_of(cell: IVec2) -> IVec2 {
    cell.div_euclid(IVec2::splat(SIDE))
}

fn frame_of(tile: IVec2) -> CellRect {
    CellRect { min: tile * SIDE, max: (tile + 1) * SIDE }
}

/// Returns the index of a cell in its tile.
fn index(cell: IVec2) -> usize {
    let within = cell.rem_euclid(IVec2::splat(SIDE));
    (within.y * SIDE + within.x) as usize
}
