//! [`open_window`]: the explorer, with the scene of the flags.

use std::path::Path;

use super::failure::Failure;
use super::output::ensure_input_kept;
use super::scene_args::SceneArgs;
use super::stdio::read_text;
use super::terminal::commands_without_window;
use crate::document::DocumentOptions;
use crate::window::{ExploreError, ExploreOptions, run};
use farsight_scene::files::NamedInput;

const MAX_SCRIPT_BYTES: u64 = 1 << 26;

/// Opens the window, and returns when it is closed.
pub(crate) fn open_window(
    args: &SceneArgs,
    window: Option<(u32, u32)>,
    screenshot: Option<&Path>,
    script_file: Option<&Path>,
) -> Result<(), Failure> {
    if let Some(path) = screenshot {
        let script = script_file.map(|path| NamedInput::new("--script", path));
        let inputs: Vec<NamedInput> = args.inputs().into_iter().chain(script).collect();
        ensure_input_kept("--screenshot", path, &inputs)?;
    }
    let script = script_file.map(|path| read_text(path, MAX_SCRIPT_BYTES)).transpose()?;
    let request = args.request()?;
    let (source, name, viewer) = (request.source().clone(), request.options.name.clone(), request.viewer);
    let has_scene = request.is_walk() || !source.has_world();
    let document = match has_scene {
        true => DocumentOptions::with_scene(request.scene(true)?.0, source, &name),
        false => DocumentOptions { source, viewer, ..DocumentOptions::new(request.preset, &name) },
    };
    let options = ExploreOptions {
        document: DocumentOptions {
            preset_file: args.preset_file().map(Path::to_owned),
            input_files: args.inputs().into_iter().map(|input| input.path).collect(),
            ..document
        },
        window,
        question: None,
        screenshot: screenshot.map(Path::to_owned),
        script,
        walk_file: args.load.clone(),
        script_file: script_file.map(Path::to_owned),
    };
    match run(options) {
        Err(error @ ExploreError::NoDisplay(_)) => {
            Err(Failure::no_display(format!("{error}; {}", commands_without_window(args))))
        }
        Err(error @ (ExploreError::Script(_) | ExploreError::Command { .. })) => {
            let path = script_file.map_or_else(|| "script".into(), Path::to_string_lossy);
            Err(Failure::new(error.exit_code(), format!("{path}: {error}")))
        }
        other => Ok(other?),
    }
}

impl From<ExploreError> for Failure {
    fn from(error: ExploreError) -> Self {
        Self::new(error.exit_code(), error)
    }
}
