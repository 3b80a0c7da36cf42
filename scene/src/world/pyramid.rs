//! [`PyramidLevel`]: one resolution of a map. The levels of a map form a resolution pyramid.
//!
//! Wide features are computed on coarse levels and interpolated to finer levels, so that detail costs little. A coarse
//! level has every second cell of the finer level, plus one on each side:
//!
//! ```text
//! fine          0   1   2   3   4   5
//! coarse    0       1       2       3       4      coarse cell X is at fine cell 2X − 1
//! ```

use fearless_simd::Level;

use super::noise::{NoiseRow, PerlinOctave, WeatherNoise};
use farsight::grid::{CellSize, Grid};
use farsight::internal::parallel::*;
use farsight::internal::simd::dispatch;
use farsight::{Cancelled, Job};

/// Size and position of the grid of one resolution: (0, 0) km is the centre of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct PyramidLevel {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Spacing of cells in kilometres: the mean of both directions for rectangular cells.
    pub(super) step_km: f64,
    /// Spacing of the cells of a row, in kilometres.
    pub(super) step_x_km: f64,
    /// Spacing of the cells of a column, in kilometres.
    pub(super) step_y_km: f64,
    x0_km: f64,
    y0_km: f64,
}

impl PyramidLevel {
    /// Creates the finest level: the cells of the map.
    pub(super) fn finest(width: u32, height: u32, cell_size: CellSize) -> Self {
        let [step_km, step_x_km, step_y_km] = [cell_size.mean_m(), cell_size.x_m, cell_size.y_m].map(|m| m / 1000.0);
        let first = |cells: u32, step_km: f64| (0.5 - 0.5 * f64::from(cells)) * step_km;
        let (x0_km, y0_km) = (first(width, step_x_km), first(height, step_y_km));
        Self { width: width as usize, height: height as usize, step_km, step_x_km, step_y_km, x0_km, y0_km }
    }

    fn coarser(&self) -> Self {
        Self {
            width: self.width / 2 + 2,
            height: self.height / 2 + 2,
            step_km: self.step_km * 2.0,
            step_x_km: self.step_x_km * 2.0,
            step_y_km: self.step_y_km * 2.0,
            x0_km: self.x0_km - self.step_x_km,
            y0_km: self.y0_km - self.step_y_km,
        }
    }

    /// Returns this level and all coarser levels with cells small enough to outline a landmass, finest first.
    pub(super) fn pyramid(self, region_km: f64) -> Vec<Self> {
        let mut levels = vec![self];
        let mut last = self;
        loop {
            let step = last.step_km * 2.0;
            let fine_enough = step <= region_km / 90.0 || (levels.len() < 3 && step <= region_km / 24.0);
            if !fine_enough || last.width.max(last.height) < 16 {
                return levels;
            }
            last = last.coarser();
            levels.push(last);
        }
    }

    /// Returns the offset of a column from the centre of the map in kilometres, positive to the right.
    #[inline]
    pub(super) fn x_km(&self, x: usize) -> f64 {
        self.x0_km + x as f64 * self.step_x_km
    }

    /// Returns the offset of a row from the centre of the map in kilometres, positive downwards.
    #[inline]
    pub(super) fn y_km(&self, y: usize) -> f64 {
        self.y0_km + y as f64 * self.step_y_km
    }

    /// Returns the spacings of the cells of a row and of a column, in metres.
    fn steps_m(&self) -> [f32; 2] {
        [self.step_x_km, self.step_y_km].map(|km| (km * 1000.0) as f32)
    }

    /// Returns the columns and the rows of a length in kilometres, each at least 1 and at most `most`.
    pub(super) fn cells_in(&self, km: f64, most: f64) -> [usize; 2] {
        [self.step_x_km, self.step_y_km].map(|step_km| (km / step_km).round().clamp(1.0, most) as usize)
    }

    /// Returns the slope of the ground at a cell, as rise over run, from differences over up to four cells.
    fn slope(&self, surface: &Grid<f32>, x: usize, y: usize) -> f32 {
        let (left, right) = (x.saturating_sub(2), (x + 2).min(surface.width() - 1));
        let (up, down) = (y.saturating_sub(2), (y + 2).min(surface.height() - 1));
        let run = |cells: usize, step_m: f32| cells.max(1) as f32 * step_m;
        let [step_x_m, step_y_m] = self.steps_m();
        let dx = (surface.row(y)[right] - surface.row(y)[left]) / run(right - left, step_x_m);
        let dy = (surface.row(down)[x] - surface.row(up)[x]) / run(down - up, step_y_m);
        (dx * dx + dy * dy).sqrt()
    }

    /// Replaces `slopes` by the [`slope`](Self::slope) of each cell of a row.
    pub(super) fn slopes(&self, surface: &Grid<f32>, y: usize, slopes: &mut [f32]) {
        const REACH: usize = 2;
        let inner = surface.width().saturating_sub(2 * REACH);
        let (up, down) = (y.saturating_sub(REACH), (y + REACH).min(surface.height() - 1));
        let rows = [up, y, down].map(|y| surface.row(y));
        let [step_x_m, step_y_m] = self.steps_m();
        let runs = [(2 * REACH) as f32 * step_x_m, (down - up).max(1) as f32 * step_y_m];
        dispatch!(Level::new(), _ => inner_slopes(rows, runs, slopes));
        let last = slopes.len();
        for x in (0..REACH.min(last)).chain(REACH + inner..last) {
            slopes[x] = self.slope(surface, x, y);
        }
    }

    /// Returns the positions of a row of cells.
    pub(super) fn noise_row(&self, y: usize) -> NoiseRow {
        NoiseRow { x0: self.x0_km, step: self.step_x_km, y: self.y_km(y) }
    }

    /// Returns the sum of octaves of noise, each times its amplitude.
    pub(super) fn noise(&self, octaves: &[(f32, &PerlinOctave)], job: Job<'_>) -> Result<Grid<f32>, Cancelled> {
        let mut grid = Grid::new(self.width, self.height, 0.0);
        for_rows(&mut grid, job, |y, row| self.noise_row(y).fill(octaves, row))?;
        Ok(grid)
    }

    /// Returns weather noise times an amplitude.
    pub(super) fn weather_noise(
        &self,
        noise: &WeatherNoise,
        amplitude: f32,
        job: Job<'_>,
    ) -> Result<Grid<f32>, Cancelled> {
        let mut grid = Grid::new(self.width, self.height, 0.0);
        for_rows(&mut grid, job, |y, row| noise.fill_row(self.noise_row(y), amplitude, row))?;
        Ok(grid)
    }

    /// Returns a [smooth](Self::smooth) sum of octaves.
    pub(super) fn smooth_noise(
        pyramid: &[Self],
        shortest_km: f64,
        octaves: &[(f32, &PerlinOctave)],
        job: Job<'_>,
    ) -> Result<Grid<f32>, Cancelled> {
        Self::smooth(pyramid, shortest_km, job, |level| level.noise(octaves, job))
    }

    /// Returns a field with features of `shortest_km`, computed on the coarsest level that resolves them and
    /// interpolated to the finest level.
    pub(super) fn smooth(
        pyramid: &[Self],
        shortest_km: f64,
        job: Job<'_>,
        make: impl Fn(&Self) -> Result<Grid<f32>, Cancelled>,
    ) -> Result<Grid<f32>, Cancelled> {
        let index = pyramid.iter().rposition(|level| 5.0 * level.step_km <= shortest_km).unwrap_or(0);
        let grid = make(&pyramid[index])?;
        pyramid[..index].iter().rev().try_fold(grid, |grid, level| level.upsample(&grid, job))
    }

    /// Interpolates a grid of the next coarser level to this level: a smooth surface through all values, by the
    /// four-point scheme of Dyn, Levin and Gregory (1987).
    pub(super) fn upsample(&self, coarse: &Grid<f32>, job: Job<'_>) -> Result<Grid<f32>, Cancelled> {
        let mut fine = Grid::new(self.width, self.height, 0.0);
        for_rows_with(
            &mut fine,
            job,
            || vec![0.0; coarse.width() + 2],
            |padded, y, row| {
                let rows = four_points(y, coarse.height()).map(|y| coarse.row(y));
                dispatch!(Level::new(), _ => upsample_row(rows, y % 2 == 1, padded, row));
            },
        )?;
        Ok(fine)
    }

    /// Interpolates as [`upsample`](Self::upsample), from positions that noise shifts by up to one coarse cell (domain
    /// warping).
    pub(super) fn upsample_warped(
        &self,
        coarse: &Grid<f32>,
        [warp_x, warp_y]: &[PerlinOctave; 2],
        job: Job<'_>,
    ) -> Result<Grid<f32>, Cancelled> {
        let (right, bottom) = (coarse.width() - 1, coarse.height() - 1);
        let mut fine = Grid::new(self.width, self.height, 0.0);
        for_rows_with(
            &mut fine,
            job,
            || [vec![0.0; self.width], vec![0.0; self.width]],
            |[columns, rows], y, row| {
                self.noise_row(y).fill(&[(1.2, warp_x)], columns);
                self.noise_row(y).fill(&[(1.2, warp_y)], rows);
                for (x, cell) in row.iter_mut().enumerate() {
                    let u = (0.5 * (x + 1) as f32 + columns[x]).clamp(0.0, right as f32);
                    let v = (0.5 * (y + 1) as f32 + rows[x]).clamp(0.0, bottom as f32);
                    let (i, j) = (u as usize, v as usize);
                    let (across, down) = (catmull_rom(u - i as f32), catmull_rom(v - j as f32));
                    let mean_of_row = |b: usize| {
                        let from = coarse.row((j + b).saturating_sub(1).min(bottom));
                        let four: [f32; 4] = match from.get(i.wrapping_sub(1)..i + 3) {
                            Some(four) => [four[0], four[1], four[2], four[3]],
                            None => std::array::from_fn(|a| from[(i + a).saturating_sub(1).min(right)]),
                        };
                        down[b]
                            * (four[0] * across[0] + four[1] * across[1] + four[2] * across[2] + four[3] * across[3])
                    };
                    *cell = mean_of_row(0) + mean_of_row(1) + mean_of_row(2) + mean_of_row(3);
                }
            },
        )?;
        Ok(fine)
    }

    /// Averages a grid of this level to the next coarser level, with the weights ¼, ½, ¼ in each direction.
    pub(super) fn downsample(&self, fine: &Grid<f32>, job: Job<'_>) -> Result<Grid<f32>, Cancelled> {
        let (coarser, right, bottom) = (self.coarser(), self.width - 1, self.height - 1);
        let three = |at: usize, last: usize| [2 * at, 2 * at + 1, 2 * at + 2].map(|i| i.saturating_sub(2).min(last));
        let mut coarse = Grid::new(coarser.width, coarser.height, 0.0);
        for_rows(&mut coarse, job, |y, row| {
            let rows = three(y, bottom).map(|y| fine.row(y));
            for (x, cell) in row.iter_mut().enumerate() {
                let columns = three(x, right);
                let mean = |row: &[f32]| 0.25 * (row[columns[0]] + row[columns[2]]) + 0.5 * row[columns[1]];
                *cell = 0.25 * (mean(rows[0]) + mean(rows[2])) + 0.5 * mean(rows[1]);
            }
        })?;
        Ok(coarse)
    }
}

/// The number of cells between two checks of the job in a loop over single cells.
pub(super) const CELLS_BETWEEN_CHECKS: usize = 1 << 15;

/// Iterates over the rows of a grid in parallel, with their indices.
pub(super) fn rows_mut<T: Send>(grid: &mut Grid<T>) -> impl IndexedParallelIterator<Item = (usize, &mut [T])> {
    let width = grid.width();
    grid.as_mut_slice().par_chunks_mut(width).enumerate()
}

/// Changes every row of a grid in parallel, by its index, until the job is cancelled.
pub(super) fn for_rows<T: Send>(
    grid: &mut Grid<T>,
    job: Job<'_>,
    change: impl Fn(usize, &mut [T]) + Sync + Send,
) -> Result<(), Cancelled> {
    for_rows_with(grid, job, || (), |(), y, row| change(y, row))
}

/// Changes every row of a grid in parallel, by its index, until the job is cancelled, with a value for each run of rows.
pub(super) fn for_rows_with<T: Send, S>(
    grid: &mut Grid<T>,
    job: Job<'_>,
    init: impl Fn() -> S + Sync + Send,
    change: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
) -> Result<(), Cancelled> {
    rows_mut(grid).try_for_each_init(init, |state, (y, row)| {
        job.check()?;
        change(state, y, row);
        Ok(())
    })
}

/// Changes every cell of a grid in parallel, by its column and row, until the job is cancelled.
pub(super) fn update_cells<T: Send>(
    grid: &mut Grid<T>,
    job: Job<'_>,
    change: impl Fn(usize, usize, &mut T) + Sync + Send,
) -> Result<(), Cancelled> {
    for_rows(grid, job, |y, row| row.iter_mut().enumerate().for_each(|(x, cell)| change(x, y, cell)))
}

/// Replaces the slopes of all cells except two at each end of a row. `runs` are the distances in metres between the
/// cells of a difference along and across the row.
#[inline(always)]
fn inner_slopes([up, middle, down]: [&[f32]; 3], [run_x, run_y]: [f32; 2], slopes: &mut [f32]) {
    let Some(right) = middle.get(4..) else { return };
    for ((((slope, left), right), up), down) in
        slopes[2..].iter_mut().zip(middle).zip(right).zip(&up[2..]).zip(&down[2..])
    {
        let (dx, dy) = ((right - left) / run_x, (down - up) / run_y);
        *slope = (dx * dx + dy * dy).sqrt();
    }
}

/// Interpolates four rows of a coarser level, or copies the second, into `padded`, with one cell of padding on each
/// side; then interpolates that to a row of the finer level.
#[inline(always)]
fn upsample_row([a, b, c, d]: [&[f32]; 4], is_copy: bool, padded: &mut [f32], row: &mut [f32]) {
    let width = b.len();
    let inner = &mut padded[1..=width];
    if is_copy {
        inner.copy_from_slice(b);
    } else {
        for ((((cell, a), b), c), d) in inner.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *cell = midpoint(*a, *b, *c, *d);
        }
    }
    (padded[0], padded[width + 1]) = (padded[1], padded[width]);
    let [a, b, c, d] = [0, 1, 2, 3].map(|first| &padded[first..]);
    let (pairs, last) = row.as_chunks_mut::<2>();
    for ((((pair, a), b), c), d) in pairs.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *pair = [midpoint(*a, *b, *c, *d), *c];
    }
    if let [last] = last {
        let k = pairs.len();
        *last = midpoint(a[k], b[k], c[k], d[k]);
    }
}

/// Returns the four coarse cells around fine cell `at`, which is at the second cell, or between the second and the
/// third.
fn four_points(at: usize, coarse_len: usize) -> [usize; 4] {
    let second = if at % 2 == 1 { at.div_ceil(2) } else { at / 2 };
    let last = coarse_len - 1;
    [second.saturating_sub(1), second, (second + 1).min(last), (second + 2).min(last)]
}

/// Returns the weights of four evenly spaced values, at fraction `t` between the second and the third (Catmull and
/// Rom).
fn catmull_rom(t: f32) -> [f32; 4] {
    let s = 1.0 - t;
    [-0.5 * t * s * s, 1.0 + t * t * (1.5 * t - 2.5), 1.0 + s * s * (1.5 * s - 2.5), -0.5 * s * t * t]
}

/// Returns the four-point scheme's value halfway between the second and third of four evenly spaced values.
#[inline]
fn midpoint(a: f32, b: f32, c: f32, d: f32) -> f32 {
    0.5625 * (b + c) - 0.0625 * (a + d)
}
