//! [`Noise`]: smooth noise that is fixed to the world.

use std::sync::{Arc, LazyLock};

use glam::Vec2;

use super::resample::{Field, FieldRow, Sampler, linear};
use super::viewport::Viewport;
use farsight::grid::CellRect;
use farsight::internal::math::SplitMix64;

/// Points of random height per side; the tile has [`STEPS`] values from each to the next.
const POINTS: usize = 128;
const STEPS: usize = 4;
/// Values per side, the period of the noise.
const SIDE: usize = POINTS * STEPS;
const MASK: usize = SIDE - 1;

/// A tile of smooth noise with a standard deviation of about 0.8. Its period is 128 features.
pub(crate) struct Noise(Vec<f32>);

/// Returns the tile that all pictures share.
pub(crate) fn noise() -> &'static Noise {
    static NOISE: LazyLock<Noise> = LazyLock::new(Noise::new);
    &NOISE
}

/// The ratio of the amplitudes of two consecutive octaves.
const GAIN: f32 = 0.6;

impl Noise {
    fn new() -> Self {
        let mut random = SplitMix64::for_purpose(11, 71);
        // The sum of four uniform numbers is nearly normal.
        let mut normal = || ((0..4).map(|_| random.next_f64()).sum::<f64>() as f32 - 2.0) * 1.7;
        let points: Vec<f32> = (0..POINTS * POINTS).map(|_| normal()).collect();
        let weights: [[f32; 4]; STEPS] = std::array::from_fn(|i| super::resample::catmull_rom(i as f32 / STEPS as f32));
        let mut tile = vec![0.0; SIDE * SIDE];
        for y in 0..SIDE {
            let rows: [&[f32]; 4] = std::array::from_fn(|k| {
                let row = (y / STEPS + POINTS + k - 1) % POINTS;
                &points[row * POINTS..][..POINTS]
            });
            let down = weights[y % STEPS];
            let line: Vec<f32> = (0..POINTS).map(|x| (0..4).map(|k| rows[k][x] * down[k]).sum()).collect();
            for x in 0..SIDE {
                let across = weights[x % STEPS];
                let value = |k: usize| line[(x / STEPS + POINTS + k - 1) % POINTS] * across[k];
                tile[y * SIDE + x] = value(0) + value(1) + value(2) + value(3);
            }
        }
        Self(tile)
    }

    /// Returns the noise at a place, with one feature per unit.
    #[inline]
    pub(crate) fn at(&self, x: f32, y: f32, seed: u32) -> f32 {
        let (u, v) = (x * STEPS as f32 + 91.3 * seed as f32, y * STEPS as f32 + 37.7 * seed as f32);
        let ((u, fu), (v, fv)) = (split(u), split(v));
        let [above, below] = [v & MASK, (v.wrapping_add(1)) & MASK].map(|row| &self.0[row * SIDE..][..SIDE]);
        let (left, right) = (u & MASK, (u.wrapping_add(1)) & MASK);
        let top = above[left] + (above[right] - above[left]) * fu;
        let bottom = below[left] + (below[right] - below[left]) * fu;
        top + (bottom - top) * fv
    }

    /// Returns a sum of octaves with the given features per unit; each has 0.6 of the amplitude of the previous one.
    #[inline]
    pub(crate) fn sum(&self, x: f32, y: f32, features: &[f32], seed: u32) -> f32 {
        let (mut sum, mut gain) = (0.0, 1.0);
        for (&f, seed) in features.iter().zip(seed..) {
            sum += gain * self.at(x * f, y * f, seed);
            gain *= GAIN;
        }
        sum
    }
}

#[inline]
fn split(x: f32) -> (usize, f32) {
    let (below, above) = floor_and_fraction(x);
    (below as usize, above)
}

/// Returns the integer below a number, and the fraction above it. Processors without SSE4.1 have no instruction for `floor`.
#[inline]
pub(crate) fn floor_and_fraction(x: f32) -> (i32, f32) {
    let truncated = x as i32;
    let below = truncated - i32::from(x < truncated as f32);
    (below, x - below as f32)
}

/// Returns a hash in [0, 1) of a cell of a lattice and a purpose: the same at every zoom.
#[inline]
pub(crate) fn lattice_random(x: i32, y: i32, purpose: u32) -> f32 {
    let mut h = (x as u32).wrapping_mul(374_761_393).wrapping_add((y as u32).wrapping_mul(668_265_263));
    h = h.wrapping_add(purpose.wrapping_mul(2_147_483_647));
    h = (h ^ (h >> 13)).wrapping_mul(1_274_126_177);
    h = (h ^ (h >> 16)).wrapping_mul(2_246_822_519);
    ((h ^ (h >> 15)) >> 8) as f32 / (1 << 24) as f32
}

/// Noise with large features, computed on a lattice of pixels and interpolated.
pub(crate) struct SlowNoise {
    field: Field,
    lattice: Arc<Sampler<2>>,
}

/// The spacing of the lattice of slow noise: its maximum in pixels, and its fraction of a cell.
const LATTICE_STEP: f32 = 8.0;
const LATTICE_SHARE: f32 = 0.8;

/// Computes slow noise for a picture.
pub(crate) struct SlowNoiseMaker {
    coarse: Viewport,
    step: i32,
    lattice: Arc<Sampler<2>>,
}

impl SlowNoiseMaker {
    pub(crate) fn new(viewport: &Viewport) -> Self {
        let step = (LATTICE_SHARE * viewport.side()).clamp(1.0, LATTICE_STEP) as i32;
        let coarse = viewport.grown(step).coarse(step);
        let field: Field = Field::from_fn(CellRect { min: coarse.origin, max: coarse.origin + coarse.size }, |_| 0.0);
        let on_lattice = Viewport { scale: Vec2::splat(step as f32), ..*viewport };
        Self { coarse, step, lattice: Arc::new(Sampler::new(&on_lattice, &field, [linear, linear])) }
    }

    /// Returns the value of `noise` at the centre of a pixel of a picture of the whole map.
    pub(crate) fn make(&self, noise: impl Fn(Vec2) -> f32) -> SlowNoise {
        let rect = CellRect { min: self.coarse.origin, max: self.coarse.origin + self.coarse.size };
        let field = Field::from_fn(rect, |point| noise((point.as_vec2() + 0.5) * self.step as f32));
        SlowNoise { field, lattice: Arc::clone(&self.lattice) }
    }
}

impl SlowNoise {
    /// Prepares a row of pixels for [`at`](Self::at).
    pub(crate) fn load(&self, y: usize, row: &mut FieldRow) {
        self.lattice.load(&self.field, y, row);
    }

    /// Returns the noise at a pixel of the row.
    #[inline]
    pub(crate) fn at(&self, x: usize, row: &FieldRow) -> f32 {
        self.lattice.at(x, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_centred_smooth_and_repeats() {
        let noise = noise();
        let values: Vec<f32> = (0..10_000).map(|i| noise.at(i as f32 * 0.37, i as f32 * 0.11, 3)).collect();
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / values.len() as f32).sqrt();
        assert!(mean.abs() < 0.1 && (0.5..1.1).contains(&deviation), "{mean} {deviation}");
        let step =
            (0..1000).map(|i| (noise.at(i as f32 * 0.01, 0.3, 0) - noise.at((i + 1) as f32 * 0.01, 0.3, 0)).abs());
        assert!(step.fold(0.0, f32::max) < 0.1);
        assert!((noise.at(-5.25, 7.5, 0) - noise.at(128.0 - 5.25, 7.5 - 128.0, 0)).abs() < 1e-4);
    }
}
