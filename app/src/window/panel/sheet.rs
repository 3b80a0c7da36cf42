//! The panel of a phone: a sheet that slides over the map, from below or from the right.

use egui::{Area, Id, Order, Pos2, Rect, Sense, Ui, UiBuilder, Vec2, vec2};
use egui_macroquad::egui;

use super::side_panel::show_content;
use crate::document::Document;
use crate::host::ON_PAGE;
use crate::window::command::WindowCommand;
use crate::window::session::Session;
use crate::window::theme::{TOUCH_HEIGHT, is_narrow, palette};
use crate::window::view::MapView;

/// The share of the map's height that an upright phone gives to the sheet, and of its width that a lying one does.
const SHARES: [f32; 2] = [0.45, 0.4];

/// The time in which the sheet slides, in seconds.
const SLIDE_SECONDS: f32 = 0.12;

const MARGIN: f32 = 8.0;

/// The height of the hint above the legend, in points.
const HINT: f32 = 30.0;

/// Shows the sheet if it is open, and a button over the map that closes it, or else the one that opens it, above a legend of
/// some height. Returns the commands of the controls.
pub(crate) fn show_sheet(
    context: &egui::Context,
    (map, legend): (Rect, f32),
    document: &Document,
    view: &MapView,
    session: &mut Session,
) -> Vec<WindowCommand> {
    let shown = context.animate_bool_with_time(Id::new("sheet slides"), session.sheet_is_open, SLIDE_SECONDS);
    if shown == 0.0 {
        // A page has such a button below the map.
        let corner = map.right_bottom() - vec2(0.0, legend + HINT);
        let is_clicked = !ON_PAGE && show_button(context, corner, "sliders");
        return is_clicked.then_some(WindowCommand::TogglePanel).into_iter().collect();
    }
    let (open, hidden) = open_place(context, map);
    let place = open.translate(hidden * (1.0 - shown));
    let area =
        Area::new(Id::new("sheet")).sense(Sense::CLICK).order(Order::Middle).fixed_pos(place.min).constrain(false);
    let mut commands = Vec::new();
    area.show(context, |ui| {
        ui.allocate_rect(place, Sense::hover());
        ui.set_clip_rect(place);
        ui.painter().rect_filled(place, 0.0, palette(ui.visuals()).panel);
        let mut ui = ui.new_child(UiBuilder::new().max_rect(place.shrink(MARGIN)));
        commands.extend(show_content(&mut ui, document, view, session));
    });
    let corner = if is_narrow(context) { place.right_top() } else { place.left_bottom() };
    if show_button(context, corner, "close") {
        commands.push(WindowCommand::TogglePanel);
    }
    commands
}

/// Returns the place of the open sheet over the map, and how far it moves to be closed.
fn open_place(context: &egui::Context, map: Rect) -> (Rect, Vec2) {
    let [height, width] = SHARES;
    let (size, hidden) = if is_narrow(context) {
        let height = map.height() * height;
        (vec2(map.width(), height), vec2(0.0, height))
    } else {
        let width = map.width() * width;
        (vec2(width, map.height()), vec2(width, 0.0))
    };
    (Rect::from_min_max(map.max - size, map.max), hidden)
}

/// Returns the part of the map that the open sheet does not cover. The viewer stays in sight there.
pub(crate) fn rect_beside_sheet(context: &egui::Context, map: Rect) -> Rect {
    let sheet = open_place(context, map).0;
    let max = if is_narrow(context) { egui::pos2(map.max.x, sheet.min.y) } else { egui::pos2(sheet.min.x, map.max.y) };
    Rect::from_min_max(map.min, max)
}

/// Shows a button for a finger with its lower right at a corner. Returns `true` if it is clicked.
fn show_button(context: &egui::Context, corner: Pos2, label: &str) -> bool {
    let area = Area::new(Id::new("sheet button")).sense(Sense::CLICK).pivot(egui::Align2::RIGHT_BOTTOM);
    let button = |ui: &mut Ui| ui.add_sized(vec2(72.0, TOUCH_HEIGHT), egui::Button::new(label)).clicked();
    area.fixed_pos(corner - Vec2::splat(MARGIN)).show(context, button).inner
}
