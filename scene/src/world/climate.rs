//! Climate: temperature, humidity carried by the wind, and vegetation.
//!
//! Air takes up water over the sea and loses it over land. Its capacity falls with height, so it rains out on the
//! windward side of a range. Behind the range the air sinks, its capacity exceeds the remaining water, and it is dry: a
//! rain shadow. Plants grow where it is humid and mild, less on slopes, and not above the tree line, on ice or in
//! water.

use fearless_simd::Level;

use super::config::WorldConfig;
use super::ground::RasterWindow;
use super::hydrography::Water;
use super::noise::{PerlinOctave, WeatherNoise};
use super::pyramid::{PyramidLevel, for_rows, for_rows_with};
use farsight::grid::Grid;
use farsight::internal::math::{SplitMix64, exp2, exp2_approx, log2, smoothstep_f32};
use farsight::internal::parallel::*;
use farsight::internal::simd::dispatch;
use farsight::{Cancelled, Job};

/// The fields that depend on the weather.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Climate {
    pub(super) temperature: Grid<f32>,
    pub(super) humidity: Grid<f32>,
    pub(super) vegetation: Grid<f32>,
    pub(super) temperature_range_c: [f32; 2],
}

impl Climate {
    pub(super) fn new(temperature: Grid<f32>, humidity: Grid<f32>, vegetation: Grid<f32>) -> Self {
        Self { temperature_range_c: range(&temperature), temperature, humidity, vegetation }
    }

    /// Returns the climate of a window of a raster with these heights. Humidity is NaN and there are no plants where they are not
    /// given, and the temperature is that of height and latitude. The sums are on one thread, since any thread may need them first.
    pub(super) fn of_window(
        config: &WorldConfig,
        window: RasterWindow,
        elevation_m: &Grid<f32>,
        humidity: Option<Grid<f32>>,
        vegetation: Option<Grid<f32>>,
    ) -> Self {
        let (width, height) = (elevation_m.width(), elevation_m.height());
        let or_missing = |field: Option<Grid<f32>>, value| field.unwrap_or_else(|| Grid::new(width, height, value));
        let (mut humidity, mut vegetation) = (or_missing(humidity, f32::NAN), or_missing(vegetation, 0.0));
        let rows = f64::from(window.raster_size.y);
        let mut temperature = elevation_m.clone();
        for y in 0..height {
            let down = (f64::from(window.cells.min.y) + y as f64 + 0.5) / rows - 0.5;
            let at_sea_level = (config.base_temperature_c + config.latitude_span_c * down) as f32;
            for cell in temperature.row_mut(y) {
                *cell = if cell.is_nan() { f32::NAN } else { at_sea_level - LAPSE_C_PER_KM * (cell.max(0.0) / 1000.0) };
            }
            let cells = humidity.row_mut(y).iter_mut().zip(vegetation.row_mut(y)).zip(elevation_m.row(y));
            for ((humidity, vegetation), elevation_m) in cells {
                if elevation_m.is_nan() {
                    (*humidity, *vegetation) = (f32::NAN, f32::NAN);
                } else if vegetation.is_nan() {
                    *vegetation = 0.0;
                }
            }
        }
        Self { temperature_range_c: range_of(temperature.as_slice()), temperature, humidity, vegetation }
    }
}

/// Returns the minimum and the maximum of a field.
pub(super) fn range(field: &Grid<f32>) -> [f32; 2] {
    let ranges: Vec<[f32; 2]> = field.as_slice().par_chunks(field.width()).map(range_of).collect();
    let join = |[low, high]: [f32; 2], [other_low, other_high]: [f32; 2]| [low.min(other_low), high.max(other_high)];
    ranges.into_iter().fold(range_of(&[]), join)
}

fn range_of(values: &[f32]) -> [f32; 2] {
    let none = [f32::INFINITY, f32::NEG_INFINITY];
    let range = values.iter().fold(none, |[low, high], &value| [low.min(value), high.max(value)]);
    range.map(|end| end + 0.0) // only the sign of a zero depends on the order, and adding 0 removes it
}

/// The lapse rate of the International Standard Atmosphere: °C lost per kilometre of height.
pub(super) const LAPSE_C_PER_KM: f32 = 6.5;

/// Returns the mean temperature of every cell in °C, from latitude, height and weak noise.
pub(super) fn temperature(
    config: &WorldConfig,
    pyramid: &[PyramidLevel],
    surface: &Grid<f32>,
    job: Job<'_>,
) -> Result<Grid<f32>, Cancelled> {
    let mut random = SplitMix64::for_purpose(config.seed, 31);
    let wavelength_km = config.region_km * 0.6;
    let noise = WeatherNoise::new(&mut random, wavelength_km);
    let mut grid = PyramidLevel::smooth(pyramid, wavelength_km, job, |level| level.weather_noise(&noise, 1.2, job))?;
    let height = surface.height() as f64;
    for_rows(&mut grid, job, |y, row| {
        let down = (y as f64 + 0.5) / height - 0.5;
        let at_sea_level = (config.base_temperature_c + config.latitude_span_c * down) as f32;
        for (cell, surface) in row.iter_mut().zip(surface.row(y)) {
            *cell += at_sea_level - LAPSE_C_PER_KM * (surface.max(0.0) / 1000.0);
        }
    })?;
    Ok(grid)
}

/// Returns the relative humidity of every cell, 0 to 1.
pub(super) fn humidity(
    config: &WorldConfig,
    pyramid: &[PyramidLevel],
    surface: &Grid<f32>,
    water: &Grid<Water>,
    job: Job<'_>,
) -> Result<Grid<f32>, Cancelled> {
    job.report("wind", 0.75)?;
    // Air does not follow small landforms, so a coarse level is sufficient.
    let coarse = (pyramid.len() - 1).min(2);
    let mut ground = surface.clone();
    let mut sea = water.map(|&water| if water == Water::Sea { 1.0_f32 } else { 0.0 });
    for level in &pyramid[..coarse] {
        ground = level.downsample(&ground, job)?;
        sea = level.downsample(&sea, job)?;
    }
    let radii = pyramid[coarse].cells_in(1.0, 16.0);
    let ground = box_blur(box_blur(ground, radii, job)?, radii, job)?;
    let mut humidity = carry_air(config, &pyramid[coarse], ground, sea, job)?;
    for level in pyramid[..coarse].iter().rev() {
        humidity = level.upsample(&humidity, job)?;
    }
    job.report("humidity", 0.8)?;
    let fresh_water = water.map(|&water| if matches!(water, Water::River | Water::Lake) { 1.0_f32 } else { 0.0 });
    let radii = pyramid[0].cells_in(0.7, 64.0);
    let fresh_water = box_blur(box_blur(fresh_water, radii, job)?, radii, job)?;
    let mut random = SplitMix64::for_purpose(config.seed, 32);
    let [wide_km, small_km, lowland_km] = [0.12, 0.05, 0.22].map(|share| config.region_km * share);
    let [wide, small, lowland] = [wide_km, small_km, lowland_km].map(|km| PerlinOctave::new(&mut random, km));
    let noise = PyramidLevel::smooth_noise(pyramid, small_km, &[(0.06, &wide), (0.03, &small)], job)?;
    let mist = PyramidLevel::smooth_noise(pyramid, lowland_km, &[(0.22, &lowland)], job)?;
    for_rows(&mut humidity, job, |y, row| {
        let [surface, fresh_water, noise, mist] = [surface, &fresh_water, &noise, &mist].map(|grid| grid.row(y));
        dispatch!(Level::new(), _ => add_moisture(surface, fresh_water, noise, mist, row));
    })?;
    Ok(humidity)
}

/// Adds noise, mist and the vapour of fresh water to a row.
#[inline(always)]
fn add_moisture(surface: &[f32], fresh_water: &[f32], noise: &[f32], mist: &[f32], humidity: &mut [f32]) {
    for ((((cell, &ground), fresh_water), noise), mist) in
        humidity.iter_mut().zip(surface).zip(fresh_water).zip(noise).zip(mist)
    {
        // Mist gathers on low ground.
        let low = smoothstep_f32(0.0, 8.0, ground) * (1.0 - smoothstep_f32(20.0, 180.0, ground));
        // Fresh water adds more to dry air than to humid air.
        let added = 0.6 * fresh_water / (0.25 + fresh_water);
        let humid = (*cell + noise + low * mist.max(0.0)).clamp(0.0, 1.0);
        *cell = (humid + added * (1.0 - humid)).clamp(0.0, 1.0);
    }
}

/// Returns the mean over a rectangle around each cell; `radii` are its half extents in columns and rows.
fn box_blur(grid: Grid<f32>, [columns, radius]: [usize; 2], job: Job<'_>) -> Result<Grid<f32>, Cancelled> {
    let (width, height) = (grid.width(), grid.height());
    let mut across = Grid::new(width, height, 0.0_f32);
    for_rows(&mut across, job, |y, row| running_mean(|x| grid.row(y)[x], row, columns))?;
    let mut out = grid;
    // Each thread sums the columns of a band of rows.
    let band = height.div_ceil(16).max(1);
    out.as_mut_slice().par_chunks_mut(width * band).enumerate().try_for_each(|(k, rows)| {
        job.check()?;
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
        Ok(())
    })?;
    Ok(out)
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
    job: Job<'_>,
) -> Result<Grid<f32>, Cancelled> {
    let mut random = SplitMix64::for_purpose(config.seed, 41);
    let level = &pyramid[0];
    // On large cells, wavelengths grow with the cell, which avoids speckle.
    let mut octave = |km: f64, cells: f64| PerlinOctave::new(&mut random, km.max(cells * level.step_km));
    let (woods, groves) = ([octave(5.0, 14.0), octave(1.8, 8.0)], [octave(0.6, 5.0), octave(0.25, 2.5)]);
    let patches = PyramidLevel::smooth_noise(pyramid, 1.8, &[(1.6, &woods[0]), (1.0, &woods[1])], job)?;
    let strength = config.vegetation as f32;
    let mut grid = Grid::new(level.width, level.height, 0.0);
    for_rows_with(
        &mut grid,
        job,
        || [vec![0.0; level.width], vec![0.0; level.width]],
        |[noise, slopes], y, row| {
            level.noise_row(y).fill(&[(0.6, &groves[0]), (0.4, &groves[1])], noise);
            level.slopes(surface, y, slopes);
            let [temperature, humidity, patches] = [temperature, humidity, &patches].map(|grid| grid.row(y));
            noise.iter_mut().zip(patches).for_each(|(noise, patches)| *noise += *patches);
            dispatch!(Level::new(), _ => cover(strength, temperature, humidity, noise, slopes, row));
            for (cell, _) in row.iter_mut().zip(water.row(y)).filter(|(_, water)| **water != Water::None) {
                *cell = 0.0;
            }
        },
    )?;
    Ok(grid)
}

/// Replaces a row of `cover` by the vegetation of dry land.
#[inline(always)]
fn cover(strength: f32, temperature: &[f32], humidity: &[f32], noise: &[f32], slopes: &[f32], cover: &mut [f32]) {
    for ((((cell, &t), &h), &noise), &slope) in cover.iter_mut().zip(temperature).zip(humidity).zip(noise).zip(slopes) {
        let half = HALF_COVER_HUMIDITY + HALF_COVER_HUMIDITY_PER_C * (t - 10.0).max(-10.0);
        let wet = logistic(14.0 * (h - half) + 1.2 * noise);
        let warm = logistic(1.6 * (t - TREE_LINE_C) + 0.8 * noise);
        let gentle = 1.0 - 0.9 * smoothstep_f32(0.6, 1.2, slope);
        *cell = (wet * warm * gentle * strength).clamp(0.0, 1.0);
    }
}

/// Returns 1 / (1 + e⁻ˣ).
#[inline(always)]
fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp2_approx((-std::f32::consts::LOG2_E * x).clamp(-100.0, 100.0)))
}

/// The equilibrium humidity of air over sea and over land, without [`WorldConfig::rain`].
const SEA_HUMIDITY: f32 = 0.9;
const LAND_HUMIDITY: f32 = 0.28;
/// The rise in metres that reduces the water capacity of air to 1/e.
const MOISTURE_SCALE_HEIGHT_M: f32 = 1300.0;

/// Carries air across a coarse level along the wind, line by line (a row or column of cells); returns its relative
/// humidity.
fn carry_air(
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
    // The sideways displacement of air per line, in cells, for each length of a line.
    let aside = (main_km / side_km) as f32;
    let region = config.region_km as f32;
    let (to_sea, to_land) = (1.0 - libm::expf(-step_km / (0.12 * region)), 1.0 - libm::expf(-step_km / (0.7 * region)));
    let mut random = SplitMix64::for_purpose(config.seed, 33);
    let gusts = level.weather_noise(&WeatherNoise::new(&mut random, config.region_km * 0.3), 0.6, job)?;
    // From this point, lines are rows.
    let [mut capacity, sea, gusts] = [ground, sea, gusts].map(|grid| if along_x { transposed(&grid) } else { grid });
    let per_metre = std::f32::consts::LOG2_E * config.rain_shadow as f32 / MOISTURE_SCALE_HEIGHT_M;
    for_rows(&mut capacity, job, |_, row| dispatch!(Level::new(), _ => heights_to_capacities(per_metre, row)))?;
    let mut humidity = Grid::new(capacity.width(), capacity.height(), 0.0);
    let last = capacity.width() - 1;
    // The water in the air of a line of cells, as a fraction of the capacity of air at sea level.
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
            // Diffusion across the wind.
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
    // Rows in bands, for cache locality in the columns.
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

/// Replaces heights in metres by the water capacity of air, as a fraction of that at sea level.
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
