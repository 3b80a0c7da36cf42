//! [`FlowDirections`]: the neighbour that the water of each cell flows to (D8).
//!
//! # References
//! J. F. O'Callaghan and D. M. Mark, *The extraction of drainage networks from digital elevation data*, 1984.

use farsight::internal::parallel::*;
use fearless_simd::Level;

use super::cell_sizes::RowSizes;
use super::neighbours::{NEIGHBOURS, is_at_edge, neighbour, neighbours_at, opposite};
use super::pyramid::CELLS_BETWEEN_CHECKS;
use farsight::grid::Grid;
use farsight::internal::simd::dispatch;
use farsight::{Cancelled, Job};

/// Instead of a direction: the cell is sea, the end of all water.
pub(super) const SEA: u8 = 8;
/// Instead of a direction: the water leaves the map.
pub(super) const OFF_MAP: u8 = 9;
/// Instead of a direction, until depressions are routed: no neighbour is lower.
pub(super) const PIT: u8 = 10;

pub(super) struct FlowDirections {
    /// An index into [`NEIGHBOURS`](super::neighbours::NEIGHBOURS), or [`SEA`], [`OFF_MAP`] or [`PIT`].
    pub(super) codes: Vec<u8>,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl FlowDirections {
    /// Routes each land cell to its steepest neighbour; cells without a lower neighbour are [`PIT`]s, or [`OFF_MAP`] at
    /// the edge. `sizes` are those of rectangular cells.
    pub(super) fn steepest(
        ground: &Grid<f32>,
        sea: &Grid<bool>,
        jitter: FlowJitter,
        sizes: Option<&RowSizes>,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let (width, height) = (ground.width(), ground.height());
        let mut codes = vec![SEA; width * height];
        let surface_row = |y: usize, row: &mut [f32]| {
            for ((cell, &ground), &sea) in row.iter_mut().zip(ground.row(y)).zip(sea.row(y)) {
                *cell = if sea { 0.0 } else { ground };
            }
        };
        codes.par_chunks_mut(width * ROWS_OF_BAND).enumerate().try_for_each(|(band, codes)| {
            job.check()?;
            let mut surface = [(); 3].map(|()| vec![0.0; width]);
            for (y, codes) in (band * ROWS_OF_BAND..).zip(codes.chunks_mut(width)) {
                let factors = sizes.map(|sizes| sizes.slope_factors(y));
                if y > 0 && y + 1 < height && width > 2 {
                    // The upper two rows at y are the lower two rows of the previous y.
                    surface.rotate_left(1);
                    if y == (band * ROWS_OF_BAND).max(1) {
                        surface_row(y - 1, &mut surface[0]);
                        surface_row(y, &mut surface[1]);
                    }
                    surface_row(y + 1, &mut surface[2]);
                    let [above, row, below] = &surface;
                    let row =
                        InnerRow { surface: [above, row, below], sea: sea.row(y), first: (y * width) as u32, jitter };
                    match factors {
                        None => dispatch!(Level::new(), _ => row.fill_codes(SQUARE_FACTORS, codes)),
                        Some(factors) => dispatch!(Level::new(), _ => row.fill_codes(factors, codes)),
                    }
                }
                for (x, code) in codes.iter_mut().enumerate() {
                    if is_at_edge(x, y, width, height) || *code == PIT {
                        *code = steepest_direction(ground, sea, x, y, jitter, factors.unwrap_or(SQUARE_FACTORS));
                    }
                }
            }
            Ok(())
        })?;
        Ok(Self { codes, width, height })
    }

    /// Returns the cell downstream, or `None` where the water ends or leaves the map.
    #[inline]
    pub(super) fn downstream(&self, i: usize) -> Option<usize> {
        let direction = self.codes[i];
        (direction < SEA).then(|| neighbour(i, direction, self.width))
    }

    /// Returns all land cells, each before the cell downstream of it, and the number of cells that drain through each
    /// cell, itself included; 0 at sea. No cell must be a [`PIT`].
    ///
    /// Starts at each cell without inflow and follows the water to the first confluence that waits for another inflow (G.
    /// Zhou, H. Wei and S. Fu, *A fast and simple algorithm for calculating flow accumulation matrices from raster digital
    /// elevation*, 2019).
    pub(super) fn accumulate(&self, job: Job<'_>) -> Result<(Vec<u32>, Vec<u32>), Cancelled> {
        const DONE: u8 = u8::MAX;
        let mut inflows = self.inflows();
        let mut order = Vec::with_capacity(self.codes.len());
        let mut counts = vec![0; self.codes.len()];
        for start in 0..self.codes.len() {
            if start % CELLS_BETWEEN_CHECKS == 0 {
                job.check()?;
            }
            if inflows[start] != 0 || self.codes[start] == SEA {
                continue;
            }
            let mut i = start;
            loop {
                inflows[i] = DONE;
                order.push(i as u32);
                counts[i] += 1;
                let Some(downstream) = self.downstream(i).filter(|&downstream| self.codes[downstream] != SEA) else {
                    break;
                };
                counts[downstream] += counts[i];
                inflows[downstream] -= 1;
                if inflows[downstream] != 0 {
                    break;
                }
                i = downstream;
            }
        }
        Ok((order, counts))
    }

    /// Returns the number of neighbours whose water flows to each cell.
    fn inflows(&self) -> Vec<u8> {
        let (width, height) = (self.width, self.height);
        let mut inflows = vec![0; self.codes.len()];
        inflows.par_chunks_mut(width).enumerate().for_each(|(y, inflows)| {
            if y > 0 && y + 1 < height && width > 2 {
                let rows = [y - 1, y, y + 1].map(|y| &self.codes[y * width..][..width]);
                dispatch!(Level::new(), _ => count_inflows(rows, inflows));
            }
            for x in (0..width).filter(|&x| is_at_edge(x, y, width, height)) {
                let flows_here = |&(direction, from): &(u8, usize)| self.codes[from] == opposite(direction);
                inflows[x] = neighbours_at(x, y, width, height).filter(flows_here).count() as u8;
            }
        });
        inflows
    }

    /// Routes `cell` in direction `code`, and reverses the path from it to its pit.
    pub(super) fn reverse_path(&mut self, mut cell: usize, mut code: u8) {
        loop {
            let old = std::mem::replace(&mut self.codes[cell], code);
            if old >= SEA {
                return;
            }
            cell = neighbour(cell, old, self.width);
            code = opposite(old);
        }
    }
}

/// Random variation of slopes, which makes streams meander on even ground.
#[derive(Clone, Copy, Default)]
pub(super) struct FlowJitter {
    /// The maximum fraction of a slope to remove, in [0, 1].
    pub(super) strength: f32,
    /// The seed of the pattern.
    pub(super) seed: u32,
}

impl FlowJitter {
    /// Returns four random bits for each direction from a cell.
    #[inline(always)]
    fn pattern(self, cell: u32) -> u32 {
        mix(cell ^ self.seed.wrapping_mul(0x9e37_79b9))
    }

    /// Returns the factor of a slope in a direction.
    #[inline(always)]
    fn factor(self, pattern: u32, direction: u8) -> f32 {
        1.0 - self.strength * ((pattern >> (4 * direction) & 15) as i32 as f32 * (1.0 / 16.0))
    }
}

/// Returns a hash with two multiplications.
#[inline(always)]
fn mix(i: u32) -> u32 {
    let mixed = (i ^ (i >> 15)).wrapping_mul(0x2c1b_3c6d);
    let mixed = (mixed ^ (mixed >> 12)).wrapping_mul(0x297a_2d39);
    mixed ^ (mixed >> 15)
}

/// The number of rows per task.
const ROWS_OF_BAND: usize = 16;

/// The inner cells of a row, with the rows above and below.
#[derive(Clone, Copy)]
struct InnerRow<'a> {
    /// The row above, the row and the row below: the ground, or 0 at sea.
    surface: [&'a [f32]; 3],
    sea: &'a [bool],
    /// The index of the first cell.
    first: u32,
    jitter: FlowJitter,
}

impl InnerRow<'_> {
    /// Sets the direction of each cell to that of its steepest neighbour, or [`PIT`]. `factors` are the inverses of the
    /// distances to the neighbours.
    #[inline(always)]
    fn fill_codes(self, factors: [f32; 8], codes: &mut [u8]) {
        let inner = codes.len() - 2;
        let around: [&[f32]; 8] = std::array::from_fn(|direction| {
            let to = NEIGHBOURS[direction];
            &self.surface[(to.y + 1) as usize][(to.x + 1) as usize..][..inner]
        });
        let (own, sea, codes) = (&self.surface[1][1..][..inner], &self.sea[1..][..inner], &mut codes[1..][..inner]);
        for i in 0..inner {
            let pattern = self.jitter.pattern(self.first.wrapping_add(1 + i as u32));
            let (mut best, mut steepest) = (u32::from(PIT), 0.0);
            for direction in 0..8_u8 {
                let slope = (own[i] - around[usize::from(direction)][i])
                    * factors[usize::from(direction)]
                    * self.jitter.factor(pattern, direction);
                best = if slope > steepest { direction.into() } else { best };
                steepest = if slope > steepest { slope } else { steepest };
            }
            codes[i] = if sea[i] { SEA } else { best as u8 };
        }
    }
}

/// The inverses of the distances to the neighbours of a square cell.
const SQUARE_FACTORS: [f32; 8] = {
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL]
};

/// Counts the neighbours that flow to each cell of the middle row but the first and the last.
#[inline(always)]
fn count_inflows(rows: [&[u8]; 3], inflows: &mut [u8]) {
    let inner = inflows.len() - 2;
    let around: [&[u8]; 8] = std::array::from_fn(|direction| {
        let from = NEIGHBOURS[direction];
        &rows[(from.y + 1) as usize][(from.x + 1) as usize..][..inner]
    });
    let inflows = &mut inflows[1..][..inner];
    for i in 0..inner {
        let mut count = 0;
        for direction in 0..8_u8 {
            count += u8::from(around[usize::from(direction)][i] == opposite(direction));
        }
        inflows[i] = count;
    }
}

/// The definition of the direction of one cell; 0 is the level of the sea.
fn steepest_direction(
    ground: &Grid<f32>,
    sea: &Grid<bool>,
    x: usize,
    y: usize,
    jitter: FlowJitter,
    factors: [f32; 8],
) -> u8 {
    let (width, height) = (ground.width(), ground.height());
    if sea.row(y)[x] {
        return SEA;
    }
    let ground_m = ground.row(y)[x];
    let pattern = jitter.pattern((y * width + x) as u32);
    let (mut best, mut steepest) = (if is_at_edge(x, y, width, height) { OFF_MAP } else { PIT }, 0.0);
    for (direction, to) in neighbours_at(x, y, width, height) {
        let lower = if sea.as_slice()[to] { 0.0 } else { ground.as_slice()[to] };
        let slope = (ground_m - lower) * factors[usize::from(direction)] * jitter.factor(pattern, direction);
        if slope > steepest {
            (best, steepest) = (direction, slope);
        }
    }
    if best >= SEA {
        // On a plateau, drain left or up. Any fixed order drains the plateau.
        let is_level =
            |&(direction, to): &(u8, usize)| direction >= 4 && ground.as_slice()[to] == ground_m && !sea.as_slice()[to];
        best = neighbours_at(x, y, width, height).find(is_level).map_or(best, |(direction, _)| direction);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::CellSizes;
    use crate::world::tests::random_ground;
    use farsight::internal::simd::levels;

    #[test]
    fn maps_have_the_directions_of_single_cells() {
        for (width, height) in [(1, 1), (2, 5), (3, 3), (40, 35), (83, 18)] {
            for (seed, strength) in [(0, 0.0), (1, 0.5), (2, 0.5)] {
                let (ground, sea) = random_ground(seed, width, height, 20.0);
                let jitter = FlowJitter { strength, seed };
                let degrees = CellSizes::Geographic { north: 70.0, cell: [0.3; 2] };
                let sizes = RowSizes::new(degrees, 20_000.0, height);
                for sizes in [None, Some(&sizes)] {
                    let factors = |y: usize| sizes.map_or(SQUARE_FACTORS, |sizes| sizes.slope_factors(y));
                    let wanted: Vec<u8> = (0..height)
                        .flat_map(|y| (0..width).map(move |x| (x, y)))
                        .map(|(x, y)| steepest_direction(&ground, &sea, x, y, jitter, factors(y)))
                        .collect();
                    let found = FlowDirections::steepest(&ground, &sea, jitter, sizes, Job::none()).unwrap();
                    assert_eq!(found.codes, wanted);
                }
            }
        }
    }

    #[test]
    fn inner_rows_have_the_same_directions_and_inflows_with_every_width_of_vector() {
        let (ground, sea) = random_ground(1, 83, 3, 1000.0);
        let surface = [0, 1, 2].map(|y| ground.row(y));
        let row = InnerRow { surface, sea: sea.row(1), first: 83, jitter: FlowJitter { strength: 0.5, seed: 3 } };
        let results = levels().into_iter().map(|level| {
            let (mut codes, mut inflows) = (vec![SEA; 83], vec![0; 83]);
            dispatch!(level, _ => row.fill_codes(SQUARE_FACTORS, &mut codes));
            dispatch!(level, _ => count_inflows([&codes, &codes, &codes], &mut inflows));
            (codes, inflows)
        });
        let results: Vec<_> = results.collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
        assert!(results[0].0.iter().any(|&code| code < SEA) && results[0].1.iter().any(|&count| count > 1));
    }
}
