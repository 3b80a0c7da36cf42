//! The command line: one file a subcommand. Data on stdout, words on stderr.

mod atlas;
mod compare;
mod completions;
mod exit;
mod explain;
mod explore;
mod export;
mod gallery;
mod ground_args;
mod interrupt;
mod output;
mod presets;
mod progress;
mod scene_args;
mod section_text;
mod table;
mod terminal;
mod values;
mod walk;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::cli::exit::Failure;
use crate::cli::scene_args::SceneArgs;

const EXAMPLES: &str = "\
Examples:
  farsight                                           look around; without a display, in the terminal
  farsight explore --preset fog --seed 7             walk through fog in world 7
  farsight export -o view.png                        the default view as a picture
  farsight export --preset jungle -o view.png -o view.npy --crop sight
  farsight export --set optics.visual_range_m=2000 --at 200,120 -o mist.png
  farsight export --map cave.txt --radius 20 -o - --format csv
  farsight export --from view.png -o again.png       the same picture again
  farsight explain --target 115,340                  why that cell is seen no better
  farsight walk --wander 80 -o walk.gif              a film of a walk
  farsight atlas -o atlas.png                        how much every cell sees
  farsight compare --preset dungeon                  every method on the same map, in figures
  farsight presets list";

/// Continuous field of view: how far can you see from here, and how well?
#[derive(Debug, Parser)]
#[command(
    name = "farsight",
    version,
    before_help = EXAMPLES,
    after_help = exit::CODES,
    args_conflicts_with_subcommands = true,
    max_term_width = 120
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    scene: SceneArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the window: walk, turn the settings, export
    Explore(explore::ExploreArgs),
    /// Write what is seen, or a layer of the map, to files
    Export(export::ExportArgs),
    /// Say which cells take the view of a target away, and how much each
    Explain(Box<explain::ExplainArgs>),
    /// Film a walk: how the view opens and closes as one goes
    Walk(Box<walk::WalkArgs>),
    /// Measure how much every cell sees; in parts, if it is long
    Atlas(Box<atlas::AtlasArgs>),
    /// Compare the methods on the same map: agreement, error against exact, asymmetry, time
    Compare(compare::CompareArgs),
    /// Draw the test sheet: every small map, walls at 100 % and 50 %, continuous and binary
    Gallery(gallery::GalleryArgs),
    /// List, show and check presets
    Presets(presets::PresetsArgs),
    /// Print the completions for a shell
    Completions(completions::CompletionsArgs),
}

/// Runs the program with the arguments it was called with.
pub fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<(), Failure> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return Err(error.into()),
        Err(help) => {
            let _ = help.print(); // a reader that has gone away is no failure
            return Ok(());
        }
    };
    match cli.command {
        None => explore::look_around(&cli.scene),
        Some(Command::Explore(args)) => explore::run(&args),
        Some(Command::Export(args)) => export::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Walk(args)) => walk::run(&args),
        Some(Command::Atlas(args)) => atlas::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Gallery(args)) => gallery::run(&args),
        Some(Command::Presets(args)) => presets::run(&args),
        Some(Command::Completions(args)) => completions::run(&args, Cli::command()),
    }
}

/// Prints to standard output; a closed pipe is success.
fn print(text: &str) -> Result<(), Failure> {
    Ok(crate::files::write_stdout(|out| Ok(out.write_all(text.as_bytes())?))?)
}

/// Says something on standard error.
fn say(words: &str) {
    let _ = writeln!(std::io::stderr(), "{words}");
}
