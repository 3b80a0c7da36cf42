//! [`Failure`]: an error message with its exit code.

use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};

use farsight::sight::SightError;
use farsight_scene::atlas::AtlasError;
use farsight_scene::compare::{CaseError, CompareError};
use farsight_scene::explain::ExplainError;
use farsight_scene::files::{FileError, OverwritesInput};
use farsight_scene::film::FilmError;
use farsight_scene::preset::PresetError;
use farsight_scene::scene::SceneError;
use farsight_scene::text::excerpt;

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 internal error, 2 usage, 3 bad input (file, preset, map, cell outside), 4 could not write, \
5 no display, 130 interrupted (129 by a closed terminal, 143 by kill).";

/// The maximum length of a suggestion for a wrong flag. A longer one repeats a value, which the quotation truncates.
const LONGEST_SUGGESTION: usize = 300;

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    pub(crate) fn new(code: u8, message: impl ToString) -> Self {
        Self { code, message: message.to_string() }
    }

    pub(crate) fn internal(message: impl ToString) -> Self {
        Self::new(1, message)
    }

    /// Creates the failure of a missing, malformed or contradictory flag.
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::new(2, format!("{}\n\nFor more information, try '--help'.", message.to_string()))
    }

    /// Creates the failure of a wrong file, preset, map or cell.
    pub(crate) fn input(message: impl ToString) -> Self {
        Self::new(3, message)
    }

    pub(crate) fn output(message: impl ToString) -> Self {
        Self::new(4, message)
    }

    pub(crate) fn no_display(message: impl ToString) -> Self {
        Self::new(5, message)
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        self.code.into()
    }
}

/// Errors of the input.
macro_rules! input_errors {
    ($($Error:ty),+) => {
        $(impl From<$Error> for Failure {
            fn from(error: $Error) -> Self {
                Self::input(error)
            }
        })+
    };
}

input_errors!(PresetError, SceneError, SightError, FilmError, AtlasError, ExplainError, CompareError, CaseError);

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let error = with_excerpts(error);
        let text = error.render().to_string(); // without colours
        let text = text.trim_end();
        Self::new(2, text.strip_prefix("error: ").unwrap_or(text))
    }
}

/// Returns an error of the flags with excerpts of the values that it quotes.
fn with_excerpts(mut error: clap::Error) -> clap::Error {
    let quoted: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, ContextValue::String(excerpt(text).into_owned()))),
            ContextValue::StyledStrs(texts) => {
                let is_long = |text: &StyledStr| text.to_string().chars().count() > LONGEST_SUGGESTION;
                let short = texts.iter().filter(|text| !is_long(text)).cloned();
                Some((kind, ContextValue::StyledStrs(short.collect())))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
    error
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        if error.is_write() { Self::output(error) } else { Self::input(error) }
    }
}

impl From<OverwritesInput> for Failure {
    fn from(error: OverwritesInput) -> Self {
        Self::usage(error)
    }
}
