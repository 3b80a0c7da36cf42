//! [`WorldError`]: the reasons why a world cannot be made.

use glam::IVec2;

use crate::job::Cancelled;

/// The reason why a world cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A side is 0 or too large.
    #[error("a world of {width}x{height} cells cannot be made: expected sides of 1 to {limit} cells")]
    Size {
        /// The wanted number of columns.
        width: u64,
        /// The wanted number of rows.
        height: u64,
        /// The greatest side.
        limit: u32,
    },
    /// A value of the configuration is out of its range.
    #[error("{key}: {value} is not valid: expected {range}")]
    OutOfRange {
        /// The preset key: `world.land`.
        key: &'static str,
        /// The given value.
        value: String,
        /// The range in words, with the unit.
        range: String,
    },
    /// The world does not fit into the free memory.
    #[error(
        "a world of {width}x{height} cells needs {} MiB of memory and {} MiB are free; make it smaller",
        needed.div_ceil(1 << 20), available >> 20
    )]
    Memory {
        /// The wanted number of columns.
        width: u32,
        /// The wanted number of rows.
        height: u32,
        /// Bytes that the world takes while it is made.
        needed: u64,
        /// Bytes that are free.
        available: u64,
    },
    /// A given field differs in size from the elevation.
    #[error(
        "{field}: {}x{} cells is not valid: expected {}x{}, as the elevation", size.x, size.y, expected.x, expected.y
    )]
    Shape {
        /// The name of the field.
        field: &'static str,
        /// Its columns and rows.
        size: IVec2,
        /// Columns and rows of the elevation.
        expected: IVec2,
    },
    /// A value of a given field is out of its range.
    #[error("{field} at {},{}: {value} is not valid: expected {range}", cell.x, cell.y)]
    Value {
        /// The name of the field.
        field: &'static str,
        /// The cell.
        cell: IVec2,
        /// The given value.
        value: f32,
        /// The range in words, with the unit.
        range: &'static str,
    },
    /// All cells of the measured ground are without data.
    #[error("no cell of the map has an elevation")]
    NoData,
    /// The [`Job`](crate::job::Job) was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
