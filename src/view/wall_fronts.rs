//! The open cells in front of the sides of a wall that face a viewer: for [`View::with_walls`](super::View::with_walls)
//! and for light on walls.

use glam::{IVec2, ivec2};

/// Steps from a cell to those in front of two sides and of the corner between them.
pub(crate) type Fronts = [Option<IVec2>; 3];

/// Returns the steps to the cells in front of the sides of a wall that face a viewer. If one side faces it, that is one
/// cell.
pub(crate) fn fronts_toward(wall: IVec2, viewer: IVec2) -> Fronts {
    let toward = step_toward(wall, viewer);
    let mut steps = [ivec2(toward.x, 0), ivec2(0, toward.y), toward].map(Some);
    if toward.x == 0 || toward.y == 0 {
        (steps[0], steps[1]) = (None, None);
    }
    steps
}

/// Returns the open ones of [`fronts_toward`].
pub(crate) fn open_fronts(wall: IVec2, viewer: IVec2, is_wall: impl Fn(IVec2) -> bool) -> Fronts {
    // A viewer may be inside a wall, and so may a lamp on the viewer's cell.
    let is_open = |front: IVec2| front == viewer || !is_wall(front);
    fronts_toward(wall, viewer).map(|step| step.filter(|step| is_open(wall.wrapping_add(*step))))
}

/// Returns the step from a cell to its neighbour nearest to another cell.
pub(crate) fn step_toward(from: IVec2, to: IVec2) -> IVec2 {
    (to.as_i64vec2() - from.as_i64vec2()).signum().as_ivec2()
}
