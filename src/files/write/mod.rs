//! Writers: a file a format, and saving.

mod asc;
mod csv;
mod error;
mod json;
mod npy;
#[cfg(all(any(feature = "cli", feature = "explorer"), not(target_arch = "wasm32")))]
mod output;
mod png;
mod raster;
#[cfg(not(target_arch = "wasm32"))]
mod save;
#[cfg(any(feature = "cli", feature = "explorer"))]
mod saved_message;
#[cfg(not(target_arch = "wasm32"))]
mod sequence;
#[cfg(not(target_arch = "wasm32"))]
mod temporary;
mod tif;
mod txt;

pub use error::WriteError;
#[cfg(all(any(feature = "cli", feature = "explorer"), not(target_arch = "wasm32")))]
pub(crate) use output::{NamedInput, OutputFile, OverwritesInput, ensure_not_input, write_together};
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub(crate) use output::{ensure_folder, is_same_file, is_stdout, replaced_file};
pub use png::write_picture;
pub(crate) use png::{StickyErrorWriter, picture_encoder};
pub use raster::{Depth, Labels, Raster};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use save::remove_stale_files;
#[cfg(not(target_arch = "wasm32"))]
pub use save::{Staged, save, save_atomically, write_stdout};
#[cfg(any(feature = "cli", feature = "explorer"))]
pub(crate) use saved_message::saved_message;
#[cfg(not(target_arch = "wasm32"))]
pub use sequence::{NumberedName, Sequence};
