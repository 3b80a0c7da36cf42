//! Flow routing through depressions: water leaves each depression at its lowest pour point.
//!
//! The land that drains to one pit is a basin. Basins and the pour points between them form a graph. Its minimum
//! spanning tree, rooted at the sea, gives each basin the pour point at which it overflows, and the flow path from there
//! down to the pit is reversed. The resulting water levels are those of a priority-flood.
//!
//! # References
//! G. Cordonnier, B. Bovy and J. Braun, *A versatile, linear complexity algorithm for flow routing in topographies with
//! depressions*, 2019; R. Barnes, C. Lehman and D. Mulla, *Priority-flood*, 2014.

use rayon::prelude::*;

use super::flow_directions::{FlowDirections, OFF_MAP, PIT, SEA};
use super::neighbours::{is_at_edge, neighbour, neighbours_at, opposite};

/// Lets the water of every pit flow on to the sea or off the map.
pub(super) fn route_depressions(flow: &mut FlowDirections, ground: &[f32]) {
    let pits: Vec<u32> = (0..flow.codes.len() as u32).filter(|&i| flow.codes[i as usize] == PIT).collect();
    if pits.is_empty() {
        return;
    }
    let basins = basins(flow, &pits);
    let tree = spanning_tree(flow, ground, &basins, pits.len() + 1);
    // Breadth first from the sea: each basin drains to the one from which it was reached.
    let mut queue = vec![0_u32];
    let mut reached = vec![false; pits.len() + 1];
    reached[0] = true;
    let mut done = 0;
    while let Some(&basin) = queue.get(done) {
        done += 1;
        for &(from, direction) in &tree[basin as usize] {
            // `from` is in this basin and the cell beyond it in another, which drains to `from`. A cell at the edge of
            // the map is listed under the sea and drains off the map itself.
            let (cell, code) = match direction {
                PIT => (from, OFF_MAP),
                OFF_MAP => continue,
                direction => (neighbour(from as usize, direction, flow.width) as u32, opposite(direction)),
            };
            let other = basins[cell as usize] as usize;
            if !reached[other] {
                reached[other] = true;
                queue.push(other as u32);
                flow.reverse_path(cell as usize, code);
            }
        }
    }
}

/// Returns the basin of each cell: 1 + index of its pit, or 0 for the sea and all that drains to it or off the map.
fn basins(flow: &FlowDirections, pits: &[u32]) -> Vec<u32> {
    let mut basins = vec![0_u32; flow.codes.len()];
    for (k, &pit) in pits.iter().enumerate() {
        basins[pit as usize] = k as u32 + 1;
    }
    for i in flow.upstream_order(pits) {
        if let Some(downstream) = flow.downstream(i as usize) {
            basins[i as usize] = basins[downstream];
        }
    }
    basins
}

/// Returns, for each basin, the pour points of the minimum spanning tree (Kruskal) as cell and direction out of the basin.
/// Pour points off the map are listed under basin 0, the sea, with [`PIT`] as direction.
fn spanning_tree(flow: &FlowDirections, ground: &[f32], basins: &[u32], count: usize) -> Vec<Vec<(u32, u8)>> {
    let mut joined = DisjointSets::new(count);
    let mut tree = vec![Vec::new(); count];
    for point in sorted_pour_points(flow, ground, basins) {
        let (from, direction) = (point.cell(), point.direction());
        let beyond = (direction < SEA).then(|| neighbour(from as usize, direction, flow.width));
        let (a, b) = (basins[from as usize], beyond.map_or(0, |beyond| basins[beyond]));
        if joined.union(a, b) {
            tree[a as usize].push((from, direction));
            tree[b as usize].push(match beyond {
                Some(beyond) => (beyond as u32, opposite(direction)),
                None => (from, PIT),
            });
        }
    }
    tree
}

/// Returns every step from one basin to another or off the map, lowest first.
fn sorted_pour_points(flow: &FlowDirections, ground: &[f32], basins: &[u32]) -> Vec<PourPoint> {
    let (width, height) = (flow.width, flow.height);
    let points_of_row = |y: usize| {
        let mut points = Vec::new();
        for x in 0..width {
            let i = y * width + x;
            if basins[i] != 0 && is_at_edge(x, y, width, height) {
                points.push(PourPoint::new(ground[i], i, OFF_MAP));
            }
            for (direction, to) in neighbours_at(x, y, width, height).filter(|&(direction, _)| direction < 4) {
                if basins[i] != basins[to] {
                    points.push(PourPoint::new(ground[i].max(ground[to]), i, direction));
                }
            }
        }
        points
    };
    let mut points = (0..height).into_par_iter().map(points_of_row).collect::<Vec<_>>().concat();
    points.par_sort_unstable();
    points
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
}

/// Returns an integer that sorts as the float does.
pub(super) fn sortable_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// A union-find structure with path halving.
struct DisjointSets(Vec<u32>);

impl DisjointSets {
    fn new(len: usize) -> Self {
        Self((0..len as u32).collect())
    }

    fn find(&mut self, mut a: u32) -> u32 {
        while self.0[a as usize] != a {
            self.0[a as usize] = self.0[self.0[a as usize] as usize];
            a = self.0[a as usize];
        }
        a
    }

    /// Joins the sets of `a` and `b`; returns `true` if they were different sets.
    fn union(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a as usize] = b;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sortable_bits_keep_the_order_of_floats() {
        let values = [-1e9, -2.5, -0.0, 0.0, 1e-9, 3.0, 3.000_001, 1e9];
        assert!(values.windows(2).all(|pair| sortable_bits(pair[0]) <= sortable_bits(pair[1])));
    }
}
