//! Smoothstep: the cubic 3t² − 2t³, which rises from 0 to 1 with slope 0 at both ends.

/// Returns 3t² − 2t³ for t in [0, 1].
#[inline(always)]
pub fn hermite(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

/// Returns 3t² − 2t³ for t in [0, 1], in single precision.
#[inline(always)]
pub fn hermite_f32(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// Returns 0 below `low`, 1 at `high` and above, and [`hermite`] between. A step if `low` is equal to `high`.
#[inline]
pub fn smoothstep(low: f64, high: f64, value: f64) -> f64 {
    if value >= high {
        return 1.0;
    }
    hermite(((value - low) / (high - low)).clamp(0.0, 1.0))
}

/// Returns 0 below `low`, 1 above `high`, and [`hermite_f32`] between. `low` is less than `high`.
#[inline(always)]
pub fn smoothstep_f32(low: f32, high: f32, value: f32) -> f32 {
    hermite_f32(((value - low) / (high - low)).clamp(0.0, 1.0))
}
