//! Scenes as files: exports, links that hold a scene, and saved walks.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod export;
mod link;
mod options;
mod run_lengths;
mod saved_walk;
mod settings_reader;
mod walk_file;

pub(crate) use export::check_scale;
pub use export::{Export, provenance};
pub(crate) use link::parse_cell;
#[cfg(any(feature = "cli", feature = "explorer"))]
pub(crate) use link::shell_quoted;
pub use link::{Link, LinkError};
pub use options::{Crop, ExportOptions, PictureStyle};
pub use saved_walk::{SavedWalk, SavedWalkError};
pub use settings_reader::ProvenanceError;
pub(crate) use settings_reader::SettingsReader;
