//! Which cells are land: a few rotated ellipses a region, their outlines bent and frayed by noise.

use crate::grid::Grid;

use super::config::WorldConfig;
use super::drainage::around;
use super::frame::Frame;
use super::waves::{Octaves, Wave};
use crate::math::SplitMix64;

/// The shape of the land, level by level.
pub(super) struct Continents {
    /// Over 0 on land; in regions' widths, very nearly the distance from the coast near it.
    pub(super) mask: Grid<f32>,
    frays: Octaves,
}

/// Sea shut in by land is filled if it is no larger than a square of this share of a region.
const PUDDLE: f64 = 0.16;
/// Islands of fewer cells are drowned.
const SPECK: usize = 3;
/// Frays of the longest wave, as a share of its length.
const FRAY: f64 = 0.5;

impl Continents {
    /// The land on the coarsest frame.
    pub(super) fn new(config: &WorldConfig, base: &Frame) -> Self {
        let region = config.region_km;
        let finest = config.cell_size_m / 1000.0;
        let mut bend = SplitMix64::for_purpose(config.seed, 1);
        let bends = [Wave::new(&mut bend, region * 0.7), Wave::new(&mut bend, region * 0.7)];
        let mut frays = Octaves::new(SplitMix64::for_purpose(config.seed, 2), region * 0.6, finest);
        let roughness = config.coast_roughness;
        let first = frays.next_for(base.step_km, false);
        let seed = config.seed;
        let mut mask = base.grid(|x, y| {
            let (bx, by) = (f64::from(bends[0].at(x, y)), f64::from(bends[1].at(x, y)));
            let inside = ellipses(seed, x / region + 0.3 * bx, y / region + 0.3 * by);
            inside as f32 + fray(&first, roughness, region, x, y)
        });
        let level = level_for(&mask, config.land);
        for cell in mask.as_mut_slice() {
            *cell -= level;
        }
        let mut land = Self { mask, frays };
        land.tidy(config, base);
        land
    }

    /// Goes on to the next finer frame.
    pub(super) fn refine(&mut self, config: &WorldConfig, frame: &Frame, last: bool) {
        self.mask = frame.refine(&self.mask);
        let waves = self.frays.next_for(frame.step_km, last);
        if !waves.is_empty() {
            let more = frame.grid(|x, y| fray(&waves, config.coast_roughness, config.region_km, x, y));
            for (cell, more) in self.mask.as_mut_slice().iter_mut().zip(more.as_slice()) {
                *cell += more;
            }
        }
        self.tidy(config, frame);
    }

    /// Where the sea is.
    pub(super) fn sea(&self) -> Grid<bool> {
        self.mask.map(|&mask| mask <= 0.0)
    }

    /// Fills puddles of sea and drowns specks of land.
    fn tidy(&mut self, config: &WorldConfig, frame: &Frame) {
        let across = PUDDLE * config.region_km / frame.step_km;
        let (puddle, speck) = ((across * across) as usize, SPECK);
        let (width, height) = (self.mask.width(), self.mask.height());
        let mask = self.mask.as_mut_slice();
        let mut seen = vec![false; mask.len()];
        let mut patch = Vec::new();
        for start in 0..mask.len() {
            if seen[start] {
                continue;
            }
            let land = mask[start] > 0.0;
            let mut at_edge = false;
            patch.clear();
            patch.push(start);
            seen[start] = true;
            let mut done = 0;
            while let Some(&i) = patch.get(done) {
                done += 1;
                let (x, y) = (i % width, i / width);
                at_edge |= x == 0 || y == 0 || x + 1 == width || y + 1 == height;
                for (_, n) in around(i, width, height).filter(|&(d, _)| land || d % 2 == 0) {
                    if !seen[n] && (mask[n] > 0.0) == land {
                        seen[n] = true;
                        patch.push(n);
                    }
                }
            }
            if !at_edge && patch.len() < if land { speck } else { puddle } {
                let level = if land { -1e-4 } else { 1e-4 };
                patch.iter().for_each(|&i| mask[i] = level);
            }
        }
    }
}

/// How far noise pushes the coast out, in regions' widths.
fn fray(waves: &[(f64, &Wave)], roughness: f64, region: f64, x: f64, y: f64) -> f32 {
    let sum: f64 = waves.iter().map(|(length, wave)| length * f64::from(wave.at(x, y))).sum();
    (sum * roughness * 2.0 * FRAY / region) as f32
}

/// How far inside the ellipses a place lies, in regions' widths; one ellipse a region, of its own
/// turn, size and height.
fn ellipses(seed: u64, x: f64, y: f64) -> f64 {
    let (column, row) = (libm::floor(x + 0.5), libm::floor(y + 0.5));
    let mut inside = 0.0;
    for (i, j) in (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i, j))) {
        let (cx, cy) = (column + f64::from(i), row + f64::from(j));
        let cell = ((cx as i64 as u64) << 32) ^ (cy as i64 as u64 & 0xffff_ffff);
        let mut random = SplitMix64::for_purpose(seed ^ cell.wrapping_mul(0x9e37_79b9_7f4a_7c15), 3);
        let (dx, dy) = (x - cx - random.between(-0.3, 0.3), y - cy - random.between(-0.3, 0.3));
        // A turn by a point on the circle, without sine or cosine.
        let t = random.between(-1.0, 1.0);
        let (cos, sin) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        let long = random.between(0.45, 0.7);
        let wide = long * random.between(0.4, 0.85);
        let (u, v) = ((dx * cos + dy * sin) / long, (dy * cos - dx * sin) / wide);
        let near = (1.0 - (u * u + v * v) / 3.0).max(0.0);
        inside += random.between(0.4, 0.6) * near * near;
    }
    inside
}

/// The level that leaves this share of the cells above it.
fn level_for(mask: &Grid<f32>, land: f64) -> f32 {
    let mut sorted = mask.as_slice().to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let below = ((1.0 - land) * sorted.len() as f64) as usize;
    match below {
        0 => sorted[0] - 1.0,
        n if n >= sorted.len() => sorted[sorted.len() - 1] + 1.0,
        n => 0.5 * (sorted[n - 1] + sorted[n]),
    }
}
