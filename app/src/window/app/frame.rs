//! A frame: panels and overlays around the map, and the map.

use egui_macroquad::egui;
#[cfg(target_os = "linux")]
use egui_macroquad::egui::Event;
use macroquad::color::Color;
use macroquad::math::Vec2;
use macroquad::window::{clear_background, screen_dpi_scale, screen_height, screen_width};

use super::state::App;
use crate::window::command::Tool;
use crate::window::overlay::{Frame, OVERLAYS};
use crate::window::session::{PanelFocus, PointerEvent, is_key_first};
use crate::window::theme;

/// The background before the first map: the bare sheet.
const BACKGROUND: Color = Color::new(0.733, 0.667, 0.536, 1.0);

impl App {
    /// Shows panels and overlays, and executes the commands of their controls.
    pub(crate) fn show_panels(&mut self) -> PanelFocus {
        self.follow_window();
        let mut focus = PanelFocus::default();
        let mut commands = Vec::new();
        let Self { document, view, session, .. } = self;
        egui_macroquad::ui(|context| {
            #[cfg(target_os = "linux")]
            context.input_mut(|input| drop_letters_of_chords(&mut input.events));
            let had_list = context.memory(egui::Memory::any_popup_open);
            session.has_input = context.input(|input| !input.raw.events.is_empty());
            let is_picture = session.is_picture_of_map();
            let mut frame = Frame::new(context, document, view, session);
            for overlay in OVERLAYS.iter().filter(|overlay| overlay.is_in_pictures || !is_picture) {
                (overlay.show)(&mut frame);
            }
            commands = frame.commands;
            if is_picture {
                session.set_map_drawn();
            }
            draw_focus(context);
            // A click that closes a list does not reach the map.
            let has_list = had_list || context.memory(egui::Memory::any_popup_open);
            focus.has_dialog = session.has_dialog();
            let is_asked = session.open_dialog.is_some() || session.question.is_some() || session.naming.is_some();
            focus.is_modal = has_list || is_asked || context.is_using_pointer();
            focus.takes_pointer = context.wants_pointer_input() || context.is_pointer_over_area() || focus.is_modal;
            focus.events = PointerEvent::of_frame(context);
            focus.is_key_first = is_key_first(context);
            // The Escape that leaves a control has no other effect.
            let had_focus = std::mem::replace(&mut session.has_focus, context.wants_keyboard_input());
            focus.takes_keyboard = had_focus || session.has_focus;
            self.typing.update(context, session.input.is_touch);
        });
        for command in commands {
            self.execute_or_show(command);
        }
        focus
    }

    /// Applies the size of the window and the settings of the panels.
    fn follow_window(&mut self) {
        let Self { view, session, .. } = self;
        let window_pixels = Vec2::new(screen_width(), screen_height()) * screen_dpi_scale();
        let (dpi, window) = (screen_dpi_scale(), &session.settings.window);
        view.has_minimap = window.minimap;
        view.legend_theme = theme::legend_theme(window.theme);
        view.map_scale = theme::map_scale(window_pixels, dpi, window.scale);
        view.pixels_per_point = theme::scaled_pixels_per_point(window_pixels, dpi, window.scale);
        egui_macroquad::cfg(|context| {
            theme::apply_theme(context, window.theme, session.input.is_touch);
            context.set_pixels_per_point(view.pixels_per_point);
            if session.input.is_touch {
                forget_finger(context);
            }
        });
    }

    pub(crate) fn draw(&mut self) {
        clear_background(BACKGROUND);
        if let Some(scene) = self.document.scene() {
            self.view.draw(scene, self.document.comparison().scene.as_ref(), self.document.revision());
            if self.session.tools.tool == Tool::Brush && !self.session.is_picture_of_map() {
                self.view.draw_brush(self.session.tools.brush_radius);
            }
        }
        egui_macroquad::draw();
    }
}

/// Draws a focus ring around the control, visible on every background.
fn draw_focus(context: &egui::Context) {
    const WIDTH: f32 = 2.0;
    if let Some(control) = context.memory(egui::Memory::focused).and_then(|id| context.read_response(id)) {
        let visuals = &context.style().visuals;
        let painter = context.layer_painter(control.layer_id);
        let stroke = egui::Stroke::new(WIDTH, theme::palette(visuals).changed);
        painter.rect_stroke(control.interact_rect.expand(WIDTH), 3.0, stroke, egui::StrokeKind::Outside);
    }
}

/// Drops the letters of keys pressed with Ctrl. X11 sends the letter before the key, when egui has not seen Ctrl yet.
#[cfg(target_os = "linux")]
fn drop_letters_of_chords(events: &mut Vec<Event>) {
    let is_letter_of = |letter: &str, next: Option<&Event>| match next {
        Some(Event::Copy | Event::Cut) => true,
        Some(Event::Key { modifiers, pressed: true, .. }) => modifiers.command,
        // The key of a typed letter follows it; a letter without a key belongs to Ctrl and V, whose text follows, if any.
        _ => letter.eq_ignore_ascii_case("v"),
    };
    let mut i = 0;
    while i < events.len() {
        match &events[i] {
            Event::Text(letter) if is_letter_of(letter, events.get(i + 1)) => {
                events.remove(i);
                i += 1; // a pasted text is not a letter
            }
            _ => i += 1,
        }
    }
}

/// Resets the pointer after a finger leaves the screen: no pointer is over the map, and the next touch is not a
/// movement.
fn forget_finger(context: &egui::Context) {
    context.input_mut(|input| {
        if !input.pointer.any_down() {
            input.pointer = egui::PointerState::default();
        }
    });
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use egui::{Key, Modifiers};

    #[test]
    fn a_key_with_ctrl_types_no_letter() {
        let text = |words: &str| Event::Text(words.to_owned());
        let key = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let kept = |mut events: Vec<Event>| {
            drop_letters_of_chords(&mut events);
            events
        };
        let typed = vec![text("v"), key(Key::V, Modifiers::NONE), text("x"), key(Key::X, Modifiers::NONE), text("é")];
        assert_eq!(kept(typed.clone()), typed);
        assert_eq!(kept(vec![text("v"), text("pasted")]), [text("pasted")]);
        assert_eq!(kept(vec![text("v"), text("v")]), [text("v")], "a pasted letter");
        assert_eq!(kept(vec![text("v")]), [], "there is nothing to paste");
        assert_eq!(kept(vec![text("c"), Event::Copy]), [Event::Copy]);
        let all = key(Key::A, Modifiers::COMMAND);
        assert_eq!(kept(vec![text("a"), all.clone()]), [all]);
    }
}
