//! Atlases: how much every cell of a map sees.
//!
//! A view is computed from each cell, with the optics and the radius of a viewer there, and summed up.
//!
//! ```text
//!  Scene + Cells ──► AtlasPlan ──survey──► blocks of AtlasCell ──► AtlasPart ─┐
//!                                                          (a file, may grow)  ├─join──► Atlas ──► files
//!                                                                  AtlasPart ─┘
//! ```

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod atlas;
mod cell;
mod cells;
mod error;
mod part;
mod part_file;
mod plan;
mod summary;
mod windows;

pub use atlas::Atlas;
pub use cell::{AtlasCell, AtlasLayer};
pub use cells::Cells;
pub use error::{AtlasError, PartError};
pub use part::AtlasPart;
pub use part_file::PartFile;
pub use plan::{AtlasPlan, Shard};
