//! Ctrl-C and other signals during writes: they remove temporary files and keep older files.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use super::failure::Failure;

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The number of the signal, as in the exit codes of shells; that of Ctrl-C if it is unknown.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| Arc::new(AtomicUsize::new(SIGINT)));
const SIGINT: usize = 2;

/// Installs a handler for Ctrl-C, and on Unix for the signals of `kill` and of a closed terminal: the first signal sets
/// the [`interrupted_flag`], a second one ends the program.
pub(crate) fn install_handler() -> Result<(), Failure> {
    install(true)
}

/// Installs the handler of [`install_handler`], but a second signal does not end the program, which has to restore the
/// terminal first.
pub(crate) fn install_restoring_handler() -> Result<(), Failure> {
    install(false)
}

fn install(ends_at_second: bool) -> Result<(), Failure> {
    static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
    if IS_INSTALLED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    listen(ends_at_second).map_err(|error| Failure::internal(format!("cannot listen for Ctrl-C: {error}")))
}

#[cfg(unix)]
fn listen(ends_at_second: bool) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;

    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if signal == SIGHUP && !is_default(signal) {
            continue; // `nohup` keeps the program running when the terminal is closed
        }
        if ends_at_second {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&INTERRUPTED))?;
        }
        flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize)?;
        flag::register(signal, Arc::clone(&INTERRUPTED))?;
    }
    Ok(())
}

/// Returns `true` if the program certainly handles a signal.
#[cfg(unix)]
fn is_default(signal: i32) -> bool {
    let ignored = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    ignored().is_some_and(|mask| mask >> (signal - 1) & 1 == 0)
}

#[cfg(not(unix))]
fn listen(ends_at_second: bool) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) && ends_at_second {
            std::process::exit(128 + SIGINT as i32);
        }
    })
}

/// Turns a write beyond the limit of `ulimit -f` into an error; by default it ends the program.
pub(crate) fn report_file_size_limit() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Returns the flag that cancels jobs.
pub(crate) fn interrupted_flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Returns `true` after a signal.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Returns the exit code of a program that a signal has stopped: 130 for Ctrl-C.
pub(crate) fn interrupted_code() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed) as u8
}

/// Turns an error after a signal into [`Failure::interrupted`].
pub(crate) fn unless_interrupted<T>(result: Result<T, impl Into<Failure>>) -> Result<T, Failure> {
    result.map_err(|error| match INTERRUPTED.load(Ordering::Relaxed) {
        true => interrupted("stopped; nothing was written"),
        false => error.into(),
    })
}

/// Returns the failure after a signal.
pub(crate) fn interrupted(message: impl ToString) -> Failure {
    Failure::new(interrupted_code(), message)
}
