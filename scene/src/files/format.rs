//! [`Format`]: the file formats, identified by extension, by name or by their first bytes.

use std::fmt;
use std::path::Path;

use farsight::named_enum;

/// The first bytes of a NumPy file.
pub(super) const NPY_SIGNATURE: &[u8] = b"\x93NUMPY";
/// The first bytes of a PNG file.
pub(super) const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The first bytes of a GIF file.
pub(super) const GIF_SIGNATURE: &[u8] = b"GIF8";
/// The first bytes of TIFF and BigTIFF files, of either byte order.
const TIF_SIGNATURES: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"];

named_enum! {
    /// A file format. Its name is its extension.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Format: "format" {
        /// A picture.
        Png = "png",
        /// A NumPy array.
        Npy = "npy",
        /// Comma-separated values.
        Csv = "csv",
        /// Metadata and values as JSON.
        Json = "json",
        /// An Esri ASCII grid.
        Asc = "asc",
        /// A GeoTIFF raster.
        Tif = "tif",
        /// A tile of SRTM; it is read only.
        Hgt = "hgt",
        /// A square of 16-bit numbers without a header, as in game engines.
        R16 = "r16",
        /// A map drawn as text; see [`TextMap`](farsight::grid::TextMap).
        Txt = "txt",
    }
}

/// A path without a known extension.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The extension is unknown.
    #[error("{path}: the extension .{extension} is unknown; use {}", Format::list())]
    Extension {
        /// The path.
        path: String,
        /// Its extension.
        extension: String,
    },
    /// The path has no extension.
    #[error("{0}: the file has no extension; use {list}, or name a format", list = Format::list())]
    NoExtension(String),
}

impl Format {
    /// Returns the format of a path by its extension, in upper or lower case; `.tiff` counts as `.tif`.
    ///
    /// # Errors
    /// [`FormatError`] with the path and the known extensions.
    ///
    /// ```
    /// use farsight_scene::files::Format;
    /// assert_eq!(Format::from_path("maps/cave.NPY".as_ref())?, Format::Npy);
    /// assert!(Format::from_path("cave.bmp".as_ref()).is_err());
    /// # Ok::<(), farsight_scene::files::FormatError>(())
    /// ```
    pub fn from_path(path: &Path) -> Result<Self, FormatError> {
        let Some(extension) = path.extension() else {
            return Err(FormatError::NoExtension(path.display().to_string()));
        };
        let extension = extension.to_string_lossy();
        let name = if extension.eq_ignore_ascii_case("tiff") { "tif" } else { &extension };
        Self::ALL.iter().copied().find(|format| format.extension().eq_ignore_ascii_case(name)).ok_or_else(|| {
            FormatError::Extension { path: path.display().to_string(), extension: extension.into_owned() }
        })
    }

    /// Returns the likely format of the bytes of a map: NumPy, PNG and TIFF files by their signature, other bytes with
    /// a comma as a table, and the rest as a map drawn as text.
    pub fn sniff(bytes: &[u8]) -> Self {
        if bytes.starts_with(NPY_SIGNATURE) {
            Self::Npy
        } else if bytes.starts_with(PNG_SIGNATURE) {
            Self::Png
        } else if is_tif(bytes) {
            Self::Tif
        } else if bytes.contains(&b',') {
            Self::Csv
        } else {
            Self::Txt
        }
    }

    /// Returns `false` for a format that is only read.
    pub fn is_written(self) -> bool {
        self != Self::Hgt
    }

    /// Returns the extension without the dot, which is also the [`name`](Self::name).
    pub fn extension(self) -> &'static str {
        self.name()
    }

    /// Returns `.png, .npy, … or .txt`: the formats that are written and read.
    fn list() -> String {
        let names: Vec<String> =
            Self::ALL.iter().copied().filter(|format| format.is_written()).map(|format| format.to_string()).collect();
        let (last, others) = names.split_last().expect("there are formats");
        format!("{} or {last}", others.join(", "))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.extension())
    }
}

/// Returns `true` if a file starts like a TIFF file.
pub(super) fn is_tif(bytes: &[u8]) -> bool {
    TIF_SIGNATURES.iter().any(|signature| bytes.starts_with(signature))
}
