//! The document: a preset, the map or world below it, the scene that follows from both, and the undo history.
//!
//! It knows no window. Methods that change what is shown take the [`ViewState`](super::view::ViewState).

mod compared_scene;
#[cfg(test)]
mod drag_tests;
mod edits;
mod generation;
mod opened_file;
mod opening;
#[cfg(target_arch = "wasm32")]
mod page_work;
mod picture;
mod preset_diff;
#[cfg(not(target_arch = "wasm32"))]
mod preset_watch;
#[cfg(any(test, target_arch = "wasm32"))]
mod scene_slices;
mod snapshot;
mod state;
#[cfg(any(test, target_arch = "wasm32"))]
mod task_bytes;
mod undo_exclusions;
mod undo_stack;
#[cfg(test)]
mod undo_tests;
mod walking;
mod world_request;
mod world_updates;
mod world_work;

pub(crate) use compared_scene::ComparedTo;
pub(crate) use opened_file::{OpenedFile, PictureReading, open};
pub(crate) use picture::picture_bytes;
pub(crate) use state::{Document, TerrainSource};
pub(crate) use undo_stack::UndoSteps;
