//! The legend below an exported picture.

use glam::ivec2;

use super::airlight::{haze_bar, obstacle_bar};
use super::colour::{Colour, mix, scale};
use super::land::{HATCHING, muted, tree_colour};
use super::options::{Backdrop, PaintOptions, Zoom};
use super::pattern::{TreeMasks, is_hatched};
use super::picture::Picture;
use super::ramp::{biome_colour, elevation_tint, layer_ramp, visibility_table};
use super::scene_painter::has_airlight;
use super::sprite::LOOKOUT;
use super::text;
use crate::grid::CellRect;
use crate::scene::{Layer, Scene};
use crate::world::Biome;

pub(super) const LEGEND_BACKGROUND: Colour = [22.0, 22.0, 28.0];
const INK: Colour = [224.0, 224.0, 230.0];
const MARGIN: i32 = 10;
const ROW: i32 = 26;
const BAR: i32 = 14;

/// Appends the [`legend`] below a picture. A picture that is too narrow for it is returned unchanged.
pub fn with_legend(picture: &Picture, scene: &Scene, options: &PaintOptions, title: &str) -> Picture {
    match legend(scene, options, picture.width(), title) {
        Some(legend) => picture.clone().above(&legend),
        None => picture.clone(),
    }
}

/// Returns the legend of a painted picture: the title, the ramp of visibility with its thresholds, the symbols of the
/// land, and a scale bar. Returns `None` if `width` pixels are too few.
pub fn legend(scene: &Scene, options: &PaintOptions, width: usize, title: &str) -> Option<Picture> {
    lay_out(&entries(scene, options), width, title)
}

/// Returns the legend of values in the colours of a ramp.
pub(super) fn field_legend(
    bar: Vec<Colour>,
    text: &str,
    cell_size_m: Option<f64>,
    zoom: Zoom,
    width: usize,
    title: &str,
) -> Option<Picture> {
    let mut entries = vec![LegendEntry::new(LegendSymbol::Bar(bar), text)];
    entries.extend(cell_size_m.map(|cell_size_m| scale_bar(zoom, cell_size_m)));
    lay_out(&entries, width, title)
}

/// Lays out the entries in rows under a title.
fn lay_out(entries: &[LegendEntry], width: usize, title: &str) -> Option<Picture> {
    let width = width as i32;
    if width < entries.iter().map(LegendEntry::width).max().unwrap_or(0) + 2 * MARGIN {
        return None;
    }
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
    let title_rows = i32::from(!title.is_empty());
    let height = MARGIN + ROW * (rows.len() as i32 + title_rows);
    let mut legend = Picture::new(width as usize, height as usize, LEGEND_BACKGROUND);
    let fitting: String = title.chars().take((width - 2 * MARGIN) as usize / text::letter_width()).collect();
    text::write(&mut legend, MARGIN, MARGIN, &fitting, INK);
    for (i, row) in rows.iter().enumerate() {
        let y = MARGIN + ROW * (i as i32 + title_rows);
        let mut x = MARGIN;
        for entry in row {
            entry.draw(&mut legend, x, y);
            x += entry.width() + 2 * MARGIN;
        }
    }
    Some(legend)
}

/// A symbol and the text behind it.
struct LegendEntry {
    symbol: LegendSymbol,
    text: String,
}

enum LegendSymbol {
    Bar(Vec<Colour>),
    Swatch(Colour),
    BarWithThresholds { bar: Vec<Colour>, glimpse: f32, identify: f32 },
    Trees,
    Hatching,
    Viewer,
    Lookout,
    Lamp(Colour),
    Scale(i32),
}

const SWATCH: i32 = 22;

impl LegendEntry {
    fn new(symbol: LegendSymbol, text: impl Into<String>) -> Self {
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
        }
    }

    fn width(&self) -> i32 {
        self.symbol_width() + 6 + text::width(&self.text) as i32
    }

    fn draw(&self, picture: &mut Picture, x: i32, y: i32) {
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
        }
        text::write(picture, x + self.symbol_width() + 6, y, &self.text, INK);
    }
}

fn entries(scene: &Scene, options: &PaintOptions) -> Vec<LegendEntry> {
    let paint = &scene.preset().paint;
    let perception = &scene.preset().perception;
    let mut entries = Vec::new();
    match options.backdrop {
        Backdrop::Land => {
            let (glimpse, identify) = (perception.glimpse as f32, perception.identify as f32);
            let has_airlight = has_airlight(scene, options);
            let is_in_haze = has_airlight && scene.world().is_some();
            let (sand, range) = (elevation_tint(100.0), format!("? from {glimpse}, clear from {identify}"));
            let (bar, text): (Vec<Colour>, _) = match has_airlight {
                true if is_in_haze => (haze_bar(scene, sand).collect(), format!("visibility in haze: {range}")),
                true => (obstacle_bar(scene, sand, 120).collect(), format!("visibility 0 to 1: {range}")),
                false => {
                    let bar = (0..120).map(|i| lit_sand(i as f32 / 119.0, scene)).collect();
                    (bar, format!("visibility 0 to 1: {range}"))
                }
            };
            entries.push(LegendEntry::new(LegendSymbol::BarWithThresholds { bar, glimpse, identify }, text));
            if is_in_haze {
                let bar = obstacle_bar(scene, sand, 48).collect();
                entries.push(LegendEntry::new(LegendSymbol::Bar(bar), "woods"));
            }
            if scene.world().is_some() {
                if paint.elevation {
                    // With a ramp the land has its own colours only where it is out of sight.
                    let has_ramp = visibility_table(paint.ramp).is_some();
                    let tint =
                        |height_m| if has_ramp { muted(elevation_tint(height_m)) } else { elevation_tint(height_m) };
                    let bar = (0..100).map(|i| tint(i as f32 * 28.0)).collect();
                    let text = if has_ramp { "hidden ground 0 to 2800 m" } else { "ground 0 to 2800 m" };
                    entries.push(LegendEntry::new(LegendSymbol::Bar(bar), text));
                }
                if paint.vegetation {
                    entries.push(LegendEntry::new(LegendSymbol::Trees, "vegetation"));
                }
                if paint.humidity {
                    entries.push(LegendEntry::new(LegendSymbol::Hatching, "humidity"));
                }
            }
        }
        Backdrop::Layer(Layer::Biome) => {
            let entry = |biome: Biome| LegendEntry::new(LegendSymbol::Swatch(biome_colour(biome)), biome.name());
            entries.extend(biomes(scene, options).map(entry));
        }
        Backdrop::Layer(layer) => {
            let ramp = layer_ramp(layer, paint.ramp, scene.world().map(|world| &**world));
            let bar = (0..120).map(|i| ramp.table.at(i as f32 / 119.0)).collect();
            let text = format!("{} {} to {} {}", layer.name(), ramp.low, ramp.high, layer.unit());
            entries.push(LegendEntry::new(LegendSymbol::Bar(bar), text.trim_end()));
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
        entries.push(scale_bar(options.zoom, world.cell_size_at(scene.viewer()).x_m));
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

/// Returns a scale bar of 1, 2 or 5 times a power of ten metres, 40 to 110 pixels long.
fn scale_bar(zoom: Zoom, cell_size_m: f64) -> LegendEntry {
    let metres_per_pixel = match zoom {
        Zoom::PixelsPerCell(pixels) => cell_size_m / f64::from(pixels.max(1)),
        Zoom::CellsPerPixel(cells) => cell_size_m * f64::from(cells.max(1)),
    };
    let longest = 110.0 * metres_per_pixel;
    let metres = (-3..12)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
        .take_while(|&metres| metres <= longest)
        .last()
        .unwrap_or(longest);
    let text = if metres >= 1000.0 { format!("{} km", metres / 1000.0) } else { format!("{metres} m") };
    LegendEntry::new(LegendSymbol::Scale((metres / metres_per_pixel).round() as i32), text)
}

/// Returns the colour of sand at a visibility.
fn lit_sand(visibility: f32, scene: &Scene) -> Colour {
    match visibility_table(scene.preset().paint.ramp) {
        Some(ramp) => ramp.at(visibility),
        None => mix([60.0, 58.0, 60.0], scale(elevation_tint(100.0), 0.97), visibility.sqrt()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::paint::options::Unseen;
    use crate::preset::{Preset, Ramp};

    #[test]
    fn with_a_ramp_the_legend_shows_the_muted_colours_of_the_ground() {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (40, 30);
        for ramp in [Ramp::Daylight, Ramp::Inferno] {
            preset.paint.ramp = ramp;
            let scene = Scene::generate(preset.clone(), None, Job::quiet()).unwrap();
            let frame = CellRect::of_size(scene.size());
            let zoom = Zoom::PixelsPerCell(1);
            let options = PaintOptions::new(frame, zoom).with_unseen(Unseen::Mapped);
            let entries = entries(&scene, &options);
            let ground = entries.iter().find(|entry| entry.text.ends_with("ground 0 to 2800 m")).unwrap();
            let LegendSymbol::Bar(bar) = &ground.symbol else { panic!("a bar") };
            let (lit, hidden) = (elevation_tint(0.0), muted(elevation_tint(0.0)));
            assert_eq!(bar[0], if ramp == Ramp::Daylight { lit } else { hidden });
        }
    }
}
