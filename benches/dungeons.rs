//! Rooms and caves.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight_scene::compare::kinds::walls;

/// Rooms in rows and columns, with a door anywhere in each wall between two of them.
pub(crate) fn rooms(side: usize, seed: u64, door: i32) -> Grid<f32> {
    let mut random = seed;
    let mut map = Grid::from_fn(side, side, |cell| if (cell % 16).cmpeq(IVec2::ZERO).any() { 1.0 } else { 0.0 });
    let size = map.size() / 16;
    for room in (0..size.y).flat_map(|y| (0..size.x).map(move |x| ivec2(x, y))) {
        for across in [IVec2::X, IVec2::Y] {
            if (room + across).cmplt(size).all() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let first = 1 + (random >> 33) as i32 % (16 - door);
                for along in first..first + door {
                    map[16 * (room + across) * across + (16 * room + along) * (IVec2::ONE - across)] = 0.0;
                }
            }
        }
    }
    map
}

/// Caves by a cellular automaton: a cell becomes a wall if five of the nine cells around it are.
pub(crate) fn caves(side: usize, seed: u64) -> Grid<f32> {
    let mut map = walls(side, seed, 0.44);
    for _ in 0..4 {
        map = Grid::from_fn(side, side, |cell| {
            let is_wall = |cell: &IVec2| map.get(*cell).is_none_or(|opacity| *opacity >= 1.0);
            let near = CellRect::around(cell, 1).cells().filter(is_wall).count();
            if near >= 5 { 1.0 } else { 0.0 }
        });
    }
    map
}
