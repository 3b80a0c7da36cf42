//! The legend below an exported picture.

use glam::ivec2;

use super::airlight::{colours_out_of_sight, haze_bar, obstacle_bar};
use super::colour::{Colour, mix, scale};
use super::land::{BOARDS, WOOD, muted};
use super::legend_entry::{INK, LegendEntry, LegendSymbol, MARGIN};
use super::options::{Backdrop, PaintOptions, Unseen, Zoom};
use super::picture::Picture;
use super::ramp::{biome_colour, elevation_tint, layer_ramp, visibility_table};
use super::scene_painter::has_airlight;
use super::text;
use crate::grid::CellRect;
use crate::scene::{Layer, Scene, Terrain};
use crate::world::Biome;

pub(super) const LEGEND_BACKGROUND: Colour = [22.0, 22.0, 28.0];
const ROW: i32 = 26;

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

/// Returns the legend of a window, which wraps long texts in `width` pixels. It has at most `max_rows` rows: the last entries
/// give way to a note. Returns `None` if not even symbols fit.
#[cfg(feature = "explorer")]
pub(crate) fn folded_legend(scene: &Scene, options: &PaintOptions, width: usize, max_rows: usize) -> Option<Picture> {
    let wrapped = |entries: Vec<LegendEntry>| -> Vec<LegendEntry> {
        entries.into_iter().flat_map(|entry| entry.wrapped(width as i32)).collect()
    };
    let whole = wrapped(entries(scene, options));
    if in_rows(&whole, width as i32).len() <= max_rows {
        return lay_out(&whole, width, "");
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
    lay_out(&shown, width, "")
}

/// The entry in place of those that are folded away.
#[cfg(feature = "explorer")]
const FOLD: &str = "more >";

/// Returns the bars of colours of the legend, each with its text, for callers that draw it themselves, such as the terminal.
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub(crate) fn legend_bars(scene: &Scene, options: &PaintOptions) -> Vec<(Vec<Colour>, String)> {
    let bar = |entry: LegendEntry| match entry.symbol {
        LegendSymbol::Bar(bar) | LegendSymbol::BarWithThresholds { bar, .. } => Some((bar, entry.text)),
        _ => None,
    };
    entries(scene, options).into_iter().filter_map(bar).collect()
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
    let rows = in_rows(entries, width);
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
            if has_airlight {
                let (remembered, charted) = colours_out_of_sight(scene, sand);
                entries.push(LegendEntry::new(LegendSymbol::Swatch(remembered), "seen before"));
                if options.unseen == Unseen::Mapped {
                    entries.push(LegendEntry::new(LegendSymbol::Swatch(charted), "never seen"));
                }
            }
        }
        Backdrop::Layer(Layer::Biome) => {
            let entry = |biome: Biome| LegendEntry::new(LegendSymbol::Swatch(biome_colour(biome)), biome.name());
            entries.extend(biomes(scene, options).map(entry));
        }
        Backdrop::Layer(layer) => {
            let ramp = layer_ramp(layer, paint.ramp, scene.world().map(|world| &**world), options.layer_range);
            let bar = (0..120).map(|i| ramp.table.at(i as f32 / 119.0)).collect();
            let is_cut = layer == Layer::Opacity && ramp.high < 1.0;
            let more = if is_cut { " and more" } else { "" };
            let text = format!("{} {} to {}{more} {}", layer.name(), ramp.low, ramp.high, layer.unit());
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
    let has_doors = matches!(scene.terrain(), Terrain::Map(map) if !map.doors().is_empty());
    if has_doors && options.backdrop == Backdrop::Land {
        entries.push(LegendEntry::new(LegendSymbol::Swatch(WOOD), "door: filled if closed"));
    }
    let has_roofs = matches!(scene.terrain(), Terrain::Map(map) if map.roofs().is_some());
    if has_roofs && options.backdrop == Backdrop::Land {
        entries.push(LegendEntry::new(LegendSymbol::Swatch(BOARDS), "floor under a roof"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::paint::options::Unseen;
    use crate::preset::{Preset, Ramp};

    #[test]
    #[cfg(feature = "explorer")]
    fn a_folded_legend_is_there_in_every_width_and_has_few_rows() {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (40, 30);
        let scene = Scene::generate(preset, None, Job::quiet()).unwrap();
        let options = PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(8));
        for width in [300, 390, 470, 950] {
            for max_rows in [1, 2, 9] {
                let folded = folded_legend(&scene, &options, width, max_rows).unwrap();
                let rows = (folded.height() as i32 - MARGIN) / ROW;
                assert!(rows <= max_rows as i32, "{width}: {rows} of {max_rows}");
            }
        }
        assert!(legend(&scene, &options, 390, "").is_none(), "in a picture it is left out");
        let whole = folded_legend(&scene, &options, 950, 9).unwrap();
        assert!(whole.rgba() == legend(&scene, &options, 950, "").unwrap().rgba(), "nothing to fold");
    }

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
