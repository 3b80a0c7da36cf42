//! The status line below the map: a summary of the view, then the visibility of a cell, in words or in numbers.

use egui::{Context, Label, RichText, Sense};
use egui_macroquad::egui;

use super::theme::{has_sheet, palette};
use crate::document::Document;
use crate::host::ON_PAGE;
use farsight::perception::{CellMemory, Recognition};
use farsight::sight::Door;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// Shows a summary of the view, and the cell below the pointer, or else that of the viewer. A click on the second line
/// switches between words and numbers. `scene` is the scene below the pointer.
pub(crate) fn show_status_line(
    context: &Context,
    document: &Document,
    summary: &str,
    (scene, cell): (Option<&Scene>, Option<IVec2>),
    has_numbers: &mut bool,
) {
    let is_phone = has_sheet(context);
    egui::TopBottomPanel::bottom("status").show(context, |ui| {
        if scene.is_some() && !is_phone {
            ui.add(Label::new(RichText::new(summary).size(14.0)).truncate());
        }
        let text = match scene {
            Some(scene) if scene.is_preview() => "A sketch of the land, until the land is complete.".into(),
            Some(scene) => {
                let cell = cell.unwrap_or(scene.viewer());
                match *has_numbers {
                    true => [cell_numbers(scene, cell), scene_numbers(scene, document)].concat().join("  "),
                    false => [cell_words(scene, cell), time_words(scene, document)].concat().join("  "),
                }
            }
            None => "generating the first world".into(),
        };
        let weak = palette(ui.visuals()).weak;
        let text = RichText::new(text).size(12.0).color(weak);
        let text = if *has_numbers { text.monospace().size(11.0) } else { text };
        ui.set_min_height(16.0);
        let line = ui.add(Label::new(text).truncate().selectable(false).sense(Sense::click()));
        *has_numbers ^= line.clicked();
    });
}

/// Returns the perception of a cell in words, by its visibility, its perceived visibility in the light, and the minimum
/// at which a cell is glimpsed.
fn meaning(sense: Recognition, memory: CellMemory, [visibility, perceived, glimpse]: [f32; 3]) -> String {
    let percent = perceived * 100.0;
    let dim = || match perceived >= 0.005 {
        true => format!("Too dim to notice anything ({percent:.0} %)."),
        false => "Too dim to notice anything.".to_owned(),
    };
    match (sense, memory) {
        (Recognition::Hidden, CellMemory::Hidden) if perceived > 0.0 => dim(),
        (Recognition::Identified, _) => {
            format!("Seen clearly ({percent:.0} %). Well-hidden creatures may show as \"?\".")
        }
        (Recognition::Glimpsed, _) => format!("Seen dimly ({percent:.0} %). Creatures may show as \"?\"."),
        (Recognition::Hidden, CellMemory::Visible) => dim(),
        (Recognition::Hidden, CellMemory::Seen) if visibility >= glimpse => {
            "Too dark to notice anything. Remembered.".to_owned()
        }
        (Recognition::Hidden, CellMemory::Seen) => "Out of sight. Remembered.".to_owned(),
        (Recognition::Hidden, CellMemory::Hidden) => "Never seen.".to_owned(),
    }
}

/// Returns the description of a cell in words, the only one for nodata or off the map.
fn cell_words(scene: &Scene, cell: IVec2) -> Vec<String> {
    if scene.opacity(cell).is_none() {
        return vec!["Off the map.".into()];
    }
    if !scene.terrain().has_data(cell) {
        return vec!["No data.".into()];
    }
    let (visibility, perceived) = (scene.visibility(cell), scene.perceived(cell));
    let glimpse = scene.preset().perception.thresholds().glimpse;
    let mut words = vec![meaning(scene.sense(cell), scene.memory(cell), [visibility, perceived, glimpse])];
    words.extend(scene.known_door(cell).map(|door| match door {
        Door::Open => "Door, open.".to_owned(),
        Door::Closed => "Door, closed.".to_owned(),
    }));
    let share = scene.daylight_under_roof(cell);
    words.extend(share.map(|share| format!("Under a roof, {:.0} % of the light outside.", share * 100.0)));
    if let Some(world) = scene.world() {
        let biome = world.biome()[cell].name();
        let (first, rest) = biome.split_at(1);
        words.push(format!("{}{rest}, {:.0} m.", first.to_uppercase(), world.elevation_m()[cell]));
    }
    words
}

fn cell_numbers(scene: &Scene, cell: IVec2) -> Vec<String> {
    let mut words = vec![format!("cell {},{}", cell.x, cell.y)];
    let Some(opacity) = scene.opacity(cell).filter(|_| scene.terrain().has_data(cell)) else { return words };
    let (visibility, perceived) = (scene.visibility(cell), scene.perceived(cell));
    words.push(format!("visibility {visibility:.3}"));
    if perceived < visibility {
        words.push(format!("by its light {perceived:.3}"));
    }
    words.push(format!("opacity {opacity:.3}"));
    if let Some(world) = scene.world() {
        words.push(format!("humidity {:.2}", world.humidity()[cell]));
        words.push(format!("vegetation {:.2}", world.vegetation()[cell]));
    }
    words
}

fn time_words(scene: &Scene, document: &Document) -> Vec<String> {
    let running = if document.time_runs() { ", running" } else { "" };
    let time = scene.preset().clock.runs.then(|| scene.clock().day_and_time() + running + ".");
    time.into_iter().collect()
}

fn scene_numbers(scene: &Scene, document: &Document) -> Vec<String> {
    let (radius, base) = (scene.radius(), scene.preset().sight.radius);
    let growth = radius.saturating_sub(base);
    let mut words =
        vec![if growth == 0 { format!("radius {radius}") } else { format!("radius {base} + {growth} for the height") }];
    if document.source().is_generated() {
        words.push(format!("seed {}", scene.preset().world.seed));
    }
    if !ON_PAGE {
        words.push(format!("sight {:.2} ms", document.sight_ms())); // the clock of a page is too coarse
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_says_plainly_what_is_seen_and_has_the_numbers() {
        let map = farsight::grid::Grid::<f32>::from_text(".....").unwrap();
        let map = farsight::sight::OpacityMap::try_from(map).unwrap();
        let mut preset = farsight_scene::preset::Preset::bare_kernel();
        let mut scene = Scene::from_map(preset.clone(), map, Some(IVec2::new(2, 0)), farsight::Job::none()).unwrap();
        let cell = IVec2::new(4, 0);
        let lines = |scene: &Scene| [cell_words(scene, cell), cell_numbers(scene, cell)].map(|it| it.join("  "));
        let lit = [
            "Seen clearly (100 %). Well-hidden creatures may show as \"?\".",
            "cell 4,0  visibility 1.000  opacity 0.000",
        ];
        assert_eq!(lines(&scene), lit);
        preset.set("optics.light", "0.04").unwrap();
        scene.apply(preset).unwrap();
        let dim = [
            "Too dark to notice anything. Remembered.",
            "cell 4,0  visibility 1.000  by its light 0.040  opacity 0.000",
        ];
        assert_eq!(lines(&scene), dim);
        assert_eq!(cell_words(&scene, IVec2::new(9, 0)), ["Off the map."]);
        assert_eq!(cell_numbers(&scene, IVec2::new(9, 0)), ["cell 9,0"]);
    }

    #[test]
    fn the_status_line_tells_how_much_light_falls_under_a_roof() {
        let map = farsight::sight::OpacityMap::from_text("..#___#\n..'___#\n..#___#").unwrap();
        let preset = farsight_scene::preset::Preset::bare_kernel();
        let scene = Scene::from_map(preset, map, Some(IVec2::new(4, 1)), farsight::Job::none()).unwrap();
        let words = |x: i32| cell_words(&scene, IVec2::new(x, 1)).join("  ");
        let percent = (scene.light((3, 1)) * 100.0).round();
        assert!(words(3).contains(&format!("Under a roof, {percent} % of the light outside")), "{}", words(3));
        assert!(percent > 50.0 && percent < 100.0);
        assert!(!words(1).contains("roof"), "{}", words(1));
    }
}
