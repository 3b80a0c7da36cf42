//! [`Frame`]: where the cells of a grid lie on the ground, and grids of half the detail.
//!
//! Shape that is wide is made on coarse grids and refined, so that detail costs little. A coarse
//! grid has every second cell of the fine one, and one more on each side:
//!
//! ```text
//! fine          0   1   2   3   4   5
//! coarse    0       1       2       3       4      coarse cell X lies on fine cell 2X − 1
//! ```

use rayon::prelude::*;

use crate::grid::Grid;

use super::waves::Wave;

/// Where the cells of a grid lie: (0, 0) km is the middle of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Distance between neighbouring cells in kilometres.
    pub(super) step_km: f64,
    x0: f64,
    y0: f64,
}

impl Frame {
    /// The map itself.
    pub(super) fn map(width: u32, height: u32, cell_size_m: f64) -> Self {
        let step_km = cell_size_m / 1000.0;
        let first = |cells: u32| (0.5 - 0.5 * f64::from(cells)) * step_km;
        Self { width: width as usize, height: height as usize, step_km, x0: first(width), y0: first(height) }
    }

    /// Every second cell, and one more on each side.
    fn coarser(&self) -> Self {
        Self {
            width: self.width / 2 + 2,
            height: self.height / 2 + 2,
            step_km: self.step_km * 2.0,
            x0: self.x0 - self.step_km,
            y0: self.y0 - self.step_km,
        }
    }

    /// This frame and coarser ones, down to cells small enough to draw a landmass with.
    pub(super) fn levels(self, region_km: f64) -> Vec<Self> {
        let mut frames = vec![self];
        let mut last = self;
        loop {
            let step = last.step_km * 2.0;
            let fine_enough = step <= region_km / 90.0 || (frames.len() < 3 && step <= region_km / 24.0);
            if !fine_enough || last.width.max(last.height) < 16 {
                return frames;
            }
            last = last.coarser();
            frames.push(last);
        }
    }

    /// Kilometres right of the middle of the map.
    #[inline]
    pub(super) fn x_km(&self, x: usize) -> f64 {
        self.x0 + x as f64 * self.step_km
    }

    /// Kilometres below the middle of the map.
    #[inline]
    pub(super) fn y_km(&self, y: usize) -> f64 {
        self.y0 + y as f64 * self.step_km
    }

    /// A grid with the value of every cell, from its place in kilometres.
    pub(super) fn grid(&self, value: impl Fn(f64, f64) -> f32 + Sync) -> Grid<f32> {
        let mut grid = Grid::new(self.width, self.height, 0.0);
        rows_mut(&mut grid).for_each(|(y, row)| {
            let y_km = self.y_km(y);
            for (x, cell) in row.iter_mut().enumerate() {
                *cell = value(self.x_km(x), y_km);
            }
        });
        grid
    }

    /// A grid of the first frame with values that vary no faster than waves of `shortest_km`, made
    /// on the coarsest frame that carries these.
    pub(super) fn smooth_grid(frames: &[Self], shortest_km: f64, value: impl Fn(f64, f64) -> f32 + Sync) -> Grid<f32> {
        let level = frames.iter().rposition(|frame| 5.0 * frame.step_km <= shortest_km).unwrap_or(0);
        let grid = frames[level].grid(value);
        frames[..level].iter().rev().fold(grid, |grid, frame| frame.refine(&grid))
    }

    /// The cells of `coarse`, whose frame is this one's next coarser one, on this frame: a smooth
    /// surface through all of them (Dyn, Levin and Gregory's four-point scheme, 1987).
    pub(super) fn refine(&self, coarse: &Grid<f32>) -> Grid<f32> {
        let mut tall = Grid::new(coarse.width(), self.height, 0.0);
        rows_mut(&mut tall).for_each(|(y, row)| {
            let [a, b, c, d] = four_points(y, coarse.height()).map(|y| coarse.row(y));
            if y % 2 == 1 {
                row.copy_from_slice(b);
            } else {
                for (x, cell) in row.iter_mut().enumerate() {
                    *cell = between(a[x], b[x], c[x], d[x]);
                }
            }
        });
        let mut fine = Grid::new(self.width, self.height, 0.0);
        rows_mut(&mut fine).for_each(|(y, row)| {
            let from = tall.row(y);
            for (x, cell) in row.iter_mut().enumerate() {
                let [a, b, c, d] = four_points(x, from.len());
                *cell = if x % 2 == 1 { from[b] } else { between(from[a], from[b], from[c], from[d]) };
            }
        });
        fine
    }

    /// As [`Frame::refine`], from places shifted by up to one coarse cell by two waves.
    pub(super) fn refine_bent(&self, coarse: &Grid<f32>, [bend_x, bend_y]: &[Wave; 2]) -> Grid<f32> {
        let (right, bottom) = (coarse.width() - 1, coarse.height() - 1);
        let mut fine = Grid::new(self.width, self.height, 0.0);
        rows_mut(&mut fine).for_each(|(y, row)| {
            for (x, cell) in row.iter_mut().enumerate() {
                let (x_km, y_km) = (self.x_km(x), self.y_km(y));
                let u = (0.5 * (x + 1) as f32 + 1.2 * bend_x.at(x_km, y_km)).clamp(0.0, right as f32);
                let v = (0.5 * (y + 1) as f32 + 1.2 * bend_y.at(x_km, y_km)).clamp(0.0, bottom as f32);
                let (i, j) = (u as usize, v as usize);
                let (across, down) = (cubic(u - i as f32), cubic(v - j as f32));
                *cell = (0..4)
                    .map(|b| {
                        let from = coarse.row((j + b).saturating_sub(1).min(bottom));
                        let at = |a: usize| from[(i + a).saturating_sub(1).min(right)] * across[a];
                        down[b] * (at(0) + at(1) + at(2) + at(3))
                    })
                    .sum();
            }
        });
        fine
    }

    /// Means of this frame's `fine` grid on the next coarser frame.
    pub(super) fn coarsen(&self, fine: &Grid<f32>) -> Grid<f32> {
        let (frame, last) = (self.coarser(), (self.width - 1, self.height - 1));
        let three = |at: usize, last: usize| [2 * at, 2 * at + 1, 2 * at + 2].map(|i| i.saturating_sub(2).min(last));
        let mut coarse = Grid::new(frame.width, frame.height, 0.0);
        rows_mut(&mut coarse).for_each(|(y, row)| {
            let rows = three(y, last.1).map(|y| fine.row(y));
            for (x, cell) in row.iter_mut().enumerate() {
                let columns = three(x, last.0);
                let mean = |row: &[f32]| 0.25 * (row[columns[0]] + row[columns[2]]) + 0.5 * row[columns[1]];
                *cell = 0.25 * (mean(rows[0]) + mean(rows[2])) + 0.5 * mean(rows[1]);
            }
        });
        coarse
    }
}

/// The rows of a grid, to fill in parallel.
pub(super) fn rows_mut<T: Send>(grid: &mut Grid<T>) -> impl IndexedParallelIterator<Item = (usize, &mut [T])> {
    let width = grid.width();
    grid.as_mut_slice().par_chunks_mut(width).enumerate()
}

/// The coarse cells around fine cell `at`: on the second, or between the second and the third.
fn four_points(at: usize, coarse: usize) -> [usize; 4] {
    let second = at.div_ceil(2);
    let second = if at % 2 == 1 { second } else { at / 2 };
    let last = coarse - 1;
    [second.saturating_sub(1), second, (second + 1).min(last), (second + 2).min(last)]
}

/// The weights of four evenly spaced values, `t` of the way from the second to the third (Catmull and Rom).
fn cubic(t: f32) -> [f32; 4] {
    let s = 1.0 - t;
    [-0.5 * t * s * s, 1.0 + t * t * (1.5 * t - 2.5), 1.0 + s * s * (1.5 * s - 2.5), -0.5 * s * t * t]
}

/// The value half way between the second and third of four evenly spaced ones.
#[inline]
fn between(a: f32, b: f32, c: f32, d: f32) -> f32 {
    0.5625 * (b + c) - 0.0625 * (a + d)
}
