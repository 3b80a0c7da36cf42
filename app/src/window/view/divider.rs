//! [`Divider`]: the draggable line between two methods.

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2};
use macroquad::shapes::{draw_circle, draw_rectangle, draw_triangle};

/// The line between two methods.
pub(crate) struct Divider {
    /// The position, from 0 at the left to 1 at the right of the map.
    share: f32,
    is_grabbed: bool,
}

/// The maximum distance to grab the divider, in points of the screen.
const GRAB_DISTANCE: f32 = 7.0;

/// The minimum distance to the sides of the map, in points of the screen.
const MARGIN: f32 = 12.0;

/// The position of the handle, from 0 at the top to 1 at the bottom, away from the viewer in the middle.
const HANDLE: f32 = 0.75;

const LINE: Color = Color::new(1.0, 1.0, 1.0, 1.0);
const EDGE: Color = Color::new(0.05, 0.05, 0.07, 1.0);

/// The primary mouse button over the divider in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DividerInput {
    /// The pointer in pixels of the map view.
    pub(crate) at: Vec2,
    pub(crate) is_pressed: bool,
    pub(crate) is_down: bool,
    /// Whether no other control takes a press at the pointer.
    pub(crate) is_free: bool,
}

impl Default for Divider {
    fn default() -> Self {
        Self { share: 0.5, is_grabbed: false }
    }
}

impl Divider {
    /// Returns the column of the divider, in pixels of the map view.
    pub(crate) fn column(&self, viewport: Rect) -> f32 {
        (viewport.x + self.share * viewport.w).round()
    }

    /// Returns `true` if a press here grabs the divider.
    pub(crate) fn is_near(&self, at: Vec2, viewport: Rect, map_pixels: f32) -> bool {
        viewport.contains(at) && (at.x - self.column(viewport)).abs() <= GRAB_DISTANCE * map_pixels
    }

    /// Moves the divider to a column, clamped to the map.
    pub(crate) fn move_to(&mut self, x: f32, viewport: Rect, map_pixels: f32) {
        let margin = (MARGIN * map_pixels).min(viewport.w / 2.0);
        let x = x.clamp(viewport.x + margin, viewport.right() - margin);
        self.share = (x - viewport.x) / viewport.w;
    }

    /// Tracks the mouse for a frame while the divider is shown. Returns `true` if the map must ignore the mouse.
    pub(crate) fn update(&mut self, is_shown: bool, input: DividerInput, viewport: Rect, map_pixels: f32) -> bool {
        let DividerInput { at, is_pressed, is_down, is_free } = input;
        let is_near = is_shown && is_free && self.is_near(at, viewport, map_pixels);
        self.is_grabbed = is_shown && is_down && (self.is_grabbed || (is_pressed && is_near));
        if self.is_grabbed {
            self.move_to(at.x, viewport, map_pixels);
        }
        self.is_grabbed || is_near
    }

    pub(crate) fn draw(&self, viewport: Rect, map_pixels: f32) {
        let (x, top) = (self.column(viewport) / map_pixels, viewport.y / map_pixels);
        let height = viewport.h / map_pixels;
        draw_rectangle(x - 2.0, top, 4.0, height, EDGE);
        draw_rectangle(x - 1.0, top, 2.0, height, LINE);
        let middle = top + height * HANDLE;
        draw_circle(x, middle, 11.0, EDGE);
        draw_circle(x, middle, 9.5, LINE);
        for side in [-1.0, 1.0] {
            let corner = |dx: f32, dy: f32| Vec2::new(x + side * dx, middle + dy);
            draw_triangle(corner(2.0, -4.0), corner(2.0, 4.0), corner(7.0, 0.0), EDGE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divider_is_dragged_and_stays_on_the_map() {
        let viewport = Rect { x: 100.0, y: 0.0, w: 800.0, h: 600.0 };
        let mut divider = Divider::default();
        let mut update = |is_shown, x, is_pressed, is_down, is_free| {
            let input = DividerInput { at: Vec2::new(x, 300.0), is_pressed, is_down, is_free };
            (divider.update(is_shown, input, viewport, 1.0), divider.column(viewport))
        };
        assert_eq!(update(false, 500.0, true, true, true), (false, 500.0), "hidden, it takes nothing");
        assert_eq!(update(true, 450.0, true, true, true), (false, 500.0), "too far away");
        assert_eq!(update(true, 504.0, true, true, true), (true, 504.0));
        assert_eq!(update(true, 300.0, false, true, false), (true, 300.0), "grabbed, it follows anywhere");
        assert_eq!(update(true, 5000.0, false, true, false), (true, 888.0));
        assert_eq!(update(true, 300.0, false, false, true), (false, 888.0), "released");
    }
}
