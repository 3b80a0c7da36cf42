//! `farsight about`: facts about the program and the machine for a bug report.

use std::fmt::Write;

use super::explore::describe_display;
use super::failure::Failure;
use super::output::start_threads;
use super::stdio::print_stdout;
use crate::stage_log;
use farsight::sight::processor_level;
use farsight_scene::free_memory::bytes_available;

const EXAMPLES: &str = "\
Examples:
  farsight about";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct AboutArgs {}

/// The environment variables that affect the program. Their values are printed.
const VARIABLES: [&str; 10] = [
    "RAYON_NUM_THREADS",
    stage_log::VARIABLE,
    "NO_COLOR",
    "TERM",
    "COLORTERM",
    "LC_ALL",
    "LC_CTYPE",
    "LANG",
    "COLUMNS",
    "XDG_SESSION_TYPE",
];

pub(crate) fn run(_args: &AboutArgs) -> Result<(), Failure> {
    print_stdout(report())
}

/// Returns one line per fact, without paths and names of the user or the machine.
fn report() -> String {
    let mut report = String::new();
    let mut add = |name: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(report, "{name:<18}{value}");
    };
    add("version", &env!("CARGO_PKG_VERSION"));
    add("system", &format!("{} {}{}", std::env::consts::OS, std::env::consts::ARCH, c_library()));
    add("build", &if cfg!(debug_assertions) { "with debug assertions" } else { "optimised" });
    add("kernels", &processor_level());
    // Without threads, the number of rayon's threads is unavailable: the query would start them, and panic.
    let threads = match start_threads(None) {
        Ok(()) => rayon::current_num_threads().to_string(),
        Err(failure) => failure.to_string(),
    };
    let processors = std::thread::available_parallelism().map_or_else(|_| "unknown".into(), |n| n.to_string());
    add("threads", &format!("{threads}, processors: {processors}"));
    add("memory", &format!("{} MB free", bytes_available() >> 20));
    add("window", &describe_display());
    for name in VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            add(name, &format!("{:?}", value.to_string_lossy().chars().take(80).collect::<String>()));
        }
    }
    report += "\nA bug report needs these lines, the command, its output, and what you expected instead. A picture, film\n\
        or saved walk helps most: it contains its preset, seed and viewer. Add the presets and maps that it needs.\n\
        With --verbose, or FARSIGHT_LOG=1 in the environment, the program prints what it does; add that, too.\n";
    report
}

fn c_library() -> &'static str {
    if cfg!(target_env = "gnu") {
        " (gnu)"
    } else if cfg!(target_env = "musl") {
        " (musl)"
    } else if cfg!(target_env = "msvc") {
        " (msvc)"
    } else {
        ""
    }
}
