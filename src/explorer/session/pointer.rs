//! [`Pointer`]: turns presses and moves of the mouse into clicks and drags.

use macroquad::math::Vec2;

/// A gesture of the mouse on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gesture {
    /// A press and a release at one place.
    Click(Vec2),
    /// A move while a button is down.
    Drag(Vec2),
}

/// A press that moves farther than this, in pixels of the map view, is a drag.
const DRAG_DISTANCE: f32 = 5.0;

/// The duration of a long press, in seconds.
const LONG_PRESS_SECONDS: f32 = 0.55;

/// Follows the mouse.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pointer {
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
    /// Follows the mouse for a frame. `is_free` is `true` if the map may take a new press, `false` over a panel.
    pub(super) fn update(&mut self, at: Vec2, is_down: bool, is_free: bool) -> Option<Gesture> {
        match (&mut self.press, is_down) {
            (None, true) if is_free => {
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

    /// Lets time pass. Returns the place of a long press once; its release is no click.
    pub(super) fn long_press(&mut self, seconds: f32) -> Option<Vec2> {
        let press = self.press.as_mut().filter(|press| !press.is_drag)?;
        press.held += seconds;
        press.is_drag = press.held >= LONG_PRESS_SECONDS;
        press.is_drag.then_some(press.start)
    }

    /// Returns a pointer in a drag that starts at `at`.
    pub(super) fn dragging(at: Vec2) -> Self {
        Self { press: Some(Press { start: at, last: at, is_drag: true, held: 0.0 }) }
    }

    /// Returns `true` during a press on the map.
    pub(super) fn is_down(&self) -> bool {
        self.press.is_some()
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
}
