//! [`Heightmap`]: the elevations of real terrain.

use super::hgt::tile_position;
use crate::files::format::Format;
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

impl Heightmap {
    /// Returns the heightmap with the position that the name of its file tells, if the file itself tells none: that of a tile of
    /// SRTM, such as `N46E007.hgt`.
    #[must_use]
    pub fn placed_by_name(self, name: &str, format: Format) -> Self {
        if format != Format::Hgt || self.georeference.is_some() {
            return self;
        }
        let Some(position) = tile_position(name, self.elevation_m.width()) else { return self };
        let cell_size_m = position.cell_size_m([self.elevation_m.width(), self.elevation_m.height()]);
        Self { cell_size_m, georeference: Some(position), ..self }
    }
}
