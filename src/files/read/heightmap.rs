//! [`Heightmap`]: the elevations of real terrain.

use super::hgt::tile_position;
use super::raster_header::RasterHeader;
use crate::files::format::Format;
use crate::files::georeference::{CellSizeError, Georeference};
use crate::grid::Grid;
use crate::world::CellSizes;

/// Elevations of real terrain, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    /// Metres above sea level, row after row from the north; NaN where the file has no data.
    pub elevation_m: Grid<f32>,
    /// Side of a cell in metres, or the reason why it is unknown. Of rectangular cells, the geometric mean of both sides
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

    /// Returns size and position.
    pub fn header(&self) -> RasterHeader {
        let Self { elevation_m, cell_size_m, cell_sizes, georeference } = self;
        RasterHeader {
            size: elevation_m.size(),
            cell_size_m: *cell_size_m,
            cell_sizes: *cell_sizes,
            georeference: georeference.clone(),
        }
    }

    /// Creates a heightmap whose cells have the size that its georeference says.
    pub(super) fn new(elevation_m: Grid<f32>, georeference: Option<Georeference>) -> Self {
        let header = RasterHeader::new(elevation_m.size(), georeference);
        let RasterHeader { cell_size_m, cell_sizes, georeference, .. } = header;
        Self { elevation_m, cell_size_m, cell_sizes, georeference }
    }

    pub(super) fn with_sizes(
        elevation_m: Grid<f32>,
        georeference: Option<Georeference>,
        sizes: Result<CellSizes, CellSizeError>,
    ) -> Self {
        let header = RasterHeader::with_sizes(elevation_m.size(), georeference, sizes);
        let RasterHeader { cell_size_m, cell_sizes, georeference, .. } = header;
        Self { elevation_m, cell_size_m, cell_sizes, georeference }
    }
}
