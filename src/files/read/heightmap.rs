//! [`Heightmap`]: the elevations of real terrain.

use super::hgt::tile_position;
use crate::files::format::Format;
use crate::files::georeference::{CellSizeError, Georeference};
use crate::grid::Grid;
use crate::world::CellSizes;

/// Elevations of real terrain, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    /// Metres above sea level, row after row from the north; NaN where the file has no data.
    pub elevation_m: Grid<f32>,
    /// Side of a cell in metres, or the reason why it is unknown. Of cells that are no squares, the geometric mean of both sides
    /// in the middle of the map.
    pub cell_size_m: Result<f64, CellSizeError>,
    /// The sides of the cells, if they are known and no squares.
    pub cell_sizes: Option<CellSizes>,
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
        Self::new(self.elevation_m, Some(position))
    }

    /// Creates a heightmap whose cells have the size that its georeference says.
    pub(super) fn new(elevation_m: Grid<f32>, georeference: Option<Georeference>) -> Self {
        let rows = elevation_m.height();
        let sizes = georeference.as_ref().ok_or(CellSizeError::Unspecified).and_then(|place| place.cell_sizes(rows));
        Self::with_sizes(elevation_m, georeference, sizes)
    }

    pub(super) fn with_sizes(
        elevation_m: Grid<f32>,
        georeference: Option<Georeference>,
        sizes: Result<CellSizes, CellSizeError>,
    ) -> Self {
        let rows = elevation_m.height();
        let is_square = |sizes: &CellSizes| matches!(sizes, CellSizes::Equal([x_m, y_m]) if x_m == y_m);
        Self {
            cell_size_m: sizes.map(|sizes| sizes.in_the_middle(rows).mean_m()),
            cell_sizes: sizes.ok().filter(|sizes| !is_square(sizes)),
            elevation_m,
            georeference,
        }
    }
}
