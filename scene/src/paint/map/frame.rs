//! [`MapFrame`]: the edge of the map as a neat line, and the bare sheet beyond it.

use glam::{IVec2, Vec2};

use super::noise::noise;
use super::pixels::{Pixel, colour, line, pixel};
use super::style::Sheet;
use super::viewport::Viewport;

/// The brightness of the bare sheet around the map, relative to the sheet.
const BARE: f32 = 0.93;
/// The distances of the outer line, and of the ticks between both lines, in pixels.
const OUTER: f32 = 6.0;
const STRENGTH: f32 = 0.8;
/// The minimum spacing of ticks, in pixels.
const TICKS_APART: f32 = 48.0;

/// The edges of the map in a picture.
pub(crate) struct MapFrame {
    viewport: Viewport,
    /// The upper left and the lower right corner of the map, in pixels.
    corners: [Vec2; 2],
    /// The spacing of ticks, in pixels.
    ticks: Vec2,
    sheet: &'static Sheet,
}

impl MapFrame {
    /// Creates the frame of a map of `size` cells.
    pub(crate) fn new(viewport: &Viewport, size: IVec2, sheet: &'static Sheet) -> Self {
        let corners = [Vec2::ZERO, size.as_vec2()].map(|place| viewport.pixel(place));
        // The spacing of ticks is a power of two, in cells.
        let mut cells = 1.0;
        while cells * viewport.side() < TICKS_APART {
            cells *= 2.0;
        }
        Self { viewport: *viewport, corners, ticks: cells * viewport.scale, sheet }
    }

    /// Returns the pixels of a row that are at least partly on the map, or `None` if none are.
    pub(crate) fn columns_inside(&self, y: usize) -> Option<std::ops::Range<usize>> {
        let [low, high] = self.corners;
        let at_y = y as f32 + 0.5;
        if at_y < low.y - 1.0 || at_y > high.y + 1.0 {
            return None;
        }
        let [first, end] = [low.x.floor() - 1.0, high.x.ceil() + 1.0].map(|x| x.max(0.0) as usize);
        let end = end.min(self.viewport.width());
        (first < end).then_some(first..end)
    }

    /// Paints the pixels beyond the map in a row of some layers.
    pub(crate) fn paint_row<const N: usize>(&self, y: usize, mut layers: [&mut [Pixel]; N]) {
        let [low, high] = self.corners;
        let at_y = y as f32 + 0.5;
        let inside_y = (at_y - low.y).min(high.y - at_y);
        for x in 0..self.viewport.width() {
            let at_x = x as f32 + 0.5;
            let inside = (at_x - low.x).min(high.x - at_x).min(inside_y);
            if inside > 1.0 {
                continue;
            }
            let at = (self.viewport.origin + IVec2::new(x as i32, y as i32)).as_vec2();
            let grain = 1.0 + 0.02 * noise().sum(at.x, at.y, &[0.05, 0.3], 62);
            let bare = self.sheet.base * BARE * grain;
            let mut lines = line(inside + 1.0, 1.2).max(line(inside + OUTER, 1.0));
            if (-OUTER..-1.0).contains(&inside) {
                let is_tick = |at: f32, ticks: f32| (at - 0.5).rem_euclid(ticks) < 1.0;
                let from_corner = Vec2::new(at_x, at_y) - low;
                let across =
                    if inside_y > inside + 0.5 { (from_corner.y, self.ticks.y) } else { (from_corner.x, self.ticks.x) };
                lines = lines.max(f32::from(u8::from(is_tick(across.0, across.1))));
            }
            let bare = bare.lerp(self.sheet.ink, STRENGTH * lines);
            for layer in &mut layers {
                let out = &mut layer[x];
                *out = pixel(colour(*out).lerp(bare, (0.5 - inside).clamp(0.0, 1.0)), out[3]);
            }
        }
    }
}
