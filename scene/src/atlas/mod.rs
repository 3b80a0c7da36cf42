//! Atlases: summaries of the views from every cell of a map.
//!
//! A view is computed from each cell, with the optics and the radius of a viewer on that cell, and summarized.
//!
//! ```text
//!  Scene + Cells ──► AtlasPlan ──survey──► blocks of AtlasCell ──► Atlas ──────────────────► files
//!                                                    └─► Checkpoint (a file) ──► StoredAtlas ─┘
//! ```
//!
//! A stopped run is resumed from its [`Checkpoint`]. [`StoredAtlas`] writes GeoTIFF files without loading the cells
//! into memory.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod atlas;
mod cells;
mod checkpoint;
mod error;
mod plan;
mod stored_atlas;
mod summary;

pub use atlas::{Atlas, LayerMaximum};
pub use cells::Cells;
pub use checkpoint::Checkpoint;
pub use error::{AtlasError, CheckpointError};
pub use plan::AtlasPlan;
pub use stored_atlas::StoredAtlas;
pub use summary::{AtlasCell, AtlasLayer};
