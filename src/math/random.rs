//! [`SplitMix64`]: pseudorandom numbers, the same on every platform.

/// A generator of pseudorandom numbers (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*,
/// OOPSLA 2014).
#[derive(Clone, Copy, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Mixes the bits of `state`, which gives the first number of a generator with this seed.
    pub fn mix(state: u64) -> u64 {
        Self(state).next_u64()
    }

    /// Returns the next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl SplitMix64 {
    /// Creates a generator that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates a generator for one `purpose` among several that share a seed.
    pub fn for_purpose(seed: u64, purpose: u64) -> Self {
        let mut random = Self(seed ^ purpose.wrapping_mul(0xd6e8_feb8_6659_fd93));
        random.next_u64();
        random
    }

    /// Returns the next number in [0, 1).
    pub fn next_f64(&mut self) -> f64 {
        unit_f64(self.next_u64())
    }

    /// Returns the next number in [`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next_f64()
    }

    /// Returns the next whole number from `low` to `high`, both included; `low` if `high` is less.
    pub fn within(&mut self, low: i32, high: i32) -> i32 {
        let count = (high - low).max(0) as u64 + 1;
        low + (((self.next_u64() >> 32) * count) >> 32) as i32
    }

    /// Returns `true` with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.next_f64() < probability
    }
}

/// Returns the upper 53 of 64 random bits as a number in [0, 1).
pub fn unit_f64(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_the_published_ones() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers = [random.next_u64(), random.next_u64(), random.next_u64()];
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_reach_their_bounds_and_do_not_exceed_them() {
        let mut random = SplitMix64::new(3);
        let rolls: Vec<_> = (0..200).map(|_| random.within(-2, 3)).collect();
        assert_eq!((rolls.iter().min(), rolls.iter().max()), (Some(&-2), Some(&3)));
        assert_eq!(random.within(5, 4), 5);
        assert!((0..100).all(|_| random.chance(1.0) && !random.chance(0.0)));
    }
}
