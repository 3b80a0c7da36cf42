//! The atlas: how much every cell of a map sees. A viewer stands on each in turn, with the optics and the radius of a
//! viewer there, so that relief counts from each.
//!
//! ```text
//!  Scene + Cells ──► AtlasPlan ──survey──► blocks of AtlasCell ──► AtlasPart ─┐
//!                                                          (a file, may grow)  ├─join──► Atlas ──► files
//!                                                                  AtlasPart ─┘
//! ```

mod cells;
mod error;
mod look;
mod output;
mod part;
#[cfg(not(target_arch = "wasm32"))]
mod part_file;
mod plan;
mod sum_up;

pub use cells::Cells;
pub use error::{AtlasError, PartError};
pub use look::{AtlasCell, AtlasLayer};
pub use output::Atlas;
pub use part::AtlasPart;
#[cfg(not(target_arch = "wasm32"))]
pub use part_file::PartFile;
pub use plan::{AtlasPlan, Shard};
