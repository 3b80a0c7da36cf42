//! Land and sea: a few rotated ellipses per region, with outlines bent and roughened by noise; [`LandComponents`]: the
//! connected components of both; the smallest are removed.

use super::config::WorldConfig;
use super::neighbours::DisjointSets;
use super::noise::{Octave, Octaves, PerlinOctave};
use super::pyramid::{PyramidLevel, for_rows, for_rows_with};
use farsight::grid::Grid;
use farsight::internal::math::SplitMix64;
use farsight::internal::parallel::*;
use farsight::{Cancelled, Job};

/// Land and sea at one level of the pyramid.
pub(super) struct Continents {
    /// Positive on land. Near the coast it is approximately the signed distance to the coast, in widths of a region.
    pub(super) land_field: Grid<f32>,
    coast_octaves: Octaves,
}

/// The side of a square of the minimum area of an inland sea, in widths of a region; smaller inland seas become land.
const MIN_INLAND_SEA: f64 = 0.16;
/// The minimum number of cells of an island; smaller islands become sea.
const MIN_ISLAND_CELLS: usize = 3;
/// The amplitude of an octave of coast noise, as a fraction of its wavelength.
const COAST_NOISE: f64 = 0.5;

impl Continents {
    /// Outlines the land on the coarsest level.
    pub(super) fn new(config: &WorldConfig, coarsest: &PyramidLevel, job: Job<'_>) -> Result<Self, Cancelled> {
        let region = config.region_km;
        let mut random = SplitMix64::for_purpose(config.seed, 1);
        let [warp_x, warp_y] = [(); 2].map(|()| PerlinOctave::new(&mut random, region * 0.7));
        let finest_step_km = config.cell_size_m / 1000.0;
        let mut coast_octaves = Octaves::new(SplitMix64::for_purpose(config.seed, 2), region * 0.6, finest_step_km);
        let octaves = coast_octaves.take(coarsest.step_km, false);
        // Without a phase, every map would have the same part of the lattice at its centre.
        let mut random = SplitMix64::for_purpose(config.seed, 4);
        let phase = [(); 2].map(|()| random.next_f64());
        let mut land_field = coarsest.noise(&coast_noise(octaves, config), job)?;
        let (warp_x, warp_y) = (coarsest.noise(&[(0.3, &warp_x)], job)?, coarsest.noise(&[(0.3, &warp_y)], job)?);
        for_rows(&mut land_field, job, |y, row| {
            let mut ellipses = Ellipses::new(config.seed, [0, 0]);
            for (x, cell) in row.iter_mut().enumerate() {
                let at = [
                    coarsest.x_km(x) / region + phase[0] + f64::from(warp_x.row(y)[x]),
                    coarsest.y_km(y) / region + phase[1] + f64::from(warp_y.row(y)[x]),
                ];
                *cell += ellipses.inside(at) as f32;
            }
        })?;
        let sea_level = level_with_share_above(&land_field, config.land);
        for cell in land_field.as_mut_slice() {
            *cell -= sea_level;
        }
        let mut continents = Self { land_field, coast_octaves };
        continents.remove_small_parts(config, coarsest, job)?;
        Ok(continents)
    }

    /// Refines the land to the next finer level.
    pub(super) fn upsample(
        &mut self,
        config: &WorldConfig,
        level: &PyramidLevel,
        finest: bool,
        job: Job<'_>,
    ) -> Result<(), Cancelled> {
        self.land_field = level.upsample(&self.land_field, job)?;
        let octaves = self.coast_octaves.take(level.step_km, finest);
        if !octaves.is_empty() {
            let octaves = coast_noise(octaves, config);
            for_rows_with(
                &mut self.land_field,
                job,
                || vec![0.0; level.width],
                |noise, y, row| {
                    level.noise_row(y).fill(&octaves, noise);
                    row.iter_mut().zip(noise).for_each(|(cell, noise)| *cell += *noise);
                },
            )?;
        }
        self.remove_small_parts(config, level, job)
    }

    pub(super) fn sea(&self) -> Grid<bool> {
        self.land_field.map(|&land| land <= 0.0)
    }

    /// Fills small inland seas and removes tiny islands, unless they touch the edge of the map.
    fn remove_small_parts(
        &mut self,
        config: &WorldConfig,
        level: &PyramidLevel,
        job: Job<'_>,
    ) -> Result<(), Cancelled> {
        let side = MIN_INLAND_SEA * config.region_km / level.step_km;
        let min_sea_cells = (side * side) as usize;
        job.check()?;
        let parts = LandComponents::new(&self.land_field);
        for_rows(&mut self.land_field, job, |y, row| {
            for run in parts.runs_of_row(y) {
                let min_cells = if run.is_land { MIN_ISLAND_CELLS } else { min_sea_cells };
                if parts.cells(run) < min_cells {
                    row[run.start as usize..run.end as usize].fill(if run.is_land { -1e-4 } else { 1e-4 });
                }
            }
        })
    }
}

/// Returns the octaves of the noise that displaces the coast, with amplitudes in widths of a region.
fn coast_noise<'a>(octaves: &'a [Octave], config: &WorldConfig) -> Vec<(f32, &'a PerlinOctave)> {
    let amplitude =
        |octave: &Octave| octave.wavelength_km * config.coast_roughness * 2.0 * COAST_NOISE / config.region_km;
    octaves.iter().map(|octave| (amplitude(octave) as f32, &octave.noise)).collect()
}

/// The ellipses around a region. All lengths are in widths of a region. Each region has one ellipse of random position,
/// rotation, size and height.
struct Ellipses {
    seed: u64,
    region: [i64; 2],
    around: [Ellipse; 9],
}

impl Ellipses {
    fn new(seed: u64, region: [i64; 2]) -> Self {
        let [column, row] = region;
        let around =
            std::array::from_fn(|k| Ellipse::of_region(seed, column + k as i64 % 3 - 1, row + k as i64 / 3 - 1));
        Self { seed, region, around }
    }

    /// Returns the depth of a position inside the ellipses.
    fn inside(&mut self, [x, y]: [f64; 2]) -> f64 {
        let region = [libm::floor(x + 0.5) as i64, libm::floor(y + 0.5) as i64];
        if region != self.region {
            *self = Self::new(self.seed, region);
        }
        self.around.iter().map(|ellipse| ellipse.inside(x, y)).sum()
    }
}

struct Ellipse {
    centre: [f64; 2],
    /// The matrix to coordinates in which the ellipse is the unit circle.
    along: [f64; 2],
    across: [f64; 2],
    height: f64,
}

impl Ellipse {
    fn of_region(seed: u64, column: i64, row: i64) -> Self {
        let region = ((column as u64) << 32) ^ (row as u64 & 0xffff_ffff);
        let mut random = SplitMix64::for_purpose(seed ^ region.wrapping_mul(0x9e37_79b9_7f4a_7c15), 3);
        let centre = [column, row].map(|at| at as f64 + random.between(-0.3, 0.3));
        // The rational parametrization of the circle: a rotation without sine and cosine.
        let t = random.between(-1.0, 1.0);
        let (cos, sin) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        let length = random.between(0.45, 0.7);
        let breadth = length * random.between(0.4, 0.85);
        let height = random.between(0.4, 0.6);
        Self { centre, along: [cos / length, sin / length], across: [-sin / breadth, cos / breadth], height }
    }

    fn inside(&self, x: f64, y: f64) -> f64 {
        let (dx, dy) = (x - self.centre[0], y - self.centre[1]);
        let (u, v) = (dx * self.along[0] + dy * self.along[1], dx * self.across[0] + dy * self.across[1]);
        let near = (1.0 - (u * u + v * v) / 3.0).max(0.0);
        self.height * near * near
    }
}

/// Returns the level that this fraction of the cells exceeds.
fn level_with_share_above(field: &Grid<f32>, share: f64) -> f32 {
    let mut cells = field.as_slice().to_vec();
    let below = ((1.0 - share) * cells.len() as f64) as usize;
    let least = |cells: &[f32]| cells.iter().copied().fold(f32::INFINITY, f32::min);
    let greatest = |cells: &[f32]| cells.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    match below {
        0 => least(&cells) - 1.0,
        n if n >= cells.len() => greatest(&cells) + 1.0,
        n => {
            let (lower, &mut upper, _) = cells.select_nth_unstable_by(n, f32::total_cmp);
            0.5 * (greatest(lower) + upper)
        }
    }
}

/// The connected components of a field that is positive on land. Land is connected across corners, sea is not.
struct LandComponents {
    /// All runs, row by row.
    runs: Vec<CellRun>,
    /// The index of the first run of each row, and the number of runs.
    first_of_row: Vec<usize>,
    /// The component of each run, as the index of one of its runs.
    part: Vec<u32>,
    /// The number of cells of a component, or [`AT_EDGE`], at the index of that run.
    cells: Vec<u32>,
}

/// The number of cells of components that touch the edge of the map.
const AT_EDGE: u32 = u32::MAX;

/// A run of consecutive cells of a row that are all land or all sea.
#[derive(Clone, Copy)]
struct CellRun {
    index: u32,
    start: u32,
    end: u32,
    is_land: bool,
}

impl LandComponents {
    /// Finds the components.
    fn new(land_field: &Grid<f32>) -> Self {
        let (width, height) = (land_field.width(), land_field.height());
        let rows: Vec<Vec<CellRun>> = (0..height).into_par_iter().map(|y| runs(land_field.row(y))).collect();
        let mut first_of_row = vec![0];
        for row in &rows {
            first_of_row.push(first_of_row[first_of_row.len() - 1] + row.len());
        }
        let mut runs = rows.concat();
        for (index, run) in runs.iter_mut().enumerate() {
            run.index = index as u32;
        }
        let mut sets = DisjointSets::new(runs.len());
        for y in 1..height {
            let (above, row) =
                (&runs[first_of_row[y - 1]..first_of_row[y]], &runs[first_of_row[y]..first_of_row[y + 1]]);
            join_rows(above, row, &mut sets);
        }
        let part: Vec<u32> = (0..runs.len() as u32).map(|run| sets.find(run)).collect();
        let mut cells = vec![0_u32; runs.len()];
        for y in 0..height {
            for run in &runs[first_of_row[y]..first_of_row[y + 1]] {
                let is_at_edge = y == 0 || y + 1 == height || run.start == 0 || run.end == width as u32;
                let cells = &mut cells[part[run.index as usize] as usize];
                *cells = if is_at_edge { AT_EDGE } else { cells.saturating_add(run.end - run.start) };
            }
        }
        Self { runs, first_of_row, part, cells }
    }

    /// Returns the runs of a row.
    fn runs_of_row(&self, y: usize) -> &[CellRun] {
        &self.runs[self.first_of_row[y]..self.first_of_row[y + 1]]
    }

    /// Returns the number of cells of the component of a run; a component that touches the edge of the map has the
    /// maximum.
    fn cells(&self, run: &CellRun) -> usize {
        self.cells[self.part[run.index as usize] as usize] as usize
    }
}

/// Returns the runs of a row, without their indices.
fn runs(row: &[f32]) -> Vec<CellRun> {
    let is_same = |a: &f32, b: &f32| (*a > 0.0) == (*b > 0.0);
    let mut start = 0;
    let runs = row.chunk_by(is_same).map(|cells| {
        let run = CellRun { index: 0, start, end: start + cells.len() as u32, is_land: cells[0] > 0.0 };
        start = run.end;
        run
    });
    runs.collect()
}

/// Joins the components of touching runs of two rows.
fn join_rows(above: &[CellRun], row: &[CellRun], sets: &mut DisjointSets) {
    let mut first = 0;
    for run in row {
        // Land also touches at corners.
        let reach = u32::from(run.is_land);
        while above[first].end < run.start {
            first += 1;
        }
        let touching = above[first..].iter().take_while(|other| other.start < run.end + reach);
        for other in touching.filter(|other| other.is_land == run.is_land && other.end + reach > run.start) {
            sets.union(other.index, run.index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::neighbours::{flood_fill, is_at_edge, is_diagonal};
    use crate::world::tests::hash_to_unit;

    #[test]
    fn parts_are_those_of_a_flood_fill() {
        for (seed, (width, height)) in [(1, 1), (1, 9), (9, 1), (2, 2), (30, 20), (61, 40)].into_iter().enumerate() {
            for share in [0.3, 0.5, 0.6] {
                let field = Grid::from_fn(width, height, |cell| {
                    share - hash_to_unit((cell.x + 1000 * cell.y) as u32 + 77_777 * seed as u32)
                });
                let is_land = |i: usize| field.as_slice()[i] > 0.0;
                let parts = LandComponents::new(&field);
                let (mut seen, mut part) = (vec![false; width * height], Vec::new());
                for start in 0..width * height {
                    if !seen[start] {
                        flood_fill(start, [width, height], &mut seen, &mut part, |from, direction, to| {
                            (is_land(from) || !is_diagonal(direction)) && is_land(from) == is_land(to)
                        });
                        let at_edge = part.iter().any(|i| is_at_edge(i % width, i / width, width, height));
                        let wanted = if at_edge { AT_EDGE as usize } else { part.len() };
                        for i in &part {
                            let column = (i % width) as u32;
                            let run = parts.runs_of_row(i / width).iter().find(|run| column < run.end).unwrap();
                            assert_eq!(
                                (parts.cells(run), run.is_land),
                                (wanted, is_land(*i)),
                                "{width}x{height} at {i}"
                            );
                        }
                    }
                }
            }
        }
    }
}
