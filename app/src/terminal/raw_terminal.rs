//! [`RawTerminal`]: the terminal in raw mode.

use std::io::{self, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::terminal::{
    DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// Set while the terminal is in raw mode.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

/// Raw mode and the alternate screen. Dropping it, or a panic before its message, restores the terminal.
pub(crate) struct RawTerminal(());

impl RawTerminal {
    pub(crate) fn enter() -> io::Result<Self> {
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

/// Restores the terminal once. It ignores errors, since the terminal can be closed.
fn restore() {
    if IS_ENTERED.swap(false, Ordering::Relaxed) {
        let _ = execute!(stdout(), EnableLineWrap, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::RawTerminal;

    /// The variable with which this program runs itself in a pseudo-terminal, to panic in it.
    const PANICS: &str = "FARSIGHT_TEST_PANICS_IN_TERMINAL";

    #[test]
    fn a_panic_restores_the_terminal_before_its_message() {
        if std::env::var_os(PANICS).is_some() {
            let _terminal = RawTerminal::enter().unwrap();
            panic!("forced by the test");
        }
        let program = std::env::current_exe().unwrap();
        let name = "terminal::raw_terminal::tests::a_panic_restores_the_terminal_before_its_message";
        let line = format!("'{}' --exact {name} --nocapture; echo code=$?; stty -a; echo end", program.display());
        let mut command = Command::new("script"); // of util-linux: creates the pseudo-terminal
        command.args(["-q", "-e", "-c", &line, "/dev/null"]).env(PANICS, "1").env("SHELL", "/bin/sh");
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let output = child.expect("script of util-linux").wait_with_output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        let [entered, restored, message] = ["\x1b[?1049h", "\x1b[?1049l", "forced by the test"]
            .map(|words| shown.find(words).unwrap_or_else(|| panic!("no {words:?} in {shown:?}")));
        assert!(entered < restored && restored < message, "{shown:?}");
        assert!(shown.contains("\x1b[?25h") && shown.contains("\x1b[?7h"), "cursor and wrapping: {shown:?}");
        assert_eq!(shown.matches("\x1b[?1049l").count(), 1, "it is restored once");
        assert!(shown.contains("code=101"), "{shown:?}");
        let modes: Vec<&str> = shown.split([' ', ';', '\r', '\n']).collect();
        for mode in ["icanon", "echo", "isig", "icrnl", "opost"] {
            assert!(modes.contains(&mode), "{mode} is off: {shown:?}");
        }
    }
}
