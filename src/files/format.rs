//! [`Format`]: the file formats, known by extension or by name.

use std::fmt;
use std::path::Path;

/// A file format, known by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A map drawn as text; see [`TextMap`](crate::grid::TextMap).
    Txt,
    /// NumPy's array file.
    Npy,
    /// Comma-separated values.
    Csv,
    /// A picture.
    Png,
    /// Metadata and values as JSON.
    Json,
    /// An ESRI ASCII grid.
    Asc,
    /// A GeoTIFF raster.
    Tif,
}

/// A path or a name that belongs to no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The path ends in an extension that means nothing here.
    #[error("{path}: the extension .{extension} is unknown; use {}", Format::list())]
    Extension {
        /// The path.
        path: String,
        /// Its extension.
        extension: String,
    },
    /// The path has no extension to tell the format by.
    #[error("{path}: a file without an extension; use {}, or name a format", Format::list())]
    NoExtension {
        /// The path.
        path: String,
    },
    /// The name of a format that does not exist.
    #[error("there is no format {name:?}; use {}", Format::list())]
    Name {
        /// The name.
        name: String,
    },
}

impl Format {
    /// Every format, in the order in which help texts list them.
    pub const ALL: &'static [Format] =
        &[Format::Png, Format::Npy, Format::Csv, Format::Json, Format::Asc, Format::Tif, Format::Txt];

    /// The format of a path, by its extension; upper and lower case are the same.
    ///
    /// # Errors
    /// [`FormatError`] with the path and the known extensions.
    ///
    /// ```
    /// use farsight::files::Format;
    /// assert_eq!(Format::from_path("maps/cave.NPY".as_ref())?, Format::Npy);
    /// assert!(Format::from_path("cave.bmp".as_ref()).is_err());
    /// # Ok::<(), farsight::files::FormatError>(())
    /// ```
    pub fn from_path(path: &Path) -> Result<Self, FormatError> {
        match path.extension() {
            Some(extension) => {
                let extension = extension.to_string_lossy();
                Self::find(&extension).ok_or_else(|| FormatError::Extension {
                    path: path.display().to_string(),
                    extension: extension.into_owned(),
                })
            }
            None => Err(FormatError::NoExtension { path: path.display().to_string() }),
        }
    }

    /// The format of that name: its extension, with or without the dot.
    ///
    /// # Errors
    /// [`FormatError::Name`] with the name and the known ones.
    pub fn from_name(name: &str) -> Result<Self, FormatError> {
        Self::find(name.strip_prefix('.').unwrap_or(name)).ok_or_else(|| FormatError::Name { name: name.to_owned() })
    }

    /// The extension, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Npy => "npy",
            Self::Csv => "csv",
            Self::Png => "png",
            Self::Json => "json",
            Self::Asc => "asc",
            Self::Tif => "tif",
        }
    }

    fn find(extension: &str) -> Option<Self> {
        let name = if extension.eq_ignore_ascii_case("tiff") { "tif" } else { extension };
        Self::ALL.iter().copied().find(|format| format.extension().eq_ignore_ascii_case(name))
    }

    /// `.png, .npy, … or .txt`.
    fn list() -> String {
        let names: Vec<String> = Self::ALL.iter().map(Self::to_string).collect();
        match names.split_last() {
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => String::new(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.extension())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_formats_are_quoted_with_the_known_ones() {
        let message = |path: &str| Format::from_path(path.as_ref()).unwrap_err().to_string();
        let known = ".png, .npy, .csv, .json, .asc, .tif or .txt";
        assert_eq!(message("a/b.bmp"), format!("a/b.bmp: the extension .bmp is unknown; use {known}"));
        assert_eq!(message("a/b"), format!("a/b: a file without an extension; use {known}, or name a format"));
        let name = Format::from_name("tga").unwrap_err().to_string();
        assert_eq!(name, format!("there is no format \"tga\"; use {known}"));
    }

    #[test]
    fn names_and_extensions_lead_back_to_their_format() {
        for &format in Format::ALL {
            assert_eq!(Format::from_name(format.extension()), Ok(format));
            assert_eq!(Format::from_name(&format.to_string()), Ok(format));
            assert_eq!(Format::from_path("dem.TIFF".as_ref()), Ok(Format::Tif));
            assert_eq!(Format::from_path(format!("x.{}", format.extension().to_uppercase()).as_ref()), Ok(format));
        }
    }
}
