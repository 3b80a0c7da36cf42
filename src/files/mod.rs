//! File formats: maps and heightmaps are read, rasters and pictures are written.
//!
//! | files | | type |
//! |---|---|---|
//! | `.txt` `.npy` `.csv` `.png` | are read as | [`MapFile`]: opacities, viewer |
//! | `.tif` `.hgt` `.asc` `.npy` `.png` | are read as | [`Heightmap`]: metres, georeference |
//! | `.png` `.gif` `.json` | are read for their | [`Provenance`]: the scene that a file shows |
//! | `.npy` `.csv` `.json` `.asc` `.tif` `.txt` `.png` | are written from a | [`Raster`]: values, georeference, provenance |
//!
//! Every format is decoded from bytes and encoded to any writer. Only the `read_…` functions, [`save`] and what
//! belongs to it touch the file system; they do not exist on the web.

mod error;
mod format;
mod georeference;
mod height_range;
mod io_error;
mod map_source;
mod provenance;
mod read;
mod write;

pub use error::FileError;
pub use format::{Format, FormatError};
pub use georeference::{CellSizeError, GeoKeys, Georeference};
pub use height_range::{HeightRange, HeightRangeError};
pub(crate) use io_error::describe_io_error;
#[cfg(feature = "cli")]
pub(crate) use map_source::StreamedDigest;
pub use map_source::{FieldSource, GroundSource, MapSource, digest, digest_of_map};
pub(crate) use map_source::{digest_of_parts, fnv1a_64};
pub use provenance::Provenance;
#[cfg(all(any(feature = "cli", feature = "explorer"), not(target_arch = "wasm32")))]
pub(crate) use read::read_whole;
pub use read::{
    AscError, CsvError, Heightmap, HgtError, MAX_CELLS, MapFile, NpyError, PngError, RasterHeader, ReadError, TifError,
};
#[cfg(not(target_arch = "wasm32"))]
pub use read::{
    Input, read_field, read_heightmap, read_heightmap_window, read_opacity_map, read_provenance, read_raster_header,
};
/// The type of the values in [`Provenance::more`].
pub use serde_json::Value as JsonValue;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use write::remove_stale_files;
#[cfg(any(feature = "cli", feature = "explorer"))]
pub(crate) use write::saved_message;
pub use write::{Depth, Labels, Raster, WriteError, write_picture};
#[cfg(all(any(feature = "cli", feature = "explorer"), not(target_arch = "wasm32")))]
pub(crate) use write::{NamedInput, OutputFile, OverwritesInput, ensure_not_input, write_together};
#[cfg(not(target_arch = "wasm32"))]
pub use write::{NumberedName, Sequence, Staged, save, save_atomically, write_stdout};
pub(crate) use write::{StickyErrorWriter, picture_encoder};
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub(crate) use write::{ensure_folder, is_same_file, is_stdout, replaced_file};
