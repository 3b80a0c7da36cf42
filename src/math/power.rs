//! Powers of numbers in [0, 1] in plain arithmetic, which compiles to vector instructions and gives the same bits on
//! every platform.
//!
//! xᵉ is `exp2(log2(x) * e)`. Its error is below 3 · 10⁻⁷, and 0ᵉ = 0 and 1ᵉ = 1 are exact. The polynomial of 2ˣ is
//! that of `exp2f` in S. L. Moshier's Cephes library.
//!
//! For e from 1 to 1.5, `x * exp2_approx(log2_approx(x) * (e - 1.0))` is cheaper at the same error: at most half of the
//! error of the logarithm has an effect, no product is near the range limits of a float, and the factor x makes 0 and 1
//! exact. The polynomials of both functions are minimax, with weights that keep them exact at 0.

/// The value for log₂ 0. [`exp2`] of any product of it with a positive exponent of normal size is 0.
const LOG2_ZERO: f32 = -1e30;

/// Splits x = 2ᵏ · m with m in [√½, √2): returns k and s = (m − 1)/(m + 1), for ln m = 2 artanh s.
#[inline(always)]
pub(crate) fn split(x: f32) -> (f32, f32) {
    const SQRT_HALF: i32 = 0x3f35_04f3;
    let bits = x.to_bits() as i32;
    let k = bits.wrapping_sub(SQRT_HALF) >> 23;
    let m = f32::from_bits(bits.wrapping_sub(k << 23) as u32);
    (k as f32, (m - 1.0) / (m + 1.0))
}

/// Computes log₂ x for x in [0, 1]; `LOG2_ZERO` at 0 (and for NaN), exactly 0 at 1.
#[inline(always)]
pub fn log2(x: f32) -> f32 {
    let (k, s) = split(x);
    let s2 = s * s;
    let series = 1.0 + s2 * (1.0 / 3.0 + s2 * (1.0 / 5.0 + s2 * (1.0 / 7.0)));
    let log = k + (2.0 * std::f32::consts::LOG2_E) * s * series;
    if x > 0.0 { log } else { LOG2_ZERO }
}

/// 1.5 · 2²³: a sum with it has the nearest integer in its low bits.
const ROUND: f32 = 12_582_912.0;

/// Computes 2ˣ for x ≤ 0; 0 for x < −125.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let clamped = if x > -125.0 { x } else { -125.0 };
    let shifted = clamped + ROUND;
    let part = clamped - (shifted - ROUND); // in [−½, ½]
    let power = 1.0
        + part
            * (std::f32::consts::LN_2
                + part
                    * (0.240_226_48
                        + part
                            * (0.055_503_324
                                + part * (0.009_618_437 + part * (0.001_339_887_4 + part * 0.000_153_533_62)))));
    let scaled = f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23));
    if x >= -125.0 { scaled } else { 0.0 }
}

/// Computes log₂ x for x ≥ 0. The error is at most 2 · 10⁻⁷, relative where |log₂ x| > 1. A number below −125 at 0,
/// exactly 0 at 1.
#[inline(always)]
pub fn log2_approx(x: f32) -> f32 {
    let (k, s) = split(x);
    log2_of_split(k, s)
}

/// Returns the second half of [`log2_approx`], from the result of [`split`].
#[inline(always)]
pub(crate) fn log2_of_split(k: f32, s: f32) -> f32 {
    let s2 = s * s;
    k + s * (2.885_391_2 + s2 * (0.961_470_8 + s2 * 0.598_973_9))
}

/// Computes 2ˣ for x in [−126, 126] with a relative error of at most 3 · 10⁻⁷. Exactly 1 at 0, at most 1 for x < 0.
#[inline(always)]
pub fn exp2_approx(x: f32) -> f32 {
    let shifted = x + ROUND;
    let part = x - (shifted - ROUND);
    let square = part * part;
    // In pairs (Estrin's scheme), for a shorter chain of dependent operations.
    let power = (1.0 + part * 0.693_147_24)
        + square * ((0.240_222_35 + part * 0.055_503_085) + square * (0.009_671_876 + part * 0.001_340_724_5));
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// The largest opacity that [`ln_transparency`] and [`exp_low_opacity`] accept.
pub(crate) const LOW_OPACITY: f32 = 0.3;

/// Computes ln(1 − opacity) for opacities up to [`LOW_OPACITY`]; exactly 0 at 0.
#[inline(always)]
pub(crate) fn ln_transparency(opacity: f32) -> f32 {
    let s = opacity / (opacity - 2.0);
    let s2 = s * s;
    2.0 * s * (1.0 + s2 * (1.0 / 3.0 + s2 * (1.0 / 5.0 + s2 * (1.0 / 7.0))))
}

/// Computes eˣ for x in [√2 · ln(1 − [`LOW_OPACITY`]), 0], by interpolation of (eˣ − 1)/x at the Chebyshev nodes.
/// Exactly 1 at 0.
#[inline(always)]
pub(crate) fn exp_low_opacity(x: f32) -> f32 {
    1.0 + x * (0.999_999_94 + x * (0.499_992_3 + x * (0.166_545_3 + x * (0.040_988_82 + x * 0.006_755_332))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pow(x: f32, e: f32) -> f32 {
        exp2(log2(x) * e)
    }

    /// Returns floats of [0, 1] in relative steps of about 10⁻⁴, including the endpoints.
    fn samples() -> impl Iterator<Item = f32> {
        (0x2000_0000..1f32.to_bits()).step_by(997).map(f32::from_bits).chain([0.0, 1e-30, f32::MIN_POSITIVE, 1.0])
    }

    #[test]
    fn error_of_powers_is_below_the_stated_bound() {
        for x in samples() {
            for e in [1e-4, 0.3, 1.0, 1.2, std::f32::consts::SQRT_2] {
                let (found, exact) = (pow(x, e), libm::pow(f64::from(x), f64::from(e)));
                assert!((f64::from(found) - exact).abs() < 3e-7, "{x}^{e} = {exact}, not {found}");
                assert!((0.0..=1.0).contains(&found), "{x}^{e} = {found}");
            }
        }
    }

    #[test]
    fn error_of_powers_from_1_to_1_5_is_below_the_stated_bound() {
        for x in samples().chain([1e-40]) {
            for extra in [0.0, 1e-4, 0.1, 0.2, 0.3, 0.5] {
                let found = x * exp2_approx(log2_approx(x) * extra);
                let exact = libm::pow(f64::from(x), 1.0 + f64::from(extra));
                assert!((f64::from(found) - exact).abs() < 3e-7, "{x}^1+{extra} = {exact}, not {found}");
                assert!((0.0..=x).contains(&found), "{x}^1+{extra} = {found}");
            }
        }
        for extra in [0.0, 0.3, 0.5] {
            assert_eq!([0.0, 1.0].map(|x| x * exp2_approx(log2_approx(x) * extra)), [0.0, 1.0]);
        }
    }

    #[test]
    fn error_of_logarithms_is_below_the_stated_bound() {
        for x in samples().filter(|x| *x >= f32::MIN_POSITIVE).flat_map(|x| [x, 1.0 / x]) {
            let (found, exact) = (f64::from(log2_approx(x)), libm::log2(f64::from(x)));
            assert!(
                (found - exact).abs() <= 2e-7 * exact.abs().max(1.0) && (found <= 0.0 || x > 1.0),
                "log {x} = {exact}, not {found}"
            );
        }
        assert_eq!(log2_approx(1.0), 0.0);
        assert!(log2_approx(0.0) < -125.0);
    }

    #[test]
    fn relative_error_of_exp2_approx_is_below_the_stated_bound() {
        for step in -125_990..=125_990 {
            let x = 0.001 * step as f32;
            let (found, exact) = (f64::from(exp2_approx(x)), libm::exp2(f64::from(x)));
            assert!((found / exact - 1.0).abs() < 3e-7 && (found <= 1.0 || x > 0.0), "2^{x} = {exact}, not {found}");
        }
        assert_eq!(exp2_approx(0.0), 1.0);
    }

    #[test]
    fn relative_error_of_one_factor_is_small() {
        // The beam method multiplies many of these factors.
        for x in samples().filter(|&x| x > 1e-7) {
            for chord in [0.01, 0.5, 1.0, 1.414] {
                let (found, exact) = (f64::from(pow(x, chord)), libm::pow(f64::from(x), f64::from(chord)));
                let bound = 2.5e-7 * (1.0 - exact.log2());
                assert!((found / exact - 1.0).abs() < bound, "{x}^{chord} = {exact}, not {found}");
            }
        }
    }

    #[test]
    fn error_for_low_opacities_is_below_the_same_bound() {
        for step in 0..=3000 {
            let opacity = LOW_OPACITY * step as f32 / 3000.0;
            for chord in [1e-3, 0.4, 1.0, std::f32::consts::SQRT_2] {
                let found = exp_low_opacity(ln_transparency(opacity) * chord);
                let exact = libm::pow(1.0 - f64::from(opacity), f64::from(chord));
                assert!((f64::from(found) / exact - 1.0).abs() < 2.5e-7, "{opacity}, {chord}: {found}, not {exact}");
                assert!(found <= 1.0);
            }
        }
        assert_eq!(exp_low_opacity(ln_transparency(0.0)), 1.0);
    }

    #[test]
    fn powers_of_0_and_1_are_exact() {
        for e in [1e-4, 0.3, 1.0, 1.4] {
            assert_eq!(pow(0.0, e), 0.0);
            assert_eq!(pow(1.0, e), 1.0);
        }
        assert_eq!(exp2(-1.0), 0.5);
        assert_eq!(exp2(-300.0), 0.0);
        assert_eq!(exp2(f32::NEG_INFINITY), 0.0);
        assert_eq!(log2(f32::NAN), LOG2_ZERO);
        assert_eq!(log2(0.5), -1.0);
    }
}
