//! Whether a window can be opened. The window library ends the program where it cannot, so one
//! looks first.

use crate::explorer::ExploreError;

/// Whether there is a display to open a window on.
pub fn has_display() -> bool {
    check().is_ok()
}

/// A display that answered. While this is kept, the connection to it stays open: an X server may
/// start afresh when its last client leaves, and would not answer the window then.
pub(super) struct Display {
    #[cfg(target_os = "linux")]
    _connection: Option<std::os::unix::net::UnixStream>,
}

/// Fails where there is no display, and says why.
#[cfg(target_os = "linux")]
pub(super) fn check() -> Result<Display, ExploreError> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Some(display) = set("DISPLAY") else {
        return match set("WAYLAND_DISPLAY") {
            Some(_) => Err(ExploreError::NoDisplay("only Wayland is there, and farsight needs X11 (XWayland)".into())),
            None => Err(ExploreError::NoDisplay("DISPLAY is not set".into())),
        };
    };
    let Some(number) = display.strip_prefix("unix:").or_else(|| display.strip_prefix(':')) else {
        return Ok(Display { _connection: None }); // on another machine: taken at its word
    };
    match connect(number.split('.').next().unwrap_or(number)) {
        Ok(connection) => Ok(Display { _connection: Some(connection) }),
        Err(error) => Err(ExploreError::NoDisplay(format!("nothing answers on DISPLAY={display} ({error})"))),
    }
}

/// Connects to the X server of a number.
#[cfg(target_os = "linux")]
fn connect(number: &str) -> std::io::Result<std::os::unix::net::UnixStream> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};

    let path = format!("/tmp/.X11-unix/X{number}");
    let hidden = || SocketAddr::from_abstract_name(path.as_bytes()).and_then(|at| UnixStream::connect_addr(&at));
    UnixStream::connect(&path).or_else(|error| hidden().map_err(|_| error))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn check() -> Result<Display, ExploreError> {
    Ok(Display {})
}

/// Runs the window, and turns a failure to open it into an error: on a machine without OpenGL the
/// window library panics.
pub(super) fn guard(run: impl FnOnce()) -> Result<(), ExploreError> {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};

    let report = take_hook();
    set_hook(Box::new(move |panic| {
        if crate::explorer::app::has_drawn() {
            report(panic); // before that, the error below says all
        }
    }));
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(()) => Ok(()),
        Err(panic) if crate::explorer::app::has_drawn() => resume_unwind(panic), // not about opening the window
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(ExploreError::NoDisplay(text.unwrap_or_else(|| "the graphics library failed".into())))
        }
    }
}
