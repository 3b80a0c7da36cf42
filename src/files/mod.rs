//! Reading opacity maps and writing gradients: the file formats, and how a file is put in place.
//!
//! ```text
//!  .txt .npy .csv .png  ──read──►  MapFile (opacities, viewer)
//!  .tif .asc .npy .png  ──read──►  Heightmap (metres, place on the earth)
//!  .npy .csv .json .asc .tif .txt .png  ◄──write──  Gradient (values, place, provenance)
//!  .png .gif .json  ──read──►  Provenance (which scene was this?)
//! ```
//!
//! Every format is decoded from any reader and encoded to any writer; only [`read_opacity_map`],
//! [`read_heightmap`], [`read_field`], [`read_provenance`] and [`save`] touch the file system, and they are not there on the web.

mod asc;
mod asc_read;
mod csv_map;
mod csv_table;
mod decode;
mod error;
#[cfg(not(target_arch = "wasm32"))]
mod field;
mod format;
mod georeference;
mod gif_comment;
mod gradient;
mod heightmap;
mod json;
mod map_source;
mod npy;
#[cfg(all(any(feature = "cli", feature = "explorer"), not(target_arch = "wasm32")))]
mod output;
mod png_map;
mod png_write;
mod provenance;
#[cfg(not(target_arch = "wasm32"))]
mod save;
#[cfg(not(target_arch = "wasm32"))]
mod sequence;
#[cfg(not(target_arch = "wasm32"))]
mod source;
mod text;
mod tiff_read;
mod tiff_write;

pub use asc_read::AscError;
pub use csv_map::CsvError;
pub use decode::{MAX_CELLS, MapFile};
pub(crate) use error::in_words;
pub use error::{FileError, ReadError, WriteError};
pub use format::{Format, FormatError};
pub use georeference::{CellSizeError, GeoKeys, Georeference};
pub use gradient::{Gradient, Labels};
pub use heightmap::Heightmap;
pub use map_source::{FieldSource, GroundSource, MapSource};
pub use npy::NpyError;
#[cfg(all(any(feature = "cli", feature = "explorer"), not(target_arch = "wasm32")))]
pub(crate) use output::{
    NamedInput, OutputFile, OverwritesInput, ensure_folder, ensure_not_input, is_same_file, is_stdout, write_together,
};
pub use png_map::PngError;
pub use png_write::{Depth, write_picture};
pub(crate) use png_write::{FailOnce, picture_encoder};
pub(crate) use provenance::fnv;
pub use provenance::{Provenance, digest};
#[cfg(not(target_arch = "wasm32"))]
pub use save::{Staged, save, save_atomically, write_stdout};
#[cfg(not(target_arch = "wasm32"))]
pub use sequence::{NumberedName, Sequence};
#[cfg(all(any(feature = "cli", feature = "explorer"), not(target_arch = "wasm32")))]
pub(crate) use source::read_whole;
#[cfg(not(target_arch = "wasm32"))]
pub use source::{Source, read_field, read_heightmap, read_opacity_map, read_provenance};
pub use tiff_read::TiffReadError;
