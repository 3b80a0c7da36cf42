//! [`Georeference`]: the position of a raster on the earth, as in GeoTIFF, and the side of its cells in metres.

use std::fmt::Write;

use glam::{DVec2, IVec2};
use serde::{Deserialize, Serialize};

use super::length_unit::{HeightAxis, LengthUnit};
use super::projected_units::unit_of_projected;
use super::reference_system::{GroundSizes, ReferenceSystem, TRUE_SCALE};
use crate::world::CellSizes;
use farsight::grid::CellSize;

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

/// The keys of a GeoTIFF file, unchanged.
///
/// # References
/// OGC, *GeoTIFF Standard* 1.1 (19-008r4), clause 7.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GeoKeys {
    /// `GeoKeyDirectoryTag`: a header of four numbers, then four numbers a key.
    pub directory: Vec<u16>,
    /// `GeoDoubleParamsTag`.
    pub doubles: Vec<f64>,
    /// `GeoAsciiParamsTag`.
    pub ascii: String,
}

impl Georeference {
    /// Returns the georeference of the part of the raster whose upper left cell is `cell`.
    pub fn at(&self, cell: IVec2) -> Self {
        let [east, north] = self.corner;
        let [width, height] = self.cell;
        Self { corner: [east + f64::from(cell.x) * width, north - f64::from(cell.y) * height], ..self.clone() }
    }

    /// Returns the latitude of a cell in degrees on WGS 84, if the reference system is known.
    pub fn latitude_deg(&self, cell: IVec2) -> Option<f64> {
        let middle = self.middle_of(cell);
        let latitude = match self.keys.is_in_degrees() {
            true => middle.y,
            false => ReferenceSystem::from_keys(&self.keys)?.transform(&ReferenceSystem::wgs84(), middle).ok()?.y,
        };
        (-90.0..=90.0).contains(&latitude).then_some(latitude)
    }

    /// Returns the coordinates of the middle of a cell.
    pub fn middle_of(&self, cell: IVec2) -> DVec2 {
        let ([east, north], [width, height]) = (self.corner, self.cell);
        DVec2::new(east + (f64::from(cell.x) + 0.5) * width, north - (f64::from(cell.y) + 0.5) * height)
    }

    /// Returns the georeference of a picture of the raster with `pixels_per_cell` pixels a cell.
    pub fn drawn(&self, pixels_per_cell: f64) -> Self {
        Self { cell: self.cell.map(|side| side / pixels_per_cell), ..self.clone() }
    }

    /// Returns the lower left corner of a raster of `rows` rows.
    pub(super) fn lower_left(&self, rows: usize) -> [f64; 2] {
        [self.corner[0], self.corner[1] - rows as f64 * self.cell[1]]
    }

    /// Returns the sides of the cells of a raster of some columns and rows. Degrees are converted on the WGS 84 ellipsoid, row by
    /// row, and so are metres that the projection stretches.
    ///
    /// # Errors
    /// [`CellSizeError`].
    pub fn cell_sizes(&self, size: IVec2) -> Result<CellSizes, CellSizeError> {
        let sizes = match self.keys.unit() {
            CoordinateUnit::Other(code) => return Err(CellSizeError::Unit(code)),
            CoordinateUnit::Length(metre) => match ReferenceSystem::from_keys(&self.keys) {
                Some(system) => system.ground_sizes(self, size, metre)?.sizes,
                None => CellSizes::Equal(self.cell.map(|side| side * metre)),
            },
            CoordinateUnit::Degrees => CellSizes::Geographic { north: self.corner[1], cell: self.cell },
        };
        let last = (size.y as usize).saturating_sub(1);
        if let CellSizes::Geographic { north, cell: [_, height] } = sizes {
            let south = north - f64::from(size.y) * height;
            // Half a cell beyond the pole: the cells of some global grids are points, the first and the last on the poles.
            let beyond = [north - height / 2.0, -south - height / 2.0].into_iter().fold(0.0, f64::max);
            if beyond > 90.0 {
                return Err(CellSizeError::Latitude { north, south });
            }
        }
        let thinnest = |row: usize| {
            let cell = sizes.at_row(row as f64);
            let ratio = cell.ratios().max_element();
            if ratio <= MAX_SIDE_RATIO { Ok(()) } else { Err(self.oblong(cell, row)) }
        };
        thinnest(0).and_then(|()| thinnest(last)).map(|()| sizes)
    }

    /// Returns the length on the ground of a metre of the raster, if its projection stretches it by more than half a percent.
    pub fn ground_scale(&self, size: IVec2) -> Option<GroundScale> {
        let CoordinateUnit::Length(metre) = self.keys.unit() else { return None };
        let GroundSizes { sizes, change } =
            ReferenceSystem::from_keys(&self.keys)?.ground_sizes(self, size, metre).ok()?;
        let nominal = CellSize::new(self.cell[0] * metre, self.cell[1] * metre).mean_m();
        let middle = sizes.in_the_middle(size.y as usize).mean_m() / nominal;
        ((middle - 1.0).abs() > TRUE_SCALE || change > TRUE_SCALE).then_some(GroundScale { middle, change })
    }

    /// Returns `true` for a projected raster whose projection is not known here, so that its metres are taken as metres on the ground.
    pub fn has_unknown_scale(&self, size: IVec2) -> bool {
        let CoordinateUnit::Length(metre) = self.keys.unit() else { return false };
        let system = ReferenceSystem::from_keys(&self.keys);
        !self.keys.is_empty() && system.is_none_or(|system| !system.has_scale(self, size, metre))
    }

    fn oblong(&self, cell: CellSize, row: usize) -> CellSizeError {
        let latitude = self.corner[1] - (row as f64 + 0.5) * self.cell[1];
        let latitude = (self.keys.unit() == CoordinateUnit::Degrees).then_some(latitude);
        CellSizeError::Oblong { width_m: cell.x_m, height_m: cell.y_m, latitude }
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

/// The length on the ground of a metre of a projected raster.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroundScale {
    /// Metres on the ground, in the middle of the raster.
    pub middle: f64,
    /// The share by which it is longer or shorter elsewhere on the raster, at most.
    pub change: f64,
}

/// The reason why the cell size of a file in metres is unknown.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CellSizeError {
    /// The file does not say it.
    #[error("does not say how large its cells are")]
    Unspecified,
    /// The sides of the cells differ too much: degrees near a pole.
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
    /// The projection stretches the raster unevenly.
    #[error(
        "its projection is not true to scale: a metre of its coordinates is of several lengths on the ground, or none at right \
        angles; project it, with GDAL for instance (gdalwarp -t_srs EPSG:CODE -r bilinear)"
    )]
    Scale,
    /// The coordinates are in a unit that cannot be converted to metres.
    #[error("its coordinates are in an unknown unit (EPSG {0})")]
    Unit(u16),
}

/// The greatest ratio of the sides of a cell.
const MAX_SIDE_RATIO: f64 = 10.0;

// Keys of the GeoTIFF standard.
const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const CITATION: u16 = 1026;
pub(super) const GEOGRAPHIC_CRS: u16 = 2048;
const ANGULAR_UNITS: u16 = 2054;
const PROJECTED_CRS: u16 = 3072;
const LINEAR_UNITS: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;
/// The first and the last key of a vertical system.
const VERTICAL_CRS: u16 = 4096;
const LAST_VERTICAL_KEY: u16 = 5119;
const VERTICAL_UNITS: u16 = 4099;
/// The value of [`MODEL_TYPE`] for eastings and northings.
const PROJECTED: u16 = 1;
/// The value of [`MODEL_TYPE`] for longitude and latitude.
const GEOGRAPHIC: u16 = 2;
/// The degree, and the degree in the representation that the supplier of the data chose.
const DEGREE: u16 = 9102;
const DEGREE_SUPPLIER: u16 = 9122;
/// The value of a key that refers to a definition in other keys.
const USER_DEFINED: u16 = 32767;
/// The grad, and the geographic systems in grads.
const GRAD: u16 = 9105;
const SYSTEMS_IN_GRADS: [u16; 8] = [4807, 4810, 4811, 4816, 4819, 4821, 4901, 4902];
/// The most characters of the name of a system.
const LONGEST_NAME: usize = 200;
const GEOGRAPHIC_CITATION: u16 = 2049;
/// `GeoDoubleParamsTag`.
pub(super) const DOUBLE_PARAMS_TAG: u16 = 34736;
/// `GeoAsciiParamsTag`.
pub(super) const ASCII_PARAMS_TAG: u16 = 34737;

/// The unit of the coordinates of a raster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CoordinateUnit {
    /// A length in metres.
    Length(f64),
    /// Degrees of longitude and latitude.
    Degrees,
    /// A unit that cannot be converted to metres; its EPSG code.
    Other(u16),
}

impl GeoKeys {
    /// Returns `true` if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// Returns the keys of longitude and latitude on WGS 84 (EPSG:4326), for corners of cells.
    pub fn geographic() -> Self {
        let entries =
            [[1, 1, 0, 4], [MODEL_TYPE, 0, 1, GEOGRAPHIC], [RASTER_TYPE, 0, 1, 1], [GEOGRAPHIC_CRS, 0, 1, 4326]];
        let directory = [entries.concat(), vec![ANGULAR_UNITS, 0, 1, DEGREE]].concat();
        Self { directory, ..Self::default() }
    }

    /// Returns `true` if the coordinates are longitude and latitude.
    pub fn is_in_degrees(&self) -> bool {
        self.unit() == CoordinateUnit::Degrees
    }

    /// Returns the EPSG code of the coordinate reference system, if it has one.
    pub fn epsg(&self) -> Option<u16> {
        let code = |key| self.number(key).filter(|code| (1..USER_DEFINED).contains(code));
        let is_projected = self.number(PROJECTED_CRS).is_some() || self.number(MODEL_TYPE) != Some(GEOGRAPHIC);
        code(if is_projected { PROJECTED_CRS } else { GEOGRAPHIC_CRS })
    }

    /// Returns the name of the coordinate reference system.
    pub(super) fn citation(&self) -> Option<&str> {
        let entry = self.entry(CITATION).filter(|entry| entry[1] == ASCII_PARAMS_TAG)?;
        let start = usize::from(entry[3]);
        let text = self.ascii.get(start..start + usize::from(entry[2]))?;
        Some(text.trim_end_matches(['|', '\0'])).filter(|text| !text.is_empty())
    }

    /// Returns the length of the unit of the coordinates, if they are lengths.
    pub(super) fn metre(&self) -> Option<f64> {
        match self.unit() {
            CoordinateUnit::Length(metre) => Some(metre),
            _ => None,
        }
    }

    /// Returns `true` if tie points are the centres of cells, and `false` if they are their corners.
    pub(super) fn is_point(&self) -> bool {
        self.number(RASTER_TYPE) == Some(2)
    }

    /// Returns the unit of the coordinates; metres if the keys do not name one.
    fn unit(&self) -> CoordinateUnit {
        if self.number(MODEL_TYPE) == Some(GEOGRAPHIC) {
            let system = self.number(GEOGRAPHIC_CRS).unwrap_or_default();
            return match self.number(ANGULAR_UNITS) {
                None | Some(0) if SYSTEMS_IN_GRADS.contains(&system) => CoordinateUnit::Other(GRAD),
                None | Some(0 | DEGREE | DEGREE_SUPPLIER) => CoordinateUnit::Degrees,
                Some(code) => CoordinateUnit::Other(code),
            };
        }
        // GDAL leaves the unit out if the system is one of several.
        let unit = self.number(LINEAR_UNITS).filter(|code| *code != 0);
        match unit.or_else(|| self.number(PROJECTED_CRS).map(unit_of_projected)) {
            None => CoordinateUnit::Length(1.0),
            Some(USER_DEFINED) => match self.double(LINEAR_UNIT_SIZE) {
                Some(metres) if metres.is_finite() && metres > 0.0 => CoordinateUnit::Length(metres),
                _ => CoordinateUnit::Other(USER_DEFINED),
            },
            Some(code) => LengthUnit::of_epsg(code)
                .map_or(CoordinateUnit::Other(code), |unit| CoordinateUnit::Length(unit.metres)),
        }
    }

    /// Returns the unit of the coordinates if it is a length other than the metre.
    pub(super) fn unit_other_than_metre(&self) -> Option<LengthUnit> {
        match self.unit() {
            CoordinateUnit::Length(metres) if metres != 1.0 => {
                let named = LengthUnit::epsg_of(metres).and_then(LengthUnit::of_epsg);
                Some(named.unwrap_or(LengthUnit { name: format!("{metres} m").into(), metres }))
            }
            _ => None,
        }
    }

    /// Returns `true` if the keys name a vertical system or its unit.
    pub(super) fn has_height_axis(&self) -> bool {
        self.number(VERTICAL_CRS).or(self.number(VERTICAL_UNITS)).is_some()
    }

    /// Returns unit and direction of heights: the unit of the band, if its file tells it, else that of the keys.
    ///
    /// # Errors
    /// The name or the code of an unknown unit.
    pub(super) fn height_axis(&self, unit_of_band: Option<&str>) -> Result<HeightAxis, String> {
        let of_system = HeightAxis::of_vertical_system(self.number(VERTICAL_CRS));
        let unit_of_keys = self.number(VERTICAL_UNITS).filter(|code| *code != 0);
        let unit = match (unit_of_band, unit_of_keys) {
            (Some(name), _) => LengthUnit::named(name).ok_or_else(|| name.to_owned())?,
            (None, Some(code)) => LengthUnit::of_epsg(code).ok_or_else(|| format!("EPSG {code}"))?,
            (None, None) => of_system.unit,
        };
        Ok(HeightAxis { unit, ..of_system })
    }

    /// Returns the keys without those of a vertical system: heights are in metres once they are read, and a layer of
    /// visibilities has none.
    #[must_use]
    pub(super) fn without_heights(mut self) -> Self {
        let Some((header, entries)) = self.directory.split_at_checked(4) else { return self };
        let is_vertical = |entry: &[u16]| (VERTICAL_CRS..=LAST_VERTICAL_KEY).contains(&entry[0]);
        if entries.chunks_exact(4).any(is_vertical) {
            let kept: Vec<u16> =
                entries.chunks_exact(4).filter(|entry| !is_vertical(entry)).flatten().copied().collect();
            let count = (kept.len() / 4) as u16;
            self.directory = [&header[..3], &[count], &kept].concat();
        }
        self
    }

    /// Creates the keys of a system that is known by its EPSG code, or else by its name.
    pub(super) fn of_system(code: Option<u16>, name: &str, unit: CoordinateUnit) -> Self {
        let mut keys = Self::default();
        let is_geographic = !matches!(unit, CoordinateUnit::Length(_));
        let (model, system, citation) = match (is_geographic, code) {
            (true, _) => (GEOGRAPHIC, Some(GEOGRAPHIC_CRS), GEOGRAPHIC_CITATION),
            (false, Some(_)) => (PROJECTED, Some(PROJECTED_CRS), CITATION),
            (false, None) => (USER_DEFINED, None, CITATION), // GDAL takes name and unit of a plane so
        };
        let mut entries = vec![[MODEL_TYPE, 0, 1, model], [RASTER_TYPE, 0, 1, 1]];
        entries.extend(system.map(|system| [system, 0, 1, code.unwrap_or(USER_DEFINED)]));
        if code.is_none() {
            let plain = |letter: char| if letter.is_ascii_graphic() && letter != '|' { letter } else { '_' };
            keys.ascii = name.chars().take(LONGEST_NAME).map(plain).chain(['|']).collect();
            entries.push([citation, ASCII_PARAMS_TAG, keys.ascii.len() as u16, 0]);
        }
        match unit {
            CoordinateUnit::Degrees => entries.push([ANGULAR_UNITS, 0, 1, DEGREE]),
            CoordinateUnit::Other(unit) => entries.push([ANGULAR_UNITS, 0, 1, unit]),
            CoordinateUnit::Length(metres) => match LengthUnit::epsg_of(metres) {
                Some(unit) => entries.push([LINEAR_UNITS, 0, 1, unit]),
                None => {
                    keys.doubles = vec![metres];
                    entries.push([LINEAR_UNITS, 0, 1, USER_DEFINED]);
                    entries.push([LINEAR_UNIT_SIZE, DOUBLE_PARAMS_TAG, 1, 0]);
                }
            },
        }
        keys.directory = [vec![1, 1, 0, entries.len() as u16], entries.concat()].concat();
        keys
    }

    fn entry(&self, key: u16) -> Option<&[u16]> {
        let (_header, entries) = self.directory.split_at_checked(4)?;
        entries.chunks_exact(4).find(|entry| entry[0] == key)
    }

    /// Returns the value of a key that is stored in the directory itself.
    pub(super) fn number(&self, key: u16) -> Option<u16> {
        self.entry(key).filter(|entry| entry[1] == 0).map(|entry| entry[3])
    }

    pub(super) fn double(&self, key: u16) -> Option<f64> {
        let entry = self.entry(key).filter(|entry| entry[1] == DOUBLE_PARAMS_TAG)?;
        self.doubles.get(usize::from(entry[3])).copied()
    }
}

fn round_to_cm(metres: f64) -> f64 {
    (metres * 100.0).round() / 100.0
}

fn latitude_text(latitude: Option<f64>) -> String {
    latitude.map_or_else(String::new, |latitude| format!(" at latitude {latitude:.2}°"))
}
