//! [`RasterWindow`]: the part of a raster that was read.

use glam::IVec2;

use crate::grid::CellRect;

/// The part of a raster that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RasterWindow {
    /// The cells that were read.
    pub cells: CellRect,
    /// Columns and rows of the whole raster.
    pub raster_size: IVec2,
}
