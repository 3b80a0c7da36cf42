//! The fuzz targets of farsight, for libFuzzer. `fuzz/run` builds and runs them.

#[path = "../../scene/tests/files/fuzz_targets/mod.rs"]
mod fuzz_targets;

#[doc(hidden)]
pub use libfuzzer_sys;

/// Defines the program of the target of this name.
#[macro_export]
macro_rules! target {
    ($target:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(init: $crate::let_panics_unwind(), |bytes: &[u8]| {
            $crate::run($target, bytes);
        });
    };
}

/// Replaces the panic hook of libFuzzer, which aborts: a panic that farsight catches is not a fault.
pub fn let_panics_unwind() {
    drop(std::panic::take_hook());
}

/// Runs a target, and ends the process if it panics.
pub fn run(target: &str, bytes: &[u8]) {
    if std::panic::catch_unwind(|| fuzz_targets::run(target, bytes)).is_err() {
        std::process::abort();
    }
}
