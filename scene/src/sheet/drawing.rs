//! [`Drawing`]: a page as a list of elements.

use glam::Vec2;

use crate::paint::Colour;
use crate::paint::lettering::{Anchor, Face};
use crate::paint::shape::Path;

/// A page: its size and its elements, the lowest first. Lengths are in millimetres from the upper left corner.
pub(super) struct Drawing {
    pub(super) title: String,
    pub(super) size: Vec2,
    pub(super) elements: Vec<Element>,
}

pub(super) enum Element {
    Image {
        min: Vec2,
        max: Vec2,
        image: Image,
    },
    Fill {
        path: Path,
        colour: Colour,
    },
    /// A line with round joins and caps.
    Line {
        points: Vec<Vec2>,
        width: f32,
        colour: Colour,
    },
    Text(Text),
}

/// A text; its position is at half the height of its letters.
pub(super) struct Text {
    pub(super) at: Vec2,
    pub(super) anchor: Anchor,
    pub(super) text: String,
    pub(super) face: Face,
    /// Millimetres per em.
    pub(super) size: f32,
    pub(super) colour: Colour,
    /// The colour of a margin around the letters.
    pub(super) halo: Option<Colour>,
}

/// The width of the margin around letters, in em.
pub(super) const HALO: f32 = 0.16;

/// Pixels that fill a rectangle.
pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Red, green, blue and alpha.
    pub(super) rgba: Vec<u8>,
    /// `true` to interpolate between pixels.
    pub(super) is_smooth: bool,
}

impl Image {
    pub(super) fn has_alpha(&self) -> bool {
        self.rgba.as_chunks::<4>().0.iter().any(|pixel| pixel[3] < u8::MAX)
    }

    pub(super) fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        self.rgba.as_chunks::<4>().0[y * self.width + x]
    }
}

impl Drawing {
    pub(super) fn new(title: String, size: Vec2) -> Self {
        Self { title, size, elements: Vec::new() }
    }

    pub(super) fn image(&mut self, [min, max]: [Vec2; 2], image: Image) {
        self.elements.push(Element::Image { min, max, image });
    }

    pub(super) fn fill(&mut self, path: Path, colour: Colour) {
        self.elements.push(Element::Fill { path, colour });
    }

    pub(super) fn polygon(&mut self, corners: &[Vec2], colour: Colour) {
        let mut path = Path::default();
        path.polygon(corners);
        self.fill(path, colour);
    }

    pub(super) fn rectangle(&mut self, min: Vec2, max: Vec2, colour: Colour) {
        self.polygon(&[min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)], colour);
    }

    pub(super) fn disc(&mut self, centre: Vec2, radius: f32, colour: Colour) {
        let mut path = Path::default();
        path.ellipse(centre, Vec2::splat(radius));
        self.fill(path, colour);
    }

    pub(super) fn outline(&mut self, min: Vec2, max: Vec2, width: f32, colour: Colour) {
        self.line(vec![min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y), min], width, colour);
    }

    pub(super) fn line(&mut self, points: Vec<Vec2>, width: f32, colour: Colour) {
        self.elements.push(Element::Line { points, width, colour });
    }

    pub(super) fn text(&mut self, text: Text) {
        self.elements.push(Element::Text(text));
    }
}
