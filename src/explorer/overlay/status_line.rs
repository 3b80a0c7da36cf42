//! The status line below the map.

use egui::{Context, RichText};
use egui_macroquad::egui;

use crate::perception::{CellMemory, Recognition};
use crate::scene::Scene;
use glam::IVec2;

/// Shows the cell below the pointer, or else that of the viewer, the hour, and the time of a field of view.
pub(crate) fn show_status_line(
    context: &Context,
    scene: Option<&Scene>,
    cell: Option<IVec2>,
    sight_ms: f64,
    time_runs: bool,
) {
    egui::TopBottomPanel::bottom("status").show(context, |ui| {
        let text = match scene {
            Some(scene) => status_text(scene, cell.unwrap_or(scene.viewer()), sight_ms, time_runs),
            None => "making the first world".into(),
        };
        ui.add(egui::Label::new(RichText::new(text).monospace().size(12.0)).truncate());
    });
}

fn status_text(scene: &Scene, cell: IVec2, sight_ms: f64, time_runs: bool) -> String {
    let mut words = vec![format!("seed {}", scene.preset().world.seed), format!("cell {},{}", cell.x, cell.y)];
    if scene.preset().clock.runs {
        let running = if time_runs { ", running" } else { "" };
        words.push(scene.preset().clock.day_and_time() + running);
    }
    if let Some(world) = scene.world()
        && let Some(elevation) = world.elevation_m().get(cell)
    {
        if elevation.is_nan() {
            words.push("no data".into());
            return words.join("  ");
        }
        words.push(format!("{elevation:.0} m"));
        words.push(format!("humidity {:.2}", world.humidity()[cell]));
        words.push(format!("vegetation {:.2}", world.vegetation()[cell]));
        words.push(world.biome()[cell].name().to_owned());
    }
    match scene.opacity(cell) {
        Some(opacity) => {
            words.push(format!("opacity {opacity:.3}"));
            let (visibility, perceived) = (scene.visibility(cell), scene.perceived(cell));
            words.push(format!("visibility {visibility:.3}"));
            if perceived < visibility {
                words.push(format!("by its light {perceived:.3}"));
            }
            let state = match (scene.sense(cell), scene.memory(cell)) {
                (Recognition::Hidden, CellMemory::Seen) => "remembered",
                (Recognition::Hidden, memory) => memory.name(),
                (sense, _) => sense.name(),
            };
            words.push(state.to_owned());
        }
        None => words.push("off the map".into()),
    }
    words.push(format!("radius {}", scene.radius()));
    words.extend(scene.preset().classic.method.map(|method| method.name().to_owned()));
    if cfg!(not(target_arch = "wasm32")) {
        words.push(format!("sight {sight_ms:.2} ms")); // the clock of a page is too coarse
    }
    words.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_has_visibility_and_light() {
        let map = crate::grid::Grid::<f32>::from_text(".....").unwrap();
        let map = crate::sight::OpacityMap::try_from(map).unwrap();
        let mut preset = crate::preset::Preset::bare_kernel();
        preset.set("classic.method", "shadowcast").unwrap();
        let mut scene = Scene::on_map(preset.clone(), map, Some(IVec2::new(2, 0)), crate::job::Job::quiet()).unwrap();
        let words = |scene: &Scene| status_text(scene, IVec2::new(4, 0), 0.0, false);
        assert!(words(&scene).contains("visibility 1.000  identified  radius 32  shadowcast"), "{}", words(&scene));
        preset.set("optics.light", "0.04").unwrap();
        scene.apply(preset).unwrap();
        assert!(words(&scene).contains("visibility 1.000  by its light 0.040  remembered"), "{}", words(&scene));
    }
}
