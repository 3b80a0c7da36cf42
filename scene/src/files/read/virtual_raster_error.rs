//! [`VirtualRasterError`]: faults in a mosaic.

use farsight::internal::text::excerpt;

/// A fault in a mosaic: a `.vrt` file, or a folder of tiles.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VirtualRasterError {
    /// Another kind of XML.
    #[error("is no mosaic of GDAL: its first element is <{}>, expected <VRTDataset>", excerpt(.0))]
    NotVrt(String),
    /// More than one band, or none.
    #[error("holds {0} bands: expected one (gdalbuildvrt -b 1 takes the first)")]
    Bands(usize),
    /// An element or an attribute that computes heights from the tiles.
    #[error(
        "cannot be read: it has {}, and expected are tiles with an offset each, as gdalbuildvrt writes them (gdal_translate \
        makes a .tif of it)",
        excerpt(.0)
    )]
    Unsupported(String),
    /// A tile whose cells have another size than those of the mosaic.
    #[error(
        "{}: {}x{} of its cells are resampled to {}x{} of the mosaic: expected as many (gdalwarp -tr gives all tiles cells of one size)",
        excerpt(tile), read[0], read[1], written[0], written[1]
    )]
    Resampled {
        /// The tile.
        tile: String,
        /// Columns and rows of the tile.
        read: [f64; 2],
        /// Columns and rows of the mosaic.
        written: [f64; 2],
    },
    /// A mosaic as a tile.
    #[error("{}: a mosaic cannot be the tile of another; name its tiles", excerpt(.0))]
    Nested(String),
    /// A tile that is not a file of an accepted format.
    #[error("{}: expected a tile in a file, .tif or .hgt", excerpt(.0))]
    NotATile(String),
    /// A mosaic without tiles.
    #[error("names no tile: expected at least one <SimpleSource> or <ComplexSource>")]
    NoTile,
    /// A folder without tiles.
    #[error("holds no tile: expected .tif or .hgt files")]
    NoTileInFolder,
    /// A tile of a folder without a position.
    #[error("has no position, so its place among the other tiles is not known: expected a georeferenced tile")]
    NoPosition,
    /// A mosaic whose tiles are all missing.
    #[error("none of its {count} tiles is there; the first is {first}")]
    AllMissing {
        /// The number of tiles.
        count: usize,
        /// The path of the first.
        first: String,
    },
    /// A tile that is not the one that the mosaic describes.
    #[error("{found}, and the mosaic has {expected} there")]
    OtherTile {
        /// A property of the tile.
        found: String,
        /// The same property in the mosaic.
        expected: String,
    },
    /// Too many tiles on each other.
    #[error("its tiles have {read} cells for {cells} of the mosaic: expected at most {limit} tiles above each other")]
    Overlap {
        /// Cells of the tiles.
        read: u64,
        /// Cells of the mosaic.
        cells: u64,
        /// The maximum number of tiles above each other.
        limit: u64,
    },
}
