//! Readers: one file per format, and one per type of content.

mod asc;
mod csv;
mod decode;
mod error;
mod heightmap;
mod hgt;
mod input;
mod limits;
mod max_cells;
#[cfg(not(target_arch = "wasm32"))]
mod mosaic;
mod npy;
mod number;
#[cfg(not(target_arch = "wasm32"))]
mod packed_chunks;
mod pam;
#[cfg(not(target_arch = "wasm32"))]
mod placed_picture;
mod png;
mod provenance;
mod r16;
mod sidecars;
mod tif;
mod tif_cells;
mod tif_directories;
#[cfg(not(target_arch = "wasm32"))]
mod tile_folder;
mod txt;
#[cfg(not(target_arch = "wasm32"))]
mod virtual_raster;
#[cfg(not(target_arch = "wasm32"))]
mod virtual_raster_error;

pub use decode::MapFile;
pub use error::{AscError, CsvError, HgtError, NpyError, PngError, ReadError, TifError};
pub use heightmap::{Heightmap, RasterHeader};
pub use input::{
    Input, read_field, read_heightmap, read_heightmap_window, read_opacity_map, read_provenance, read_raster_header,
    read_whole,
};
pub use max_cells::MAX_CELLS;
#[cfg(not(target_arch = "wasm32"))]
pub use mosaic::tile_paths;
#[cfg(not(target_arch = "wasm32"))]
pub use placed_picture::{PositionedPicture, read_placed_picture};
#[cfg(not(target_arch = "wasm32"))]
pub use virtual_raster_error::VirtualRasterError;
