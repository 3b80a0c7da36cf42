//! [`LegendEntry`]: a symbol of a legend and the text behind it.

use glam::ivec2;

use super::colour::{Colour, mix};
use super::land::{HATCHING, tree_colour};
use super::pattern::{TreeMasks, is_hatched};
use super::picture::Picture;
use super::ramp::elevation_tint;
use super::sprite::LOOKOUT;
use super::text;

pub(super) const INK: Colour = [224.0, 224.0, 230.0];
/// The distance of entries from the edges, in pixels.
pub(super) const MARGIN: i32 = 10;
const BAR: i32 = 14;

/// A symbol and the text behind it.
pub(super) struct LegendEntry {
    pub(super) symbol: LegendSymbol,
    pub(super) text: String,
}

pub(super) enum LegendSymbol {
    Bar(Vec<Colour>),
    Swatch(Colour),
    BarWithThresholds {
        bar: Vec<Colour>,
        glimpse: f32,
        identify: f32,
    },
    Trees,
    Hatching,
    Viewer,
    Lookout,
    Lamp(Colour),
    Scale(i32),
    /// No symbol.
    #[cfg(feature = "explorer")]
    Text,
}

const SWATCH: i32 = 22;

impl LegendEntry {
    pub(super) fn new(symbol: LegendSymbol, text: impl Into<String>) -> Self {
        Self { symbol, text: text.into() }
    }

    fn symbol_width(&self) -> i32 {
        match &self.symbol {
            LegendSymbol::Bar(colours) | LegendSymbol::BarWithThresholds { bar: colours, .. } => colours.len() as i32,
            LegendSymbol::Trees => 4 * SWATCH,
            LegendSymbol::Hatching => 3 * SWATCH,
            LegendSymbol::Swatch(_) => SWATCH - 4,
            LegendSymbol::Viewer | LegendSymbol::Lookout | LegendSymbol::Lamp(_) => 14,
            LegendSymbol::Scale(pixels) => *pixels,
            #[cfg(feature = "explorer")]
            LegendSymbol::Text => -6,
        }
    }

    pub(super) fn width(&self) -> i32 {
        self.symbol_width() + 6 + text::width(&self.text) as i32
    }

    /// Returns the entry without the details behind the colon of its text.
    #[cfg(feature = "explorer")]
    pub(super) fn heading(mut self) -> Self {
        self.text.truncate(self.text.find(": ").unwrap_or(self.text.len()));
        self
    }

    /// Breaks a text that is too long for `width` pixels after a word, as often as needed.
    #[cfg(feature = "explorer")]
    pub(super) fn wrapped(mut self, width: i32) -> Vec<Self> {
        let letters = |symbol: i32| ((width - 2 * MARGIN - 6 - symbol).max(0) as usize) / text::letter_width();
        let mut lines: Vec<String> = vec![String::new()];
        for word in self.text.split(' ') {
            let free = letters(if lines.len() == 1 { self.symbol_width() } else { 0 });
            match lines.last_mut() {
                Some(line) if line.is_empty() => line.push_str(word),
                Some(line) if line.chars().count() + 1 + word.chars().count() <= free => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        let mut lines = lines.into_iter();
        self.text = lines.next().unwrap_or_default();
        std::iter::once(self).chain(lines.map(|line| Self::new(LegendSymbol::Text, line))).collect()
    }

    pub(super) fn draw(&self, picture: &mut Picture, x: i32, y: i32) {
        match &self.symbol {
            LegendSymbol::Bar(colours) => draw_bar(picture, x, y, colours),
            LegendSymbol::Swatch(colour) => picture.fill(x, y, SWATCH - 4, 16, *colour),
            LegendSymbol::BarWithThresholds { bar, glimpse, identify } => {
                draw_bar(picture, x, y, bar);
                for (at, colour) in [(glimpse, [176.0, 176.0, 255.0]), (identify, [255.0, 222.0, 110.0])] {
                    picture.fill(x + (at * (bar.len() - 1) as f32) as i32 - 1, y - 2, 2, BAR + 5, colour);
                }
            }
            LegendSymbol::Trees => draw_trees(picture, x, y),
            LegendSymbol::Hatching => draw_hatching(picture, x, y),
            LegendSymbol::Viewer => {
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 6.0, [255.0; 3]);
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 4.6, [226.0, 32.0, 40.0]);
            }
            LegendSymbol::Lookout => {
                picture.fill(x + 1, y + 2, 12, 12, [255.0; 3]);
                picture.fill(x + 2, y + 3, 10, 10, LOOKOUT);
            }
            LegendSymbol::Lamp(colour) => {
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 5.0, *colour);
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 2.5, mix(*colour, [255.0; 3], 0.75));
            }
            LegendSymbol::Scale(pixels) => {
                picture.fill(x, y + 7, *pixels, 3, INK);
                picture.fill(x, y + 3, 2, 11, INK);
                picture.fill(x + pixels - 2, y + 3, 2, 11, INK);
            }
            #[cfg(feature = "explorer")]
            LegendSymbol::Text => {}
        }
        text::write(picture, x + self.symbol_width() + 6, y, &self.text, INK);
    }
}

fn draw_bar(picture: &mut Picture, x: i32, y: i32, colours: &[Colour]) {
    for (i, &colour) in colours.iter().enumerate() {
        picture.fill(x + i as i32, y + 1, 1, BAR, colour);
    }
}

fn draw_trees(picture: &mut Picture, x: i32, y: i32) {
    let side = 8;
    let trees = TreeMasks::new(side);
    let ground = mix(elevation_tint(100.0), [150.0, 168.0, 84.0], 0.5);
    let tree = tree_colour(12.0);
    for (density, left) in (1..=4u8).zip((x..).step_by(SWATCH as usize)) {
        picture.fill(left, y, SWATCH - 4, 16, ground);
        for (cx, cy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            for row in 0..side {
                let mask = trees.row(ivec2(cx + 3 * i32::from(density), cy), density, row);
                for (column, _) in mask.iter().enumerate().filter(|(_, tree)| **tree) {
                    picture.blend(left + 1 + cx * 8 + column as i32, y + cy * 8 + row as i32, tree, 1.0);
                }
            }
        }
    }
}

fn draw_hatching(picture: &mut Picture, x: i32, y: i32) {
    let ground = elevation_tint(100.0);
    for (density, left) in (1..=3u8).zip((x..).step_by(SWATCH as usize)) {
        picture.fill(left, y, SWATCH - 4, 16, ground);
        for dy in 0..16 {
            for dx in 0..SWATCH - 4 {
                if is_hatched(dx, dy, density) {
                    picture.blend(left + dx, y + dy, HATCHING, 0.8);
                }
            }
        }
    }
}
