//! [`GeoKeys`]: the coordinate reference system of a raster, as in GeoTIFF; the units of projected systems by their codes.

use serde::{Deserialize, Serialize};

#[cfg(not(target_arch = "wasm32"))]
use super::definitions::definition_of_code;
use super::definitions::is_geographic_code;
use super::length_unit::{HeightAxis, LengthUnit, VerticalSystem};

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
pub(super) const SEMI_MAJOR_AXIS: u16 = 2057;
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
/// The degree, and the degree in the representation of the data supplier.
const DEGREE: u16 = 9102;
const DEGREE_SUPPLIER: u16 = 9122;
/// The grad, and the geographic systems in grads.
const GRAD: u16 = 9105;
const SYSTEMS_IN_GRADS: [u16; 8] = [4807, 4810, 4811, 4816, 4819, 4821, 4901, 4902];
/// The equatorial radii of ellipsoids and spheres of the Earth.
const EARTH_RADII_M: std::ops::RangeInclusive<f64> = 6.3e6..=6.45e6;
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
    /// An unknown length, in metres.
    OtherLength(f64),
    /// Degrees of longitude and latitude.
    Degrees,
    /// An unknown unit; its EPSG code.
    Other(u16),
}

impl CoordinateUnit {
    /// Returns the unit of a length in metres.
    pub(super) fn of_length(metres: f64) -> Self {
        LengthUnit::of_metres(metres).map_or(Self::OtherLength(metres), Self::Length)
    }
}

impl GeoKeys {
    /// The value of a key that refers to a definition in other keys.
    pub(super) const USER_DEFINED: u16 = 32767;

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
        let code = |key| self.number(key).filter(|code| (1..Self::USER_DEFINED).contains(code));
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

    /// Returns the unit of the coordinates, if it is a known length.
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

    /// Returns `true` for longitude and latitude, also where their code is in the place of a projected one, as GDAL reads it.
    fn is_geographic(&self) -> bool {
        self.number(MODEL_TYPE) == Some(GEOGRAPHIC) || self.number(PROJECTED_CRS).is_some_and(is_geographic_code)
    }

    /// Returns the unit of projected coordinates, if it is another one than that of the code of their system.
    pub(super) fn own_unit(&self) -> Option<LengthUnit> {
        let unit = LengthUnit::of_epsg(unit_of_projected(self.number(PROJECTED_CRS)?));
        self.length_unit().filter(|own| Some(*own) != unit)
    }

    /// Returns the equatorial radius in metres of the ellipsoid of the keys, if it is not that of the Earth.
    pub(super) fn radius_of_other_body_m(&self) -> Option<f64> {
        self.double(SEMI_MAJOR_AXIS).filter(|radius_m| !EARTH_RADII_M.contains(radius_m))
    }

    /// Returns the keys with an ellipsoid whose equatorial radius is given in metres, if it is not that of the Earth.
    #[must_use]
    pub(super) fn with_radius_m(mut self, radius_m: f64) -> Self {
        if !EARTH_RADII_M.contains(&radius_m) && self.directory.len() >= 4 {
            self.directory.extend([SEMI_MAJOR_AXIS, DOUBLE_PARAMS_TAG, 1, self.doubles.len() as u16]);
            self.directory[3] += 1;
            self.doubles.push(radius_m);
        }
        self
    }

    /// Returns the unit of the coordinates; metres if the keys do not name one.
    pub(super) fn unit(&self) -> CoordinateUnit {
        if self.is_geographic() {
            let system = self.number(GEOGRAPHIC_CRS).or(self.number(PROJECTED_CRS)).unwrap_or_default();
            return match self.number(ANGULAR_UNITS) {
                None | Some(0) if SYSTEMS_IN_GRADS.contains(&system) => CoordinateUnit::Other(GRAD),
                None | Some(0 | DEGREE | DEGREE_SUPPLIER) => CoordinateUnit::Degrees,
                Some(code) => CoordinateUnit::Other(code),
            };
        }
        // GDAL omits the unit if the system is one of several.
        let unit = self.number(LINEAR_UNITS).filter(|code| *code != 0);
        match unit.or_else(|| self.number(PROJECTED_CRS).map(unit_of_projected)) {
            None => CoordinateUnit::Length(LengthUnit::Metre),
            Some(Self::USER_DEFINED) => match self.double(LINEAR_UNIT_SIZE) {
                Some(metres) => CoordinateUnit::of_length(metres),
                None => CoordinateUnit::Other(Self::USER_DEFINED),
            },
            Some(code) => LengthUnit::of_epsg(code).map_or(CoordinateUnit::Other(code), CoordinateUnit::Length),
        }
    }

    /// Returns `true` if the keys name a vertical system or its unit.
    pub(super) fn has_height_axis(&self) -> bool {
        self.number(VERTICAL_CRS).or(self.number(VERTICAL_UNITS)).is_some()
    }

    /// Returns unit and direction of heights: the unit of the band, or without one the unit of the keys.
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

    /// Returns the keys without those of a vertical system: heights are in metres after reading, and a layer of
    /// visibilities has no vertical system.
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

    /// Returns the keys of an EPSG code, in its unit; `None` if it has no definition.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn of_code(code: u16) -> Option<Self> {
        let (kind, system) = match is_geographic_code(code) {
            true => (GEOGRAPHIC, GEOGRAPHIC_CRS),
            false => (PROJECTED, PROJECTED_CRS),
        };
        let entries = [[1, 1, 0, 3], [MODEL_TYPE, 0, 1, kind], [RASTER_TYPE, 0, 1, 1], [system, 0, 1, code]];
        let is_known = kind == GEOGRAPHIC || definition_of_code(code).is_some();
        is_known.then(|| Self { directory: entries.concat(), ..Self::default() })
    }

    /// Creates the keys of a system that is known by its EPSG code, or else by its name.
    pub(super) fn of_system(code: Option<u16>, name: &str, unit: CoordinateUnit) -> Self {
        let mut keys = Self::default();
        let is_geographic = matches!(unit, CoordinateUnit::Degrees | CoordinateUnit::Other(_));
        let (model, system, citation) = match (is_geographic, code) {
            (true, _) => (GEOGRAPHIC, Some(GEOGRAPHIC_CRS), GEOGRAPHIC_CITATION),
            (false, Some(_)) => (PROJECTED, Some(PROJECTED_CRS), CITATION),
            (false, None) => (Self::USER_DEFINED, None, CITATION), // GDAL takes name and unit of a plane so
        };
        let mut entries = vec![[MODEL_TYPE, 0, 1, model], [RASTER_TYPE, 0, 1, 1]];
        entries.extend(system.map(|system| [system, 0, 1, code.unwrap_or(Self::USER_DEFINED)]));
        if code.is_none() {
            let is_plain = |letter: char| matches!(letter, ' '..='~') && letter != '|';
            let plain = |letter| if is_plain(letter) { letter } else { '_' };
            keys.ascii = name.chars().take(LONGEST_NAME).map(plain).chain(['|']).collect();
            entries.push([citation, ASCII_PARAMS_TAG, keys.ascii.len() as u16, 0]);
        }
        match unit {
            CoordinateUnit::Degrees => entries.push([ANGULAR_UNITS, 0, 1, DEGREE]),
            CoordinateUnit::Other(unit) => entries.push([ANGULAR_UNITS, 0, 1, unit]),
            CoordinateUnit::Length(unit) => entries.push([LINEAR_UNITS, 0, 1, unit.epsg()]),
            CoordinateUnit::OtherLength(metres) => {
                keys.doubles = vec![metres];
                entries.push([LINEAR_UNITS, 0, 1, Self::USER_DEFINED]);
                entries.push([LINEAR_UNIT_SIZE, DOUBLE_PARAMS_TAG, 1, 0]);
            }
        }
        keys.directory = [vec![1, 1, 0, entries.len() as u16], entries.concat()].concat();
        keys
    }

    /// Returns the keys of a plane as those of a projected system that other keys describe.
    #[must_use]
    pub(super) fn described_by(
        mut self,
        numbers: impl IntoIterator<Item = (u16, u16)>,
        values: impl IntoIterator<Item = (u16, f64)>,
    ) -> Self {
        let (_header, entries) = self.directory.split_at_checked(4).unwrap_or_default();
        let others = entries.as_chunks::<4>().0.iter().filter(|entry| entry[0] != MODEL_TYPE).copied();
        let mut entries: Vec<[u16; 4]> = others.collect();
        let system = [(MODEL_TYPE, PROJECTED), (PROJECTED_CRS, Self::USER_DEFINED)];
        entries.extend(system.into_iter().chain(numbers).map(|(key, number)| [key, 0, 1, number]));
        for (key, value) in values {
            entries.push([key, DOUBLE_PARAMS_TAG, 1, self.doubles.len() as u16]);
            self.doubles.push(value);
        }
        entries.sort_unstable(); // GeoTIFF has keys in their order
        self.directory = [vec![1, 1, 0, entries.len() as u16], entries.concat()].concat();
        self
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

/// Codes of projected systems, from `first` to `last` in steps of `step`, whose coordinates are in a unit other than the metre;
/// and the code of that unit. Unused codes in the range do not matter.
///
/// # References
/// EPSG Geodetic Parameter Dataset, version 11.022.
#[rustfmt::skip]
const UNITS: [(u16, u16, u16, u16); 163] = [
    // first, last, step, unit
    (2066, 2066, 1, 9039), (2136, 2136, 1, 9094), (2155, 2155, 1, 9003), (2159, 2160, 1, 9094),
    (2194, 2194, 1, 9003), (2204, 2204, 1, 9003), (2222, 2224, 1, 9002), (2225, 2250, 1, 9003),
    (2251, 2253, 1, 9002), (2254, 2255, 1, 9003), (2256, 2256, 1, 9002), (2257, 2264, 1, 9003),
    (2265, 2266, 1, 9002), (2267, 2268, 1, 9003), (2269, 2270, 1, 9002), (2271, 2272, 1, 9003),
    (2273, 2273, 1, 9002), (2274, 2279, 1, 9003), (2280, 2282, 1, 9002), (2283, 2289, 1, 9003),
    (2314, 2314, 1, 9005), (2867, 2869, 1, 9002), (2870, 2895, 1, 9003), (2896, 2898, 1, 9002),
    (2899, 2900, 1, 9003), (2901, 2901, 1, 9002), (2902, 2908, 1, 9003), (2909, 2910, 1, 9002),
    (2911, 2912, 1, 9003), (2913, 2914, 1, 9002), (2915, 2920, 1, 9003), (2921, 2923, 1, 9002),
    (2924, 2930, 1, 9003), (2964, 2968, 1, 9003), (2992, 2994, 2, 9002), (3080, 3080, 1, 9002),
    (3089, 3091, 2, 9003), (3102, 3102, 1, 9003), (3139, 3140, 1, 9098), (3167, 3167, 1, 9301),
    (3359, 3361, 2, 9002), (3363, 3365, 2, 9003), (3404, 3404, 1, 9003), (3407, 3407, 1, 9005),
    (3417, 3438, 1, 9003), (3441, 3446, 1, 9003), (3451, 3459, 1, 9003), (3479, 3483, 2, 9002),
    (3485, 3487, 2, 9003), (3490, 3512, 2, 9003), (3515, 3553, 2, 9003), (3560, 3570, 1, 9003),
    (3582, 3586, 2, 9003), (3588, 3590, 2, 9002), (3593, 3593, 1, 9002), (3598, 3600, 2, 9003),
    (3605, 3605, 1, 9002), (3608, 3632, 2, 9003), (3634, 3636, 2, 9002), (3640, 3642, 2, 9003),
    (3644, 3648, 2, 9002), (3650, 3654, 2, 9003), (3656, 3656, 1, 9002), (3658, 3664, 2, 9003),
    (3668, 3674, 2, 9003), (3676, 3676, 1, 9002), (3677, 3677, 1, 9003), (3679, 3679, 1, 9002),
    (3680, 3680, 1, 9003), (3682, 3682, 1, 9002), (3683, 3683, 1, 9003), (3686, 3692, 2, 9003),
    (3696, 3700, 2, 9003), (3728, 3739, 1, 9003), (3753, 3760, 1, 9003), (3991, 3992, 1, 9003),
    (4217, 4217, 1, 9003), (4399, 4413, 1, 9003), (4418, 4433, 1, 9003), (4438, 4457, 1, 9003),
    (5472, 5472, 1, 9037), (5588, 5588, 1, 9002), (5589, 5589, 1, 9005), (5623, 5625, 1, 9003),
    (5646, 5646, 1, 9003), (5654, 5655, 1, 9003), (6128, 6141, 1, 9002), (6200, 6202, 1, 9003),
    (6391, 6391, 1, 9002), (6405, 6409, 2, 9002), (6411, 6413, 2, 9003), (6416, 6438, 2, 9003),
    (6441, 6479, 2, 9003), (6484, 6492, 2, 9003), (6494, 6496, 2, 9002), (6499, 6499, 1, 9002),
    (6501, 6507, 2, 9003), (6510, 6510, 1, 9003), (6515, 6515, 1, 9002), (6517, 6543, 2, 9003),
    (6545, 6547, 2, 9002), (6549, 6555, 2, 9003), (6557, 6561, 2, 9002), (6563, 6565, 2, 9003),
    (6568, 6568, 1, 9003), (6570, 6570, 1, 9002), (6572, 6578, 2, 9003), (6582, 6590, 2, 9003),
    (6593, 6609, 2, 9003), (6612, 6618, 2, 9003), (6625, 6627, 1, 9003), (6633, 6633, 1, 9003),
    (6785, 6863, 2, 9002), (6868, 6868, 1, 9002), (6880, 6880, 1, 9003), (6885, 6887, 2, 9002),
    (6923, 6925, 2, 9003), (6966, 6966, 1, 9003), (6997, 6997, 1, 9003), (7057, 7070, 1, 9003),
    (7119, 7127, 1, 9002), (7128, 7132, 2, 9003), (7258, 7370, 2, 9003), (7587, 7645, 1, 9003),
    (8035, 8036, 1, 9003), (8065, 8068, 1, 9002), (8091, 8093, 2, 9003), (8096, 8182, 2, 9003),
    (8177, 8177, 1, 9003), (8185, 8185, 1, 9003), (8189, 8189, 1, 9003), (8193, 8197, 2, 9003),
    (8200, 8210, 2, 9003), (8213, 8213, 1, 9003), (8216, 8216, 1, 9003), (8220, 8220, 1, 9003),
    (8224, 8226, 2, 9003), (8312, 8348, 2, 9002), (8380, 8384, 2, 9003), (8387, 8387, 1, 9003),
    (8518, 8540, 1, 9003), (9748, 9749, 1, 9003), (10481, 10516, 1, 9003), (10622, 10622, 1, 9003),
    (20050, 20050, 1, 9002), (22300, 22300, 1, 9036), (23301, 23333, 1, 9003), (24100, 24100, 1, 9005),
    (24370, 24374, 1, 9084), (24382, 24382, 1, 9084), (24571, 24571, 1, 9062), (26729, 26813, 1, 9003),
    (26847, 26870, 1, 9003), (27291, 27292, 1, 9040), (29371, 29385, 1, 9031), (29871, 29871, 1, 9042),
    (29872, 29872, 1, 9041), (30200, 30200, 1, 9039), (32001, 32058, 1, 9003), (32064, 32077, 1, 9003),
    (32099, 32099, 1, 9003), (32164, 32167, 1, 9003), (32664, 32667, 1, 9003),
];

/// The metre.
const METRE: u16 = 9001;

/// Returns the code of the unit of the coordinates of a projected system.
fn unit_of_projected(code: u16) -> u16 {
    let has = |&&(first, last, step, _): &&(u16, u16, u16, u16)| {
        (first..=last).contains(&code) && (code - first).is_multiple_of(step)
    };
    UNITS.iter().find(has).map_or(METRE, |&(.., unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_dataset() {
        for (code, unit) in [
            (2263, 9003),
            (2222, 9002),
            (2256, 9002),
            (2257, 9003),
            (3482, 9001),
            (3483, 9002),
            (3484, 9001),
            (3485, 9003),
            (6539, 9003),
            (26729, 9003),
            (26913, 9001),
            (32632, 9001),
            (3857, 9001),
            (27700, 9001),
            (29873, 9001),
            (20050, 9002),
            (2136, 9094),
            (22300, 9036),
        ] {
            assert_eq!(unit_of_projected(code), unit, "{code}");
        }
    }
}
