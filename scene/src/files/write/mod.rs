//! Writers: rasters as text and as binary files, pictures, and saving.

#[cfg(not(target_arch = "wasm32"))]
mod antimeridian;
mod error;
mod features;
mod geojson;
#[cfg(feature = "geopackage")]
mod geopackage;
mod geotiff;
mod height_png;
mod npy;
mod output;
mod output_format;
mod png;
mod product;
mod qml;
mod raster;
mod save;
mod text;
mod tiff_image;

pub use error::WriteError;
pub use features::{Features, FieldKind, FieldValue, Geometry, Table, TableColumn};
pub use output::{
    NamedInput, OutputFile, OverwritesInput, ensure_folder, ensure_not_input, is_same_file, is_stdout, replaced_file,
    save_product, write_together,
};
pub use output_format::OutputFormat;
pub use png::write_picture;
pub(crate) use png::{StickyErrorWriter, picture_encoder};
pub use product::{Content, ContentKind, FrameSource, PlacedPicture, Product, RasterRows, RowSource, SheetSource};
pub use qml::{Legend, LegendSteps};
pub use raster::{Depth, Labels, NumberType, PixelEncoding, Raster, TifLayout};
pub use save::{NumberedName, Sequence, Staged, remove_stale_files, save, save_atomically, write_stdout};
