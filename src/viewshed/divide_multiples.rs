//! [`divide_multiples`]: exact quotients and remainders of many multiples of a number, without integer division.

/// The numbers that are divided together.
pub(super) const BATCH: usize = 64;

/// Returns the quotients and remainders of `first · step`, `(first + 1) · step`, … by `divisor`.
#[inline(always)]
pub(super) fn divide_multiples(first: usize, step: usize, divisor: usize) -> ([i32; BATCH], [f32; BATCH]) {
    /// 2²³: the sum with a smaller number has its rounded value in the lowest bits.
    const ROUNDING: f32 = 8_388_608.0;
    let (mut quotients, mut remainders) = ([0; BATCH], [0.0; BATCH]);
    if (first + BATCH) * step > i32::MAX as usize {
        for i in 0..BATCH {
            let multiple = (first + i) * step;
            (quotients[i], remainders[i]) = ((multiple / divisor) as i32, (multiple % divisor) as f32);
        }
        return (quotients, remainders);
    }
    let (first, step, inverse, divisor) = (first as i32, step as i32, 1.0 / divisor as f32, divisor as i32);
    for i in 0..BATCH {
        let multiple = (first + i as i32).wrapping_mul(step);
        let nearest = ((multiple as f32 * inverse + ROUNDING).to_bits() as i32).wrapping_sub(ROUNDING.to_bits() as i32);
        let remainder = multiple.wrapping_sub(nearest.wrapping_mul(divisor));
        let too_much = i32::from(remainder < 0);
        quotients[i] = nearest - too_much;
        remainders[i] = remainder.wrapping_add(too_much.wrapping_mul(divisor)) as f32;
    }
    (quotients, remainders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_and_remainders_are_exact() {
        // Small numbers, fractions that a product misses, and products that exceed 32 bits.
        for (first, step, divisor) in [
            (0, 1, 1),
            (0, 512, 3),
            (64, 3, 512),
            (448, 511, 512),
            (128, 49, 7),
            (4032, 4095, 4093),
            (16_320, 4093, 16_381),
            (65_472, 65_521, 65_519),
            (40_000, 120_011, 65_521),
        ] {
            let (quotients, remainders) = divide_multiples(first, step, divisor);
            for i in 0..BATCH {
                let multiple = (first + i) * step;
                let expected = (multiple / divisor, (multiple % divisor) as f32);
                assert_eq!((quotients[i] as usize, remainders[i]), expected, "{multiple}/{divisor}");
            }
        }
    }
}
