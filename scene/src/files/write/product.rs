//! [`Product`]: the content of a file, independent of its format; [`Content`]: the kinds of content.

use std::borrow::Cow;
use std::path::PathBuf;

use glam::IVec2;

use super::error::WriteError;
use super::features::{Features, Table};
use super::qml::{Legend, qml_style};
use super::raster::{Raster, TifLayout};
use crate::files::georeference::Georeference;
use crate::files::prj_text::prj_text;
use crate::files::provenance::Provenance;
use crate::paint::{Picture, Zoom};
use farsight::Job;

/// The content of a file, independent of its format. It includes the provenance, for formats with one.
pub struct Product<'a> {
    /// The content.
    pub content: Content<'a>,
    /// The colours of a raster, for a QGIS style next to its file.
    pub legend: Option<Legend>,
}

/// The content of a file. An [`OutputFormat`](super::OutputFormat) supports some of these kinds.
pub enum Content<'a> {
    /// Values of cells.
    Raster(Cow<'a, Raster>),
    /// Values of cells row by row, without the whole raster in memory.
    Rows(RasterRows<'a>),
    /// Pixels.
    Picture(PlacedPicture),
    /// Lines and texts, as SVG.
    Drawing(String),
    /// Points or polygons with fields.
    Features(Features),
    /// Rows of fields.
    Table(Table),
    /// Nested fields.
    Record(serde_json::Value),
    /// A sequence of pictures.
    Film(&'a dyn FrameSource),
    /// A page of paper.
    Sheet(Box<dyn SheetSource + 'a>),
}

/// A kind of [`Content`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// [`Content::Raster`].
    Raster,
    /// [`Content::Rows`].
    Rows,
    /// [`Content::Picture`].
    Picture,
    /// [`Content::Drawing`].
    Drawing,
    /// [`Content::Features`].
    Features,
    /// [`Content::Table`].
    Table,
    /// [`Content::Record`].
    Record,
    /// [`Content::Film`].
    Film,
    /// [`Content::Sheet`].
    Sheet,
}

/// A raster whose rows are computed on demand.
pub struct RasterRows<'a> {
    /// The raster without its values.
    pub raster: Raster,
    /// Columns and rows.
    pub size: IVec2,
    /// The folder for temporary data before the file is complete.
    pub folder: PathBuf,
    /// Passes each row to a function.
    pub for_each_row: RowSource<'a>,
}

/// A function that passes each row of a raster to a function.
pub type RowSource<'a> =
    Box<dyn Fn(Job<'_>, &mut dyn FnMut(&[f32]) -> Result<(), WriteError>) -> Result<(), WriteError> + 'a>;

/// A picture with its provenance and its position.
pub struct PlacedPicture {
    /// The pixels.
    pub picture: Picture,
    /// The scene in the picture.
    pub provenance: Option<Box<Provenance>>,
    /// The position of the upper left pixel, if the map has a georeference.
    pub georeference: Option<Georeference>,
}

/// A film whose frames are painted on demand.
pub trait FrameSource {
    /// Returns the scene of the film.
    fn provenance(&self) -> Provenance;

    /// Paints each frame and passes it to `visit`.
    ///
    /// # Errors
    /// The errors of `visit`; [`WriteError::Encode`] if the job is cancelled or a view fails.
    fn for_each_frame(
        &self,
        job: Job<'_>,
        visit: &mut dyn FnMut(&Picture) -> Result<(), WriteError>,
    ) -> Result<(), WriteError>;

    /// Writes the film as `.gif`.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails or the job is cancelled.
    fn write_gif(&self, job: Job<'_>, out: &mut dyn std::io::Write) -> Result<(), WriteError>;

    /// Writes the film as `.apng`.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails or the job is cancelled.
    fn write_apng(&self, job: Job<'_>, out: &mut dyn std::io::Write) -> Result<(), WriteError>;
}

/// A page of paper that is drawn on demand.
pub trait SheetSource {
    /// Returns paper and scale: `A3 landscape, 1:50,000, the whole map`.
    fn summary(&self) -> &str;

    /// Returns the position of the upper left pixel of the picture, if the map has a georeference.
    fn georeference(&self) -> Option<&Georeference>;

    /// Writes the page as a picture.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails or the job is cancelled.
    fn write_png(&self, job: Job<'_>, out: &mut dyn std::io::Write) -> Result<(), WriteError>;

    /// Writes the page as `.svg`.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails.
    fn write_svg(&self, out: &mut dyn std::io::Write) -> Result<(), WriteError>;

    /// Writes the page as `.pdf`.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails.
    fn write_pdf(&self, out: &mut dyn std::io::Write) -> Result<(), WriteError>;
}

impl PlacedPicture {
    /// Creates a picture of a scene, without a position.
    pub fn new(picture: Picture, provenance: Provenance) -> Self {
        Self { picture, provenance: Some(Box::new(provenance)), georeference: None }
    }

    /// Creates a picture of all cells of a raster, with its provenance. `scale` is in pixels per cell.
    pub fn of_raster(picture: Picture, raster: &Raster, scale: Option<u32>) -> Self {
        let zoom = Zoom::of_map(raster.values.size(), scale);
        let georeference = raster.georeference.as_ref().map(|place| place.drawn(zoom.pixels_per_cell()));
        Self::new(picture, raster.provenance.clone()).with_georeference(georeference)
    }

    /// Sets the position of the upper left pixel.
    #[must_use]
    pub fn with_georeference(self, georeference: Option<Georeference>) -> Self {
        Self { georeference, ..self }
    }
}

impl<'a> From<Content<'a>> for Product<'a> {
    fn from(content: Content<'a>) -> Self {
        Self { content, legend: None }
    }
}

impl From<Raster> for Product<'_> {
    fn from(raster: Raster) -> Self {
        Content::Raster(Cow::Owned(raster)).into()
    }
}

impl<'a> From<&'a Raster> for Product<'a> {
    fn from(raster: &'a Raster) -> Self {
        Content::Raster(Cow::Borrowed(raster)).into()
    }
}

impl From<PlacedPicture> for Product<'_> {
    fn from(picture: PlacedPicture) -> Self {
        Content::Picture(picture).into()
    }
}

impl Product<'_> {
    /// Returns the kind of the content.
    pub fn kind(&self) -> ContentKind {
        match self.content {
            Content::Raster(_) => ContentKind::Raster,
            Content::Rows(_) => ContentKind::Rows,
            Content::Picture(_) => ContentKind::Picture,
            Content::Drawing(_) => ContentKind::Drawing,
            Content::Features(_) => ContentKind::Features,
            Content::Table(_) => ContentKind::Table,
            Content::Record(_) => ContentKind::Record,
            Content::Film(_) => ContentKind::Film,
            Content::Sheet(_) => ContentKind::Sheet,
        }
    }

    /// Returns columns and rows: of values in cells, of a picture in pixels. `None` for other content.
    pub fn size(&self) -> Option<IVec2> {
        match &self.content {
            Content::Raster(raster) => Some(raster.values.size()),
            Content::Rows(rows) => Some(rows.size),
            Content::Picture(PlacedPicture { picture, .. }) => {
                Some(IVec2::new(picture.width() as i32, picture.height() as i32))
            }
            _ => None,
        }
    }

    /// Sets the layout of a GeoTIFF file.
    pub fn set_tif_layout(&mut self, layout: TifLayout) {
        match &mut self.content {
            Content::Raster(raster) => raster.to_mut().tif_layout = layout,
            Content::Rows(rows) => rows.raster.tif_layout = layout,
            _ => {}
        }
    }

    /// Returns the text of the [world file](Georeference::world_file) of a picture, if it has a georeference.
    pub fn world_file(&self) -> Option<String> {
        self.georeference().map(Georeference::world_file)
    }

    /// Returns the text of the coordinate reference system, for a file `.prj`; `None` if it is not known.
    pub fn projection(&self) -> Option<String> {
        match &self.content {
            Content::Features(features) => prj_text(&features.keys),
            _ => prj_text(&self.georeference()?.keys),
        }
    }

    fn georeference(&self) -> Option<&Georeference> {
        match &self.content {
            Content::Raster(raster) => raster.georeference.as_ref(),
            Content::Picture(picture) => picture.georeference.as_ref(),
            Content::Sheet(sheet) => sheet.georeference(),
            _ => None,
        }
    }

    /// Returns the text of the QGIS style, if there is a legend.
    pub fn style(&self) -> Option<String> {
        self.legend.as_ref().map(qml_style)
    }
}
