//! [`Heightmap`]: the elevations of real terrain.

use crate::files::georeference::{CellSizeError, Georeference};
use crate::grid::Grid;

/// Elevations of real terrain, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    /// Metres above sea level, row after row from the north; NaN where the file has no data.
    pub elevation_m: Grid<f32>,
    /// Side of a cell in metres, or the reason why it is unknown.
    pub cell_size_m: Result<f64, CellSizeError>,
    /// Position on the earth, if the file has one.
    pub georeference: Option<Georeference>,
}
