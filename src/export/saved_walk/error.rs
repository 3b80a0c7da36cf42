//! [`SavedWalkError`]: the ways in which loading a walk can fail.

use crate::preset::PresetError;
use crate::scene::SceneError;

/// The ways in which loading a walk can fail.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedWalkError {
    /// A file of another kind.
    #[error("not a saved walk: expected a file that begins with \"farsight walk\"")]
    NotAWalk,
    /// A format of another version.
    #[error(
        "a saved walk in format {format}, which another version of farsight wrote: farsight {} reads format {supported}",
        env!("CARGO_PKG_VERSION")
    )]
    UnsupportedFormat {
        /// The format of the file.
        format: u32,
        /// The format that can be read.
        supported: u32,
    },
    /// A file that ends too early.
    #[error("the saved walk is cut short")]
    Truncated,
    /// Content that does not match its checksum.
    #[error("the saved walk is damaged: the checksum of its content is {found}, expected {expected}")]
    Damaged {
        /// The checksum in the file.
        expected: String,
        /// The checksum of the content.
        found: String,
    },
    /// A value that is not possible.
    #[error("the saved walk is not valid: {0}")]
    Invalid(String),
    /// A preset that is not valid.
    #[error("the saved walk is not valid: {0}")]
    Preset(#[from] PresetError),
    /// A world or map that is not that of the walk.
    #[error("the world differs from that of the saved walk, which farsight {version} wrote")]
    OtherWorld {
        /// The version that saved the walk.
        version: String,
    },
    /// A walk on a heightmap, which the file does not hold.
    #[error("the saved walk needs the heightmap {0}: give it with --heightmap")]
    NeedsHeightmap(String),
    /// The scene could not be made.
    #[error(transparent)]
    Scene(Box<SceneError>),
}

impl From<SceneError> for SavedWalkError {
    fn from(error: SceneError) -> Self {
        Self::Scene(Box::new(error))
    }
}
