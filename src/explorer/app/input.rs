//! What a person does: mouse, fingers, keys, and what is asked for on the panel.

use macroquad::input::{
    KeyCode, MouseButton, TouchPhase, is_key_down, is_key_pressed, is_mouse_button_down, is_mouse_button_pressed,
    mouse_position, mouse_wheel, touches,
};
use macroquad::math::Vec2;
use macroquad::time::get_frame_time;
use macroquad::window::screen_dpi_scale;
use toml::Value;

use super::App;
use crate::explorer::keys::{Action, BINDINGS, Held};
use crate::explorer::panel::Request;
use crate::explorer::pointer::{Gesture, Pointer};
use crate::explorer::tools::Tool;
use crate::explorer::touch::Pinched;
use crate::{ClockConfig, Preset};

/// A held key goes on after so many seconds, and then every so many.
const REPEAT_AFTER: f32 = 0.28;
const REPEAT_EVERY: f32 = 0.07;

impl App {
    pub(super) fn take_input(&mut self, wants_pointer: bool, wants_keyboard: bool) {
        let at = Vec2::from(mouse_position()) * self.map_pixels();
        let over_map = self.viewport().contains(at) && !wants_pointer;
        // Where no mouse is, as on a phone, it is said to be in the corner.
        self.hover = Some(at).filter(|at| over_map && *at != Vec2::ZERO);
        let buttons = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];
        let down = buttons.into_iter().any(|b| is_mouse_button_down(b) || is_mouse_button_pressed(b));
        if buttons.into_iter().any(is_mouse_button_pressed) {
            self.is_second_button = is_mouse_button_pressed(MouseButton::Right);
        }
        if self.take_pinch(over_map) {
            return;
        }
        let left = MouseButton::Left;
        let place = (self.viewport(), self.map_pixels());
        let (pressed, held) = (is_mouse_button_pressed(left), is_mouse_button_down(left));
        let free = over_map && !self.pointer.is_down();
        let taken = self.split.take_mouse(at, pressed, held, free, place);
        match self.pointer.update(at, down, over_map && !taken) {
            Some(Gesture::Click(at)) if self.is_second_button => self.pin(at),
            Some(Gesture::Click(at)) => self.click(at),
            Some(Gesture::Drag(by)) => self.drag(by),
            None => {}
        }
        if let Some(at) = self.pointer.rest(get_frame_time()) {
            self.pin(at);
        }
        let (_, wheel) = mouse_wheel();
        if over_map && wheel != 0.0 && !self.pointer.is_down() {
            self.zoom(if wheel > 0.0 { 1 } else { -1 }, at);
        }
        if !wants_keyboard {
            self.take_keys(get_frame_time());
        }
        if !down && self.held.is_none() {
            self.lift();
        }
    }

    /// Two fingers on the map; they are no press of the mouse.
    pub(super) fn take_pinch(&mut self, over_map: bool) -> bool {
        let on_screen = |phase| !matches!(phase, TouchPhase::Ended | TouchPhase::Cancelled);
        let mut fingers: Vec<_> = touches().into_iter().filter(|touch| on_screen(touch.phase)).collect();
        fingers.sort_by_key(|touch| touch.id);
        let pixels = self.map_pixels() / screen_dpi_scale(); // touches come in pixels of the screen
        let places: Vec<Vec2> = fingers.iter().map(|touch| touch.position * pixels).collect();
        let Some(Pinched { at, by, steps }) = self.pinch.update(if over_map { &places } else { &[] }) else {
            return false;
        };
        self.pointer = Pointer::resting(at);
        if by != Vec2::ZERO {
            self.drag(by);
        }
        if steps != 0 {
            self.zoom(steps, at);
        }
        true
    }

    pub(super) fn take_keys(&mut self, seconds: f32) {
        // Held, or pressed and let go again since the last frame.
        let down = |keys: &[KeyCode]| keys.iter().any(|key| is_key_down(*key) || is_key_pressed(*key));
        let ctrl = [KeyCode::LeftControl, KeyCode::RightControl, KeyCode::LeftSuper, KeyCode::RightSuper];
        let with = Held::of(down(&ctrl), down(&[KeyCode::LeftShift, KeyCode::RightShift]));
        let mut held = None;
        for binding in BINDINGS.iter().filter(|binding| binding.with == with) {
            if binding.keys.iter().any(|(code, _)| is_key_pressed(*code)) {
                self.act(binding.action);
                held = Some((binding.action, -REPEAT_AFTER));
            } else if binding.repeats && binding.keys.iter().any(|(code, _)| is_key_down(*code)) {
                held = held.or(self.held.filter(|(action, _)| *action == binding.action));
            }
        }
        self.held = held.map(|(action, since)| (action, since + seconds));
        if let Some((action, since)) = self.held
            && since >= 0.0
        {
            self.act(action);
            self.held = Some((action, since - REPEAT_EVERY));
        }
    }

    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Walk(step) => {
                self.route.clear();
                self.walk(step);
            }
            Action::Wait => self.change_scene(|scene| scene.wait()),
            Action::Zoom(steps) => {
                let middle = self.viewport().center();
                self.zoom(steps, self.hover.unwrap_or(middle));
            }
            Action::Centre => self.centre(),
            Action::Show(backdrop) => self.show(backdrop),
            Action::Reveal => self.reveal = !self.reveal,
            Action::Radius(by) => self.turn_radius(by),
            Action::Seed(by) => self.turn_seed(by),
            Action::Inspect => self.inspector.toggle(),
            Action::Split if self.split.is_open() => self.split.close(),
            Action::Split => self.split_with(self.split.contender()),
            Action::Legend => {
                let legend = !self.preset.paint.legend;
                self.turn("paint.legend", Some(Value::Boolean(legend)));
            }
            Action::Lamps => self.tools.toggle(Tool::Lamp),
            Action::Towers => self.tools.toggle(Tool::Tower),
            Action::SaveWalk => self.serve(Request::SaveWalk),
            Action::LoadWalk => self.serve(Request::LoadWalk),
            Action::Clock => {
                let runs = !self.preset.clock.runs;
                self.turn("clock.runs", Some(Value::Boolean(runs)));
            }
            Action::Hours(hours) => {
                let hour = (self.preset.clock.hour + f64::from(hours)).rem_euclid(ClockConfig::YEAR);
                let changes = [("clock.hour", Value::Float(hour)), ("clock.runs", Value::Boolean(true))];
                match self.preset.with(changes) {
                    Ok(preset) => self.take_noted(preset, Some("clock.hour")),
                    Err(error) => self.messages.complain(error.to_string()),
                }
            }
            Action::Forget => {
                for scene in self.scene.iter_mut().chain(self.split.scene_mut()) {
                    scene.forget();
                }
                self.turns += 1;
                self.version += 1;
            }
            Action::Export => self.export(None),
            Action::Screenshot => self.screenshot = Some(self.screenshot_path()),
            Action::Panel => self.show_panel = !self.show_panel,
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Help => self.show_help = !self.show_help,
            Action::Close if self.show_help => self.show_help = false,
            Action::Close => {
                self.inspector.unpin();
            }
        }
    }

    pub(super) fn serve(&mut self, request: Request) {
        match request {
            Request::Preset(name) => self.take_preset(&name),
            Request::Turn(key, value) => self.turn(key, value),
            Request::Reset(key) => self.reset(|knob| knob.key == key),
            Request::ResetSection(section) => {
                let land = self.land();
                self.reset(|knob| knob.section() == section && land.has(knob));
            }
            Request::Undo => self.undo(),
            Request::Redo => self.redo(),
            Request::Show(backdrop) => self.show(backdrop),
            Request::Reveal(reveal) => self.reveal = reveal,
            Request::Inspect(_) => self.inspector.toggle(),
            Request::Split(true) => self.split_with(self.split.contender()),
            Request::Split(false) => self.split.close(),
            Request::SplitWith(contender) => self.split_with(contender),
            Request::NextSeed => self.turn_seed(1),
            Request::Export => self.export(None),
            Request::NoLamps => self.take_noted(Preset { lamps: Vec::new(), ..self.preset.clone() }, None),
            Request::NoLookouts => self.take_noted(Preset { viewers: Vec::new(), ..self.preset.clone() }, None),
            Request::SaveWalk | Request::LoadWalk => {
                let saves = request == Request::SaveWalk;
                if let Err(error) = if saves { self.save_walk(None) } else { self.load_walk(None) } {
                    self.messages.complain(error);
                }
            }
            Request::SavePreset => self.save_preset(),
            Request::LeaveMap => self.leave_map(),
            Request::CopyCommand => self.copy_command(),
            Request::Screenshot => self.screenshot = Some(self.screenshot_path()),
            Request::Help => self.show_help = !self.show_help,
        }
    }
}
