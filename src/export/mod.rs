//! Scenes as files: exports, links that hold a scene, and saved walks.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod export;
mod link;
mod replay;
mod saved_walk;

pub(crate) use export::check_scale;
pub use export::{Crop, Export, ExportOptions, PictureStyle, provenance};
pub(crate) use link::shell_quoted;
pub use link::{Link, LinkError};
pub use saved_walk::{SavedWalk, SavedWalkError};
