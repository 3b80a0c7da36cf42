//! Data on standard output, messages on standard error, and text files.

use std::io::Write;
use std::path::Path;

use super::failure::Failure;
use crate::excerpt::message_lines;
use crate::files::{read_whole, write_stdout};

/// Prints data to standard output. A closed pipe is success.
pub(super) fn print_stdout(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    Ok(write_stdout(|out| Ok(out.write_all(text.as_ref())?))?)
}

pub(super) fn print_message(message: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{}", message_lines(&message.to_string()));
}

/// Reads a text file of at most `max_bytes`.
pub(super) fn read_text(path: &Path, max_bytes: u64) -> Result<String, Failure> {
    let failure = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let bytes = read_whole(path, max_bytes).map_err(|error| failure(&error))?;
    String::from_utf8(bytes).map_err(|error| failure(&error))
}
