//! A frame: panels and overlays around the map, and the map.

use egui_macroquad::egui;
use macroquad::color::Color;
use macroquad::input::{KeyCode, is_key_pressed};
use macroquad::math::Vec2;
use macroquad::time::get_time;
use macroquad::window::{clear_background, screen_dpi_scale, screen_height, screen_width};

use super::state::App;
use crate::window::command::{Command, Tool};
use crate::window::session::PanelFocus;
use crate::window::status_line::show_status_line;
use crate::window::view::SceneRevision;
use crate::window::{overlay, panel, theme};

/// The bare sheet around the map, before there is one.
const BACKGROUND: Color = Color::new(0.733, 0.667, 0.536, 1.0);

impl App {
    /// Shows panels and overlays, and carries out the commands of their controls.
    pub(crate) fn show_panels(&mut self) -> PanelFocus {
        let mut focus = PanelFocus::default();
        let mut commands = Vec::new();
        let Self { document, view, session, .. } = self;
        let hovered = document.scene().and_then(|scene| view.hovered(scene));
        let window_pixels = Vec2::new(screen_width(), screen_height()) * screen_dpi_scale();
        let (dpi, window) = (screen_dpi_scale(), &session.settings.window);
        view.has_minimap = window.minimap;
        view.legend_theme = theme::legend_theme(window.theme);
        view.map_scale = theme::pixels_per_point(window_pixels, dpi).floor().max(1.0);
        view.pixels_per_point = theme::scaled_pixels_per_point(window_pixels, dpi, window.scale);
        egui_macroquad::cfg(|context| {
            theme::apply_theme(context, window.theme, session.input.is_touch);
            context.set_pixels_per_point(view.pixels_per_point);
            if session.input.is_touch {
                forget_finger(context);
            }
        });
        let (viewport, map_pixels) = (view.viewport(), view.map_pixels());
        let (comparison, pointer) = (document.comparison(), view.pointer.filter(|_| document.comparison().is_open()));
        let is_right = pointer.is_some_and(|at| at.x >= view.divider.column(viewport));
        let is_on_divider = pointer.is_some_and(|at| view.divider.is_near(at, viewport, map_pixels));
        let hovered_scene = if is_right { comparison.scene.as_ref() } else { document.scene() };
        if let Some(scene) = hovered_scene {
            view.inspector.update(scene, hovered, SceneRevision { revision: document.revision(), is_right });
        }
        let target_y = view.target_y();
        egui_macroquad::ui(|context| {
            let had_list = context.memory(egui::Memory::any_popup_open);
            session.has_input = context.input(|input| !input.raw.events.is_empty());
            let summary = document.scene().map_or("", |scene| view.summary(scene, document.revision()));
            show_status_line(context, document, summary, (hovered_scene, hovered));
            session.has_sheet = theme::has_sheet(context);
            panel::hide_tooltips(context, session.has_dialog() || session.is_picture_of_map());
            if !session.has_sheet && session.settings.window.panel {
                commands = panel::show(context, document, view, session);
            }
            view.map_rect = context.available_rect();
            if session.has_sheet {
                let place = (view.map_rect, view.legend_points());
                commands.extend(panel::show_sheet(context, place, document, view, session));
                if session.sheet_is_open {
                    view.map_rect = panel::rect_beside_sheet(context, view.map_rect);
                }
            }
            let map_rect = view.map_rect;
            if let (Some(left), true) = (document.scene(), comparison.is_open()) {
                let names = comparison.to.titles(document.name(), left.preset());
                let divider = view.to_points(view.divider.column(viewport));
                overlay::show_compared_names(context, map_rect, divider, &names);
                if !session.is_picture_of_map() && overlay::show_end_of_comparison(context, map_rect, divider) {
                    commands.push(Command::EndComparison);
                }
            }
            if is_on_divider {
                context.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
            }
            let is_picture = session.is_picture_of_map();
            if let Some(error) = document.file_error().filter(|_| !is_picture) {
                overlay::show_file_error(context, map_rect, error);
            }
            if !is_picture {
                commands.extend(session.messages.show(context, map_rect).map(Command::ShowFolder));
            }
            #[cfg(not(target_arch = "wasm32"))]
            if let Some(dialog) = session.open_dialog.as_mut().filter(|_| !is_picture) {
                let answer = dialog.show(context, map_rect, &session.settings.window.recent);
                if answer.is_closed {
                    session.open_dialog = None;
                }
                commands.extend(answer.chosen.map(|path| Command::Open(Some(path), None)));
            }
            if let Some(progress) = document.progress().filter(|_| !is_picture) {
                overlay::show_progress(context, map_rect, progress);
            }
            let legend = view.legend_points();
            if let Some(scene) = hovered_scene {
                view.show_creature_name(context, scene);
                let may_click = session.tools.tool == Tool::Walk && !session.input.is_touch && !is_picture;
                if may_click && view.show_door_label(context, scene) {
                    context.set_cursor_icon(egui::CursorIcon::PointingHand);
                }
            }
            if let Some(scene) = document.scene() {
                if let Some(line) = session.ticker.line(scene, [document.revision(), document.turns()], get_time())
                    && scene.preset().paint.creatures
                    && !is_picture
                {
                    overlay::show_event(context, map_rect, legend, &line);
                }
                let clicked = view.minimap_rect(scene).and_then(|place| overlay::minimap_click(context, place));
                commands.extend(clicked.and_then(|at| view.cell_on_minimap(scene, at)).map(Command::GoTo));
                if let Some(way) = view.way_to_viewer(scene).filter(|_| !is_picture)
                    && overlay::show_way_to_viewer(context, map_rect, way)
                {
                    commands.push(Command::Centre);
                }
            }
            if view.inspector.show(context, map_rect, target_y, legend, session.input.is_touch) {
                view.inspector.unpin();
            }
            if overlay::legend_is_clicked(context, map_rect, legend) {
                commands.push(Command::ToggleLegendFold);
            }
            if is_picture {
                session.set_map_drawn();
            } else if session.shows_help {
                overlay::show_help(context, map_rect, &mut session.shows_help);
            } else {
                let has_panel = session.settings.window.panel;
                let has_fingers = session.input.is_touch || session.has_sheet;
                let asks = has_fingers && view.inspector.follows_pointer;
                let hint = session.tools.hint(has_fingers).or(asks.then_some("tap: why?    drag: move    pinch: zoom"));
                overlay::show_hint(context, map_rect, legend, hint, [has_panel, has_fingers]);
            }
            if is_key_pressed(KeyCode::Tab) {
                // Tab shows and hides the panel; it must not also focus the next control, which would take all keys.
                context.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
            }
            // A click that closes a list is no click on the map.
            let has_list = had_list || context.memory(egui::Memory::any_popup_open);
            focus.takes_pointer = context.wants_pointer_input() || context.is_pointer_over_area() || has_list;
            focus.takes_keyboard = context.wants_keyboard_input();
            #[cfg(target_arch = "wasm32")]
            self.typing.update(context, session.input.is_touch);
        });
        for command in commands {
            self.execute_or_show(command);
        }
        focus
    }

    pub(crate) fn draw(&mut self) {
        clear_background(BACKGROUND);
        if let Some(scene) = self.document.scene() {
            self.view.draw(scene, self.document.comparison().scene.as_ref(), self.document.revision());
        }
        egui_macroquad::draw();
    }
}

/// Forgets where a finger left the screen. Nothing is pointed at then, and the way to the next touch is no movement.
fn forget_finger(context: &egui::Context) {
    context.input_mut(|input| {
        if !input.pointer.any_down() {
            input.pointer = egui::PointerState::default();
        }
    });
}
