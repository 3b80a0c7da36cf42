//! What can go wrong with a file: [`FileError`] names the file, [`ReadError`] and [`WriteError`] the fault.

use std::io;

use glam::IVec2;

use super::asc_read::AscError;
use super::csv_map::CsvError;
use super::format::{Format, FormatError};
use super::npy::NpyError;
use super::png_map::PngError;
use super::tiff_read::TiffReadError;
use crate::grid::TextMapError;

/// A file that could not be read or written; the message begins with its name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The name tells no format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The file could not be read, or what it holds is wrong.
    #[error("{file}: {fault}")]
    Read {
        /// The path as it was given; `standard input` for a stream.
        file: String,
        /// What is wrong.
        fault: ReadError,
    },
    /// The file could not be written. An older file of that name is as it was.
    #[error("{file}: {fault}")]
    Write {
        /// The path as it was given; `standard output` for a stream.
        file: String,
        /// What is wrong.
        fault: WriteError,
    },
}

impl FileError {
    /// Whether writing failed (exit code 4 of the command line), rather than reading (3).
    pub fn is_write(&self) -> bool {
        matches!(self, Self::Write { .. })
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file system or the stream refused.
    #[error("{}", in_words(.0))]
    Io(#[from] io::Error),
    /// A map drawn as text.
    #[error(transparent)]
    Text(#[from] TextMapError),
    /// A byte in a text file that is no text.
    #[error("line {line}, column {column}: byte 0x{byte:02X} is not text (UTF-8)")]
    NotText {
        /// Line of the byte, from 1.
        line: usize,
        /// Column of the byte, from 1, counted in characters.
        column: usize,
        /// The byte.
        byte: u8,
    },
    /// A NumPy file.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// A table.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// An ASCII grid.
    #[error(transparent)]
    Asc(#[from] AscError),
    /// A picture.
    #[error(transparent)]
    Png(#[from] PngError),
    /// A GeoTIFF file.
    #[error(transparent)]
    Tiff(#[from] TiffReadError),
    /// A value that is no opacity.
    #[error("cell {},{} has opacity {value}; an opacity is a number from 0 (clear) to 1 (wall)", cell.x, cell.y)]
    Opacity {
        /// The first such cell.
        cell: IVec2,
        /// Its value.
        value: f64,
    },
    /// A value that is no elevation.
    #[error("cell {},{} has elevation {value}; an elevation is a number of metres, at most 20000 up or down (if it \
        stands for no data, the file must say so)", cell.x, cell.y)]
    Elevation {
        /// The first such cell.
        cell: IVec2,
        /// Its value.
        value: f64,
    },
    /// A heightmap without heights.
    #[error("no cell has an elevation")]
    NoElevation,
    /// A value that is no share.
    #[error("cell {},{} is {value}; humidity and vegetation are numbers from 0 to 1", cell.x, cell.y)]
    Share {
        /// The first such cell.
        cell: IVec2,
        /// Its value.
        value: f64,
    },
    /// A map without cells.
    #[error("the map has {width}x{height} cells; it needs at least one")]
    Empty {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A map of more cells than are dealt with.
    #[error("a map of {width}x{height} cells is too large; at most 16384x16384 = {} cells", super::MAX_CELLS)]
    TooLarge {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A file or stream that is longer than the largest map.
    #[error("more than {limit} bytes; no map is that large")]
    TooLong {
        /// The most that is read.
        limit: u64,
    },
    /// A file that is longer than any of its kind.
    #[error("it has {}; at most {} are read", bytes(*size), bytes(*limit))]
    FileTooLong {
        /// Its bytes.
        size: u64,
        /// The most that is read.
        limit: u64,
    },
    /// The memory for the map could not be had.
    #[error("a map of {width}x{height} cells does not fit into memory")]
    Memory {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A format that no map is read from.
    #[error("{}", not_a_map(*.0))]
    NotAMap(Format),
    /// A format that no heightmap is read from.
    #[error("no heightmap is read from {0}; use .tif, .asc, .npy or .png")]
    NotAHeightmap(Format),
    /// A format that no humidity or vegetation is read from.
    #[error("no humidity or vegetation is read from {0}; use .tif, .asc, .npy or .png")]
    NotAField(Format),
    /// Neither a picture nor JSON.
    #[error("carries no scene: only .png, .gif and .json files do")]
    NoProvenance,
    /// A picture, film or JSON file that farsight did not write.
    #[error("carries no scene: farsight did not write it, or another program dropped the text in it")]
    ForeignFile,
    /// A scene that cannot be understood.
    #[error("the scene it carries cannot be read: {0}")]
    Provenance(String),
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file system or the stream refused.
    #[error("could not write: {}", in_words(.0))]
    Io(#[from] io::Error),
    /// The folder to write to is not there.
    #[error("could not write: there is no folder {folder}")]
    NoFolder {
        /// The folder.
        folder: String,
    },
    /// The target is a folder.
    #[error("could not write: it is a folder")]
    IsFolder,
    /// The target exists and may not be changed.
    #[error("could not write: the file there is write-protected")]
    Protected,
    /// A gradient without cells.
    #[error("could not write: there are no cells in it")]
    Empty,
    /// A value that the format has no way to say.
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
    /// Labels that do not belong to the values.
    #[error("could not write: the labels of {column} do not fit the values: {fault}")]
    Labels {
        /// The column they go to.
        column: String,
        /// What does not fit.
        fault: String,
    },
    /// Pixels that do not fill the picture.
    #[error("could not write: {bytes} bytes are no RGB or RGBA picture of {width}x{height} pixels")]
    Pixels {
        /// Bytes given.
        bytes: usize,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A picture larger than the format allows, or what its encoder says.
    #[error("could not write: {0}")]
    Encode(String),
}

impl WriteError {
    /// Whether the reader of a stream went away: not a failure for a command line tool.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<serde_json::Error> for WriteError {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(error.into())
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

fn not_a_map(format: Format) -> String {
    let hint = match format {
        Format::Asc | Format::Tif => "; heights are read by --heightmap",
        _ => "; use .txt, .npy, .csv or .png",
    };
    format!("no opacity map is read from {format}{hint}")
}

/// A number of bytes in words.
fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let (mut size, mut unit) = (count as f64 / 1024.0, 0);
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if count < 1024 { format!("{count} bytes") } else { format!("{size:.1} {}", UNITS[unit]) }
}

/// The usual refusals without the numbers of the operating system.
pub(crate) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder".to_owned(),
        io::ErrorKind::StorageFull => "there is no space left".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::UnexpectedEof => "the file is cut short".to_owned(),
        _ => error.to_string(),
    }
}
