//! Air that the wind carries across a map: it takes up water over the sea and loses it over land.

use crate::parallel::*;
use fearless_simd::Level;

use super::config::WorldConfig;
use super::noise::WeatherNoise;
use super::pyramid::{PyramidLevel, for_rows};
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::math::{SplitMix64, exp2, exp2_approx, log2};
use crate::simd::dispatch;

/// The humidity that air tends to over sea and over land, before [`WorldConfig::rain`] counts.
const SEA_HUMIDITY: f32 = 0.9;
const LAND_HUMIDITY: f32 = 0.28;
/// Metres that air must rise to hold 1/e of the water that it held.
const MOISTURE_SCALE_HEIGHT_M: f32 = 1300.0;

/// Carries air across a coarse level along the wind, one row or column of cells (a line) after the other; returns its
/// relative humidity.
pub(super) fn carry_air(
    config: &WorldConfig,
    level: &PyramidLevel,
    ground: Grid<f32>,
    sea: Grid<f32>,
    job: Job<'_>,
) -> Result<Grid<f32>, Cancelled> {
    let from = config.wind_from_deg.to_radians();
    let (wind_x, wind_y) = (-libm::sin(from), libm::cos(from));
    let along_x = wind_x.abs() >= wind_y.abs();
    let (main, side) = if along_x { (wind_x, wind_y) } else { (wind_y, wind_x) };
    let slant = (side / main.abs()) as f32;
    let (main_km, side_km) =
        if along_x { (level.step_x_km, level.step_y_km) } else { (level.step_y_km, level.step_x_km) };
    let step_km = main_km as f32 * (1.0 + slant * slant).sqrt();
    // The cells by which air that moves on by one line moves aside, for each length of a line.
    let aside = (main_km / side_km) as f32;
    let region = config.region_km as f32;
    let (to_sea, to_land) = (1.0 - libm::expf(-step_km / (0.12 * region)), 1.0 - libm::expf(-step_km / (0.7 * region)));
    let mut random = SplitMix64::for_purpose(config.seed, 33);
    let gusts = level.weather_noise(&WeatherNoise::new(&mut random, config.region_km * 0.3), 0.6, job)?;
    // Lines are rows from here on.
    let [mut capacity, sea, gusts] = [ground, sea, gusts].map(|grid| if along_x { transposed(&grid) } else { grid });
    let per_metre = std::f32::consts::LOG2_E * config.rain_shadow as f32 / MOISTURE_SCALE_HEIGHT_M;
    for_rows(&mut capacity, job, |_, row| dispatch!(Level::new(), _ => heights_to_capacities(per_metre, row)))?;
    let mut humidity = Grid::new(capacity.width(), capacity.height(), 0.0);
    let last = capacity.width() - 1;
    // The water in the air of a line of cells, as a share of the capacity of air at sea level.
    let mut air = Vec::new();
    let mut next = vec![0.0; capacity.width()];
    for line in 0..capacity.height() {
        job.check()?;
        let line = if main > 0.0 { line } else { capacity.height() - 1 - line };
        let [capacity, sea, gusts] = [&capacity, &sea, &gusts].map(|grid| grid.row(line));
        if air.is_empty() {
            let start = |(sea, capacity): (&f32, &f32)| (SEA_HUMIDITY * sea + 0.65 * (1.0 - sea)) * capacity;
            air = sea.iter().zip(capacity).map(start).collect();
        }
        for (across, next) in next.iter_mut().enumerate() {
            let source = (across as f32 - slant * aside - gusts[across] * aside).clamp(0.0, last as f32);
            let left = source as usize;
            let right = (left + 1).min(last);
            let share = source - left as f32;
            let straight = air[left] * (1.0 - share) + air[right] * share;
            // Some mixing across the wind.
            let mixed = 0.5 * (air[left.saturating_sub(1)] + air[(right + 1).min(last)]);
            let mut carried = 0.85 * straight + 0.15 * mixed;
            let (capacity, sea) = (capacity[across], sea[across]);
            carried += sea * to_sea * (SEA_HUMIDITY * capacity - carried).max(0.0);
            carried += (1.0 - sea) * to_land * (LAND_HUMIDITY * capacity - carried);
            *next = carried.min(capacity);
        }
        std::mem::swap(&mut air, &mut next);
        humidity.row_mut(line).copy_from_slice(&air);
    }
    let rain = config.rain as f32;
    for_rows(&mut humidity, job, |line, row| {
        dispatch!(Level::new(), _ => to_relative_humidity(rain, capacity.row(line), row));
    })?;
    Ok(if along_x { transposed(&humidity) } else { humidity })
}

fn transposed(grid: &Grid<f32>) -> Grid<f32> {
    let mut out = Grid::new(grid.height(), grid.width(), 0.0);
    // Rows in bands, whose cells are near each other in the columns.
    const BAND: usize = 16;
    let height = grid.height();
    out.as_mut_slice().par_chunks_mut(height * BAND).enumerate().for_each(|(band, rows)| {
        for y in 0..height {
            let from = &grid.row(y)[band * BAND..];
            rows.chunks_mut(height).zip(from).for_each(|(row, cell)| row[y] = *cell);
        }
    });
    out
}

/// Replaces heights in metres by the water that air can hold there, as a share of that at sea level.
#[inline(always)]
fn heights_to_capacities(per_metre: f32, row: &mut [f32]) {
    for cell in row {
        *cell = exp2_approx((-per_metre * cell.max(0.0)).max(-100.0));
    }
}

/// Replaces the water in the air by the relative humidity.
#[inline(always)]
fn to_relative_humidity(rain: f32, capacity: &[f32], row: &mut [f32]) {
    for (cell, capacity) in row.iter_mut().zip(capacity) {
        let relative = (*cell / capacity).clamp(0.0, 1.0);
        *cell = if rain > 0.0 { 0.97 * exp2(log2(relative) / rain) } else { 0.0 };
    }
}
