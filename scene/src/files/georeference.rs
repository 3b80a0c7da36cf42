//! [`Georeference`]: the position of a raster on the earth, as in GeoTIFF.

use std::fmt::Write;

use glam::{DVec2, IVec2};
use serde::{Deserialize, Serialize};

use super::geo_keys::GeoKeys;

/// The position of a raster. North is up, and x increases to the east.
///
/// Units are those of the coordinate reference system that [`GeoKeys`] name, mostly metres or degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Georeference {
    /// Easting (or longitude) and northing (or latitude) of the upper left corner.
    pub corner: [f64; 2],
    /// Width and height of a cell, both greater than 0.
    pub cell: [f64; 2],
    /// The coordinate reference system; empty if unknown.
    #[serde(default, skip_serializing_if = "GeoKeys::is_empty")]
    pub keys: GeoKeys,
}

impl Georeference {
    /// Returns the georeference of the part of the raster whose upper left cell is `cell`.
    pub fn at(&self, cell: IVec2) -> Self {
        let [east, north] = self.corner;
        let [width, height] = self.cell;
        Self { corner: [east + f64::from(cell.x) * width, north - f64::from(cell.y) * height], ..self.clone() }
    }

    /// Returns the coordinates of the centre of a cell.
    pub fn middle_of(&self, cell: IVec2) -> DVec2 {
        let ([east, north], [width, height]) = (self.corner, self.cell);
        DVec2::new(east + (f64::from(cell.x) + 0.5) * width, north - (f64::from(cell.y) + 0.5) * height)
    }

    /// Returns a position with the longitude that is on a raster of `size` cells in degrees, if one is after whole turns: -105 is 255
    /// on a raster from 250 to 260.
    pub fn wrapped(&self, position: DVec2, size: IVec2) -> DVec2 {
        if !self.keys.is_in_degrees() {
            return position;
        }
        let west = self.corner[0];
        let east = west + f64::from(size.x) * self.cell[0];
        let x = position.x + 360.0 * ((west - position.x) / 360.0).ceil();
        if (west..east).contains(&position.x) || !(west..east).contains(&x) {
            position
        } else {
            DVec2 { x, ..position }
        }
    }

    /// Returns the georeference of a picture of the raster with `pixels_per_cell` pixels a cell.
    pub fn drawn(&self, pixels_per_cell: f64) -> Self {
        Self { cell: self.cell.map(|side| side / pixels_per_cell), ..self.clone() }
    }

    /// Returns the lower left corner of a raster of `rows` rows.
    pub(super) fn lower_left(&self, rows: usize) -> [f64; 2] {
        [self.corner[0], self.corner[1] - rows as f64 * self.cell[1]]
    }

    /// Returns the text of a world file (`.pgw` next to a `.png`): the size of a pixel, and the centre of the upper
    /// left one.
    ///
    /// # References
    /// Esri, *World files for raster datasets*.
    pub fn world_file(&self) -> String {
        let [width, height] = self.cell;
        let centre = [self.corner[0] + width / 2.0, self.corner[1] - height / 2.0];
        let mut text = String::new();
        for number in [width, 0.0, 0.0, -height, centre[0], centre[1]] {
            let _ = writeln!(text, "{number}");
        }
        text
    }
}

/// The maximum ratio of the sides of a cell.
pub(super) const MAX_SIDE_RATIO: f64 = 10.0;

/// The reason why the cell size of a file in metres is unknown.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CellSizeError {
    /// The file does not specify it.
    #[error("does not say how large its cells are")]
    Unspecified,
    /// The ratio of the sides is too large: degrees near a pole.
    #[error("its cells are {} m wide and {} m high{}, and one side may be {MAX_SIDE_RATIO} times the other at most; project \
        it, with GDAL for instance (gdalwarp -t_srs EPSG:CODE -r bilinear)", round_to_cm(*width_m), round_to_cm(*height_m),
        latitude_text(*latitude))]
    Oblong {
        /// Extent from west to east.
        width_m: f64,
        /// Extent from north to south.
        height_m: f64,
        /// Latitude of a raster in degrees.
        latitude: Option<f64>,
    },
    /// Latitudes beyond a pole.
    #[error("its rows are at latitudes from {north}° to {south}°, and those on the Earth are from 90° to -90°")]
    Latitude {
        /// The northern edge.
        north: f64,
        /// The southern edge.
        south: f64,
    },
    /// The distortion of the projection varies too much over the raster.
    #[error(
        "its projection is not true to scale: a metre of its coordinates is of several lengths on the ground, or none at right \
        angles; project it, with GDAL for instance (gdalwarp -t_srs EPSG:CODE -r bilinear)"
    )]
    Scale,
    /// The raster is on another body than the Earth.
    #[error(
        "its ellipsoid has an equatorial radius of {} km, and sides of cells and curvature are known for the Earth only \
         (6378.137 km)",
        radius_m / 1000.0
    )]
    OtherBody {
        /// The equatorial radius.
        radius_m: f64,
    },
    /// The coordinates are in a unit that is not known.
    #[error("its coordinates are in an unknown unit (EPSG {0}): expected metres, feet, US survey feet or degrees")]
    Unit(u16),
    /// The coordinates are in an unknown length.
    #[error("its coordinates are in a unit of {metres} m: expected metres, feet (0.3048 m), US survey feet or degrees")]
    UnitLength {
        /// The length of the unit.
        metres: f64,
    },
}

fn round_to_cm(metres: f64) -> f64 {
    (metres * 100.0).round() / 100.0
}

fn latitude_text(latitude: Option<f64>) -> String {
    latitude.map_or_else(String::new, |latitude| format!(" at latitude {latitude:.2}°"))
}
