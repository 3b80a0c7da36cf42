//! [`PaintOptions`]: the content and the size of a picture of a scene.

use glam::{IVec2, Vec2};

use crate::scene::Layer;
use farsight::grid::CellRect;
use farsight::named_enum;
use farsight::setters;

/// The painted part of a scene, and its size in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PaintOptions {
    /// The cells. Cells off the map and nodata cells are empty.
    pub frame: CellRect,
    /// The size of a cell.
    pub zoom: Zoom,
    /// The background of the visibility.
    pub backdrop: Backdrop,
    /// The style of cells out of sight.
    pub unseen: Unseen,
    /// The horizontal and vertical stretch of the picture, 1 to 64: the sides of a cell divided by the shorter side,
    /// which has the size of `zoom`. Marks of viewers, creatures and lamps keep their shape.
    pub stretch: [f32; 2],
    /// The limits of the ramp of a layer; `None` for those of the layer. See [`local_range`](super::local_range).
    pub layer_range: Option<[f32; 2]>,
}

impl PaintOptions {
    /// Creates options for the land, with cells out of sight in ink if they were seen before.
    pub fn new(frame: CellRect, zoom: Zoom) -> Self {
        Self {
            frame,
            zoom,
            backdrop: Backdrop::default(),
            unseen: Unseen::default(),
            stretch: [1.0; 2],
            layer_range: None,
        }
    }

    setters! {
        with_frame(frame: CellRect), with_zoom(zoom: Zoom), with_backdrop(backdrop: Backdrop), with_unseen(unseen: Unseen),
        with_layer_range(layer_range: Option<[f32; 2]>), with_stretch(stretch: [f32; 2]),
    }

    /// Returns the width and height of the picture, in pixels.
    pub fn picture_size(&self) -> IVec2 {
        let size = self.zoom.picture_size(self.frame.size());
        if self.is_stretched() { (size.as_vec2() * self.factors()).round().as_ivec2().max(size) } else { size }
    }

    pub(super) fn is_stretched(&self) -> bool {
        self.factors() != Vec2::ONE
    }

    /// Returns [`stretch`](Self::stretch), each factor clamped to its range; 1 for NaN.
    pub(super) fn factors(&self) -> Vec2 {
        Vec2::from_array(self.stretch).max(Vec2::ONE).min(Vec2::splat(64.0))
    }
}

/// The size of a cell in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Zoom {
    /// Pixels per side of a cell; 0 counts as 1.
    PixelsPerCell(u32),
    /// The side in cells of the square that a pixel shows one cell of; 0 counts as 1.
    CellsPerPixel(u32),
}

/// The background of the visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Backdrop {
    /// The land in the look of the preset.
    #[default]
    Land,
    /// The values of a layer as exact squares.
    Layer(Layer),
}

named_enum! {
    /// The style of cells out of sight.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Unseen: "painting of unseen cells" {
        /// In ink if they were seen before, else blank.
        #[default]
        Remembered = "remembered",
        /// In ink, as on a map of the land.
        Mapped = "mapped",
    }
}

impl Zoom {
    /// Returns the size of a cell in a picture of `cells` cells; without a scale in pixels per cell, the longer side of
    /// the picture has about 1000 pixels.
    pub fn of_map(cells: IVec2, scale: Option<u32>) -> Self {
        const SIDE: i32 = 1000;
        let side = cells.max_element().max(1);
        match scale {
            Some(scale) => Self::PixelsPerCell(scale.max(1)),
            None if side > 2 * SIDE => Self::CellsPerPixel((side / SIDE) as u32),
            None => Self::PixelsPerCell((SIDE / side).clamp(1, 32) as u32),
        }
    }

    /// Returns the side of a cell in pixels, at least 1.
    pub(super) fn side(self) -> usize {
        match self {
            Self::PixelsPerCell(pixels) => pixels.max(1) as usize,
            Self::CellsPerPixel(_) => 1,
        }
    }

    /// Returns the spacing of painted cells, in cells, at least 1.
    pub(super) fn stride(self) -> i32 {
        match self {
            Self::PixelsPerCell(_) => 1,
            Self::CellsPerPixel(cells) => cells.clamp(1, i32::MAX as u32) as i32,
        }
    }

    /// Returns the pixels per cell; less than 1 if a pixel shows several cells.
    pub fn pixels_per_cell(self) -> f64 {
        self.side() as f64 / f64::from(self.stride())
    }

    /// Returns the size in pixels of a picture of `cells` cells.
    pub fn picture_size(self, cells: IVec2) -> IVec2 {
        let (stride, side) = (i64::from(self.stride()), self.side() as i64);
        let pixels = cells.to_array().map(|cells| (i64::from(cells.max(0)) + stride - 1) / stride * side);
        IVec2::from_array(pixels.map(|pixels| pixels.min(i64::from(i32::MAX)) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretched_picture_has_a_size_for_any_factor() {
        let options = PaintOptions::new(CellRect::of_size(IVec2::new(20, 10)), Zoom::PixelsPerCell(2));
        let size = |stretch| options.with_stretch(stretch).picture_size().to_array();
        assert_eq!(size([1.0, 1.5]), [40, 30]);
        assert_eq!(size([f32::NAN, -3.0]), [40, 20]);
        assert_eq!(size([f32::INFINITY, 1e9]), [40 * 64, 20 * 64]);
    }
}
