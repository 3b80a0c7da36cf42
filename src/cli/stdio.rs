//! Data on standard output, messages on standard error.

use std::io::Write;

use super::failure::Failure;

/// Prints data to standard output. A closed pipe is success.
pub(super) fn print_stdout(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    Ok(crate::files::write_stdout(|out| Ok(out.write_all(text.as_ref())?))?)
}

/// Prints a message to standard error.
pub(super) fn print_message(message: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{message}");
}
