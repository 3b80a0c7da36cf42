//! [`Source`]: where a map is read from, a path or standard input.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use super::decode::{MAX_CELLS, MapFile};
use super::error::{FileError, ReadError};
use super::format::Format;
use super::heightmap::Heightmap;
use super::provenance::Provenance;
use crate::files::field;
use crate::grid::Grid;

/// The longest stream that is read: the largest map of float64, and its header.
const LONGEST_STREAM: u64 = 8 * MAX_CELLS + 65_536;

/// A file to read, or standard input.
///
/// ```
/// use farsight::files::{Format, Source};
/// let by_extension = Source::new("cave.npy");
/// let stream = Source::new("-").with_format(Format::Csv);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    path: PathBuf,
    format: Option<Format>,
}

/// A file that is open, or a stream that was read to its end: readers may seek in both.
enum Opened {
    File(BufReader<File>, u64),
    Bytes(Vec<u8>),
}

impl Source {
    /// A file; `-` is standard input.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), format: None }
    }

    /// The format, whatever the extension says. Without it a file is known by its extension, and a
    /// stream by how it begins, see [`Format::sniff`].
    pub fn with_format(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }

    /// What messages call it.
    fn name(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.path.display().to_string() }
    }

    fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    fn open(&self) -> Result<Opened, ReadError> {
        if self.is_stdin() {
            return read_stream(io::stdin().lock());
        }
        let file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            Err(io::Error::from(io::ErrorKind::IsADirectory).into())
        } else if metadata.is_file() {
            Ok(Opened::File(BufReader::with_capacity(1 << 16, file), metadata.len()))
        } else {
            read_stream(file)
        }
    }

    /// Decodes a file as it is read, or the bytes of a stream; `guess` tells the format of a stream.
    fn read<T>(
        &self,
        from_file: fn(BufReader<File>, u64, Format) -> Result<T, ReadError>,
        from_bytes: fn(&[u8], Format) -> Result<T, ReadError>,
        guess: fn(&[u8]) -> Format,
    ) -> Result<T, FileError> {
        let read_error = |fault| FileError::Read { file: self.name(), fault };
        // A file's name is judged first: what it holds does not matter if its format is unknown.
        let by_name = self.format.map_or_else(|| Format::from_path(&self.path), Ok);
        if self.path.is_file() {
            by_name.clone()?;
        }
        match self.open().map_err(read_error)? {
            Opened::File(reader, length) => from_file(reader, length, by_name?),
            Opened::Bytes(bytes) => from_bytes(&bytes, by_name.unwrap_or_else(|_| guess(&bytes))),
        }
        .map_err(read_error)
    }
}

/// The bytes of a file that has at most so many; a longer one is refused before it is read. A device or pipe, whose
/// length nobody knows, is read that far.
///
/// # Errors
/// [`ReadError::Io`] and [`ReadError::FileTooLong`].
#[cfg(any(feature = "cli", feature = "explorer"))]
pub(crate) fn read_whole(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    let too_long = |size| ReadError::FileTooLong { size, limit };
    if metadata.len() > limit {
        return Err(too_long(metadata.len()));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_long(bytes.len() as u64)) } else { Ok(bytes) }
}

fn read_stream(stream: impl Read) -> Result<Opened, ReadError> {
    let mut bytes = Vec::new();
    stream.take(LONGEST_STREAM + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_STREAM {
        return Err(ReadError::TooLong { limit: LONGEST_STREAM });
    }
    Ok(Opened::Bytes(bytes))
}

/// Reads an opacity map; [`MapFile::decode`] says what each format may hold.
///
/// # Errors
/// [`FileError`] that begins with the name of the file and says what is wrong, and where.
pub fn read_opacity_map(source: &Source) -> Result<MapFile, FileError> {
    source.read(MapFile::decode_from, MapFile::decode, Format::sniff)
}

/// Reads a heightmap; [`Heightmap::decode`] says what each format may hold.
///
/// # Errors
/// [`FileError`] that begins with the name of the file and says what is wrong, and where.
pub fn read_heightmap(source: &Source) -> Result<Heightmap, FileError> {
    source.read(Heightmap::decode_from, Heightmap::decode, guess_raster)
}

/// The likely format of the bytes of a raster.
fn guess_raster(bytes: &[u8]) -> Format {
    match Format::sniff(bytes) {
        binary @ (Format::Npy | Format::Png | Format::Tif) => binary,
        _ => Format::Asc,
    }
}

/// Reads a raster of values from 0 to 1, humidity or vegetation, from the formats of heightmaps; NaN is no data. In a
/// grey picture white is 1.
///
/// # Errors
/// [`FileError`] that begins with the name of the file and says what is wrong, and where.
pub fn read_field(source: &Source) -> Result<Grid<f32>, FileError> {
    source.read(field::decode_from, field::decode_field, guess_raster)
}

/// Reads which scene a picture or JSON file shows; `-` is standard input.
///
/// # Errors
/// [`FileError`] if the file is neither, farsight did not write it, or it is damaged.
pub fn read_provenance(path: &Path) -> Result<Provenance, FileError> {
    let source = Source::new(path);
    let provenance = source.open().and_then(|opened| match opened {
        Opened::File(reader, length) => Provenance::decode_from(reader, length),
        Opened::Bytes(bytes) => Provenance::decode_from(Cursor::new(&bytes), bytes.len() as u64),
    });
    provenance.map_err(|fault| FileError::Read { file: source.name(), fault })
}
