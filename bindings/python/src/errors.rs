//! Exceptions for the errors of farsight, and Ctrl-C for long work.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use farsight::Job;
use farsight_bindings::{Failure, Reason};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

/// Returns the exception of an error: `IndexError` for a cell off the map, `MemoryError`, `OSError` for a file that cannot be
/// written, else `ValueError`.
pub(crate) fn failed(error: impl Into<Failure>) -> PyErr {
    let Failure { reason, message } = error.into();
    match reason {
        Reason::Outside => PyIndexError::new_err(message),
        Reason::Memory => PyMemoryError::new_err(message),
        Reason::Write => PyOSError::new_err(message),
        Reason::Invalid => PyValueError::new_err(message),
    }
}

/// Runs `work` on another thread, without the lock of the interpreter. A signal cancels its job and returns the
/// exception of the signal (`KeyboardInterrupt`).
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Job<'_>) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    const POLL: Duration = Duration::from_millis(50);
    let cancel = AtomicBool::new(false);
    let (done, finished) = channel::<()>();
    let finished = Mutex::new(finished);
    let wait = || finished.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL);
    let mut interruption = None;
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(Job::none().cancelled_by(&cancel));
            drop(done);
            result
        });
        while py.detach(wait) == Err(RecvTimeoutError::Timeout) {
            if let Err(error) = py.check_signals() {
                cancel.store(true, Ordering::Relaxed);
                interruption.get_or_insert(error);
            }
        }
        worker.join()
    });
    match (result, interruption) {
        (Err(panic), _) => resume_unwind(panic),
        (Ok(_), Some(error)) => Err(error),
        (Ok(result), None) => result.map_err(failed),
    }
}
