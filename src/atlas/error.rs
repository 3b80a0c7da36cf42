//! What can go wrong with an atlas: [`AtlasError`], and [`PartError`] for its files.

use glam::IVec2;

use crate::files::describe_io_error;
use crate::sight::SightError;

/// Why there is no atlas.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// A step of 0.
    #[error("every 0 cells is no step; it must be 1 or more")]
    NoStep,
    /// A list without cells.
    #[error("the list of cells is empty")]
    NoCells,
    /// A cell that is not on the map.
    #[error("cell {},{} lies outside the map of {}x{} cells", cell.x, cell.y, size.x, size.y)]
    CellOutside {
        /// The first such cell.
        cell: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// A line of a list that is no cell.
    #[error("line {line}: {text:?} is no cell; a cell is two whole numbers x,y")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A share that there is not.
    #[error("there is no shard {index}/{count}; shards are 1/{0} to {0}/{0}", .count.max(&1))]
    NoShard {
        /// Its number, from 1.
        index: u32,
        /// How many there are.
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
        /// The one that does not fit.
        other: String,
        /// In what they differ.
        why: String,
    },
    /// Two parts with the same cells.
    #[error("{first} and {other} both hold shard {shard}")]
    Duplicate {
        /// The one.
        first: String,
        /// The other.
        other: String,
        /// `2/4`.
        shard: String,
    },
    /// Parts that are not there.
    #[error("missing: {}", .0.join(", "))]
    Missing(Vec<String>),
    /// A part that was not computed to its end.
    #[error("{name} is not done: it holds {done} of {all} cells; finish it with --resume")]
    Incomplete {
        /// The part.
        name: String,
        /// Cells that it holds.
        done: usize,
        /// Cells that it is for.
        all: usize,
    },
}

/// What is wrong with the file of a part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// Some other file.
    #[error("is no part of an atlas")]
    NotAPart,
    /// A part that a version with another format wrote.
    #[error("was written by another version of farsight; delete it and begin again")]
    OtherVersion,
    /// What it says of itself cannot be understood.
    #[error("is damaged: its heading cannot be read: {0}")]
    Heading(String),
    /// A part of another scene, other cells, or another share.
    #[error("belongs to another atlas: {0}; delete it, or ask for the same again")]
    Foreign(String),
    /// Bytes that were changed.
    #[error("is damaged at byte {at}: {what}; delete it and begin again")]
    Damaged {
        /// Where.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// An older part, where none was expected.
    #[error("is there already, with {done} of {all} cells; go on with --resume, or delete it")]
    Exists {
        /// Cells that it holds.
        done: usize,
        /// Cells that it is for.
        all: usize,
    },
    /// Another run writes it.
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
    /// Whether writing failed, rather than reading.
    pub fn is_write(&self) -> bool {
        matches!(self, Self::Write(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_file_system_refuses_is_said_in_words() {
        let full = PartError::Write(std::io::ErrorKind::StorageFull.into());
        assert_eq!(full.to_string(), "could not write: there is no space left");
        let guarded = PartError::Read(std::io::ErrorKind::PermissionDenied.into());
        assert_eq!(guarded.to_string(), "permission denied");
    }
}
