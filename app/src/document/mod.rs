//! The document: a preset, the map or world below it, the scene that follows from both, and the undo history.
//!
//! It does not depend on window or terminal. Methods that undo, or that show another world, take the [`Shown`] part.

mod command;
mod compared_scene;
#[cfg(test)]
mod drag_tests;
mod edits;
mod opened_file;
mod opening;
mod painting;
mod preset_diff;
mod preset_watch;
mod shown;
mod snapshot;
mod source;
mod stage;
#[cfg(test)]
mod stage_tests;
mod state;
mod trail;
mod undo_stack;
#[cfg(test)]
mod undo_tests;
mod walking;
mod world_updates;

pub(crate) use command::Command;
pub(crate) use compared_scene::ComparedTo;
pub(crate) use opened_file::{OpenedFile, PictureReading, open};
pub(crate) use opening::picture_bytes;
pub(crate) use shown::{Camera, Shown};
pub(crate) use source::{DocumentOptions, Source};
pub(crate) use state::Document;
pub(crate) use undo_stack::UndoSteps;
