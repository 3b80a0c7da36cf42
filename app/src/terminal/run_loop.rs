//! The loop: draws the screen, waits for keys, and executes their commands.

use std::io::{IsTerminal, Write, stdin, stdout};
use std::time::Duration;

use crossterm::event::{Event, KeyEventKind, poll, read};
use crossterm::terminal::size;

use super::command::command_of;
use super::screen::draw;
use super::state::{Outcome, Page, TerminalExplorer};
use crate::cli::failure::Failure;
use crate::cli::interrupt::{interrupted, is_interrupted};

/// The maximum wait for a key before a check for signals.
const WAIT: Duration = Duration::from_millis(200);

/// The maximum wait for a key while a world is in progress.
const WAIT_FOR_WORLD: Duration = Duration::from_millis(50);

/// The interval of checks for a closed terminal.
const TERMINAL_CHECK: Duration = Duration::from_millis(500);

/// The exit code after the terminal is closed, as for SIGHUP.
const TERMINAL_CLOSED: i32 = 129;

/// Ends the program when its terminal is closed. Reading keys from a closed terminal never returns.
fn end_with_the_terminal() {
    std::thread::spawn(|| {
        while stdin().is_terminal() {
            std::thread::sleep(TERMINAL_CHECK);
        }
        std::process::exit(TERMINAL_CLOSED);
    });
}

/// Runs until the user quits, the terminal is closed, or a signal arrives.
pub(crate) fn run(explorer: &mut TerminalExplorer) -> Result<(), Failure> {
    end_with_the_terminal();
    let failure = |error: std::io::Error| Failure::output(format!("the terminal: {error}"));
    let mut has_changed = true;
    loop {
        has_changed |= follow_size(explorer);
        has_changed |= explorer.poll_document();
        if has_changed {
            let mut out = stdout().lock();
            out.write_all(draw(explorer).as_bytes()).and_then(|()| out.flush()).map_err(failure)?;
        }
        has_changed = false;
        let mut wait = if !explorer.document.is_settled() { WAIT_FOR_WORLD } else { WAIT };
        // All pending keys are processed before the next drawing, so that a held key causes no lag.
        while !is_interrupted() && has_event(wait).map_err(failure)? {
            wait = Duration::ZERO;
            has_changed = true;
            match read().map_err(failure)? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    let Some(command) = command_of(key, explorer.page != Page::Map) else { continue };
                    match explorer.execute(command) {
                        Outcome::Continue => {}
                        Outcome::Quit => return Ok(()),
                        Outcome::Interrupted => return Err(Failure::new(130, "stopped")),
                    }
                }
                _ => {}
            }
        }
        if is_interrupted() {
            return Err(interrupted("stopped"));
        }
    }
}

/// Waits for an event. A signal ends the wait.
fn has_event(wait: Duration) -> std::io::Result<bool> {
    match poll(wait) {
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Ok(false),
        other => other,
    }
}

/// Reads the size of the terminal, if it reports one. Returns `true` if it has changed. Events are not sufficient: the
/// terminal sends none for a change before the first wait.
fn follow_size(explorer: &mut TerminalExplorer) -> bool {
    let known = size().ok().filter(|&(columns, lines)| columns > 0 && lines > 0);
    let size = known.map_or(explorer.size, |(columns, lines)| [columns, lines]);
    std::mem::replace(&mut explorer.size, size) != size
}
