//! [`MapSheet`]: the content of a sheet.

use std::borrow::Cow;

use glam::DVec2;

use super::base::Base;
use super::key::ZoneColours;
use super::paper::Paper;
use super::symbols::PointSymbol;
use crate::files::{Georeference, Provenance};
use farsight::grid::{CellSize, Grid};

/// A map on paper: its content, which [`FramedSheet`](super::FramedSheet) places on it.
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
    /// The base map below the zones.
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
