//! [`InputReader`]: converts mouse, fingers and keys to commands. [`Pointer`] distinguishes clicks from drags, and
//! [`Pinch`] tracks two fingers.

use egui_macroquad::egui::{self, Event, Order, PointerButton};
use macroquad::input::{
    KeyCode, TouchPhase, is_key_down, is_key_pressed, is_key_released, mouse_position, mouse_wheel, touches,
};
use macroquad::math::Vec2;
use macroquad::window::screen_dpi_scale;

use crate::window::command::WindowCommand;
use crate::window::keys::{BINDINGS, Modifiers};
use crate::window::view::{DividerInput, MapView};

/// The delay before a held key repeats, and the interval of repeats, in seconds.
const REPEAT_DELAY: f32 = 0.28;
const REPEAT_INTERVAL: f32 = 0.07;

/// A movement, press or release of the mouse since the last frame. A slow frame has several, each at its own place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PointerEvent {
    /// The place in pixels of the screen.
    at: Vec2,
    /// The button, and whether it is pressed; `None` for a movement.
    button: Option<(PointerButton, bool)>,
    is_on_panel: bool,
}

impl PointerEvent {
    /// Returns the events of a frame in their order. Of successive movements only the last is kept.
    pub(crate) fn of_frame(context: &egui::Context) -> Vec<Self> {
        let scale = context.pixels_per_point();
        let is_on_panel = |at| match context.layer_id_at(at) {
            Some(layer) => layer.order != Order::Background || !context.available_rect().contains(at),
            None => false,
        };
        let event =
            |at: egui::Pos2, button| Self { at: Vec2::new(at.x, at.y) * scale, button, is_on_panel: is_on_panel(at) };
        let mut events: Vec<Self> = Vec::new();
        for input in context.input(|input| input.raw.events.clone()) {
            match input {
                Event::PointerMoved(at) => {
                    events.pop_if(|last| last.button.is_none());
                    events.push(event(at, None));
                }
                Event::PointerButton { pos, button, pressed, .. } => events.push(event(pos, Some((button, pressed)))),
                _ => {}
            }
        }
        events
    }
}

/// Returns `true` if a key came before the first button of a frame.
pub(crate) fn is_key_first(context: &egui::Context) -> bool {
    let is_key = |event: &Event| match event {
        Event::Key { pressed, .. } => pressed.then_some(true),
        Event::Text(_) => Some(true),
        Event::PointerButton { .. } => Some(false),
        _ => None,
    };
    context.input(|input| input.raw.events.iter().find_map(is_key)) == Some(true)
}

/// The parts of the input that the panels consume, so that the map ignores them.
#[derive(Debug, Default)]
pub(crate) struct PanelFocus {
    /// Mouse and fingers since the last frame.
    pub(crate) events: Vec<PointerEvent>,
    /// Whether a key came before the first button of a frame.
    pub(crate) is_key_first: bool,
    pub(crate) takes_pointer: bool,
    /// Whether a list, a question or a control in use keeps the pointer from the map everywhere.
    pub(crate) is_modal: bool,
    pub(crate) takes_keyboard: bool,
    /// Whether a dialog is open, which only accepts the keys that close it.
    pub(crate) has_dialog: bool,
}

/// The state of mouse, fingers and keys between frames.
#[derive(Debug, Default)]
pub(crate) struct InputReader {
    /// The command of the held key, and the seconds since its next repeat was due.
    held: Option<(WindowCommand, f32)>,
    pointer: Pointer,
    pinch: Pinch,
    /// The buttons that are down.
    down: Vec<PointerButton>,
    /// Whether the last press was of the right button.
    is_secondary: bool,
    /// Whether the last press was on a panel.
    is_on_panel: bool,
    /// Whether the last press was of a finger; initially `true` on a phone.
    pub(crate) is_touch: bool,
    /// Whether no button and no repeating key is down.
    pub(crate) is_released: bool,
}

impl InputReader {
    /// Returns the commands of a frame of some seconds. Also moves the pointer of the view and drags its visible divider. With
    /// `paints`, a drag paints.
    pub(crate) fn commands(
        &mut self,
        view: &mut MapView,
        (shows_divider, paints): (bool, bool),
        focus: &PanelFocus,
        seconds: f32,
    ) -> Vec<WindowCommand> {
        let mut commands = Vec::new();
        let (viewport, map_pixels) = (view.viewport(), view.map_pixels());
        let at = Vec2::from(mouse_position()) * map_pixels;
        let is_over_map = viewport.contains(at) && !focus.takes_pointer;
        let pinch = self.pinch_move(is_over_map, map_pixels);
        if let Some(pinch) = pinch {
            self.pointer = Pointer::dragging(pinch.at); // the fingers are not a press of the mouse
            if pinch.by != Vec2::ZERO {
                commands.push(WindowCommand::Pan(pinch.by));
            }
            if pinch.steps != 0 {
                commands.push(WindowCommand::ZoomAt(pinch.at, pinch.steps));
            }
        }
        if focus.is_key_first && pinch.is_none() && !focus.takes_keyboard {
            self.push_keys(seconds, focus.has_dialog, &mut commands);
        }
        for &event in &focus.events {
            self.note_buttons(event);
            if pinch.is_none() {
                let event = PointerEvent {
                    at: event.at * map_pixels / screen_dpi_scale(),
                    is_on_panel: event.is_on_panel || focus.is_modal,
                    ..event
                };
                commands.extend(self.pointer_command(event, view, (shows_divider, paints)));
            }
        }
        // A finger on a panel does not point at the map, even after it has left. Without a mouse, as on a phone, the
        // pointer is initially at the corner.
        let points_at_map = is_over_map && !(self.is_touch && self.is_on_panel);
        view.pointer = Some(at).filter(|at| points_at_map && *at != Vec2::ZERO);
        self.is_released = false;
        if pinch.is_some() {
            return commands;
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
        if !focus.is_key_first && !focus.takes_keyboard {
            self.push_keys(seconds, focus.has_dialog, &mut commands);
        }
        self.is_released = self.down.is_empty() && self.held.is_none();
        commands
    }

    fn note_buttons(&mut self, event: PointerEvent) {
        if let Some((button, is_pressed)) = event.button {
            self.down.retain(|down| *down != button);
            if is_pressed {
                self.down.push(button);
                self.is_touch = !touches().is_empty(); // a touch also counts as the mouse
            }
        }
    }

    /// Returns the command of an event at a place in pixels of the map view, and drags the visible divider.
    fn pointer_command(
        &mut self,
        event: PointerEvent,
        view: &mut MapView,
        (shows_divider, paints): (bool, bool),
    ) -> Option<WindowCommand> {
        let (viewport, map_pixels, at) = (view.viewport(), view.map_pixels(), event.at);
        let is_over_map = viewport.contains(at) && !event.is_on_panel;
        let pressed = event.button.filter(|(_, is_pressed)| *is_pressed).map(|(button, _)| button);
        if let Some(button) = pressed {
            self.is_secondary = button == PointerButton::Secondary;
            self.is_on_panel = !is_over_map;
        }
        let is_primary_down = self.down.contains(&PointerButton::Primary);
        let input = DividerInput {
            at,
            is_pressed: pressed == Some(PointerButton::Primary),
            is_down: is_primary_down,
            is_free: is_over_map && !self.pointer.is_down(),
        };
        let is_taken = view.divider.update(shows_divider, input, viewport, map_pixels);
        match self.pointer.update(at, !self.down.is_empty(), pressed.is_some() && is_over_map && !is_taken)? {
            Gesture::Click(at) if self.is_secondary => Some(WindowCommand::PinAt(at)),
            Gesture::Click(at) => Some(WindowCommand::Click(at)),
            Gesture::Drag(by) if paints && is_primary_down => Some(WindowCommand::Paint(at - by, at)),
            Gesture::Drag(by) => Some(WindowCommand::Pan(by)),
        }
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
        // A modifier also counts in the frame of its release: fast typists release Ctrl in the frame of the key.
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

/// A gesture of the mouse on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gesture {
    /// A press and a release at the same place.
    Click(Vec2),
    /// A move while a button is down.
    Drag(Vec2),
}

/// The maximum movement of a click, in pixels of the map view; a larger movement is a drag.
const DRAG_DISTANCE: f32 = 5.0;

/// The duration of a long press, in seconds.
const LONG_PRESS_SECONDS: f32 = 0.55;

/// Tracks the mouse.
#[derive(Clone, Copy, Debug, Default)]
struct Pointer {
    press: Option<Press>,
}

#[derive(Clone, Copy, Debug)]
struct Press {
    start: Vec2,
    last: Vec2,
    is_drag: bool,
    /// The time without a drag, in seconds.
    held: f32,
}

impl Pointer {
    /// Tracks the mouse for a frame. `begins` is `true` if a press starts on the map: a press that starts on a panel
    /// has no effect on the map.
    fn update(&mut self, at: Vec2, is_down: bool, begins: bool) -> Option<Gesture> {
        match (&mut self.press, is_down) {
            (None, true) if begins => {
                self.press = Some(Press { start: at, last: at, is_drag: false, held: 0.0 });
                None
            }
            (Some(press), true) => {
                press.is_drag |= (at - press.start).length() > DRAG_DISTANCE;
                let by = at - press.last;
                if !press.is_drag || by == Vec2::ZERO {
                    return None;
                }
                press.last = at;
                Some(Gesture::Drag(by))
            }
            (Some(press), false) => {
                let click = (!press.is_drag).then_some(Gesture::Click(press.start));
                self.press = None;
                click
            }
            (None, _) => None,
        }
    }

    /// Advances time. Returns the place of a long press once; its release is not a click.
    fn long_press(&mut self, seconds: f32) -> Option<Vec2> {
        let press = self.press.as_mut().filter(|press| !press.is_drag)?;
        press.held += seconds;
        press.is_drag = press.held >= LONG_PRESS_SECONDS;
        press.is_drag.then_some(press.start)
    }

    /// Returns a pointer with a drag that starts at `at`.
    fn dragging(at: Vec2) -> Self {
        Self { press: Some(Press { start: at, last: at, is_drag: true, held: 0.0 }) }
    }

    /// Returns `true` during a press on the map.
    fn is_down(&self) -> bool {
        self.press.is_some()
    }
}

/// The movement of two fingers in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PinchMove {
    /// The middle between the fingers.
    at: Vec2,
    /// The movement of the middle.
    by: Vec2,
    /// Zoom steps; positive if the fingers move apart.
    steps: i32,
}

/// The ratio of the distances between the fingers for one zoom step.
const STEP_RATIO: f32 = 1.25;

/// Tracks two fingers.
#[derive(Clone, Copy, Debug, Default)]
struct Pinch {
    last: Option<(Vec2, f32)>,
}

impl Pinch {
    /// Tracks the fingers for a frame. Any number other than two ends the gesture.
    fn update(&mut self, fingers: &[Vec2]) -> Option<PinchMove> {
        let &[a, b] = fingers else {
            self.last = None;
            return None;
        };
        let (at, distance) = ((a + b) / 2.0, (a - b).length().max(1.0));
        let (before, mut base) = self.last.unwrap_or((at, distance));
        let mut steps = 0;
        while distance >= base * STEP_RATIO {
            base *= STEP_RATIO;
            steps += 1;
        }
        while distance <= base / STEP_RATIO {
            base /= STEP_RATIO;
            steps -= 1;
        }
        self.last = Some((at, base));
        Some(PinchMove { at, by: at - before, steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use macroquad::math::vec2;

    #[test]
    fn a_press_without_a_move_is_a_click() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.update(vec2(10.0, 10.0), true, true), None);
        assert_eq!(pointer.update(vec2(12.0, 10.0), true, true), None);
        assert_eq!(pointer.update(vec2(12.0, 10.0), false, true), Some(Gesture::Click(vec2(10.0, 10.0))));
        pointer.update(vec2(10.0, 10.0), true, true);
        assert_eq!(pointer.update(vec2(30.0, 10.0), true, true), Some(Gesture::Drag(vec2(20.0, 0.0))));
        assert_eq!(pointer.update(vec2(30.0, 10.0), false, true), None);
    }

    #[test]
    fn a_long_press_is_no_click() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.long_press(9.0), None);
        pointer.update(vec2(10.0, 10.0), true, true);
        assert_eq!(pointer.long_press(0.3), None);
        assert_eq!(pointer.long_press(0.3), Some(vec2(10.0, 10.0)));
        assert_eq!(pointer.long_press(0.3), None, "it is reported once");
        assert_eq!(pointer.update(vec2(10.0, 10.0), false, true), None);
        pointer.update(vec2(10.0, 10.0), true, true);
        pointer.update(vec2(40.0, 10.0), true, true);
        assert_eq!(pointer.long_press(9.0), None, "a drag is no long press");
    }

    #[test]
    fn a_press_on_a_panel_does_nothing_on_the_map() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.update(vec2(1.0, 1.0), true, false), None);
        assert_eq!(pointer.update(vec2(50.0, 1.0), true, false), None);
        assert_eq!(pointer.update(vec2(50.0, 1.0), false, true), None);
    }

    #[test]
    fn fingers_that_move_apart_zoom_in() {
        let mut pinch = Pinch::default();
        let mut zoom = |half: f32| pinch.update(&[vec2(100.0 - half, 50.0), vec2(100.0 + half, 50.0)]).unwrap().steps;
        let steps = [zoom(40.0), zoom(45.0), zoom(51.0), zoom(160.0), zoom(40.0)];
        assert_eq!(steps, [0, 0, 1, 5, -6]);
    }

    #[test]
    fn two_fingers_move_the_map_and_one_does_not() {
        let mut pinch = Pinch::default();
        assert_eq!(pinch.update(&[vec2(0.0, 0.0)]), None);
        assert_eq!(pinch.update(&[vec2(0.0, 0.0), vec2(10.0, 0.0)]).unwrap().by, Vec2::ZERO);
        assert_eq!(pinch.update(&[vec2(4.0, 2.0), vec2(14.0, 2.0)]).unwrap().by, vec2(4.0, 2.0));
        assert_eq!(pinch.update(&[]), None);
        assert_eq!(pinch.update(&[vec2(50.0, 2.0), vec2(60.0, 2.0)]).unwrap().by, Vec2::ZERO);
    }
}
