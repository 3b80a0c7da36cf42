//! [`RasterHeader`]: the size and the position of a heightmap that is read in part.

use glam::IVec2;

use crate::files::georeference::{CellSizeError, Georeference};
use crate::world::CellSizes;

/// The size and the position of a heightmap, without its cells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RasterHeader {
    /// Columns and rows.
    pub size: IVec2,
    /// Side of a cell in metres, as of a [`Heightmap`](super::Heightmap).
    pub cell_size_m: Result<f64, CellSizeError>,
    /// The sides of the cells, if they are known and no squares.
    pub cell_sizes: Option<CellSizes>,
    /// Position on the earth, if the file has one.
    pub georeference: Option<Georeference>,
}

impl RasterHeader {
    /// Creates the header of a raster whose cells have the size that its georeference says.
    pub(super) fn new(size: IVec2, georeference: Option<Georeference>) -> Self {
        let rows = size.y as usize;
        let sizes = georeference.as_ref().ok_or(CellSizeError::Unspecified).and_then(|place| place.cell_sizes(rows));
        Self::with_sizes(size, georeference, sizes)
    }

    pub(super) fn with_sizes(
        size: IVec2,
        georeference: Option<Georeference>,
        sizes: Result<CellSizes, CellSizeError>,
    ) -> Self {
        let is_square = |sizes: &CellSizes| matches!(sizes, CellSizes::Equal([x_m, y_m]) if x_m == y_m);
        Self {
            size,
            cell_size_m: sizes.map(|sizes| sizes.in_the_middle(size.y as usize).mean_m()),
            cell_sizes: sizes.ok().filter(|sizes| !is_square(sizes)),
            georeference,
        }
    }

    /// Returns the number of cells.
    pub fn cell_count(&self) -> u64 {
        self.size.as_u64vec2().element_product()
    }
}
