//! Elevation in metres: hills and ranges by distance from the coast, cut by water, from coarse to fine.

use rayon::prelude::*;

use crate::grid::Grid;
use crate::job::Cancelled;
use crate::job::Job;

use super::config::WorldConfig;
use super::continents::Continents;
use super::distance::distance_to;
use super::erosion::Pass;
use super::frame::{Frame, rows_mut};
use super::waves::{Octaves, Wave};
use crate::math::{SplitMix64, smoothstep_f32};

/// Metres over the sea, negative under it, and where the sea is.
pub(super) struct Relief {
    pub(super) elevation: Grid<f32>,
    pub(super) sea: Grid<bool>,
}

/// Passes of erosion on the coarsest frame, on those between, and on the map itself.
const PASSES: [usize; 3] = [10, 3, 1];

/// The relief of a world.
pub(super) fn relief(config: &WorldConfig, frames: &[Frame], job: &Job) -> Result<Relief, Cancelled> {
    let last = frames.len() - 1;
    let mut progress = Progress::new(job, frames);
    let mut land = Continents::new(config, &frames[last]);
    let mut shape = Shape::new(config, &frames[last], &land);
    let mut ground = shape.start(config, &frames[last], &land.mask);
    let mut knolls =
        Octaves::new(SplitMix64::for_purpose(config.seed, 11), config.region_km / 10.0, config.cell_size_m / 1000.0);
    let mut sea = land.sea();
    for (level, frame) in frames.iter().enumerate().rev() {
        let coarsest = level == last;
        if !coarsest {
            land.refine(config, frame, level == 0);
            progress.step("continents", frame)?;
            sea = land.sea();
            shape.refine(frame);
            ground = frame.refine_bent(&ground, &bends(config, frame, level));
        }
        progress.step("elevation", frame)?;
        let waves = knolls.next_for(frame.step_km, level == 0);
        add_knolls(config, frame, &waves, &shape, &mut ground);
        meet_coast(config, &land.mask, &mut ground);
        for turn in 0..passes(level, last) {
            progress.step("elevation", frame)?;
            let pass = Pass {
                step_km: frame.step_km as f32,
                strength: (config.erosion * if coarsest { 0.5 } else { 0.35 }) as f32,
                creep: if coarsest { 0.12 } else { 0.0 },
                beyond_km: config.region_km as f32 * 0.3,
                turn: (level * 16 + turn) as u32,
            };
            pass.cut(&mut ground, &sea, coarsest.then_some((0.05, &shape.height)));
        }
        if coarsest {
            meet_height(config, &mut ground, &sea);
        }
    }
    Ok(Relief { elevation: ground, sea })
}

fn passes(level: usize, last: usize) -> usize {
    PASSES[if level == last { 0 } else { 1 + usize::from(level == 0) }]
}

/// How far the relief is: each step over a frame counts its cells.
struct Progress<'a> {
    job: &'a Job<'a>,
    done: usize,
    all: usize,
}

impl<'a> Progress<'a> {
    /// The share of a whole world that its relief is.
    const SHARE: f32 = 0.5;

    fn new(job: &'a Job<'a>, frames: &[Frame]) -> Self {
        let steps = |level| passes(level, frames.len() - 1) + 2;
        let all = frames.iter().enumerate().map(|(level, frame)| steps(level) * frame.width * frame.height).sum();
        Self { job, done: 0, all }
    }

    fn step(&mut self, stage: &'static str, frame: &Frame) -> Result<(), Cancelled> {
        self.job.report(stage, Self::SHARE * self.done as f32 / self.all as f32)?;
        self.done += frame.width * frame.height;
        Ok(())
    }
}

/// Stretches the land so that its highest range is as high as wanted, within reason.
fn meet_height(config: &WorldConfig, ground: &mut Grid<f32>, sea: &Grid<bool>) {
    let wanted = (config.mountain_height_m + if config.mountains > 0.0 { 0.0 } else { config.hill_height_m }) as f32;
    let top = ground.as_slice().iter().fold(1.0_f32, |top, &cell| top.max(cell));
    let stretch = (wanted / top).clamp(0.5, 1.25);
    for (cell, _) in ground.as_mut_slice().iter_mut().zip(sea.as_slice()).filter(|(_, sea)| !**sea) {
        *cell *= stretch;
    }
}

/// Two waves that bend the lines which a coarse grid has drawn straight.
fn bends(config: &WorldConfig, frame: &Frame, level: usize) -> [Wave; 2] {
    let mut random = SplitMix64::for_purpose(config.seed, 100 + level as u64);
    [(); 2].map(|()| Wave::new(&mut random, 9.0 * frame.step_km))
}

/// What the relief is made of, before water cuts it.
struct Shape {
    /// Kilometres from the coast: over 0 inland, under 0 at sea.
    coast_km: Grid<f32>,
    /// How far into a range a cell lies: 0 at its foot, 1 high up, negative outside.
    into_range: Grid<f32>,
    /// Metres over the sea on land.
    height: Grid<f32>,
}

impl Shape {
    fn new(config: &WorldConfig, frame: &Frame, land: &Continents) -> Self {
        let coast_km = coast_distance(land, frame);
        let into_range = ranges(config, frame, &coast_km);
        let region = config.region_km;
        let mut random = SplitMix64::for_purpose(config.seed, 12);
        let rolling: Vec<Wave> = (0..4).map(|i| Wave::new(&mut random, region * 0.3 / f64::from(1 << i))).collect();
        let (hill, mountain) = (config.hill_height_m as f32, config.mountain_height_m as f32);
        let reach = region as f32 * 0.06;
        let mut height = frame.grid(|x, y| {
            let mut size = 1.0;
            let sum: f32 = rolling.iter().map(|wave| (wave.at(x, y) * size, size *= 0.5).0).sum();
            // A power curve: wide low ground, few high hills.
            let up = (0.5 + 0.6 * sum).clamp(0.0, 1.0);
            up * up
        });
        for (i, cell) in height.as_mut_slice().iter_mut().enumerate() {
            let (inland, into) = (coast_km.as_slice()[i].max(0.0), into_range.as_slice()[i]);
            let rise = inland / (inland + reach);
            let hills = (0.15 + 0.85 * *cell) + foothills(into) * (0.3 + 1.2 * *cell);
            *cell = 2.0 + hill * rise * hills + mountain * range(into) * (0.4 + 0.6 * rise);
        }
        Self { coast_km, into_range, height }
    }

    /// The ground before water cuts it; at sea, a shelf and then down to the open sea.
    fn start(&self, config: &WorldConfig, frame: &Frame, mask: &Grid<f32>) -> Grid<f32> {
        let depth = config.sea_depth_m as f32;
        let mut random = SplitMix64::for_purpose(config.seed, 14);
        let waves = [0.3, 0.13, 0.06].map(|share| Wave::new(&mut random, config.region_km * share));
        let uneven = frame.grid(|x, y| waves[0].at(x, y) + 0.5 * waves[1].at(x, y) + 0.3 * waves[2].at(x, y));
        let mut ground = self.height.clone();
        for (i, cell) in ground.as_mut_slice().iter_mut().enumerate() {
            if mask.as_slice()[i] <= 0.0 {
                let out = -mask.as_slice()[i] * 14.0 * (1.0 + 0.8 * uneven.as_slice()[i]);
                *cell = -depth * (0.1 * out.min(1.0) + 0.9 * smoothstep_f32(0.6, 3.5, out)) - 1.0;
            }
        }
        ground
    }

    fn refine(&mut self, frame: &Frame) {
        self.coast_km = frame.refine(&self.coast_km);
        self.into_range = frame.refine(&self.into_range);
    }
}

/// Kilometres from the coast on the coarsest frame.
fn coast_distance(land: &Continents, frame: &Frame) -> Grid<f32> {
    let sea = land.sea();
    let (to_sea, to_land) = (distance_to(&sea), distance_to(&sea.map(|sea| !sea)));
    let step = frame.step_km as f32;
    // Without a coast on the map, it lies far away.
    let far = 1e4;
    let mut km = to_sea;
    for (to_sea, &to_land) in km.as_mut_slice().iter_mut().zip(to_land.as_slice()) {
        let cells = if *to_sea > 0.0 { *to_sea - 0.5 } else { 0.5 - to_land };
        *to_sea = (cells * step).clamp(-far, far);
    }
    km
}

/// Ranges: belts along the lines where a wide, stretched wave changes sign, broken by passes, on the
/// wanted share of the land.
fn ranges(config: &WorldConfig, frame: &Frame, coast_km: &Grid<f32>) -> Grid<f32> {
    let region = config.region_km;
    let mut random = SplitMix64::for_purpose(config.seed, 13);
    let angle = random.between(0.0, std::f64::consts::PI);
    let line = Wave::stretched(&mut random, region * 1.3, region * 0.7, angle);
    let bends = [Wave::new(&mut random, region * 0.25), Wave::new(&mut random, region * 0.12)];
    let breaks = [Wave::new(&mut random, region * 0.5), Wave::new(&mut random, region * 0.17)];
    let mut score = frame.grid(|x, y| {
        let bend = 0.22 * bends[0].at(x, y) + 0.1 * bends[1].at(x, y);
        -(line.at(x, y) + bend).abs() + 0.25 * breaks[0].at(x, y) + 0.12 * breaks[1].at(x, y)
    });
    for (score, &coast) in score.as_mut_slice().iter_mut().zip(coast_km.as_slice()) {
        let inland = (coast / region as f32).clamp(-1.0, 0.12);
        *score += 2.0 * inland;
    }
    let mut on_land: Vec<f32> =
        score.as_slice().iter().zip(coast_km.as_slice()).filter(|&(_, &km)| km > 0.0).map(|(&s, _)| s).collect();
    on_land.sort_unstable_by(f32::total_cmp);
    let share = config.mountains.clamp(0.0, 1.0);
    if on_land.is_empty() || share == 0.0 {
        return score.map(|_| -9.0);
    }
    let at = |share: f64| on_land[((1.0 - share) * (on_land.len() - 1) as f64) as usize];
    let (foot, high) = (at(share), at(share * 0.25).max(at(share) + 1e-3));
    score.map(|&score| ((score - foot) / (high - foot)).clamp(-9.0, 3.0))
}

/// How much of the height of ranges a cell has: from 0 at the foot, rounded towards the crest.
fn range(into: f32) -> f32 {
    let up = into.max(0.0);
    1.35 * up * up / (0.35 + up * up)
}

/// How much of the height of foothills: they begin well before the range.
fn foothills(into: f32) -> f32 {
    smoothstep_f32(-1.6, 0.4, into)
}

/// Wider knolls are no higher.
const WIDEST_KM: f64 = 4.0;

/// Detail of the lengths that this frame can carry, more of it on high ground.
fn add_knolls(config: &WorldConfig, frame: &Frame, waves: &[(f64, &Wave)], shape: &Shape, ground: &mut Grid<f32>) {
    if waves.is_empty() || config.roughness == 0.0 {
        return;
    }
    let roughness = 2.0 * config.roughness;
    let more = frame.grid(|x, y| {
        let sum: f64 =
            waves.iter().map(|(length, wave)| length.min(WIDEST_KM) * 1000.0 * f64::from(wave.at(x, y))).sum();
        (sum * roughness) as f32
    });
    for (i, cell) in ground.as_mut_slice().iter_mut().enumerate() {
        let into = shape.into_range.as_slice()[i];
        let broken = 0.008 + 0.016 * foothills(into) + 0.03 * range(into);
        let inland = smoothstep_f32(-1.0, 2.0, shape.coast_km.as_slice()[i]);
        *cell += more.as_slice()[i] * broken * inland;
    }
}

/// Brings land over the sea and the sea floor under it.
fn meet_coast(config: &WorldConfig, mask: &Grid<f32>, ground: &mut Grid<f32>) {
    let shallows = (config.sea_depth_m as f32).min(16.0);
    rows_mut(ground).for_each(|(y, row)| {
        for (x, cell) in row.iter_mut().enumerate() {
            // Never level, so that streams find their way: it rises or falls ever more gently.
            let out = 10.0 * mask.row(y)[x];
            *cell = if out > 0.0 {
                cell.max(0.5 + 16.0 * out / (1.0 + out))
            } else {
                cell.min(-0.5 + shallows * out / (1.0 - out))
            };
        }
    });
}
