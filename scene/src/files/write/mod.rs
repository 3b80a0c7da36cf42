//! Writers: rasters as text and as binary files, pictures, and saving.

mod error;
mod geotiff;
mod height_png;
mod npy;
mod output;
mod png;
mod qml;
mod raster;
mod save;
mod text;
mod tiff_directory;
mod tiff_image;

pub use error::WriteError;
pub(crate) use geotiff::TifRows;
pub use output::{
    NamedInput, OutputFile, OverwritesInput, ensure_folder, ensure_not_input, is_same_file, is_stdout, replaced_file,
    write_together,
};
pub use png::write_picture;
pub(crate) use png::{StickyErrorWriter, picture_encoder};
pub use qml::qml_style;
pub use raster::{Depth, Labels, NumberType, Raster, TifLayout};
pub use save::{NumberedName, Sequence, Staged, remove_stale_files, save, save_atomically, write_stdout};
