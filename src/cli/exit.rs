//! [`Failure`]: what is said on standard error, and the exit code.

use std::process::ExitCode;

use crate::files::FileError;
use crate::preset::PresetError;
use crate::scene::SceneError;
use crate::sight::SightError;
use crate::world::WorldError;

/// What the exit codes mean.
pub(super) const CODES: &str = "\
Exit codes: 0 done, 1 internal error, 2 usage, 3 bad input (file, preset, map, cell outside), 4 could not write, \
5 no display.";

/// Why the program did not do what it was asked to.
#[derive(Debug)]
pub(super) struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// A fault of the program's own.
    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self { code: 1, message: message.into() }
    }

    /// Flags that make no sense.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { code: 2, message: format!("{}\n\nFor more information, try '--help'.", message.into()) }
    }

    /// A file, preset, map or cell that will not do.
    pub(super) fn input(message: impl Into<String>) -> Self {
        Self { code: 3, message: message.into() }
    }

    /// What could not be written.
    pub(super) fn output(message: impl Into<String>) -> Self {
        Self { code: 4, message: message.into() }
    }

    /// Nothing to open a window on.
    pub(super) fn no_display(message: impl Into<String>) -> Self {
        Self { code: 5, message: message.into() }
    }

    /// Stopped from the keyboard, as shells have it.
    pub(super) fn interrupted() -> Self {
        Self { code: 130, message: "stopped; nothing was written".into() }
    }

    /// Stopped from the keyboard, with something to go on from.
    pub(super) fn stopped(message: impl Into<String>) -> Self {
        Self { code: 130, message: message.into() }
    }

    /// Says what went wrong, and gives the exit code.
    pub(super) fn report(&self) -> ExitCode {
        super::say(&format!("farsight: {}", self.message));
        self.code.into()
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string(); // without colours
        let text = text.trim_end();
        Self { code: 2, message: text.strip_prefix("error: ").unwrap_or(text).to_owned() }
    }
}

impl From<PresetError> for Failure {
    fn from(error: PresetError) -> Self {
        Self::input(error.to_string())
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        match error {
            SceneError::Interrupted
            | SceneError::World(WorldError::Cancelled(_))
            | SceneError::Sight(SightError::Cancelled(_)) => Self::internal(error.to_string()),
            other => Self::input(other.to_string()),
        }
    }
}

impl From<SightError> for Failure {
    fn from(error: SightError) -> Self {
        SceneError::from(error).into()
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let code = if error.is_write() { 4 } else { 3 };
        Self { code, message: error.to_string() }
    }
}

#[cfg(feature = "explorer")]
impl From<crate::explorer::ExploreError> for Failure {
    fn from(error: crate::explorer::ExploreError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}
