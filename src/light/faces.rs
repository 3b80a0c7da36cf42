//! The sides of a wall: which of them a viewer sees, and which of them a lamp lights.

use glam::{IVec2, ivec2};

use super::placed_lamp::PlacedLamp;
use super::surroundings::Surroundings;

/// Steps from a wall to the open cells in front of the sides, and of the corner between them, that face a viewer.
pub(super) type Fronts = [Option<IVec2>; 3];

pub(super) fn fronts(map: &impl Surroundings, wall: IVec2, viewer: IVec2) -> Fronts {
    let toward = step_toward(wall, viewer);
    let mut steps = [ivec2(toward.x, 0), ivec2(0, toward.y), toward].map(Some);
    if toward.x == 0 || toward.y == 0 {
        (steps[0], steps[1]) = (None, None); // one side alone faces the viewer
    }
    // A viewer may be inside a wall, and so may a lamp that is looked at from its own cell.
    let is_open = |front: IVec2| front == viewer || !map.is_wall(front);
    steps.map(|step| step.filter(|step| is_open(wall.wrapping_add(*step))))
}

fn step_toward(from: IVec2, to: IVec2) -> IVec2 {
    (to.as_i64vec2() - from.as_i64vec2()).signum().as_ivec2()
}

/// Returns `true` if a lamp lights one of these sides of a wall.
pub(super) fn is_lit(fronts: &Fronts, wall: IVec2, lamp: &PlacedLamp) -> bool {
    let toward = step_toward(wall, lamp.lamp.at);
    // A lamp inside the wall itself lights all its sides.
    fronts.iter().flatten().any(|step| {
        let faces_the_lamp = (step.x == 0 || step.x == toward.x) && (step.y == 0 || step.y == toward.y);
        toward == IVec2::ZERO || faces_the_lamp && lamp.area.share(wall.wrapping_add(*step)) > 0.0
    })
}
