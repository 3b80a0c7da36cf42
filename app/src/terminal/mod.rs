//! `farsight` in a terminal: an explorer with keys, a legend, presets and exports.

mod command;
mod pages;
mod raw_terminal;
mod run_loop;
mod screen;
#[cfg(test)]
mod screen_tests;
mod state;

use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::interrupt::install_restoring_handler;
use crate::cli::scene_args::SceneArgs;
use crate::cli::terminal_drawing::TerminalStyle;
use crate::document::{Document, DocumentOptions};
use crate::host::{presets_folder, user_folder};
use raw_terminal::RawTerminal;
use state::TerminalExplorer;

/// Explores the scene of the flags until the user ends it.
pub(crate) fn run(args: &SceneArgs, style: TerminalStyle) -> Result<(), Failure> {
    let request = args.request()?;
    let source = request.source().clone();
    let (scene, options) = request.scene(false)?;
    let first = DocumentOptions::with_scene(scene, source, &options.name);
    let first = DocumentOptions { preset_file: args.preset_file().map(Path::to_owned), ..first };
    let document = Document::new(first);
    let own_presets = user_folder(true).map(|folder| presets_folder(&folder));
    let mut explorer = TerminalExplorer::new(document, options, args.inputs(), own_presets, style);
    install_restoring_handler()?;
    let failure = |error: std::io::Error| Failure::output(format!("the terminal: {error}"));
    let terminal = RawTerminal::enter().map_err(failure)?;
    let ended = run_loop::run(&mut explorer);
    drop(terminal); // before an error message is printed
    ended
}
