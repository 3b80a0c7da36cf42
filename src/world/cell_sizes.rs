//! [`CellSizes`]: the sides of the cells of measured ground, which may differ from row to row.

use serde::{Deserialize, Serialize};

use crate::grid::CellSize;

/// The sides of the cells of a raster of rectangular cells on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CellSizes {
    /// All cells have the same sides, in metres: from west to east and from north to south.
    Equal([f64; 2]),
    /// Cells of longitude and latitude on the ellipsoid WGS 84. Their width shrinks towards the poles.
    Geographic {
        /// Latitude of the upper edge of row 0, in degrees.
        north: f64,
        /// Width and height of a cell, in degrees.
        cell: [f64; 2],
    },
}

impl CellSizes {
    /// Returns the sides of the cells of a row, which may be a fraction.
    pub fn at_row(&self, row: f64) -> CellSize {
        match *self {
            Self::Equal([x_m, y_m]) => CellSize::new(x_m, y_m),
            Self::Geographic { north, cell: [width, height] } => {
                let [east_m, north_m] = metres_per_degree(north - (row + 0.5) * height);
                CellSize::new(width * east_m, height * north_m)
            }
        }
    }

    /// Returns the sides of the cells in the middle of a raster of some rows.
    pub fn in_the_middle(&self, rows: usize) -> CellSize {
        self.at_row((rows as f64 - 1.0) / 2.0)
    }

    /// Returns the shortest side of all cells of a raster of some rows, in metres.
    pub fn shortest_m(&self, rows: usize) -> f64 {
        match self {
            Self::Equal(_) => self.at_row(0.0).shorter_m(),
            Self::Geographic { .. } => {
                (0..rows).map(|row| self.at_row(row as f64).shorter_m()).fold(f64::INFINITY, f64::min)
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_in_degrees_shrink_towards_the_pole() {
        let second = 1.0 / 3600.0;
        let sizes = CellSizes::Geographic { north: 48.0, cell: [second; 2] };
        // Lengths of a second at 48° and 47° (Bomford, Geodesy, 1980).
        let [north, south] = [sizes.at_row(-0.5), sizes.at_row(3599.5)];
        assert!((north.x_m - 20.73).abs() < 0.01 && (north.y_m - 30.88).abs() < 0.01, "{north:?}");
        assert!((south.x_m - 21.13).abs() < 0.01 && (south.y_m - 30.88).abs() < 0.01, "{south:?}");
        assert!((sizes.shortest_m(3600) - north.x_m).abs() < 1e-3);
        assert!(sizes.in_the_middle(3600).x_m > north.x_m && sizes.in_the_middle(3600).x_m < south.x_m);
    }
}
