//! Climate: temperature, and humidity carried by the wind.
//!
//! Air takes up water over the sea and gives it away over land. It can hold less the higher it is
//! lifted, so it rains out on the windward side of a range; coming down behind it can hold more
//! than it has left, and is dry: a rain shadow.

use rayon::prelude::*;

use crate::grid::Grid;

use super::config::WorldConfig;
use super::frame::{Frame, rows_mut};
use super::rivers::Water;
use super::waves::Wave;
use crate::math::{SplitMix64, smoothstep_f32};

/// °C that each kilometre of height takes away.
pub(super) const LAPSE_C_PER_KM: f32 = 6.5;

/// Mean temperature of every cell in °C: latitude, height and a little noise.
pub(super) fn temperature(config: &WorldConfig, frames: &[Frame], surface: &Grid<f32>) -> Grid<f32> {
    let mut random = SplitMix64::for_purpose(config.seed, 31);
    let wide_km = config.region_km * 0.6;
    let wave = Wave::new(&mut random, wide_km);
    let mut grid = Frame::smooth_grid(frames, wide_km, |x, y| 1.2 * wave.at(x, y));
    let height = surface.height() as f64;
    rows_mut(&mut grid).for_each(|(y, row)| {
        let down = (y as f64 + 0.5) / height - 0.5;
        let sea_level = (config.base_temperature_c + config.latitude_span_c * down) as f32;
        for (x, cell) in row.iter_mut().enumerate() {
            let up_km = surface.row(y)[x].max(0.0) / 1000.0;
            *cell += sea_level - LAPSE_C_PER_KM * up_km;
        }
    });
    grid
}

/// Humidity over the open sea, and what air over land tends to, before `rain`.
const OVER_SEA: f32 = 0.9;
const OVER_LAND: f32 = 0.28;
/// Metres that air must rise to hold 1/e of what it held.
const SCALE_M: f32 = 1300.0;

/// Relative humidity of every cell, 0 to 1.
pub(super) fn humidity(config: &WorldConfig, frames: &[Frame], surface: &Grid<f32>, water: &Grid<Water>) -> Grid<f32> {
    // The air does not follow every fold of the ground: a coarse grid will do.
    let level = (frames.len() - 1).min(2);
    let mut ground = surface.clone();
    let mut sea = water.map(|&water| if water == Water::Sea { 1.0_f32 } else { 0.0 });
    for frame in &frames[..level] {
        ground = frame.coarsen(&ground);
        sea = frame.coarsen(&sea);
    }
    let smooth = (1.0 / frames[level].step_km).round().clamp(1.0, 16.0) as usize;
    let ground = blur(blur(ground, smooth), smooth);
    let mut air = sweep(config, &frames[level], &ground, &sea);
    for frame in frames[..level].iter().rev() {
        air = frame.refine(&air);
    }
    let fresh = water.map(|&water| if matches!(water, Water::River | Water::Lake) { 1.0_f32 } else { 0.0 });
    let radius = (0.7 / frames[0].step_km).round().clamp(1.0, 64.0) as usize;
    let near = blur(blur(fresh, radius), radius);
    let mut random = SplitMix64::for_purpose(config.seed, 32);
    let small_km = config.region_km * 0.05;
    let waves = [Wave::new(&mut random, config.region_km * 0.12), Wave::new(&mut random, small_km)];
    let noise = Frame::smooth_grid(frames, small_km, |x, y| 0.06 * waves[0].at(x, y) + 0.03 * waves[1].at(x, y));
    let basin_km = config.region_km * 0.22;
    let basin = Wave::new(&mut random, basin_km);
    let mist = Frame::smooth_grid(frames, basin_km, |x, y| 0.22 * basin.at(x, y));
    rows_mut(&mut air).for_each(|(y, row)| {
        for (x, cell) in row.iter_mut().enumerate() {
            // Mist gathers on low ground.
            let ground = surface.row(y)[x];
            let low = smoothstep_f32(0.0, 8.0, ground) * (1.0 - smoothstep_f32(20.0, 180.0, ground));
            // Fresh water wets what is dry more than what is wet already.
            let wet = 0.6 * near.row(y)[x] / (0.25 + near.row(y)[x]);
            let humid = (*cell + noise.row(y)[x] + low * mist.row(y)[x].max(0.0)).clamp(0.0, 1.0);
            *cell = (humid + wet * (1.0 - humid)).clamp(0.0, 1.0);
        }
    });
    air
}

/// Carries air across the coarse map, line by line along the wind.
fn sweep(config: &WorldConfig, frame: &Frame, ground: &Grid<f32>, sea: &Grid<f32>) -> Grid<f32> {
    let from = config.wind_from_deg.to_radians();
    let (wx, wy) = (-libm::sin(from), libm::cos(from));
    let along_x = wx.abs() >= wy.abs();
    let (main, side) = if along_x { (wx, wy) } else { (wy, wx) };
    let (length, breadth) = if along_x { (frame.width, frame.height) } else { (frame.height, frame.width) };
    let slant = (side / main.abs()) as f32;
    let step_km = frame.step_km as f32 * (1.0 + slant * slant).sqrt();
    let region = config.region_km as f32;
    let (to_sea, to_land) = (1.0 - libm::expf(-step_km / (0.12 * region)), 1.0 - libm::expf(-step_km / (0.7 * region)));
    let rain = config.rain as f32;
    let shadow = config.rain_shadow as f32;
    let cell = |line: usize, across: usize| {
        let line = if main > 0.0 { line } else { length - 1 - line };
        if along_x { across * frame.width + line } else { line * frame.width + across }
    };
    let mut random = SplitMix64::for_purpose(config.seed, 33);
    let gusts = Wave::new(&mut random, config.region_km * 0.3);
    let mut humid = Grid::new(frame.width, frame.height, 0.0);
    // Water in the air, as a share of what air at sea level can hold; and where it was last.
    let holds = |height: f32| libm::expf(-shadow * height.max(0.0) / SCALE_M);
    let mut air: Vec<f32> = (0..breadth)
        .map(|across| {
            let i = cell(0, across);
            let start = OVER_SEA * sea.as_slice()[i] + 0.65 * (1.0 - sea.as_slice()[i]);
            start * holds(ground.as_slice()[i])
        })
        .collect();
    let mut next = air.clone();
    for line in 0..length {
        for (across, left_over) in next.iter_mut().enumerate() {
            let i = cell(line, across);
            let (x, y) = (i % frame.width, i / frame.width);
            let gust = 0.6 * gusts.at(frame.x_km(x), frame.y_km(y));
            let source = (across as f32 - slant - gust).clamp(0.0, (breadth - 1) as f32);
            let left = source as usize;
            let right = (left + 1).min(breadth - 1);
            let share = source - left as f32;
            let drawn = air[left] * (1.0 - share) + air[right] * share;
            // A little mixing across the wind.
            let beside = 0.5 * (air[left.saturating_sub(1)] + air[(right + 1).min(breadth - 1)]);
            let mut carried = 0.85 * drawn + 0.15 * beside;
            let holds = holds(ground.as_slice()[i]);
            let at_sea = sea.as_slice()[i];
            carried += at_sea * to_sea * (OVER_SEA * holds - carried).max(0.0);
            carried += (1.0 - at_sea) * to_land * (OVER_LAND * holds - carried);
            carried = carried.min(holds);
            *left_over = carried;
            let relative = (carried / holds).clamp(0.0, 1.0);
            humid.as_mut_slice()[i] = if rain > 0.0 { 0.97 * libm::powf(relative, 1.0 / rain) } else { 0.0 };
        }
        std::mem::swap(&mut air, &mut next);
    }
    humid
}

/// The mean over a square of 2 · `radius` + 1 cells a side.
fn blur(grid: Grid<f32>, radius: usize) -> Grid<f32> {
    let (width, height) = (grid.width(), grid.height());
    let mut across = Grid::new(width, height, 0.0_f32);
    rows_mut(&mut across).for_each(|(y, row)| running_mean(|x| grid.row(y)[x], row, radius));
    let mut out = grid;
    // Columns are summed side by side, a band of rows at a time.
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
            let (gone, come) = (row(y - radius as isize), row(y + radius as isize + 1));
            for ((sum, &gone), &come) in sums.iter_mut().zip(gone).zip(come) {
                *sum += f64::from(come) - f64::from(gone);
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
        let (gone, come) = (at(x - radius as isize), at(x + radius as isize + 1));
        out[x as usize] = (sum * size) as f32;
        sum += come - gone;
    }
}
