//! Shortest routes from cell to cell.

use std::collections::VecDeque;

use glam::IVec2;

use crate::scene::{Scene, Terrain};
use farsight::grid::{CellRect, Grid, ToCell};
use farsight::internal::grid::STEPS;

impl Scene {
    /// Returns the steps of a shortest route around walls and nodata cells, in eight directions. In a world it is the
    /// straight line, unless that is blocked. `None` if there is no route or a cell is off the map.
    pub fn route(&self, from: impl ToCell, to: impl ToCell) -> Option<Vec<IVec2>> {
        let (from, to) = (from.to_cell(), to.to_cell());
        let map = CellRect::of_size(self.size());
        if !map.contains(from) || !map.contains(to) {
            return None;
        }
        match &self.terrain {
            Terrain::World(optics) => {
                let way = straight(from, to);
                let has_data = |cell: &mut IVec2, step: &IVec2| {
                    *cell += *step;
                    Some(optics.world().has_data(*cell))
                };
                if !optics.world().has_gaps() || way.iter().scan(from, has_data).all(|has_data| has_data) {
                    return Some(way);
                }
                around_walls(self.size(), from, to, |cell| self.terrain.can_enter(cell))
            }
            Terrain::Map(_) => around_walls(self.size(), from, to, |cell| self.terrain.can_enter(cell)),
        }
    }
}

/// Returns steps along the straight line, with the diagonals spread evenly.
fn straight(start: IVec2, goal: IVec2) -> Vec<IVec2> {
    let steps = (goal - start).abs().max_element();
    let along = |i: i32| start.as_dvec2() + (goal - start).as_dvec2() * f64::from(i) / f64::from(steps);
    let cells: Vec<IVec2> = (0..=steps).map(|i| along(i).round().as_ivec2()).collect();
    cells.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Searches breadth-first from the goal.
fn around_walls(size: IVec2, start: IVec2, goal: IVec2, can_enter: impl Fn(IVec2) -> bool) -> Option<Vec<IVec2>> {
    if start == goal {
        return Some(Vec::new());
    }
    if !can_enter(goal) {
        return None;
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
    let mut route = Vec::new();
    let mut cell = start;
    while cell != goal {
        let step = towards_goal[cell];
        if step == IVec2::ZERO {
            return None;
        }
        route.push(step);
        cell += step;
    }
    Some(route)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn straight_route_ends_at_the_goal() {
        for goal in [ivec2(7, 3), ivec2(-4, 9), ivec2(0, 0), ivec2(5, -5)] {
            let steps = straight(IVec2::ZERO, goal);
            assert_eq!(steps.iter().copied().sum::<IVec2>(), goal);
            assert_eq!(steps.len() as i32, goal.abs().max_element());
        }
    }

    #[test]
    fn route_leads_around_walls_and_not_into_closed_rooms() {
        let map = ["..#..", "..#..", "..#..", "....."];
        let open = |cell: IVec2| {
            map.get(cell.y as usize).is_some_and(|row| row.as_bytes().get(cell.x as usize) == Some(&b'.'))
        };
        let steps = around_walls(ivec2(5, 4), ivec2(0, 0), ivec2(4, 0), open).unwrap();
        let mut cell = ivec2(0, 0);
        for step in &steps {
            cell += *step;
            assert!(open(cell));
        }
        assert_eq!((cell, steps.len()), (ivec2(4, 0), 6));
        assert_eq!(around_walls(ivec2(5, 3), ivec2(0, 0), ivec2(4, 0), open), None);
        assert_eq!(around_walls(ivec2(5, 4), ivec2(0, 0), ivec2(2, 1), open), None, "into a wall");
        assert_eq!(around_walls(ivec2(5, 4), ivec2(1, 1), ivec2(1, 1), open), Some(Vec::new()));
    }
}
