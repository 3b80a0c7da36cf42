//! The curve of the decay with distance.

use egui::{Sense, Ui};
use egui_macroquad::egui;

use crate::window::theme::palette;
use farsight::preset::Preset;

/// Shows the visibility over distance in the open, from 0 to the radius.
pub(crate) fn show_decay_curve(ui: &mut Ui, preset: &Preset) {
    const LEFT: f32 = 14.0;
    const TOP: f32 = 16.0;
    let size = egui::vec2(ui.available_width() - 8.0, 68.0);
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 3.0, ui.visuals().extreme_bg_color);
    let radius = preset.sight.radius;
    let points = (0..=100).map(|i| {
        let share = i as f32 / 100.0;
        let value = preset.sight.decay.at(f64::from(share) * f64::from(radius), radius) as f32;
        let (width, height) = (place.width() - LEFT, place.height() - TOP);
        egui::pos2(place.left() + LEFT + share * width, place.bottom() - 3.0 - value * (height - 3.0))
    });
    painter.add(egui::Shape::line(points.collect(), egui::Stroke::new(2.0, egui::Color32::from_rgb(216, 150, 30))));
    let font = egui::FontId::proportional(10.0);
    let label = |text: &str, at, align| painter.text(at, align, text, font.clone(), palette(ui.visuals()).weak);
    label("1", egui::pos2(place.left() + 4.0, place.top() + TOP), egui::Align2::LEFT_CENTER);
    label("0", place.left_bottom() + egui::vec2(4.0, -2.0), egui::Align2::LEFT_BOTTOM);
    label(&format!("{radius} cells"), place.right_top() + egui::vec2(-4.0, 2.0), egui::Align2::RIGHT_TOP);
}
