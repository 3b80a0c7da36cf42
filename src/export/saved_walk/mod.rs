//! Saved walks: a walk in a file, with its memory and creatures, that can be continued later.

mod error;
mod run_lengths;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod saved_walk;
mod walk_file;

pub use error::SavedWalkError;
pub use saved_walk::SavedWalk;
