//! [`SavedWalkError`]: why a file is no walk that can be taken up.

use crate::preset::PresetError;
use crate::scene::SceneError;

/// Why a file is no walk that can be taken up.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedWalkError {
    /// Another kind of file.
    #[error("not a saved walk; one begins with the words \"farsight walk\"")]
    Foreign,
    /// A format that this version does not read.
    #[error(
        "a walk in format {format}, saved by another version of farsight; this one, {}, reads format {known} only",
        env!("CARGO_PKG_VERSION")
    )]
    OtherFormat {
        /// The format of the file.
        format: u32,
        /// The format that is read.
        known: u32,
    },
    /// The file ends too soon.
    #[error("a saved walk that is cut short")]
    CutShort,
    /// The checksum is not that of the rest.
    #[error("a saved walk that is damaged: its checksum is {wanted}, that of its content {found}")]
    Damaged {
        /// The checksum that the file names.
        wanted: String,
        /// The checksum of what it holds.
        found: String,
    },
    /// Something in it cannot be.
    #[error("a saved walk with something wrong in it: {0}")]
    Content(String),
    /// Its preset is wrong.
    #[error("a saved walk with a wrong preset: {0}")]
    Preset(#[from] PresetError),
    /// The world is not that of the walk.
    #[error("a walk in another world: the one at hand is not as it was when farsight {version} saved the walk")]
    OtherLand {
        /// The version that saved it.
        version: String,
    },
    /// The walk is on measured ground.
    #[error("a walk on the heightmap {0}; give that file, too, with --heightmap")]
    NeedsGround(String),
    /// There is no scene.
    #[error(transparent)]
    Scene(Box<SceneError>),
}

impl From<SceneError> for SavedWalkError {
    fn from(error: SceneError) -> Self {
        Self::Scene(Box::new(error))
    }
}
