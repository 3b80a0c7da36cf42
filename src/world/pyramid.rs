//! [`PyramidLevel`]: one resolution of a map. The levels of a map form a resolution pyramid.
//!
//! Wide features are made on coarse levels and interpolated to finer ones, so that detail costs little. A coarse level
//! has every second cell of the finer one, and one more on each side:
//!
//! ```text
//! fine          0   1   2   3   4   5
//! coarse    0       1       2       3       4      coarse cell X is at fine cell 2X − 1
//! ```

use rayon::prelude::*;

use super::noise::PerlinOctave;
use crate::grid::Grid;

/// Size and position of the grid of one resolution: (0, 0) km is the middle of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct PyramidLevel {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Distance between neighbouring cells in kilometres.
    pub(super) step_km: f64,
    x0_km: f64,
    y0_km: f64,
}

impl PyramidLevel {
    /// The finest level: the cells of the map.
    pub(super) fn finest(width: u32, height: u32, cell_size_m: f64) -> Self {
        let step_km = cell_size_m / 1000.0;
        let first = |cells: u32| (0.5 - 0.5 * f64::from(cells)) * step_km;
        Self { width: width as usize, height: height as usize, step_km, x0_km: first(width), y0_km: first(height) }
    }

    fn coarser(&self) -> Self {
        Self {
            width: self.width / 2 + 2,
            height: self.height / 2 + 2,
            step_km: self.step_km * 2.0,
            x0_km: self.x0_km - self.step_km,
            y0_km: self.y0_km - self.step_km,
        }
    }

    /// Returns this level and coarser ones, finest first, as long as the cells can still outline a landmass.
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

    /// Returns the distance of a column from the middle of the map in kilometres, positive to the right.
    #[inline]
    pub(super) fn x_km(&self, x: usize) -> f64 {
        self.x0_km + x as f64 * self.step_km
    }

    /// Returns the distance of a row from the middle of the map in kilometres, positive downwards.
    #[inline]
    pub(super) fn y_km(&self, y: usize) -> f64 {
        self.y0_km + y as f64 * self.step_km
    }

    /// Returns rise over run of the ground around a cell, by differences over up to four cells.
    pub(super) fn slope(&self, surface: &Grid<f32>, x: usize, y: usize) -> f32 {
        let (left, right) = (x.saturating_sub(2), (x + 2).min(surface.width() - 1));
        let (up, down) = (y.saturating_sub(2), (y + 2).min(surface.height() - 1));
        let step_m = (self.step_km * 1000.0) as f32;
        let run = |cells: usize| cells.max(1) as f32 * step_m;
        let dx = (surface.row(y)[right] - surface.row(y)[left]) / run(right - left);
        let dy = (surface.row(down)[x] - surface.row(up)[x]) / run(down - up);
        (dx * dx + dy * dy).sqrt()
    }

    /// Evaluates a function of the position in kilometres at every cell.
    pub(super) fn evaluate(&self, value: impl Fn(f64, f64) -> f32 + Sync) -> Grid<f32> {
        let mut grid = Grid::new(self.width, self.height, 0.0);
        update_cells(&mut grid, |x, y, cell| *cell = value(self.x_km(x), self.y_km(y)));
        grid
    }

    /// Evaluates a function on the coarsest level that resolves features of `shortest_km`, and interpolates the values
    /// to the finest.
    pub(super) fn evaluate_smooth(
        pyramid: &[Self],
        shortest_km: f64,
        value: impl Fn(f64, f64) -> f32 + Sync,
    ) -> Grid<f32> {
        let index = pyramid.iter().rposition(|level| 5.0 * level.step_km <= shortest_km).unwrap_or(0);
        let grid = pyramid[index].evaluate(value);
        pyramid[..index].iter().rev().fold(grid, |grid, level| level.upsample(&grid))
    }

    /// Interpolates a grid of the next coarser level to this level: a smooth surface through all values, by the
    /// four-point scheme of Dyn, Levin and Gregory (1987).
    pub(super) fn upsample(&self, coarse: &Grid<f32>) -> Grid<f32> {
        let mut tall = Grid::new(coarse.width(), self.height, 0.0);
        rows_mut(&mut tall).for_each(|(y, row)| {
            let [a, b, c, d] = four_points(y, coarse.height()).map(|y| coarse.row(y));
            if y % 2 == 1 {
                row.copy_from_slice(b);
            } else {
                for (x, cell) in row.iter_mut().enumerate() {
                    *cell = midpoint(a[x], b[x], c[x], d[x]);
                }
            }
        });
        let mut fine = Grid::new(self.width, self.height, 0.0);
        update_cells(&mut fine, |x, y, cell| {
            let from = tall.row(y);
            let [a, b, c, d] = four_points(x, from.len());
            *cell = if x % 2 == 1 { from[b] } else { midpoint(from[a], from[b], from[c], from[d]) };
        });
        fine
    }

    /// Interpolates as [`upsample`](Self::upsample), from positions that noise shifts by up to one coarse cell (domain
    /// warping).
    pub(super) fn upsample_warped(&self, coarse: &Grid<f32>, [warp_x, warp_y]: &[PerlinOctave; 2]) -> Grid<f32> {
        let (right, bottom) = (coarse.width() - 1, coarse.height() - 1);
        let mut fine = Grid::new(self.width, self.height, 0.0);
        update_cells(&mut fine, |x, y, cell| {
            let (x_km, y_km) = (self.x_km(x), self.y_km(y));
            let u = (0.5 * (x + 1) as f32 + 1.2 * warp_x.sample(x_km, y_km)).clamp(0.0, right as f32);
            let v = (0.5 * (y + 1) as f32 + 1.2 * warp_y.sample(x_km, y_km)).clamp(0.0, bottom as f32);
            let (i, j) = (u as usize, v as usize);
            let (across, down) = (catmull_rom(u - i as f32), catmull_rom(v - j as f32));
            let mean_of_row = |b: usize| {
                let from = coarse.row((j + b).saturating_sub(1).min(bottom));
                let at = |a: usize| from[(i + a).saturating_sub(1).min(right)] * across[a];
                down[b] * (at(0) + at(1) + at(2) + at(3))
            };
            *cell = (0..4).map(mean_of_row).sum();
        });
        fine
    }

    /// Averages a grid of this level to the next coarser level, with the weights ¼, ½, ¼ in each direction.
    pub(super) fn downsample(&self, fine: &Grid<f32>) -> Grid<f32> {
        let (coarser, right, bottom) = (self.coarser(), self.width - 1, self.height - 1);
        let three = |at: usize, last: usize| [2 * at, 2 * at + 1, 2 * at + 2].map(|i| i.saturating_sub(2).min(last));
        let mut coarse = Grid::new(coarser.width, coarser.height, 0.0);
        rows_mut(&mut coarse).for_each(|(y, row)| {
            let rows = three(y, bottom).map(|y| fine.row(y));
            for (x, cell) in row.iter_mut().enumerate() {
                let columns = three(x, right);
                let mean = |row: &[f32]| 0.25 * (row[columns[0]] + row[columns[2]]) + 0.5 * row[columns[1]];
                *cell = 0.25 * (mean(rows[0]) + mean(rows[2])) + 0.5 * mean(rows[1]);
            }
        });
        coarse
    }
}

/// Iterates over the rows of a grid in parallel, with their indices.
pub(super) fn rows_mut<T: Send>(grid: &mut Grid<T>) -> impl IndexedParallelIterator<Item = (usize, &mut [T])> {
    let width = grid.width();
    grid.as_mut_slice().par_chunks_mut(width).enumerate()
}

/// Changes every cell of a grid in parallel, by its column and row.
pub(super) fn update_cells<T: Send>(grid: &mut Grid<T>, change: impl Fn(usize, usize, &mut T) + Sync) {
    rows_mut(grid).for_each(|(y, row)| row.iter_mut().enumerate().for_each(|(x, cell)| change(x, y, cell)));
}

/// Returns the four coarse cells around fine cell `at`, which is at the second, or between the second and the third.
fn four_points(at: usize, coarse_len: usize) -> [usize; 4] {
    let second = if at % 2 == 1 { at.div_ceil(2) } else { at / 2 };
    let last = coarse_len - 1;
    [second.saturating_sub(1), second, (second + 1).min(last), (second + 2).min(last)]
}

/// Returns the weights of four evenly spaced values, `t` of the way from the second to the third (Catmull and Rom).
fn catmull_rom(t: f32) -> [f32; 4] {
    let s = 1.0 - t;
    [-0.5 * t * s * s, 1.0 + t * t * (1.5 * t - 2.5), 1.0 + s * s * (1.5 * s - 2.5), -0.5 * s * t * t]
}

/// Returns the four-point scheme's value half way between the second and third of four evenly spaced values.
#[inline]
fn midpoint(a: f32, b: f32, c: f32, d: f32) -> f32 {
    0.5625 * (b + c) - 0.0625 * (a + d)
}
