//! Ctrl-C while files are being written: the temporary ones go, the older ones stay.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::Failure;

static STOPPED: AtomicBool = AtomicBool::new(false);
static CAUGHT: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C no longer ends the program at once, but makes a [`Stoppable`] writer fail, so that temporary
/// files are cleared away, and stops work that looks at the [`flag`]. Pressed again, it ends the program.
pub(super) fn catch() -> Result<(), Failure> {
    if CAUGHT.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let caught = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    caught.map_err(|error| Failure::internal(format!("cannot listen for Ctrl-C: {error}")))
}

/// Whether Ctrl-C was pressed since [`catch`].
pub(super) fn pressed() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Becomes true when Ctrl-C is pressed.
pub(super) fn flag() -> &'static AtomicBool {
    &STOPPED
}

/// A writer that fails once Ctrl-C was pressed.
pub(super) struct Stoppable<W>(pub(super) W);

impl<W: Write> Write for Stoppable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if pressed() { Err(io::Error::other("stopped")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
