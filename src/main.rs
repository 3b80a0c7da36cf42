//! The program: the command line, or only the window without the feature `cli`.

use std::process::ExitCode;

#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
fn main() -> ExitCode {
    farsight::cli::main()
}

#[cfg(all(feature = "explorer", any(not(feature = "cli"), target_arch = "wasm32")))]
fn main() -> ExitCode {
    use std::io::Write;

    #[cfg(not(target_arch = "wasm32"))]
    let result = farsight::explorer::run(farsight::explorer::ExploreOptions::default());
    #[cfg(target_arch = "wasm32")]
    let result = farsight::explorer::run_on_page();
    match result {
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

    let _ = writeln!(std::io::stderr(), "farsight: built without the features cli and explorer: expected one of them");
    ExitCode::from(2)
}
