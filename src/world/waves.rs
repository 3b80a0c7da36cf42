//! Noise: octaves of Perlin's gradient noise, each turned and shifted by its own amount so that
//! their grids never line up.

use std::f64::consts::TAU;

use noise::core::perlin::perlin_2d;
use noise::permutationtable::PermutationTable;

/// A stream of numbers from a seed: Steele, Lea and Flood's SplitMix64 (2014).
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// Dice of their own for each purpose.
    pub(super) fn new(seed: u64, purpose: u64) -> Self {
        let mut dice = Self(seed ^ purpose.wrapping_mul(0xd6e8_feb8_6659_fd93));
        dice.next();
        dice
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number from 0 up to 1.
    pub(super) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// The next number from `low` up to `high`.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }
}

/// One octave of noise.
#[derive(Clone)]
pub(super) struct Wave {
    table: PermutationTable,
    /// From kilometres to the noise's own coordinates: a turn, a scale and a shift.
    across: [f64; 2],
    along: [f64; 2],
    shift: [f64; 2],
}

impl Wave {
    /// Noise with features about half a `length_km` across.
    pub(super) fn new(dice: &mut Dice, length_km: f64) -> Self {
        let angle = dice.between(0.0, TAU);
        Self::stretched(dice, length_km, length_km, angle)
    }

    /// Noise with features `along_km` long in the direction of `angle` and `across_km` wide.
    pub(super) fn stretched(dice: &mut Dice, along_km: f64, across_km: f64, angle: f64) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        Self {
            table: PermutationTable::new(dice.next() as u32),
            along: [cos / along_km, sin / along_km],
            across: [-sin / across_km, cos / across_km],
            shift: [dice.between(-100.0, 100.0), dice.between(-100.0, 100.0)],
        }
    }

    /// The noise at a place in kilometres, in [−1, 1]; about ±0.5 for the most part.
    #[inline]
    pub(super) fn at(&self, x: f64, y: f64) -> f32 {
        let u = self.along[0] * x + self.along[1] * y + self.shift[0];
        let v = self.across[0] * x + self.across[1] * y + self.shift[1];
        perlin_2d([u, v].into(), &self.table) as f32
    }
}

/// Octaves of ever shorter waves, each half as long as the one before.
pub(super) struct Octaves {
    waves: Vec<Wave>,
    longest_km: f64,
    shortest: usize,
}

impl Octaves {
    /// Waves from `longest_km` down to twice the step of the finest frame.
    pub(super) fn new(mut dice: Dice, longest_km: f64, finest_step_km: f64) -> Self {
        let (mut waves, mut length) = (Vec::new(), longest_km);
        while waves.is_empty() || (length >= 3.0 * finest_step_km && waves.len() < 24) {
            waves.push(Wave::new(&mut dice, length));
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

/// 0 below `low`, 1 above `high`, smooth between.
#[inline]
pub(super) fn smoothstep(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
