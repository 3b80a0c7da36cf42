//! The document: a preset, the map or world below it, the scene that follows from both, and the undo history.
//!
//! It knows no window and no terminal. Methods that undo, or that show another world, take what is [`Shown`]; a [`Host`] gives the
//! time and makes the worlds.

mod catching_up;
mod command;
mod compared_scene;
#[cfg(test)]
mod drag_tests;
mod edits;
mod generation;
mod host;
mod opened_file;
mod opening;
mod painting;
mod preset_diff;
mod preset_watch;
#[cfg(any(test, target_arch = "wasm32"))]
mod scene_slices;
mod shown;
mod snapshot;
mod source;
mod state;
mod task;
#[cfg(not(target_arch = "wasm32"))]
mod thread_work;
mod trail;
mod undo_stack;
#[cfg(test)]
mod undo_tests;
mod walking;
mod world_updates;

pub(crate) use command::Command;
pub(crate) use compared_scene::ComparedTo;
pub(crate) use host::Host;
pub(crate) use opened_file::{OpenedFile, PictureReading, open};
pub(crate) use opening::picture_bytes;
pub(crate) use shown::{Camera, Shown};
pub(crate) use source::{DocumentOptions, Source};
pub(crate) use state::Document;
pub(crate) use task::TaskError;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use thread_work::in_background;
pub(crate) use trail::Trail;
pub(crate) use undo_stack::UndoSteps;
#[cfg(target_arch = "wasm32")]
pub(crate) use {
    host::SceneWork,
    scene_slices::{KnownTask, Polled, SceneSlices, TASK_FILM, WorkerFailed, answer_to, split_at_len, with_len},
    task::Task,
};
