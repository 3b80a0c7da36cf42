//! The courses of the rivers of a world.

use std::f32::consts::SQRT_2;

use glam::{IVec2, Vec2};

use super::hydrography::Water;
use super::neighbours::NEIGHBOURS;
use super::place::{Place, PlaceKind};
use super::world::World;

/// Rivers and tributaries of fewer cells of length are left out.
const MIN_LENGTH: f32 = 12.0;
const MIN_TRIBUTARY_LENGTH: f32 = 24.0;

/// Returns the rivers, the longest first, and at most `max_len`. A river ends in the sea, in a lake, at the edge of the map, or
/// in a larger river. From its mouth it is followed upstream to where the most land drains.
pub(crate) fn rivers(world: &World, max_len: usize) -> Vec<Place> {
    let (water, flow) = (world.water(), world.flow());
    let is_river = |cell: IVec2| water.get(cell) == Some(&Water::River);
    let is_mouth = |cell: IVec2| !flow.downstream(cell).is_some_and(is_river);
    let has_direction = |cell: IVec2| flow.downstream(cell).is_some() || is_followed(world, cell);
    let mouths = water.iter().filter(|&(cell, water)| *water == Water::River && is_mouth(cell) && has_direction(cell));
    // Each entry is the last cell of a river, and the least length of that river.
    let mut last_cells: Vec<(IVec2, f32)> = mouths.map(|(cell, _)| (cell, MIN_LENGTH)).collect();
    let mut rivers = Vec::new();
    while let Some((last_cell, min_length)) = last_cells.pop() {
        let mut course = vec![last_cell];
        let mut cell = last_cell;
        while let Some((source, tributaries)) = upstream(world, cell) {
            last_cells.extend(tributaries.map(|tributary| (tributary, MIN_TRIBUTARY_LENGTH)));
            course.push(source);
            cell = source;
        }
        course.reverse();
        let length = length(&course);
        if length >= min_length {
            let side = world.width().min(world.height()) as f32;
            let rank = 0.6 * (length / side).min(1.0);
            let at = course[course.len() / 2];
            let course: Vec<Vec2> = course.iter().map(|cell| cell.as_vec2() + 0.5).collect();
            rivers.push(Place { course, rank, ..Place::nameless(PlaceKind::River, at, length) });
        }
    }
    let mouth = |river: &Place| river.course.last().map(|end| (end.y as i32, end.x as i32));
    rivers.sort_by(|a, b| b.extent.total_cmp(&a.extent).then_with(|| mouth(a).cmp(&mouth(b))));
    rivers.truncate(max_len);
    rivers
}

/// Returns `true` if the water of any neighbour flows to a cell.
fn is_followed(world: &World, cell: IVec2) -> bool {
    NEIGHBOURS.iter().any(|&step| world.flow().downstream(cell + step) == Some(cell))
}

/// Returns the river cell upstream with the most drainage, and the others that flow into a cell.
fn upstream(world: &World, cell: IVec2) -> Option<(IVec2, impl Iterator<Item = IVec2>)> {
    let (water, flow) = (world.water(), world.flow());
    let flows_here =
        move |from: &IVec2| water.get(*from) == Some(&Water::River) && flow.downstream(*from) == Some(cell);
    let inflows = NEIGHBOURS.map(|step| cell + step).into_iter().filter(move |from| flows_here(from));
    let drainage = |cell: IVec2| flow.drainage_km2().get(cell).copied().unwrap_or(0.0);
    // The first of several with the same drainage.
    let main = inflows.clone().reduce(|best, next| if drainage(next) > drainage(best) { next } else { best })?;
    Some((main, inflows.filter(move |from| *from != main)))
}

/// Returns the length of a course in cells.
fn length(course: &[IVec2]) -> f32 {
    course.windows(2).map(|pair| if (pair[1] - pair[0]).abs() == IVec2::ONE { SQRT_2 } else { 1.0 }).sum()
}
