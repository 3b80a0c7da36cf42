//! [`LightMap`]: the light of all lamps together on every cell that they reach.

use glam::IVec2;

use super::rgb::Rgb;
use crate::grid::Grid;

/// Side of a tile, in cells.
const SIDE: i32 = 32;

/// The light of several lamps on a map: sums, cell by cell. Only tiles of the map that some light reaches take memory,
/// and a cell is looked up in the same time however many lamps there are.
#[derive(Clone, Debug)]
pub struct LightMap {
    tiles: Grid<Option<Box<Tile>>>,
    lamps: usize,
}

/// Light on the cells of a tile, row after row.
type Tile = [Sum; (SIDE * SIDE) as usize];

/// What lamps throw on a cell: light, and the same light times its hue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    level: f32,
    coloured: [f32; 3],
}

impl LightMap {
    /// No light, on a map of this many cells.
    pub fn dark(size: IVec2) -> Self {
        let tiles = (size.max(IVec2::ZERO) + SIDE - 1) / SIDE;
        Self { tiles: Grid::from_fn(tiles.x as usize, tiles.y as usize, |_| None), lamps: 0 }
    }

    /// Adds the light of a lamp, in [0, 1] times its strength, given for a window whose upper left cell is `origin`.
    /// The sum hangs, to the last bit, on the order in which lamps are added.
    pub fn add(&mut self, colour: Rgb, strength: f32, origin: IVec2, light: &Grid<f32>) {
        let hue = colour.hue();
        self.lamps += 1;
        for (offset, &share) in light.iter().filter(|(_, share)| **share > 0.0) {
            let cell = origin + offset;
            let Some(tile) = self.tiles.get_mut(cell.div_euclid(IVec2::splat(SIDE))) else { continue };
            let tile = tile.get_or_insert_with(|| Box::new([Sum::default(); (SIDE * SIDE) as usize]));
            let sum = &mut tile[index(cell)];
            let level = share * strength;
            sum.level += level;
            for (coloured, hue) in sum.coloured.iter_mut().zip(hue) {
                *coloured += level * hue;
            }
        }
    }

    /// How many lamps it is the light of.
    pub fn lamps(&self) -> usize {
        self.lamps
    }

    /// The light of all lamps on a cell, 0 or more: 1 is full daylight. 0 off the map.
    #[inline]
    pub fn level(&self, cell: IVec2) -> f32 {
        self.sum(cell).level
    }

    /// The mean hue of the lamps' light on a cell, each channel in [0, 1]; white where there is none.
    pub fn hue(&self, cell: IVec2) -> [f32; 3] {
        let Sum { level, coloured } = self.sum(cell);
        if level > 0.0 { coloured.map(|channel| channel / level) } else { [1.0; 3] }
    }

    #[inline]
    fn sum(&self, cell: IVec2) -> Sum {
        if self.lamps == 0 {
            return Sum::default();
        }
        match self.tiles.get(cell.div_euclid(IVec2::splat(SIDE))) {
            Some(Some(tile)) => tile[index(cell)],
            _ => Sum::default(),
        }
    }
}

fn index(cell: IVec2) -> usize {
    let within = cell.rem_euclid(IVec2::splat(SIDE));
    (within.y * SIDE + within.x) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    const RED: Rgb = Rgb([255, 0, 0]);
    const BLUE: Rgb = Rgb([0, 0, 255]);

    #[test]
    fn lights_add_and_their_hues_mix_by_how_much_each_gives() {
        let mut map = LightMap::dark(ivec2(70, 40));
        let window = Grid::new(3, 3, 0.5);
        map.add(RED, 1.0, ivec2(31, 31), &window);
        map.add(BLUE, 0.5, ivec2(33, 33), &window);
        assert_eq!((map.level(ivec2(31, 31)), map.hue(ivec2(31, 31))), (0.5, [1.0, 0.0, 0.0]));
        assert_eq!((map.level(ivec2(33, 33)), map.hue(ivec2(33, 33))), (0.75, [2.0 / 3.0, 0.0, 1.0 / 3.0]));
        assert_eq!((map.level(ivec2(0, 0)), map.hue(ivec2(0, 0))), (0.0, [1.0; 3]));
        assert_eq!(map.lamps(), 2);
    }

    #[test]
    fn what_falls_off_the_map_is_left_out_and_asked_for_in_vain() {
        let mut map = LightMap::dark(ivec2(5, 5));
        map.add(RED, 1.0, ivec2(-2, -2), &Grid::new(5, 5, 1.0));
        assert_eq!(map.level(ivec2(2, 2)), 1.0);
        for cell in [ivec2(-1, -1), ivec2(1000, 2), IVec2::MIN, IVec2::MAX] {
            assert_eq!(map.level(cell), 0.0, "{cell}");
        }
    }
}
