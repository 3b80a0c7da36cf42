//! Names and numbers on the map, in a serif font with a soft halo, straight, rotated or along a line.

use std::sync::Arc;

use glam::{Vec2, vec2};

use super::colour::Colour;
pub(crate) use super::letters::Face;
use super::letters::{Letters, ShapedGlyph, Span};
use super::picture::Picture;
use super::shape::{DrawingAxes, Mask, Path, PixelBounds};
#[cfg(not(target_arch = "wasm32"))]
use super::system_fonts::spans;

/// A page has no access to the fonts of its system.
#[cfg(target_arch = "wasm32")]
fn spans(text: &str, _: &Letters, _: bool) -> [Span; 1] {
    [Span::Book(text.to_owned())]
}

/// The anchor of a text. Vertically, it is always the middle of the letters: halfway between the baseline and the mean
/// of x-height and cap height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The left end.
    Left,
    /// The middle.
    Middle,
}

/// A soft margin around letters, so that they are readable on any background. The whole text has one halo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Halo {
    pub(crate) colour: Colour,
    /// The strength next to the letters, from 0 to 1.
    pub(crate) alpha: f32,
    /// The width in pixels.
    pub(crate) width: f32,
}

/// The look of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lettering {
    pub(crate) face: Face,
    /// Pixels per em.
    pub(crate) size: f32,
    pub(crate) colour: Colour,
    /// From 0 to 1.
    pub(crate) alpha: f32,
    pub(crate) halo: Option<Halo>,
    /// Letter spacing in pixels, in addition to their advance.
    pub(crate) spacing: f32,
    /// The rotation about the anchor in radians, clockwise.
    pub(crate) angle: f32,
    /// The offset in pixels from the position, or from the line, up to the middle of the letters.
    pub(crate) rise: f32,
}

impl Lettering {
    /// Returns the look of a horizontal text without halo.
    pub(crate) fn new(face: Face, size: f32, colour: Colour) -> Self {
        Self { face, size, colour, alpha: 1.0, halo: None, spacing: 0.0, angle: 0.0, rise: 0.0 }
    }

    /// The maximum size in pixels per em.
    const MAX_SIZE: f32 = 1000.0;

    /// Returns `true` if all numbers are valid for drawing.
    fn is_drawable(&self) -> bool {
        self.size > 0.0
            && self.size <= Self::MAX_SIZE
            && self.spacing.is_finite()
            && self.angle.is_finite()
            && self.rise.is_finite()
    }
}

/// Returns the width of a text in pixels.
pub(crate) fn width(text: &str, face: Face, size: f32, spacing: f32) -> f32 {
    TextLine::new(text, face, size, spacing).width
}

/// Draws a text.
pub(crate) fn draw(picture: &mut Picture, at: Vec2, anchor: Anchor, text: &str, lettering: &Lettering) {
    paint(picture, &straight(at, anchor, text, lettering), lettering);
}

/// Draws a text along a line, centred on it. The text reads from left to right; it extends straight beyond the ends of
/// the line. [`angle`](Lettering::angle) has no effect.
pub(crate) fn draw_along(picture: &mut Picture, line: &[Vec2], text: &str, lettering: &Lettering) {
    paint(picture, &along(line, text, lettering), lettering);
}

/// Returns the corners of the rectangle that [`draw`] paints, with its halo; twice the position if it paints nothing.
pub(crate) fn bounds(at: Vec2, anchor: Anchor, text: &str, lettering: &Lettering) -> (Vec2, Vec2) {
    painted(&straight(at, anchor, text, lettering), lettering).unwrap_or((at, at))
}

/// Returns the corners of the rectangle that [`draw_along`] paints, with its halo, or `None` if it paints nothing.
pub(crate) fn bounds_along(line: &[Vec2], text: &str, lettering: &Lettering) -> Option<(Vec2, Vec2)> {
    painted(&along(line, text, lettering), lettering)
}

/// Returns the outlines of the letters of a text whose size has any unit. No height is rounded to whole pixels.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn outline(at: Vec2, anchor: Anchor, text: &str, lettering: &Lettering) -> Path {
    let scale = 100.0 / lettering.size; // larger than the letters that are fitted to pixels
    let large =
        Lettering { size: 100.0, rise: lettering.rise * scale, spacing: lettering.spacing * scale, ..*lettering };
    straight(Vec2::ZERO, anchor, text, &large).placed(&DrawingAxes::at(at, 1.0 / scale))
}

fn painted(path: &Path, lettering: &Lettering) -> Option<(Vec2, Vec2)> {
    let (min, max) = path.bounds()?;
    let margin = lettering.halo.map_or(0.0, |halo| halo.width.clamp(0.0, Mask::MAX_MARGIN));
    Some((min - margin, max + margin))
}

/// A letter and its offset from the start of the text, in pixels.
struct PlacedGlyph {
    outline: Arc<Path>,
    /// The width in pixels.
    width: f32,
    /// Pixels from the start of the text.
    x: f32,
    /// The height of its origin above the baseline, as a fraction of the size of the letters.
    rise: f32,
}

/// A text with the position of each letter.
struct TextLine {
    glyphs: Vec<PlacedGlyph>,
    width: f32,
}

impl TextLine {
    fn new(text: &str, face: Face, size: f32, spacing: f32) -> Self {
        let letters = face.letters();
        let text: String = text.chars().filter(|&character| !is_invisible(character)).collect();
        let mut line = Self { glyphs: Vec::new(), width: 0.0 };
        for span in spans(&text, letters, face == Face::Bold) {
            match span {
                Span::Book(text) => line.push_letters(&text, letters, size, spacing),
                Span::System(glyphs) => line.push_shaped(&glyphs, size, spacing),
            }
        }
        line
    }

    fn push_letters(&mut self, text: &str, letters: &Letters, size: f32, spacing: f32) {
        let mut before = None;
        for character in text.chars() {
            let glyph = letters.glyph(character);
            if !self.glyphs.is_empty() {
                self.width += before.map_or(0.0, |before| letters.kerning(before, glyph)) * size + spacing;
            }
            before = Some(glyph);
            let (outline, width) = (Arc::clone(&glyph.outline), glyph.advance * size);
            self.glyphs.push(PlacedGlyph { outline, width, x: self.width, rise: 0.0 });
            self.width += width;
        }
    }

    /// Appends glyphs of a system font, whose letters may join.
    fn push_shaped(&mut self, glyphs: &[ShapedGlyph], size: f32, spacing: f32) {
        if !self.glyphs.is_empty() {
            self.width += spacing;
        }
        for ShapedGlyph { outline, advance, offset } in glyphs {
            let (outline, x) = (Arc::clone(outline), self.width + offset.x * size);
            self.glyphs.push(PlacedGlyph { outline, width: advance * size, x, rise: offset.y });
            self.width += advance * size;
        }
    }
}

/// Returns `true` for control characters and for characters that only control the layout of text.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Returns the height of the middle of the letters above the baseline, in pixels.
fn middle(letters: &Letters, size: f32) -> f32 {
    (letters.x_height + letters.cap_height) * 0.25 * size
}

fn straight(at: Vec2, anchor: Anchor, text: &str, lettering: &Lettering) -> Path {
    let mut path = Path::default();
    if !at.is_finite() || !lettering.is_drawable() {
        return path;
    }
    let &Lettering { face, size, spacing, angle, rise, .. } = lettering;
    let line = TextLine::new(text, face, size, spacing);
    let letters = face.letters();
    let before = match anchor {
        Anchor::Left => 0.0,
        Anchor::Middle => line.width * 0.5,
    };
    let below = middle(letters, size) - rise;
    let start = vec2(-before, below);
    if angle == 0.0 {
        let heights = LetterHeights::new(letters, size);
        let baseline = if heights.is_fitted { (at.y + below).round() } else { at.y + below };
        for PlacedGlyph { outline, x, rise, .. } in line.glyphs {
            let origin = vec2(at.x + start.x + x, baseline);
            let height = |point: Vec2| heights.above_baseline(point.y + rise);
            path.append_mapped(&outline, |point| origin + vec2(point.x * size, -height(point)));
        }
        return path;
    }
    let direction = vec2(libm::cosf(angle), libm::sinf(angle));
    for PlacedGlyph { outline, x, rise, .. } in line.glyphs {
        let origin = at + direction * (start.x + x) + direction.perp() * (start.y - rise * size);
        path.append(&outline, &turned(origin, direction, size));
    }
    path
}

/// Returns the placement of a glyph whose baseline has a direction.
fn turned(origin: Vec2, direction: Vec2, size: f32) -> DrawingAxes {
    DrawingAxes { x_axis: direction * size, y_axis: direction.perp() * -size, origin }
}

fn along(line: &[Vec2], text: &str, lettering: &Lettering) -> Path {
    let mut path = Path::default();
    let Some(curve) = Curve::new(line).filter(|_| lettering.is_drawable()) else { return path };
    let &Lettering { face, size, spacing, .. } = lettering;
    let line = TextLine::new(text, face, size, spacing);
    let start = (curve.length() - line.width) * 0.5;
    let below = middle(face.letters(), size) - lettering.rise;
    for PlacedGlyph { outline, width, x, rise } in line.glyphs {
        let half = width * 0.5;
        let centre = start + x + half;
        // Bends of the line that are shorter than a letter do not rotate it.
        let reach = half.max(size * 0.35);
        let direction = (curve.at(centre + reach) - curve.at(centre - reach)).try_normalize().unwrap_or(Vec2::X);
        let origin = curve.at(centre) - direction * half + direction.perp() * (below - rise * size);
        path.append(&outline, &turned(origin, direction, size));
    }
    path
}

/// A line from left to right, parametrized by the distance from its start.
struct Curve {
    points: Vec<Vec2>,
    distances: Vec<f32>,
}

impl Curve {
    /// Returns `None` if the line has no length.
    fn new(line: &[Vec2]) -> Option<Self> {
        let mut points: Vec<Vec2> = line.iter().copied().filter(|point| point.is_finite()).collect();
        points.dedup();
        if points.len() < 2 {
            return None;
        }
        if points[points.len() - 1].x < points[0].x {
            points.reverse();
        }
        let mut distances = vec![0.0];
        for ends in points.windows(2) {
            distances.push(distances[distances.len() - 1] + ends[0].distance(ends[1]));
        }
        let length = distances[distances.len() - 1];
        (length > 0.0 && length.is_finite()).then_some(Self { points, distances })
    }

    fn length(&self) -> f32 {
        self.distances[self.distances.len() - 1]
    }

    /// Returns the point at a distance from the start, with straight extrapolation beyond the ends.
    fn at(&self, distance: f32) -> Vec2 {
        let next = self.distances.partition_point(|&passed| passed < distance).clamp(1, self.points.len() - 1);
        let (from, to) = (self.distances[next - 1], self.distances[next]);
        self.points[next - 1] + (self.points[next] - self.points[next - 1]) * ((distance - from) / (to - from))
    }
}

/// The heights of letters in pixels. The x-height and the cap height of small letters without rotation are whole
/// pixels, so that their horizontal strokes are sharp.
struct LetterHeights {
    is_fitted: bool,
    size: f32,
    x_height: f32,
    cap_height: f32,
    /// Pixels of x-height and cap height.
    fitted: Vec2,
}

impl LetterHeights {
    /// The maximum size of letters with heights of whole pixels, in pixels per em.
    const MAX_FITTED_SIZE: f32 = 24.0;

    fn new(letters: &Letters, size: f32) -> Self {
        let is_fitted = size <= Self::MAX_FITTED_SIZE && letters.x_height * size >= 2.0;
        let exact = vec2(letters.x_height, letters.cap_height) * size;
        let fitted = if is_fitted { exact.round() } else { exact };
        Self { is_fitted, size, x_height: letters.x_height, cap_height: letters.cap_height, fitted }
    }

    /// Returns the pixels of a height in em.
    fn above_baseline(&self, height: f32) -> f32 {
        if height <= 0.0 {
            height * self.size
        } else if height <= self.x_height {
            height / self.x_height * self.fitted.x
        } else if height <= self.cap_height {
            let share = (height - self.x_height) / (self.cap_height - self.x_height);
            self.fitted.x + share * (self.fitted.y - self.fitted.x)
        } else {
            self.fitted.y + (height - self.cap_height) * self.size
        }
    }
}

/// Paints halo and letters.
fn paint(picture: &mut Picture, path: &Path, lettering: &Lettering) {
    let margin = lettering.halo.map_or(0.0, |halo| halo.width.clamp(0.0, Mask::MAX_MARGIN));
    // Letters just outside the picture have halos in it.
    let clip = PixelBounds::of(picture).grown((margin * 2.0).ceil() as i32 + 1);
    let Some(mut mask) = Mask::of_path(path, clip) else { return };
    if let Some(halo) = lettering.halo.filter(|halo| halo.alpha > 0.0) {
        mask.grown(margin).paint(picture, halo.colour, halo.alpha);
    }
    let gain = thin_stroke_gain(lettering.size);
    for covered in &mut mask.coverage {
        *covered += gain * *covered * (1.0 - *covered);
    }
    mask.paint(picture, lettering.colour, lettering.alpha);
}

/// Returns the gain for partly covered pixels, without which the thin strokes of small letters would be pale.
fn thin_stroke_gain(size: f32) -> f32 {
    const SMALL: f32 = 9.0;
    const LARGE: f32 = 24.0;
    const MAX_GAIN: f32 = 0.75;
    MAX_GAIN * ((LARGE - size) / (LARGE - SMALL)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Colour = [200.0, 180.0, 140.0];
    const INK: Colour = [40.0, 30.0, 20.0];

    fn paper(width: usize, height: usize) -> Picture {
        Picture::new(width, height, PAPER)
    }

    fn drawn(text: &str, lettering: &Lettering) -> Picture {
        let mut picture = paper(160, 60);
        draw(&mut picture, vec2(80.0, 30.0), Anchor::Middle, text, lettering);
        picture
    }

    fn roman(size: f32) -> Lettering {
        Lettering::new(Face::Roman, size, INK)
    }

    fn changed(picture: &Picture) -> Vec<(usize, usize)> {
        let pixels = (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y)));
        pixels.filter(|&(x, y)| picture.get(x, y) != Some(PAPER.map(|channel| channel as u8))).collect()
    }

    #[test]
    fn texts_are_drawn_inside_their_bounds() {
        let halo = Some(Halo { colour: [255.0; 3], alpha: 0.5, width: 2.0 });
        for angle in [0.0, 0.4, -1.2] {
            let lettering = Lettering { halo, angle, rise: 3.0, ..roman(20.0) };
            let picture = drawn("Žofín 1 234 m", &lettering);
            let (min, max) = bounds(vec2(80.0, 30.0), Anchor::Middle, "Žofín 1 234 m", &lettering);
            let pixels = changed(&picture);
            assert!(pixels.len() > 400, "{}", pixels.len());
            for (x, y) in pixels {
                let centre = vec2(x as f32, y as f32) + 0.5;
                assert!((centre + 2.0).cmpge(min).all() && (centre - 2.0).cmple(max).all(), "{centre} {min} {max}");
            }
        }
    }

    #[test]
    fn anchors_are_left_middle_and_right() {
        let width = width("Heron Mere", Face::Italic, 14.0, 2.0);
        let lettering = Lettering { face: Face::Italic, spacing: 2.0, ..roman(14.0) };
        let left = |anchor| bounds(vec2(50.0, 20.0), anchor, "Heron Mere", &lettering).0.x;
        assert!((left(Anchor::Left) - left(Anchor::Middle) - width / 2.0).abs() < 1e-3);
        assert!((left(Anchor::Left) - 50.0).abs() < 2.0);
        let (min, max) = bounds(vec2(50.0, 20.0), Anchor::Middle, "x", &lettering);
        assert!(min.y < 20.0 && max.y > 20.0);
    }

    #[test]
    fn the_halo_is_under_all_letters_and_painted_once() {
        let red = Halo { colour: [255.0, 0.0, 0.0], alpha: 1.0, width: 3.0 };
        let lettering = Lettering { halo: Some(red), ..roman(40.0) };
        let picture = drawn("mm", &lettering);
        let plain = drawn("mm", &roman(40.0));
        let covered = |picture: &Picture| {
            let ink = Some(INK.map(|channel| channel as u8));
            changed(picture).into_iter().filter(|&(x, y)| picture.get(x, y) == ink).count()
        };
        assert!(covered(&plain) > 100);
        assert_eq!(covered(&picture), covered(&plain), "the halo of a letter covers another");
        // Where halos overlap, a half-transparent halo is as strong as a single one.
        let half = Lettering { halo: Some(Halo { alpha: 0.5, ..red }), ..roman(40.0) };
        let picture = drawn("IIII", &half);
        let reddish =
            changed(&picture).into_iter().filter_map(|(x, y)| picture.get(x, y)).filter(|pixel| pixel[0] > 220);
        let least_green = reddish.map(|pixel| pixel[1]).min().unwrap();
        assert!((86..=92).contains(&least_green), "{least_green}"); // half of 180, some pixels with a trace of ink
    }

    #[test]
    fn texts_outside_of_the_picture_paint_nothing() {
        let mut picture = paper(50, 50);
        let lettering = Lettering { halo: Some(Halo { colour: INK, alpha: 1.0, width: 3.0 }), ..roman(12.0) };
        for at in [vec2(-500.0, 20.0), vec2(1e9, 1e9), vec2(f32::NAN, 2.0), vec2(20.0, f32::NEG_INFINITY)] {
            draw(&mut picture, at, Anchor::Middle, "Temperate", &lettering);
        }
        for (size, spacing) in [(0.0, 0.0), (-4.0, 0.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0), (12.0, f32::NAN)] {
            let wrong = Lettering { size, spacing, ..lettering };
            draw(&mut picture, vec2(25.0, 25.0), Anchor::Middle, "Temperate", &wrong);
        }
        draw(&mut picture, vec2(25.0, 25.0), Anchor::Middle, "", &lettering);
        assert_eq!(changed(&picture), []);
        assert_eq!(bounds(Vec2::ONE, Anchor::Left, "", &lettering), (Vec2::ONE, Vec2::ONE));
    }

    #[test]
    fn control_characters_are_dropped_and_unknown_ones_are_boxes() {
        let lettering = roman(14.0);
        assert_eq!(drawn("a\n\t\u{7}b\u{200b}\u{feff}c\u{85}", &lettering), drawn("abc", &lettering));
        // Characters of private use, the last of all, which no font has.
        assert_eq!(drawn("\u{10fffc}", &lettering), drawn("\u{10fffd}", &lettering));
        assert!(changed(&drawn("\u{10fffc}", &lettering)).len() > 20);
        assert_eq!(width("\u{0}", Face::Bold, 10.0, 5.0), 0.0);
        assert_eq!(drawn("a\u{2009}b", &lettering), drawn("a b", &lettering));
    }

    #[test]
    fn long_names_are_drawn() {
        let name = "Llanfairpwllgwyngyll ".repeat(300);
        let lettering = Lettering { halo: Some(Halo { colour: INK, alpha: 0.5, width: 2.0 }), ..roman(11.0) };
        assert!(!changed(&drawn(&name, &lettering)).is_empty());
        let mut picture = paper(160, 60);
        draw_along(&mut picture, &[vec2(10.0, 30.0), vec2(150.0, 20.0)], &name, &lettering);
        assert!(!changed(&picture).is_empty());
    }

    #[test]
    fn turned_letters_have_the_same_ink() {
        let ink = |angle| {
            let picture = drawn("Sund", &Lettering { angle, ..roman(30.0) });
            let darkness = |(x, y)| 200.0 - f32::from(picture.get(x, y).unwrap()[0]);
            changed(&picture).into_iter().map(darkness).sum::<f32>()
        };
        let turned = ink(std::f32::consts::FRAC_PI_2);
        assert!((ink(0.0) / turned - 1.0).abs() < 0.01 && (ink(0.3) / turned - 1.0).abs() < 0.01);
        // A quarter turn clockwise: the text runs downwards.
        let quarter = Lettering { angle: std::f32::consts::FRAC_PI_2, ..roman(30.0) };
        let (min, max) = bounds(Vec2::ZERO, Anchor::Left, "Sund", &quarter);
        assert!(min.y > -1.0 && max.y > 50.0 && max.x < 20.0);
    }

    #[test]
    fn texts_follow_lines_from_left_to_right() {
        let lettering = Lettering { spacing: 3.0, ..roman(14.0) };
        let arc: Vec<Vec2> =
            (0..=20).map(|i| vec2(20.0 + 6.0 * i as f32, 40.0 - (i * (20 - i)) as f32 * 0.2)).collect();
        let back: Vec<Vec2> = arc.iter().rev().copied().collect();
        let draw = |line: &[Vec2]| {
            let mut picture = paper(160, 60);
            draw_along(&mut picture, line, "Great Sound", &lettering);
            picture
        };
        assert_eq!(draw(&arc), draw(&back));
        let picture = draw(&arc);
        let pixels = changed(&picture);
        assert!(pixels.len() > 150);
        for (x, y) in pixels {
            let distance = arc.iter().map(|point| point.distance(vec2(x as f32, y as f32) + 0.5)).fold(99.0, f32::min);
            assert!(distance < 14.0, "({x}, {y})");
        }
        assert_eq!(changed(&draw(&[Vec2::ONE])), []);
        assert_eq!(changed(&draw(&[Vec2::ONE, Vec2::NAN, Vec2::ONE])), []);
        // On a straight line, a text equals that without a line, except for its exact heights.
        let (min, max) = bounds_along(&[vec2(0.0, 30.0), vec2(160.0, 30.0)], "Great", &lettering).unwrap();
        let (straight_min, straight_max) = bounds(vec2(80.0, 30.0), Anchor::Middle, "Great", &lettering);
        assert!((min - straight_min).abs().max_element() < 1.0 && (max - straight_max).abs().max_element() < 1.0);
    }
}
