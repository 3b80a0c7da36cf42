//! Atlases: how much every cell of a map sees.
//!
//! A view is computed from each cell, with the optics and the radius of a viewer there, and summed up.
//!
//! ```text
//!  Scene + Cells ──► AtlasPlan ──survey──► blocks of AtlasCell ──► AtlasPart ─┐
//!                                                          (a file, may grow)  ├─join──► Atlas ──► files
//!                                                                  AtlasPart ─┘
//! ```
//!
//! [`AtlasFiles`] writes the files of parts as GeoTIFF without their cells in memory.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod atlas;
mod cells;
mod error;
mod files;
mod part;
mod plan;
mod summary;

pub use atlas::Atlas;
pub use cells::Cells;
pub use error::{AtlasError, PartError};
pub use files::{AtlasFiles, GreatestValue, PartOnDisk};
pub use part::{AtlasPart, PartFile};
pub use plan::{AtlasPlan, Shard};
pub use summary::{AtlasCell, AtlasLayer};
