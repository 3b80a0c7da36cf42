//! Reading opacity maps and writing gradients: the file formats, and how a file is put in place.
//!
//! ```text
//!  .txt .npy .csv .png  ──read──►  MapFile (opacities, viewer)
//!  .asc .npy .png       ──read──►  Heightmap (metres)
//!  .npy .csv .json .asc .txt .png  ◄──write──  Gradient (values, place, provenance)
//!  .png .json  ──read──►  Provenance (which scene was this?)
//! ```
//!
//! Every format is decoded from any reader and encoded to any writer; only [`read_opacity_map`],
//! [`read_heightmap`], [`read_provenance`] and [`save`] touch the file system, and they are not there on the web.

mod asc;
mod asc_read;
mod csv_map;
mod csv_table;
mod decode;
mod error;
mod format;
mod gradient;
mod heightmap;
mod json;
mod npy;
mod png_map;
mod png_write;
mod provenance;
#[cfg(not(target_arch = "wasm32"))]
mod save;
#[cfg(not(target_arch = "wasm32"))]
mod source;
mod text;

pub use asc_read::AscError;
pub use csv_map::CsvError;
pub use decode::{MAX_CELLS, MapFile};
pub use error::{FileError, ReadError, WriteError};
pub use format::{Format, FormatError};
pub use gradient::{Gradient, Labels};
pub use heightmap::Heightmap;
pub use npy::NpyError;
pub use png_map::PngError;
pub use png_write::{Depth, write_picture};
pub(crate) use provenance::fnv;
pub use provenance::{MapSource, Provenance, digest};
#[cfg(not(target_arch = "wasm32"))]
pub use save::{Staged, save, save_atomically, write_stdout};
#[cfg(not(target_arch = "wasm32"))]
pub use source::{Source, read_heightmap, read_opacity_map, read_provenance};
