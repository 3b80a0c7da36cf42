//! The eight neighbours of a cell, their direction codes, and flood fill over them.

use glam::{IVec2, ivec2};

/// Offsets of the eight neighbours, clockwise from the right. The index is the direction code; odd codes are diagonal.
pub const NEIGHBOURS: [IVec2; 8] =
    [ivec2(1, 0), ivec2(1, 1), ivec2(0, 1), ivec2(-1, 1), ivec2(-1, 0), ivec2(-1, -1), ivec2(0, -1), ivec2(1, -1)];

/// Offsets of the four neighbours that share an edge with a cell.
pub(super) const EDGE_NEIGHBOURS: [IVec2; 4] = [NEIGHBOURS[0], NEIGHBOURS[2], NEIGHBOURS[4], NEIGHBOURS[6]];

pub(super) fn opposite(direction: u8) -> u8 {
    (direction + 4) % 8
}

pub(super) fn is_diagonal(direction: u8) -> bool {
    direction % 2 == 1
}

/// Returns `true` for cells of the outermost rows and columns.
#[inline]
pub(super) fn is_at_edge(x: usize, y: usize, width: usize, height: usize) -> bool {
    x == 0 || y == 0 || x + 1 == width || y + 1 == height
}

/// Returns the index of the neighbour of cell `i` in a direction; the neighbour must be on the map.
#[inline]
pub(super) fn neighbour(i: usize, direction: u8, width: usize) -> usize {
    let to = NEIGHBOURS[direction as usize];
    (i as isize + to.y as isize * width as isize + to.x as isize) as usize
}

/// Iterates over the neighbours of cell `i` that are on the map: direction and index.
#[inline]
pub(super) fn neighbours(i: usize, width: usize, height: usize) -> impl Iterator<Item = (u8, usize)> {
    // 32 bits divide faster, and a map has fewer cells.
    let (x, y) = ((i as u32 % width as u32) as usize, (i as u32 / width as u32) as usize);
    neighbours_at(x, y, width, height)
}

/// Iterates over the neighbours of the cell at `x`, `y` that are on the map: direction and index.
#[inline]
pub(super) fn neighbours_at(x: usize, y: usize, width: usize, height: usize) -> impl Iterator<Item = (u8, usize)> {
    let inner = !is_at_edge(x, y, width, height);
    let i = y * width + x;
    (0..8_u8).filter_map(move |direction| {
        let to = NEIGHBOURS[direction as usize];
        let on_map = inner
            || ((0..width as i32).contains(&(x as i32 + to.x)) && (0..height as i32).contains(&(y as i32 + to.y)));
        on_map.then(|| (direction, neighbour(i, direction, width)))
    })
}

/// Fills `component` with the cells that are connected to `start`, and marks them in `seen`. `connects(from, direction,
/// to)` returns `true` if two neighbours belong together.
pub(super) fn flood_fill(
    start: usize,
    [width, height]: [usize; 2],
    seen: &mut [bool],
    component: &mut Vec<usize>,
    connects: impl Fn(usize, u8, usize) -> bool,
) {
    component.clear();
    component.push(start);
    seen[start] = true;
    let mut done = 0;
    while let Some(&i) = component.get(done) {
        done += 1;
        for (direction, to) in neighbours(i, width, height) {
            if !seen[to] && connects(i, direction, to) {
                seen[to] = true;
                component.push(to);
            }
        }
    }
}
