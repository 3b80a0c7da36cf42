//! [`FileError`]: an error together with the name of the file.

use super::format::FormatError;
use super::read::ReadError;
use super::write::WriteError;

/// An error of reading or writing a file. The message begins with the name of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The format does not follow from the path.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The file cannot be read, or its content is wrong.
    #[error("{file}: {fault}")]
    Read {
        /// The given path; `standard input` for a stream.
        file: String,
        /// The error.
        fault: ReadError,
    },
    /// The file cannot be written. An older file of that name is unchanged.
    #[error("{file}: {fault}")]
    Write {
        /// The given path; `standard output` for a stream.
        file: String,
        /// The error.
        fault: WriteError,
    },
}

impl FileError {
    pub(crate) fn write(path: &std::path::Path, fault: impl Into<WriteError>) -> Self {
        Self::Write { file: path.display().to_string(), fault: fault.into() }
    }

    /// Returns `true` for an error of writing (exit code 4 of the command line) and `false` for one of reading (3).
    pub fn is_write(&self) -> bool {
        matches!(self, Self::Write { .. })
    }
}
