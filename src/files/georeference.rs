//! [`Georeference`]: where a raster lies on the earth, as GeoTIFF says it.

use std::fmt::Write;

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// Where a raster lies: north is up, and x runs to the east.
///
/// Units are those of the map's coordinate reference system, metres or degrees mostly, which [`GeoKeys`] name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Georeference {
    /// The upper left corner of the raster: its easting (or longitude) and its northing (or latitude).
    pub corner: [f64; 2],
    /// Width and height of a cell, both over 0.
    pub cell: [f64; 2],
    /// What the units mean; empty if nobody said.
    #[serde(default, skip_serializing_if = "GeoKeys::is_empty")]
    pub keys: GeoKeys,
}

/// The keys of a GeoTIFF file, kept word for word.
///
/// # References
/// OGC, *GeoTIFF Standard* 1.1 (19-008r4), clause 7.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GeoKeys {
    /// `GeoKeyDirectoryTag`: a heading of four numbers, then four for each key.
    pub directory: Vec<u16>,
    /// `GeoDoubleParamsTag`.
    pub doubles: Vec<f64>,
    /// `GeoAsciiParamsTag`.
    pub ascii: String,
}

impl Georeference {
    /// The place of a part of the raster that begins at `cell`.
    pub fn at(&self, cell: IVec2) -> Self {
        let [east, north] = self.corner;
        let [width, height] = self.cell;
        Self { corner: [east + f64::from(cell.x) * width, north - f64::from(cell.y) * height], ..self.clone() }
    }

    /// The same raster drawn with so many pixels a cell, or cells a pixel if less than 1.
    pub fn drawn(&self, pixels_per_cell: f64) -> Self {
        Self { cell: self.cell.map(|side| side / pixels_per_cell), ..self.clone() }
    }

    /// The lower left corner of a raster of so many rows.
    pub(super) fn lower_left(&self, rows: usize) -> [f64; 2] {
        [self.corner[0], self.corner[1] - rows as f64 * self.cell[1]]
    }

    /// The text of a world file (`.pgw` beside a `.png`): the size of a pixel, and where the middle of the upper left
    /// one lies.
    ///
    /// # References
    /// Esri, *World files for raster datasets*.
    pub fn world_file(&self) -> String {
        let [width, height] = self.cell;
        let middle = [self.corner[0] + width / 2.0, self.corner[1] - height / 2.0];
        let mut text = String::new();
        for number in [width, 0.0, 0.0, -height, middle[0], middle[1]] {
            let _ = writeln!(text, "{number}");
        }
        text
    }
}

/// Keys of a GeoTIFF file that matter here.
const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC_CRS: u16 = 2048;
const PROJECTED_CRS: u16 = 3072;
const LINEAR_UNITS: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;
const VERTICAL_UNITS: u16 = 4099;
/// Value of a key that says it is spelt out elsewhere.
const USER_DEFINED: u16 = 32767;
/// The tag that holds doubles.
const DOUBLES: u16 = 34736;

/// What the coordinates of a raster are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Units {
    /// Lengths of so many metres.
    Length(f64),
    /// Degrees of longitude and latitude.
    Degrees,
    /// Something of which a metre cannot be made; the code of the unit.
    Other(u16),
}

impl GeoKeys {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// The EPSG code of the coordinate reference system, if a code names it.
    pub fn epsg(&self) -> Option<u16> {
        let code = |key| self.number(key).filter(|code| (1..USER_DEFINED).contains(code));
        code(PROJECTED_CRS).or_else(|| code(GEOGRAPHIC_CRS))
    }

    /// Whether tie points name the middles of cells rather than their corners.
    pub(super) fn is_point(&self) -> bool {
        self.number(RASTER_TYPE) == Some(2)
    }

    /// What the coordinates are; metres if nobody said.
    pub(super) fn units(&self) -> Units {
        const GEOGRAPHIC: u16 = 2;
        if self.number(MODEL_TYPE) == Some(GEOGRAPHIC) {
            return Units::Degrees;
        }
        match self.number(LINEAR_UNITS) {
            None => Units::Length(1.0),
            Some(USER_DEFINED) => match self.double(LINEAR_UNIT_SIZE) {
                Some(metres) if metres.is_finite() && metres > 0.0 => Units::Length(metres),
                _ => Units::Other(USER_DEFINED),
            },
            Some(code) => metres_of(code).map_or(Units::Other(code), Units::Length),
        }
    }

    /// The code of the unit of heights, if it is one other than the metre.
    pub(super) fn foreign_height_unit(&self) -> Option<u16> {
        self.number(VERTICAL_UNITS).filter(|code| metres_of(*code) != Some(1.0))
    }

    fn entry(&self, key: u16) -> Option<&[u16]> {
        let (_heading, entries) = self.directory.split_at_checked(4)?;
        entries.chunks_exact(4).find(|entry| entry[0] == key)
    }

    /// The value of a key that is stored in the directory itself.
    fn number(&self, key: u16) -> Option<u16> {
        self.entry(key).filter(|entry| entry[1] == 0).map(|entry| entry[3])
    }

    fn double(&self, key: u16) -> Option<f64> {
        let entry = self.entry(key).filter(|entry| entry[1] == DOUBLES)?;
        self.doubles.get(usize::from(entry[3])).copied()
    }
}

/// The length of a unit of that EPSG code.
fn metres_of(code: u16) -> Option<f64> {
    match code {
        9001 => Some(1.0),
        9002 => Some(0.3048),
        9003 => Some(1200.0 / 3937.0),
        9036 => Some(1000.0),
        _ => None,
    }
}

/// Why a file does not say how large its cells are.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CellSizeError {
    /// The file says nothing.
    #[error("does not say how large its cells are")]
    Untold,
    /// Cells that are no squares: degrees far from the equator, mostly.
    #[error("its cells are {} m wide and {} m high{}, and cells must be squares; project it, with GDAL for instance \
        (gdalwarp -t_srs {} -r bilinear)", rounded(*width_m), rounded(*height_m), at_latitude(*latitude), utm(*zone))]
    Oblong {
        /// Extent from west to east.
        width_m: f64,
        /// Extent from north to south.
        height_m: f64,
        /// Latitude of the middle, of a raster in degrees.
        latitude: Option<f64>,
        /// The EPSG code of the UTM zone of the middle, of a raster in degrees.
        zone: Option<u16>,
    },
    /// Coordinates in a unit of which a metre cannot be made.
    #[error("its coordinates are in a unit that is not known here (EPSG {0})")]
    Unit(u16),
}

/// Sides that differ by less are taken as those of a square.
const SQUARE_ENOUGH: f64 = 1.05;

/// The side of a cell in metres, of a raster of so many cells. Degrees count by the WGS 84 ellipsoid at the latitude
/// of the middle; sides that differ by less than 5 % are taken at their geometric mean.
pub(super) fn cell_size_m(place: &Georeference, size: [usize; 2]) -> Result<f64, CellSizeError> {
    let [width, height] = place.cell;
    let (metres, latitude, zone) = match place.keys.units() {
        Units::Other(code) => return Err(CellSizeError::Unit(code)),
        Units::Length(metre) => ([width * metre, height * metre], None, None),
        Units::Degrees => {
            let middle = |side: usize| 0.5 * size[side] as f64;
            let [east, north] = [place.corner[0] + middle(0) * width, place.corner[1] - middle(1) * height];
            let [along, across] = metres_per_degree(north);
            ([width * along, height * across], Some(north), utm_zone(east, north))
        }
    };
    let [width_m, height_m] = metres;
    if width_m > SQUARE_ENOUGH * height_m || height_m > SQUARE_ENOUGH * width_m {
        return Err(CellSizeError::Oblong { width_m, height_m, latitude, zone });
    }
    Ok(if width_m == height_m { width_m } else { (width_m * height_m).sqrt() })
}

/// Metres in a degree of longitude and of latitude, at a latitude in degrees.
///
/// # References
/// WGS 84: a = 6378137 m, 1/f = 298.257223563; the radii of curvature of its prime vertical and its meridian.
fn metres_per_degree(latitude: f64) -> [f64; 2] {
    const EQUATOR_M: f64 = 6_378_137.0;
    const FLATTENING: f64 = 1.0 / 298.257_223_563;
    let squared = FLATTENING * (2.0 - FLATTENING);
    let sine = libm::sin(latitude.to_radians());
    let bend = 1.0 - squared * sine * sine;
    let prime = EQUATOR_M / bend.sqrt();
    let meridian = EQUATOR_M * (1.0 - squared) / (bend * bend.sqrt());
    [prime * libm::cos(latitude.to_radians()), meridian].map(|radius| radius.to_radians())
}

/// The EPSG code of the zone of the Universal Transverse Mercator grid on WGS 84.
fn utm_zone(longitude: f64, latitude: f64) -> Option<u16> {
    let on_earth = (-180.0..=180.0).contains(&longitude) && (-80.0..=84.0).contains(&latitude);
    let zone = 1 + (((longitude + 180.0) / 6.0) as u16).min(59);
    on_earth.then_some(if latitude < 0.0 { 32700 } else { 32600 } + zone)
}

fn rounded(metres: f64) -> f64 {
    (metres * 100.0).round() / 100.0
}

fn at_latitude(latitude: Option<f64>) -> String {
    latitude.map_or_else(String::new, |latitude| format!(" at latitude {latitude:.2}°"))
}

fn utm(zone: Option<u16>) -> String {
    zone.map_or_else(|| "EPSG:CODE".to_owned(), |zone| format!("EPSG:{zone}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of a directory with values of their own.
    fn keys(entries: &[[u16; 2]]) -> GeoKeys {
        let heading = [1, 1, 0, entries.len() as u16];
        let directory = heading.into_iter().chain(entries.iter().flat_map(|&[key, value]| [key, 0, 1, value]));
        GeoKeys { directory: directory.collect(), ..GeoKeys::default() }
    }

    fn place(corner: [f64; 2], cell: [f64; 2], keys: GeoKeys) -> Georeference {
        Georeference { corner, cell, keys }
    }

    #[test]
    fn cells_are_measured_in_metres() {
        let metres = keys(&[[MODEL_TYPE, 1], [PROJECTED_CRS, 32632], [LINEAR_UNITS, 9001]]);
        assert_eq!(metres.epsg(), Some(32632));
        assert_eq!(cell_size_m(&place([0.0; 2], [30.0, 30.0], metres), [10, 10]), Ok(30.0));
        let feet = keys(&[[MODEL_TYPE, 1], [LINEAR_UNITS, 9002]]);
        assert_eq!(cell_size_m(&place([0.0; 2], [100.0, 100.0], feet), [10, 10]), Ok(100.0 * 0.3048));
        let mut own = keys(&[[LINEAR_UNITS, USER_DEFINED]]);
        own.directory.extend([LINEAR_UNIT_SIZE, DOUBLES, 1, 1]);
        own.directory[3] = 2;
        own.doubles = vec![7.0, 0.5];
        assert_eq!(cell_size_m(&place([0.0; 2], [30.0, 30.0], own), [10, 10]), Ok(15.0));
        let chains = keys(&[[LINEAR_UNITS, 9097]]);
        let error = cell_size_m(&place([0.0; 2], [30.0, 30.0], chains), [10, 10]).unwrap_err();
        assert_eq!(error.to_string(), "its coordinates are in a unit that is not known here (EPSG 9097)");
        let oblong = place([0.0; 2], [30.0, 20.0], GeoKeys::default());
        let error = cell_size_m(&oblong, [10, 10]).unwrap_err().to_string();
        assert!(error.starts_with("its cells are 30 m wide and 20 m high, and cells must be squares"), "{error}");
    }

    #[test]
    fn degrees_are_squares_near_the_equator_only() {
        let degrees = keys(&[[MODEL_TYPE, 2], [GEOGRAPHIC_CRS, 4326]]);
        let second = 1.0 / 3600.0;
        let kenya = place([36.0, 0.05], [second, second], degrees.clone());
        let side = cell_size_m(&kenya, [360, 360]).unwrap();
        assert!((side - 30.8).abs() < 0.1, "{side}"); // 30.92 m by 30.72 m
        let alps = place([10.0, 47.05], [second, second], degrees.clone());
        let error = cell_size_m(&alps, [360, 360]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "its cells are 21.13 m wide and 30.88 m high at latitude 47.00°, and cells must be squares; project it, \
             with GDAL for instance (gdalwarp -t_srs EPSG:32632 -r bilinear)"
        );
        // Copernicus' cells are wider in the north, and nearly squares there.
        let tromso = place([18.0, 70.0], [3.0 * second, second], degrees);
        let side = cell_size_m(&tromso, [10, 10]).unwrap();
        assert!((side - 31.4).abs() < 0.3, "{side}");
    }

    #[test]
    fn parts_and_pictures_lie_where_their_cells_do() {
        let place = place([500.0, 9000.0], [30.0, 30.0], GeoKeys::default());
        let part = place.at(IVec2::new(10, 20));
        assert_eq!((part.corner, part.lower_left(5)), ([800.0, 8400.0], [800.0, 8250.0]));
        assert_eq!(part.drawn(10.0).world_file(), "3\n0\n0\n-3\n801.5\n8398.5\n");
        assert_eq!(part.drawn(0.5).cell, [60.0, 60.0]);
    }

    #[test]
    fn directories_that_are_cut_say_nothing() {
        for cut in 0..8 {
            let mut keys = keys(&[[MODEL_TYPE, 2]]);
            keys.directory.truncate(cut);
            assert_eq!((keys.units(), keys.epsg(), keys.is_point()), (Units::Length(1.0), None, false));
        }
    }
}
