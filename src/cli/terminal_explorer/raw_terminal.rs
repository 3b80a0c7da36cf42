//! [`RawTerminal`]: the terminal while the explorer has it.

use std::io::{self, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::terminal::{
    DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// `true` while the terminal has to be restored.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

/// Raw mode and the alternate screen. Dropping it restores the terminal, and so does a panic, before its message is printed.
pub(super) struct RawTerminal(());

impl RawTerminal {
    pub(super) fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        IS_ENTERED.store(true, Ordering::Relaxed);
        let terminal = Self(());
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            report(panic);
        }));
        execute!(stdout(), EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(terminal)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal once. Errors are ignored: the terminal may be gone.
fn restore() {
    if IS_ENTERED.swap(false, Ordering::Relaxed) {
        let _ = execute!(stdout(), EnableLineWrap, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
