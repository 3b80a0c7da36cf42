//! [`CellSizes`]: the cell sizes of measured ground, which can differ from row to row; [`RowSizes`]: the sizes by row.

use std::sync::Arc;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::neighbours::NEIGHBOURS;
use farsight::grid::CellSize;

/// The cell sizes on the ground of a raster of rectangular cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CellSizes {
    /// The same cell size everywhere, in metres: from west to east and from north to south.
    Equal([f64; 2]),
    /// Cells of longitude and latitude on the ellipsoid WGS 84. Their width shrinks towards the poles.
    Geographic {
        /// Latitude of the upper edge of row 0, in degrees.
        north: f64,
        /// Width and height of a cell, in degrees.
        cell: [f64; 2],
    },
    /// Cells of the Mercator projection. They shrink on the ground towards the poles.
    Mercator {
        /// Isometric latitude of the upper edge of row 0, in degrees: the northing divided by the radius.
        north: f64,
        /// Width and height of a cell, in degrees of longitude.
        cell: [f64; 2],
        /// Whether the projection is Web Mercator, which treats ellipsoidal latitudes as spherical.
        spherical: bool,
    },
}

impl CellSizes {
    /// Returns the cell size of a row, which can be a fraction.
    pub fn at_row(&self, row: f64) -> CellSize {
        match *self {
            Self::Equal([x_m, y_m]) => CellSize::new(x_m, y_m),
            Self::Geographic { north, cell: [width, height] } => {
                let [east_m, north_m] = metres_per_degree(north - (row + 0.5) * height);
                CellSize::new(width * east_m, height * north_m)
            }
            Self::Mercator { north, cell: [width, height], spherical } => {
                let latitude = mercator_latitude((north - (row + 0.5) * height).to_radians(), spherical);
                let [east_m, north_m] = metres_per_degree(latitude);
                // On the ellipsoid the projection is conformal: cells are equally high and wide.
                let north_m = if spherical { north_m * libm::cos(latitude.to_radians()) } else { east_m };
                CellSize::new(width * east_m, height * north_m)
            }
        }
    }

    /// Returns the cell size at the middle row of a raster of some rows.
    pub fn in_the_middle(&self, rows: usize) -> CellSize {
        self.at_row((rows as f64 - 1.0) / 2.0)
    }

    /// Returns the shortest side of all cells of a raster of some rows, in metres.
    pub fn shortest_m(&self, rows: usize) -> f64 {
        match self {
            Self::Equal(_) => self.at_row(0.0).shorter_m(),
            Self::Geographic { .. } | Self::Mercator { .. } => {
                (0..rows).map(|row| self.at_row(row as f64).shorter_m()).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// The flattening of WGS 84.
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// Returns the latitude in degrees of an isometric latitude in radians.
///
/// # References
/// Snyder, *Map Projections: A Working Manual* (1987), equations 7-4 and 7-9.
fn mercator_latitude(isometric: f64, spherical: bool) -> f64 {
    let of_sphere = libm::atan(libm::sinh(isometric));
    if spherical {
        return of_sphere.to_degrees();
    }
    let eccentricity = (FLATTENING * (2.0 - FLATTENING)).sqrt();
    let next = |latitude: f64| {
        let longer = eccentricity * libm::atanh(eccentricity * libm::sin(latitude));
        libm::atan(libm::sinh(isometric + longer))
    };
    (0..6).fold(of_sphere, |latitude, _| next(latitude)).to_degrees() // each step is 150 times as near
}

/// Returns the length in metres of a degree of longitude and of a degree of latitude, at a latitude in degrees.
///
/// # References
/// WGS 84: a = 6378137 m, 1/f = 298.257223563; radii of curvature in the prime vertical and in the meridian.
fn metres_per_degree(latitude: f64) -> [f64; 2] {
    const EQUATOR_M: f64 = 6_378_137.0;
    let squared = FLATTENING * (2.0 - FLATTENING);
    let sine = libm::sin(latitude.to_radians());
    let bend = 1.0 - squared * sine * sine;
    let prime = EQUATOR_M / bend.sqrt();
    let meridian = EQUATOR_M * (1.0 - squared) / (bend * bend.sqrt());
    [prime * libm::cos(latitude.to_radians()), meridian].map(|radius| radius.to_radians())
}

/// The cell sizes of a raster of rectangular cells, by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowSizes {
    pub(super) sizes: CellSizes,
    /// The cell size in each row of the whole raster.
    rows: Arc<[CellSize]>,
    middle: CellSize,
    /// The shortest side of all cells, in metres.
    pub(super) shortest_m: f64,
}

impl RowSizes {
    /// Computes the cell sizes of a raster of some rows with a mean side of `mean_m` in the middle.
    pub(super) fn new(sizes: CellSizes, mean_m: f64, rows: usize) -> Self {
        let factor = mean_m / sizes.in_the_middle(rows).mean_m();
        Self {
            sizes,
            rows: (0..rows).map(|row| sizes.at_row(row as f64).scaled(factor)).collect(),
            middle: sizes.in_the_middle(rows).scaled(factor),
            shortest_m: sizes.shortest_m(rows) * factor,
        }
    }

    /// Returns the cell size in a row of the raster, clamped to its rows.
    #[inline]
    pub(super) fn at_row(&self, row: i32) -> CellSize {
        let last = self.rows.len().saturating_sub(1);
        self.rows.get((row.max(0) as usize).min(last)).copied().unwrap_or(self.middle)
    }

    /// Returns the cell size in the middle of the raster.
    pub(super) fn in_the_middle(&self) -> CellSize {
        self.middle
    }

    /// Returns the area of a cell of a row, in square kilometres.
    pub(super) fn area_km2(&self, row: usize) -> f64 {
        let size = self.at_row(row as i32);
        size.x_m * size.y_m / 1e6
    }

    /// Returns the inverse of the distance to each neighbour of a cell of a row, in the order of [`NEIGHBOURS`], in
    /// units of the shorter side.
    pub(super) fn slope_factors(&self, row: usize) -> [f32; 8] {
        let ratios = self.at_row(row as i32).ratios();
        NEIGHBOURS.map(|to: IVec2| (1.0 / (to.as_dvec2() * ratios).length()) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_in_degrees_shrink_towards_the_pole() {
        let second = 1.0 / 3600.0;
        let sizes = CellSizes::Geographic { north: 48.0, cell: [second; 2] };
        // Lengths of an arc second at 48° and 47° (Bomford, Geodesy, 1980).
        let [north, south] = [sizes.at_row(-0.5), sizes.at_row(3599.5)];
        assert!((north.x_m - 20.73).abs() < 0.01 && (north.y_m - 30.88).abs() < 0.01, "{north:?}");
        assert!((south.x_m - 21.13).abs() < 0.01 && (south.y_m - 30.88).abs() < 0.01, "{south:?}");
        assert!((sizes.shortest_m(3600) - north.x_m).abs() < 1e-3);
        assert!(sizes.in_the_middle(3600).x_m > north.x_m && sizes.in_the_middle(3600).x_m < south.x_m);
    }

    #[test]
    fn cells_of_mercator_shrink_as_gdal_says() {
        // 60° is at 8399737.89 m in EPSG:3857 and at 8362698.55 m in EPSG:3395 (gdaltransform).
        let degrees = |metres: f64| (metres / 6_378_137.0).to_degrees();
        let cell = [degrees(30.0); 2];
        let web = CellSizes::Mercator { north: degrees(8_399_737.889_8 + 15.0), cell, spherical: true }.at_row(0.0);
        let world = CellSizes::Mercator { north: degrees(8_362_698.548_5 + 15.0), cell, spherical: false }.at_row(0.0);
        let [east_m, north_m] = metres_per_degree(60.0);
        assert!((web.x_m - cell[0] * east_m).abs() < 1e-6 && (world.x_m - web.x_m).abs() < 1e-6, "{web:?} {world:?}");
        assert!((web.y_m - cell[1] * north_m / 2.0).abs() < 1e-6 && world.y_m == world.x_m, "{web:?} {world:?}");
    }
}
