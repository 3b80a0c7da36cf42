//! [`Pointer`]: turns presses and moves of the mouse into clicks and drags. [`Pinch`]: two fingers move and zoom the map.

use macroquad::math::Vec2;

/// A gesture of the mouse on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gesture {
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
pub(crate) struct Pointer {
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
    /// Follows the mouse for a frame. `begins` is `true` if a press begins on the map: one that comes from a panel does nothing there.
    pub(crate) fn update(&mut self, at: Vec2, is_down: bool, begins: bool) -> Option<Gesture> {
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

    /// Lets time pass. Returns the place of a long press once; its release is no click.
    pub(crate) fn long_press(&mut self, seconds: f32) -> Option<Vec2> {
        let press = self.press.as_mut().filter(|press| !press.is_drag)?;
        press.held += seconds;
        press.is_drag = press.held >= LONG_PRESS_SECONDS;
        press.is_drag.then_some(press.start)
    }

    /// Returns a pointer in a drag that starts at `at`.
    pub(crate) fn dragging(at: Vec2) -> Self {
        Self { press: Some(Press { start: at, last: at, is_drag: true, held: 0.0 }) }
    }

    /// Returns `true` during a press on the map.
    pub(crate) fn is_down(&self) -> bool {
        self.press.is_some()
    }
}

/// The movement of two fingers in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PinchMove {
    /// The middle between the fingers.
    pub(crate) at: Vec2,
    /// The movement of the middle.
    pub(crate) by: Vec2,
    /// Zoom steps; positive if the fingers move apart.
    pub(crate) steps: i32,
}

/// The growth of the distance between the fingers for one zoom step.
const STEP_RATIO: f32 = 1.25;

/// Follows two fingers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pinch {
    last: Option<(Vec2, f32)>,
}

impl Pinch {
    /// Follows the fingers for a frame. Any other number than two ends the gesture.
    pub(crate) fn update(&mut self, fingers: &[Vec2]) -> Option<PinchMove> {
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
