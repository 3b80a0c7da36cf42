//! Texts over and below the map: status line, hints, progress, faults of the preset file, and the list of keys.

use egui::{Align2, Area, Color32, Context, Frame, Label, RichText, Ui};
use egui_macroquad::egui;

use super::keys::HELP;
use super::theme::is_narrow;
use crate::perception::{CellMemory, Recognition};
use crate::scene::Scene;
use glam::IVec2;

fn show_in_frame(context: &Context, area: Area, frame: Frame, content: impl FnOnce(&mut Ui)) {
    area.interactable(false).show(context, |ui| frame.show(ui, content));
}

/// Shows a line of text on a dark ground of some opacity.
fn show_line(context: &Context, area: Area, opacity: u8, margin: i8, text: RichText) {
    let frame = Frame::new().fill(Color32::from_black_alpha(opacity)).inner_margin(margin).corner_radius(4);
    show_in_frame(context, area, frame, |ui| {
        ui.add(Label::new(text).extend());
    });
}

/// Shows the fault of the preset file.
pub(super) fn show_file_error(context: &Context, map: egui::Rect, error: &str) {
    let at = map.center_top() + egui::vec2(0.0, 48.0);
    let area = Area::new("file error".into()).pivot(Align2::CENTER_TOP).fixed_pos(at);
    let frame = Frame::popup(&context.style()).fill(Color32::from_rgb(84, 30, 26));
    show_in_frame(context, area, frame, |ui| {
        ui.set_max_width((map.width() - 40.0).clamp(120.0, 560.0));
        ui.label(RichText::new(error).color(Color32::from_rgb(255, 214, 200)));
    });
}

/// Shows the progress of a world that is being made, from 0 to 1.
pub(super) fn show_progress(context: &Context, map: egui::Rect, progress: f32) {
    let at = map.center_top() + egui::vec2(-150.0, 12.0);
    // Without a fade: a page stops drawing a few frames later, and the bar would hardly be visible.
    let area = Area::new("progress".into()).fixed_pos(at).fade_in(false);
    show_in_frame(context, area, Frame::popup(&context.style()), |ui| {
        ui.set_width(300.0);
        ui.add(egui::ProgressBar::new(progress).text("making the world"));
    });
}

/// Shows the first keys to try, or the hint of the selected tool, in the lower left above the legend.
pub(super) fn show_hint(context: &Context, map: egui::Rect, legend: f32, tool: Option<&str>, has_panel: bool) {
    let text = if let Some(tool) = tool {
        tool
    } else if is_narrow(context) {
        "tap: walk    drag: move    pinch: zoom    long press: why?"
    } else if has_panel {
        "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys"
    } else {
        "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys    Tab: side panel"
    };
    let at = map.left_bottom() + egui::vec2(8.0, -30.0 - legend);
    let text = RichText::new(text).color(Color32::from_gray(225));
    show_line(context, Area::new("hint".into()).fixed_pos(at), 170, 4, text);
}

/// Shows the names of the methods left and right of the divider, which is at `divider` points.
pub(super) fn show_method_names(context: &Context, map: egui::Rect, divider: f32, titles: [&str; 2]) {
    for (title, (pivot, offset)) in titles.iter().zip([(Align2::RIGHT_TOP, -10.0), (Align2::LEFT_TOP, 10.0)]) {
        let at = egui::pos2(divider + offset, map.top() + 8.0);
        let area = Area::new(egui::Id::new(("side", pivot))).pivot(pivot).fixed_pos(at).constrain(false);
        show_line(context, area, 190, 5, RichText::new(*title).strong().color(Color32::from_gray(240)));
    }
}

/// Shows the list of keys.
pub(super) fn show_help(context: &Context, map: egui::Rect, open: &mut bool) {
    egui::Window::new("Keys")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(map.center())
        .show(context, |ui| {
            egui::Grid::new("keys").num_columns(2).min_row_height(14.0).spacing([24.0, 1.0]).show(ui, |ui| {
                for (keys, meaning) in HELP {
                    ui.label(RichText::new(*keys).strong().monospace());
                    ui.label(*meaning);
                    ui.end_row();
                }
            });
            ui.separator();
            ui.label("Every slider on the right takes effect at once. Fog: \"visual range\" and \"fog onset\".");
            ui.label("Inside the yellow line: identified. Inside the violet line: glimpsed, as a \"?\".");
        });
}

/// Shows the cell below the pointer, or else that of the viewer, the hour, and the time of a field of view.
pub(super) fn show_status_line(
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
        ui.add(Label::new(RichText::new(text).monospace().size(12.0)).truncate());
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
