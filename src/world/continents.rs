//! Land and sea: a few rotated ellipses a region, their outlines bent and made ragged by noise.

use super::config::WorldConfig;
use super::neighbours::{flood_fill, is_at_edge, is_diagonal};
use super::noise::{Octave, Octaves, PerlinOctave};
use super::pyramid::PyramidLevel;
use crate::grid::Grid;
use crate::math::SplitMix64;

/// Land and sea at one level of the pyramid.
pub(super) struct Continents {
    /// Positive on land. Near the coast it is about the signed distance to it, in widths of a region.
    pub(super) land_field: Grid<f32>,
    coast_octaves: Octaves,
}

/// Inland seas smaller than a square of this side, in widths of a region, become land.
const MIN_INLAND_SEA: f64 = 0.16;
/// Islands of fewer cells become sea.
const MIN_ISLAND_CELLS: usize = 3;
/// The amplitude of an octave of coast noise, as a share of its wavelength.
const COAST_NOISE: f64 = 0.5;

impl Continents {
    /// Outlines the land on the coarsest level.
    pub(super) fn new(config: &WorldConfig, coarsest: &PyramidLevel) -> Self {
        let region = config.region_km;
        let mut random = SplitMix64::for_purpose(config.seed, 1);
        let [warp_x, warp_y] = [(); 2].map(|()| PerlinOctave::new(&mut random, region * 0.7));
        let finest_step_km = config.cell_size_m / 1000.0;
        let mut coast_octaves = Octaves::new(SplitMix64::for_purpose(config.seed, 2), region * 0.6, finest_step_km);
        let octaves = coast_octaves.take(coarsest.step_km, false);
        let mut land_field = coarsest.evaluate(|x, y| {
            let (dx, dy) = (f64::from(warp_x.sample(x, y)), f64::from(warp_y.sample(x, y)));
            let inside = ellipses(config.seed, x / region + 0.3 * dx, y / region + 0.3 * dy);
            inside as f32 + coast_noise(octaves, config, x, y)
        });
        let sea_level = level_with_share_above(&land_field, config.land);
        for cell in land_field.as_mut_slice() {
            *cell -= sea_level;
        }
        let mut continents = Self { land_field, coast_octaves };
        continents.remove_small_parts(config, coarsest);
        continents
    }

    /// Goes on to the next finer level.
    pub(super) fn upsample(&mut self, config: &WorldConfig, level: &PyramidLevel, finest: bool) {
        self.land_field = level.upsample(&self.land_field);
        let octaves = self.coast_octaves.take(level.step_km, finest);
        if !octaves.is_empty() {
            let noise = level.evaluate(|x, y| coast_noise(octaves, config, x, y));
            for (cell, noise) in self.land_field.as_mut_slice().iter_mut().zip(noise.as_slice()) {
                *cell += noise;
            }
        }
        self.remove_small_parts(config, level);
    }

    pub(super) fn sea(&self) -> Grid<bool> {
        self.land_field.map(|&land| land <= 0.0)
    }

    /// Fills small inland seas and removes tiny islands, unless they touch the edge of the map.
    fn remove_small_parts(&mut self, config: &WorldConfig, level: &PyramidLevel) {
        let side = MIN_INLAND_SEA * config.region_km / level.step_km;
        let (width, height) = (self.land_field.width(), self.land_field.height());
        let field = self.land_field.as_mut_slice();
        let mut seen = vec![false; field.len()];
        let mut part = Vec::new();
        for start in 0..field.len() {
            if seen[start] {
                continue;
            }
            let land = field[start] > 0.0;
            // Land is connected across corners, sea is not.
            flood_fill(start, [width, height], &mut seen, &mut part, |_, direction, to| {
                (land || !is_diagonal(direction)) && (field[to] > 0.0) == land
            });
            let min_cells = if land { MIN_ISLAND_CELLS } else { (side * side) as usize };
            if part.len() < min_cells && !part.iter().any(|i| is_at_edge(i % width, i / width, width, height)) {
                part.iter().for_each(|&i| field[i] = if land { -1e-4 } else { 1e-4 });
            }
        }
    }
}

/// Returns how far noise moves the coast outwards, in widths of a region.
fn coast_noise(octaves: &[Octave], config: &WorldConfig, x: f64, y: f64) -> f32 {
    let sum: f64 = octaves.iter().map(|octave| octave.wavelength_km * f64::from(octave.noise.sample(x, y))).sum();
    (sum * config.coast_roughness * 2.0 * COAST_NOISE / config.region_km) as f32
}

/// Returns how far inside the ellipses a position is; all lengths in widths of a region. Each region has one ellipse of
/// random position, rotation, size and height.
fn ellipses(seed: u64, x: f64, y: f64) -> f64 {
    let (column, row) = (libm::floor(x + 0.5), libm::floor(y + 0.5));
    let mut inside = 0.0;
    for (i, j) in (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i, j))) {
        let (cx, cy) = (column + f64::from(i), row + f64::from(j));
        let region = ((cx as i64 as u64) << 32) ^ (cy as i64 as u64 & 0xffff_ffff);
        let mut random = SplitMix64::for_purpose(seed ^ region.wrapping_mul(0x9e37_79b9_7f4a_7c15), 3);
        let (dx, dy) = (x - cx - random.between(-0.3, 0.3), y - cy - random.between(-0.3, 0.3));
        // The rational parametrisation of the circle: a rotation without sine and cosine.
        let t = random.between(-1.0, 1.0);
        let (cos, sin) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        let length = random.between(0.45, 0.7);
        let breadth = length * random.between(0.4, 0.85);
        let (u, v) = ((dx * cos + dy * sin) / length, (dy * cos - dx * sin) / breadth);
        let near = (1.0 - (u * u + v * v) / 3.0).max(0.0);
        inside += random.between(0.4, 0.6) * near * near;
    }
    inside
}

/// Returns the level that this share of the cells is above.
fn level_with_share_above(field: &Grid<f32>, share: f64) -> f32 {
    let mut sorted = field.as_slice().to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let below = ((1.0 - share) * sorted.len() as f64) as usize;
    match below {
        0 => sorted[0] - 1.0,
        n if n >= sorted.len() => sorted[sorted.len() - 1] + 1.0,
        n => 0.5 * (sorted[n - 1] + sorted[n]),
    }
}
