//! Errors of reading: [`ReadError`], and an enum for each format.

use std::io;

use glam::IVec2;

use super::max_cells::{MAX_CELLS, MAX_SIDE};
#[cfg(not(target_arch = "wasm32"))]
use super::virtual_raster_error::VirtualRasterError;
use crate::files::format::Format;
use crate::files::io_error::describe_io_error;
use crate::guard_panics::DecoderPanic;
use farsight::grid::TextMapError;
use farsight::internal::text::excerpt;
use farsight::sight::OpacityError;

/// An error of reading a file. The message continues the name of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// An error of the file system or of a stream.
    #[error("{}", describe_io_error(.0))]
    Io(#[from] io::Error),
    /// A fault in a map drawn as text.
    #[error(transparent)]
    Text(#[from] TextMapError),
    /// A text file that is not UTF-8.
    #[error("line {line}, column {column}: byte 0x{byte:02X} is not text (UTF-8)")]
    NotText {
        /// Line of the byte, from 1.
        line: usize,
        /// Column of the byte, from 1, counted in characters.
        column: usize,
        /// The byte.
        byte: u8,
    },
    /// A word or a field of a table that is not a number. Lines and columns count from 1.
    #[error("line {line}, column {column}: {text:?} is not {expected}")]
    NotANumber {
        /// Line of the text.
        line: u64,
        /// Column of the text, counted in words or fields.
        column: usize,
        /// The text.
        text: String,
        /// The accepted kind of number.
        expected: &'static str,
    },
    /// A truncated picture or GeoTIFF file.
    #[error("is cut short: the raster is not complete")]
    Truncated,
    /// A picture or GeoTIFF file that is too small for its size in cells.
    #[error("declares {width}x{height} cells, but {length} bytes cannot hold them")]
    ImplausibleSize {
        /// Columns in the header.
        width: u32,
        /// Rows in the header.
        height: u32,
        /// Length of the file in bytes.
        length: u64,
    },
    /// A picture or GeoTIFF file with damaged bytes.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// A fault in a NumPy file.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// A fault in a table.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// A fault in an ASCII grid.
    #[error(transparent)]
    Asc(#[from] AscError),
    /// A fault in a picture.
    #[error(transparent)]
    Png(#[from] PngError),
    /// A fault in a GeoTIFF file.
    #[error(transparent)]
    Tif(#[from] TifError),
    /// A fault in a tile of SRTM.
    #[error(transparent)]
    Hgt(#[from] HgtError),
    /// A fault in a mosaic of tiles.
    #[cfg(not(target_arch = "wasm32"))]
    #[error(transparent)]
    VirtualRaster(#[from] VirtualRasterError),
    /// A value that is not an opacity.
    #[error("cell {},{} has opacity {value}: expected a number from 0 (clear) to 1 (wall)", cell.x, cell.y)]
    Opacity {
        /// The first such cell.
        cell: IVec2,
        /// Its value.
        value: f64,
    },
    /// Cells that are no opacity map.
    #[error(transparent)]
    OpacityMap(OpacityError),
    /// A value that is not an elevation.
    #[error("cell {},{} has elevation {value}: expected metres from -20000 to 20000 (the file has to declare its \
        nodata value)", cell.x, cell.y)]
    Elevation {
        /// The first such cell.
        cell: IVec2,
        /// Its value.
        value: f64,
    },
    /// A grey value above the maximum elevation.
    #[error("cell {},{} has the grey value {value}: expected metres from 0 to 20000; if they are not metres, \
        give the heights of black and white, such as --heights 0:1500", cell.x, cell.y)]
    GreyElevation {
        /// The first such cell.
        cell: IVec2,
        /// Its value.
        value: f32,
    },
    /// Heights of black and white for a format with metres.
    #[error("contains heights in metres: --heights is for pictures (.png) and .r16")]
    OwnHeights(Format),
    /// Relative heights without a height range.
    #[error("its numbers are fractions of a height: give the heights of 0 and 65535, such as --heights 0:1500")]
    NoHeights,
    /// A length that is not that of a square of 16-bit numbers.
    #[error(
        "has {length} bytes: expected two per cell of a square, such as {} for 513x513; gdal_translate converts others to .tif",
        2 * 513 * 513
    )]
    NoSquare {
        /// The length of the file in bytes.
        length: u64,
    },
    /// Heights in an unknown unit.
    #[error(
        "its heights are in the unit \"{}\", which is not known; name one with --height-unit m, ft or us-ft, or convert them \
        (gdal_calc.py)", excerpt(.0)
    )]
    HeightUnit(String),
    /// An invalid world file.
    #[error(
        "\"{}\" is not a world file: expected six numbers, the width of a cell, 0, 0, the step to the next row, and the centre of the \
        first cell", excerpt(.0)
    )]
    WorldFile(String),
    /// A picture without a position.
    #[error(
        "has no world file with north up next to it (.pgw), so its place on the map is not known; gdal_translate -of PNG -co WORLDFILE=YES \
        writes both"
    )]
    NoWorldFile,
    /// An element of the metadata next to a raster, or of a mosaic, that is not understood.
    #[error("its {element} is \"{}\": expected {expected}", excerpt(found))]
    Metadata {
        /// The element.
        element: &'static str,
        /// Its text.
        found: String,
        /// The texts that are accepted.
        expected: &'static str,
    },
    /// A fault of another file of the raster: a world file, a mask, a coordinate reference system, a tile of a mosaic.
    #[error("{file}: {fault}")]
    Sidecar {
        /// The name of that file, without its folder; the path of a tile.
        file: String,
        /// Its fault.
        fault: Box<ReadError>,
    },
    /// A file whose extension is not that of a raster.
    #[error("{content} cannot be read from {from}; use {accepted}{remedy}")]
    NotARaster {
        /// The expected content.
        content: &'static str,
        /// The kind of the file.
        from: String,
        /// The extensions that are accepted.
        accepted: &'static str,
        /// The way to a file that can be read, in brackets.
        remedy: String,
    },
    /// A heightmap without elevations.
    #[error("no cell has an elevation")]
    NoElevation,
    /// A value that is neither a humidity nor a vegetation.
    #[error("cell {},{} is {value}: expected humidity and vegetation from 0 to 1", cell.x, cell.y)]
    Fraction {
        /// The first such cell.
        cell: IVec2,
        /// Its value.
        value: f64,
    },
    /// A raster whose coordinates are too large for its numbers.
    #[error("lies from {:?},{:?} to {:?},{:?}: expected finite coordinates", upper_left[0], upper_left[1], lower_right[0], lower_right[1])]
    Position {
        /// Easting and northing of the upper left corner.
        upper_left: [f64; 2],
        /// Easting and northing of the lower right corner.
        lower_right: [f64; 2],
    },
    /// A map without cells.
    #[error("the map has {width}x{height} cells: expected at least one")]
    Empty {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A map of more than [`MAX_CELLS`](crate::files::MAX_CELLS) cells.
    #[error("a map of {width}x{height} cells is too large: expected at most {0}x{0} = {1} cells", MAX_SIDE, MAX_CELLS)]
    TooLarge {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A file or stream longer than the largest map.
    #[error("it has more than {0} bytes, which no map needs")]
    TooLong(u64),
    /// A file longer than any of its kind.
    #[error("it has {}; at most {} are read", format_bytes(*size), format_bytes(*limit))]
    FileTooLong {
        /// Number of bytes.
        size: u64,
        /// The maximum number of bytes.
        limit: u64,
    },
    /// The map does not fit into memory.
    #[error("a map of {width}x{height} cells does not fit into memory")]
    Memory {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A map of unknown size that does not fit into memory.
    #[error("the map does not fit into memory after {rows} of its lines")]
    MemoryOfRows {
        /// The number of lines read.
        rows: usize,
    },
    /// A format without opacity maps.
    #[error("{}", not_a_map(*.0))]
    NotAMap(Format),
    /// A format without heightmaps.
    #[error("a heightmap cannot be read from {0}; use .tif, .hgt, .asc, .npy or .png")]
    NotAHeightmap(Format),
    /// A format without humidity or vegetation.
    #[error("humidity and vegetation cannot be read from {0}; use .tif, .hgt, .asc, .npy or .png")]
    NotAField(Format),
    /// A file that is neither a picture, nor a film, nor JSON.
    #[error("carries no scene: only .png, .gif and .json files do")]
    NoProvenance,
    /// A picture, film or JSON file without a scene.
    #[error("carries no scene: farsight did not write it, or another program removed the text in it")]
    ForeignFile,
    /// A scene that cannot be parsed.
    #[error("the scene it carries cannot be read: {}", excerpt(.0))]
    Provenance(String),
}

impl ReadError {
    /// Returns advice about an unreadable heightmap, to follow the error; often empty.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "; cut out a part with gdal_translate -srcwin X Y COLUMNS ROWS",
            _ => "",
        }
    }
}

/// A fault in a NumPy file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// Another kind of file.
    #[error("is not an .npy file: it does not begin with \\x93NUMPY")]
    NotNpy,
    /// The file ends inside its header.
    #[error("is cut short: it ends inside its header")]
    TruncatedHeader,
    /// An invalid header.
    #[error("its header cannot be read: {0}")]
    Header(String),
    /// Values of another type.
    #[error("holds values of type {0}: expected float32 or float64 (array.astype('float32'))")]
    Type(String),
    /// Integers in an opacity map, in humidity or vegetation, which need fractions.
    #[error("holds values of type {0}: expected float32 or float64 (array.astype('float32'))")]
    Integers(String),
    /// Another number of axes.
    #[error("has {} axes, shape {}: expected two, (height, width)", .0.len(), python_tuple(.0))]
    Rank(Vec<usize>),
    /// Fewer values than the header declares.
    #[error(
        "is cut short: its header declares {declared} bytes of values, shape {}, but {found} follow",
        python_tuple(.shape)
    )]
    TooShort {
        /// The shape in the header.
        shape: Vec<usize>,
        /// Bytes that values of that shape need.
        declared: u128,
        /// Bytes in the file.
        found: u64,
    },
    /// More values than the header declares.
    #[error("has {extra} bytes behind its values, shape {}: expected none", python_tuple(.shape))]
    TooLong {
        /// The shape in the header.
        shape: Vec<usize>,
        /// Number of extra bytes.
        extra: u64,
    },
}

/// A fault in a table. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsvError {
    /// A line longer than any row of a map.
    #[error("line {line} has more than {limit} bytes: expected a row of the map or a cell")]
    LongLine {
        /// The line, from 1.
        line: u64,
        /// The maximum number of bytes.
        limit: u64,
    },
    /// A table without values.
    #[error("the table is empty: expected at least one number")]
    Empty,
    /// Lines of different lengths.
    #[error("line {line} has {found} values, but the first has {expected}: expected lines of equal length")]
    Ragged {
        /// The first line whose length differs.
        line: u64,
        /// Its length.
        found: usize,
        /// The length of the first line.
        expected: usize,
    },
    /// A number that is not an opacity.
    #[error("line {line}, column {column}: {text} is not an opacity: expected a number from 0 (clear) to 1 (wall)")]
    OutOfRange {
        /// Line of the field.
        line: u64,
        /// Column of the field.
        column: usize,
        /// The field.
        text: String,
    },
    /// A header without a column of values.
    #[error("the header {0:?} has no column opacity or visibility besides x and y")]
    NoValueColumn(String),
    /// Two lines for the same cell.
    #[error("line {line}: cell {},{} a second time", cell.x, cell.y)]
    DuplicateCell {
        /// The second line.
        line: u64,
        /// The cell.
        cell: IVec2,
    },
    /// A cell without a line.
    #[error("no line for cell {},{}; the cells must fill the rectangle {},{} to {},{}",
        cell.x, cell.y, first.x, first.y, last.x, last.y)]
    MissingCell {
        /// The first missing cell.
        cell: IVec2,
        /// The upper left cell of the rectangle.
        first: IVec2,
        /// The lower right cell of the rectangle.
        last: IVec2,
    },
}

/// A fault in an ASCII grid. Lines and columns count from 1; a column is a word of the line.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AscError {
    /// A line of the header that begins with an unknown word.
    #[error(
        "line {line}: {text:?} is not known in the header of an ASCII grid: expected ncols, nrows, xllcorner or \
        xllcenter, yllcorner or yllcenter, cellsize (or dx and dy), or NODATA_value, \
        or the header of GRASS (north:) or Surfer (DSAA); gdal_translate converts others"
    )]
    UnknownKeyword {
        /// Line of the word.
        line: usize,
        /// The word.
        text: String,
    },
    /// A binary grid.
    #[error("is a binary grid of Surfer ({0}): expected text; gdal_translate converts it")]
    Binary(String),
    /// A second line of the header that gives the same.
    #[error("line {line}: {text:?} repeats an entry of the header: expected one line for each")]
    Twice {
        /// Line of the word.
        line: usize,
        /// The word.
        text: String,
    },
    /// A missing line of the header.
    #[error("the header has no line {0}")]
    Missing(&'static str),
    /// A cell size that is not positive.
    #[error("a cellsize of {0}: expected a number greater than 0")]
    CellSize(f64),
    /// Fewer values than the header declares.
    #[error("is cut short: its header declares {declared} values, but {found} follow")]
    TooShort {
        /// Columns times rows.
        declared: usize,
        /// Number of values in the file.
        found: usize,
    },
    /// A word too long for a number.
    #[error("line {line}: a word has more than {limit} bytes: expected numbers")]
    LongWord {
        /// Line of the word.
        line: usize,
        /// The maximum number of bytes.
        limit: usize,
    },
    /// More values than the header declares.
    #[error("line {line}: more values than the {declared} that the header declares")]
    TooLong {
        /// Line of the first extra value.
        line: usize,
        /// Columns times rows.
        declared: usize,
    },
}

/// A fault in a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// Another kind of file.
    #[error("is not a .png file: it does not begin with the signature of PNG")]
    NotPng,
    /// A heightmap in colours or of fewer than 8 bits.
    #[error(
        "is not a grey picture of 8 or 16 bits, whose numbers are metres; for any other picture give the heights of black and \
        white, such as --heights 0:1500"
    )]
    NotGrey,
    /// A picture that is not in the colours of a height encoding.
    #[error("is not in colours of 8 bits: --heights {0} reads red, green and blue")]
    NotColours(&'static str),
}

/// The compressions of GeoTIFF files.
const COMPRESSIONS: &str = if cfg!(target_arch = "wasm32") { "LZW and Deflate" } else { "LZW, Deflate, ZSTD and LERC" };

/// A fault in a GeoTIFF file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TifError {
    /// Another kind of file.
    #[error("is not a .tif file: it does not begin with the signature of TIFF")]
    NotTif,
    /// More than one band, or colours.
    #[error("holds {0}: expected one band of numbers (gdal_translate -b 1 extracts the first)")]
    Bands(String),
    /// An unsupported compression or layout.
    #[error(
        "cannot be read: {0}; uncompressed, {COMPRESSIONS} files are read (gdal_translate -co COMPRESS=DEFLATE makes \
        one)"
    )]
    Unsupported(String),
    /// An unsupported type of numbers.
    #[error(
        "cannot be read: {0}; integers, and floating-point numbers of 32 or 64 bits, are read (gdal_translate -ot \
        Float32 makes such a file)"
    )]
    NumberType(String),
    /// A rotated raster, or a raster with a negative cell size.
    #[error("is rotated or mirrored: expected rows from west to east (gdalwarp makes such a file)")]
    NotNorthUp,
    /// A tag with an invalid value.
    #[error("its tag {tag} is {}: expected {expected}", excerpt(found))]
    Tag {
        /// The tag.
        tag: &'static str,
        /// Its value.
        found: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// A mask with a different size from the raster.
    #[error(
        "its mask has {}x{} cells and the heightmap {}x{}; expected the same size", found[0], found[1], expected[0], expected[1]
    )]
    MaskSize {
        /// Columns and rows of the mask.
        found: [usize; 2],
        /// Columns and rows of the raster.
        expected: [usize; 2],
    },
    /// Strips or tiles too large for reading a part of the raster.
    #[error(
        "its strips or tiles have {width}x{height} cells each, too many to read a part of it; gdal_translate -co TILED=YES \
        makes small tiles"
    )]
    LargeChunks {
        /// Columns of a strip or tile.
        width: u32,
        /// Rows of a strip or tile.
        height: u32,
    },
}

/// A fault in a tile of SRTM.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HgtError {
    /// A length that is not that of a tile.
    #[error(
        "is no tile of SRTM: it has {found} bytes; expected {} (1201x1201 cells), {} (1801x3601), {} (3601x3601) or {} (7201x7201), \
        a complete .hgt that is unpacked",
        2 * 1201 * 1201, 2 * 1801 * 3601, 2 * 3601 * 3601, 2 * 7201 * 7201
    )]
    Length {
        /// Bytes in the file.
        found: u64,
    },
}

fn not_a_map(format: Format) -> String {
    let hint = match format {
        Format::Asc | Format::Tif | Format::Hgt | Format::R16 => "--heightmap reads elevations",
        _ => "use .txt, .npy, .csv or .png",
    };
    format!("an opacity map cannot be read from {format}; {hint}")
}

fn python_tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Formats a number of bytes in the largest unit that keeps it at 1 or more.
fn format_bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let (mut size, mut unit) = (count as f64 / 1024.0, 0);
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if count < 1024 { format!("{count} bytes") } else { format!("{size:.1} {}", UNITS[unit]) }
}

impl From<DecoderPanic> for ReadError {
    fn from(error: DecoderPanic) -> Self {
        Self::Damaged(error.to_string())
    }
}
