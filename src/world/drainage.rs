//! [`Drainage`]: flow routing over a whole map, flow accumulation and depression filling.

use super::depressions::route_depressions;
use super::flow_directions::{FlowDirections, FlowJitter, SEA};
use super::pyramid::CELLS_BETWEEN_CHECKS;
use super::row_sizes::RowSizes;
use crate::grid::Grid;
use crate::job::{Cancelled, Job};

/// The flow of water over a map, in which every path ends in the sea or off the map.
pub(super) struct Drainage {
    pub(super) directions: FlowDirections,
    /// All land cells, each before the cell downstream of it.
    pub(super) order: Vec<u32>,
    /// The number of cells that drain through each cell, itself included; 0 at sea.
    pub(super) counts: Vec<u32>,
}

impl Drainage {
    /// Routes the water of `ground`, which must not be above 0 at sea. Land at the edge of the map drains off it where
    /// no neighbour is lower. `sizes` are the sides of rectangular cells.
    ///
    /// Reports its stages with `done`, the share of the whole work that is done.
    pub(super) fn new(
        ground: &Grid<f32>,
        sea: &Grid<bool>,
        jitter: FlowJitter,
        sizes: Option<&RowSizes>,
        job: Job<'_>,
        done: f32,
    ) -> Result<Self, Cancelled> {
        job.report("flow directions", done)?;
        let mut directions = FlowDirections::steepest(ground, sea, jitter, sizes, job)?;
        job.report("depressions", done)?;
        route_depressions(&mut directions, ground.as_slice(), job)?;
        job.report("flow order", done)?;
        let (order, counts) = directions.accumulate(job)?;
        Ok(Self { directions, order, counts })
    }

    /// Returns the area that drains through each cell, in square kilometres, on rectangular cells.
    pub(super) fn areas_km2(&self, sizes: &RowSizes) -> Vec<f64> {
        let mut areas = vec![0.0; self.counts.len()];
        for &i in &self.order {
            let i = i as usize;
            areas[i] += sizes.area_km2(i / self.directions.width);
            if let Some(downstream) = self.downstream_on_land(i) {
                areas[downstream] += areas[i];
            }
        }
        areas
    }

    /// Returns the land downstream of a cell, or `None` where the water enters the sea, or leaves the map.
    fn downstream_on_land(&self, i: usize) -> Option<usize> {
        self.directions.downstream(i).filter(|&downstream| self.directions.codes[downstream] != SEA)
    }

    /// Returns `ground` with every depression filled to its pour point.
    pub(super) fn filled(&self, ground: &[f32], job: Job<'_>) -> Result<Vec<f32>, Cancelled> {
        let mut level = ground.to_vec();
        for cells in self.order.rchunks(CELLS_BETWEEN_CHECKS) {
            job.check()?;
            for &i in cells.iter().rev() {
                let i = i as usize;
                if let Some(downstream) = self.downstream_on_land(i) {
                    level[i] = level[i].max(level[downstream]);
                }
            }
        }
        Ok(level)
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;
    use crate::world::depressions::sortable_bits;
    use crate::world::neighbours::{is_at_edge, neighbours};
    use crate::world::test_support::random_ground;

    /// The definition of depression filling: a priority-flood from the sea and the edges of the map (Barnes 2014).
    fn priority_flood(ground: &Grid<f32>, sea: &Grid<bool>) -> Vec<f32> {
        let (width, height) = (ground.width(), ground.height());
        let mut level = vec![f32::INFINITY; width * height];
        let mut open = BinaryHeap::new();
        for (cell, &ground) in ground.iter() {
            let i = cell.y as usize * width + cell.x as usize;
            if sea[cell] || is_at_edge(cell.x as usize, cell.y as usize, width, height) {
                level[i] = ground;
                open.push(Reverse((sortable_bits(ground), i)));
            }
        }
        while let Some(Reverse((_, i))) = open.pop() {
            for (_, to) in neighbours(i, width, height).filter(|&(_, to)| level[to].is_infinite()).collect::<Vec<_>>() {
                level[to] = level[i].max(ground.as_slice()[to]);
                open.push(Reverse((sortable_bits(level[to]), to)));
            }
        }
        level
    }

    fn drainage(ground: &Grid<f32>, sea: &Grid<bool>, jitter: FlowJitter) -> Drainage {
        Drainage::new(ground, sea, jitter, None, Job::quiet(), 0.0).unwrap()
    }

    #[test]
    fn filled_ground_is_that_of_a_priority_flood() {
        for seed in 0..40 {
            for (width, height, steps) in [(1, 1, 9.0), (2, 7, 5.0), (23, 17, 12.0), (31, 29, 1000.0), (16, 16, 1.5)] {
                let (ground, sea) = random_ground(seed, width, height, steps);
                for strength in [0.0, 0.5] {
                    let drainage = drainage(&ground, &sea, FlowJitter { strength, seed });
                    let filled = drainage.filled(ground.as_slice(), Job::quiet()).unwrap();
                    assert_eq!(filled, priority_flood(&ground, &sea), "{width}x{height}, {seed}");
                }
            }
        }
    }

    #[test]
    fn all_land_drains_and_each_cell_comes_before_its_downstream_cell() {
        for seed in 0..20 {
            let (ground, sea) = random_ground(seed, 37, 26, 8.0);
            let drainage = drainage(&ground, &sea, FlowJitter { strength: 0.5, seed: 1 });
            let land = sea.as_slice().iter().filter(|&&sea| !sea).count();
            assert_eq!(drainage.order.len(), land);
            let leaves_land = |next: Option<usize>| next.is_none_or(|next| sea.as_slice()[next]);
            let mut seen = vec![false; ground.as_slice().len()];
            for &i in drainage.order.iter().rev() {
                let next = drainage.directions.downstream(i as usize);
                assert!(leaves_land(next) || next.is_some_and(|next| seen[next]), "{next:?} comes before {i}");
                seen[i as usize] = true;
            }
            let counts = &drainage.counts;
            let ends =
                drainage.order.iter().map(|&i| i as usize).filter(|&i| leaves_land(drainage.directions.downstream(i)));
            assert_eq!(ends.map(|i| counts[i] as usize).sum::<usize>(), land);
            assert!(sea.as_slice().iter().zip(counts).all(|(&sea, &count)| sea == (count == 0)));
        }
    }
}
