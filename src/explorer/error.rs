//! [`ExploreError`]: the explorer cannot run, or ended early.

use super::script::ScriptError;
use crate::files::FileError;

/// The explorer cannot run, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The script is not valid.
    #[error("{0}")]
    Script(#[from] ScriptError),
    /// A command of the script failed.
    #[error("line {line}: {reason}")]
    Command {
        /// The line of the command, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// The first scene cannot be made.
    #[error("{0}")]
    Scene(#[from] crate::scene::SceneError),
    /// A saved walk cannot be loaded.
    #[error(transparent)]
    Walk(Box<crate::export::SavedWalkError>),
    /// There is no display.
    #[error("no window can be opened: {0}")]
    NoDisplay(String),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

impl ExploreError {
    /// Returns the exit code of the command line: 3 for invalid input, 4 for a failed write, 5 for no display.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Script(_) | Self::Command { .. } | Self::Scene(_) | Self::Walk(_) => 3,
            Self::Write(_) => 4,
            Self::NoDisplay(_) => 5,
        }
    }
}
