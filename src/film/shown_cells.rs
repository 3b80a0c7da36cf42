//! [`ShownCells`]: the cells that the pictures of a walk show.

use glam::IVec2;

use super::film::choose_zoom;
use super::options::FilmOptions;
use crate::grid::CellRect;
use crate::paint::Zoom;

/// The distance of the cells on which the light on a slope depends.
const LIGHT_REACH: i32 = 2;

/// The cells that the pictures of a walk show: what a film needs of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownCells {
    /// Contains all cells of the pictures. It may reach beyond the map.
    pub frame: CellRect,
    /// The cells of a pixel: a window of the map has to begin at a multiple of it.
    pub stride: i32,
}

impl ShownCells {
    /// The cells that the pictures of a walk within some cells of a map show.
    pub fn new(options: &FilmOptions, walked: CellRect, map_size: IVec2) -> Self {
        let cells = options.crop.size(map_size);
        let stride = match choose_zoom(cells, options.scale) {
            Zoom::CellsPerPixel(cells) => cells as i32,
            Zoom::PixelsPerCell(_) => 1,
        };
        let reach = cells + LIGHT_REACH + stride;
        Self { frame: CellRect { min: walked.min - reach, max: walked.max + reach }, stride }
    }
}
