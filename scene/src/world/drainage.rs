//! [`Drainage`]: flow routing over a whole map, flow accumulation and depression filling.
//!
//! # Depressions
//!
//! Water leaves each depression at its lowest pour point.
//! The land that drains to one pit is a basin. Basins and the pour points between them form a graph. Its minimum
//! spanning tree, rooted at the sea, gives each basin the pour point at which it overflows, and the flow path from there
//! down to the pit is reversed. The resulting water levels are those of a priority-flood.
//!
//! # References
//! G. Cordonnier, B. Bovy and J. Braun, *A versatile, linear complexity algorithm for flow routing in topographies with
//! depressions*, 2019; R. Barnes, C. Lehman and D. Mulla, *Priority-flood*, 2014.

use fearless_simd::Level;

use super::cell_sizes::RowSizes;
use super::flow_directions::{FlowDirections, FlowJitter, OFF_MAP, PIT, SEA};
use super::neighbours::{DisjointSets, is_at_edge, neighbour, neighbours_at, opposite};
use super::pyramid::CELLS_BETWEEN_CHECKS;
use farsight::grid::Grid;
use farsight::internal::parallel::*;
use farsight::internal::simd::dispatch;
use farsight::{Cancelled, Job};

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
    /// no neighbour is lower. `sizes` are those of rectangular cells.
    ///
    /// Reports its stages with `done`, the fraction of the total work that is complete.
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

    /// Returns the land cell downstream of a cell, or `None` where the water enters the sea or leaves the map.
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

/// Routes the water of every pit to the sea or off the map.
fn route_depressions(flow: &mut FlowDirections, ground: &[f32], job: Job<'_>) -> Result<(), Cancelled> {
    let pits: Vec<u32> = (0..flow.codes.len() as u32).filter(|&i| flow.codes[i as usize] == PIT).collect();
    if pits.is_empty() {
        return Ok(());
    }
    let basins = basins(flow, &pits, job)?;
    let tree = SpanningTree::new(flow, ground, &basins, pits.len() + 1, job)?;
    // Breadth first from the sea: each basin drains to the basin from which it was reached.
    let mut queue = vec![0_u32];
    let mut reached = vec![false; pits.len() + 1];
    reached[0] = true;
    let mut done = 0;
    while let Some(&basin) = queue.get(done) {
        if done % CELLS_BETWEEN_CHECKS == 0 {
            job.check()?;
        }
        done += 1;
        for point in tree.pour_points(basin) {
            let (from, direction) = (point.cell() as usize, point.direction());
            // A cell at the edge of the map drains off the map. Any other step connects two basins, and the basin that
            // is not yet reached drains along it in either direction.
            let beyond = (direction < SEA).then(|| neighbour(from, direction, flow.width));
            let (cell, code) = match beyond {
                Some(beyond) if basins[from] == basin => (beyond, opposite(direction)),
                _ => (from, direction),
            };
            let other = basins[cell] as usize;
            if !reached[other] {
                reached[other] = true;
                queue.push(other as u32);
                flow.reverse_path(cell, code);
            }
        }
    }
    Ok(())
}

/// Returns the basin of each cell: 1 + index of its pit, or 0 for the sea and cells that drain to it or off the map.
fn basins(flow: &FlowDirections, pits: &[u32], job: Job<'_>) -> Result<Vec<u32>, Cancelled> {
    const UNKNOWN: u32 = u32::MAX;
    let mut basins = vec![UNKNOWN; flow.codes.len()];
    for (k, &pit) in pits.iter().enumerate() {
        basins[pit as usize] = k as u32 + 1;
    }
    let mut path = Vec::new();
    for start in 0..basins.len() {
        if start % CELLS_BETWEEN_CHECKS == 0 {
            job.check()?;
        }
        // Follows the water to a cell with a known basin.
        let mut end = Some(start);
        while let Some(i) = end.filter(|&i| basins[i] == UNKNOWN) {
            path.push(i as u32);
            end = flow.downstream(i);
        }
        let basin = end.map_or(0, |end| basins[end]);
        path.drain(..).for_each(|i| basins[i as usize] = basin);
    }
    Ok(basins)
}

/// The pour points of the minimum spanning tree of the basins (Kruskal). Steps off the map lead to basin 0, the sea.
struct SpanningTree {
    points: Vec<PourPoint>,
    /// For each basin, twice the index of its last added point, plus 1 if the basin is beyond the point;
    /// [`END`](Self::END) for basins without points.
    last: Vec<u32>,
    /// The same for the previously added point, for each side of each point.
    before: Vec<[u32; 2]>,
}

impl SpanningTree {
    const END: u32 = u32::MAX;

    fn new(
        flow: &FlowDirections,
        ground: &[f32],
        basins: &[u32],
        count: usize,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let mut joined = DisjointSets::new(count);
        let mut tree = Self { points: Vec::new(), last: vec![Self::END; count], before: Vec::new() };
        for (k, point) in sorted_pour_points(flow, ground, basins, job)?.into_iter().enumerate() {
            if k % CELLS_BETWEEN_CHECKS == 0 {
                job.check()?;
            }
            let sides = point.basins(basins, flow.width);
            if joined.union(sides[0], sides[1]) {
                let index = tree.points.len() as u32;
                let before =
                    [0, 1].map(|side| std::mem::replace(&mut tree.last[sides[side] as usize], 2 * index + side as u32));
                tree.points.push(point);
                tree.before.push(before);
            }
        }
        Ok(tree)
    }

    /// Returns the pour points of a basin, on its own cells or on those of the basin beyond.
    fn pour_points(&self, basin: u32) -> impl Iterator<Item = PourPoint> {
        let mut next = self.last[basin as usize];
        std::iter::from_fn(move || {
            let index = (next != Self::END).then_some(next as usize / 2)?;
            next = self.before[index][next as usize % 2];
            Some(self.points[index])
        })
    }
}

/// Returns the lowest step between two basins, or from a basin off the map, for all pairs of basins, lowest first. The
/// result also has some higher steps of the same pairs.
fn sorted_pour_points(
    flow: &FlowDirections,
    ground: &[f32],
    basins: &[u32],
    job: Job<'_>,
) -> Result<Vec<PourPoint>, Cancelled> {
    const ROWS_OF_BAND: usize = 32;
    let (width, height) = (flow.width, flow.height);
    let points_of_band = |band: usize| {
        job.check()?;
        let mut lowest = LowestPoints::new();
        let mut is_border = vec![false; width];
        for y in band * ROWS_OF_BAND..((band + 1) * ROWS_OF_BAND).min(height) {
            if let Some(below) = basins.get((y + 1) * width..(y + 2) * width) {
                dispatch!(Level::new(), _ => mark_borders(&basins[y * width..][..width], below, &mut is_border));
            }
            for (x, &is_border) in is_border.iter().enumerate() {
                let i = y * width + x;
                let at_edge = is_at_edge(x, y, width, height);
                if !at_edge && !is_border {
                    continue;
                }
                if at_edge && basins[i] != 0 {
                    lowest.add([basins[i], 0], PourPoint::new(ground[i], i, OFF_MAP));
                }
                for (direction, to) in neighbours_at(x, y, width, height).filter(|&(direction, _)| direction < 4) {
                    if basins[i] != basins[to] {
                        lowest.add([basins[i], basins[to]], PourPoint::new(ground[i].max(ground[to]), i, direction));
                    }
                }
            }
        }
        Ok(lowest.into_points())
    };
    let bands = 0..height.div_ceil(ROWS_OF_BAND);
    let mut points = bands.into_par_iter().map(points_of_band).collect::<Result<Vec<_>, _>>()?.concat();
    job.check()?;
    points.par_sort_unstable();
    Ok(points)
}

/// Marks the cells of a row, except the first and the last, with another basin to the right or below.
#[inline(always)]
fn mark_borders(own: &[u32], below: &[u32], is_border: &mut [bool]) {
    let Some(inner) = own.len().checked_sub(2) else { return };
    let [left_below, below, right_below] = [0, 1, 2].map(|first| &below[first..][..inner]);
    let (right, own, is_border) = (&own[2..][..inner], &own[1..][..inner], &mut is_border[1..][..inner]);
    for i in 0..inner {
        let basin = own[i];
        is_border[i] = (basin != right[i]) | (basin != right_below[i]) | (basin != below[i]) | (basin != left_below[i]);
    }
}

/// A filter of pour points that drops most points with a lower one between the same basins: a direct-mapped cache of
/// pairs of basins.
struct LowestPoints {
    cache: Vec<([u32; 2], PourPoint)>,
    points: Vec<PourPoint>,
}

impl LowestPoints {
    const BITS: u32 = 9;
    /// A pair that equals no pair of basins.
    const NONE: [u32; 2] = [0; 2];

    fn new() -> Self {
        Self { cache: vec![(Self::NONE, PourPoint(0)); 1 << Self::BITS], points: Vec::new() }
    }

    fn add(&mut self, [a, b]: [u32; 2], point: PourPoint) {
        let pair = [a.min(b), a.max(b)];
        let hash = (pair[0].wrapping_mul(0x9e37_79b1) ^ pair[1]).wrapping_mul(0x85eb_ca77) >> (32 - Self::BITS);
        let (cached_pair, cached) = &mut self.cache[hash as usize];
        if *cached_pair == pair {
            *cached = point.min(*cached);
        } else {
            if *cached_pair != Self::NONE {
                self.points.push(*cached);
            }
            (*cached_pair, *cached) = (pair, point);
        }
    }

    fn into_points(self) -> Vec<PourPoint> {
        let Self { cache, mut points } = self;
        points.extend(cache.into_iter().filter(|&(pair, _)| pair != Self::NONE).map(|(_, point)| point));
        points
    }
}

/// A step out of a basin: elevation, cell and direction, packed into one integer that sorts by elevation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PourPoint(u64);

impl PourPoint {
    fn new(elevation: f32, cell: usize, direction: u8) -> Self {
        // The largest map has 2²⁸ cells.
        Self(u64::from(sortable_bits(elevation)) << 32 | (cell as u64) << 4 | u64::from(direction))
    }

    fn cell(self) -> u32 {
        self.0 as u32 >> 4
    }

    fn direction(self) -> u8 {
        self.0 as u8 & 15
    }

    /// Returns the basins of the cell and of the cell beyond, 0 off the map.
    fn basins(self, basins: &[u32], width: usize) -> [u32; 2] {
        let from = self.cell() as usize;
        let beyond = (self.direction() < SEA).then(|| neighbour(from, self.direction(), width));
        [basins[from], beyond.map_or(0, |beyond| basins[beyond])]
    }
}

/// Returns an integer with the order of the float.
fn sortable_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;
    use crate::world::neighbours::{is_at_edge, neighbours};
    use crate::world::tests::random_ground;

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
        Drainage::new(ground, sea, jitter, None, Job::none(), 0.0).unwrap()
    }

    #[test]
    fn filled_ground_is_that_of_a_priority_flood() {
        for seed in 0..40 {
            for (width, height, steps) in [(1, 1, 9.0), (2, 7, 5.0), (23, 17, 12.0), (31, 29, 1000.0), (16, 16, 1.5)] {
                let (ground, sea) = random_ground(seed, width, height, steps);
                for strength in [0.0, 0.5] {
                    let drainage = drainage(&ground, &sea, FlowJitter { strength, seed });
                    let filled = drainage.filled(ground.as_slice(), Job::none()).unwrap();
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

    #[test]
    fn sortable_bits_keep_the_order_of_floats() {
        let values = [-1e9, -2.5, -0.0, 0.0, 1e-9, 3.0, 3.000_001, 1e9];
        assert!(values.windows(2).all(|pair| sortable_bits(pair[0]) <= sortable_bits(pair[1])));
    }
}
