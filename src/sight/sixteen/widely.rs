//! Code for vectors of any width, compiled for these.

use super::Sixteen;

/// Does work that is written for any width, compiled for these vectors.
///
/// # Panics
/// If the processor cannot do it.
pub(in super::super) fn widely<W: pulp::WithSimd>(work: W) -> W::Output {
    #[target_feature(enable = "avx512f")]
    fn compiled<W: pulp::WithSimd>(work: W) -> W::Output {
        work.with_simd(pulp::Scalar)
    }
    assert!(Sixteen::is_supported());
    // SAFETY: the processor has AVX-512.
    unsafe { compiled(work) }
}
