//! File formats: maps and heightmaps are read, rasters and pictures are written.
//!
//! | files | | type |
//! |---|---|---|
//! | `.txt` `.npy` `.csv` `.png` | are read as | [`MapFile`]: opacities, viewer |
//! | `.tif` `.vrt` `.hgt` `.asc` `.npy` `.png` | are read as | [`Heightmap`]: metres, georeference |
//! | `.png` `.gif` `.json` | are read for their | [`Provenance`]: the scene of the file |
//! | `.npy` `.csv` `.json` `.asc` `.tif` `.txt` `.png` | are written from a | [`Raster`]: values, georeference, provenance |
//!
//! Every format is decoded from bytes and encoded to any writer. Only the `read_…` functions, [`save`] and its helpers
//! access the file system; they do not exist on the web.

mod definitions;
mod error;
mod format;
mod geo_keys;
mod georeference;
mod ground_sizes;
mod io_error;
mod length_unit;
mod picture_heights;
mod prj_system;
mod prj_text;
mod provenance;
mod read;
mod reference_system;
mod wkt;
mod wkt_projection;
mod write;

pub use crate::guard_panics::silence_guarded_panics;
pub use crate::read_file::read_file;
pub use error::FileError;
pub use format::{Format, FormatError};
pub use geo_keys::GeoKeys;
pub use georeference::{CellSizeError, Georeference};
pub use ground_sizes::GroundScale;
pub use io_error::describe_io_error;
pub use length_unit::LengthUnit;
pub use picture_heights::{HeightEncoding, HeightRange, HeightRangeError, PictureHeights};
pub use provenance::{
    FieldSource, GroundSource, MapSource, Provenance, StreamedDigest, SurfaceSource, digest, digest_of_map,
};
pub(crate) use provenance::{digest_of_parts, fnv1a_64};
pub use read::{
    AscError, CsvError, Heightmap, HgtError, Input, MAX_CELLS, MapFile, NpyError, PngError, RasterHeader, ReadError,
    TifError, read_field, read_heightmap, read_heightmap_window, read_opacity_map, read_provenance, read_raster_header,
    read_whole,
};
#[cfg(not(target_arch = "wasm32"))]
pub use read::{PositionedPicture, VirtualRasterError, read_placed_picture, tile_paths};
pub use reference_system::{ReferenceSystem, TransformError};
/// The type of the values in [`Provenance::more`].
pub use serde_json::Value as JsonValue;
pub use write::{
    Content, ContentKind, Depth, Features, FieldKind, FieldValue, FrameSource, Geometry, Labels, Legend, LegendSteps,
    NamedInput, NumberType, NumberedName, OutputFile, OutputFormat, OverwritesInput, PixelEncoding, PlacedPicture,
    Product, Raster, RasterRows, RowSource, Sequence, SheetSource, Staged, Table, TableColumn, TifLayout, WriteError,
    ensure_folder, ensure_not_input, is_same_file, is_stdout, remove_stale_files, replaced_file, save, save_atomically,
    save_product, write_picture, write_stdout, write_together,
};
pub(crate) use write::{StickyErrorWriter, picture_encoder};
