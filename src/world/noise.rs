//! Gradient noise: [`PerlinOctave`], and [`Octaves`] of halving wavelengths.

use std::f64::consts::TAU;

use noise::permutationtable::{NoiseHasher, PermutationTable};

use crate::math::SplitMix64;

/// One octave of Perlin noise (1985, with the quintic fade of 2002) over a permutation table of the crate `noise`.
///
/// It differs from the crate's `Perlin` in its gradients: sixteen directions instead of the four diagonals, so that no
/// direction is favoured. Each octave has a random rotation and offset, so that the grids of several octaves never line
/// up.
#[derive(Clone)]
pub(super) struct PerlinOctave {
    table: [u8; 256],
    /// The rows of the matrix from kilometres to noise coordinates, and an offset.
    along: [f64; 2],
    across: [f64; 2],
    offset: [f64; 2],
}

/// Cosines of multiples of 22.5°: the gradients are `(COS[k], COS[(k + 12) % 16])`.
const COS: [f32; 16] = {
    let (a, b, c) = (0.923_879_5, 0.707_106_77, 0.382_683_43);
    [1.0, a, b, c, 0.0, -c, -b, -a, -1.0, -a, -b, -c, 0.0, c, b, a]
};

impl PerlinOctave {
    /// Noise of this wavelength; its features are about half as wide.
    pub(super) fn new(random: &mut SplitMix64, wavelength_km: f64) -> Self {
        let angle = random.between(0.0, TAU);
        Self::stretched(random, wavelength_km, wavelength_km, angle)
    }

    /// Noise with the wavelength `along_km` in the direction of `angle` and `across_km` across it.
    pub(super) fn stretched(random: &mut SplitMix64, along_km: f64, across_km: f64, angle: f64) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let permutation = PermutationTable::new(random.next_u64() as u32);
        Self {
            table: std::array::from_fn(|i| permutation.hash(&[i as isize]) as u8),
            along: [cos / along_km, sin / along_km],
            across: [-sin / across_km, cos / across_km],
            offset: [random.between(-100.0, 100.0), random.between(-100.0, 100.0)],
        }
    }

    /// Returns the noise at a position in kilometres: 0 on average, mostly within ±0.5, hardly ever beyond ±1.
    #[inline]
    pub(super) fn sample(&self, x: f64, y: f64) -> f32 {
        let u = self.along[0] * x + self.along[1] * y + self.offset[0];
        let v = self.across[0] * x + self.across[1] * y + self.offset[1];
        let (column, row) = (floor(u), floor(v));
        let (u, v) = ((u - column as f64) as f32, (v - row as f64) as f32);
        let (left, right) = (self.permute(column), self.permute(column + 1));
        let corner = |column: u8, row: i64, du: f32, dv: f32| {
            let k = usize::from(self.permute(i64::from(column) ^ (row & 0xff)) & 15);
            COS[k] * du + COS[(k + 12) % 16] * dv
        };
        let (across, down) = (fade(u), fade(v));
        let top = lerp(corner(left, row, u, v), corner(right, row, u - 1.0, v), across);
        let bottom = lerp(corner(left, row + 1, u, v - 1.0), corner(right, row + 1, u - 1.0, v - 1.0), across);
        2.0 * lerp(top, bottom, down)
    }

    #[inline]
    fn permute(&self, i: i64) -> u8 {
        self.table[(i & 0xff) as usize]
    }
}

/// Faster than the standard library's where the processor has no instruction for it.
#[inline]
fn floor(x: f64) -> i64 {
    let truncated = x as i64;
    truncated - i64::from(x < truncated as f64)
}

/// Perlin's quintic of 2002.
#[inline]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

/// Octaves of noise, each of half the wavelength of the one before. Each is taken once, by the first level of a
/// resolution pyramid that resolves it.
pub(super) struct Octaves {
    octaves: Vec<Octave>,
    taken: usize,
}

pub(super) struct Octave {
    pub(super) wavelength_km: f64,
    pub(super) noise: PerlinOctave,
}

impl Octaves {
    /// Octaves from `longest_km` down to about three times the step of the finest level.
    pub(super) fn new(mut random: SplitMix64, longest_km: f64, finest_step_km: f64) -> Self {
        let (mut octaves, mut wavelength_km) = (Vec::new(), longest_km);
        while octaves.is_empty() || (wavelength_km >= 3.0 * finest_step_km && octaves.len() < 24) {
            octaves.push(Octave { wavelength_km, noise: PerlinOctave::new(&mut random, wavelength_km) });
            wavelength_km *= 0.5;
        }
        Self { octaves, taken: 0 }
    }

    /// Takes the octaves that a grid of this step resolves and that are not yet taken; all the rest on the `finest`
    /// level.
    pub(super) fn take(&mut self, step_km: f64, finest: bool) -> &[Octave] {
        let rest = &self.octaves[self.taken..];
        let is_resolved = |octave: &&Octave| finest || octave.wavelength_km >= 5.0 * step_km;
        let octaves = &rest[..rest.iter().take_while(is_resolved).count()];
        self.taken += octaves.len();
        octaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_smooth_and_zero_on_average() {
        let octave = PerlinOctave::new(&mut SplitMix64::for_purpose(1, 2), 3.0);
        let values: Vec<f32> =
            (0..40_000).map(|i| octave.sample(f64::from(i % 200) * 0.7, f64::from(i / 200) * 0.7)).collect();
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let spread = (values.iter().map(|v| v * v).sum::<f32>() / values.len() as f32).sqrt();
        assert!(mean.abs() < 0.02 && (0.2..0.45).contains(&spread), "mean {mean}, spread {spread}");
        assert!(values.iter().all(|v| v.abs() < 1.42));
        for i in 0..1000 {
            let (x, y) = (f64::from(i) * 0.37 - 150.0, 20.0 - f64::from(i) * 0.11);
            assert!((octave.sample(x, y) - octave.sample(x + 1e-3, y)).abs() < 3e-3, "a step at {x},{y}");
        }
    }

    #[test]
    fn gradients_are_unit_vectors() {
        for k in 0..16 {
            let (x, y) = (COS[k], COS[(k + 12) % 16]);
            assert!((x * x + y * y - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn every_octave_is_taken_once() {
        let mut octaves = Octaves::new(SplitMix64::for_purpose(1, 3), 24.0, 0.1);
        let mut wavelengths = Vec::new();
        for (step, finest) in [(0.4, false), (0.2, false), (0.1, true)] {
            wavelengths.extend(octaves.take(step, finest).iter().map(|octave| octave.wavelength_km));
        }
        assert_eq!(wavelengths, [24.0, 12.0, 6.0, 3.0, 1.5, 0.75, 0.375]);
    }
}
