//! [`CrispEdge`]: the outline of a set of cells with right angles and slightly rounded corners.

use glam::{IVec2, Vec2};

use super::noise::floor_and_fraction;
use super::resample::Field;
use super::viewport::Viewport;

/// The maximum distance, in shorter sides of a cell.
pub(crate) const FARTHEST: f32 = 0.5;
/// The radius of corners, in shorter sides of a cell.
const CORNER: f32 = 0.11;
/// The bit of corners in stairs: at least three steps form a slope through the midpoints of their sides.
const STAIR: u8 = 16;

/// The outline of a set of cells. Walls keep their right angles; corners are rounded, and stairs become slopes.
pub(crate) struct CrispEdge {
    /// A bit mask for the upper left corner of each cell, of the cells around it that are in the set: 1 for the upper
    /// left, 2 for the upper right, 4 for the lower left, 8 for the lower right; and [`STAIR`].
    corners: Field<u8>,
    /// The sides of a cell divided by its shorter side.
    aspect: Vec2,
    radius: f32,
}

impl CrispEdge {
    pub(crate) fn new(viewport: &Viewport, set: &Field<bool>) -> Self {
        let corners = Field::from_fn(set.rect, |corner| {
            let around = [IVec2::ONE, IVec2::Y, IVec2::X, IVec2::ZERO];
            around.iter().enumerate().map(|(bit, &step)| u8::from(set.nearest(corner - step)) << bit).sum()
        });
        let turns = corners.map(|&corner| turn(corner));
        let opposite = |at: IVec2| {
            let turn = turns.nearest(at);
            let pattern = corners.nearest(at);
            // The outline continues to the right if the two cells there differ, and so on.
            let differ = |first: u8, second: u8| (pattern & first > 0) != (pattern & second > 0);
            let ways = [
                (IVec2::X, differ(2, 8)),
                (-IVec2::X, differ(1, 4)),
                (IVec2::Y, differ(4, 8)),
                (-IVec2::Y, differ(1, 2)),
            ];
            ways.iter().filter(|&&(step, goes_on)| goes_on && turn * turns.nearest(at + step) < 0).count()
        };
        let opposite = Field::from_fn(set.rect, |at| if turns.nearest(at) == 0 { 0 } else { opposite(at) });
        let corners = Field::from_fn(set.rect, |at| {
            let own = opposite.nearest(at);
            let steps = [IVec2::X, IVec2::Y, -IVec2::X, -IVec2::Y];
            let is_stair = own == 2
                || own == 1
                    && steps.iter().any(|&step| {
                        opposite.nearest(at + step) == 2 && turns.nearest(at + step) * turns.nearest(at) < 0
                    });
            corners.nearest(at) | if is_stair { STAIR } else { 0 }
        });
        Self { corners, aspect: viewport.scale / viewport.side(), radius: CORNER }
    }

    /// Returns the outline with sharp corners.
    pub(crate) fn sharp(mut self) -> Self {
        self.corners.values.iter_mut().for_each(|corner| *corner &= !STAIR);
        Self { radius: 0.0, ..self }
    }

    /// Returns the signed distance of a place to the outline in shorter sides of a cell, positive inside, clamped to
    /// [`FARTHEST`].
    #[inline]
    pub(crate) fn distance(&self, place: Vec2) -> f32 {
        let corner = floor(place + 0.5);
        let corner_value = self.corners.nearest(corner);
        let pattern = corner_value & 15;
        let distance = match pattern {
            0 => return -FARTHEST,
            15 => return FARTHEST,
            _ => {
                let at_corner = |way: Vec2| {
                    if corner_value & STAIR > 0 { way.x + way.y - FARTHEST } else { rounded(way, self.radius) }
                };
                let way = (place - corner.as_vec2()) * self.aspect;
                let toward =
                    |bit: u8| way * Vec2::new([-1.0, 1.0][usize::from(bit & 1)], [-1.0, 1.0][usize::from(bit >> 1)]);
                match pattern {
                    0b0011 => -way.y,
                    0b1100 => way.y,
                    0b0101 => -way.x,
                    0b1010 => way.x,
                    0b1001 | 0b0110 => {
                        let inside = ((way.x > 0.0) == (way.y > 0.0)) == (pattern == 0b1001);
                        way.abs().min_element() * if inside { 1.0 } else { -1.0 }
                    }
                    _ if pattern.count_ones() == 1 => at_corner(toward(pattern.trailing_zeros() as u8)),
                    _ => -at_corner(toward((!pattern & 15).trailing_zeros() as u8)),
                }
            }
        };
        distance.clamp(-FARTHEST, FARTHEST)
    }
}

/// Returns the signed distance to the outline of the positive quadrant with a rounded corner, positive inside.
#[inline]
fn rounded(way: Vec2, radius: f32) -> f32 {
    let depth = radius - way;
    radius - depth.max(Vec2::ZERO).length() - depth.max_element().min(0.0)
}

/// Returns 1 for a corner with one cell of the set, −1 for a corner with three, else 0.
fn turn(corner: u8) -> i32 {
    match corner.count_ones() {
        1 => 1,
        3 => -1,
        _ => 0,
    }
}

/// Returns the cell of a place.
#[inline]
pub(crate) fn floor(place: Vec2) -> IVec2 {
    IVec2::new(floor_and_fraction(place.x).0, floor_and_fraction(place.y).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::grid::CellRect;
    use glam::{ivec2, vec2};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_distance_is_that_to_the_nearest_cell_of_the_other_kind(
            cells in proptest::collection::vec(any::<bool>(), 8 * 8),
            places in proptest::collection::vec((1.5_f32..6.5, 1.5_f32..6.5), 20),
        ) {
            let rect = CellRect { min: ivec2(0, 0), max: ivec2(8, 8) };
            let set = Field { rect, values: cells };
            let viewport = Viewport { origin: IVec2::ZERO, scale: Vec2::splat(8.0), size: ivec2(64, 64) };
            let edge = CrispEdge::new(&viewport, &set);
            for (x, y) in places {
                let place = vec2(x, y);
                let own = set.nearest(floor(place));
                let to_cell = |cell: IVec2| (place.clamp(cell.as_vec2(), cell.as_vec2() + 1.0) - place).length();
                let others = rect.cells().filter(|&cell| set.nearest(cell) != own).map(to_cell);
                let nearest = others.fold(FARTHEST, f32::min) * if own { 1.0 } else { -1.0 };
                let distance = edge.distance(place);
                // The arc of a corner is up to (√2 − 1) radii inside of it.
                let is_stair = edge.corners.nearest(floor(place + 0.5)) & STAIR > 0;
                let most = if is_stair { 0.5 } else { 0.42 * CORNER } + 1e-4;
                prop_assert!((distance - nearest).abs() < most, "{place}: {distance}, {nearest}");
                let distance = edge.sharp_distance(place);
                prop_assert!((distance - nearest).abs() < 1e-4, "{place}: {distance}, {nearest}");
            }
        }
    }

    impl CrispEdge {
        fn sharp_distance(&self, place: Vec2) -> f32 {
            let corners = self.corners.clone();
            Self { corners, ..*self }.sharp().distance(place)
        }
    }

    #[test]
    fn stairs_are_slopes_and_rooms_keep_their_corners() {
        let rect = CellRect { min: ivec2(0, 0), max: ivec2(10, 10) };
        let viewport = Viewport { origin: IVec2::ZERO, scale: Vec2::splat(8.0), size: ivec2(80, 80) };
        let stairs = CrispEdge::new(&viewport, &Field::from_fn(rect, |cell| cell.x > cell.y));
        for i in 3..7 {
            for share in [0.0, 0.2, 0.5, 0.9] {
                let place = vec2(i as f32 + 0.5 + share, i as f32 + share);
                assert!(stairs.distance(place).abs() < 1e-4, "{place}: {}", stairs.distance(place));
            }
            // The centres of cells keep their side.
            assert!(stairs.distance(vec2(i as f32 + 1.5, i as f32 + 0.5)) > 0.4);
            assert!(stairs.distance(vec2(i as f32 + 0.5, i as f32 + 0.5)) < -0.4);
        }
        let is_room = |cell: IVec2| cell.x > 2 && cell.y > 2 && cell.y < 8 - i32::from(cell.x > 6);
        let room = CrispEdge::new(&viewport, &Field::from_fn(rect, is_room));
        assert!(room.corners.values.iter().all(|corner| corner & STAIR == 0));
    }

    #[test]
    fn the_distance_has_no_jumps() {
        let rect = CellRect { min: ivec2(0, 0), max: ivec2(6, 6) };
        let set = Field::from_fn(rect, |cell| (cell.x * 7 + cell.y * 5) % 3 == 0);
        let viewport = Viewport { origin: IVec2::ZERO, scale: vec2(12.0, 8.0), size: ivec2(72, 48) };
        let edge = CrispEdge::new(&viewport, &set);
        let step = 1.0 / 64.0;
        for y in 64..320 {
            for x in 64..320 {
                let place = vec2(x as f32 + 0.5, y as f32 + 0.5) * step;
                let distance = edge.distance(place);
                for next in [vec2(step, 0.0), vec2(0.0, step)] {
                    let change = (edge.distance(place + next) - distance).abs();
                    assert!(change < 3.1 * step, "{place}: {change}");
                }
            }
        }
    }
}
