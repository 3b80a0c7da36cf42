//! The program: the command line, or the window alone where it is built without one.

use std::process::ExitCode;

#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
fn main() -> ExitCode {
    farsight::cli::main()
}

#[cfg(all(feature = "explorer", any(not(feature = "cli"), target_arch = "wasm32")))]
fn main() -> ExitCode {
    use std::io::Write;

    #[cfg(not(target_arch = "wasm32"))]
    let ended = farsight::explorer::run(farsight::explorer::ExploreOptions::default());
    #[cfg(target_arch = "wasm32")]
    let ended = farsight::explorer::run_on_page();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "farsight: {error}");
            error.exit_code().into()
        }
    }
}

#[cfg(not(any(all(feature = "cli", not(target_arch = "wasm32")), feature = "explorer")))]
fn main() -> ExitCode {
    use std::io::Write;

    let words = "farsight: built with neither a command line nor a window; see the features cli and explorer";
    let _ = writeln!(std::io::stderr(), "{words}");
    ExitCode::from(2)
}
