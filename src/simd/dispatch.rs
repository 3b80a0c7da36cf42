//! Dispatch at run time to code that is compiled for the widest vectors of the processor.

use pulp::WithSimd;

/// The number of `f32` lanes in the widest vectors, those of AVX-512.
pub(crate) const LANES: usize = 16;

/// Runs `work`, compiled for the widest vectors that this processor has.
///
/// The result has the same bits on every processor if `work` is plain arithmetic, lane by lane.
pub(crate) fn dispatch<W: WithSimd>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        return with_avx512(work);
    }
    pulp::Arch::new().dispatch(work)
}

/// Returns `true` if this processor has AVX-512F.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

/// Returns the widest vectors that the kernels use on this processor, in words.
#[cfg(feature = "cli")]
pub(crate) fn processor_level() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        return "AVX-512, 16 lanes";
    }
    match pulp::Arch::new() {
        #[cfg(target_arch = "x86_64")]
        pulp::Arch::V3(_) => "AVX2, 8 lanes",
        #[cfg(target_arch = "aarch64")]
        pulp::Arch::Neon(_) => "NEON, 4 lanes",
        #[cfg(target_arch = "x86_64")]
        _ => "SSE2, 4 lanes",
        #[cfg(not(target_arch = "x86_64"))]
        _ => "portable, 4 lanes",
    }
}

/// Runs `work` compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "a function with a target feature is called after a check of the processor")]
fn with_avx512<W: WithSimd>(work: W) -> W::Output {
    #[target_feature(enable = "avx512f")]
    fn compiled<W: WithSimd>(work: W) -> W::Output {
        work.with_simd(pulp::Scalar)
    }
    assert!(has_avx512());
    // SAFETY: the processor has AVX-512.
    unsafe { compiled(work) }
}
