//! [`OutputFormat`]: the output formats and their supported content. A new format is a file with its encoder, and an
//! entry of [`ENCODERS`].

use std::fmt;
use std::io::Write;
use std::path::Path;

use super::error::WriteError;
use super::features::{Features, Table};
use super::product::{Content, ContentKind, FrameSource, PlacedPicture, Product, RasterRows, SheetSource};
use super::raster::Raster;
use crate::files::format::Format;
use farsight::Job;

type Encode<T> = fn(&T, Job<'_>, &mut dyn Write) -> Result<(), WriteError>;
type EncodeRows = fn(&RasterRows<'_>, Job<'_>, &mut dyn Write) -> Result<(), WriteError>;
type EncodeSheet = fn(&dyn SheetSource, Job<'_>, &mut dyn Write) -> Result<(), WriteError>;
type EncodeFilm = fn(&dyn FrameSource, Job<'_>, &mut dyn Write) -> Result<(), WriteError>;

/// The encoders of a format by the kind of content; `None` if it is not supported.
struct Encoder {
    name: &'static str,
    raster: Option<Encode<Raster>>,
    rows: Option<EncodeRows>,
    picture: Option<Encode<PlacedPicture>>,
    drawing: Option<Encode<String>>,
    features: Option<Encode<Features>>,
    table: Option<Encode<Table>>,
    record: Option<Encode<serde_json::Value>>,
    film: Option<EncodeFilm>,
    sheet: Option<EncodeSheet>,
    /// `true` if a file has a label for each cell.
    has_labels: bool,
    /// `true` if a file contains the cell of the viewer: as a character of the map, or in its provenance.
    has_viewer: bool,
    /// `true` if the scene of a file can be read from it.
    has_scene: bool,
    /// `true` if places are always longitudes and latitudes in degrees.
    is_in_degrees: bool,
    /// `true` if a file `.prj` next to it names the coordinate reference system.
    has_projection_file: bool,
}

const fn named(name: &'static str) -> Encoder {
    Encoder {
        name,
        raster: None,
        rows: None,
        picture: None,
        drawing: None,
        features: None,
        table: None,
        record: None,
        film: None,
        sheet: None,
        has_labels: false,
        has_viewer: false,
        has_scene: false,
        is_in_degrees: false,
        has_projection_file: false,
    }
}

static ENCODERS: &[Encoder] = &[
    Encoder {
        raster: Some(|raster, _, out| raster.write_png(out)),
        picture: Some(|picture, _, out| picture.write_png(out)),
        sheet: Some(|sheet, job, out| sheet.write_png(job, out)),
        has_viewer: true,
        has_scene: true,
        has_projection_file: true,
        ..named("png")
    },
    Encoder { raster: Some(|raster, _, out| raster.write_npy(out)), ..named("npy") },
    Encoder {
        raster: Some(|raster, _, out| raster.write_csv(out)),
        table: Some(|table, _, out| table.write_csv(out)),
        has_labels: true,
        ..named("csv")
    },
    Encoder {
        raster: Some(|raster, _, out| raster.write_json(out)),
        record: Some(|record, _, out| Ok(writeln!(out, "{record:#}")?)),
        has_labels: true,
        has_viewer: true,
        has_scene: true,
        ..named("json")
    },
    Encoder { raster: Some(|raster, _, out| raster.write_asc(out)), has_projection_file: true, ..named("asc") },
    Encoder {
        raster: Some(|raster, _, out| raster.write_tif(out)),
        rows: Some(|rows, job, out| rows.write_tif(job, out)),
        ..named("tif")
    },
    Encoder { raster: Some(|raster, _, out| raster.write_r16(out)), ..named("r16") },
    Encoder { raster: Some(|raster, _, out| raster.write_txt(out)), has_viewer: true, ..named("txt") },
    Encoder {
        drawing: Some(|svg, _, out| Ok(out.write_all(svg.as_bytes())?)),
        sheet: Some(|sheet, _, out| sheet.write_svg(out)),
        ..named("svg")
    },
    Encoder { sheet: Some(|sheet, _, out| sheet.write_pdf(out)), ..named("pdf") },
    Encoder { features: Some(|features, _, out| features.write_geojson(out)), is_in_degrees: true, ..named("geojson") },
    #[cfg(feature = "geopackage")]
    Encoder { features: Some(|features, job, out| features.write_gpkg(job, out)), ..named("gpkg") },
    Encoder { film: Some(|film, job, out| film.write_gif(job, out)), ..named("gif") },
    Encoder { film: Some(|film, job, out| film.write_apng(job, out)), ..named("apng") },
    named("hgt"), // it is only read
];

/// An output format. Its name is its extension.
#[derive(Clone, Copy)]
pub struct OutputFormat(&'static Encoder);

impl OutputFormat {
    /// Iterates over the formats.
    pub fn all() -> impl Iterator<Item = Self> {
        ENCODERS.iter().map(Self)
    }

    /// Returns the format of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Returns the format of a path by its extension, in upper or lower case; `.tiff` counts as `.tif`.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::named(if extension.eq_ignore_ascii_case("tiff") { "tif" } else { extension })
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns `true` if the format supports a kind of content.
    pub const fn takes(self, kind: ContentKind) -> bool {
        let Self(encoder) = self;
        match kind {
            ContentKind::Raster => encoder.raster.is_some(),
            ContentKind::Rows => encoder.rows.is_some(),
            ContentKind::Picture => encoder.picture.is_some(),
            ContentKind::Drawing => encoder.drawing.is_some(),
            ContentKind::Features => encoder.features.is_some(),
            ContentKind::Table => encoder.table.is_some(),
            ContentKind::Record => encoder.record.is_some(),
            ContentKind::Film => encoder.film.is_some(),
            ContentKind::Sheet => encoder.sheet.is_some(),
        }
    }

    /// Returns `true` for a format with a label for each cell.
    pub const fn has_labels(self) -> bool {
        self.0.has_labels
    }

    /// Returns `true` for a format with the cell of the viewer: as a character of the map, or in its provenance.
    pub const fn has_viewer(self) -> bool {
        self.0.has_viewer
    }

    /// Returns `true` for a format whose scene can be read from it.
    pub const fn has_scene(self) -> bool {
        self.0.has_scene
    }

    /// Returns `true` for a format whose places are always longitudes and latitudes in degrees.
    pub const fn is_in_degrees(self) -> bool {
        self.0.is_in_degrees
    }

    /// Returns `true` for a format whose coordinate reference system is in a file `.prj` next to it.
    pub const fn has_projection_file(self) -> bool {
        self.0.has_projection_file
    }

    /// Returns the formats that take content of any of some kinds: `.csv, .json or .svg`.
    pub fn list(kinds: &[ContentKind]) -> String {
        let taking = Self::all().filter(|format| kinds.iter().any(|kind| format.takes(*kind)));
        let names: Vec<String> = taking.map(|format| format.to_string()).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => names.concat(),
        }
    }
}

impl PartialEq for OutputFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for OutputFormat {}

impl PartialEq<Format> for OutputFormat {
    fn eq(&self, other: &Format) -> bool {
        self.name() == other.name()
    }
}

impl From<Format> for OutputFormat {
    fn from(format: Format) -> Self {
        Self::named(format.name()).expect("all formats are in the table")
    }
}

impl fmt::Debug for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name())
    }
}

impl Product<'_> {
    /// Writes the product in a format. The same product gives the same bytes.
    ///
    /// # Errors
    /// [`WriteError`] if the format does not support the content or cannot represent a value, the writer fails, or the
    /// job is cancelled.
    pub fn write(&self, format: OutputFormat, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        let OutputFormat(encoder) = format;
        let refused =
            || WriteError::NotTaken { format: format.to_string(), accepted: OutputFormat::list(&[self.kind()]) };
        match &self.content {
            Content::Raster(raster) => encoder.raster.ok_or_else(refused)?(raster, job, out),
            Content::Rows(rows) => encoder.rows.ok_or_else(refused)?(rows, job, out),
            Content::Picture(picture) => encoder.picture.ok_or_else(refused)?(picture, job, out),
            Content::Drawing(drawing) => encoder.drawing.ok_or_else(refused)?(drawing, job, out),
            Content::Features(features) => encoder.features.ok_or_else(refused)?(features, job, out),
            Content::Table(table) => encoder.table.ok_or_else(refused)?(table, job, out),
            Content::Record(record) => encoder.record.ok_or_else(refused)?(record, job, out),
            Content::Film(film) => encoder.film.ok_or_else(refused)?(*film, job, out),
            Content::Sheet(sheet) => encoder.sheet.ok_or_else(refused)?(&**sheet, job, out),
        }
    }

    /// Returns the bytes that [`write`](Self::write) writes.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn encode(&self, format: impl Into<OutputFormat>) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        self.write(format.into(), Job::none(), &mut bytes)?;
        Ok(bytes)
    }
}

impl Raster {
    /// Writes the raster in a format. The same raster gives the same bytes.
    ///
    /// # Errors
    /// [`WriteError`] if the format cannot represent a value, or the writer fails.
    pub fn write(&self, format: Format, mut out: impl Write) -> Result<(), WriteError> {
        let OutputFormat(encoder) = format.into();
        encoder.raster.ok_or(WriteError::ReadOnly(format))?(self, Job::none(), &mut out)
    }

    /// Returns the bytes that [`write`](Self::write) writes.
    ///
    /// # Errors
    /// [`WriteError`] if the format cannot represent a value.
    pub fn encode(&self, format: Format) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        self.write(format, &mut bytes)?;
        Ok(bytes)
    }
}
