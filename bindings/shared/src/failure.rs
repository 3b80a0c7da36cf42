//! [`Failure`]: an error of farsight for another language.

use std::fmt::Display;

use farsight::horizon::HorizonError;
use farsight::sight::SightError;
use farsight::sky::{DateError, SkyError};
use farsight_scene::atlas::AtlasError;
use farsight_scene::cumulative::ObserverError;
use farsight_scene::explain::ExplainError;
use farsight_scene::files::{FileError, WriteError};
use farsight_scene::film::FilmError;
use farsight_scene::scene::SceneError;

/// The kind of exception or error code of a [`Failure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A number, a name or a file is invalid.
    Invalid,
    /// A cell is off the map.
    Outside,
    /// The result does not fit into memory.
    Memory,
    /// A file cannot be written.
    Write,
}

/// An error with the message of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of the error.
    pub reason: Reason,
    /// The invalid value, and the accepted values.
    pub message: String,
}

impl Failure {
    /// A failure for a reason.
    pub fn new(reason: Reason, message: impl Display) -> Self {
        Self { reason, message: message.to_string() }
    }

    /// A failure of an invalid value.
    pub fn invalid(message: impl Display) -> Self {
        Self::new(Reason::Invalid, message)
    }
}

/// Maps errors to the reason of the first matching pattern, else [`Reason::Invalid`].
macro_rules! failures {
    ($($error:ident { $($pattern:pat => $reason:ident),* $(,)? })*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                let reason = match &error {
                    $($pattern => Reason::$reason,)*
                    _ => Reason::Invalid,
                };
                Self::new(reason, error)
            }
        })*
    };
}

failures! {
    SightError { SightError::ViewerOutside { .. } | SightError::TooFarAway { .. } => Outside }
    HorizonError { HorizonError::ViewerOutside { .. } => Outside }
    SkyError { SkyError::Horizon(HorizonError::ViewerOutside { .. }) => Outside }
    ObserverError { ObserverError::Outside { .. } => Outside }
    SceneError {
        SceneError::Sight(SightError::ViewerOutside { .. } | SightError::TooFarAway { .. }) => Outside,
        SceneError::OffMap { .. } | SceneError::NoSuchCells { .. } => Outside,
        SceneError::Memory { .. } => Memory,
    }
    ExplainError {
        ExplainError::Outside { .. } => Outside,
        ExplainError::Sight(SightError::ViewerOutside { .. } | SightError::TooFarAway { .. }) => Outside,
    }
    AtlasError { AtlasError::TooLarge(_) => Memory }
    FilmError { FilmError::PointOutside { .. } => Outside }
    FileError { FileError::Write { .. } => Write }
    WriteError {}
    DateError {}
}
