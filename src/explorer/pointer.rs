//! [`Pointer`]: presses and moves of the mouse as clicks and drags.

use macroquad::math::Vec2;

/// What was done with the mouse over the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gesture {
    /// Pressed and released on one place.
    Click(Vec2),
    /// Moved by so much while pressed.
    Drag(Vec2),
}

/// A press that moves farther than this, in pixels, is a drag.
const SLACK: f32 = 5.0;

/// A press that rests for so many seconds is a long one.
const LONG: f32 = 0.55;

/// Follows the mouse.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pointer {
    press: Option<Press>,
}

#[derive(Clone, Copy, Debug)]
struct Press {
    start: Vec2,
    last: Vec2,
    dragging: bool,
    /// How long it has rested, in seconds.
    rested: f32,
}

impl Pointer {
    /// One frame: where the mouse is, whether a button is down, and whether the map may take a new
    /// press (it may not where the pointer is over a panel).
    pub(super) fn update(&mut self, at: Vec2, down: bool, free: bool) -> Option<Gesture> {
        match (&mut self.press, down) {
            (None, true) if free => {
                self.press = Some(Press { start: at, last: at, dragging: false, rested: 0.0 });
                None
            }
            (Some(press), true) => {
                press.dragging |= (at - press.start).length() > SLACK;
                let by = at - press.last;
                if !press.dragging || by == Vec2::ZERO {
                    return None;
                }
                press.last = at;
                Some(Gesture::Drag(by))
            }
            (Some(press), false) => {
                let click = (!press.dragging).then_some(Gesture::Click(press.start));
                self.press = None;
                click
            }
            (None, _) => None,
        }
    }

    /// Lets so many seconds pass, and answers once where a press has rested for long. It is no click any more then.
    pub(super) fn rest(&mut self, seconds: f32) -> Option<Vec2> {
        let press = self.press.as_mut().filter(|press| !press.dragging)?;
        press.rested += seconds;
        press.dragging = press.rested >= LONG;
        press.dragging.then_some(press.start)
    }

    /// A press that is a drag already, and moves nothing until it moves from `at`.
    pub(super) fn resting(at: Vec2) -> Self {
        Self { press: Some(Press { start: at, last: at, dragging: true, rested: 0.0 }) }
    }

    /// Whether a press on the map is under way.
    pub(super) fn is_down(&self) -> bool {
        self.press.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use macroquad::math::vec2;

    #[test]
    fn a_still_press_is_a_click_and_a_moving_one_a_drag() {
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
        assert_eq!(pointer.rest(9.0), None);
        pointer.update(vec2(10.0, 10.0), true, true);
        assert_eq!(pointer.rest(0.3), None);
        assert_eq!(pointer.rest(0.3), Some(vec2(10.0, 10.0)));
        assert_eq!(pointer.rest(0.3), None, "it is said once");
        assert_eq!(pointer.update(vec2(10.0, 10.0), false, true), None);
        pointer.update(vec2(10.0, 10.0), true, true);
        pointer.update(vec2(40.0, 10.0), true, true);
        assert_eq!(pointer.rest(9.0), None, "a drag does not rest");
    }

    #[test]
    fn a_press_on_a_panel_is_never_the_maps() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.update(vec2(1.0, 1.0), true, false), None);
        assert_eq!(pointer.update(vec2(50.0, 1.0), true, false), None);
        assert_eq!(pointer.update(vec2(50.0, 1.0), false, true), None);
    }
}
