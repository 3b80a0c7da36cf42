//! Where water goes: every land cell's neighbour downstream.
//!
//! Water takes the steepest way down. Where there is none, in a pit, the pit's basin overflows at
//! its lowest rim: the basins and their rims form a graph, its minimum spanning tree joins them all
//! to the sea, and the way from each rim down to its pit is turned round. No cell is visited more
//! than a few times, and the water levels are those of a priority flood.
//!
//! # References
//! Cordonnier, Bovy and Braun, *A versatile, linear complexity algorithm for flow routing in
//! topographies with depressions*, 2019; Barnes, Lehman and Mulla, *Priority-flood*, 2014.

use glam::{IVec2, ivec2};
use rayon::prelude::*;

use crate::grid::Grid;

/// The eight neighbours, clockwise from the right. The opposite of `d` is `(d + 4) % 8`.
pub(super) const NEIGHBOURS: [IVec2; 8] =
    [ivec2(1, 0), ivec2(1, 1), ivec2(0, 1), ivec2(-1, 1), ivec2(-1, 0), ivec2(-1, -1), ivec2(0, -1), ivec2(1, -1)];
/// In place of a neighbour: the sea, where all water ends.
pub(super) const SEA: u8 = 8;
/// In place of a neighbour: out over the edge of the map.
pub(super) const OFF_MAP: u8 = 9;
/// In place of a neighbour, for a while: nowhere lower to go.
const PIT: u8 = 10;

/// Where the water of every cell goes.
pub(super) struct Drainage {
    /// An index into [`NEIGHBOURS`], or [`SEA`], or [`OFF_MAP`].
    pub(super) downstream: Vec<u8>,
    /// All land cells, each after the cell downstream of it.
    pub(super) order: Vec<u32>,
    width: usize,
    height: usize,
}

impl Drainage {
    /// Where water goes on this ground, which is not over 0 at sea. Sea cells take all and give none; land at the edge of the
    /// map sheds off it what would not flow inwards.
    pub(super) fn of(ground: &Grid<f32>, sea: &Grid<bool>, wobble: Wobble) -> Self {
        let (width, height) = (ground.width(), ground.height());
        let mut downstream = vec![SEA; width * height];
        downstream.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate().filter(|&(x, _)| !sea.row(y)[x]) {
                *cell = steepest(ground, sea, x, y, wobble);
            }
        });
        let mut drainage = Self { downstream, order: Vec::new(), width, height };
        let pits: Vec<u32> =
            (0..drainage.downstream.len() as u32).filter(|&i| drainage.downstream[i as usize] == PIT).collect();
        if !pits.is_empty() {
            drainage.join_pits(ground.as_slice(), &pits);
        }
        drainage.order = drainage.upstream_from(drainage.mouths());
        drainage
    }

    /// The cell downstream, or `None` where the water leaves the land.
    #[inline]
    pub(super) fn next(&self, i: usize) -> Option<usize> {
        let d = self.downstream[i];
        (d < SEA).then(|| step(i, d, self.width))
    }

    /// The sum of `own` over each cell and all cells upstream of it.
    pub(super) fn gathered(&self, own: f32) -> Vec<f32> {
        let mut sum = vec![0.0; self.downstream.len()];
        for &i in self.order.iter().rev() {
            let i = i as usize;
            sum[i] += own;
            if let Some(next) = self.next(i) {
                sum[next] += sum[i];
            }
        }
        sum
    }

    /// The surface of the water that fills every pit up to its rim, or the ground where there is none.
    pub(super) fn levels(&self, ground: &[f32]) -> Vec<f32> {
        let mut level = ground.to_vec();
        for &i in &self.order {
            let i = i as usize;
            if let Some(next) = self.next(i).filter(|&next| self.downstream[next] != SEA) {
                level[i] = level[i].max(level[next]);
            }
        }
        level
    }

    /// Land cells whose water goes straight into the sea or off the map, row after row.
    fn mouths(&self) -> Vec<u32> {
        let leaves = |i: &u32| match self.downstream[*i as usize] {
            OFF_MAP => true,
            SEA | PIT => false,
            d => self.downstream[step(*i as usize, d, self.width)] == SEA,
        };
        (0..self.downstream.len() as u32).filter(leaves).collect()
    }

    /// `roots` and all cells upstream of them, each after its downstream neighbour, valley by valley.
    fn upstream_from(&self, roots: Vec<u32>) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.downstream.len());
        let mut ahead = Vec::new();
        for root in roots {
            ahead.push(root);
            while let Some(i) = ahead.pop() {
                order.push(i);
                for (d, n) in around(i as usize, self.width, self.height) {
                    if self.downstream[n] == (d + 4) % 8 {
                        ahead.push(n as u32);
                    }
                }
            }
        }
        order
    }

    /// Turns the water of every pit over its lowest rim.
    fn join_pits(&mut self, ground: &[f32], pits: &[u32]) {
        // Basin 0 is the sea and all that drains to it or off the map.
        let mut basin = vec![0_u32; ground.len()];
        for (k, &pit) in pits.iter().enumerate() {
            basin[pit as usize] = k as u32 + 1;
        }
        for i in self.upstream_from(pits.to_vec()) {
            if let Some(next) = self.next(i as usize) {
                basin[i as usize] = basin[next];
            }
        }
        let rims = self.rims(ground, &basin);
        // Kruskal: the lowest rims that join all basins.
        let mut joined = Union::new(pits.len() + 1);
        let mut links: Vec<Vec<(u32, u8)>> = vec![Vec::new(); pits.len() + 1];
        for rim in &rims {
            let (from, d) = (rim.cell(), rim.direction());
            let (a, b) = (basin[from as usize], self.basin_beyond(&basin, from, d));
            if joined.join(a, b) {
                links[a as usize].push((from, d));
                // Seen from the other side. Over the edge of the map there is no cell to see it from.
                if d < SEA {
                    links[b as usize].push((step(from as usize, d, self.width) as u32, (d + 4) % 8));
                } else {
                    links[0].push((from, PIT));
                }
            }
        }
        // From the sea inland, each basin is turned towards the one that it was reached from.
        let mut reached = vec![0_u32];
        let mut known = vec![false; pits.len() + 1];
        known[0] = true;
        let mut done = 0;
        while let Some(&b) = reached.get(done) {
            done += 1;
            for &(from, d) in &links[b as usize] {
                // `from` lies in this basin, the cell beyond in a new one, which drains to `from`;
                // but a cell at the edge, listed under the sea, drains off the map itself.
                let (cell, to) = match d {
                    PIT => (from, OFF_MAP),
                    OFF_MAP => continue,
                    d => (step(from as usize, d, self.width) as u32, (d + 4) % 8),
                };
                let other = basin[cell as usize] as usize;
                if !known[other] {
                    known[other] = true;
                    reached.push(other as u32);
                    self.turn(cell as usize, to);
                }
            }
        }
    }

    /// Every step from one basin to another, lowest first.
    fn rims(&self, ground: &[f32], basin: &[u32]) -> Vec<Rim> {
        let (width, height) = (self.width, self.height);
        let rows: Vec<Vec<_>> = (0..height)
            .into_par_iter()
            .map(|y| {
                let mut rims = Vec::new();
                for x in 0..width {
                    let i = y * width + x;
                    if basin[i] != 0 && (x == 0 || y == 0 || x + 1 == width || y + 1 == height) {
                        rims.push(Rim::new(ground[i], i, OFF_MAP));
                    }
                    for (d, n) in around_at(x, y, width, height).filter(|&(d, _)| d < 4) {
                        if basin[i] != basin[n] {
                            rims.push(Rim::new(ground[i].max(ground[n]), i, d));
                        }
                    }
                }
                rims
            })
            .collect();
        let mut rims = rows.concat();
        rims.par_sort_unstable();
        rims
    }

    fn basin_beyond(&self, basin: &[u32], from: u32, d: u8) -> u32 {
        if d < SEA { basin[step(from as usize, d, self.width)] } else { 0 }
    }

    /// Turns the way from `cell` down to its pit round, and lets `cell` drain to `to`.
    fn turn(&mut self, cell: usize, to: u8) {
        let (mut cell, mut to) = (cell, to);
        loop {
            let was = self.downstream[cell];
            self.downstream[cell] = to;
            if was >= SEA {
                return;
            }
            cell = step(cell, was, self.width);
            to = (was + 4) % 8;
        }
    }
}

/// The steepest way down from a land cell.
fn steepest(ground: &Grid<f32>, sea: &Grid<bool>, x: usize, y: usize, wobble: Wobble) -> u8 {
    let (width, height) = (ground.width(), ground.height());
    let here = ground.row(y)[x];
    let edge = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
    let (mut best, mut steepest) = (if edge { OFF_MAP } else { PIT }, 0.0);
    for (d, n) in around_at(x, y, width, height) {
        let lower = if sea.as_slice()[n] { 0.0 } else { ground.as_slice()[n] };
        let mut slope = here - lower;
        if slope <= steepest && !sea.as_slice()[n] {
            continue;
        }
        slope *= if d % 2 == 1 { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
        slope *= 1.0 - wobble.share * favour(n as u32 ^ (u32::from(d) << 28) ^ wobble.turn.wrapping_mul(0x9e37_79b9));
        if slope > steepest {
            (best, steepest) = (d, slope);
        }
    }
    if best >= SEA {
        // On level ground, up or left: any fixed order will do, as long as it leads out of the level.
        let level = |&(d, n): &(u8, usize)| d >= 4 && ground.as_slice()[n] == here && !sea.as_slice()[n];
        best = around_at(x, y, width, height).find(level).map_or(best, |(d, _)| d);
    }
    best
}

/// Makes courses less straight, by a fixed pattern of favour and disfavour.
#[derive(Clone, Copy, Default)]
pub(super) struct Wobble {
    /// How much of a slope disfavour takes away, 0 to 1.
    pub(super) share: f32,
    /// Which of all patterns.
    pub(super) turn: u32,
}

/// A fixed pattern of numbers from 0 to 1.
fn favour(i: u32) -> f32 {
    let mixed = (i ^ (i >> 15)).wrapping_mul(0x2c1b_3c6d);
    ((mixed ^ (mixed >> 12)).wrapping_mul(0x297a_2d39) >> 16) as f32 * (1.0 / 65536.0)
}

/// The cell in direction `d` of cell `i`.
#[inline]
pub(super) fn step(i: usize, d: u8, width: usize) -> usize {
    let to = NEIGHBOURS[d as usize];
    (i as isize + to.y as isize * width as isize + to.x as isize) as usize
}

/// The neighbours of cell `i` that lie on the map, with their directions.
#[inline]
pub(super) fn around(i: usize, width: usize, height: usize) -> impl Iterator<Item = (u8, usize)> {
    // 32 bits divide faster, and a map has fewer cells.
    let (x, y) = ((i as u32 % width as u32) as usize, (i as u32 / width as u32) as usize);
    around_at(x, y, width, height)
}

/// The neighbours of the cell at `x`, `y` that lie on the map, with their directions.
#[inline]
pub(super) fn around_at(x: usize, y: usize, width: usize, height: usize) -> impl Iterator<Item = (u8, usize)> {
    let inner = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
    let i = y * width + x;
    (0..8_u8).filter_map(move |d| {
        let to = NEIGHBOURS[d as usize];
        let on_map = inner
            || ((0..width as i32).contains(&(x as i32 + to.x)) && (0..height as i32).contains(&(y as i32 + to.y)));
        on_map.then(|| (d, step(i, d, width)))
    })
}

/// A step out of a basin: its height, cell and direction in one number that sorts by height.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rim(u64);

impl Rim {
    fn new(height: f32, cell: usize, d: u8) -> Self {
        // The largest map has 2²⁸ cells.
        Self(u64::from(ordered(height)) << 32 | (cell as u64) << 4 | u64::from(d))
    }

    fn cell(self) -> u32 {
        self.0 as u32 >> 4
    }

    fn direction(self) -> u8 {
        self.0 as u8 & 15
    }
}

/// The bits of a height, in the order of heights.
fn ordered(height: f32) -> u32 {
    let bits = height.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Sets that are joined pair by pair.
struct Union(Vec<u32>);

impl Union {
    fn new(sets: usize) -> Self {
        Self((0..sets as u32).collect())
    }

    fn root(&mut self, mut a: u32) -> u32 {
        while self.0[a as usize] != a {
            self.0[a as usize] = self.0[self.0[a as usize] as usize];
            a = self.0[a as usize];
        }
        a
    }

    /// Whether they were apart.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a as usize] = b;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;

    /// The definition: a flood that rises from the sea and the edges of the map (Barnes 2014).
    fn flood(ground: &Grid<f32>, sea: &Grid<bool>) -> Vec<f32> {
        let (width, height) = (ground.width(), ground.height());
        let mut level = vec![f32::INFINITY; width * height];
        let mut shore = BinaryHeap::new();
        for (cell, &ground) in ground.iter() {
            let i = cell.y as usize * width + cell.x as usize;
            let edge = cell.x == 0 || cell.y == 0 || cell.x as usize + 1 == width || cell.y as usize + 1 == height;
            if sea[cell] || edge {
                level[i] = ground;
                shore.push(Reverse((ordered(ground), i)));
            }
        }
        while let Some(Reverse((_, i))) = shore.pop() {
            for (_, n) in around(i, width, height).filter(|&(_, n)| level[n].is_infinite()).collect::<Vec<_>>() {
                level[n] = level[i].max(ground.as_slice()[n]);
                shore.push(Reverse((ordered(level[n]), n)));
            }
        }
        level
    }

    /// Rough ground with many pits; some of it level, some of it sea.
    fn rough(seed: u32, width: usize, height: usize, steps: f32) -> (Grid<f32>, Grid<bool>) {
        let ground = Grid::from_fn(width, height, |c| {
            let height = (favour(seed.wrapping_add((c.x * 31 + c.y * 1009) as u32)) * steps).floor();
            if height == 0.0 && seed.is_multiple_of(2) { -1.0 } else { 1.0 + height }
        });
        let sea = ground.map(|&ground| ground < 0.0);
        (ground, sea)
    }

    #[test]
    fn levels_are_those_of_a_flood() {
        for seed in 0..40 {
            for (width, height, steps) in [(1, 1, 9.0), (2, 7, 5.0), (23, 17, 12.0), (31, 29, 1000.0), (16, 16, 1.5)] {
                let (ground, sea) = rough(seed, width, height, steps);
                for share in [0.0, 0.5] {
                    let drainage = Drainage::of(&ground, &sea, Wobble { share, turn: seed });
                    assert_eq!(drainage.levels(ground.as_slice()), flood(&ground, &sea), "{width}x{height}, {seed}");
                }
            }
        }
    }

    #[test]
    fn all_land_drains_and_in_order() {
        for seed in 0..20 {
            let (ground, sea) = rough(seed, 37, 26, 8.0);
            let drainage = Drainage::of(&ground, &sea, Wobble { share: 0.5, turn: 1 });
            let land = sea.as_slice().iter().filter(|&&sea| !sea).count();
            assert_eq!(drainage.order.len(), land);
            let mut seen = vec![false; ground.as_slice().len()];
            for &i in &drainage.order {
                let next = drainage.next(i as usize);
                assert!(next.is_none_or(|next| seen[next] || sea.as_slice()[next]), "{i} comes before {next:?}");
                seen[i as usize] = true;
            }
            let area = drainage.gathered(1.0);
            let out: f32 = drainage
                .order
                .iter()
                .filter(|&&i| drainage.next(i as usize).is_none_or(|next| sea.as_slice()[next]))
                .map(|&i| area[i as usize])
                .sum();
            assert_eq!(out, land as f32);
        }
    }

    #[test]
    fn heights_keep_their_order_as_bits() {
        let heights = [-1e9, -2.5, -0.0, 0.0, 1e-9, 3.0, 3.000_001, 1e9];
        assert!(heights.windows(2).all(|pair| ordered(pair[0]) <= ordered(pair[1])));
    }
}
