//! [`DistanceMap`]: the number of steps, or the cost of the path, from every cell to a goal.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::cell_rect::CellRect;
use super::grid::Grid;
use super::to_cell::ToCell;
use glam::{IVec2, ivec2};

/// The number of steps from every cell to a goal, around walls, in eight directions: how a creature gets there.
///
/// ```
/// use farsight::OpacityMap;
/// use farsight::glam::ivec2;
/// use farsight::grid::DistanceMap;
/// let map = OpacityMap::from_text("....\n.##.\n...#")?;
/// let to_thief = DistanceMap::new(map.extent(), (3, 1), |cell| map.get(cell) < Some(1.0));
/// assert_eq!(to_thief.get((0, 1)), Some(3));
/// assert_eq!(to_thief.next_cell((1, 0), |_| true), Some(ivec2(2, 0)));
/// assert_eq!(to_thief.next_cell((1, 0), |cell| cell != ivec2(2, 0)), None); // another creature is in the way
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "Dijkstra map")]
#[doc(alias = "pathfinding")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceMap {
    /// The top left cell.
    min: IVec2,
    steps: Grid<u32>,
}

/// The distance of cells without a path to the goal.
const NO_WAY: u32 = u32::MAX;

impl DistanceMap {
    /// Computes the distances on the cells of a map. Without a goal on the map, no way leads to it. `can_enter` is asked for
    /// cells of the map only, and not for the goal.
    pub fn new(extent: CellRect, goal: impl ToCell, mut can_enter: impl FnMut(IVec2) -> bool) -> Self {
        let min = extent.min;
        let mut steps = Grid::new(extent.width(), extent.height(), NO_WAY);
        let mut open = VecDeque::new();
        let goal = goal.to_cell().wrapping_sub(min);
        if let Some(distance) = steps.get_mut(goal) {
            *distance = 0;
            open.push_back(goal);
        }
        while let Some(at) = open.pop_front() {
            let distance = steps[at] + 1;
            for next in neighbours(at) {
                if steps.get(next) == Some(&NO_WAY) && can_enter(min + next) {
                    steps[next] = distance;
                    open.push_back(next);
                }
            }
        }
        Self { min, steps }
    }

    /// Computes the cost of the path from every cell to the nearest of several goals (E. W. Dijkstra 1959). `cost`
    /// returns the cost of a step out of a cell, such as 1 for floor and 3 for mud; `None` is an impassable cell.
    /// `cost` is called only for cells of the map, and not for goals.
    ///
    /// Sound follows such paths, too, with its source as the goal: floor reduces its loudness by 1, a closed door by
    /// 10, a wall by 20, in the cell of the listener and in all cells between. [`next_cell`](Self::next_cell) of a
    /// listener, with all cells free, is the direction of the sound.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::grid::DistanceMap;
    /// let map = OpacityMap::from_text("....+..#..")?;
    /// let loss = |cell| Some(if map.door(cell).is_some() { 10 } else if map.is_wall(cell) { 20 } else { 1 });
    /// let noise = DistanceMap::weighted(map.extent(), [(2, 0)], loss);
    /// assert_eq!([1, 3, 5, 8].map(|x| noise.get((x, 0))), [Some(1), Some(1), Some(12), Some(34)]);
    /// let is_heard = |cell: (i32, i32), loudness| noise.get(cell).is_some_and(|loss| loss < loudness);
    /// assert!(is_heard((5, 0), 15) && !is_heard((9, 0), 15));
    /// assert_eq!(noise.next_cell((5, 0), |_| true), Some((4, 0).into())); // it comes through the door
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weighted<P: ToCell>(
        extent: CellRect,
        goals: impl IntoIterator<Item = P>,
        mut cost: impl FnMut(IVec2) -> Option<u32>,
    ) -> Self {
        let min = extent.min;
        let mut steps = Grid::new(extent.width(), extent.height(), NO_WAY);
        let mut open = BinaryHeap::new();
        for goal in goals.into_iter().map(|goal| goal.to_cell().wrapping_sub(min)) {
            if let Some(distance) = steps.get_mut(goal) {
                *distance = 0;
                open.push(Reverse((0, goal.y, goal.x)));
            }
        }
        while let Some(Reverse((distance, y, x))) = open.pop() {
            if distance > steps[ivec2(x, y)] {
                continue; // a shorter way was found since
            }
            for next in neighbours(ivec2(x, y)) {
                let Some(known) = steps.get_mut(next).filter(|known| **known > distance) else { continue };
                // The longest way is one less than no way.
                let Some(way) = cost(min + next).map(|cost| distance.saturating_add(cost).min(NO_WAY - 1)) else {
                    continue;
                };
                if way < *known {
                    *known = way;
                    open.push(Reverse((way, next.y, next.x)));
                }
            }
        }
        Self { min, steps }
    }

    /// Returns the number of steps, or the cost of the path, from a cell to the goal; `None` without a path, and off the map.
    pub fn get(&self, cell: impl ToCell) -> Option<u32> {
        self.steps.get(cell.to_cell().wrapping_sub(self.min)).copied().filter(|&steps| steps != NO_WAY)
    }

    /// Returns the free neighbour with the shortest path to the goal; `None` at the goal, without a path, and if no
    /// free neighbour is nearer to it. Ties prefer straight steps.
    pub fn next_cell(&self, cell: impl ToCell, mut is_free: impl FnMut(IVec2) -> bool) -> Option<IVec2> {
        let cell = cell.to_cell();
        let steps = self.get(cell)?;
        let nearer = neighbours(cell).filter(|&next| self.get(next).is_some_and(|distance| distance < steps));
        nearer.filter(|&next| is_free(next)).min_by_key(|&next| self.get(next))
    }
}

fn neighbours(cell: IVec2) -> impl Iterator<Item = IVec2> {
    STEPS.into_iter().map(move |step| cell.wrapping_add(step))
}

/// The steps to the eight neighbours of a cell. Straight steps come first, so that paths have few turns.
pub const STEPS: [IVec2; 8] =
    [ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1), ivec2(1, 1), ivec2(1, -1), ivec2(-1, 1), ivec2(-1, -1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_lead_around_walls_and_not_into_closed_rooms() {
        let map = ["..#..", "..#.#", "..#.#", "....#", "#####", "....."];
        let is_open = |cell: IVec2| map[cell.y as usize].as_bytes()[cell.x as usize] == b'.';
        let distances = DistanceMap::new(CellRect::of_size((5, 6)), (4, 0), is_open);
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
    fn distances_follow_a_map_to_any_place() {
        let map = ["..#..", "..#.#", "..#.#", "....#"];
        let is_open = |cell: IVec2| map[cell.y as usize].as_bytes()[cell.x as usize] == b'.';
        let (extent, goal) = (CellRect::of_size((5, 4)), ivec2(4, 0));
        let wanted = DistanceMap::new(extent, goal, is_open);
        for min in [ivec2(-3, -2), IVec2::MIN, IVec2::MAX - ivec2(5, 4)] {
            let moved = CellRect { min, max: min + ivec2(5, 4) };
            let ways = DistanceMap::new(moved, min + goal, |cell| is_open(cell - min));
            let cost = |cell: IVec2| is_open(cell - min).then_some(1);
            assert_eq!(DistanceMap::weighted(moved, [min + goal], cost), ways);
            for cell in extent.cells() {
                assert_eq!(ways.get(min + cell), wanted.get(cell), "{cell} from {min} on");
                let next = wanted.next_cell(cell, |_| true).map(|next| min + next);
                assert_eq!(ways.next_cell(min + cell, |_| true), next, "{cell} from {min} on");
            }
            assert_eq!(ways.get(min.wrapping_sub(IVec2::ONE)), None);
        }
    }

    #[test]
    fn weighted_ways_are_the_cheapest_to_the_nearest_goal() {
        // Dark mud costs 5, light mud 2.
        let map = ["..%%...", ".:%%.#.", "..#%...", ":.%...."];
        let cost = |cell: IVec2| match map[cell.y as usize].as_bytes()[cell.x as usize] {
            b'%' => Some(5),
            b':' => Some(2),
            b'#' => None,
            _ => Some(1),
        };
        let goals = [ivec2(0, 0), ivec2(6, 3), ivec2(9, 9)];
        let map_cells = CellRect::of_size((7, 4));
        let ways = DistanceMap::weighted(map_cells, goals, cost);
        // The definition: repeat until nothing changes.
        let mut expected = Grid::new(7, 4, NO_WAY);
        goals[..2].iter().for_each(|goal| expected[*goal] = 0);
        for _ in 0..28 {
            for cell in (0..28).map(|i| ivec2(i % 7, i / 7)) {
                let least = neighbours(cell).filter_map(|next| expected.get(next)).min().copied().unwrap();
                let way = cost(cell).filter(|_| least != NO_WAY).map_or(NO_WAY, |cost| least + cost);
                expected[cell] = expected[cell].min(way);
            }
        }
        assert_eq!(ways.steps, expected);
        assert_eq!((ways.get((2, 2)), ways.next_cell((3, 1), |_| true)), (None, Some(ivec2(4, 1))));
        let single = DistanceMap::weighted(map_cells, [(6, 3)], |cell| cost(cell).map(|_| 1));
        assert_eq!(single, DistanceMap::new(map_cells, (6, 3), |cell| cost(cell).is_some()));
        let dear = DistanceMap::weighted(CellRect::of_size((3, 1)), [(0, 0)], |_| Some(u32::MAX));
        assert_eq!([1, 2].map(|x| dear.get((x, 0))), [Some(NO_WAY - 1); 2]);
    }

    #[test]
    fn no_way_leads_to_a_goal_off_the_map() {
        let distances = DistanceMap::new(CellRect::of_size((3, 3)), (3, 0), |_| true);
        assert_eq!(distances.get((2, 0)), None);
        assert_eq!(
            DistanceMap::new(CellRect::of_size((-1, 3)), (i32::MAX, 0), |_| true).next_cell((i32::MAX, 0), |_| true),
            None
        );
    }
}
