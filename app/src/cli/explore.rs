//! `farsight explore`, and `farsight` without a subcommand: the window, or the terminal without a display.

use std::path::PathBuf;

use super::failure::Failure;
use super::open_window::open_window;
use super::scene_args::SceneArgs;
use super::terminal::show_view;
use super::values::parse_window_size;

const EXAMPLES: &str = "\
Examples:
  farsight explore                                   the default world
  farsight explore --preset archipelago --seed 42
  farsight explore --map cave.txt --radius 20
  farsight explore --heightmap alps.tif              real terrain
  farsight explore --script walk.txt --screenshot end.png";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Width and height of the window in points, each 64 to 16384. Default: the last size, initially 1280x720
    #[arg(long, value_name = "WxH", value_parser = parse_window_size)]
    window: Option<(u32, u32)>,
    /// Write the window to this .png once the scene is drawn and the script has ended, and close
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Run the keys, clicks and slider values in this file, one command per line
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
}

/// Opens the window if there is a display, otherwise shows the view in the terminal.
pub(crate) fn run_without_subcommand(scene: &SceneArgs) -> Result<(), Failure> {
    if crate::window::has_display() {
        return open_window(scene, None, None, None);
    }
    show_view(scene)
}

/// Opens the window, or returns an error if there is no display.
pub(crate) fn run(args: &ExploreArgs) -> Result<(), Failure> {
    if let Some(path) = &args.screenshot
        && !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
    {
        return Err(Failure::usage(format!("--screenshot {}: expected a .png", path.display())));
    }
    open_window(&args.scene, args.window, args.screenshot.as_deref(), args.script.as_deref())
}

/// Describes whether a window can be opened.
pub(crate) fn describe_display() -> &'static str {
    if crate::window::has_display() { "a display is there" } else { "no display" }
}
