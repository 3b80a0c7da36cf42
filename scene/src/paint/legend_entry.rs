//! [`LegendEntry`]: a symbol of a legend and the text behind it.

use glam::{Vec2, vec2};

use super::colour::{Colour, mix};
use super::data_painter::{GLIMPSE_LINE, IDENTIFY_LINE};
use super::lettering::{self, Anchor, Face, Lettering};
use super::map::clear_line::draw_sample;
use super::mark;
use super::picture::Picture;

/// The distance of entries from the edges, in pixels.
pub(super) const MARGIN: i32 = 12;
/// The height of symbols, and the size of letters, in pixels.
pub(super) const SYMBOL: i32 = 18;
pub(super) const TEXT_SIZE: f32 = 13.5;
/// The space between a symbol and its text.
const GAP: i32 = 8;

/// The colours of a legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegendTheme {
    pub(super) background: Colour,
    pub(super) ink: Colour,
    pub(super) is_dark: bool,
}

impl LegendTheme {
    /// Ink on paper.
    pub const LIGHT: Self = Self { background: [233.0, 222.0, 195.0], ink: [64.0, 48.0, 36.0], is_dark: false };
    /// Light letters on walnut.
    pub const DARK: Self = Self { background: [35.0, 32.0, 42.0], ink: [226.0, 214.0, 190.0], is_dark: true };

    pub(super) fn background(self) -> Colour {
        self.background
    }
}

/// A symbol and the text behind it.
pub(super) struct LegendEntry {
    pub(super) symbol: LegendSymbol,
    pub(super) text: String,
}

pub(super) enum LegendSymbol {
    /// The colours of a ramp.
    Bar(Vec<Colour>),
    /// The colours of a ramp from 0 to 1 with lines at two values.
    BarWithThresholds {
        bar: Vec<Colour>,
        glimpse: f32,
        identify: f32,
    },
    Swatch(Colour),
    /// A painted part of the map.
    Painted(Picture),
    ClearLine,
    Question,
    Viewer,
    Lookout,
    Lamp(Colour),
    Scale(i32),
    /// No symbol.
    Text,
}

impl LegendEntry {
    pub(super) fn new(symbol: LegendSymbol, text: impl Into<String>) -> Self {
        Self { symbol, text: text.into() }
    }

    fn symbol_width(&self) -> i32 {
        match &self.symbol {
            LegendSymbol::Bar(colours) | LegendSymbol::BarWithThresholds { bar: colours, .. } => colours.len() as i32,
            LegendSymbol::Swatch(_) | LegendSymbol::Question => SYMBOL,
            LegendSymbol::Painted(picture) => picture.width() as i32,
            LegendSymbol::ClearLine => 44,
            LegendSymbol::Viewer => 24,
            LegendSymbol::Lookout | LegendSymbol::Lamp(_) => 18,
            LegendSymbol::Scale(pixels) => *pixels,
            LegendSymbol::Text => -GAP,
        }
    }

    pub(super) fn width(&self) -> i32 {
        self.symbol_width() + GAP + text_width(&self.text)
    }

    /// Returns the entry without the details behind the colon of its text.
    pub(super) fn heading(mut self) -> Self {
        self.text.truncate(self.text.find(": ").unwrap_or(self.text.len()));
        self
    }

    /// Breaks a text that is too long for `width` pixels after a word, as often as needed.
    pub(super) fn wrapped(mut self, width: i32) -> Vec<Self> {
        let free = |symbol: i32| (width - 2 * MARGIN - GAP - symbol).max(0);
        let mut lines: Vec<String> = vec![String::new()];
        for word in self.text.split(' ') {
            let free = free(if lines.len() == 1 { self.symbol_width() } else { 0 });
            match lines.last_mut() {
                Some(line) if line.is_empty() => line.push_str(word),
                Some(line) if text_width(&format!("{line} {word}")) <= free => {
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

    /// Draws the entry with its upper left corner at a pixel.
    pub(super) fn draw(&self, picture: &mut Picture, x: i32, y: i32, theme: LegendTheme) {
        let ink = theme.ink;
        let middle = |width: i32| vec2(x as f32 + width as f32 / 2.0, y as f32 + SYMBOL as f32 / 2.0);
        match &self.symbol {
            LegendSymbol::Bar(colours) => draw_bar(picture, x, y, colours, ink),
            LegendSymbol::BarWithThresholds { bar, glimpse, identify } => {
                draw_bar(picture, x, y, bar, ink);
                for (at, colour) in [(glimpse, GLIMPSE_LINE), (identify, IDENTIFY_LINE)] {
                    picture.fill(x + (at * (bar.len() - 1) as f32) as i32 - 1, y - 1, 2, SYMBOL + 2, colour);
                }
            }
            LegendSymbol::Swatch(colour) => {
                picture.fill(x, y, SYMBOL, SYMBOL, mix(ink, theme.background, 0.3));
                picture.fill(x + 1, y + 1, SYMBOL - 2, SYMBOL - 2, *colour);
            }
            LegendSymbol::Painted(painted) => picture.copy(painted, x, y),
            LegendSymbol::ClearLine => draw_sample(picture, middle(44), 40.0),
            LegendSymbol::Question => mark::paint_question(picture, middle(SYMBOL), false, 1.0, theme.is_dark, None),
            LegendSymbol::Viewer => mark::paint_viewer(picture, middle(24), 0.8),
            LegendSymbol::Lookout => mark::paint_lookout(picture, middle(18), 1.0),
            LegendSymbol::Lamp(colour) => mark::paint_lamp(picture, middle(18), *colour, 1.0),
            LegendSymbol::Scale(pixels) => {
                let half = pixels / 2;
                picture.fill(x, y + 7, *pixels, 5, ink);
                picture.fill(x + half, y + 8, pixels - half - 1, 3, theme.background);
            }
            LegendSymbol::Text => {}
        }
        let at = vec2((x + self.symbol_width() + GAP) as f32, y as f32 + SYMBOL as f32 / 2.0);
        write(picture, at, &self.text, ink);
    }
}

/// Returns the width of a text of a legend, in whole pixels.
pub(super) fn text_width(text: &str) -> i32 {
    lettering::width(text, Face::Roman, TEXT_SIZE, 0.0).ceil() as i32
}

/// Writes a text of a legend from a point on, which is in the middle of the height of its letters.
pub(super) fn write(picture: &mut Picture, at: Vec2, text: &str, ink: Colour) {
    lettering::draw(picture, at, Anchor::Left, text, &Lettering::new(Face::Roman, TEXT_SIZE, ink));
}

fn draw_bar(picture: &mut Picture, x: i32, y: i32, colours: &[Colour], ink: Colour) {
    picture.fill(x - 1, y + 1, colours.len() as i32 + 2, SYMBOL - 2, ink);
    for (i, &colour) in colours.iter().enumerate() {
        picture.fill(x + i as i32, y + 2, 1, SYMBOL - 4, colour);
    }
}
