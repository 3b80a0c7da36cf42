//! Why a world could not be made.

use crate::job::Cancelled;

/// Why a world could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A side is 0 or larger than a world may be.
    #[error("a world of {width}x{height} cells cannot be made: each side must be from 1 to {limit}")]
    Size {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
        /// The longest side that is made.
        limit: u32,
    },
    /// A value outside its range.
    #[error("{key} = {value} is out of range: it must be {range}")]
    OutOfRange {
        /// The preset key: `world.land`.
        key: &'static str,
        /// The value given.
        value: String,
        /// The range in words, with the unit.
        range: String,
    },
    /// The world would not fit.
    #[error(
        "a world of {width}x{height} cells needs {} MiB of memory and {} MiB are free; make it smaller",
        needed.div_ceil(1 << 20), available >> 20
    )]
    Memory {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
        /// Bytes that making it takes.
        needed: u64,
        /// Bytes that can be had.
        available: u64,
    },
    /// Given fields of different shapes.
    #[error("the {field} field has {width}x{height} cells and the elevation {expected_width}x{expected_height}")]
    Shape {
        /// Which field.
        field: &'static str,
        /// Its columns.
        width: usize,
        /// Its rows.
        height: usize,
        /// Columns of the elevation.
        expected_width: usize,
        /// Rows of the elevation.
        expected_height: usize,
    },
    /// A given field holds a value that it must not.
    #[error("{field} at {x},{y} is {value}: it must be {range}")]
    Value {
        /// Which field.
        field: &'static str,
        /// Column of the cell.
        x: usize,
        /// Row of the cell.
        y: usize,
        /// The value found.
        value: f32,
        /// What would be right.
        range: &'static str,
    },
    /// Given ground of which nothing is known.
    #[error("no cell of the map has an elevation")]
    NoData,
    /// The [`Job`](crate::job::Job) was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
