//! Panics of third-party decoders as errors.
//!
//! Files are untrusted, and a damaged file can trigger a fault of a decoder. Decoders of foreign bytes run
//! inside [`guarded`].

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// A decoder has panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its decoder failed")]
pub(crate) struct DecoderPanic;

/// Runs a decoder. Its borrowed state must not be used after an error.
///
/// # Errors
/// [`DecoderPanic`] if it panics.
pub(crate) fn guarded<T>(decode: impl FnOnce() -> T) -> Result<T, DecoderPanic> {
    let outer = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    IS_GUARDED.set(outer);
    result.map_err(|_| DecoderPanic)
}

/// Silences panics of decoders, which become errors of their files. It replaces the panic hook of the process, so only
/// a program may call it.
pub fn silence_guarded_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !IS_GUARDED.get() {
            report(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_is_an_error_and_ends_the_guard() {
        assert_eq!(guarded(|| 3), Ok(3));
        assert_eq!(guarded(|| -> u8 { panic!("a fault of a decoder") }), Err(DecoderPanic));
        assert!(!IS_GUARDED.get());
        let nested = guarded(|| {
            let inner = guarded(|| -> u8 { panic!("a fault of a decoder") });
            (inner, IS_GUARDED.get())
        });
        assert_eq!(nested, Ok((Err(DecoderPanic), true)));
    }
}
