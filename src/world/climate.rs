//! Climate: temperature, humidity carried by the wind, and vegetation.
//!
//! Air takes up water over the sea and loses it over land. It can hold less water the higher it rises, so it rains out
//! on the windward side of a range. Behind the range the air sinks, can hold more than it has left, and is dry: a rain
//! shadow. Plants grow where it is humid and mild, less on slopes, and not above the tree line, on ice or in water.

use rayon::prelude::*;

use super::config::WorldConfig;
use super::hydrography::Water;
use super::noise::PerlinOctave;
use super::pyramid::{PyramidLevel, rows_mut, update_cells};
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::math::{SplitMix64, smoothstep_f32};

/// The fields that depend on the weather.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Climate {
    pub(super) temperature: Grid<f32>,
    pub(super) humidity: Grid<f32>,
    pub(super) vegetation: Grid<f32>,
}

/// The lapse rate of the International Standard Atmosphere: °C lost per kilometre of height.
pub(super) const LAPSE_C_PER_KM: f32 = 6.5;

/// Returns the mean temperature of every cell in °C, from latitude, height and a little noise.
pub(super) fn temperature(config: &WorldConfig, pyramid: &[PyramidLevel], surface: &Grid<f32>) -> Grid<f32> {
    let mut random = SplitMix64::for_purpose(config.seed, 31);
    let wavelength_km = config.region_km * 0.6;
    let noise = PerlinOctave::new(&mut random, wavelength_km);
    let mut grid = PyramidLevel::evaluate_smooth(pyramid, wavelength_km, |x, y| 1.2 * noise.sample(x, y));
    let height = surface.height() as f64;
    update_cells(&mut grid, |x, y, cell| {
        let down = (y as f64 + 0.5) / height - 0.5;
        let at_sea_level = (config.base_temperature_c + config.latitude_span_c * down) as f32;
        let up_km = surface.row(y)[x].max(0.0) / 1000.0;
        *cell += at_sea_level - LAPSE_C_PER_KM * up_km;
    });
    grid
}

/// The humidity that air tends to over sea and over land, before [`WorldConfig::rain`] counts.
const SEA_HUMIDITY: f32 = 0.9;
const LAND_HUMIDITY: f32 = 0.28;
/// Metres that air must rise to hold 1/e of the water that it held.
const MOISTURE_SCALE_HEIGHT_M: f32 = 1300.0;

/// Returns the relative humidity of every cell, 0 to 1.
pub(super) fn humidity(
    config: &WorldConfig,
    pyramid: &[PyramidLevel],
    surface: &Grid<f32>,
    water: &Grid<Water>,
    job: Job<'_>,
) -> Result<Grid<f32>, Cancelled> {
    job.report("wind", 0.75)?;
    // Air does not follow small landforms: a coarse level is enough.
    let coarse = (pyramid.len() - 1).min(2);
    let mut ground = surface.clone();
    let mut sea = water.map(|&water| if water == Water::Sea { 1.0_f32 } else { 0.0 });
    for level in &pyramid[..coarse] {
        ground = level.downsample(&ground);
        sea = level.downsample(&sea);
    }
    let radius = (1.0 / pyramid[coarse].step_km).round().clamp(1.0, 16.0) as usize;
    let ground = box_blur(box_blur(ground, radius), radius);
    let mut humidity = carry_air(config, &pyramid[coarse], &ground, &sea);
    for level in pyramid[..coarse].iter().rev() {
        humidity = level.upsample(&humidity);
    }
    job.report("humidity", 0.8)?;
    let fresh_water = water.map(|&water| if matches!(water, Water::River | Water::Lake) { 1.0_f32 } else { 0.0 });
    let radius = (0.7 / pyramid[0].step_km).round().clamp(1.0, 64.0) as usize;
    let fresh_water = box_blur(box_blur(fresh_water, radius), radius);
    let mut random = SplitMix64::for_purpose(config.seed, 32);
    let [wide_km, small_km, lowland_km] = [0.12, 0.05, 0.22].map(|share| config.region_km * share);
    let [wide, small, lowland] = [wide_km, small_km, lowland_km].map(|km| PerlinOctave::new(&mut random, km));
    let noise =
        PyramidLevel::evaluate_smooth(pyramid, small_km, |x, y| 0.06 * wide.sample(x, y) + 0.03 * small.sample(x, y));
    let mist = PyramidLevel::evaluate_smooth(pyramid, lowland_km, |x, y| 0.22 * lowland.sample(x, y));
    update_cells(&mut humidity, |x, y, cell| {
        // Mist gathers on low ground.
        let ground = surface.row(y)[x];
        let low = smoothstep_f32(0.0, 8.0, ground) * (1.0 - smoothstep_f32(20.0, 180.0, ground));
        // Fresh water adds more to dry air than to humid air.
        let added = 0.6 * fresh_water.row(y)[x] / (0.25 + fresh_water.row(y)[x]);
        let humid = (*cell + noise.row(y)[x] + low * mist.row(y)[x].max(0.0)).clamp(0.0, 1.0);
        *cell = (humid + added * (1.0 - humid)).clamp(0.0, 1.0);
    });
    Ok(humidity)
}

/// Carries air across a coarse level along the wind, one row or column of cells (a line) after the other; returns its
/// relative humidity.
fn carry_air(config: &WorldConfig, level: &PyramidLevel, ground: &Grid<f32>, sea: &Grid<f32>) -> Grid<f32> {
    let from = config.wind_from_deg.to_radians();
    let (wind_x, wind_y) = (-libm::sin(from), libm::cos(from));
    let along_x = wind_x.abs() >= wind_y.abs();
    let (main, side) = if along_x { (wind_x, wind_y) } else { (wind_y, wind_x) };
    let (length, breadth) = if along_x { (level.width, level.height) } else { (level.height, level.width) };
    let slant = (side / main.abs()) as f32;
    let step_km = level.step_km as f32 * (1.0 + slant * slant).sqrt();
    let region = config.region_km as f32;
    let (to_sea, to_land) = (1.0 - libm::expf(-step_km / (0.12 * region)), 1.0 - libm::expf(-step_km / (0.7 * region)));
    let rain = config.rain as f32;
    let rain_shadow = config.rain_shadow as f32;
    let index = |line: usize, across: usize| {
        let line = if main > 0.0 { line } else { length - 1 - line };
        if along_x { across * level.width + line } else { line * level.width + across }
    };
    let mut random = SplitMix64::for_purpose(config.seed, 33);
    let gusts = PerlinOctave::new(&mut random, config.region_km * 0.3);
    let mut humidity = Grid::new(level.width, level.height, 0.0);
    let capacity = |height: f32| libm::expf(-rain_shadow * height.max(0.0) / MOISTURE_SCALE_HEIGHT_M);
    // The water in the air of a line of cells, as a share of the capacity of air at sea level.
    let mut air: Vec<f32> = (0..breadth)
        .map(|across| {
            let i = index(0, across);
            let start = SEA_HUMIDITY * sea.as_slice()[i] + 0.65 * (1.0 - sea.as_slice()[i]);
            start * capacity(ground.as_slice()[i])
        })
        .collect();
    let mut next = air.clone();
    for line in 0..length {
        for (across, next) in next.iter_mut().enumerate() {
            let i = index(line, across);
            let (x, y) = (i % level.width, i / level.width);
            let gust = 0.6 * gusts.sample(level.x_km(x), level.y_km(y));
            let source = (across as f32 - slant - gust).clamp(0.0, (breadth - 1) as f32);
            let left = source as usize;
            let right = (left + 1).min(breadth - 1);
            let share = source - left as f32;
            let straight = air[left] * (1.0 - share) + air[right] * share;
            // Some mixing across the wind.
            let mixed = 0.5 * (air[left.saturating_sub(1)] + air[(right + 1).min(breadth - 1)]);
            let mut carried = 0.85 * straight + 0.15 * mixed;
            let capacity = capacity(ground.as_slice()[i]);
            let at_sea = sea.as_slice()[i];
            carried += at_sea * to_sea * (SEA_HUMIDITY * capacity - carried).max(0.0);
            carried += (1.0 - at_sea) * to_land * (LAND_HUMIDITY * capacity - carried);
            carried = carried.min(capacity);
            *next = carried;
            let relative = (carried / capacity).clamp(0.0, 1.0);
            humidity.as_mut_slice()[i] = if rain > 0.0 { 0.97 * libm::powf(relative, 1.0 / rain) } else { 0.0 };
        }
        std::mem::swap(&mut air, &mut next);
    }
    humidity
}

/// Returns the mean over a square of 2 · `radius` + 1 cells a side around each cell.
fn box_blur(grid: Grid<f32>, radius: usize) -> Grid<f32> {
    let (width, height) = (grid.width(), grid.height());
    let mut across = Grid::new(width, height, 0.0_f32);
    rows_mut(&mut across).for_each(|(y, row)| running_mean(|x| grid.row(y)[x], row, radius));
    let mut out = grid;
    // Each thread sums the columns of a band of rows.
    let band = height.div_ceil(16).max(1);
    out.as_mut_slice().par_chunks_mut(width * band).enumerate().for_each(|(k, rows)| {
        let first = k * band;
        let size = 1.0 / (2 * radius + 1) as f64;
        let row = |y: isize| across.row(y.clamp(0, height as isize - 1) as usize);
        let mut sums = vec![0.0_f64; width];
        for y in first as isize - radius as isize..=(first + radius) as isize {
            sums.iter_mut().zip(row(y)).for_each(|(sum, &cell)| *sum += f64::from(cell));
        }
        for (dy, out) in rows.chunks_mut(width).enumerate() {
            let y = (first + dy) as isize;
            out.iter_mut().zip(&sums).for_each(|(cell, &sum)| *cell = (sum * size) as f32);
            let (leaving, entering) = (row(y - radius as isize), row(y + radius as isize + 1));
            for ((sum, &leaving), &entering) in sums.iter_mut().zip(leaving).zip(entering) {
                *sum += f64::from(entering) - f64::from(leaving);
            }
        }
    });
    out
}

fn running_mean(value: impl Fn(usize) -> f32, out: &mut [f32], radius: usize) {
    let last = out.len() as isize - 1;
    let at = |x: isize| f64::from(value(x.clamp(0, last) as usize));
    let size = 1.0 / (2 * radius + 1) as f64;
    let mut sum: f64 = (-(radius as isize)..=radius as isize).map(at).sum();
    for x in 0..=last {
        let (leaving, entering) = (at(x - radius as isize), at(x + radius as isize + 1));
        out[x as usize] = (sum * size) as f32;
        sum += entering - leaving;
    }
}

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
    update_cells(&mut grid, |x, y, cell| {
        if water.row(y)[x] != Water::None {
            return;
        }
        let (t, h) = (temperature.row(y)[x], humidity.row(y)[x]);
        let (x_km, y_km) = (level.x_km(x), level.y_km(y));
        let noise = patches.row(y)[x] + 0.6 * groves[0].sample(x_km, y_km) + 0.4 * groves[1].sample(x_km, y_km);
        let half = HALF_COVER_HUMIDITY + HALF_COVER_HUMIDITY_PER_C * (t - 10.0).max(-10.0);
        let wet = logistic(14.0 * (h - half) + 1.2 * noise);
        let warm = logistic(1.6 * (t - TREE_LINE_C) + 0.8 * noise);
        let gentle = 1.0 - 0.9 * smoothstep_f32(0.6, 1.2, level.slope(surface, x, y));
        *cell = (wet * warm * gentle * strength).clamp(0.0, 1.0);
    });
    grid
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
