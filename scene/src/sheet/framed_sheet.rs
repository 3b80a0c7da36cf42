//! [`FramedSheet`]: a sheet that is ready to be written.

use std::io::Write;

use glam::DVec2;

use super::layout::Page;
use super::map_sheet::{MapSheet, SheetError};
use super::pdf::pdf;
use super::png::{pixels_per_mm, write_png};
use super::svg::svg;
use super::symbols::grouped;
use crate::files::{Georeference, SheetSource, WriteError};
use farsight::Job;

/// A sheet whose map has its place. It is drawn when it is written, as a picture, as SVG or as PDF.
pub struct FramedSheet<'a> {
    sheet: MapSheet<'a>,
    page: Page,
    georeference: Option<Georeference>,
    summary: String,
}

impl<'a> FramedSheet<'a> {
    /// Places the map on the paper.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn new(sheet: MapSheet<'a>) -> Result<Self, SheetError> {
        let page = Page::new(&sheet)?;
        let frame = &page.frame;
        let scale = pixels_per_mm(sheet.dpi);
        // The picture begins left of and above the map.
        let georeference = sheet.georeference.as_ref().map(|place| {
            let place = place.at(frame.first);
            let pixel = (DVec2::from(place.cell) / (frame.mm_per_cell * scale).as_dvec2()).to_array();
            let corner = frame.min * scale;
            let [east, north] = place.corner;
            let corner = [east - f64::from(corner.x) * pixel[0], north + f64::from(corner.y) * pixel[1]];
            Georeference { corner, cell: pixel, ..place }
        });
        let shown = if frame.cells == sheet.values.size() { "the whole map" } else { "a part of the map" };
        let (format, orientation) = (sheet.paper.format.name(), page.orientation.name());
        let summary = format!("{format} {orientation}, 1:{}, {shown}", grouped(frame.scale));
        Ok(Self { sheet, page, georeference, summary })
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
