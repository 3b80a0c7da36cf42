//! `farsight explore`, and `farsight` alone: the window, or the terminal where there is no display.

#[cfg(feature = "explorer")]
use std::path::Path;
use std::path::PathBuf;

use super::exit::Failure;
use super::scene_args::SceneArgs;
use crate::cli::{terminal, values};

const EXAMPLES: &str = "\
Examples:
  farsight explore                                   the default world
  farsight explore --preset archipelago --seed 42
  farsight explore --map cave.txt --radius 20
  farsight explore --heightmap alps.tif              real terrain
  farsight explore --script walk.txt --screenshot end.png";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct ExploreArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Width and height of the window in points, each 64 to 16384. Default: as it was the last time, at first 1280x720
    #[arg(long, value_name = "WxH", value_parser = values::window)]
    window: Option<(u32, u32)>,
    /// Write what is on the screen to this .png, once the scene is there and the script has ended, and close
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Drive the window with the keys, clicks and slider values in this file, one command a line
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
}

/// Without a subcommand: the window if there is a display, else the view in the terminal.
pub(super) fn look_around(scene: &SceneArgs) -> Result<(), Failure> {
    #[cfg(feature = "explorer")]
    if crate::explorer::has_display() {
        return open(scene, None, None, None);
    }
    terminal::show(scene)
}

/// The window; without a display that is an error.
#[cfg(feature = "explorer")]
pub(super) fn run(args: &ExploreArgs) -> Result<(), Failure> {
    if let Some(screenshot) = &args.screenshot
        && !screenshot.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
    {
        let name = screenshot.display();
        return Err(Failure::usage(format!("--screenshot {name}: a screenshot is a .png")));
    }
    let read = |path| Ok::<_, Failure>((path, read_script(path)?));
    let script = args.script.as_deref().map(read).transpose()?;
    open(&args.scene, args.window, args.screenshot.clone(), script)
}

#[cfg(not(feature = "explorer"))]
pub(super) fn run(args: &ExploreArgs) -> Result<(), Failure> {
    args.scene.request()?;
    let try_this = instead(&args.scene);
    Err(Failure::no_display(format!("this build has no window (it lacks the feature explorer); {try_this}")))
}

/// What to do where no window opens.
fn instead(scene: &SceneArgs) -> String {
    let words = scene.as_words();
    let [show, export] = [format!("farsight {words}"), format!("farsight export {words}-o view.png")];
    format!("look around in the terminal with `{}`, or write a picture with `{export}`", show.trim_end())
}

#[cfg(feature = "explorer")]
fn read_script(path: &Path) -> Result<String, Failure> {
    const LONGEST: u64 = 1 << 26;
    let said = |reason: &dyn std::fmt::Display| Failure::input(format!("{}: {reason}", path.display()));
    let bytes = crate::files::read_whole(path, LONGEST).map_err(|fault| said(&fault))?;
    String::from_utf8(bytes).map_err(|fault| said(&fault))
}

#[cfg(feature = "explorer")]
fn open(
    scene: &SceneArgs,
    window: Option<(u32, u32)>,
    screenshot: Option<PathBuf>,
    script: Option<(&Path, String)>,
) -> Result<(), Failure> {
    use std::sync::Arc;

    use super::scene_args::Place;
    use crate::explorer::{ExploreError, ExploreOptions, Start, run};

    let request = scene.request()?;
    let (name, map) = (request.options.name.clone(), request.options.map.clone());
    let start = match request.place() {
        place if request.is_walk() || matches!(place, Place::Map(_)) => {
            let ground = match place {
                Place::Ground(ground) => Some(Arc::clone(ground)),
                _ => None,
            };
            Start::Scene { scene: Box::new(request.scene(true)?.0), ground }
        }
        Place::Map(_) | Place::World => Start::Preset { preset: Box::new(request.preset), viewer: request.viewer },
        Place::Ground(ground) => {
            let ground = Arc::clone(ground);
            Start::Ground { preset: Box::new(request.preset), ground, viewer: request.viewer }
        }
    };
    let preset_file = scene.preset_file();
    let input_files = scene.files().into_iter().map(|(_, path)| path.to_owned()).collect();
    let (path, script) = script.unzip();
    match run(ExploreOptions { start, window, screenshot, script, name, preset_file, map, input_files }) {
        Err(error @ ExploreError::NoDisplay(_)) => Err(Failure::no_display(format!("{error}; {}", instead(scene)))),
        Err(error @ (ExploreError::Script(_) | ExploreError::Command { .. })) => {
            let path = path.map_or_else(|| "script".into(), Path::to_string_lossy);
            Err(Failure::input(format!("{path}: {error}")))
        }
        other => Ok(other?),
    }
}
