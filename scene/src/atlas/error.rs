//! The errors of an atlas: [`AtlasError`], and [`PartError`] for its files.

use glam::IVec2;

use crate::files::describe_io_error;
use farsight::internal::text::excerpt;
use farsight::sight::SightError;

/// The ways in which an atlas can fail.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// A step of 0.
    #[error("a step of 0 cells is not valid: expected 1 or more")]
    NoStep,
    /// A list without cells.
    #[error("the list of cells is empty")]
    NoCells,
    /// A cell that is not on the map.
    #[error("cell {},{} is outside the map of {}x{} cells", cell.x, cell.y, size.x, size.y)]
    CellOutside {
        /// The first such cell.
        cell: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// An atlas with more cells than a map may have.
    #[error(
        "an atlas of {0} cells is too large: expected at most 268435456, or 4294967295 if only .tif is written from .part files; take \
         views from fewer cells"
    )]
    TooLarge(u64),
    /// A line of a list that is not a cell.
    #[error("line {line}: \"{}\" is not a cell: expected two whole numbers x,y", excerpt(text))]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A text that is not a shard.
    #[error("\"{}\" is not a shard: expected I/N, such as 1/8 for the first of eight", excerpt(.0))]
    NotAShard(String),
    /// A shard that does not exist.
    #[error("shard {index}/{count} does not exist: expected 1/{0} to {0}/{0}", .count.max(&1))]
    NoShard {
        /// The number of the shard, from 1.
        index: u32,
        /// The number of shards.
        count: u32,
    },
    /// A view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// A part that does not belong to the others.
    #[error("{other} belongs to another atlas than {first}: {why}")]
    Foreign {
        /// The first part.
        first: String,
        /// The part of another atlas.
        other: String,
        /// The difference.
        why: String,
    },
    /// Two parts with the same cells.
    #[error("{first} and {other} both hold shard {shard}")]
    Duplicate {
        /// The first part.
        first: String,
        /// The second part.
        other: String,
        /// `2/4`.
        shard: String,
    },
    /// Missing parts.
    #[error("missing: {}", .0.join(", "))]
    Missing(Vec<String>),
    /// A part that is not complete.
    #[error("{name} is not complete: it holds {done} of {all} cells; finish it with --resume")]
    Incomplete {
        /// The part.
        name: String,
        /// Cells that it holds.
        done: usize,
        /// Cells of the complete part.
        all: usize,
    },
}

/// The faults of the file of a part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// Another kind of file.
    #[error("is not a part of an atlas")]
    NotAPart,
    /// A part in the format of another version.
    #[error("was written by another version of farsight; delete it and start again")]
    OtherVersion,
    /// A header that cannot be read.
    #[error("is damaged: its header cannot be read: {}", excerpt(.0))]
    Header(String),
    /// A part of another scene, other cells, or another share.
    #[error("belongs to another atlas: {0}; delete it, or repeat the command that began it")]
    Foreign(String),
    /// Changed bytes.
    #[error("is damaged at byte {at}: {what}; delete it and start again")]
    Damaged {
        /// The position of the damaged block.
        at: usize,
        /// The fault.
        what: &'static str,
    },
    /// A part that exists already.
    #[error("exists already, with {done} of {all} cells; continue it with --resume, or delete it")]
    Exists {
        /// Cells that it holds.
        done: usize,
        /// Cells of the complete part.
        all: usize,
    },
    /// A part that another run writes.
    #[error("is being written by another run")]
    InUse,
    /// The file could not be read.
    #[error("{}", describe_io_error(.0))]
    Read(std::io::Error),
    /// The file could not be written.
    #[error("could not write: {}", describe_io_error(.0))]
    Write(std::io::Error),
}

impl PartError {
    /// Returns `true` if writing failed, `false` if reading failed.
    pub fn is_write(&self) -> bool {
        matches!(self, Self::Write(_))
    }
}
