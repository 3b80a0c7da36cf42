//! [`Viewport`]: the pixels of a picture, and their position on the map.

use glam::{IVec2, Vec2};

use farsight::grid::CellRect;

/// The pixels of a picture, and their position on the map. Cell (i, j) covers the places from (i, j) to (i + 1, j + 1). Pixels are
/// those of a picture of the whole map, so a place has the same colour in every picture of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Viewport {
    /// The upper left pixel, relative to that of the map.
    pub(crate) origin: IVec2,
    /// Pixels per cell, to the right and downwards.
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

    /// Returns the shorter side of a cell in pixels.
    pub(crate) fn side(&self) -> f32 {
        self.scale.min_element()
    }

    /// Returns the place at the centre of a pixel.
    pub(crate) fn place(&self, x: usize, y: usize) -> Vec2 {
        ((self.origin + IVec2::new(x as i32, y as i32)).as_vec2() + 0.5) / self.scale
    }

    /// Returns the fractional pixel at a place: (0, 0) is the upper left corner of the picture.
    pub(crate) fn pixel(&self, place: Vec2) -> Vec2 {
        place * self.scale - self.origin.as_vec2()
    }

    /// Returns the place at a fractional pixel.
    pub(crate) fn place_at(&self, pixel: Vec2) -> Vec2 {
        (pixel + self.origin.as_vec2()) / self.scale
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

    /// Returns the picture with a margin of some pixels on every side.
    pub(crate) fn grown(&self, pixels: i32) -> Self {
        Self { origin: self.origin - pixels, size: self.size + 2 * pixels, ..*self }
    }

    /// Returns a viewport that covers the same part of the map, with a pixel for `step` × `step` pixels.
    pub(crate) fn coarse(&self, step: i32) -> Self {
        let low = self.origin.div_euclid(IVec2::splat(step));
        let high = (self.origin + self.size + step - 1).div_euclid(IVec2::splat(step));
        Self { origin: low, scale: self.scale / step as f32, size: high - low }
    }

    /// Returns the intersection of two pictures of the same scale.
    pub(crate) fn shared_with(&self, other: &Self) -> Option<Self> {
        let low = self.origin.max(other.origin);
        let high = (self.origin + self.size).min(other.origin + other.size);
        low.cmplt(high).all().then_some(Self { origin: low, size: high - low, ..*self })
    }

    /// Returns rectangles of the pixels that are not in a part of the picture.
    pub(crate) fn without(&self, part: &Self) -> Vec<Self> {
        let (low, high) = (self.origin, self.origin + self.size);
        let (part_low, part_high) = (part.origin, part.origin + part.size);
        let rect = |low: IVec2, high: IVec2| Self { origin: low, size: high - low, ..*self };
        let rects = [
            rect(low, IVec2::new(high.x, part_low.y)),
            rect(IVec2::new(low.x, part_high.y), high),
            rect(IVec2::new(low.x, part_low.y), IVec2::new(part_low.x, part_high.y)),
            rect(IVec2::new(part_high.x, part_low.y), IVec2::new(high.x, part_high.y)),
        ];
        rects.into_iter().filter(|rect| rect.size.cmpgt(IVec2::ZERO).all()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn a_part_and_what_is_without_it_are_the_whole() {
        let viewport =
            |x, y, width, height| Viewport { origin: ivec2(x, y), scale: Vec2::splat(3.0), size: ivec2(width, height) };
        let whole = viewport(-10, 5, 40, 30);
        for other in [whole, viewport(-30, -5, 40, 30), viewport(0, 10, 5, 5), viewport(20, 20, 40, 30)] {
            let part = whole.shared_with(&other).unwrap();
            let mut count = vec![0; 40 * 30];
            for rect in whole.without(&part).iter().chain([&part]) {
                for y in 0..rect.size.y {
                    for x in 0..rect.size.x {
                        let at = rect.origin + ivec2(x, y) - whole.origin;
                        count[(at.y * 40 + at.x) as usize] += 1;
                    }
                }
            }
            assert!(count.iter().all(|&count| count == 1), "{other:?}");
        }
        assert_eq!(whole.shared_with(&viewport(30, 5, 9, 9)), None);
    }
}
