//! Noise: octaves of gradient noise, each turned and shifted by its own amount so that
//! their grids never line up.

use std::f64::consts::TAU;

use noise::permutationtable::{NoiseHasher, PermutationTable};

use crate::math::SplitMix64;

/// One octave of gradient noise: Perlin's (1985, with the quintic fade of 2002) over a permutation table of `noise`.
///
/// It is `noise`'s own `Perlin` but for its gradients: sixteen directions instead of the four
/// diagonals, so that no direction is favoured, and a table that is looked up directly.
#[derive(Clone)]
pub(super) struct Wave {
    table: [u8; 256],
    /// From kilometres to the noise's own coordinates: a turn, a scale and a shift.
    across: [f64; 2],
    along: [f64; 2],
    shift: [f64; 2],
}

/// Cosines of multiples of 22.5°: [`Wave`]'s gradients are `(COS[k], COS[(k + 12) % 16])`.
const COS: [f32; 16] = {
    let (a, b, c) = (0.923_879_5, 0.707_106_77, 0.382_683_43);
    [1.0, a, b, c, 0.0, -c, -b, -a, -1.0, -a, -b, -c, 0.0, c, b, a]
};

impl Wave {
    /// Noise with features about half a `length_km` across.
    pub(super) fn new(random: &mut SplitMix64, length_km: f64) -> Self {
        let angle = random.between(0.0, TAU);
        Self::stretched(random, length_km, length_km, angle)
    }

    /// Noise with features `along_km` long in the direction of `angle` and `across_km` wide.
    pub(super) fn stretched(random: &mut SplitMix64, along_km: f64, across_km: f64, angle: f64) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let permutation = PermutationTable::new(random.next_u64() as u32);
        Self {
            table: std::array::from_fn(|i| permutation.hash(&[i as isize]) as u8),
            along: [cos / along_km, sin / along_km],
            across: [-sin / across_km, cos / across_km],
            shift: [random.between(-100.0, 100.0), random.between(-100.0, 100.0)],
        }
    }

    /// The noise at a place in kilometres: 0 on average, mostly within ±0.5, hardly ever beyond ±1.
    #[inline]
    pub(super) fn at(&self, x: f64, y: f64) -> f32 {
        let u = self.along[0] * x + self.along[1] * y + self.shift[0];
        let v = self.across[0] * x + self.across[1] * y + self.shift[1];
        let (column, row) = (floor(u), floor(v));
        let (u, v) = ((u - column as f64) as f32, (v - row as f64) as f32);
        let (left, right) = (self.mix(column), self.mix(column + 1));
        let corner = |column: u8, row: i64, du: f32, dv: f32| {
            let k = usize::from(self.mix(i64::from(column) ^ (row & 0xff)) & 15);
            COS[k] * du + COS[(k + 12) % 16] * dv
        };
        let (across, down) = (fade(u), fade(v));
        let top = lerp(corner(left, row, u, v), corner(right, row, u - 1.0, v), across);
        let bottom = lerp(corner(left, row + 1, u, v - 1.0), corner(right, row + 1, u - 1.0, v - 1.0), across);
        2.0 * lerp(top, bottom, down)
    }

    #[inline]
    fn mix(&self, i: i64) -> u8 {
        self.table[(i & 0xff) as usize]
    }
}

/// The whole number below; quicker than the library's where the processor has no instruction for it.
#[inline]
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole - i64::from(x < whole as f64)
}

#[inline]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

/// Octaves of ever shorter waves, each half as long as the one before.
pub(super) struct Octaves {
    waves: Vec<Wave>,
    longest_km: f64,
    shortest: usize,
}

impl Octaves {
    /// Waves from `longest_km` down to twice the step of the finest frame.
    pub(super) fn new(mut random: SplitMix64, longest_km: f64, finest_step_km: f64) -> Self {
        let (mut waves, mut length) = (Vec::new(), longest_km);
        while waves.is_empty() || (length >= 3.0 * finest_step_km && waves.len() < 24) {
            waves.push(Wave::new(&mut random, length));
            length *= 0.5;
        }
        Self { waves, longest_km, shortest: 0 }
    }

    /// The waves that a frame of this step can carry and no coarser one has carried yet, with their
    /// lengths in kilometres. Each wave is handed out once.
    pub(super) fn next_for(&mut self, step_km: f64, last: bool) -> Vec<(f64, &Wave)> {
        let first = self.shortest;
        let length = |i: usize| self.longest_km / (1_u64 << i) as f64;
        while self.shortest < self.waves.len() && (last || length(self.shortest) >= 5.0 * step_km) {
            self.shortest += 1;
        }
        (first..self.shortest).map(|i| (length(i), &self.waves[i])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_are_smooth_even_and_of_their_length() {
        let wave = Wave::new(&mut SplitMix64::for_purpose(1, 2), 3.0);
        let values: Vec<f32> =
            (0..40_000).map(|i| wave.at(f64::from(i % 200) * 0.7, f64::from(i / 200) * 0.7)).collect();
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        let spread = (values.iter().map(|v| v * v).sum::<f32>() / values.len() as f32).sqrt();
        assert!(mean.abs() < 0.02 && (0.2..0.45).contains(&spread), "mean {mean}, spread {spread}");
        assert!(values.iter().all(|v| v.abs() < 1.42));
        for i in 0..1000 {
            let (x, y) = (f64::from(i) * 0.37 - 150.0, 20.0 - f64::from(i) * 0.11);
            assert!((wave.at(x, y) - wave.at(x + 1e-3, y)).abs() < 3e-3, "a step at {x},{y}");
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
    fn every_wave_is_handed_out_once() {
        let mut octaves = Octaves::new(SplitMix64::for_purpose(1, 3), 24.0, 0.1);
        let lengths: Vec<f64> = [(0.4, false), (0.2, false), (0.1, true)]
            .into_iter()
            .flat_map(|(step, last)| {
                octaves.next_for(step, last).into_iter().map(|(length, _)| length).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(lengths, [24.0, 12.0, 6.0, 3.0, 1.5, 0.75, 0.375]);
    }
}
