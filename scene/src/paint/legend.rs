//! The legend below an exported picture, and its entries: [`LegendEntry`], a symbol with a text.

use glam::{Vec2, ivec2, vec2};

use super::colour::{Colour, mix};
use super::data_painter::{GLIMPSE_LINE, IDENTIFY_LINE};
use super::lettering::{self, Anchor, Face, Lettering};
use super::map::clear_line::draw_sample;
use super::map::key_pictures::{HAZE_BAR, KeyPictures};
use super::map::map_painter::has_clear_line;
use super::mark;
use super::options::{Backdrop, PaintOptions, Unseen, Zoom};
use super::painter::is_map;
use super::picture::Picture;
use super::ramp::{biome_colour, layer_ramp};
use crate::scene::{Layer, Scene};
use crate::world::Biome;
use farsight::grid::CellRect;

/// The distance of entries from the edges, in pixels.
const MARGIN: i32 = 12;
/// The height of symbols, and the size of letters, in pixels.
const SYMBOL: i32 = 18;
const TEXT_SIZE: f32 = 13.5;
/// The space between a symbol and its text.
const GAP: i32 = 8;

/// The colours of a legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegendTheme {
    pub(super) background: Colour,
    ink: Colour,
    is_dark: bool,
}

impl LegendTheme {
    /// Ink on paper.
    pub const LIGHT: Self = Self { background: [233.0, 222.0, 195.0], ink: [64.0, 48.0, 36.0], is_dark: false };
    /// Light text on walnut.
    pub const DARK: Self = Self { background: [35.0, 32.0, 42.0], ink: [226.0, 214.0, 190.0], is_dark: true };
}

/// A symbol and its text.
struct LegendEntry {
    symbol: LegendSymbol,
    text: String,
}

enum LegendSymbol {
    /// The colours of a ramp.
    Bar(Vec<Colour>),
    /// The colours of a ramp from 0 to 1 with lines at two values.
    BarWithThresholds {
        bar: Vec<Colour>,
        glimpse: f32,
        identify: f32,
    },
    Swatch(Colour),
    /// A painted detail of the map.
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
    fn new(symbol: LegendSymbol, text: impl Into<String>) -> Self {
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

    fn width(&self) -> i32 {
        self.symbol_width() + GAP + text_width(&self.text)
    }

    /// Returns the entry without the details after the colon of its text.
    fn heading(mut self) -> Self {
        self.text.truncate(self.text.find(": ").unwrap_or(self.text.len()));
        self
    }

    /// Wraps a text at words to `width` pixels.
    fn wrapped(mut self, width: i32) -> Vec<Self> {
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
    fn draw(&self, picture: &mut Picture, x: i32, y: i32, theme: LegendTheme) {
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
fn text_width(text: &str) -> i32 {
    lettering::width(text, Face::Roman, TEXT_SIZE, 0.0).ceil() as i32
}

/// Draws a text of a legend, starting at a point at half the height of its letters.
fn write(picture: &mut Picture, at: Vec2, text: &str, ink: Colour) {
    lettering::draw(picture, at, Anchor::Left, text, &Lettering::new(Face::Roman, TEXT_SIZE, ink));
}

fn draw_bar(picture: &mut Picture, x: i32, y: i32, colours: &[Colour], ink: Colour) {
    picture.fill(x - 1, y + 1, colours.len() as i32 + 2, SYMBOL - 2, ink);
    for (i, &colour) in colours.iter().enumerate() {
        picture.fill(x + i as i32, y + 2, 1, SYMBOL - 4, colour);
    }
}

/// The height of a row and of the title, in pixels.
const ROW: i32 = 28;
const TITLE_ROW: i32 = 32;
const TITLE_SIZE: f32 = 18.0;

/// Appends the [`legend`] below a picture. Returns a picture that is too narrow for it unchanged.
pub fn with_legend(picture: &Picture, scene: &Scene, options: &PaintOptions, title: &str) -> Picture {
    match legend(scene, options, picture.width(), title) {
        Some(legend) => picture.clone().above(&legend),
        None => picture.clone(),
    }
}

/// Returns the legend of a painted picture: the title, the ramp of visibility with its thresholds, the symbols of the
/// land, and a scale bar. Returns `None` if `width` pixels are too few.
pub fn legend(scene: &Scene, options: &PaintOptions, width: usize, title: &str) -> Option<Picture> {
    lay_out(&entries(scene, options), width, title, LegendTheme::LIGHT)
}

/// Returns the legend of a window, which wraps long texts to `width` pixels. It has at most `max_rows` rows: a note
/// replaces the last entries. Returns `None` if not even symbols fit.
pub fn folded_legend(
    scene: &Scene,
    options: &PaintOptions,
    width: usize,
    max_rows: usize,
    theme: LegendTheme,
) -> Option<Picture> {
    let wrapped = |entries: Vec<LegendEntry>| -> Vec<LegendEntry> {
        entries.into_iter().flat_map(|entry| entry.wrapped(width as i32)).collect()
    };
    let whole = wrapped(entries(scene, options));
    if in_rows(&whole, width as i32).len() <= max_rows {
        return lay_out(&whole, width, "", theme);
    }
    let entries = wrapped(entries(scene, options).into_iter().map(LegendEntry::heading).collect());
    let rows = in_rows(&entries, width as i32);
    let mut count: usize = rows.iter().take(max_rows.max(1)).map(Vec::len).sum();
    let mut shown: Vec<LegendEntry> = entries.into_iter().take(count).collect();
    shown.push(LegendEntry::new(LegendSymbol::Text, FOLD));
    while count > 1 && in_rows(&shown, width as i32).len() > max_rows.max(1) {
        count -= 1;
        shown.remove(count);
    }
    if in_rows(&shown, width as i32).len() > max_rows.max(1) {
        shown.truncate(1);
    }
    lay_out(&shown, width, "", theme)
}

/// The entry that replaces the folded entries.
const FOLD: &str = "more >";

/// Returns the colour bars of the legend, each with its text, for callers that draw them, such as the terminal.
pub fn legend_bars(scene: &Scene, options: &PaintOptions) -> Vec<(Vec<Colour>, String)> {
    let bar = |entry: LegendEntry| match entry.symbol {
        LegendSymbol::Bar(bar) | LegendSymbol::BarWithThresholds { bar, .. } => Some((bar, entry.text)),
        LegendSymbol::Painted(picture) if picture.width() == HAZE_BAR => {
            let middle = |x: usize| picture.get(x, picture.height() / 2).unwrap_or_default().map(f32::from);
            Some(((0..HAZE_BAR).map(middle).collect(), entry.text))
        }
        _ => None,
    };
    entries(scene, options).into_iter().filter_map(bar).collect()
}

/// Returns the legend of values in the colours of a ramp.
pub(super) fn field_legend(
    bar: Vec<Colour>,
    text: &str,
    cell_width_m: Option<f64>,
    zoom: Zoom,
    width: usize,
    title: &str,
) -> Option<Picture> {
    let mut entries = vec![LegendEntry::new(LegendSymbol::Bar(bar), text)];
    entries.extend(cell_width_m.map(|cell_width_m| scale_bar(zoom, cell_width_m)));
    lay_out(&entries, width, title, LegendTheme::LIGHT)
}

/// Lays out the entries in rows under a title.
fn lay_out(entries: &[LegendEntry], width: usize, title: &str, theme: LegendTheme) -> Option<Picture> {
    let width = width as i32;
    if width < entries.iter().map(LegendEntry::width).max().unwrap_or(0) + 2 * MARGIN {
        return None;
    }
    let rows = in_rows(entries, width);
    let top = MARGIN / 2 + if title.is_empty() { 0 } else { TITLE_ROW };
    let height = top + ROW * rows.len() as i32 + MARGIN / 2;
    let mut legend = Picture::new(width as usize, height as usize, theme.background);
    draw_title(&mut legend, title, theme);
    for (i, row) in rows.iter().enumerate() {
        let y = top + ROW * i as i32 + (ROW - SYMBOL) / 2;
        let mut x = MARGIN;
        for entry in row {
            entry.draw(&mut legend, x, y, theme);
            x += entry.width() + 2 * MARGIN;
        }
    }
    Some(legend)
}

/// Draws a title, truncated to the width.
fn draw_title(legend: &mut Picture, title: &str, theme: LegendTheme) {
    let free = legend.width() as f32 - 2.0 * MARGIN as f32;
    let mut shown: String = title.chars().take(legend.width() / 4).collect();
    while lettering::width(&shown, Face::Italic, TITLE_SIZE, 0.0) > free && shown.pop().is_some() {}
    let at = vec2(MARGIN as f32, (MARGIN + TITLE_ROW) as f32 / 2.0);
    lettering::draw(legend, at, Anchor::Left, &shown, &Lettering::new(Face::Italic, TITLE_SIZE, theme.ink));
}

/// Breaks the entries into rows of `width` pixels.
fn in_rows(entries: &[LegendEntry], width: i32) -> Vec<Vec<&LegendEntry>> {
    let mut rows: Vec<Vec<&LegendEntry>> = vec![Vec::new()];
    let mut x = MARGIN;
    for entry in entries {
        if x + entry.width() + MARGIN > width {
            rows.push(Vec::new());
            x = MARGIN;
        }
        x += entry.width() + 2 * MARGIN;
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    rows
}

fn entries(scene: &Scene, options: &PaintOptions) -> Vec<LegendEntry> {
    let paint = &scene.preset().paint;
    let perception = &scene.preset().perception;
    let (glimpse, identify) = (perception.glimpse as f32, perception.identify as f32);
    let mut entries = Vec::new();
    match options.backdrop {
        Backdrop::Land if is_map(scene, options) => {
            let keys = KeyPictures::paint(scene);
            entries.push(LegendEntry::new(LegendSymbol::Painted(keys.haze), "seen well to barely"));
            entries.push(LegendEntry::new(LegendSymbol::Painted(keys.seen_before), "seen before"));
            if options.unseen == Unseen::Mapped {
                entries.push(LegendEntry::new(LegendSymbol::Painted(keys.never_seen), "never seen"));
            }
            if has_clear_line(scene, options) {
                entries.push(LegendEntry::new(LegendSymbol::ClearLine, format!("clear: visibility from {identify}")));
            }
            if paint.creatures {
                entries.push(LegendEntry::new(LegendSymbol::Question, format!("glimpsed: from {glimpse}")));
            }
        }
        Backdrop::Layer(Layer::Biome) => {
            let entry = |biome: Biome| LegendEntry::new(LegendSymbol::Swatch(biome_colour(biome)), biome.name());
            entries.extend(biomes(scene, options).map(entry));
        }
        Backdrop::Land | Backdrop::Layer(_) => {
            let layer = match options.backdrop {
                Backdrop::Land => Layer::Visibility,
                Backdrop::Layer(layer) => layer,
            };
            let ramp = layer_ramp(layer, paint.ramp, scene.world().map(|world| &**world), options.layer_range);
            let bar: Vec<Colour> = (0..HAZE_BAR).map(|i| ramp.table.at(i as f32 / (HAZE_BAR - 1) as f32)).collect();
            if matches!(layer, Layer::Visibility | Layer::Perceived) {
                let text = format!("{} 0 to 1: ? from {glimpse}, clear from {identify}", layer.name());
                entries.push(LegendEntry::new(LegendSymbol::BarWithThresholds { bar, glimpse, identify }, text));
            } else {
                let is_cut = layer == Layer::Opacity && ramp.high < 1.0;
                let more = if is_cut { " and more" } else { "" };
                let text = format!("{} {} to {}{more} {}", layer.name(), ramp.low, ramp.high, layer.unit());
                entries.push(LegendEntry::new(LegendSymbol::Bar(bar), text.trim_end()));
            }
        }
    }
    entries.push(LegendEntry::new(LegendSymbol::Viewer, "viewer"));
    if !scene.observers().is_empty() {
        entries.push(LegendEntry::new(LegendSymbol::Lookout, "lookout"));
    }
    if let Some(lamp) = scene.lamps().first() {
        let colour = lamp.colour.hue().map(|channel| channel * 255.0);
        entries.push(LegendEntry::new(LegendSymbol::Lamp(colour), "lamp"));
    }
    if let Some(world) = scene.world() {
        entries.push(scale_bar(options.zoom, world.cell_size_at(scene.viewer()).x_m / f64::from(options.factors().x)));
    }
    entries
}

/// Returns the biomes of the painted cells, in their order.
fn biomes(scene: &Scene, options: &PaintOptions) -> impl Iterator<Item = Biome> {
    let CellRect { min, max } = options.frame;
    let stride = options.zoom.stride() as usize;
    let mut is_painted = [false; Biome::ALL.len()];
    for y in (min.y..max.y).step_by(stride) {
        for kind in (min.x..max.x).step_by(stride).filter_map(|x| scene.biome(ivec2(x, y))) {
            is_painted[kind as usize] = true;
        }
    }
    Biome::KNOWN.iter().copied().filter(move |kind| is_painted[*kind as usize])
}

/// Returns the maximum round length, 1, 2 or 5 times a power of ten metres, up to `longest`.
pub(crate) fn round_length_m(longest: f64) -> f64 {
    (-3..12)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
        .take_while(|&metres| metres <= longest)
        .last()
        .unwrap_or(longest)
}

/// Returns a scale bar, from west to east, of 1, 2 or 5 times a power of ten metres, 40 to 110 pixels long.
fn scale_bar(zoom: Zoom, cell_width_m: f64) -> LegendEntry {
    let metres_per_pixel = match zoom {
        Zoom::PixelsPerCell(pixels) => cell_width_m / f64::from(pixels.max(1)),
        Zoom::CellsPerPixel(cells) => cell_width_m * f64::from(cells.max(1)),
    };
    let metres = round_length_m(110.0 * metres_per_pixel);
    let text = if metres >= 1000.0 { format!("{} km", metres / 1000.0) } else { format!("{metres} m") };
    LegendEntry::new(LegendSymbol::Scale((metres / metres_per_pixel).round() as i32), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;
    use farsight::Job;

    #[test]
    fn a_folded_legend_is_there_in_every_width_and_has_few_rows() {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (40, 30);
        let scene = Scene::generate(preset, None, Job::none()).unwrap();
        let options = PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(8));
        for width in [300, 390, 470, 950] {
            for max_rows in [1, 2, 9] {
                let folded = folded_legend(&scene, &options, width, max_rows, LegendTheme::LIGHT).unwrap();
                let rows = (folded.height() as i32 - MARGIN) / ROW;
                assert!(rows <= max_rows as i32, "{width}: {rows} of {max_rows}");
            }
        }
        assert!(legend(&scene, &options, 200, "").is_none(), "in a narrow picture it is left out");
        let whole = folded_legend(&scene, &options, 950, 9, LegendTheme::LIGHT).unwrap();
        assert!(whole.rgba() == legend(&scene, &options, 950, "").unwrap().rgba(), "nothing to fold");
    }
}
