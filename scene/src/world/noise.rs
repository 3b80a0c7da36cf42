//! Gradient noise: [`PerlinOctave`], and [`Octaves`] of halving wavelengths.

use std::f64::consts::TAU;

use fearless_simd::Level;
use noise::{NoiseFn, SuperSimplex};

use farsight::internal::math::SplitMix64;
use farsight::internal::simd::dispatch;

/// One octave of gradient noise (K. Perlin 1985, with the quintic fade of 2002).
///
/// A hash of the lattice point replaces Perlin's permutation table, so that rows of noise are plain vector arithmetic,
/// and the pattern does not repeat. Gradients have arbitrary directions, so the noise is isotropic. Each octave
/// has a random rotation and offset, so that the lattices of several octaves never line up.
#[derive(Clone)]
pub(super) struct PerlinOctave {
    seed: u32,
    /// The rows of the matrix from kilometres to noise coordinates, and an offset.
    along: [f64; 2],
    across: [f64; 2],
    offset: [f64; 2],
}

impl PerlinOctave {
    /// Creates noise of this wavelength; the width of its features is about half of it.
    pub(super) fn new(random: &mut SplitMix64, wavelength_km: f64) -> Self {
        let angle = random.between(0.0, TAU);
        Self::stretched(random, wavelength_km, wavelength_km, angle)
    }

    /// Creates noise with the wavelength `along_km` in the direction of `angle` and `across_km` perpendicular to it.
    pub(super) fn stretched(random: &mut SplitMix64, along_km: f64, across_km: f64, angle: f64) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        Self {
            seed: random.next_u64() as u32,
            along: [cos / along_km, sin / along_km],
            across: [-sin / across_km, cos / across_km],
            offset: [random.between(-100.0, 100.0), random.between(-100.0, 100.0)],
        }
    }

    /// Returns the noise at a position in kilometres: 0 on average, mostly within ±0.5, rarely beyond ±1.
    #[cfg(test)]
    fn sample(&self, x: f64, y: f64) -> f32 {
        let (u, v) = self.position(x, y);
        self.at(u, v)
    }

    /// Returns the noise coordinates of a position in kilometres.
    #[inline(always)]
    fn position(&self, x: f64, y: f64) -> (LatticeCoordinate, LatticeCoordinate) {
        let u = self.along[0] * x + (self.along[1] * y + self.offset[0]);
        let v = self.across[0] * x + (self.across[1] * y + self.offset[1]);
        (LatticeCoordinate::new(u), LatticeCoordinate::new(v))
    }

    #[inline(always)]
    fn at(&self, u: LatticeCoordinate, v: LatticeCoordinate) -> f32 {
        const COLUMN: u32 = 0x9e37_79b1;
        const ROW: u32 = 0x85eb_ca77;
        let (left, top) = (u.whole.wrapping_mul(COLUMN) ^ self.seed, v.whole.wrapping_mul(ROW));
        let (right, bottom) = (u.whole.wrapping_add(1).wrapping_mul(COLUMN) ^ self.seed, top.wrapping_add(ROW));
        let (u, v) = (u.part, v.part);
        let (across, down) = (fade(u), fade(v));
        let upper = lerp(corner(left ^ top, u, v), corner(right ^ top, u - 1.0, v), across);
        let lower = lerp(corner(left ^ bottom, u, v - 1.0), corner(right ^ bottom, u - 1.0, v - 1.0), across);
        // The mean square of the gradients of `corner` is 1/15; this scales them to twice the length of unit vectors.
        const SCALE: f32 = 7.745_967;
        SCALE * lerp(upper, lower, down)
    }
}

/// The integer part of a number, modulo 2³², and the fraction, in [0, 1].
#[derive(Clone, Copy)]
struct LatticeCoordinate {
    whole: u32,
    part: f32,
}

impl LatticeCoordinate {
    #[inline(always)]
    fn new(value: f64) -> Self {
        // 1.5 · 2⁵²: adding it rounds to the nearest integer in the low bits.
        const ROUND: f64 = 6_755_399_441_055_744.0;
        let shifted = (value - 0.5) + ROUND;
        Self { whole: shifted.to_bits() as u32, part: (value - (shifted - ROUND)) as f32 }
    }
}

/// Returns the dot product of the gradient of a lattice point and the offset from it. The length of gradients is ¼
/// within 3 %: the curve of `wave` and `wave` shifted by a quarter is nearly a circle.
#[inline(always)]
fn corner(point: u32, du: f32, dv: f32) -> f32 {
    // C. Wellons' hash `lowbias32`, without its last step: only the high bits matter.
    let mixed = (point ^ (point >> 16)).wrapping_mul(0x21f0_aaad);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0xd35a_2d97);
    /// Returns a parabola for each half of the sine whose period is 2³².
    #[inline(always)]
    fn wave(phase: u32) -> f32 {
        let t = phase as i32 as f32 * (1.0 / 2_147_483_648.0);
        t * (1.0 - t.abs())
    }
    wave(mixed.wrapping_add(1 << 30)) * du + wave(mixed) * dv
}

/// Perlin's quintic of 2002.
#[inline(always)]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline(always)]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

/// Slow waves of the weather: super simplex noise of the crate `noise`, which is isotropic. It is slower than
/// [`PerlinOctave`], and used on coarse levels.
pub(super) struct WeatherNoise {
    noise: SuperSimplex,
    wavelength_km: f64,
    offset: [f64; 2],
}

impl WeatherNoise {
    /// Creates noise of this wavelength.
    pub(super) fn new(random: &mut SplitMix64, wavelength_km: f64) -> Self {
        let noise = SuperSimplex::new(random.next_u64() as u32);
        Self { noise, wavelength_km, offset: [random.between(-100.0, 100.0), random.between(-100.0, 100.0)] }
    }

    /// Replaces `values` by the noise in a row, times an amplitude: 0 on average, and within ±`amplitude`.
    pub(super) fn fill_row(&self, row: NoiseRow, amplitude: f32, values: &mut [f32]) {
        let v = row.y / self.wavelength_km + self.offset[1];
        for (i, value) in (0u32..).zip(values) {
            let u = (row.x0 + f64::from(i) * row.step) / self.wavelength_km + self.offset[0];
            *value = amplitude * self.noise.get([u, v]) as f32;
        }
    }
}

/// A row of positions in kilometres: `x0 + i · step`, `y`.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoiseRow {
    pub(super) x0: f64,
    pub(super) step: f64,
    pub(super) y: f64,
}

impl NoiseRow {
    /// Replaces `values` by the sum of octaves, each times its amplitude.
    pub(super) fn fill(self, octaves: &[(f32, &PerlinOctave)], values: &mut [f32]) {
        dispatch!(Level::new(), _ => self.fill_in_vectors(octaves, values));
    }

    #[inline(always)]
    fn fill_in_vectors(self, octaves: &[(f32, &PerlinOctave)], values: &mut [f32]) {
        // Coordinates need `f64` and noise does not: separate loops use the widest vectors for each.
        const BLOCK: usize = 64;
        let (mut columns, mut rows, mut us, mut vs) = ([0; BLOCK], [0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
        values.fill(0.0);
        for (block, values) in values.chunks_mut(BLOCK).enumerate() {
            let first = (block * BLOCK) as i32;
            for &(amplitude, octave) in octaves {
                for i in 0..BLOCK {
                    let (u, v) = octave.position(self.x0 + f64::from(first + i as i32) * self.step, self.y);
                    (columns[i], us[i], rows[i], vs[i]) = (u.whole, u.part, v.whole, v.part);
                }
                for (i, value) in values.iter_mut().enumerate() {
                    let u = LatticeCoordinate { whole: columns[i], part: us[i] };
                    let v = LatticeCoordinate { whole: rows[i], part: vs[i] };
                    *value += amplitude * octave.at(u, v);
                }
            }
        }
    }
}

/// Octaves of noise, each of half the wavelength of the previous one. The first level of a resolution pyramid that
/// resolves an octave consumes it.
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

    /// Removes and returns the octaves that a grid of this step resolves, or all remaining octaves on the `finest`
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
    use farsight::internal::simd::levels;

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
    fn gradients_are_a_quarter_as_long_as_unit_vectors() {
        let mut random = SplitMix64::new(7);
        let lengths: Vec<f32> = (0..1000)
            .map(|_| {
                let point = random.next_u64() as u32;
                corner(point, 1.0, 0.0).hypot(corner(point, 0.0, 1.0))
            })
            .collect();
        assert!(lengths.iter().all(|length| (0.25 - 1e-6..0.2652).contains(length)));
        let mean_square = lengths.iter().map(|length| length * length).sum::<f32>() / 1000.0;
        assert!((15.0 * mean_square - 1.0).abs() < 0.01, "{mean_square}");
    }

    #[test]
    fn gradients_of_neighbours_do_not_depend_on_each_other() {
        // The slopes at lattice points equal the gradients.
        let octave = PerlinOctave::stretched(&mut SplitMix64::for_purpose(4, 4), 1.0, 1.0, 0.0);
        let gradient = |column: i32, row: i32| {
            let at = |dx: f64, dy: f64| {
                octave.sample(f64::from(column) - octave.offset[0] + dx, f64::from(row) - octave.offset[1] + dy)
            };
            [at(1e-3, 0.0) * 500.0, at(0.0, 1e-3) * 500.0]
        };
        for step in [[1, 0], [0, 1], [1, 1], [1, -1], [2, 0], [0, 2]] {
            let mut sum = 0.0;
            for (column, row) in (0..40).flat_map(|row| (0..40).map(move |column| (column, row))) {
                let (a, b) = (gradient(column, row), gradient(column + step[0], row + step[1]));
                sum += a[0] * b[0] + a[1] * b[1];
            }
            assert!((sum / 1600.0).abs() < 0.08, "{step:?}: {}", sum / 1600.0);
        }
    }

    #[test]
    fn rows_have_the_bits_of_single_samples_with_every_width_of_vector() {
        let mut random = SplitMix64::for_purpose(5, 6);
        let octaves = [0.4, 3.0, 50.0].map(|km| PerlinOctave::new(&mut random, km));
        let terms = [(0.3, &octaves[0]), (-2.0, &octaves[1]), (1.0, &octaves[2])];
        for len in [1, 7, 64, 200] {
            let row = NoiseRow { x0: -33.35, step: 0.1, y: 12.25 };
            let wanted: Vec<f32> = (0..len)
                .map(|i| {
                    let x = row.x0 + f64::from(i) * row.step;
                    terms.iter().fold(0.0, |sum, (amplitude, octave)| sum + amplitude * octave.sample(x, row.y))
                })
                .collect();
            for level in levels() {
                let mut values = vec![9.0; len as usize];
                dispatch!(level, _ => row.fill_in_vectors(&terms, &mut values));
                assert_eq!(values, wanted, "{level:?}");
            }
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
