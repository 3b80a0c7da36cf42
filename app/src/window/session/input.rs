//! [`InputReader`]: turns mouse, fingers and keys into commands.

use macroquad::input::{
    KeyCode, MouseButton, TouchPhase, is_key_down, is_key_pressed, is_key_released, is_mouse_button_down,
    is_mouse_button_pressed, mouse_position, mouse_wheel, touches,
};
use macroquad::math::Vec2;
use macroquad::window::screen_dpi_scale;

use super::gestures::{Gesture, Pinch, PinchMove, Pointer};
use crate::window::command::WindowCommand;
use crate::window::keys::{BINDINGS, Modifiers};
use crate::window::view::{DividerInput, MapView};

/// The time before a held key repeats, and between two repeats, in seconds.
const REPEAT_DELAY: f32 = 0.28;
const REPEAT_INTERVAL: f32 = 0.07;

/// The parts of the input that the panels take, so that the map must not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PanelFocus {
    pub(crate) takes_pointer: bool,
    pub(crate) takes_keyboard: bool,
    /// `true` while a dialog is open: only the keys that close it count.
    pub(crate) has_dialog: bool,
}

/// The state of mouse, fingers and keys between frames.
#[derive(Debug, Default)]
pub(crate) struct InputReader {
    /// The command of the key that is held, and the seconds since its next repeat was due.
    held: Option<(WindowCommand, f32)>,
    pointer: Pointer,
    pinch: Pinch,
    /// `true` if the last press was of the right button.
    is_secondary: bool,
    /// `true` if the last press was on a panel.
    is_on_panel: bool,
    /// `true` if the last press was of a finger, or on a phone, before the first.
    pub(crate) is_touch: bool,
    /// `true` if neither a button nor a repeating key is down.
    pub(crate) is_released: bool,
}

impl InputReader {
    /// Returns the commands of a frame of some seconds. Also moves the pointer of the view and drags its divider, if that is shown. With
    /// `paints`, a drag paints.
    pub(crate) fn commands(
        &mut self,
        view: &mut MapView,
        (shows_divider, paints): (bool, bool),
        focus: PanelFocus,
        seconds: f32,
    ) -> Vec<WindowCommand> {
        let mut commands = Vec::new();
        let (viewport, map_pixels) = (view.viewport(), view.map_pixels());
        let at = Vec2::from(mouse_position()) * map_pixels;
        let is_over_map = viewport.contains(at) && !focus.takes_pointer;
        let buttons = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];
        let is_down = buttons.into_iter().any(|b| is_mouse_button_down(b) || is_mouse_button_pressed(b));
        let is_pressed = buttons.into_iter().any(is_mouse_button_pressed);
        if is_pressed {
            self.is_touch = !touches().is_empty(); // a touch also counts as the mouse
            self.is_secondary = is_mouse_button_pressed(MouseButton::Right);
            self.is_on_panel = !is_over_map;
        }
        // A finger that was on a panel points at nothing on the map, also when it has left. Without a mouse, as on a phone, the
        // pointer is at the corner at first.
        let points_at_map = is_over_map && !(self.is_touch && self.is_on_panel);
        view.pointer = Some(at).filter(|at| points_at_map && *at != Vec2::ZERO);
        self.is_released = false;
        if let Some(pinch) = self.pinch_move(is_over_map, map_pixels) {
            self.pointer = Pointer::dragging(pinch.at); // the fingers are no press of the mouse
            if pinch.by != Vec2::ZERO {
                commands.push(WindowCommand::Pan(pinch.by));
            }
            if pinch.steps != 0 {
                commands.push(WindowCommand::ZoomAt(pinch.at, pinch.steps));
            }
            return commands;
        }
        let input = DividerInput {
            at,
            is_pressed: is_mouse_button_pressed(MouseButton::Left),
            is_down: is_mouse_button_down(MouseButton::Left),
            is_free: is_over_map && !self.pointer.is_down(),
        };
        let is_taken = view.divider.update(shows_divider, input, viewport, map_pixels);
        match self.pointer.update(at, is_down, is_pressed && is_over_map && !is_taken) {
            Some(Gesture::Click(at)) if self.is_secondary => commands.push(WindowCommand::PinAt(at)),
            Some(Gesture::Click(at)) => commands.push(WindowCommand::Click(at)),
            Some(Gesture::Drag(by)) if paints && is_mouse_button_down(MouseButton::Left) => {
                commands.push(WindowCommand::Paint(at - by, at));
            }
            Some(Gesture::Drag(by)) => commands.push(WindowCommand::Pan(by)),
            None => {}
        }
        if !paints {
            commands.extend(self.pointer.long_press(seconds).map(WindowCommand::PinAt));
        }
        let (_, wheel) = mouse_wheel();
        if is_over_map && wheel != 0.0 && !self.pointer.is_down() {
            let steps = if wheel > 0.0 { 1 } else { -1 };
            let is_held = |keys: [KeyCode; 2]| paints && keys.into_iter().any(is_key_down);
            commands.push(match () {
                () if is_held([KeyCode::LeftControl, KeyCode::RightControl]) => WindowCommand::ResizeBrush(steps),
                () if is_held([KeyCode::LeftShift, KeyCode::RightShift]) => WindowCommand::StrengthenBrush(steps),
                () => WindowCommand::ZoomAt(at, steps),
            });
        }
        if !focus.takes_keyboard {
            self.push_keys(seconds, focus.has_dialog, &mut commands);
        }
        self.is_released = !is_down && self.held.is_none();
        commands
    }

    /// Returns the movement of two fingers on the map.
    fn pinch_move(&mut self, is_over_map: bool, map_pixels: f32) -> Option<PinchMove> {
        let is_on_screen = |phase| !matches!(phase, TouchPhase::Ended | TouchPhase::Cancelled);
        let mut fingers: Vec<_> = touches().into_iter().filter(|touch| is_on_screen(touch.phase)).collect();
        fingers.sort_by_key(|touch| touch.id);
        let scale = map_pixels / screen_dpi_scale(); // touches are in pixels of the screen
        let places: Vec<Vec2> = fingers.iter().map(|touch| touch.position * scale).collect();
        self.pinch.update(if is_over_map { &places } else { &[] })
    }

    fn push_keys(&mut self, seconds: f32, has_dialog: bool, commands: &mut Vec<WindowCommand>) {
        // A modifier counts in the frame of its release too: quick fingers release Ctrl in the frame of the key.
        let was_down = |key: &KeyCode| is_key_down(*key) || is_key_pressed(*key) || is_key_released(*key);
        let any = |keys: &[KeyCode]| keys.iter().any(was_down);
        let ctrl = [KeyCode::LeftControl, KeyCode::RightControl, KeyCode::LeftSuper, KeyCode::RightSuper];
        let modifiers = Modifiers::of(any(&ctrl), any(&[KeyCode::LeftShift, KeyCode::RightShift]));
        let mut held = None;
        let counts = |command: &WindowCommand| {
            !has_dialog || matches!(command, WindowCommand::Close | WindowCommand::ToggleOpenDialog)
        };
        for binding in BINDINGS.iter().filter(|binding| binding.modifiers == modifiers && counts(&binding.command)) {
            if binding.keys.iter().any(|(code, _)| is_key_pressed(*code)) {
                commands.push(binding.command.clone());
                held = Some((&binding.command, -REPEAT_DELAY));
            } else if binding.repeats && binding.keys.iter().any(|(code, _)| is_key_down(*code)) {
                let same = self.held.as_ref().filter(|(command, _)| *command == binding.command);
                held = held.or(same.map(|(_, since)| (&binding.command, *since)));
            }
        }
        self.held = held.map(|(command, since)| (command.clone(), since + seconds));
        if let Some((command, since)) = self.held.as_mut().filter(|(_, since)| *since >= 0.0) {
            *since -= REPEAT_INTERVAL;
            commands.push(command.clone());
        }
    }
}
