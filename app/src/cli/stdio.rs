//! Data on standard output, messages on standard error, and text files.

use std::io::Write;
use std::path::Path;

use super::failure::Failure;
use farsight_scene::files::{read_whole, write_stdout};
use farsight_scene::text::escape;

/// Prints data to standard output. A closed pipe is success.
pub(crate) fn print_stdout(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    Ok(write_stdout(|out| Ok(out.write_all(text.as_ref())?))?)
}

pub(crate) fn print_message(message: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{}", message_lines(&message.to_string()));
}

/// Returns a message for a terminal: without control characters except line breaks, and with long lines shortened in
/// the middle, so that the statement stays visible after a long path.
fn message_lines(text: &str) -> String {
    const LONGEST_LINE: usize = 1000;
    /// The number of characters kept at the end of a longer line.
    const END: usize = 400;
    let lines = text.split('\n').map(|line| {
        let length = line.chars().count();
        if length <= LONGEST_LINE {
            return escape(line);
        }
        let start: String = line.chars().take(LONGEST_LINE - END - 1).collect();
        let end: String = line.chars().skip(length - END).collect();
        format!("{}…{}", escape(&start), escape(&end)).into()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads a text file of at most `max_bytes`.
pub(crate) fn read_text(path: &Path, max_bytes: u64) -> Result<String, Failure> {
    let failure = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let bytes = read_whole(path, max_bytes).map_err(|error| failure(&error))?;
    String::from_utf8(bytes).map_err(|_| failure(&"is not text (UTF-8)"))
}
