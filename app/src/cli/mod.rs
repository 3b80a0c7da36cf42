//! The command line, one file per subcommand. Data goes to standard output, messages go to standard error.

mod about;
mod atlas;
mod atlas_source;
mod compare;
mod completions;
mod computed_atlas;
mod cumulative;
mod cumulative_output;
mod cumulative_sheet;
mod estimate;
mod explain;
mod explore;
mod export;
mod export_sheet;
pub(crate) mod failure;
mod gallery;
mod heightmap_args;
mod heightmap_notes;
mod horizon;
mod horizon_svg;
pub(crate) mod interrupt;
mod man_pages;
mod north;
mod open_window;
mod output;
mod panorama;
mod partial_heightmap;
mod point_file;
mod presets;
mod profile;
mod profile_ends;
mod progress;
mod read_window;
mod recorded_cost;
pub(crate) mod scene_args;
mod scene_origin;
pub(crate) mod scene_request;
mod section_text;
mod setting_flags;
mod shared_args;
mod sheet_args;
mod short_help;
mod sky;
mod sky_blocks;
mod stdio;
mod surface_args;
mod surface_class;
mod terminal;
pub(crate) mod terminal_drawing;
mod text;
mod undeclared_nodata;
mod values;
mod versus;
mod walk;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::{EXIT_CODES, Failure};
use interrupt::report_file_size_limit;
use output::start_threads;
use scene_args::SceneArgs;
use short_help::with_short_help;
use stdio::print_message;

use crate::stage_log;
use farsight_scene::files::describe_io_error;
use farsight_scene::files::silence_guarded_panics;

const EXAMPLES: &str = "\
Examples:
  farsight                                           look around; in the terminal without a display
  farsight explore --preset fog --seed 7             walk through fog in world 7
  farsight export -o view.png                        the default view as a picture
  farsight export --preset jungle -o view.png -o view.npy --crop sight
  farsight export --set optics.visual_range_m=2000 --at 200,120 -o mist.png
  farsight export --map cave.txt --radius 20 -o - --format csv
  farsight export --from view.png -o again.png       the same picture again
  farsight explain --target 76,91                    why that cell is not seen better
  farsight walk --wander 80 -o walk.gif              a film of a walk
  farsight atlas -o atlas.png                        how much every cell sees
  farsight compare --preset dungeon                  figures of every method on the same map
  farsight presets list";

/// Continuous field of view: how far can you see from here, and how well?
#[derive(Debug, Parser)]
#[command(
    name = "farsight",
    version,
    before_help = EXAMPLES,
    after_help = EXIT_CODES,
    args_conflicts_with_subcommands = true,
    max_term_width = 120
)]
struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,
    #[command(flatten)]
    scene: SceneArgs,
    /// Print the stages and their times to standard error
    #[arg(long, short, global = true, help_heading = "Output")]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Open the window: walk, change settings, export
    Explore(explore::ExploreArgs),
    /// Write the view, or a layer of the map, to files
    Export(export::ExportArgs),
    /// Explain the visibility of a target: the cells that reduce it, and the share of each
    Explain(Box<explain::ExplainArgs>),
    /// Film a walk, with the view of every step
    Walk(Box<walk::WalkArgs>),
    /// Measure how much every cell sees, resumable
    Atlas(Box<atlas::AtlasArgs>),
    /// Combine the views of several observers: union, count, best observer, polygons
    Cumulative(Box<cumulative::CumulativeArgs>),
    /// Write the skyline around a viewer: angle, distance and cell for each azimuth
    Horizon(Box<horizon::HorizonArgs>),
    /// Write the profile of a line between two points: ground, obstacles, clearance, Fresnel zone
    Profile(Box<profile::ProfileArgs>),
    /// Draw the panorama of a viewer: ridges, woods, water, sky, with names
    Panorama(Box<panorama::PanoramaArgs>),
    /// Measure the sky over every cell: horizons, sky-view factor, hours of direct sun
    Sky(Box<sky::SkyArgs>),
    /// Compare the methods on the same map: agreement, error against exact, asymmetry, time
    Compare(compare::CompareArgs),
    /// Draw the test sheet: every small map, walls at 100 % and 50 %, continuous and binary
    Gallery(gallery::GalleryArgs),
    /// List, show and check presets
    Presets(presets::PresetsArgs),
    /// Print the completions for a shell
    Completions(completions::CompletionsArgs),
    /// Print version, processor, features and threads, for a bug report
    About(about::AboutArgs),
    /// Write a manual page for each subcommand, for packages
    #[command(hide = true)]
    ManPages(man_pages::ManPagesArgs),
}

impl CliCommand {
    /// Returns `true` for subcommands that use many threads and have no flag for their number.
    fn starts_threads(&self) -> bool {
        matches!(self, Self::Explore(_) | Self::Explain(_) | Self::Profile(_) | Self::Compare(_) | Self::Gallery(_))
    }
}

/// Runs the program with the arguments of the process.
pub(crate) fn main() -> ExitCode {
    silence_guarded_panics();
    report_file_size_limit();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print_message(format!("farsight: {failure}"));
            failure.exit_code()
        }
    }
}

fn run() -> Result<(), Failure> {
    let command = with_short_help(Cli::command());
    let arguments = verbose_last(&command, std::env::args_os().collect());
    let parsed =
        command.try_get_matches_from(arguments).and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() => return Err(error.into()),
        Err(help) => {
            return print_help(&help);
        }
    };
    if cli.verbose && is_quiet(&matches) {
        return Err(Failure::usage("--quiet and --verbose contradict each other"));
    }
    stage_log::start(cli.verbose);
    if cli.command.as_ref().is_none_or(CliCommand::starts_threads) {
        start_threads(None)?;
    }
    match cli.command {
        None => explore::run_without_subcommand(&cli.scene),
        Some(CliCommand::Explore(args)) => explore::run(&args),
        Some(CliCommand::Export(args)) => export::run(&args),
        Some(CliCommand::Explain(args)) => explain::run(&args),
        Some(CliCommand::Walk(args)) => walk::run(&args),
        Some(CliCommand::Atlas(args)) => atlas::run(&args),
        Some(CliCommand::Cumulative(args)) => cumulative::run(&args),
        Some(CliCommand::Horizon(args)) => horizon::run(&args),
        Some(CliCommand::Profile(args)) => profile::run(&args),
        Some(CliCommand::Panorama(args)) => panorama::run(&args),
        Some(CliCommand::Sky(args)) => sky::run(&args),
        Some(CliCommand::Compare(args)) => compare::run(&args),
        Some(CliCommand::Gallery(args)) => gallery::run(&args),
        Some(CliCommand::Presets(args)) => presets::run(&args),
        Some(CliCommand::Completions(args)) => completions::run(&args, Cli::command()),
        Some(CliCommand::About(args)) => about::run(&args),
        Some(CliCommand::ManPages(args)) => man_pages::run(&args, Cli::command()),
    }
}

/// Moves `--verbose` from before a subcommand to the end: clap accepts a global flag only after the subcommand if other
/// flags conflict with it.
fn verbose_last(command: &clap::Command, mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_verbose = arguments.get(1).is_some_and(|flag| flag == "-v" || flag == "--verbose");
    if is_verbose && arguments.get(2).is_some_and(|name| command.find_subcommand(name).is_some()) {
        let flag = arguments.remove(1);
        arguments.push(flag);
    }
    arguments
}

/// Prints help or the version. A closed pipe is success.
fn print_help(help: &clap::Error) -> Result<(), Failure> {
    match help.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::output(format!("standard output: could not write: {}", describe_io_error(&error))))
        }
        _ => Ok(()),
    }
}

/// Returns `true` if `--quiet` is given to a subcommand or to its subcommand.
fn is_quiet(matches: &ArgMatches) -> bool {
    let is_here = matches.try_get_one("quiet").ok().flatten() == Some(&true);
    is_here || matches.subcommand().is_some_and(|(_, matches)| is_quiet(matches))
}
