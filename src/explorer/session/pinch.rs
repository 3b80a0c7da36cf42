//! [`Pinch`]: two fingers move and zoom the map.

use macroquad::math::Vec2;

/// The movement of two fingers in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PinchMove {
    /// The middle between the fingers.
    pub(super) at: Vec2,
    /// The movement of the middle.
    pub(super) by: Vec2,
    /// Zoom steps; positive if the fingers move apart.
    pub(super) steps: i32,
}

/// The growth of the distance between the fingers for one zoom step.
const STEP_RATIO: f32 = 1.25;

/// Follows two fingers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pinch {
    last: Option<(Vec2, f32)>,
}

impl Pinch {
    /// Follows the fingers for a frame. Any other number than two ends the gesture.
    pub(super) fn update(&mut self, fingers: &[Vec2]) -> Option<PinchMove> {
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
