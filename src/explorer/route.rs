//! The way to a cell that was clicked on.

use std::collections::VecDeque;

use crate::glam::{IVec2, ivec2};
use crate::{CellRect, Grid, Scene, Terrain};

/// The steps from the viewer to a cell; none where there is no way.
pub(super) fn to(scene: &Scene, goal: IVec2) -> VecDeque<IVec2> {
    let start = scene.viewer();
    if !CellRect::of_size(scene.size()).contains(goal) {
        return VecDeque::new();
    }
    match scene.terrain() {
        Terrain::World(optics) if !optics.world().has_gaps() => straight(start, goal),
        terrain => around_walls(scene.size(), start, goal, |cell| terrain.can_enter(cell)),
    }
}

/// King's moves along the line, diagonals spread evenly.
fn straight(start: IVec2, goal: IVec2) -> VecDeque<IVec2> {
    let steps = (goal - start).abs().max_element();
    let along = |i: i32| start.as_dvec2() + (goal - start).as_dvec2() * f64::from(i) / f64::from(steps);
    let cells: Vec<IVec2> = (0..=steps).map(|i| along(i).round().as_ivec2()).collect();
    cells.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The fewest king's moves around what cannot be entered, by breadth-first search from the goal.
fn around_walls(size: IVec2, start: IVec2, goal: IVec2, can_enter: impl Fn(IVec2) -> bool) -> VecDeque<IVec2> {
    if !can_enter(goal) || start == goal {
        return VecDeque::new();
    }
    let mut towards_goal = Grid::new(size.x as usize, size.y as usize, IVec2::ZERO);
    let mut open = VecDeque::from([goal]);
    while let Some(cell) = open.pop_front() {
        if cell == start {
            break;
        }
        for step in STEPS {
            let next = cell - step;
            if next != goal && towards_goal.get(next) == Some(&IVec2::ZERO) && (can_enter(next) || next == start) {
                towards_goal[next] = step;
                open.push_back(next);
            }
        }
    }
    let mut route = VecDeque::new();
    let mut cell = start;
    while towards_goal[cell] != IVec2::ZERO {
        route.push_back(towards_goal[cell]);
        cell += towards_goal[cell];
    }
    route
}

/// Straight steps first, so that a way bends only where it must.
const STEPS: [IVec2; 8] =
    [ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1), ivec2(1, 1), ivec2(1, -1), ivec2(-1, 1), ivec2(-1, -1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_ways_end_at_the_goal_by_kings_moves() {
        for goal in [ivec2(7, 3), ivec2(-4, 9), ivec2(0, 0), ivec2(5, -5)] {
            let steps = straight(IVec2::ZERO, goal);
            assert_eq!(steps.iter().copied().sum::<IVec2>(), goal);
            assert_eq!(steps.len() as i32, goal.abs().max_element());
        }
    }

    #[test]
    fn walls_are_walked_around_and_closed_rooms_never_reached() {
        let map = ["..#..", "..#..", "..#..", "....."];
        let open = |cell: IVec2| {
            map.get(cell.y as usize).is_some_and(|row| row.as_bytes().get(cell.x as usize) == Some(&b'.'))
        };
        let steps = around_walls(ivec2(5, 4), ivec2(0, 0), ivec2(4, 0), open);
        let mut cell = ivec2(0, 0);
        for step in &steps {
            cell += *step;
            assert!(open(cell));
        }
        assert_eq!((cell, steps.len()), (ivec2(4, 0), 6));
        assert!(around_walls(ivec2(5, 3), ivec2(0, 0), ivec2(4, 0), open).is_empty());
    }
}
