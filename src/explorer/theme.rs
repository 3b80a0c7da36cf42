//! Colours and sizes of the panels.

use egui::{Color32, Context};
use egui_macroquad::egui;
use macroquad::math::Vec2;

/// The distance that a notch of the wheel scrolls a panel, in points.
#[cfg(target_os = "linux")]
const POINTS_PER_NOTCH: f32 = 48.0;

/// Sets dark colours, with text that is light enough to read over a map.
pub(super) fn apply_theme(context: &Context) {
    // Under X11 a notch of the wheel counts 1; egui-macroquad divides by 90, as suits other systems.
    #[cfg(target_os = "linux")]
    context.options_mut(|options| options.line_scroll_speed = 90.0 * POINTS_PER_NOTCH);
    let mut visuals = egui::Visuals::dark();
    visuals.override_text_color = Some(Color32::from_gray(222));
    visuals.panel_fill = Color32::from_rgb(26, 27, 33);
    visuals.window_fill = Color32::from_rgb(30, 31, 38);
    context.set_visuals(visuals);
}

/// Returns the pixels per point of the panels: those of the display, or fewer if the window is too narrow for a side panel
/// next to the map. In a narrow, high window the panel is below the map.
pub(super) fn pixels_per_point(window_pixels: Vec2, display: f32) -> f32 {
    const MIN_POINTS: f32 = 800.0;
    const MIN_POINTS_BELOW: f32 = 350.0;
    let min = if window_pixels.x < window_pixels.y { MIN_POINTS_BELOW } else { MIN_POINTS };
    display.min(window_pixels.x / min).max(1.0)
}

/// Returns `true` on a phone that is held upright: the panel is below the map there.
pub(super) fn is_narrow(context: &Context) -> bool {
    let size = context.screen_rect().size();
    size.x < size.y && size.x < 700.0
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_notch_of_the_wheel_scrolls_a_panel_by_a_few_lines() {
        let context = Context::default();
        apply_theme(&context);
        let notch = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, -1.0 / 90.0), // as it arrives
            modifiers: egui::Modifiers::NONE,
        };
        let mut moved = 0.0;
        let _ = context.run(egui::RawInput { events: vec![notch], ..Default::default() }, |context| {
            moved = context.input(|input| input.raw_scroll_delta.y);
        });
        assert!((moved + POINTS_PER_NOTCH).abs() < 0.1, "{moved}");
    }
}
