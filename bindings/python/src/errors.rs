//! Exceptions for the errors of farsight, and Ctrl-C for long work.

use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use farsight::Job;
use farsight::cumulative::ObserverError;
use farsight::explain::ExplainError;
use farsight::horizon::HorizonError;
use farsight::scene::SceneError;
use farsight::sight::SightError;
use farsight::sky::SkyError;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;

/// `ValueError`, with the message of an error.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// `IndexError` for a cell off the map, else `ValueError`.
pub(crate) fn sight_error(error: SightError) -> PyErr {
    match error {
        SightError::ViewerOutside { .. } | SightError::TooFarAway { .. } => PyIndexError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// As [`sight_error`].
pub(crate) fn horizon_error(error: HorizonError) -> PyErr {
    match error {
        HorizonError::ViewerOutside { .. } => PyIndexError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// As [`sight_error`].
pub(crate) fn sky_error(error: SkyError) -> PyErr {
    match error {
        SkyError::Horizon(error) => horizon_error(error),
        _ => value_error(error),
    }
}

/// As [`sight_error`].
pub(crate) fn observer_error(error: ObserverError) -> PyErr {
    match error {
        ObserverError::Outside { .. } => PyIndexError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// As [`sight_error`]; `MemoryError` for what does not fit into memory.
pub(crate) fn scene_error(error: SceneError) -> PyErr {
    match error {
        SceneError::Sight(error) => sight_error(error),
        SceneError::OffMap { .. } | SceneError::NoSuchCells { .. } => PyIndexError::new_err(error.to_string()),
        SceneError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// As [`sight_error`].
pub(crate) fn explain_error(error: ExplainError) -> PyErr {
    match error {
        ExplainError::Outside { .. } => PyIndexError::new_err(error.to_string()),
        ExplainError::Sight(error) => sight_error(error),
        _ => value_error(error),
    }
}

/// Runs `work` on another thread, without the lock of the interpreter, until it is done or a signal stops it: then its job is
/// cancelled, and the exception of the signal (`KeyboardInterrupt`) is returned.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(Job<'_>) -> T + Send) -> PyResult<T> {
    const POLL: Duration = Duration::from_millis(50);
    let cancel = AtomicBool::new(false);
    let (done, finished) = channel::<()>();
    let finished = Mutex::new(finished);
    let wait = || finished.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL);
    let mut interruption = None;
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(Job::quiet().cancelled_by(&cancel));
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
        (Ok(result), None) => Ok(result),
    }
}
