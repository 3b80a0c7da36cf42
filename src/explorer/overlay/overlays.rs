//! Texts over the map.

use egui::{Align2, Color32, Context, RichText};
use egui_macroquad::egui;

use super::theme::is_narrow;
use crate::explorer::keys::HELP;

/// Shows the fault of the preset file.
pub(crate) fn show_file_error(context: &Context, map: egui::Rect, error: &str) {
    let at = map.center_top() + egui::vec2(0.0, 48.0);
    let area = egui::Area::new("file error".into()).pivot(Align2::CENTER_TOP).fixed_pos(at).interactable(false);
    area.show(context, |ui| {
        egui::Frame::popup(ui.style()).fill(Color32::from_rgb(84, 30, 26)).show(ui, |ui| {
            ui.set_max_width((map.width() - 40.0).clamp(120.0, 560.0));
            ui.label(RichText::new(error).color(Color32::from_rgb(255, 214, 200)));
        });
    });
}

/// Shows the progress of a world that is being made, from 0 to 1.
pub(crate) fn show_progress(context: &Context, map: egui::Rect, progress: f32) {
    let at = map.center_top() + egui::vec2(-150.0, 12.0);
    // Without a fade: a page stops drawing a few frames later, and the bar would hardly be visible.
    let area = egui::Area::new("progress".into()).fixed_pos(at).interactable(false).fade_in(false);
    area.show(context, |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_width(300.0);
            ui.add(egui::ProgressBar::new(progress).text("making the world"));
        });
    });
}

/// Shows the first keys to try, or the hint of the selected tool, in the lower left above the legend.
pub(crate) fn show_hint(context: &Context, map: egui::Rect, legend: f32, tool: Option<&str>, has_panel: bool) {
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
    egui::Area::new("hint".into()).fixed_pos(at).interactable(false).show(context, |ui| {
        egui::Frame::new().fill(Color32::from_black_alpha(170)).inner_margin(4).corner_radius(4).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text).color(Color32::from_gray(225))).extend());
        });
    });
}

/// Shows the names of the methods left and right of the divider, which is at `divider` points.
pub(crate) fn show_method_names(context: &Context, map: egui::Rect, divider: f32, titles: [&str; 2]) {
    let labels = [(Align2::RIGHT_TOP, -10.0), (Align2::LEFT_TOP, 10.0)];
    for (i, (pivot, offset)) in labels.into_iter().enumerate() {
        let at = egui::pos2(divider + offset, map.top() + 8.0);
        let area = egui::Area::new(egui::Id::new(("side", i))).pivot(pivot).fixed_pos(at).constrain(false);
        area.interactable(false).show(context, |ui| {
            egui::Frame::new().fill(Color32::from_black_alpha(190)).inner_margin(5).corner_radius(4).show(ui, |ui| {
                let title = RichText::new(titles[i]).strong().color(Color32::from_gray(240));
                ui.add(egui::Label::new(title).extend());
            });
        });
    }
}

/// Shows the list of keys.
pub(crate) fn show_help(context: &Context, map: egui::Rect, open: &mut bool) {
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
