//! Saved walks: a walk in a file, with its memory and creatures, to go on with another day.

mod body;
mod error;
mod runs;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod saved_walk;

pub use error::SavedWalkError;
pub use saved_walk::SavedWalk;
