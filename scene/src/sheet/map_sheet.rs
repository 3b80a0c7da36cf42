//! [`MapSheet`]: the content of a sheet; [`FramedSheet`]: the sheet, ready to be written.

use std::borrow::Cow;
use std::io::Write;

use glam::DVec2;

use super::base::Base;
use super::key::ZoneColours;
use super::layout::Page;
use super::paper::Paper;
use super::pdf::pdf;
use super::png::{pixels_per_mm, write_png};
use super::svg::svg;
use crate::files::{Georeference, Provenance, SheetSource, WriteError};
use farsight::Job;
use farsight::grid::{CellSize, Grid};

/// A map on paper: its content, which [`framed`](Self::framed) places on it.
pub struct MapSheet<'a> {
    /// The paper.
    pub paper: Paper,
    /// The denominator of the scale: 50000 is 1:50,000. `None` for a round scale at which the whole map is on the paper.
    pub scale: Option<f64>,
    /// Pixels per inch of the picture, and at most of images in drawings.
    pub dpi: u32,
    /// The title.
    pub title: String,
    /// The line below the title.
    pub subtitle: String,
    /// The heading of the legend.
    pub heading: String,
    /// The values of the cells.
    pub values: Cow<'a, Grid<f32>>,
    /// The colours of the values.
    pub colours: ZoneColours,
    /// What is beneath them.
    pub base: Base<'a>,
    /// The sides of a cell in the middle of the map.
    pub cell_size: CellSize,
    /// Points with symbols and names.
    pub points: Vec<SheetPoint>,
    /// The distances of rings from the nearest point, except for places; in metres.
    pub rings_m: Vec<f64>,
    /// The direction of north.
    pub north: SheetNorth,
    /// Lines of text: reference system, date, sources.
    pub notes: Vec<String>,
    /// The position of the upper left cell.
    pub georeference: Option<Georeference>,
    /// The scene.
    pub provenance: Provenance,
}

/// A point of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetPoint {
    /// The position in cells from the upper left corner of the map.
    pub at: DVec2,
    /// The symbol.
    pub symbol: PointSymbol,
    /// The name on the map; empty for none.
    pub name: String,
}

/// The symbol of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointSymbol {
    /// A mast with three blades.
    Turbine,
    /// A disc in a ring.
    Observer,
    /// A square.
    Place,
}

impl PointSymbol {
    /// Returns its text in the legend.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Turbine => "turbine or mast",
            Self::Observer => "observer",
            Self::Place => "place",
        }
    }
}

/// The direction of north on a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetNorth {
    /// Its name: `true north`.
    pub name: String,
    /// Its direction in degrees clockwise from the top of the sheet.
    pub angle_deg: f64,
}

/// Why a map has no sheet.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SheetError {
    /// A scale at which a cell does not fit on the paper.
    #[error(
        "a cell of {cell_m} m is {cell_mm:.0} mm at 1:{scale}, and the map has {free_mm:.0} mm: expected 1:{least} or smaller"
    )]
    CellTooLarge {
        /// The side of a cell in metres.
        cell_m: f64,
        /// The side on paper.
        cell_mm: f64,
        /// The side of the map on paper.
        free_mm: f64,
        /// The denominator of the scale.
        scale: f64,
        /// The least denominator.
        least: f64,
    },
}

/// A sheet whose map has its place. It is drawn when it is written, as a picture, as SVG or as PDF.
pub struct FramedSheet<'a> {
    sheet: MapSheet<'a>,
    page: Page,
    georeference: Option<Georeference>,
    summary: String,
}

impl<'a> MapSheet<'a> {
    /// Places the map on the paper.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn framed(self) -> Result<FramedSheet<'a>, SheetError> {
        let page = Page::new(&self)?;
        let frame = &page.frame;
        let scale = pixels_per_mm(self.dpi);
        // The picture begins left of and above the map.
        let georeference = self.georeference.as_ref().map(|place| {
            let place = place.at(frame.first);
            let pixel = (DVec2::from(place.cell) / (frame.mm_per_cell * scale).as_dvec2()).to_array();
            let corner = frame.min * scale;
            let [east, north] = place.corner;
            let corner = [east - f64::from(corner.x) * pixel[0], north + f64::from(corner.y) * pixel[1]];
            Georeference { corner, cell: pixel, ..place }
        });
        let shown = if frame.cells == self.values.size() { "the whole map" } else { "a part of the map" };
        let (format, orientation) = (self.paper.format.name(), page.orientation.name());
        let summary = format!("{format} {orientation}, 1:{}, {shown}", grouped(frame.scale));
        Ok(FramedSheet { sheet: self, page, georeference, summary })
    }
}

impl SheetSource for FramedSheet<'_> {
    fn summary(&self) -> &str {
        &self.summary
    }

    fn georeference(&self) -> Option<&Georeference> {
        self.georeference.as_ref()
    }

    fn write_png(&self, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        write_png(&self.page.draw(&self.sheet), self.sheet.dpi, &self.sheet.provenance, job, out)
    }

    fn write_svg(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        Ok(out.write_all(svg(&self.page.draw(&self.sheet))?.as_bytes())?)
    }

    fn write_pdf(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        Ok(out.write_all(&pdf(&self.page.draw(&self.sheet)))?)
    }
}

/// Returns a whole number with commas between thousands: `50,000`; other numbers as they are.
pub(super) fn grouped(number: f64) -> String {
    let text = format!("{number}");
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text;
    }
    let mut out = String::new();
    for (i, digit) in text.char_indices() {
        if i > 0 && (text.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
