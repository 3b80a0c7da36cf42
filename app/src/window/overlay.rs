//! Texts and buttons over the map: hints, progress, faults of the preset file, and the list of keys.

use egui::{Align2, Area, Button, Context, Frame, Label, RichText, TextWrapMode, Ui};
use egui_macroquad::egui;
use macroquad::math::Vec2;

use super::keys::HELP;
use super::theme::{FAULT_GROUND, FAULT_TEXT, OVER_MAP_EVENT, OVER_MAP_GROUND, OVER_MAP_TEXT, is_narrow};

fn show_in_frame(context: &Context, area: Area, frame: Frame, content: impl FnOnce(&mut Ui)) {
    area.interactable(false).show(context, |ui| frame.show(ui, content));
}

/// Shows a line of text on a dark ground.
fn show_line(context: &Context, area: Area, margin: i8, text: RichText) {
    let frame = Frame::new().fill(OVER_MAP_GROUND).inner_margin(margin).corner_radius(4);
    show_in_frame(context, area, frame, |ui| {
        ui.add(Label::new(text).extend());
    });
}

/// Shows a button with its text on one line. An area is as wide as in the frame before, so that a text that may wrap stays
/// narrow after a tiny window or a shorter text. Returns `true` if it is clicked.
fn show_button(context: &Context, area: Area, text: &str) -> bool {
    let button = Button::new(text).wrap_mode(TextWrapMode::Extend);
    area.show(context, |ui| ui.add(button).clicked()).inner
}

/// Shows the fault of the preset file.
pub(crate) fn show_file_error(context: &Context, map: egui::Rect, error: &str) {
    let at = map.center_top() + egui::vec2(0.0, 48.0);
    let area = Area::new("file error".into()).pivot(Align2::CENTER_TOP).fixed_pos(at);
    let frame = Frame::popup(&context.style()).fill(FAULT_GROUND);
    show_in_frame(context, area, frame, |ui| {
        ui.set_max_width((map.width() - 40.0).clamp(120.0, 560.0));
        ui.label(RichText::new(error).color(FAULT_TEXT));
    });
}

/// Shows the progress of a world that is being made, from 0 to 1.
pub(crate) fn show_progress(context: &Context, map: egui::Rect, progress: f32) {
    let at = map.center_top() + egui::vec2(-150.0, 12.0);
    // Without a fade: a page stops drawing a few frames later, and the bar would hardly be visible.
    let area = Area::new("progress".into()).fixed_pos(at).fade_in(false);
    show_in_frame(context, area, Frame::popup(&context.style()), |ui| {
        ui.set_width(300.0);
        ui.add(egui::ProgressBar::new(progress).text("generating the world"));
    });
}

/// Shows the first keys to try, or the hint of the selected tool, in the lower left above the legend.
pub(crate) fn show_hint(
    context: &Context,
    map: egui::Rect,
    legend: f32,
    tool: Option<&str>,
    [has_panel, is_touch]: [bool; 2],
) {
    let text = if let Some(tool) = tool {
        tool
    } else if is_touch || is_narrow(context) {
        "tap: walk    drag: move    pinch: zoom    long press: why?"
    } else if has_panel {
        "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys"
    } else {
        "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys    Tab: side panel"
    };
    let at = map.left_bottom() + egui::vec2(8.0, -6.0 - legend);
    let area = Area::new("hint".into()).pivot(Align2::LEFT_BOTTOM).fixed_pos(at);
    let frame = Frame::new().fill(OVER_MAP_GROUND).inner_margin(4).corner_radius(4);
    show_in_frame(context, area, frame, |ui| {
        ui.set_max_width((map.width() - 24.0).max(80.0));
        ui.label(RichText::new(text).color(OVER_MAP_TEXT));
    });
}

/// Shows the names of the scenes left and right of the divider, which is at `divider` points.
pub(crate) fn show_compared_names(context: &Context, map: egui::Rect, divider: f32, titles: &[String; 2]) {
    for (title, (pivot, offset)) in titles.iter().zip([(Align2::RIGHT_TOP, -10.0), (Align2::LEFT_TOP, 10.0)]) {
        let at = egui::pos2(divider + offset, map.top() + 8.0);
        let area = Area::new(egui::Id::new(("side", pivot))).pivot(pivot).fixed_pos(at).constrain(false);
        show_line(context, area, 5, RichText::new(title).strong().color(OVER_MAP_TEXT));
    }
}

/// Shows the button that ends the comparison, below the names at the divider. Returns `true` if it is clicked.
pub(crate) fn show_end_of_comparison(context: &Context, map: egui::Rect, divider: f32) -> bool {
    let at = egui::pos2(divider, map.top() + 44.0);
    let area = Area::new("end of comparison".into()).pivot(Align2::CENTER_TOP).fixed_pos(at).constrain_to(map);
    show_button(context, area, "end comparison")
}

/// Shows a line on what has just been recognised, above the hint.
pub(crate) fn show_event(context: &Context, map: egui::Rect, legend: f32, line: &str) {
    let at = map.left_bottom() + egui::vec2(8.0, -62.0 - legend);
    let area = Area::new("event".into()).fixed_pos(at).fade_in(false);
    show_line(context, area, 4, RichText::new(line).strong().color(OVER_MAP_EVENT));
}

/// Returns the point of the minimap, which has a place, where the pointer is down.
pub(crate) fn minimap_click(context: &Context, place: egui::Rect) -> Option<egui::Pos2> {
    let area = Area::new("minimap".into()).fixed_pos(place.min).order(egui::Order::Background);
    let response = area.show(context, |ui| ui.allocate_response(place.size(), egui::Sense::click_and_drag())).inner;
    response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on())
}

/// Returns `true` if the legend below the map is clicked, which has a height in points.
pub(crate) fn legend_is_clicked(context: &Context, map: egui::Rect, height: f32) -> bool {
    if height <= 0.0 {
        return false;
    }
    let at = map.left_bottom() - egui::vec2(0.0, height);
    let area = Area::new("legend".into()).fixed_pos(at).order(egui::Order::Background);
    let size = egui::vec2(map.width(), height);
    area.show(context, |ui| ui.allocate_response(size, egui::Sense::click()).clicked()).inner
}

/// Shows a button that leads back to a viewer outside of the picture, and names the direction. Returns `true` if it is clicked.
pub(crate) fn show_way_to_viewer(context: &Context, map: egui::Rect, way: Vec2) -> bool {
    const DIRECTIONS: [&str; 8] =
        ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];
    let eighths = (way.y.atan2(way.x) / std::f32::consts::FRAC_PI_4).round() as i32;
    let text = format!("back to the viewer, {}", DIRECTIONS[eighths.rem_euclid(8) as usize]);
    let at = map.center_top() + egui::vec2(0.0, 8.0);
    let area = Area::new("way to the viewer".into()).pivot(Align2::CENTER_TOP).fixed_pos(at).fade_in(false);
    show_button(context, area, &text)
}

/// Shows the list of keys.
pub(crate) fn show_help(context: &Context, map: egui::Rect, open: &mut bool) {
    egui::Window::new("Keys")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(if is_narrow(context) { context.screen_rect().center() } else { map.center() })
        .show(context, |ui| {
            let screen = context.screen_rect();
            ui.set_max_width((screen.width() - 48.0).max(120.0));
            let height = (map.height() - 150.0).max(80.0);
            egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                egui::Grid::new("keys").num_columns(2).min_row_height(14.0).spacing([24.0, 1.0]).show(ui, |ui| {
                    for (keys, meaning) in HELP {
                        ui.label(RichText::new(*keys).strong().monospace());
                        ui.add(Label::new(*meaning).wrap());
                        ui.end_row();
                    }
                });
            });
            ui.separator();
            ui.label("Every slider takes effect at once. \"Advanced\" has all settings.");
            ui.label(
                "Creatures inside the yellow line are identified. Up to the violet line they are glimpsed, as a \"?\".",
            );
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area_size(context: &Context, name: &'static str) -> egui::Vec2 {
        context.memory(|memory| memory.area_rect(name)).expect("the area was shown").size()
    }

    /// Shows the buttons over the map for a few frames in a window with a size, while the viewer is away in one direction.
    fn show_buttons(context: &Context, size: egui::Vec2, way: Vec2) -> [egui::Vec2; 2] {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        for _ in 0..4 {
            let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
            let _ = context.run(input, |context| {
                show_end_of_comparison(context, screen, screen.center().x);
                show_way_to_viewer(context, screen, way);
            });
        }
        ["end of comparison", "way to the viewer"].map(|name| area_size(context, name))
    }

    #[test]
    fn buttons_are_as_wide_as_their_text_after_a_tiny_window_and_a_shorter_text() {
        let window = egui::vec2(1280.0, 720.0);
        let [east, north_west] = [Vec2::new(1.0, 0.0), Vec2::new(-1.0, -1.0)];
        let fresh = show_buttons(&Context::default(), window, north_west);
        let context = Context::default();
        show_buttons(&context, egui::vec2(60.0, 40.0), east);
        assert_eq!(show_buttons(&context, window, north_west), fresh);
    }
}
