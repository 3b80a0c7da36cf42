//! The doors of farsight as targets of libFuzzer. `fuzz/run` builds and runs them.

#[path = "../../tests/files/doors/mod.rs"]
mod doors;

#[doc(hidden)]
pub use libfuzzer_sys;

/// Defines a target that gives its bytes to the door of this name.
#[macro_export]
macro_rules! target {
    ($door:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(init: $crate::let_panics_unwind(), |bytes: &[u8]| {
            $crate::run($door, bytes);
        });
    };
}

/// Replaces the panic hook of libFuzzer, which aborts: a panic that farsight catches is no fault.
pub fn let_panics_unwind() {
    drop(std::panic::take_hook());
}

/// Runs a door, and ends the process if it panics.
pub fn run(door: &str, bytes: &[u8]) {
    if std::panic::catch_unwind(|| doors::run(door, bytes)).is_err() {
        std::process::abort();
    }
}
