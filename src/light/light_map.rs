//! [`LightMap`]: the light of all lamps on every cell.

use glam::IVec2;

use super::rgb::Rgb;
use crate::grid::Grid;

/// Side of a [`LightTile`] in cells.
const SIDE: i32 = 32;

/// The sum of the light of several lamps on each cell of a map. Only tiles that light reaches take memory. A lookup takes
/// constant time, however many lamps there are.
#[derive(Clone, Debug)]
pub struct LightMap {
    tiles: Grid<Option<Box<LightTile>>>,
    lamp_count: usize,
}

/// The light on the cells of a square part of the map, row after row.
type LightTile = [CellLight; (SIDE * SIDE) as usize];

/// The light of lamps on a cell, and its sum weighted by their hues.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CellLight {
    level: f32,
    coloured: [f32; 3],
}

impl LightMap {
    /// A map of this many cells without light.
    pub fn new(size: IVec2) -> Self {
        let tiles = (size.max(IVec2::ZERO) + SIDE - 1) / SIDE;
        Self { tiles: Grid::from_fn(tiles.x as usize, tiles.y as usize, |_| None), lamp_count: 0 }
    }

    /// Adds the light of a lamp: `light` times `strength`, for a window whose top left cell is `top_left`. The order in which
    /// lamps are added affects the rounding of the sum.
    pub fn add(&mut self, colour: Rgb, strength: f32, top_left: IVec2, light: &Grid<f32>) {
        let hue = colour.hue();
        self.lamp_count += 1;
        for (offset, &share) in light.iter().filter(|(_, share)| **share > 0.0) {
            let cell = top_left + offset;
            let Some(tile) = self.tiles.get_mut(cell.div_euclid(IVec2::splat(SIDE))) else { continue };
            let tile = tile.get_or_insert_with(|| Box::new([CellLight::default(); (SIDE * SIDE) as usize]));
            let sum = &mut tile[index(cell)];
            let level = share * strength;
            sum.level += level;
            for (coloured, hue) in sum.coloured.iter_mut().zip(hue) {
                *coloured += level * hue;
            }
        }
    }

    /// Returns the number of lamps that were added.
    pub fn lamp_count(&self) -> usize {
        self.lamp_count
    }

    /// Returns the light of all lamps on a cell, 0 or more: 1 is full daylight. 0 off the map.
    #[inline]
    pub fn level(&self, cell: IVec2) -> f32 {
        self.light(cell).level
    }

    /// Returns the mean hue of the light on a cell, each channel 0 to 1; white without light.
    pub fn hue(&self, cell: IVec2) -> [f32; 3] {
        let CellLight { level, coloured } = self.light(cell);
        if level > 0.0 { coloured.map(|channel| channel / level) } else { [1.0; 3] }
    }

    #[inline]
    fn light(&self, cell: IVec2) -> CellLight {
        if self.lamp_count == 0 {
            return CellLight::default();
        }
        match self.tiles.get(cell.div_euclid(IVec2::splat(SIDE))) {
            Some(Some(tile)) => tile[index(cell)],
            _ => CellLight::default(),
        }
    }
}

fn index(cell: IVec2) -> usize {
    let within = cell.rem_euclid(IVec2::splat(SIDE));
    (within.y * SIDE + within.x) as usize
}
