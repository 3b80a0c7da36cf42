//! [`Input`]: a file or standard input.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use super::decode::{MapFile, read_field_from};
use super::error::ReadError;
use super::heightmap::{Heightmap, RasterHeader};
use super::limits::Reader;
use super::max_cells::MAX_CELLS;
#[cfg(not(target_arch = "wasm32"))]
use super::mosaic::Mosaic;
use super::sidecars::{RasterOptions, Sidecars};
use super::tif::{read_tif_header, read_tif_window};
#[cfg(not(target_arch = "wasm32"))]
use super::virtual_raster::is_mosaic;
use crate::files::error::FileError;
use crate::files::format::{Format, FormatError};
use crate::files::length_unit::LengthUnit;
use crate::files::picture_heights::PictureHeights;
use crate::files::provenance::Provenance;
use crate::guard_panics::guarded;
use crate::read_file::{TooLong, open_file, open_file_or_pipe, read_to_limit};
use farsight::grid::{CellRect, Grid};
use farsight::internal::text::excerpt;

/// The maximum length of a stream in bytes: the largest map of float64, and its header.
const MAX_STREAM: u64 = 8 * MAX_CELLS + 65_536;

/// A file to read, or standard input.
///
/// ```
/// use farsight_scene::files::{Format, Input};
/// let by_extension = Input::new("cave.npy");
/// let stream = Input::new("-").with_format(Format::Csv);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    path: PathBuf,
    format: Option<Format>,
    heights: Option<PictureHeights>,
    height_unit: Option<LengthUnit>,
}

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputContent {
    OpacityMap,
    Heightmap,
    Field,
}

impl InputContent {
    /// Returns the likely format of the bytes of a stream.
    fn guess(self, bytes: &[u8]) -> Format {
        match Format::sniff(bytes) {
            sniffed if self == Self::OpacityMap => sniffed,
            binary @ (Format::Npy | Format::Png | Format::Tif) => binary,
            _ => Format::Asc,
        }
    }

    /// Returns the error for a file with an unknown extension.
    fn unknown_format(self, input: &Input) -> FileError {
        let (content, accepted) = match self {
            Self::OpacityMap => ("an opacity map", ".txt, .npy, .csv or .png"),
            Self::Heightmap => ("a heightmap", RASTERS),
            Self::Field => ("humidity or vegetation", RASTERS),
        };
        let extension = input.path.extension().unwrap_or_default().to_string_lossy();
        let from = if extension.is_empty() { "a file without extension".to_owned() } else { format!(".{extension}") };
        let remedy = if self == Self::OpacityMap { String::new() } else { remedy(&input.path, &extension) };
        input.error(ReadError::NotARaster { content, from: excerpt(&from).into_owned(), accepted, remedy })
    }
}

/// The formats of heightmaps and fields.
const RASTERS: &str = ".tif, .hgt, .asc, .npy or .png";

/// Extensions of point clouds, and of points, lines and polygons.
const POINT_CLOUDS: [&str; 7] = ["las", "laz", "copc", "e57", "ply", "pcd", "xyz"];
const VECTORS: [&str; 14] =
    ["shp", "kml", "kmz", "gpx", "gml", "gpkg", "geojson", "geojsonl", "fgb", "dxf", "dgn", "tab", "mif", "parquet"];

/// Returns how a file becomes a raster that can be read, to follow the accepted formats.
fn remedy(path: &Path, extension: &str) -> String {
    // The folders of GDAL for what is in an archive.
    const ARCHIVES: [(&str, &str); 4] =
        [("zip", "/vsizip/"), ("gz", "/vsigzip/"), ("tar", "/vsitar/"), ("tgz", "/vsitar/")];
    let archive = ARCHIVES.into_iter().find(|(archive, _)| extension.eq_ignore_ascii_case(archive));
    let quoted = |text: &str| {
        let text = excerpt(text);
        if text.contains(' ') { format!("\"{text}\"") } else { text.into_owned() }
    };
    let from = quoted(&format!("{}{}", archive.map_or("", |(_, folder)| folder), path.display()));
    let to = |extension: &str| quoted(&path.with_extension(extension).display().to_string());
    let is_one_of = |extensions: &[&str]| extensions.iter().any(|known| extension.eq_ignore_ascii_case(known));
    let remedy = if is_one_of(&POINT_CLOUDS) {
        format!("pdal translate {from} {} --writers.gdal.resolution=1 makes a raster of its points", to("tif"))
    } else if is_one_of(&VECTORS) {
        let (points, raster) = (to("geojson"), to("tif"));
        format!(
            "it holds shapes: ogr2ogr {points} {from} and gdal_grid -zfield HEIGHT {points} {raster} make a raster of them"
        )
    } else if is_one_of(&["npz"]) {
        format!(
            "numpy.save({:?}, numpy.load({:?})[\"NAME\"]) takes an array out of it",
            path.with_extension("npy"),
            path
        )
    } else {
        format!("gdal_translate {from} {} converts it", to("tif"))
    };
    format!(" ({remedy})")
}

/// An open file, or the bytes of a stream.
struct OpenInput {
    reader: Reader<'static>,
    /// Length in bytes.
    length: u64,
    is_stream: bool,
}

impl Input {
    /// Creates an input from a path; `-` is standard input.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), format: None, heights: None, height_unit: None }
    }

    /// Sets the format. By default the format of a file follows from its extension, and that of a stream from its
    /// bytes, see [`Format::sniff`].
    pub fn with_format(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Sets the mapping from pixel values to heights, for a heightmap in a picture. By default whole numbers of a grey
    /// picture are metres.
    pub fn with_heights(self, heights: impl Into<Option<PictureHeights>>) -> Self {
        Self { heights: heights.into(), ..self }
    }

    /// Sets the unit of the heights of a heightmap, which then increase upwards. By default the unit is that of the
    /// file; metres if the file has none.
    pub fn with_height_unit(self, unit: impl Into<Option<LengthUnit>>) -> Self {
        Self { height_unit: unit.into(), ..self }
    }

    /// Returns the format of a raster, if it follows from its name.
    fn raster_format(&self) -> Option<Format> {
        self.format.or_else(|| Format::from_path(&self.path).ok())
    }

    /// Returns the options for the numbers of a raster.
    fn raster_options(&self) -> RasterOptions {
        let sidecars = match self.raster_format() {
            Some(format) if !self.is_stdin() => Sidecars::next_to(&self.path, format),
            _ => Sidecars::default(),
        };
        RasterOptions { heights: self.heights, height_unit: self.height_unit, sidecars, ..RasterOptions::default() }
    }

    /// Reads a mosaic with `read`; `None` if the file is another raster.
    #[cfg(not(target_arch = "wasm32"))]
    fn read_mosaic<T>(&self, read: impl FnOnce(&Mosaic) -> Result<T, ReadError>) -> Option<Result<T, FileError>> {
        if self.format.is_some() || !is_mosaic(&self.path) {
            return None;
        }
        let read = || match self.heights {
            Some(_) => Err(ReadError::OwnHeights(Format::Tif)),
            None => read(&Mosaic::open(&self.path, self.height_unit)?),
        };
        Some(guarded(read).map_err(ReadError::from).flatten().map_err(|fault| self.error(fault)))
    }

    fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    fn error(&self, fault: ReadError) -> FileError {
        let file = if self.is_stdin() { "standard input".to_owned() } else { self.path.display().to_string() };
        FileError::Read { file, fault }
    }

    fn open(&self) -> Result<OpenInput, ReadError> {
        if self.is_stdin() {
            return open_stream(io::stdin().lock());
        }
        let (file, metadata) = open_file_or_pipe(&self.path)?;
        if metadata.is_file() {
            let reader = Box::new(BufReader::with_capacity(1 << 16, file));
            Ok(OpenInput { reader, length: metadata.len(), is_stream: false })
        } else {
            open_stream(file)
        }
    }

    /// Decodes the file.
    fn read<T>(
        &self,
        decode: impl FnOnce(Reader<'static>, u64, Format) -> Result<T, ReadError>,
        content: InputContent,
    ) -> Result<T, FileError> {
        let format = self.format.map_or_else(|| Format::from_path(&self.path), Ok);
        let unknown = |_: FormatError| content.unknown_format(self);
        if self.path.is_file() {
            format.clone().map_err(unknown)?; // an unknown format is reported before any fault of the file
        }
        let mut input = self.open().map_err(|fault| self.error(fault))?;
        let format = match format {
            Err(_) if input.is_stream => {
                content.guess(input.reader.fill_buf().map_err(|error| self.error(error.into()))?)
            }
            known => known.map_err(unknown)?,
        };
        decode(input.reader, input.length, format).map_err(|fault| self.error(fault))
    }
}

/// Reads a stream to its end into memory.
fn open_stream(stream: impl Read) -> Result<OpenInput, ReadError> {
    let bytes = read_to_limit(stream, MAX_STREAM).map_err(|error| match TooLong::is(&error) {
        true => ReadError::TooLong(MAX_STREAM),
        false => error.into(),
    })?;
    let length = bytes.len() as u64;
    Ok(OpenInput { reader: Box::new(Cursor::new(bytes)), length, is_stream: true })
}

/// Reads the bytes of a file of at most `limit` bytes. A longer file is rejected before it is read.
///
/// # Errors
/// [`ReadError::Io`] and [`ReadError::FileTooLong`].
pub fn read_whole(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let (file, metadata) = open_file(path)?;
    let too_long = |size| ReadError::FileTooLong { size, limit };
    if metadata.len() > limit {
        return Err(too_long(metadata.len()));
    }
    read_to_limit(file, limit).map_err(|error| if TooLong::is(&error) { too_long(limit + 1) } else { error.into() })
}

/// Reads an opacity map; [`MapFile::decode`] lists the formats.
///
/// # Errors
/// [`FileError`] with the name of the file, and the position and value of the first fault.
pub fn read_opacity_map(input: &Input) -> Result<MapFile, FileError> {
    input.read(MapFile::read_from, InputContent::OpacityMap)
}

/// Reads a heightmap; [`Heightmap::decode`] lists the formats, and a `.vrt` file is a mosaic of them. With [heights](Input::with_heights) it is a picture.
///
/// # Errors
/// [`FileError`] with the name of the file, and the position and value of the first fault.
pub fn read_heightmap(input: &Input) -> Result<Heightmap, FileError> {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(heightmap) = input.read_mosaic(Mosaic::read_whole) {
        return heightmap;
    }
    let options = input.raster_options();
    let decode = |reader, length, format| Heightmap::read_from(reader, length, format, &options);
    let heightmap = input.read(decode, InputContent::Heightmap)?;
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    Ok(match input.raster_format() {
        Some(format) => heightmap.placed_by_name(&name, format),
        None => heightmap,
    })
}

/// Reads the size and the position of a heightmap without its cells; `None` for formats that are only read as a whole,
/// and for standard input.
///
/// # Errors
/// [`FileError`] with the name of the file and the fault of its header.
pub fn read_raster_header(input: &Input) -> Result<Option<RasterHeader>, FileError> {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(header) = input.read_mosaic(Mosaic::header) {
        return header.map(Some);
    }
    if input.raster_format() != Some(Format::Tif) || !input.path.is_file() {
        return Ok(None);
    }
    let options = input.raster_options();
    let decode = |reader, length, _| guarded(|| read_tif_header(reader, length, &options))?;
    input.read(decode, InputContent::Heightmap).map(Some)
}

/// Reads the elevations of some cells of a heightmap that has a [header](read_raster_header); only the strips or tiles
/// that contain them, of a mosaic only the files.
///
/// # Errors
/// [`FileError`] with the name of the file, and the position and value of the first fault in these cells.
pub fn read_heightmap_window(input: &Input, cells: CellRect) -> Result<Grid<f32>, FileError> {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(grid) = input.read_mosaic(|mosaic| mosaic.read(cells)) {
        return grid;
    }
    let open = || input.open().map(|open| (open.reader, open.length));
    guarded(|| read_tif_window(open, cells, &input.raster_options()))
        .map_err(ReadError::from)
        .flatten()
        .map_err(|fault| input.error(fault))
}

/// Reads a field of values from 0 to 1, humidity or vegetation, in a format of heightmaps. NaN is nodata; in a grey
/// picture white is 1.
///
/// # Errors
/// [`FileError`] with the name of the file, and the position and value of the first fault.
pub fn read_field(input: &Input) -> Result<Grid<f32>, FileError> {
    let options = input.clone().with_height_unit(LengthUnit::Metre).raster_options(); // the numbers as they are
    input.read(|reader, length, format| read_field_from(reader, length, format, &options), InputContent::Field)
}

/// Reads the scene of a picture, film or JSON file; `-` is standard input.
///
/// # Errors
/// [`FileError`] if the file is none of these, or its scene is missing or invalid.
pub fn read_provenance(path: &Path) -> Result<Provenance, FileError> {
    let input = Input::new(path);
    let provenance = input.open().and_then(|open| Provenance::read_from(open.reader, open.length));
    provenance.map_err(|fault| input.error(fault))
}
