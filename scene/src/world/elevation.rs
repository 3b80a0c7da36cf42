//! Elevation in metres: hills and mountain ranges by distance from the coast, eroded, from coarse to fine.
//!
//! # Erosion
//!
//! Rivers cut valleys, and soil creeps downhill.
//! One pass lowers every cell towards the cell downstream of it, starting at the sea:
//!
//! ```text
//! h ← (h + uplift + f · h(downstream)) / (1 + f),    f = strength · √(drainage area) / distance
//! ```
//!
//! This is the implicit solution of the stream power law with the exponents ½ and 1. Slopes are limited to the talus
//! slope of loose rock.
//!
//! # References
//! J. Braun and S. D. Willett, *A very efficient O(n), implicit and parallel method to solve the stream power equation*,
//! 2013; G. Cordonnier et al., *Large scale terrain generation from tectonic uplift and fluvial erosion*, 2016.

use fearless_simd::Level;

use super::config::WorldConfig;
use super::continents::Continents;
use super::drainage::Drainage;
use super::flow_directions::{FlowJitter, OFF_MAP, SEA};
use super::neighbours::{distance_to, is_diagonal};
use super::noise::{Octave, Octaves, PerlinOctave};
use super::pyramid::{CELLS_BETWEEN_CHECKS, PyramidLevel, for_rows, for_rows_with, rows_mut};
use farsight::grid::Grid;
use farsight::internal::math::{SplitMix64, smoothstep_f32};
use farsight::internal::parallel::*;
use farsight::internal::simd::dispatch;
use farsight::{Cancelled, Job};

/// The fraction of the generation time of a world for its relief.
const RELIEF_SHARE: f32 = 0.5;

pub(super) struct BaseElevation {
    /// Metres above the sea, negative below it.
    pub(super) elevation: Grid<f32>,
    pub(super) sea: Grid<bool>,
}

/// Generates the relief of the levels of the pyramid, starting with the coarsest; that of level 0 is the relief of the
/// map.
pub(super) fn make_relief(
    config: &WorldConfig,
    pyramid: &[PyramidLevel],
    last: usize,
    job: Job<'_>,
) -> Result<BaseElevation, Cancelled> {
    let coarsest = pyramid.len() - 1;
    let steps = |index| erosion_passes(index, coarsest) + 2;
    let levels = || pyramid.iter().enumerate().skip(last);
    let all: usize = levels().map(|(index, level)| steps(index) * level.width * level.height).sum();
    let mut done = 0;
    // Reports progress in proportion to the cells of the levels that are done.
    let mut start = |stage, level: &PyramidLevel| {
        let share = RELIEF_SHARE * done as f32 / all as f32;
        done += level.width * level.height;
        job.report(stage, share).map(|()| share)
    };
    let mut continents = Continents::new(config, &pyramid[coarsest], job)?;
    job.report("coast distance", 0.0)?;
    let mut base = BaseRelief::new(config, &pyramid[coarsest], &continents, job)?;
    let mut ground = base.initial_elevation(config, &pyramid[coarsest], &continents.land_field, job)?;
    let mut detail =
        Octaves::new(SplitMix64::for_purpose(config.seed, 11), config.region_km / 10.0, config.cell_size_m / 1000.0);
    let mut sea = continents.sea();
    for (index, level) in levels().rev() {
        let (is_coarsest, is_finest) = (index == coarsest, index == 0);
        if !is_coarsest {
            start("continents", level)?;
            continents.upsample(config, level, is_finest, job)?;
            sea = continents.sea();
            base.upsample(level, job)?;
            ground = level.upsample_warped(&ground, &warp_octaves(config, level, index), job)?;
        }
        start("elevation", level)?;
        add_detail(config, level, detail.take(level.step_km, is_finest), &base, &mut ground, job)?;
        fit_to_coast(config, &continents.land_field, &mut ground, job)?;
        for pass in 0..erosion_passes(index, coarsest) {
            let share = start("erosion", level)?;
            let parameters = ErosionPass {
                step_km: level.step_km as f32,
                strength: (config.erosion * if is_coarsest { 0.5 } else { 0.35 }) as f32,
                creep: if is_coarsest { 0.12 } else { 0.0 },
                off_map_km: config.region_km as f32 * 0.3,
                jitter_seed: (index * 16 + pass) as u32,
            };
            parameters.erode(&mut ground, &sea, is_coarsest.then_some(&base.height), job, share)?;
        }
        if is_coarsest {
            scale_to_height(config, &mut ground, &sea);
        }
    }
    Ok(BaseElevation { elevation: ground, sea })
}

fn erosion_passes(index: usize, coarsest: usize) -> usize {
    match index {
        _ if index == coarsest => 10,
        0 => 1,
        _ => 3,
    }
}

/// Scales the land by a factor of ½ to 1¼ to the configured height of its highest summit.
fn scale_to_height(config: &WorldConfig, ground: &mut Grid<f32>, sea: &Grid<bool>) {
    let wanted = (config.mountain_height_m + if config.mountains > 0.0 { 0.0 } else { config.hill_height_m }) as f32;
    let top = ground.as_slice().iter().fold(1.0_f32, |top, &cell| top.max(cell));
    let factor = (wanted / top).clamp(0.5, 1.25);
    for (cell, _) in ground.as_mut_slice().iter_mut().zip(sea.as_slice()).filter(|(_, sea)| !**sea) {
        *cell *= factor;
    }
}

/// Returns the noise that bends straight lines of the coarser level.
fn warp_octaves(config: &WorldConfig, level: &PyramidLevel, index: usize) -> [PerlinOctave; 2] {
    let mut random = SplitMix64::for_purpose(config.seed, 100 + index as u64);
    [(); 2].map(|()| PerlinOctave::new(&mut random, 9.0 * level.step_km))
}

/// The land before erosion.
struct BaseRelief {
    /// Kilometres from the coast, positive inland, negative at sea.
    coast_km: Grid<f32>,
    /// The position of a cell in a mountain range: 0 at its foot, 1 high up, negative outside.
    range_position: Grid<f32>,
    /// Metres above the sea on land.
    height: Grid<f32>,
}

impl BaseRelief {
    fn new(
        config: &WorldConfig,
        level: &PyramidLevel,
        continents: &Continents,
        job: Job<'_>,
    ) -> Result<Self, Cancelled> {
        let coast_km = coast_distance_km(continents, level, job)?;
        let range_position = mountain_ranges(config, level, &coast_km, job)?;
        let region = config.region_km;
        let mut random = SplitMix64::for_purpose(config.seed, 12);
        let octaves: Vec<_> =
            (0..4).map(|i| PerlinOctave::new(&mut random, region * 0.3 / f64::from(1 << i))).collect();
        let (hill, mountain) = (config.hill_height_m as f32, config.mountain_height_m as f32);
        let reach = region as f32 * 0.06;
        let amplitudes = [1.0, 0.5, 0.25, 0.125];
        let mut height = level.noise(&amplitudes.into_iter().zip(&octaves).collect::<Vec<_>>(), job)?;
        for (i, cell) in height.as_mut_slice().iter_mut().enumerate() {
            // A power curve: wide lowlands, few high hills.
            let up = (0.5 + 0.6 * *cell).clamp(0.0, 1.0);
            *cell = up * up;
            let (inland, position) = (coast_km.as_slice()[i].max(0.0), range_position.as_slice()[i]);
            let rise = inland / (inland + reach);
            let hills = (0.15 + 0.85 * *cell) + foothill_share(position) * (0.3 + 1.2 * *cell);
            *cell = 2.0 + hill * rise * hills + mountain * mountain_share(position) * (0.4 + 0.6 * rise);
        }
        Ok(Self { coast_km, range_position, height })
    }

    /// Returns the initial elevation of erosion: the unchanged land; at sea, a shelf and then the open sea.
    fn initial_elevation(
        &self,
        config: &WorldConfig,
        level: &PyramidLevel,
        land_field: &Grid<f32>,
        job: Job<'_>,
    ) -> Result<Grid<f32>, Cancelled> {
        let depth = config.sea_depth_m as f32;
        let mut random = SplitMix64::for_purpose(config.seed, 14);
        let [a, b, c] = [0.3, 0.13, 0.06].map(|share| PerlinOctave::new(&mut random, config.region_km * share));
        let noise = level.noise(&[(1.0, &a), (0.5, &b), (0.3, &c)], job)?;
        let mut ground = self.height.clone();
        for (i, cell) in ground.as_mut_slice().iter_mut().enumerate() {
            let land = land_field.as_slice()[i];
            if land <= 0.0 {
                let out = -land * 14.0 * (1.0 + 0.8 * noise.as_slice()[i]);
                *cell = -depth * (0.1 * out.min(1.0) + 0.9 * smoothstep_f32(0.6, 3.5, out)) - 1.0;
            }
        }
        Ok(ground)
    }

    fn upsample(&mut self, level: &PyramidLevel, job: Job<'_>) -> Result<(), Cancelled> {
        self.coast_km = level.upsample(&self.coast_km, job)?;
        self.range_position = level.upsample(&self.range_position, job)?;
        Ok(())
    }
}

/// Returns the distance from the coast in kilometres, positive inland, negative at sea.
fn coast_distance_km(continents: &Continents, level: &PyramidLevel, job: Job<'_>) -> Result<Grid<f32>, Cancelled> {
    let sea = continents.sea();
    let to_sea = distance_to(&sea);
    job.check()?;
    let to_land = distance_to(&sea.map(|sea| !sea));
    job.check()?;
    let step = level.step_km as f32;
    // The assumed distance on a map without a coast.
    let far = 1e4;
    let mut km = to_sea;
    for (to_sea, &to_land) in km.as_mut_slice().iter_mut().zip(to_land.as_slice()) {
        let cells = if *to_sea > 0.0 { *to_sea - 0.5 } else { 0.5 - to_land };
        *to_sea = (cells * step).clamp(-far, far);
    }
    Ok(km)
}

/// Returns [`BaseRelief::range_position`]: ranges are belts along the lines where stretched noise changes sign, broken
/// by passes, on the configured fraction of the land.
fn mountain_ranges(
    config: &WorldConfig,
    level: &PyramidLevel,
    coast_km: &Grid<f32>,
    job: Job<'_>,
) -> Result<Grid<f32>, Cancelled> {
    let region = config.region_km;
    let mut random = SplitMix64::for_purpose(config.seed, 13);
    let angle = random.between(0.0, std::f64::consts::PI);
    let line = PerlinOctave::stretched(&mut random, region * 1.3, region * 0.7, angle);
    let [bend, small_bend, gap, small_gap] =
        [0.25, 0.12, 0.5, 0.17].map(|share| PerlinOctave::new(&mut random, region * share));
    let bent = level.noise(&[(1.0, &line), (0.22, &bend), (0.1, &small_bend)], job)?;
    let mut score = level.noise(&[(0.25, &gap), (0.12, &small_gap)], job)?;
    for ((score, bent), &coast) in score.as_mut_slice().iter_mut().zip(bent.as_slice()).zip(coast_km.as_slice()) {
        let inland = (coast / region as f32).clamp(-1.0, 0.12);
        *score += 2.0 * inland - bent.abs();
    }
    let mut on_land: Vec<f32> =
        score.as_slice().iter().zip(coast_km.as_slice()).filter(|&(_, &km)| km > 0.0).map(|(&s, _)| s).collect();
    let share = config.mountains.clamp(0.0, 1.0);
    if on_land.is_empty() || share == 0.0 {
        return Ok(score.map(|_| -9.0));
    }
    let last = on_land.len() - 1;
    let mut at = |share: f64| {
        let below = ((1.0 - share) * last as f64) as usize;
        *on_land.select_nth_unstable_by(below, f32::total_cmp).1
    };
    let (foot, high) = (at(share), at(share * 0.25).max(at(share) + 1e-3));
    Ok(score.map(|&score| ((score - foot) / (high - foot)).clamp(-9.0, 3.0)))
}

/// Returns the fraction of the mountain height: 0 at the foot of a range, rounded towards the crest.
fn mountain_share(range_position: f32) -> f32 {
    let up = range_position.max(0.0);
    1.35 * up * up / (0.35 + up * up)
}

/// Returns the fraction of the foothill height. Foothills start well before the range.
fn foothill_share(range_position: f32) -> f32 {
    smoothstep_f32(-1.6, 0.4, range_position)
}

/// The wavelength above which the amplitude of detail is constant.
const MAX_DETAIL_KM: f64 = 4.0;

/// Adds the octaves of detail that a level resolves, with a higher amplitude on high ground.
fn add_detail(
    config: &WorldConfig,
    level: &PyramidLevel,
    octaves: &[Octave],
    base: &BaseRelief,
    ground: &mut Grid<f32>,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    if octaves.is_empty() || config.roughness == 0.0 {
        return Ok(());
    }
    let roughness = 2.0 * config.roughness;
    let amplitude_m = |octave: &Octave| octave.wavelength_km.min(MAX_DETAIL_KM) * 1000.0;
    let octaves: Vec<_> =
        octaves.iter().map(|octave| ((amplitude_m(octave) * roughness) as f32, &octave.noise)).collect();
    for_rows_with(
        ground,
        job,
        || vec![0.0; level.width],
        |detail, y, row| {
            level.noise_row(y).fill(&octaves, detail);
            let (positions, coast_km) = (base.range_position.row(y), base.coast_km.row(y));
            dispatch!(Level::new(), _ => add_scaled_detail(detail, positions, coast_km, row));
        },
    )
}

/// Adds detail, with a higher amplitude on high ground and a lower one near the coast.
#[inline(always)]
fn add_scaled_detail(detail: &[f32], range_positions: &[f32], coast_km: &[f32], ground: &mut [f32]) {
    for (((cell, detail), &position), &km) in ground.iter_mut().zip(detail).zip(range_positions).zip(coast_km) {
        let share = 0.008 + 0.016 * foothill_share(position) + 0.03 * mountain_share(position);
        *cell += detail * share * smoothstep_f32(-1.0, 2.0, km);
    }
}

/// Keeps land above the sea and the sea floor below it.
fn fit_to_coast(
    config: &WorldConfig,
    land_field: &Grid<f32>,
    ground: &mut Grid<f32>,
    job: Job<'_>,
) -> Result<(), Cancelled> {
    let shallows = (config.sea_depth_m as f32).min(16.0);
    for_rows(ground, job, |y, row| {
        dispatch!(Level::new(), _ => fit_row_to_coast(shallows, land_field.row(y), row));
    })
}

#[inline(always)]
fn fit_row_to_coast(shallows: f32, land_field: &[f32], row: &mut [f32]) {
    for (cell, land) in row.iter_mut().zip(land_field) {
        // The limits have slopes everywhere, so that streams can descend.
        let out = 10.0 * land;
        let share = out / (1.0 + out.abs());
        let (land, sea) = (cell.max(0.5 + 16.0 * share), cell.min(-0.5 + shallows * share));
        *cell = if out > 0.0 { land } else { sea };
    }
}

/// The maximum slope, rise over run.
const MAX_SLOPE: f32 = 0.9;
/// The minimum slope of a stream, rise over run, and the maximum fall from cell to cell that it causes. Both fall to 0
/// at `NO_MIN_SLOPE_M`, so that long streams do not start at unrealistic heights.
const MIN_SLOPE: f32 = 0.0004;
const MAX_MIN_FALL_M: f32 = 0.5;
const NO_MIN_SLOPE_M: f32 = 9000.0;
/// The fraction of the uplift per pass.
const UPLIFT_SHARE: f32 = 0.05;

struct ErosionPass {
    /// Side of a cell in kilometres.
    step_km: f32,
    /// The erodibility of the stream power law.
    strength: f32,
    /// Fraction of the difference from its neighbours that soil creep removes from a cell.
    creep: f32,
    /// Assumed distance from the edge of the map to the sea, for streams that leave the map, in kilometres.
    off_map_km: f32,
    /// The seed of the [`FlowJitter`]: streams wind differently in each pass.
    jitter_seed: u32,
}

impl ErosionPass {
    /// Erodes `ground`, in metres above the sea, once. Land rises by [`UPLIFT_SHARE`] of the metres of `uplift`.
    ///
    /// Reports its stages with `done`, the share of the whole work that is done.
    fn erode(
        &self,
        ground: &mut Grid<f32>,
        sea: &Grid<bool>,
        uplift: Option<&Grid<f32>>,
        job: Job<'_>,
        done: f32,
    ) -> Result<(), Cancelled> {
        let drainage =
            Drainage::new(ground, sea, FlowJitter { strength: 0.5, seed: self.jitter_seed }, None, job, done)?;
        job.report("erosion", done)?;
        let Drainage { directions, order, counts } = drainage;
        let mut strengths = vec![0.0; counts.len()];
        rows_mut(ground).zip(strengths.par_chunks_mut(sea.width())).try_for_each(|((y, ground), strengths)| {
            job.check()?;
            let cells = y * sea.width()..(y + 1) * sea.width();
            let uplift = uplift.map(|metres| metres.row(y));
            let (codes, counts) = (&directions.codes[cells.clone()], &counts[cells]);
            dispatch!(Level::new(), _ => self.prepare_row(ground, uplift, codes, counts, strengths));
            Ok(())
        })?;
        drop(counts);
        let cells = ground.as_mut_slice();
        for downstream_cells in order.rchunks(CELLS_BETWEEN_CHECKS) {
            job.check()?;
            for &i in downstream_cells.iter().rev() {
                let i = i as usize;
                let below = directions.downstream(i).map_or(0.0, |downstream| cells[downstream].max(0.0));
                let distance_m = 1000.0 * self.distance_km(directions.codes[i]);
                let eroded = cells[i] + strengths[i] * below;
                let min_fall =
                    (MIN_SLOPE * distance_m).min(MAX_MIN_FALL_M) * (1.0 - below * (1.0 / NO_MIN_SLOPE_M)).max(0.0);
                cells[i] = eroded.clamp(below + min_fall, below + MAX_SLOPE * distance_m);
            }
        }
        if self.creep > 0.0 {
            self.creep_soil(ground, sea, job)?;
        }
        Ok(())
    }

    /// Returns the distance to the cell downstream, or to the sea off the map, in kilometres.
    #[inline(always)]
    fn distance_km(&self, code: u8) -> f32 {
        let step = if is_diagonal(code) { self.step_km * std::f32::consts::SQRT_2 } else { self.step_km };
        if code == OFF_MAP { self.off_map_km } else { step }
    }

    /// Replaces the ground on land by the part of its eroded height that does not depend on the cell downstream, and
    /// `strengths` by the factor of the height of that cell.
    #[inline(always)]
    fn prepare_row(
        &self,
        ground: &mut [f32],
        uplift: Option<&[f32]>,
        codes: &[u8],
        counts: &[u32],
        strengths: &mut [f32],
    ) {
        if let Some(uplift) = uplift {
            for ((ground, uplift), &code) in ground.iter_mut().zip(uplift).zip(codes) {
                *ground += if code == SEA { 0.0 } else { UPLIFT_SHARE * uplift };
            }
        }
        let cell_km2 = self.step_km * self.step_km;
        for (((ground, &code), &count), strength) in ground.iter_mut().zip(codes).zip(counts).zip(strengths) {
            let area_km2 = cell_km2 * count as i32 as f32;
            let f = self.strength * area_km2.sqrt() / self.distance_km(code);
            let share = 1.0 / (1.0 + f);
            *strength = f * share;
            *ground *= if code == SEA { 1.0 } else { share };
        }
    }

    /// Moves each land cell towards the mean of its four neighbours (hillslope diffusion).
    fn creep_soil(&self, ground: &mut Grid<f32>, sea: &Grid<bool>, job: Job<'_>) -> Result<(), Cancelled> {
        let before = ground.clone();
        let (right, bottom) = (ground.width() - 1, ground.height() - 1);
        for_rows(ground, job, |y, row| {
            let [above, middle, below] = [y.saturating_sub(1), y, (y + 1).min(bottom)].map(|y| before.row(y));
            for (x, cell) in row.iter_mut().enumerate().filter(|&(x, _)| !sea.row(y)[x]) {
                let mean = 0.25 * (above[x] + below[x] + middle[x.saturating_sub(1)] + middle[(x + 1).min(right)]);
                *cell += self.creep * (mean.max(0.0) - *cell);
            }
        })
    }
}
