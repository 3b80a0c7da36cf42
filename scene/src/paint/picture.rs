//! [`Picture`]: RGBA pixels.

use glam::{IVec2, ivec2};

use super::colour::{Colour, mix, pixel};
use farsight::internal::parallel::*;

/// A picture: rows of opaque RGBA pixels, from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    rgba: Vec<u8>,
}

impl Picture {
    /// Creates a picture of one colour.
    pub(crate) fn new(width: usize, height: usize, colour: Colour) -> Self {
        Self { width, height, rgba: pixel(colour).repeat(width * height) }
    }

    /// Creates a picture of `width` columns from rows of pixels of three bytes.
    pub fn from_rgb(width: usize, pixels: &[u8]) -> Self {
        let rgba: Vec<u8> = pixels.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, u8::MAX]).collect();
        Self { width, height: rgba.len() / (4 * width.max(1)), rgba }
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the pixels, four bytes each: red, green, blue, 255.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Returns the bytes of the pixels.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.rgba
    }

    /// Changes the bytes of bands of `rows` rows of pixels in parallel, with the index of each band.
    pub(super) fn for_rows(&mut self, rows: usize, change: impl Fn(usize, &mut [u8]) + Sync + Send) {
        let rows = self.rgba.par_chunks_mut((self.width * 4 * rows).max(1));
        rows.enumerate().for_each(|(i, pixels)| change(i, pixels));
    }

    /// Returns the pixel at column `x` and row `y`, or `None` outside.
    pub fn get(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        let at = (x < self.width && y < self.height).then(|| (y * self.width + x) * 4)?;
        self.rgba[at..at + 3].try_into().ok()
    }

    /// Blends a colour into a pixel with an alpha; it ignores a pixel outside.
    pub(crate) fn blend(&mut self, x: i32, y: i32, colour: Colour, share: f32) {
        if x < 0 || y < 0 || x as usize >= self.width || y as usize >= self.height || share <= 0.0 {
            return;
        }
        let at = (y as usize * self.width + x as usize) * 4;
        let old = [0, 1, 2].map(|i| f32::from(self.rgba[at + i]));
        self.rgba[at..at + 4].copy_from_slice(&pixel(mix(old, colour, share.min(1.0))));
    }

    /// Fills the part of a rectangle that is inside.
    pub(crate) fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, colour: Colour) {
        for y in y..y + height {
            for x in x..x + width {
                self.blend(x, y, colour, 1.0);
            }
        }
    }

    /// Copies another picture to a place, clipped to this picture.
    pub(super) fn copy(&mut self, other: &Self, left: i32, top: i32) {
        for y in 0..other.height {
            for x in 0..other.width {
                if let Some(colour) = other.get(x, y) {
                    self.blend(left + x as i32, top + y as i32, colour.map(f32::from), 1.0);
                }
            }
        }
    }

    /// Draws a disc with an antialiased rim.
    pub(crate) fn disc(&mut self, cx: f32, cy: f32, radius: f32, colour: Colour) {
        let reach = radius.ceil() as i32 + 1;
        for y in cy as i32 - reach..=cy as i32 + reach {
            for x in cx as i32 - reach..=cx as i32 + reach {
                let (dx, dy) = (x as f32 + 0.5 - cx, y as f32 + 0.5 - cy);
                let inside = radius + 0.5 - (dx * dx + dy * dy).sqrt();
                self.blend(x, y, colour, inside.clamp(0.0, 1.0));
            }
        }
    }

    /// Returns the picture in another size, with the colour of the nearest pixel.
    pub(super) fn stretched(&self, size: IVec2) -> Self {
        let [width, height] = size.to_array().map(|side| side.max(0) as usize);
        let mut out = Self { width, height, rgba: vec![0; width * height * 4] };
        let nearest = |i: usize, old: usize, new: usize| ((2 * i + 1) * old / (2 * new)).min(old.saturating_sub(1));
        let columns: Vec<usize> = (0..width).map(|x| nearest(x, self.width, width) * 4).collect();
        out.for_rows(1, |y, row| {
            let from = &self.rgba[nearest(y, self.height, height) * self.width * 4..][..self.width * 4];
            for (out, &x) in row.chunks_exact_mut(4).zip(&columns) {
                out.copy_from_slice(&from[x..x + 4]);
            }
        });
        out
    }

    /// Crops the picture to a rectangle, clipped to the picture.
    pub(crate) fn crop(self, corner: IVec2, size: IVec2) -> Self {
        if corner == IVec2::ZERO && size == ivec2(self.width as i32, self.height as i32) {
            return self;
        }
        let [x, y] = corner.to_array().map(|at| at.max(0) as usize);
        let width = (size.x.max(0) as usize).min(self.width.saturating_sub(x));
        let height = (size.y.max(0) as usize).min(self.height.saturating_sub(y));
        let rows = (y..y + height).map(|row| (row * self.width + x) * 4);
        let rgba = rows.flat_map(|at| &self.rgba[at..at + width * 4]).copied().collect();
        Self { width, height, rgba }
    }

    /// Appends another picture of the same width below.
    pub(crate) fn above(mut self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        self.rgba.reserve_exact(other.rgba.len()); // a picture may be large
        self.rgba.extend_from_slice(&other.rgba);
        Self { height: self.height + other.height, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretched_pixels_are_rectangles() {
        let mut picture = Picture::new(2, 2, [10.0; 3]);
        picture.fill(1, 0, 1, 1, [90.0; 3]);
        picture.fill(0, 1, 1, 1, [200.0; 3]);
        let stretched = picture.stretched(ivec2(4, 7));
        let row = |y: usize| (0..4).map(|x| stretched.get(x, y).unwrap()[0]).collect::<Vec<u8>>();
        assert_eq!((stretched.width(), stretched.height()), (4, 7));
        assert!((0..3).all(|y| row(y) == [10, 10, 90, 90]) && (4..7).all(|y| row(y) == [200, 200, 10, 10]));
    }
}
