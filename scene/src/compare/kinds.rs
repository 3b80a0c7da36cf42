//! Kinds of maps for measuring errors, each generated from a seed.

use glam::{IVec2, ivec2};

use farsight::grid::Grid;
use farsight::internal::math::{SplitMix64, unit_f64};
use farsight::sight::OpacityMap;

/// A function that generates the opacities of a square map from its side and a seed.
pub type MapMaker = fn(usize, u64) -> Grid<f32>;

/// The kinds of maps of the accuracy table.
pub const KINDS: [(&str, MapMaker); 5] = [
    ("10 % walls", |side, seed| walls(side, seed, 0.1)),
    ("30 % walls", |side, seed| walls(side, seed, 0.3)),
    ("rooms", rooms),
    ("random 0.02-0.3", |side, seed| Grid::from_fn(side, side, |c| (0.02 + 0.28 * unit(seed, c)) as f32)),
    ("fog, five levels", fog),
];

/// Returns a map of one kind and the viewer: the clear cell nearest to the middle.
pub fn scene(side: usize, seed: u64, make: MapMaker) -> (OpacityMap, IVec2) {
    let map = make(side.max(1), seed);
    let middle = map.size() / 2;
    let free = map.iter().filter(|(_, o)| **o < 1.0).map(|(cell, _)| cell);
    let viewer = free.min_by_key(|cell| (*cell - middle).length_squared()).unwrap_or(middle);
    (OpacityMap::try_from(map).expect("every kind is made of opacities"), viewer)
}

/// Returns an open field.
pub fn open(side: usize, _: u64) -> Grid<f32> {
    Grid::new(side, side, 0.0)
}

/// Returns random walls: each cell is a wall with this probability.
pub fn walls(side: usize, seed: u64, share: f64) -> Grid<f32> {
    Grid::from_fn(side, side, |c| if unit(seed, c) < share { 1.0 } else { 0.0 })
}

/// Rooms of 6 to 18 cells by binary space partition, joined by corridors.
pub fn rooms(side: usize, seed: u64) -> Grid<f32> {
    fn carve(map: &mut Grid<f32>, low: IVec2, high: IVec2, seed: u64) -> IVec2 {
        let size = high - low;
        let wide = size.x >= size.y;
        let (longer, random) = (size.max_element(), unit(seed, low + high));
        if longer <= 18 {
            for y in low.y + 1..high.y {
                for x in low.x + 1..high.x {
                    map[ivec2(x, y)] = 0.0;
                }
            }
            return (low + high) / 2;
        }
        let cut = 7 + (random * f64::from(longer - 13)) as i32;
        let (first_high, second_low) = match wide {
            true => (ivec2(low.x + cut, high.y), ivec2(low.x + cut, low.y)),
            false => (ivec2(high.x, low.y + cut), ivec2(low.x, low.y + cut)),
        };
        let (mut at, to) = (carve(map, low, first_high, seed), carve(map, second_low, high, seed));
        while at != to {
            at += if at.x == to.x { ivec2(0, (to.y - at.y).signum()) } else { ivec2((to.x - at.x).signum(), 0) };
            map[at] = 0.0;
        }
        at
    }
    let mut map = Grid::new(side, side, 1.0);
    carve(&mut map, IVec2::ZERO, IVec2::splat(side as i32 - 1), seed);
    map
}

/// Returns a smooth fog in five levels, with features of sixteen cells.
pub fn fog(side: usize, seed: u64) -> Grid<f32> {
    const ACROSS: i32 = 16;
    Grid::from_fn(side, side, |cell| {
        let (knot, part) = (cell / ACROSS, (cell % ACROSS).as_dvec2() / f64::from(ACROSS));
        let soft = part * part * (3.0 - 2.0 * part);
        let at = |x, y| unit(seed, knot + ivec2(x, y));
        let top = at(0, 0) * (1.0 - soft.x) + at(1, 0) * soft.x;
        let bottom = at(0, 1) * (1.0 - soft.x) + at(1, 1) * soft.x;
        let thickness = top * (1.0 - soft.y) + bottom * soft.y;
        [0.0, 0.02, 0.05, 0.1, 0.2][(thickness * 5.0).min(4.0) as usize]
    })
}

/// Returns a random number in [0, 1) for a cell.
fn unit(seed: u64, cell: IVec2) -> f64 {
    let x = (seed << 48) ^ (u64::from(cell.x as u32) << 24) ^ u64::from(cell.y as u32);
    unit_f64(SplitMix64::mix(SplitMix64::mix(x)))
}
