//! [`ExploreError`]: the explorer cannot run, or ended early.

use super::script::ScriptError;
use farsight_scene::files::{FileError, OverwritesInput};
use farsight_scene::scene::SceneError;

/// The explorer cannot run, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ExploreError {
    /// The script is invalid.
    #[error("{0}")]
    Script(#[from] ScriptError),
    /// A command of the script failed.
    #[error("line {line}: {reason}")]
    Command {
        /// The line of the command, from 1.
        line: usize,
        /// The reason.
        reason: String,
        /// Whether a file could not be written.
        is_write: bool,
    },
    /// The first scene has failed.
    #[error("{0}")]
    Scene(String),
    /// No display is available.
    #[error("no window can be opened: {0}")]
    NoDisplay(String),
    /// The screenshot of the options would replace an opened file.
    #[error("--screenshot {0}")]
    OverwritesInput(String),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

impl ExploreError {
    /// Returns the exit code of the command line: 3 for invalid input, 4 for a failed write, 5 for no display.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Command { is_write: true, .. } => 4,
            Self::Script(_) | Self::Command { .. } | Self::Scene(_) => 3,
            Self::Write(error) => {
                if error.is_write() {
                    4
                } else {
                    3
                }
            }
            Self::OverwritesInput(_) => 3,
            Self::NoDisplay(_) => 5,
        }
    }
}

/// The failure of a command of the window: a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandError {
    pub(crate) reason: String,
    /// Whether a file could not be written.
    pub(crate) is_write: bool,
}

impl From<String> for CommandError {
    fn from(reason: String) -> Self {
        Self { reason, is_write: false }
    }
}

impl From<&str> for CommandError {
    fn from(reason: &str) -> Self {
        reason.to_owned().into()
    }
}

impl From<OverwritesInput> for CommandError {
    fn from(error: OverwritesInput) -> Self {
        error.to_string().into()
    }
}

impl From<SceneError> for CommandError {
    fn from(error: SceneError) -> Self {
        error.to_string().into()
    }
}

impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        Self { reason: error.to_string(), is_write: error.is_write() }
    }
}
