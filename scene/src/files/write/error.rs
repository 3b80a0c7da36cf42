//! [`WriteError`]: errors of writing.

use std::io;

use glam::IVec2;

use crate::files::format::Format;
use crate::files::io_error::describe_io_error;
use crate::files::reference_system::TransformError;
use crate::text::excerpt;

/// An error of writing a file. The message continues the name of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// An error of the file system or of a stream.
    #[error("could not write: {}", describe_write_error(.0))]
    Io(#[from] io::Error),
    /// The folder does not exist.
    #[error("could not write: there is no folder {}", excerpt(.0))]
    NoFolder(String),
    /// The target is a folder.
    #[error("could not write: it is a folder")]
    IsFolder,
    /// The target is write-protected.
    #[error("could not write: the file there is write-protected")]
    Protected,
    /// A coordinate reference system that no export wrote, in place of a new one.
    #[error(
        "could not write: the file there names another coordinate reference system than the new one, and farsight did not write \
        it; remove it, or choose another name"
    )]
    OtherSystem,
    /// A raster or picture without cells.
    #[error("could not write: it has no cells")]
    Empty,
    /// A format that is only read.
    #[error("could not write: {0} files are only read; use .tif")]
    ReadOnly(Format),
    /// A format that does not support the content.
    #[error("could not write: {format} files do not hold it; use {accepted}")]
    NotTaken {
        /// The extension of the format.
        format: String,
        /// The extensions of formats that support it.
        accepted: String,
    },
    /// A position without longitude and latitude.
    #[error("could not write: {0}")]
    Position(#[from] TransformError),
    /// A value that the format cannot represent.
    #[error("could not write: cell {},{} of {layer} is {value}; {format} holds values from 0 to 1", cell.x, cell.y)]
    Value {
        /// The format.
        format: Format,
        /// The layer.
        layer: String,
        /// The map cell.
        cell: IVec2,
        /// Its value.
        value: f32,
    },
    /// Labels that do not match the values.
    #[error("could not write: the labels of {column} do not fit the values: {fault}")]
    Labels {
        /// The column of the labels.
        column: String,
        /// The mismatch.
        fault: String,
    },
    /// Pixels that do not fill the picture.
    #[error("could not write: {bytes} bytes are not an RGB or RGBA picture of {width}x{height} pixels")]
    Pixels {
        /// Number of bytes.
        bytes: usize,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// An error of the encoder, such as a picture too large for the format.
    #[error("could not write: {0}")]
    Encode(String),
}

impl WriteError {
    /// Returns `true` for a closed pipe, which is not a failure of a command line tool.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Describes an I/O error of an output file, which does not exist before.
fn describe_write_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if cfg!(not(target_arch = "wasm32")) => "no file can be created there".to_owned(),
        _ => describe_io_error(error),
    }
}

impl From<png::EncodingError> for WriteError {
    fn from(error: png::EncodingError) -> Self {
        match error {
            png::EncodingError::IoError(error) => Self::Io(error),
            other => Self::Encode(other.to_string()),
        }
    }
}
