//! [`Viewport`]: the pixels of a picture, and where they are on the map.

use glam::{IVec2, Vec2};

use crate::grid::CellRect;

/// The pixels of a picture, and where they are on the map. Cell (i, j) covers the places from (i, j) to (i + 1, j + 1). Pixels are
/// those of a picture of the whole map, so a place has the same colour in every picture of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Viewport {
    /// The upper left pixel, from the upper left pixel of the map.
    pub(crate) origin: IVec2,
    /// Pixels a cell, to the right and downwards.
    pub(crate) scale: Vec2,
    /// Width and height in pixels.
    pub(crate) size: IVec2,
}

impl Viewport {
    pub(crate) fn width(&self) -> usize {
        self.size.x.max(0) as usize
    }

    pub(crate) fn height(&self) -> usize {
        self.size.y.max(0) as usize
    }

    /// Returns the pixels of the shorter side of a cell.
    pub(crate) fn side(&self) -> f32 {
        self.scale.min_element()
    }

    /// Returns the place in the middle of a pixel.
    pub(crate) fn place(&self, x: usize, y: usize) -> Vec2 {
        ((self.origin + IVec2::new(x as i32, y as i32)).as_vec2() + 0.5) / self.scale
    }

    /// Returns the pixel at a place, with fractions: (0, 0) is the upper left corner of the picture.
    pub(crate) fn pixel(&self, place: Vec2) -> Vec2 {
        place * self.scale - self.origin.as_vec2()
    }

    /// Returns the cells that are at least partly in the picture, and `margin` cells around them.
    pub(crate) fn cells(&self, margin: i32) -> CellRect {
        let low = self.origin.as_vec2() / self.scale;
        let high = (self.origin + self.size).as_vec2() / self.scale;
        CellRect { min: low.floor().as_ivec2() - margin, max: high.ceil().as_ivec2() + margin }
    }

    /// Returns [`cells`](Self::cells) without those more than `margin` cells beyond a map, which look like its edge; all of them if
    /// the map is not in the picture.
    pub(crate) fn cells_near(&self, map: CellRect, margin: i32) -> CellRect {
        let cells = self.cells(margin);
        let near = cells.intersect(CellRect { min: map.min - margin, max: map.max + margin });
        if near.width().min(near.height()) >= margin as usize { near } else { cells }
    }

    /// Returns the picture with some pixels more on every side.
    pub(crate) fn grown(&self, pixels: i32) -> Self {
        Self { origin: self.origin - pixels, size: self.size + 2 * pixels, ..*self }
    }

    /// Returns at least the same part of the map with a pixel for `step` × `step` pixels.
    pub(crate) fn coarse(&self, step: i32) -> Self {
        let low = self.origin.div_euclid(IVec2::splat(step));
        let high = (self.origin + self.size + step - 1).div_euclid(IVec2::splat(step));
        Self { origin: low, scale: self.scale / step as f32, size: high - low }
    }

    /// Returns `true` if all pixels of another picture are pixels of this one.
    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.scale == other.scale
            && self.origin.cmple(other.origin).all()
            && (self.origin + self.size).cmpge(other.origin + other.size).all()
    }
}
