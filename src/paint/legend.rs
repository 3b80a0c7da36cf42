//! The legend below an exported picture.

use glam::ivec2;

use super::colour::{Colour, mix, scale};
use super::land::{DAMP, tree_colour};
use super::pattern::{Trees, hatched};
use super::picture::Picture;
use super::ramp::{biome, elevation_tint, of_layer, of_visibility};
use super::scene_painter::{Backdrop, PaintOptions, Zoom, muted};
use super::sprite::LOOKOUT;
use crate::grid::CellRect;
use crate::paint::text;
use crate::scene::{Layer, Scene};
use crate::world::Biome;

pub(super) const PAPER: Colour = [22.0, 22.0, 28.0];
const INK: Colour = [224.0, 224.0, 230.0];
const MARGIN: i32 = 10;
const ROW: i32 = 26;
const BAR: i32 = 14;

/// A picture with its [`legend`] below it, under a title. Pictures too narrow for one come back as
/// they are.
pub fn with_legend(picture: &Picture, scene: &Scene, options: &PaintOptions, title: &str) -> Picture {
    let Some(strip) = legend(scene, options, picture.width(), title) else { return picture.clone() };
    let mut whole = Picture::new(picture.width(), picture.height() + strip.height(), PAPER);
    whole.paste(picture, 0, 0);
    whole.paste(&strip, 0, picture.height());
    whole
}

/// A strip that says what the colours of a painted picture mean: a title (if it is not empty), the
/// scale of visibility with its thresholds, the marks of the land, and a scale bar. `None` if
/// `width` pixels are too few.
pub fn legend(scene: &Scene, options: &PaintOptions, width: usize, title: &str) -> Option<Picture> {
    lay_out(&items(scene, options), width, title)
}

/// The same for values in the colours of a ramp.
pub(super) fn field_strip(
    bar: Vec<Colour>,
    words: &str,
    cell_size_m: Option<f64>,
    zoom: Zoom,
    width: usize,
    title: &str,
) -> Option<Picture> {
    let mut items = vec![Item { drawing: Drawing::Bar(bar), words: words.to_owned() }];
    items.extend(cell_size_m.map(|cell_size_m| scale_bar(zoom, cell_size_m)));
    lay_out(&items, width, title)
}

/// Items in rows of some width, under a title.
fn lay_out(items: &[Item], width: usize, title: &str) -> Option<Picture> {
    let width = width as i32;
    if width < items.iter().map(Item::width).max().unwrap_or(0) + 2 * MARGIN {
        return None;
    }
    let mut rows: Vec<Vec<&Item>> = vec![Vec::new()];
    let mut x = MARGIN;
    for item in items {
        if x + item.width() + MARGIN > width {
            rows.push(Vec::new());
            x = MARGIN;
        }
        x += item.width() + 2 * MARGIN;
        if let Some(row) = rows.last_mut() {
            row.push(item);
        }
    }
    let title_rows = i32::from(!title.is_empty());
    let height = MARGIN + ROW * (rows.len() as i32 + title_rows);
    let mut strip = Picture::new(width as usize, height as usize, PAPER);
    let fitting: String = title.chars().take((width - 2 * MARGIN) as usize / text::letter_width()).collect();
    text::write(&mut strip, MARGIN, MARGIN, &fitting, INK);
    for (i, row) in rows.iter().enumerate() {
        let y = MARGIN + ROW * (i as i32 + title_rows);
        let mut x = MARGIN;
        for item in row {
            item.draw(&mut strip, x, y);
            x += item.width() + 2 * MARGIN;
        }
    }
    Some(strip)
}

/// One entry: a drawing of some width, and words behind it.
struct Item {
    drawing: Drawing,
    words: String,
}

enum Drawing {
    Bar(Vec<Colour>),
    Swatch(Colour),
    Ticks { bar: Vec<Colour>, glimpse: f32, identify: f32 },
    Trees,
    Hatching,
    Viewer,
    Observer,
    Lamp(Colour),
    Scale(i32),
}

const SWATCH: i32 = 22;

impl Item {
    fn drawing_width(&self) -> i32 {
        match &self.drawing {
            Drawing::Bar(colours) | Drawing::Ticks { bar: colours, .. } => colours.len() as i32,
            Drawing::Trees => 4 * SWATCH,
            Drawing::Hatching => 3 * SWATCH,
            Drawing::Swatch(_) => SWATCH - 4,
            Drawing::Viewer | Drawing::Observer | Drawing::Lamp(_) => 14,
            Drawing::Scale(pixels) => *pixels,
        }
    }

    fn width(&self) -> i32 {
        self.drawing_width() + 6 + text::width(&self.words) as i32
    }

    fn draw(&self, picture: &mut Picture, x: i32, y: i32) {
        match &self.drawing {
            Drawing::Bar(colours) => draw_bar(picture, x, y, colours),
            Drawing::Swatch(colour) => picture.fill(x, y, SWATCH - 4, 16, *colour),
            Drawing::Ticks { bar, glimpse, identify } => {
                draw_bar(picture, x, y, bar);
                for (at, colour) in [(glimpse, [176.0, 176.0, 255.0]), (identify, [255.0, 222.0, 110.0])] {
                    picture.fill(x + (at * (bar.len() - 1) as f32) as i32 - 1, y - 2, 2, BAR + 5, colour);
                }
            }
            Drawing::Trees => draw_trees(picture, x, y),
            Drawing::Hatching => draw_hatching(picture, x, y),
            Drawing::Viewer => {
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 6.0, [255.0; 3]);
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 4.6, [226.0, 32.0, 40.0]);
            }
            Drawing::Observer => {
                picture.fill(x + 1, y + 2, 12, 12, [255.0; 3]);
                picture.fill(x + 2, y + 3, 10, 10, LOOKOUT);
            }
            Drawing::Lamp(colour) => {
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 5.0, *colour);
                picture.disc(x as f32 + 7.0, y as f32 + 8.0, 2.5, mix(*colour, [255.0; 3], 0.75));
            }
            Drawing::Scale(pixels) => {
                picture.fill(x, y + 7, *pixels, 3, INK);
                picture.fill(x, y + 3, 2, 11, INK);
                picture.fill(x + pixels - 2, y + 3, 2, 11, INK);
            }
        }
        text::write(picture, x + self.drawing_width() + 6, y, &self.words, INK);
    }
}

fn items(scene: &Scene, options: &PaintOptions) -> Vec<Item> {
    let paint = &scene.preset().paint;
    let perception = &scene.preset().perception;
    let mut items = Vec::new();
    match options.backdrop {
        Backdrop::Land => {
            let bar = (0..120).map(|i| lit_sand(i as f32 / 119.0, scene)).collect();
            let (glimpse, identify) = (perception.glimpse as f32, perception.identify as f32);
            let words = format!("visibility 0 to 1: ? from {glimpse}, clear from {identify}");
            items.push(Item { drawing: Drawing::Ticks { bar, glimpse, identify }, words });
            if scene.world().is_some() {
                if paint.elevation {
                    // Under a ramp the land has its colours only where it is out of sight.
                    let has_ramp = of_visibility(paint.ramp).is_some();
                    let tint =
                        |height_m| if has_ramp { muted(elevation_tint(height_m)) } else { elevation_tint(height_m) };
                    let bar = (0..100).map(|i| tint(i as f32 * 28.0)).collect();
                    let words = if has_ramp { "hidden ground 0 to 2800 m" } else { "ground 0 to 2800 m" };
                    items.push(Item { drawing: Drawing::Bar(bar), words: words.into() });
                }
                if paint.vegetation {
                    items.push(Item { drawing: Drawing::Trees, words: "vegetation".into() });
                }
                if paint.humidity {
                    items.push(Item { drawing: Drawing::Hatching, words: "humidity".into() });
                }
            }
        }
        Backdrop::Layer(Layer::Biome) => {
            items.extend(
                biomes(scene, options)
                    .map(|kind| Item { drawing: Drawing::Swatch(biome(kind)), words: kind.name().into() }),
            );
        }
        Backdrop::Layer(layer) => {
            let ramp = of_layer(layer, paint.ramp, scene.world().map(|world| &**world));
            let bar = (0..120).map(|i| ramp.table.at(i as f32 / 119.0)).collect();
            let words = format!("{} {} to {} {}", layer.name(), ramp.low, ramp.high, layer.unit());
            items.push(Item { drawing: Drawing::Bar(bar), words: words.trim_end().into() });
        }
    }
    items.push(Item { drawing: Drawing::Viewer, words: "viewer".into() });
    if !scene.observers().is_empty() {
        items.push(Item { drawing: Drawing::Observer, words: "looks, too".into() });
    }
    if let Some(lamp) = scene.lamps().first() {
        items.push(Item { drawing: Drawing::Lamp(lamp.colour.hue().map(|c| c * 255.0)), words: "lamp".into() });
    }
    if let Some(world) = scene.world() {
        items.push(scale_bar(options.zoom, world.config().cell_size_m));
    }
    items
}

/// The biomes that are drawn, in their order.
fn biomes(scene: &Scene, options: &PaintOptions) -> impl Iterator<Item = Biome> {
    let CellRect { min, max } = options.frame;
    let stride = options.zoom.stride() as usize;
    let mut drawn = [false; Biome::ALL.len() + 1];
    for y in (min.y..max.y).step_by(stride) {
        for kind in (min.x..max.x).step_by(stride).filter_map(|x| scene.biome(ivec2(x, y))) {
            drawn[kind as usize] = true;
        }
    }
    Biome::ALL.into_iter().filter(move |kind| drawn[*kind as usize])
}

/// A scale bar of 1, 2 or 5 times a power of ten metres, 40 to 110 pixels long.
fn scale_bar(zoom: Zoom, cell_size_m: f64) -> Item {
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
    let words = if metres >= 1000.0 { format!("{} km", metres / 1000.0) } else { format!("{metres} m") };
    Item { drawing: Drawing::Scale((metres / metres_per_pixel).round() as i32), words }
}

fn lit_sand(visibility: f32, scene: &Scene) -> Colour {
    match of_visibility(scene.preset().paint.ramp) {
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
    let trees = Trees::new(side);
    let ground = mix(elevation_tint(100.0), [150.0, 168.0, 84.0], 0.5);
    let tree = tree_colour(12.0);
    for density in 1..=4u8 {
        let left = x + (i32::from(density) - 1) * SWATCH;
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
    for density in 1..=3u8 {
        let left = x + (i32::from(density) - 1) * SWATCH;
        picture.fill(left, y, SWATCH - 4, 16, ground);
        for dy in 0..16 {
            for dx in 0..SWATCH - 4 {
                if hatched(dx, dy, density) {
                    picture.blend(left + dx, y + dy, DAMP, 0.8);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::paint::scene_painter::Unseen;
    use crate::preset::{Preset, Ramp};

    #[test]
    fn under_a_ramp_the_ground_is_shown_as_it_is_drawn_out_of_sight() {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (40, 30);
        for ramp in [Ramp::Daylight, Ramp::Inferno] {
            preset.paint.ramp = ramp;
            let scene = Scene::generate(preset.clone(), None, Job::quiet()).unwrap();
            let frame = CellRect::of_size(scene.size());
            let zoom = Zoom::PixelsPerCell(1);
            let options = PaintOptions { frame, zoom, backdrop: Backdrop::Land, unseen: Unseen::Mapped };
            let items = items(&scene, &options);
            let ground = items.iter().find(|item| item.words.ends_with("ground 0 to 2800 m")).unwrap();
            let Drawing::Bar(bar) = &ground.drawing else { panic!("a bar") };
            let (lit, hidden) = (elevation_tint(0.0), muted(elevation_tint(0.0)));
            assert_eq!(bar[0], if ramp == Ramp::Daylight { lit } else { hidden });
        }
    }
}
