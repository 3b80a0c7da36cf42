//! [`water_parts`]: the parts of seas and lakes in a picture, for their names.

use std::collections::VecDeque;

use glam::{IVec2, Vec2};

use super::ground_fields::CellGroups;
use super::viewport::Viewport;
use crate::math::sort_descending;
use crate::scene::Scene;
use crate::world::Water;
use farsight::grid::{CellRect, Grid};
use farsight::perception::Recognition;

/// The maximum number of cells that are read; a larger part is subsampled to every second, third … cell.
const MOST_CELLS: usize = 24_000;
/// The radius of the water that determines the direction of a name, as a multiple of the distance of its centre from
/// the shore.
const AROUND: f32 = 2.4;
/// The minimum and maximum rotation of names, in radians.
const TURNED: [f32; 2] = [0.14, 0.87];
/// The minimum distance of a name from the shore, in pixels.
const LEAST_ROOM: f32 = 13.0;

/// A part of a sea or lake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WaterPart {
    /// The cell that is farthest from the shore and from the edge of the picture.
    pub(crate) cell: IVec2,
    /// Its distance to them, in cells of the painter.
    pub(crate) radius: f32,
    /// Half the length of the water along the name, in cells of the painter.
    pub(crate) reach: f32,
    /// The direction of the name in radians, clockwise.
    pub(crate) angle: f32,
}

impl WaterPart {
    pub(crate) fn is_small(&self, side: f32) -> bool {
        self.radius * side < LEAST_ROOM
    }
}

/// Returns the parts of the visible water, and of all water in a picture, each from the largest to the smallest.
pub(crate) fn water_parts(scene: &Scene, groups: CellGroups, viewport: &Viewport) -> (Vec<WaterPart>, Vec<WaterPart>) {
    let Some(world) = scene.world() else { return Default::default() };
    let shown = viewport.cells(0).intersect(groups.rect());
    let cells = shown.width() * shown.height();
    let step = (1..).find(|step| cells / (step * step) <= MOST_CELLS).unwrap_or(1) as i32;
    let [width, height] = shown.size().to_array().map(|side| (side.max(0) / step) as usize);
    let cell = |at: IVec2| groups.middle(shown.min + at * step + step / 2);
    let is_water = |at: IVec2| matches!(world.water()[cell(at)], Water::Sea | Water::Lake);
    let is_lake = |at: IVec2| world.water()[cell(at)] == Water::Lake;
    let water = Grid::from_fn(width, height, |at| if is_water(at) { 1 + u8::from(is_lake(at)) } else { 0 });
    let seen =
        Grid::from_fn(width, height, |at| if scene.sense(cell(at)) > Recognition::Hidden { water[at] } else { 0 });
    let parts = |kinds: &Grid<u8>| {
        let found = parts(kinds).into_iter().map(|part| WaterPart {
            cell: cell(part.cell),
            radius: part.radius * step as f32,
            reach: part.reach * step as f32,
            ..part
        });
        found.collect()
    };
    (parts(&seen), parts(&water))
}

/// Returns the connected parts of a grid of kinds, where 0 is none, from the largest to the smallest.
fn parts(kinds: &Grid<u8>) -> Vec<WaterPart> {
    let distances = distances(kinds);
    let map = CellRect::of_size(kinds.size());
    let mut is_done = Grid::new(kinds.width(), kinds.height(), false);
    let mut parts = Vec::new();
    for start in map.cells() {
        if kinds[start] == 0 || is_done[start] {
            continue;
        }
        let mut part = Vec::new();
        let mut queue = VecDeque::from([start]);
        is_done[start] = true;
        while let Some(cell) = queue.pop_front() {
            part.push(cell);
            for step in [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y] {
                let next = cell + step;
                if map.contains(next) && kinds[next] == kinds[start] && !is_done[next] {
                    is_done[next] = true;
                    queue.push_back(next);
                }
            }
        }
        let Some(&middle) = part.iter().max_by(|a, b| distances[**a].total_cmp(&distances[**b])) else { continue };
        let radius = distances[middle];
        let near: Vec<Vec2> = part
            .iter()
            .map(|&cell| (cell - middle).as_vec2())
            .filter(|way| way.abs().max_element() <= AROUND * radius)
            .collect();
        parts.push(WaterPart { cell: middle, radius, ..direction(&near) });
    }
    sort_descending(&mut parts, |part| part.radius);
    parts
}

/// Returns the principal direction of places, and their spread along it.
fn direction(places: &[Vec2]) -> WaterPart {
    let count = places.len().max(1) as f32;
    let mean = places.iter().sum::<Vec2>() / count;
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for place in places {
        let way = *place - mean;
        (xx, yy, xy) = (xx + way.x * way.x, yy + way.y * way.y, xy + way.x * way.y);
    }
    let angle = 0.5 * libm::atan2f(2.0 * xy, xx - yy);
    let angle = if angle.abs() < TURNED[0] || angle.abs() > TURNED[1] { 0.0 } else { angle };
    let (cos, sin) = (libm::cosf(angle), libm::sinf(angle));
    let variance = (xx * cos * cos + 2.0 * xy * cos * sin + yy * sin * sin) / count;
    // Half the length of a uniform line with this variance.
    WaterPart { cell: IVec2::ZERO, radius: 0.0, reach: (3.0 * variance.max(0.0)).sqrt() + 0.5, angle }
}

/// Returns the approximate Euclidean distance of each cell to a cell of another kind or to the edge (chamfer 3-4).
fn distances(kinds: &Grid<u8>) -> Grid<f32> {
    let (width, height) = (kinds.width() as i32, kinds.height() as i32);
    let mut distance = Grid::new(kinds.width(), kinds.height(), 0.0_f32);
    let passes = [
        [
            (IVec2::new(-1, 0), 1.0),
            (IVec2::new(0, -1), 1.0),
            (IVec2::new(-1, -1), 4.0 / 3.0),
            (IVec2::new(1, -1), 4.0 / 3.0),
        ],
        [
            (IVec2::new(1, 0), 1.0),
            (IVec2::new(0, 1), 1.0),
            (IVec2::new(1, 1), 4.0 / 3.0),
            (IVec2::new(-1, 1), 4.0 / 3.0),
        ],
    ];
    for (is_forward, steps) in [true, false].into_iter().zip(passes) {
        for i in 0..width * height {
            let i = if is_forward { i } else { width * height - 1 - i };
            let cell = IVec2::new(i % width, i / width);
            if kinds[cell] == 0 {
                continue;
            }
            let near = steps.iter().map(|(step, length)| match kinds.get(cell + *step) {
                Some(&kind) if kind == kinds[cell] => distance[cell + *step] + length,
                _ => 1.0,
            });
            let least = near.fold(f32::INFINITY, f32::min);
            distance[cell] = if is_forward { least } else { distance[cell].min(least) };
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn a_name_is_in_the_widest_part_along_the_water() {
        // A diagonal band of water and a small lake.
        let kinds = Grid::from_fn(80, 60, |cell| {
            if (cell.x - cell.y - 5).abs() < 8 {
                1
            } else if (cell - ivec2(70, 10)).as_vec2().length() < 4.0 {
                2
            } else {
                0
            }
        });
        let parts = parts(&kinds);
        assert_eq!(parts.len(), 2);
        assert!((parts[0].cell.x - parts[0].cell.y - 5).abs() <= 2, "in the middle: {}", parts[0].cell);
        assert!((parts[0].angle - std::f32::consts::FRAC_PI_4).abs() < 0.15, "{}", parts[0].angle);
        assert!(parts[0].reach > parts[0].radius);
        assert_eq!(parts[1].cell, ivec2(70, 10));
    }
}
