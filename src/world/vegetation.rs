//! Vegetation: more where it is wet and mild, less on slopes, none above the tree line, on ice or
//! in water.

use rayon::prelude::*;

use crate::grid::Grid;

use super::config::WorldConfig;
use super::frame::{Frame, rows_mut};
use super::rivers::Water;
use super::waves::Wave;
use crate::math::{SplitMix64, smoothstep_f32};

/// Humidity at which half the ground is covered, at 10 °C; warmer air asks for more.
const HALF_HUMIDITY: f32 = 0.52;
/// How much more for each °C.
const MORE_PER_C: f32 = 0.006;
/// Mean temperature at which trees give up.
const TREE_LINE_C: f32 = 2.0;

/// Vegetation of every cell, 0 bare to 1 dense forest.
pub(super) fn vegetation(
    config: &WorldConfig,
    frames: &[Frame],
    surface: &Grid<f32>,
    temperature: &Grid<f32>,
    humidity: &Grid<f32>,
    water: &Grid<Water>,
) -> Grid<f32> {
    let mut random = SplitMix64::for_purpose(config.seed, 41);
    let frame = &frames[0];
    // On wide cells, no wave is so short that it turns into speckle.
    let mut wave = |km: f64, cells: f64| Wave::new(&mut random, km.max(cells * frame.step_km));
    let (woods, groves) = ([wave(5.0, 14.0), wave(1.8, 8.0)], [wave(0.6, 5.0), wave(0.25, 2.5)]);
    let patches = Frame::smooth_grid(frames, 1.8, |x, y| 1.6 * woods[0].at(x, y) + woods[1].at(x, y));
    let strength = config.vegetation as f32;
    let mut grid = Grid::new(frame.width, frame.height, 0.0);
    rows_mut(&mut grid).for_each(|(y, row)| {
        for (x, cell) in row.iter_mut().enumerate() {
            if water.row(y)[x] != Water::None {
                continue;
            }
            let (t, h) = (temperature.row(y)[x], humidity.row(y)[x]);
            let (x_km, y_km) = (frame.x_km(x), frame.y_km(y));
            let noise = patches.row(y)[x] + 0.6 * groves[0].at(x_km, y_km) + 0.4 * groves[1].at(x_km, y_km);
            let half = HALF_HUMIDITY + MORE_PER_C * (t - 10.0).max(-10.0);
            let wet = logistic(14.0 * (h - half) + 1.2 * noise);
            let warm = logistic(1.6 * (t - TREE_LINE_C) + 0.8 * noise);
            let gentle = 1.0 - 0.9 * smoothstep_f32(0.6, 1.2, slope(surface, frame, x, y));
            *cell = (wet * warm * gentle * strength).clamp(0.0, 1.0);
        }
    });
    grid
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// Rise over run of the ground around a cell.
pub(super) fn slope(surface: &Grid<f32>, frame: &Frame, x: usize, y: usize) -> f32 {
    let (left, right) = (x.saturating_sub(2), (x + 2).min(surface.width() - 1));
    let (up, down) = (y.saturating_sub(2), (y + 2).min(surface.height() - 1));
    let step_m = (frame.step_km * 1000.0) as f32;
    let run = |cells: usize| cells.max(1) as f32 * step_m;
    let dx = (surface.row(y)[right] - surface.row(y)[left]) / run(right - left);
    let dy = (surface.row(down)[x] - surface.row(up)[x]) / run(down - up);
    (dx * dx + dy * dy).sqrt()
}
