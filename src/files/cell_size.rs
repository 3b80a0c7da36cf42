//! [`cell_size_m`]: the side of a cell in metres, from a georeference.

use super::georeference::{CoordinateUnit, Georeference};

/// The reason why the cell size of a file in metres is unknown.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CellSizeError {
    /// The file does not say it.
    #[error("does not say how large its cells are")]
    Unspecified,
    /// The cells are not square: mostly degrees far from the equator.
    #[error("its cells are {} m wide and {} m high{}, and cells must be squares; project it, with GDAL for instance \
        (gdalwarp -t_srs {} -r bilinear)", round_to_cm(*width_m), round_to_cm(*height_m), latitude_text(*latitude), zone_text(*zone))]
    Oblong {
        /// Extent from west to east.
        width_m: f64,
        /// Extent from north to south.
        height_m: f64,
        /// Latitude of the centre of a raster in degrees.
        latitude: Option<f64>,
        /// EPSG code of the UTM zone of the centre of a raster in degrees.
        zone: Option<u16>,
    },
    /// The coordinates are in a unit that cannot be converted to metres.
    #[error("its coordinates are in an unknown unit (EPSG {0})")]
    Unit(u16),
}

/// Cells with a smaller ratio of their sides count as squares.
const MAX_SIDE_RATIO: f64 = 1.05;

/// Returns the side of a cell in metres, of a raster of `size` cells.
///
/// Degrees are converted on the WGS 84 ellipsoid at the latitude of the centre. Of sides that differ by less than 5 %
/// the result is the geometric mean.
pub(super) fn cell_size_m(georeference: &Georeference, size: [usize; 2]) -> Result<f64, CellSizeError> {
    let [width, height] = georeference.cell;
    let (metres, latitude, zone) = match georeference.keys.unit() {
        CoordinateUnit::Other(code) => return Err(CellSizeError::Unit(code)),
        CoordinateUnit::Length(metre) => ([width * metre, height * metre], None, None),
        CoordinateUnit::Degrees => {
            let centre = |side: usize| 0.5 * size[side] as f64;
            let [east, north] =
                [georeference.corner[0] + centre(0) * width, georeference.corner[1] - centre(1) * height];
            let [east_m, north_m] = metres_per_degree(north);
            ([width * east_m, height * north_m], Some(north), utm_zone(east, north))
        }
    };
    let [width_m, height_m] = metres;
    if width_m > MAX_SIDE_RATIO * height_m || height_m > MAX_SIDE_RATIO * width_m {
        return Err(CellSizeError::Oblong { width_m, height_m, latitude, zone });
    }
    Ok(if width_m == height_m { width_m } else { (width_m * height_m).sqrt() })
}

/// Returns the length in metres of a degree of longitude and of a degree of latitude, at a latitude in degrees.
///
/// # References
/// WGS 84: a = 6378137 m, 1/f = 298.257223563; radii of curvature in the prime vertical and in the meridian.
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

/// Returns the EPSG code of the zone of the Universal Transverse Mercator grid on WGS 84.
fn utm_zone(longitude: f64, latitude: f64) -> Option<u16> {
    let on_earth = (-180.0..=180.0).contains(&longitude) && (-80.0..=84.0).contains(&latitude);
    let zone = 1 + (((longitude + 180.0) / 6.0) as u16).min(59);
    on_earth.then_some(if latitude < 0.0 { 32700 } else { 32600 } + zone)
}

fn round_to_cm(metres: f64) -> f64 {
    (metres * 100.0).round() / 100.0
}

fn latitude_text(latitude: Option<f64>) -> String {
    latitude.map_or_else(String::new, |latitude| format!(" at latitude {latitude:.2}°"))
}

fn zone_text(zone: Option<u16>) -> String {
    zone.map_or_else(|| "EPSG:CODE".to_owned(), |zone| format!("EPSG:{zone}"))
}
