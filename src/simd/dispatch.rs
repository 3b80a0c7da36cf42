//! Runtime dispatch to code that is compiled for the vectors of the processor.

/// The number of `f32` lanes in the widest vectors, those of AVX-512.
pub const LANES: usize = 16;

/// Computes a vector lane by lane.
#[inline(always)]
pub fn each_lane(lane: impl Fn(usize) -> f32) -> [f32; LANES] {
    let mut vector = [0.0; LANES];
    for (i, slot) in vector.iter_mut().enumerate() {
        *slot = lane(i);
    }
    vector
}

/// Evaluates a call that is compiled for the widest vectors of a `Level`: those of AVX-512 (Ice Lake and newer), of
/// AVX2, or the baseline of the target. `simd` is the token of these vectors.
///
/// The called functions must be `#[inline(always)]`. The result has the same bits at every level if the work is plain
/// arithmetic, lane by lane.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch {
    ($level:expr, $simd:pat => $work:expr) => {{
        let level: fearless_simd::Level = $level;
        #[cfg(target_arch = "x86_64")]
        let avx512 = level.as_avx512();
        #[cfg(target_arch = "x86_64")]
        let result = match avx512 {
            Some(token) => $crate::vectorize!(token, $simd => $work),
            None => $crate::dispatch_8_lanes!(level, $simd => $work),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let result = $crate::dispatch_8_lanes!(level, $simd => $work);
        result
    }};
}

/// Like [`dispatch`], for work with at most eight lanes.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_8_lanes {
    ($level:expr, $simd:pat => $work:expr) => {{
        let level: fearless_simd::Level = $level;
        #[cfg(target_arch = "x86_64")]
        let result = match level.as_avx2() {
            Some(token) => $crate::vectorize!(token, $simd => $work),
            None => $crate::vectorize!(level.as_sse2().expect("every x86_64 has SSE2"), $simd => $work),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let result = fearless_simd::dispatch!(level, $simd => $work);
        result
    }};
}

/// Evaluates a call that is compiled for the vectors of a token.
#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
#[macro_export]
macro_rules! vectorize {
    ($token:expr, $simd:pat => $work:expr) => {{
        let token = $token;
        let $simd = token;
        fearless_simd::Simd::vectorize(
            token,
            #[inline(always)]
            || $work,
        )
    }};
}

/// Returns `true` if the processor has vectors of 16 lanes.
#[inline(always)]
pub fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    return fearless_simd::Level::new().as_avx512().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns the levels of this processor with different vector widths.
pub fn levels() -> Vec<fearless_simd::Level> {
    use fearless_simd::Level;

    let levels = [
        Some(Level::baseline()),
        Some(Level::new()),
        #[cfg(target_arch = "x86_64")]
        Level::new().as_avx2().map(Level::Avx2),
    ];
    levels.into_iter().flatten().collect()
}

/// Returns the name of the widest vectors that the kernels use on this processor.
pub fn processor_level() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return match fearless_simd::Level::new() {
        _ if has_avx512() => "AVX-512, 16 lanes",
        level if level.as_avx2().is_some() => "AVX2, 8 lanes",
        _ => "SSE2, 4 lanes",
    };
    #[cfg(target_arch = "aarch64")]
    return "NEON, 4 lanes";
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    "portable, 4 lanes"
}
