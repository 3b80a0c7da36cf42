//! What a person does: mouse, fingers, keys.

use macroquad::input::{
    KeyCode, MouseButton, TouchPhase, is_key_down, is_key_pressed, is_key_released, is_mouse_button_down,
    is_mouse_button_pressed, mouse_position, mouse_wheel, touches,
};
use macroquad::math::Vec2;
use macroquad::time::get_frame_time;
use macroquad::window::screen_dpi_scale;

use crate::explorer::app::App;
use crate::explorer::command::Command;
use crate::explorer::keys::{BINDINGS, Modifiers};
use crate::explorer::pointer::{Gesture, Pointer};
use crate::explorer::touch::Pinched;

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
            Some(Gesture::Click(at)) if self.is_second_button => self.execute_or_show(Command::PinAt(at)),
            Some(Gesture::Click(at)) => self.execute_or_show(Command::Click(at)),
            Some(Gesture::Drag(by)) => self.execute_or_show(Command::Pan(by)),
            None => {}
        }
        if let Some(at) = self.pointer.rest(get_frame_time()) {
            self.execute_or_show(Command::PinAt(at));
        }
        let (_, wheel) = mouse_wheel();
        if over_map && wheel != 0.0 && !self.pointer.is_down() {
            self.execute_or_show(Command::ZoomAt(at, if wheel > 0.0 { 1 } else { -1 }));
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
            self.execute_or_show(Command::Pan(by));
        }
        if steps != 0 {
            self.execute_or_show(Command::ZoomAt(at, steps));
        }
        true
    }

    pub(super) fn take_keys(&mut self, seconds: f32) {
        // Held, pressed, or let go since the last frame: whoever is quick lets go of Ctrl in the frame of the key.
        let held = |key: KeyCode| is_key_down(key) || is_key_pressed(key) || is_key_released(key);
        let down = |keys: &[KeyCode]| keys.iter().any(|key| held(*key));
        let ctrl = [KeyCode::LeftControl, KeyCode::RightControl, KeyCode::LeftSuper, KeyCode::RightSuper];
        let modifiers = Modifiers::of(down(&ctrl), down(&[KeyCode::LeftShift, KeyCode::RightShift]));
        let mut held = None;
        for binding in BINDINGS.iter().filter(|binding| binding.modifiers == modifiers) {
            if binding.keys.iter().any(|(code, _)| is_key_pressed(*code)) {
                self.execute_or_show(binding.command.clone());
                held = Some((&binding.command, -REPEAT_AFTER));
            } else if binding.repeats && binding.keys.iter().any(|(code, _)| is_key_down(*code)) {
                let same = self.held.as_ref().filter(|(command, _)| *command == binding.command);
                held = held.or(same.map(|(_, since)| (&binding.command, *since)));
            }
        }
        self.held = held.map(|(command, since)| (command.clone(), since + seconds));
        if let Some((command, since)) = &mut self.held
            && *since >= 0.0
        {
            *since -= REPEAT_EVERY;
            let command = command.clone();
            self.execute_or_show(command);
        }
    }
}
