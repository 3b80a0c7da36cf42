//! [`Heightmap`]: the elevations of real terrain; [`RasterHeader`]: the size and the position of a heightmap that is
//! read in part.

use glam::IVec2;

use super::hgt::tile_position;
use crate::files::format::Format;
use crate::files::georeference::{CellSizeError, Georeference};
use crate::world::CellSizes;
use farsight::grid::Grid;

/// Elevations of real terrain, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    /// Metres above sea level, row-major from the north; NaN for nodata.
    pub elevation_m: Grid<f32>,
    /// Side of a cell in metres, or the reason why it is unknown. Of rectangular cells, the geometric mean of both sides
    /// in the middle of the map.
    pub cell_size_m: Result<f64, CellSizeError>,
    /// The sides of the cells, if they are known and not square.
    pub cell_sizes: Option<CellSizes>,
    /// The georeference, if the file has one.
    pub georeference: Option<Georeference>,
    /// Notes on the conversion of heights, such as the unit, to follow the name of the file.
    pub notes: Vec<String>,
}

impl Heightmap {
    /// Returns the heightmap with the position in the name of its file, if the file itself has none: that of an SRTM
    /// tile, such as `N46E007.hgt`.
    #[must_use]
    pub fn placed_by_name(self, name: &str, format: Format) -> Self {
        if format != Format::Hgt || self.georeference.is_some() {
            return self;
        }
        let Some(position) = tile_position(name, self.elevation_m.size()) else { return self };
        Self::new(self.elevation_m, Some(position)).with_notes(self.notes)
    }

    /// Returns size and position.
    pub fn header(&self) -> RasterHeader {
        let Self { elevation_m, cell_size_m, cell_sizes, georeference, notes } = self;
        RasterHeader {
            size: elevation_m.size(),
            cell_size_m: *cell_size_m,
            cell_sizes: *cell_sizes,
            georeference: georeference.clone(),
            notes: notes.clone(),
        }
    }

    pub(super) fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// Creates a heightmap with the cell size of its georeference.
    pub(super) fn new(elevation_m: Grid<f32>, georeference: Option<Georeference>) -> Self {
        let header = RasterHeader::new(elevation_m.size(), georeference);
        let RasterHeader { cell_size_m, cell_sizes, georeference, .. } = header;
        Self { elevation_m, cell_size_m, cell_sizes, georeference, notes: Vec::new() }
    }

    pub(super) fn with_sizes(
        elevation_m: Grid<f32>,
        georeference: Option<Georeference>,
        sizes: Result<CellSizes, CellSizeError>,
    ) -> Self {
        let header = RasterHeader::with_sizes(elevation_m.size(), georeference, sizes);
        let RasterHeader { cell_size_m, cell_sizes, georeference, .. } = header;
        Self { elevation_m, cell_size_m, cell_sizes, georeference, notes: Vec::new() }
    }
}

/// The size and the position of a heightmap, without its cells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RasterHeader {
    /// Columns and rows.
    pub size: IVec2,
    /// Side of a cell in metres, as in a [`Heightmap`](super::Heightmap).
    pub cell_size_m: Result<f64, CellSizeError>,
    /// The sides of the cells, if they are known and not square.
    pub cell_sizes: Option<CellSizes>,
    /// The georeference, if the file has one.
    pub georeference: Option<Georeference>,
    /// Notes on the conversion of heights, as in a [`Heightmap`](super::Heightmap).
    pub notes: Vec<String>,
}

impl RasterHeader {
    /// Creates the header of a raster with the cell size of its georeference.
    pub(super) fn new(size: IVec2, georeference: Option<Georeference>) -> Self {
        let sizes = georeference.as_ref().ok_or(CellSizeError::Unspecified).and_then(|place| place.cell_sizes(size));
        Self::with_sizes(size, georeference, sizes)
    }

    fn with_sizes(size: IVec2, georeference: Option<Georeference>, sizes: Result<CellSizes, CellSizeError>) -> Self {
        let is_square = |sizes: &CellSizes| matches!(sizes, CellSizes::Equal([x_m, y_m]) if x_m == y_m);
        Self {
            size,
            cell_size_m: sizes.map(|sizes| sizes.in_the_middle(size.y as usize).mean_m()),
            cell_sizes: sizes.ok().filter(|sizes| !is_square(sizes)),
            georeference,
            notes: Vec::new(),
        }
    }

    /// Returns the number of cells.
    pub fn cell_count(&self) -> u64 {
        self.size.as_u64vec2().element_product()
    }
}
