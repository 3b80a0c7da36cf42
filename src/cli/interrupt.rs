//! Ctrl-C while files are written: temporary files are removed, older files stay.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Failure;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C set the [`interrupted_flag`] instead of ending the program. A second Ctrl-C ends it.
pub(super) fn install_handler() -> Result<(), Failure> {
    let installed = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    match installed {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::internal(format!("cannot listen for Ctrl-C: {error}"))),
    }
}

/// The flag that cancels jobs.
pub(super) fn interrupted_flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Turns an error after Ctrl-C into [`Failure::interrupted`].
pub(super) fn unless_interrupted<T>(result: Result<T, impl Into<Failure>>) -> Result<T, Failure> {
    result.map_err(|error| match INTERRUPTED.load(Ordering::Relaxed) {
        true => Failure::interrupted("stopped; nothing was written"),
        false => error.into(),
    })
}

/// A writer that fails after Ctrl-C.
pub(super) struct InterruptibleWriter<W>(pub(super) W);

impl<W: Write> Write for InterruptibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if INTERRUPTED.load(Ordering::Relaxed) { Err(io::Error::other("stopped")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
