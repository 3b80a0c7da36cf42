//! The program `farsight`. See `lib.rs` for its parts.

use std::process::ExitCode;

fn main() -> ExitCode {
    farsight_app::main()
}
