//! [`GeoKeys`]: the coordinate reference system of a raster, as in GeoTIFF.

use serde::{Deserialize, Serialize};

use super::length_unit::{HeightAxis, LengthUnit, VerticalSystem};
use super::projected_units::unit_of_projected;

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
    /// A length.
    Length(LengthUnit),
    /// A length that is not known, in metres.
    OtherLength(f64),
    /// Degrees of longitude and latitude.
    Degrees,
    /// A unit that is not known; its EPSG code.
    Other(u16),
}

impl CoordinateUnit {
    /// Returns the unit of a length in metres.
    pub(super) fn of_length(metres: f64) -> Self {
        LengthUnit::of_metres(metres).map_or(Self::OtherLength(metres), Self::Length)
    }
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

    /// Returns the unit of the coordinates, if it is a length that is known.
    pub(super) fn length_unit(&self) -> Option<LengthUnit> {
        match self.unit() {
            CoordinateUnit::Length(unit) => Some(unit),
            _ => None,
        }
    }

    /// Returns `true` if tie points are the centres of cells, and `false` if they are their corners.
    pub(super) fn is_point(&self) -> bool {
        self.number(RASTER_TYPE) == Some(2)
    }

    /// Returns the unit of the coordinates; metres if the keys do not name one.
    pub(super) fn unit(&self) -> CoordinateUnit {
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
            None => CoordinateUnit::Length(LengthUnit::Metre),
            Some(USER_DEFINED) => match self.double(LINEAR_UNIT_SIZE) {
                Some(metres) => CoordinateUnit::of_length(metres),
                None => CoordinateUnit::Other(USER_DEFINED),
            },
            Some(code) => LengthUnit::of_epsg(code).map_or(CoordinateUnit::Other(code), CoordinateUnit::Length),
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
        let of_system = VerticalSystem::of_epsg(self.number(VERTICAL_CRS));
        let unit_of_keys = self.number(VERTICAL_UNITS).filter(|code| *code != 0);
        let unit = match (unit_of_band, unit_of_keys) {
            (Some(name), _) => LengthUnit::named(name).ok_or_else(|| name.to_owned()),
            (None, Some(code)) => LengthUnit::of_epsg(code).ok_or_else(|| format!("EPSG {code}")),
            (None, None) => of_system.unit,
        };
        VerticalSystem { unit, ..of_system }.axis()
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
        let is_geographic = matches!(unit, CoordinateUnit::Degrees | CoordinateUnit::Other(_));
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
            CoordinateUnit::Length(unit) => entries.push([LINEAR_UNITS, 0, 1, unit.epsg()]),
            CoordinateUnit::OtherLength(metres) => {
                keys.doubles = vec![metres];
                entries.push([LINEAR_UNITS, 0, 1, USER_DEFINED]);
                entries.push([LINEAR_UNIT_SIZE, DOUBLE_PARAMS_TAG, 1, 0]);
            }
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
