//! Letters that the book face lacks, from the fonts of the system: Chinese, Japanese, Korean, Arabic, Hebrew, Devanagari and more.
//!
//! A text is composed (Unicode's NFC), ordered for display by the
//! [bidirectional algorithm](https://www.unicode.org/reports/tr9/), and cut into spans that one face has; a span of a system font
//! is shaped, so that Arabic letters join and vowels find their places. A page has no access to the fonts of its system.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use fontdb::{Database, FaceInfo, ID, Style, Weight};
use glam::vec2;
use rustybuzz::{Direction, UnicodeBuffer};
use ttf_parser::{GlyphId, OutlineBuilder};
use unicode_bidi::BidiInfo;
use unicode_normalization::UnicodeNormalization;

use super::letters::{Face, Letters, ShapedGlyph, Span};
use super::shape::Path;

/// Splits a text into spans of the book face and of system fonts, in the order of display.
pub(crate) fn spans(text: &str, letters: &Letters, is_bold: bool) -> Vec<Span> {
    if text.chars().all(|character| letters.contains(character)) {
        return vec![Span::Book(text.to_owned())];
    }
    let text: String = text.nfc().collect();
    let mut spans = Vec::new();
    let info = BidiInfo::new(&text, None);
    for paragraph in &info.paragraphs {
        let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let is_rtl = levels[run.start].is_rtl();
            let first = spans.len();
            push_spans(&text[run], letters, is_bold, is_rtl, &mut spans);
            if is_rtl {
                spans[first..].reverse();
            }
        }
    }
    spans
}

/// Returns the characters of a name for which there is no font: neither the embedded one nor one of the system. Pictures have boxes in
/// their place.
///
/// ```
/// assert_eq!(farsight_scene::paint::missing_letters("Αθήνα, Đà Nẵng, Åre"), []);
/// ```
pub fn missing_letters(name: &str) -> Vec<char> {
    let letters = Face::Roman.letters();
    let name = name.nfc().filter(|&character| !letters.contains(character) && !character.is_control());
    name.filter(|&character| FONTS.face_of(character, false).is_none()).collect()
}

/// Appends the spans of a run of one direction, in the order of reading. From right to left, a system font also has the
/// punctuation, which it mirrors.
fn push_spans(run: &str, letters: &Letters, is_bold: bool, is_rtl: bool, spans: &mut Vec<Span>) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_book = |character: char| letters.contains(character) && !is_rtl;
        let face = if is_book(first) { None } else { FONTS.face_of(first, is_bold) };
        let belongs = |character: char| match face {
            Some(face) => !is_book(character) && FONTS.has(face, character),
            None => is_book(character) || FONTS.face_of(character, is_bold).is_none(),
        };
        let length = rest.char_indices().skip(1).find(|&(_, character)| !belongs(character));
        let (span, after) = rest.split_at(length.map_or(rest.len(), |(at, _)| at));
        spans.push(match face.and_then(|face| FONTS.shaped(face, span, is_rtl)) {
            Some(glyphs) => Span::System(glyphs),
            None if is_rtl => Span::Book(span.chars().rev().collect()),
            None => Span::Book(span.to_owned()),
        });
        rest = after;
    }
}

static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let mut database = Database::new();
    database.load_system_fonts();
    Fonts::new(database)
});

/// Faces with the first of the choice first, and what was asked of them.
struct Fonts {
    database: Database,
    /// For text that is not bold and for bold text.
    faces: [Vec<ID>; 2],
    faces_by_character: Mutex<HashMap<(char, bool), Option<ID>>>,
    shaped: Mutex<HashMap<(ID, String, bool), Shaped>>,
}

/// The glyphs of a span; `None` if the face cannot be read.
type Shaped = Option<Arc<[ShapedGlyph]>>;

impl Fonts {
    /// The most spans that are kept in their shaped form.
    const MAX_SHAPED: usize = 1000;

    fn new(database: Database) -> Self {
        let faces = [false, true].map(|is_bold| {
            let mut faces: Vec<&FaceInfo> = database.faces().collect();
            faces.sort_by_cached_key(|face| {
                let family = face.families.first().map(|(family, _)| family.clone()).unwrap_or_default();
                let weight = if is_bold { Weight::BOLD } else { Weight::NORMAL };
                // Families of emoji have pictures, not outlines.
                let rank = (face.style != Style::Normal, face.weight.0.abs_diff(weight.0), face.monospaced);
                (family.contains("Emoji"), rank, !family.contains("Serif"), family, face.index)
            });
            faces.into_iter().map(|face| face.id).collect()
        });
        Self { database, faces, faces_by_character: Mutex::default(), shaped: Mutex::default() }
    }

    /// Returns the first face that has a character.
    fn face_of(&self, character: char, is_bold: bool) -> Option<ID> {
        let mut known = self.faces_by_character.lock().unwrap_or_else(PoisonError::into_inner);
        let faces = &self.faces[usize::from(is_bold)];
        let find = || faces.iter().copied().find(|&face| self.has(face, character));
        *known.entry((character, is_bold)).or_insert_with(find)
    }

    fn has(&self, face: ID, character: char) -> bool {
        self.with_face(face, |face| face.glyph_index(character).is_some()).unwrap_or(false)
    }

    /// Returns the glyphs of a text of one direction, in the order of display.
    fn shaped(&self, face: ID, text: &str, is_rtl: bool) -> Shaped {
        let mut shaped = self.shaped.lock().unwrap_or_else(PoisonError::into_inner);
        if shaped.len() >= Self::MAX_SHAPED {
            shaped.clear();
        }
        let shape = || self.with_face(face, |face| shape(face, text, is_rtl));
        shaped.entry((face, text.to_owned(), is_rtl)).or_insert_with(shape).clone()
    }

    fn with_face<T>(&self, face: ID, use_face: impl FnOnce(&rustybuzz::Face) -> T) -> Option<T> {
        self.database
            .with_face_data(face, |data, index| rustybuzz::Face::from_slice(data, index).map(|face| use_face(&face)))?
    }
}

fn shape(face: &rustybuzz::Face, text: &str, is_rtl: bool) -> Arc<[ShapedGlyph]> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
    buffer.guess_segment_properties();
    let unit = 1.0 / face.units_per_em() as f32;
    let shaped = rustybuzz::shape(face, &[], buffer);
    let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).map(|(info, position)| {
        let mut outline = Outline { path: Path::default(), unit };
        face.outline_glyph(GlyphId(info.glyph_id as u16), &mut outline);
        ShapedGlyph {
            outline: Arc::new(outline.path),
            advance: position.x_advance as f32 * unit,
            offset: vec2(position.x_offset as f32, position.y_offset as f32) * unit,
        }
    });
    glyphs.collect()
}

/// A path in fractions of an em.
struct Outline {
    path: Path,
    unit: f32,
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(vec2(x, y) * self.unit);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(vec2(x, y) * self.unit);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(vec2(x1, y1) * self.unit, vec2(x, y) * self.unit);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.curve_to(vec2(x1, y1) * self.unit, vec2(x2, y2) * self.unit, vec2(x, y) * self.unit);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fonts of the test: DejaVu Sans Mono has Arabic and no Chinese.
    fn fonts() -> Fonts {
        let mut database = Database::new();
        for font in typst_assets::fonts() {
            database.load_font_data(font.to_vec());
        }
        Fonts::new(database)
    }

    #[test]
    fn arabic_letters_join_and_run_from_right_to_left() {
        let fonts = fonts();
        let face = fonts.face_of('س', false).unwrap();
        assert!(fonts.has(face, 'ل') && fonts.face_of('京', false).is_none());
        let word = fonts.shaped(face, "سلام", true).unwrap();
        let alone: Vec<_> =
            "سلام".chars().map(|letter| fonts.shaped(face, &letter.to_string(), true).unwrap()).collect();
        assert!(!word.is_empty() && word.iter().all(|glyph| glyph.outline.bounds().is_some() && glyph.advance > 0.0));
        // The last glyph on the right is the first letter, in the form that joins the next.
        let (last, first_alone) = (&word[word.len() - 1], &alone[0][0]);
        assert_ne!(last.outline, first_alone.outline, "a letter that joins another has a form of its own");
        let reversed = fonts.shaped(face, "مالس", true).unwrap();
        assert_ne!(word[0].outline, reversed[0].outline);
    }

    #[test]
    fn bold_text_prefers_bold_faces() {
        let fonts = fonts();
        let weight = |is_bold| {
            let face = fonts.face_of('б', is_bold).unwrap();
            fonts.database.face(face).unwrap().weight
        };
        assert_eq!((weight(false), weight(true)), (Weight::NORMAL, Weight::BOLD));
    }
}
