//! Scenes as files: exports, links, and saved walks.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod export;
mod link;
mod options;
mod saved_walk;
mod shell;
mod walk_file;

pub use export::{check_scale, provenance};
pub use link::{Link, LinkError, parse_cell};
pub(crate) use options::SettingsReader;
pub use options::{Crop, ExportOptions, PictureStyle, ProvenanceError};
pub use saved_walk::{SavedWalk, SavedWalkError};
pub use shell::Shell;
