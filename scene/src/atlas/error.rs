//! The errors of an atlas: [`AtlasError`], and [`CheckpointError`] for its checkpoint file.

use glam::IVec2;

use crate::files::describe_io_error;
use farsight::internal::text::excerpt;
use farsight::sight::SightError;

/// An error of an atlas.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// A step of 0.
    #[error("a step of 0 cells is not valid: expected 1 or more")]
    NoStep,
    /// A list without cells.
    #[error("the list of cells is empty")]
    NoCells,
    /// A cell off the map.
    #[error("cell {},{} is outside the map of {}x{} cells", cell.x, cell.y, size.x, size.y)]
    CellOutside {
        /// The first such cell.
        cell: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// An atlas with too many cells for a map.
    #[error(
        "an atlas of {0} cells is too large: expected at most 268435456, or 4294967295 if only .tif is written from a checkpoint; take \
         views from fewer cells"
    )]
    TooLarge(u64),
    /// An invalid line of a list of cells.
    #[error("line {line}: \"{}\" is not a cell: expected two whole numbers x,y", excerpt(text))]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// An incomplete atlas.
    #[error("is not complete: it holds {done} of {all} cells; finish it with --resume")]
    Incomplete {
        /// The number of computed cells.
        done: usize,
        /// The number of cells of the complete atlas.
        all: usize,
    },
}

/// An error of a checkpoint file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Another kind of file.
    #[error("is not a checkpoint of an atlas")]
    NotACheckpoint,
    /// A checkpoint in the format of another version.
    #[error("was written by another version of farsight; delete it and start again")]
    OtherVersion,
    /// A header that cannot be read.
    #[error("is damaged: its header cannot be read: {}", excerpt(.0))]
    Header(String),
    /// A checkpoint of another scene or of other cells.
    #[error(
        "belongs to another atlas: its digest of scene and cells is {}, that of this command is {wanted}; delete it, or repeat the \
         command that began it",
        excerpt(found)
    )]
    Foreign {
        /// The digest in the file.
        found: String,
        /// The digest of the plan.
        wanted: String,
    },
    /// Changed bytes.
    #[error("is damaged at byte {at}: {what}; delete it and start again")]
    Damaged {
        /// The position of the damaged block.
        at: usize,
        /// The fault.
        what: &'static str,
    },
    /// A checkpoint that already exists.
    #[error("exists already, with {done} of {all} cells; continue it with --resume, or delete it")]
    Exists {
        /// The number of cells in the file.
        done: usize,
        /// The number of cells of the complete atlas.
        all: usize,
    },
    /// A checkpoint in use by another run.
    #[error("is being written by another run")]
    InUse,
    /// The cells in the file do not form an atlas.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// The file could not be read.
    #[error("{}", describe_io_error(.0))]
    Read(std::io::Error),
    /// The file could not be written.
    #[error("could not write: {}", describe_io_error(.0))]
    Write(std::io::Error),
}

impl CheckpointError {
    /// Returns `true` if writing failed, `false` if reading failed.
    pub fn is_write(&self) -> bool {
        matches!(self, Self::Write(_))
    }
}
