//! The status line below the map: what is in sight in a sentence, then the visibility of a cell and what it means.

use egui::{Context, Label, RichText};
use egui_macroquad::egui;

use super::options::ON_PAGE;
use super::theme::{is_narrow, palette};
use crate::document::Document;
use farsight::perception::{CellMemory, Recognition};
use farsight::scene::Scene;
use farsight::sight::Door;
use glam::IVec2;

/// The words that fit on a phone that is held upright: visibility, its meaning, the land.
const WORDS_OF_PHONE: usize = 3;

/// Shows what is in sight, the cell below the pointer, or else that of the viewer, the hour, and the time of a field of view.
/// `scene` is the one below the pointer.
pub(crate) fn show_status_line(
    context: &Context,
    document: &Document,
    summary: &str,
    (scene, cell): (Option<&Scene>, Option<IVec2>),
) {
    let is_phone = is_narrow(context);
    egui::TopBottomPanel::bottom("status").show(context, |ui| {
        if scene.is_some() && !is_phone {
            ui.add(Label::new(RichText::new(summary).size(14.0)).truncate());
        }
        let text = match scene {
            Some(scene) => {
                let mut words = words_on_cell(scene, cell.unwrap_or(scene.viewer()));
                match is_phone {
                    true => words.truncate(WORDS_OF_PHONE),
                    false => words.extend(words_on_scene(scene, document)),
                }
                words.join("  ")
            }
            None => "generating the first world".into(),
        };
        let weak = palette(ui.visuals()).weak;
        ui.add(Label::new(RichText::new(text).monospace().size(11.0).color(weak)).truncate());
    });
}

/// Returns the meaning of a state of a cell for the viewer, who sees and, by its light, perceives it by some share.
fn meaning(sense: Recognition, memory: CellMemory, [visibility, perceived]: [f32; 2]) -> &'static str {
    match (sense, memory) {
        (Recognition::Hidden, CellMemory::Hidden) if perceived > 0.0 => "too dim to notice anything",
        (Recognition::Identified, _) => "seen clearly: only what hides well may be a \"?\"",
        (Recognition::Glimpsed, _) => "seen dimly: a creature here may be a \"?\"",
        (Recognition::Hidden, CellMemory::Visible) => "too dim to notice anything",
        (Recognition::Hidden, CellMemory::Seen) if visibility > perceived => "too dark to notice anything, remembered",
        (Recognition::Hidden, CellMemory::Seen) => "remembered, not in sight",
        (Recognition::Hidden, CellMemory::Hidden) => "never seen",
    }
}

fn words_on_cell(scene: &Scene, cell: IVec2) -> Vec<String> {
    let mut words = Vec::new();
    if !scene.terrain().has_data(cell) && scene.opacity(cell).is_some() {
        return vec!["no data here".into(), format!("cell {},{}", cell.x, cell.y)];
    }
    let Some(opacity) = scene.opacity(cell) else { return vec!["off the map".into()] };
    let (visibility, perceived) = (scene.visibility(cell), scene.perceived(cell));
    words.push(format!("visibility {visibility:.3}"));
    if perceived < visibility {
        words.push(format!("by its light {perceived:.3}"));
    }
    words.push(meaning(scene.sense(cell), scene.memory(cell), [visibility, perceived]).to_owned());
    words.extend(scene.known_door(cell).map(|door| match door {
        Door::Open => "door, open".to_owned(),
        Door::Closed => "door, closed".to_owned(),
    }));
    let share = scene.daylight_under_roof(cell);
    words.extend(share.map(|share| format!("under a roof, {:.0} % of the light outside", share * 100.0)));
    if let Some(world) = scene.world() {
        words.push(world.biome()[cell].name().to_owned());
        words.push(format!("{:.0} m", world.elevation_m()[cell]));
    }
    words.push(format!("cell {},{}", cell.x, cell.y));
    words.push(format!("opacity {opacity:.3}"));
    if let Some(world) = scene.world() {
        words.push(format!("humidity {:.2}", world.humidity()[cell]));
        words.push(format!("vegetation {:.2}", world.vegetation()[cell]));
    }
    words
}

fn words_on_scene(scene: &Scene, document: &Document) -> Vec<String> {
    let mut words = Vec::new();
    if scene.preset().clock.runs {
        let running = if document.time_runs() { ", running" } else { "" };
        words.push(scene.clock().day_and_time() + running);
    }
    let (radius, base) = (scene.radius(), scene.preset().sight.radius);
    let growth = radius.saturating_sub(base);
    words.push(if growth == 0 {
        format!("radius {radius}")
    } else {
        format!("radius {base} + {growth} for the height")
    });
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
    fn the_status_line_begins_with_visibility_and_its_meaning() {
        let map = farsight::grid::Grid::<f32>::from_text(".....").unwrap();
        let map = farsight::sight::OpacityMap::try_from(map).unwrap();
        let mut preset = farsight::preset::Preset::bare_kernel();
        let mut scene = Scene::on_map(preset.clone(), map, Some(IVec2::new(2, 0)), farsight::Job::quiet()).unwrap();
        let words = |scene: &Scene| words_on_cell(scene, IVec2::new(4, 0)).join("  ");
        let lit = words(&scene);
        assert!(
            lit.starts_with("visibility 1.000  seen clearly: only what hides well may be a \"?\"  cell 4,0"),
            "{lit}"
        );
        preset.set("optics.light", "0.04").unwrap();
        scene.apply(preset).unwrap();
        let dim = words(&scene);
        assert!(
            dim.starts_with("visibility 1.000  by its light 0.040  too dark to notice anything, remembered"),
            "{dim}"
        );
        assert_eq!(words_on_cell(&scene, IVec2::new(9, 0)), ["off the map"]);
    }

    #[test]
    fn the_status_line_tells_how_much_light_falls_under_a_roof() {
        let map = farsight::sight::OpacityMap::from_text("..#___#\n..'___#\n..#___#").unwrap();
        let preset = farsight::preset::Preset::bare_kernel();
        let scene = Scene::on_map(preset, map, Some(IVec2::new(4, 1)), farsight::Job::quiet()).unwrap();
        let words = |x: i32| words_on_cell(&scene, IVec2::new(x, 1)).join("  ");
        let percent = (scene.light((3, 1)) * 100.0).round();
        assert!(words(3).contains(&format!("under a roof, {percent} % of the light outside")), "{}", words(3));
        assert!(percent > 50.0 && percent < 100.0);
        assert!(!words(1).contains("roof"), "{}", words(1));
    }
}
