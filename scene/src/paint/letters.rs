//! The letters of a serif font: outlines, widths and kerning, which `build.rs` extracts from Libertinus Serif.

use std::sync::{Arc, LazyLock};

use glam::{Vec2, vec2};

use super::shape::{DrawingAxes, Path};

/// A style of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// Upright.
    Roman,
    /// Italic, for waters.
    Italic,
    /// Upright bold.
    Bold,
}

impl Face {
    /// Returns the letters of this style.
    pub(crate) fn letters(self) -> &'static Letters {
        static ROMAN: LazyLock<Letters> =
            LazyLock::new(|| Letters::decode(include_bytes!(concat!(env!("OUT_DIR"), "/letters-roman.bin"))));
        static ITALIC: LazyLock<Letters> =
            LazyLock::new(|| Letters::decode(include_bytes!(concat!(env!("OUT_DIR"), "/letters-italic.bin"))));
        static BOLD: LazyLock<Letters> =
            LazyLock::new(|| Letters::decode(include_bytes!(concat!(env!("OUT_DIR"), "/letters-bold.bin"))));
        match self {
            Self::Roman => &ROMAN,
            Self::Italic => &ITALIC,
            Self::Bold => &BOLD,
        }
    }
}

/// A letter. Lengths are fractions of the size of the letters; heights are above the baseline.
#[derive(Debug)]
pub(crate) struct Glyph {
    code: u32,
    pub(crate) advance: f32,
    pub(crate) outline: Arc<Path>,
    classes: KerningClasses,
}

/// The kerning classes of a letter as the left and the right one of a pair.
#[derive(Debug)]
struct KerningClasses {
    left: usize,
    right: usize,
}

/// A part of a text, in the order of display.
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page has no access to system fonts"))]
pub(crate) enum Span {
    /// Characters of the book face, or of no face.
    Book(String),
    System(Arc<[ShapedGlyph]>),
}

/// A glyph of a system font. Lengths are fractions of the size of the letters, with y upwards.
pub(crate) struct ShapedGlyph {
    pub(crate) outline: Arc<Path>,
    pub(crate) advance: f32,
    pub(crate) offset: Vec2,
}

/// The letters of a [`Face`].
#[derive(Debug)]
pub(crate) struct Letters {
    /// The height of the letter x.
    pub(crate) x_height: f32,
    /// The height of the letter H.
    pub(crate) cap_height: f32,
    /// In ascending order of code points.
    glyphs: Vec<Glyph>,
    /// The kerning for each class of left letters and each class of right letters.
    kerning: Vec<f32>,
    right_classes: usize,
}

impl Letters {
    /// Returns the glyph of a character, or a box for a missing glyph.
    pub(crate) fn glyph(&self, character: char) -> &Glyph {
        let find = |code: u32| self.glyphs.binary_search_by_key(&code, |glyph| glyph.code);
        let character = if character.is_whitespace() { ' ' } else { character };
        &self.glyphs[find(character.into()).unwrap_or(0)]
    }

    /// Returns `true` if there is a glyph for a character.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn contains(&self, character: char) -> bool {
        character.is_whitespace() || self.glyph(character).code == u32::from(character)
    }

    /// Returns the kerning of a letter before another.
    pub(crate) fn kerning(&self, left: &Glyph, right: &Glyph) -> f32 {
        let at = left.classes.left * self.right_classes + right.classes.right;
        self.kerning.get(at).copied().unwrap_or(0.0)
    }

    /// Decodes the format of `build.rs`.
    fn decode(bytes: &[u8]) -> Self {
        let mut numbers = Numbers(bytes.iter());
        let unit = 1.0 / numbers.next() as f32;
        let (x_height, cap_height) = (numbers.next() as f32 * unit, numbers.next() as f32 * unit);
        let contours: Vec<Path> = (0..numbers.next()).map(|_| numbers.contour()).collect();
        let mut code = 0;
        let glyph_count = numbers.next();
        let glyphs = (0..glyph_count).map(|_| {
            code += numbers.next() as u32;
            let advance = numbers.next() as f32 * unit;
            let classes = KerningClasses { left: numbers.next() as usize, right: numbers.next() as usize };
            let mut outline = Path::default();
            for _ in 0..numbers.next() {
                let contour = &contours[numbers.next() as usize];
                outline.append(contour, &DrawingAxes::at(numbers.point() * unit, unit));
            }
            Glyph { code, advance, outline: Arc::new(outline), classes }
        });
        let glyphs = glyphs.collect();
        let right_classes = numbers.next() as usize;
        let kerning = std::iter::from_fn(|| numbers.try_next()).map(|value| value as f32 * unit).collect();
        Self { x_height, cap_height, glyphs, kerning, right_classes }
    }
}

/// Variable-length integers.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
    fn try_next(&mut self) -> Option<i32> {
        let mut zigzag = 0;
        for shift in (0..32).step_by(7) {
            let byte = u32::from(*self.0.next()?);
            zigzag |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32))
    }

    fn next(&mut self) -> i32 {
        self.try_next().expect("build.rs writes whole faces")
    }

    fn point(&mut self) -> Vec2 {
        vec2(self.next() as f32, self.next() as f32)
    }

    /// Reads a contour that starts at (0, 0).
    fn contour(&mut self) -> Path {
        let mut contour = Path::default();
        let mut pen = Vec2::ZERO;
        contour.move_to(pen);
        for _ in 0..self.next() {
            let degree = self.next();
            let mut point = || {
                pen += self.point();
                pen
            };
            match degree {
                1 => contour.line_to(point()),
                2 => contour.quad_to(point(), point()),
                _ => contour.curve_to(point(), point(), point()),
            };
        }
        contour
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faces_have_latin_greek_and_cyrillic_letters() {
        for face in [Face::Roman, Face::Italic, Face::Bold] {
            let letters = face.letters();
            let text = "AZaz09?!&@ÀÿßŠžŁőĦ–—’‘“”·…°²₂±×→−ΑΩαωάЖжЇґẠễỹ";
            for character in text.chars().chain((0x21..0x7f).map(char::from)).chain('¡'..='ſ') {
                // A soft hyphen is invisible; ŉ has no glyph.
                assert!(letters.contains(character) || "\u{ad}ŉ".contains(character), "{face:?} lacks {character}");
            }
            assert!(!letters.contains('猫') && letters.glyph('猫').outline.bounds().is_some());
            assert!(0.3 < letters.x_height && letters.x_height < letters.cap_height && letters.cap_height < 0.8);
        }
    }

    #[test]
    fn outlines_are_in_their_places() {
        let letters = Face::Roman.letters();
        let (min, max) = letters.glyph('H').outline.bounds().unwrap();
        assert!(min.y.abs() < 0.02 && (max.y - letters.cap_height).abs() < 0.02, "{min} {max}");
        assert!(min.x > 0.0 && max.x < letters.glyph('H').advance);
        // The accent is above the unchanged letter.
        let accented = letters.glyph('é').outline.bounds().unwrap();
        let plain = letters.glyph('e').outline.bounds().unwrap();
        assert!(accented.1.y > plain.1.y + 0.1 && accented.0 == plain.0);
    }

    #[test]
    fn letters_are_kerned() {
        let letters = Face::Roman.letters();
        let kerning = |left, right| letters.kerning(letters.glyph(left), letters.glyph(right));
        assert!(kerning('A', 'V') < -0.02 && kerning('T', 'o') < -0.02, "{} {}", kerning('A', 'V'), kerning('T', 'o'));
        assert_eq!(kerning('n', 'n'), 0.0);
        assert_eq!(kerning(' ', '猫'), 0.0);
    }
}
