//! Vegetation: more where it is humid and mild, less on slopes, none above the tree line, on ice or in water.

use rayon::prelude::*;

use super::config::WorldConfig;
use super::noise::PerlinOctave;
use super::pyramid::{PyramidLevel, rows_mut};
use super::slope::slope;
use super::water::Water;
use crate::grid::Grid;
use crate::math::{SplitMix64, smoothstep_f32};

/// Humidity at which half the ground is covered at 10 °C, and its increase per °C.
const HALF_COVER_HUMIDITY: f32 = 0.52;
const HALF_COVER_HUMIDITY_PER_C: f32 = 0.006;
/// Mean temperature at the tree line.
const TREE_LINE_C: f32 = 2.0;

/// Returns the vegetation of every cell, 0 (bare) to 1 (dense forest).
pub(super) fn vegetation(
    config: &WorldConfig,
    pyramid: &[PyramidLevel],
    surface: &Grid<f32>,
    temperature: &Grid<f32>,
    humidity: &Grid<f32>,
    water: &Grid<Water>,
) -> Grid<f32> {
    let mut random = SplitMix64::for_purpose(config.seed, 41);
    let level = &pyramid[0];
    // On large cells, wavelengths grow with the cell, so that they do not become speckle.
    let mut octave = |km: f64, cells: f64| PerlinOctave::new(&mut random, km.max(cells * level.step_km));
    let (woods, groves) = ([octave(5.0, 14.0), octave(1.8, 8.0)], [octave(0.6, 5.0), octave(0.25, 2.5)]);
    let patches =
        PyramidLevel::evaluate_smooth(pyramid, 1.8, |x, y| 1.6 * woods[0].sample(x, y) + woods[1].sample(x, y));
    let strength = config.vegetation as f32;
    let mut grid = Grid::new(level.width, level.height, 0.0);
    rows_mut(&mut grid).for_each(|(y, row)| {
        for (x, cell) in row.iter_mut().enumerate() {
            if water.row(y)[x] != Water::None {
                continue;
            }
            let (t, h) = (temperature.row(y)[x], humidity.row(y)[x]);
            let (x_km, y_km) = (level.x_km(x), level.y_km(y));
            let noise = patches.row(y)[x] + 0.6 * groves[0].sample(x_km, y_km) + 0.4 * groves[1].sample(x_km, y_km);
            let half = HALF_COVER_HUMIDITY + HALF_COVER_HUMIDITY_PER_C * (t - 10.0).max(-10.0);
            let wet = logistic(14.0 * (h - half) + 1.2 * noise);
            let warm = logistic(1.6 * (t - TREE_LINE_C) + 0.8 * noise);
            let gentle = 1.0 - 0.9 * smoothstep_f32(0.6, 1.2, slope(surface, level, x, y));
            *cell = (wet * warm * gentle * strength).clamp(0.0, 1.0);
        }
    });
    grid
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
