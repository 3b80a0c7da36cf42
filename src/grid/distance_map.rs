//! [`DistanceMap`]: the number of steps from every cell to a goal.

use std::collections::VecDeque;

use glam::{IVec2, ivec2};

use super::grid::Grid;

/// The number of steps from every cell to a goal, around walls, in eight directions: how a creature gets there.
///
/// ```
/// use farsight::OpacityMap;
/// use farsight::glam::ivec2;
/// use farsight::grid::DistanceMap;
/// let map = OpacityMap::from_text("....\n.##.\n...#")?;
/// let to_thief = DistanceMap::new(map.grid().size(), (3, 1), |cell| map.get(cell) < Some(1.0));
/// assert_eq!(to_thief.get((0, 1)), Some(3));
/// assert_eq!(to_thief.next_cell((1, 0), |_| true), Some(ivec2(2, 0)));
/// assert_eq!(to_thief.next_cell((1, 0), |cell| cell != ivec2(2, 0)), None); // somebody is in the way
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "Dijkstra map")]
#[doc(alias = "pathfinding")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceMap {
    steps: Grid<u32>,
}

/// The distance of cells from which no way leads to the goal.
const NO_WAY: u32 = u32::MAX;

impl DistanceMap {
    /// Computes the distances on a map of this size. Without a goal on the map, no way leads to it. `can_enter` is asked for
    /// cells of the map only, and not for the goal.
    pub fn new(size: impl Into<IVec2>, goal: impl Into<IVec2>, mut can_enter: impl FnMut(IVec2) -> bool) -> Self {
        let (size, goal) = (size.into().max(IVec2::ZERO), goal.into());
        let mut steps = Grid::new(size.x as usize, size.y as usize, NO_WAY);
        let mut open = VecDeque::new();
        if let Some(distance) = steps.get_mut(goal) {
            *distance = 0;
            open.push_back(goal);
        }
        while let Some(cell) = open.pop_front() {
            let distance = steps[cell] + 1;
            for next in neighbours(cell) {
                if steps.get(next) == Some(&NO_WAY) && can_enter(next) {
                    steps[next] = distance;
                    open.push_back(next);
                }
            }
        }
        Self { steps }
    }

    /// Returns the number of steps from a cell to the goal; `None` if no way leads there, and off the map.
    pub fn get(&self, cell: impl Into<IVec2>) -> Option<u32> {
        self.steps.get(cell).copied().filter(|&steps| steps != NO_WAY)
    }

    /// Returns the cell next to this one that is one step nearer to the goal and free; `None` at the goal, without a way, and
    /// if no such cell is free. Of several, straight steps come first.
    pub fn next_cell(&self, cell: impl Into<IVec2>, mut is_free: impl FnMut(IVec2) -> bool) -> Option<IVec2> {
        let cell = cell.into();
        let steps = self.get(cell)?;
        neighbours(cell).find(|&next| self.get(next).is_some_and(|distance| distance < steps) && is_free(next))
    }
}

fn neighbours(cell: IVec2) -> impl Iterator<Item = IVec2> {
    STEPS.into_iter().map(move |step| cell.wrapping_add(step))
}

/// The steps to the eight neighbours of a cell. Straight steps come first, so that a way turns only where it must.
pub(crate) const STEPS: [IVec2; 8] =
    [ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1), ivec2(1, 1), ivec2(1, -1), ivec2(-1, 1), ivec2(-1, -1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_lead_around_walls_and_not_into_closed_rooms() {
        let map = ["..#..", "..#.#", "..#.#", "....#", "#####", "....."];
        let is_open = |cell: IVec2| map[cell.y as usize].as_bytes()[cell.x as usize] == b'.';
        let distances = DistanceMap::new(ivec2(5, 6), (4, 0), is_open);
        let mut cell = ivec2(0, 0);
        for left in (0..distances.get(cell).unwrap()).rev() {
            cell = distances.next_cell(cell, |_| true).unwrap();
            assert!(is_open(cell) && distances.get(cell) == Some(left));
        }
        assert_eq!(cell, ivec2(4, 0));
        assert_eq!(distances.next_cell(cell, |_| true), None, "at the goal");
        assert_eq!([(0, 5), (2, 0), (-1, 0)].map(|cell| distances.get(cell)), [None; 3]);
    }

    #[test]
    fn no_way_leads_to_a_goal_off_the_map() {
        let distances = DistanceMap::new((3, 3), (3, 0), |_| true);
        assert_eq!(distances.get((2, 0)), None);
        assert_eq!(DistanceMap::new(ivec2(-1, 3), (i32::MAX, 0), |_| true).next_cell((i32::MAX, 0), |_| true), None);
    }
}
