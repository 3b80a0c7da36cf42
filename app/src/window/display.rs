//! Checks that a window can be opened, since the window library ends the program on failure.

use std::sync::atomic::{AtomicBool, Ordering};

use super::error::ExploreError;

/// Set after the first frame: a later failure is not a failure to open the window.
static DRAWN: AtomicBool = AtomicBool::new(false);

pub(crate) fn set_drawn() {
    DRAWN.store(true, Ordering::Relaxed);
}

pub(crate) fn has_drawn() -> bool {
    DRAWN.load(Ordering::Relaxed)
}

/// Returns `true` if a display is available.
pub(crate) fn has_display() -> bool {
    check().is_ok()
}

/// A connection to the display. An X server can reset after its last client disconnects, so this must live until the
/// window is open.
pub(crate) struct Display {
    #[cfg(target_os = "linux")]
    _connection: Option<std::os::unix::net::UnixStream>,
}

/// Connects to the display. An error is [`ExploreError::NoDisplay`] with the reason.
#[cfg(target_os = "linux")]
pub(crate) fn check() -> Result<Display, ExploreError> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Some(display) = set("DISPLAY") else {
        let reason = match set("WAYLAND_DISPLAY") {
            Some(_) => "only Wayland is available, and farsight needs X11 (XWayland)",
            None => "DISPLAY is not set",
        };
        return Err(ExploreError::NoDisplay(reason.into()));
    };
    let Some(number) = display.strip_prefix("unix:").or_else(|| display.strip_prefix(':')) else {
        return Ok(Display { _connection: None }); // on another machine; not checked
    };
    match connect(number.split('.').next().unwrap_or(number)) {
        Ok(connection) => Ok(Display { _connection: Some(connection) }),
        Err(error) => Err(ExploreError::NoDisplay(format!("nothing answers on DISPLAY={display} ({error})"))),
    }
}

/// Connects to an X server by its number.
#[cfg(target_os = "linux")]
fn connect(number: &str) -> std::io::Result<std::os::unix::net::UnixStream> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};

    let path = format!("/tmp/.X11-unix/X{number}");
    let abstract_name = || SocketAddr::from_abstract_name(path.as_bytes()).and_then(|at| UnixStream::connect_addr(&at));
    UnixStream::connect(&path).or_else(|error| abstract_name().map_err(|_| error))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn check() -> Result<Display, ExploreError> {
    Ok(Display {})
}

/// Runs the window and turns a failure to open it into an error. The window library panics without OpenGL.
pub(crate) fn guard(run: impl FnOnce()) -> Result<(), ExploreError> {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};

    let report = take_hook();
    set_hook(Box::new(move |panic| {
        if has_drawn() {
            report(panic); // before the first frame, the error below is sufficient
        }
    }));
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(()) => Ok(()),
        Err(panic) if has_drawn() => resume_unwind(panic), // the window was open
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(ExploreError::NoDisplay(text.unwrap_or_else(|| "the graphics library failed".into())))
        }
    }
}
