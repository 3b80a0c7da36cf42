//! [`GoalMarks`]: the marks of a goal on the map: a flag, rings, areas, the way, and what animals see.

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_circle, draw_circle_lines, draw_line, draw_triangle};

use crate::document::Camera;
use farsight::grid::CellRect;
use glam::IVec2;

const MARK: Color = Color::new(0.784, 0.149, 0.173, 1.0);
const RIM: Color = Color::new(1.0, 0.98, 0.925, 1.0);
const INK: Color = Color::new(0.251, 0.188, 0.141, 1.0);

/// The distance of an arrow from the edge of the map, its size, and the length of a dash, in points of the screen.
const EDGE: f32 = 20.0;
const ARROW: f32 = 13.0;
const DASH: f32 = 7.0;

/// The marks of a goal on the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GoalMarks {
    /// The cell to reach, or the best one so far.
    pub(crate) flag: Option<IVec2>,
    /// The cells of creatures to identify.
    pub(crate) rings: Vec<IVec2>,
    /// The parts of the map that count.
    pub(crate) areas: Vec<CellRect>,
    /// The cells of the way to the flag.
    pub(crate) way: Vec<IVec2>,
    pub(crate) gazes: Vec<Gaze>,
}

/// The cells that an animal can see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gaze {
    pub(crate) at: IVec2,
    /// In cells.
    pub(crate) radius: u32,
    /// The middle of its cone in degrees clockwise from the top of the map, and the angle of the cone.
    pub(crate) facing_deg: f64,
    pub(crate) span_deg: f64,
}

impl GoalMarks {
    /// Returns the cells to mark on the minimap.
    pub(super) fn cells(&self) -> impl Iterator<Item = IVec2> {
        let middles = self.areas.iter().map(|area| (area.min + area.max) / 2);
        self.flag.into_iter().chain(self.rings.iter().copied()).chain(middles)
    }

    /// Draws the marks on the map, and arrows to those outside of the viewport. `covered` is the place of the minimap.
    pub(super) fn draw(&self, camera: &Camera, viewport: Rect, covered: Option<Rect>, map_pixels: f32) {
        let canvas = MarkCanvas { viewport, map_pixels };
        for area in &self.areas {
            let [min, max] = [area.min, area.max].map(|cell| camera.corner_of(cell, viewport));
            canvas.dashes(&[min, vec2(max.x, min.y), max, vec2(min.x, max.y), min], INK);
        }
        for gaze in &self.gazes {
            canvas.dashes(&gaze.outline(camera, viewport), MARK);
        }
        for cell in self.way.iter().skip(1).step_by(2) {
            canvas.dot(camera.middle_of(*cell, viewport));
        }
        let places = self.rings.iter().map(|cell| (false, *cell)).chain(self.flag.map(|cell| (true, cell)));
        for (is_flag, cell) in places {
            let at = camera.middle_of(cell, viewport);
            match (viewport.contains(at), is_flag) {
                (true, true) => canvas.flag(at),
                (true, false) => canvas.ring(at),
                (false, _) => canvas.arrow(at, covered),
            }
        }
    }
}

impl Gaze {
    fn outline(&self, camera: &Camera, viewport: Rect) -> Vec<Vec2> {
        const STEPS: u32 = 48;
        let (middle, reach) = (camera.middle_of(self.at, viewport), camera.sides() * (self.radius as f32 + 0.5));
        let first = self.facing_deg - self.span_deg / 2.0;
        let arc = (0..=STEPS).map(|step| {
            let angle = (first + self.span_deg * f64::from(step) / f64::from(STEPS)).to_radians() as f32;
            middle + vec2(angle.sin(), -angle.cos()) * reach
        });
        let tip = (self.span_deg < 360.0).then_some(middle);
        tip.into_iter().chain(arc).chain(tip).collect()
    }
}

/// Draws shapes with a bright rim at places in pixels of the map view.
struct MarkCanvas {
    viewport: Rect,
    map_pixels: f32,
}

impl MarkCanvas {
    /// Draws a dashed line through points, as far as it is on the map.
    fn dashes(&self, points: &[Vec2], colour: Color) {
        let dash = DASH * self.map_pixels;
        let mut drawn = 0.0;
        for pair in points.windows(2) {
            let (from, way) = (pair[0], pair[1] - pair[0]);
            let pieces = (way.length() / dash).ceil().clamp(1.0, 2000.0);
            for piece in 0..pieces as u32 {
                let [start, end] = [piece, piece + 1].map(|at| from + way * (at as f32 / pieces));
                drawn += (end - start).length();
                let is_gap = (drawn / dash) as u32 % 2 == 1;
                if is_gap || !self.viewport.contains(start) || !self.viewport.contains(end) {
                    continue;
                }
                let [start, end] = [start, end].map(|at| at / self.map_pixels);
                for (width, colour) in [(4.0, RIM), (2.0, colour)] {
                    draw_line(start.x, start.y, end.x, end.y, width, colour);
                }
            }
        }
    }

    fn dot(&self, at: Vec2) {
        if self.viewport.contains(at) {
            let at = at / self.map_pixels;
            for (radius, colour) in [(2.6, RIM), (1.6, MARK)] {
                draw_circle(at.x, at.y, radius, colour);
            }
        }
    }

    fn ring(&self, at: Vec2) {
        let at = at / self.map_pixels;
        for (width, colour) in [(3.5, RIM), (2.0, MARK)] {
            draw_circle_lines(at.x, at.y, 11.0, width, colour);
        }
    }

    fn flag(&self, at: Vec2) {
        let at = at / self.map_pixels;
        let [top, foot] = [at - vec2(0.0, 22.0), at];
        for (grown, colour) in [(1.5, RIM), (0.0, MARK)] {
            draw_line(foot.x, foot.y + grown, top.x, top.y - grown, 2.0 + 2.0 * grown, colour);
            let [a, b, c] = [vec2(0.0, -grown), vec2(14.0 + 2.0 * grown, 5.0), vec2(0.0, 10.0 + grown)];
            draw_triangle(top + a, top + b, top + c, colour);
        }
    }

    /// Draws an arrow at the edge of the map to a place outside.
    fn arrow(&self, to: Vec2, covered: Option<Rect>) {
        let inside = EDGE * self.map_pixels;
        let (low, high) = (self.viewport.point() + inside, self.viewport.point() + self.viewport.size() - inside);
        let middle = self.viewport.center();
        let shares = ((to - middle) / ((high - low) / 2.0).max(Vec2::ONE)).abs();
        let mut at = middle + (to - middle) / shares.max_element().max(1.0);
        if let Some(covered) = covered.filter(|covered| covered.contains(at)) {
            at.x = covered.x - inside;
        }
        let (at, way) = (at / self.map_pixels, (to - at).normalize_or_zero());
        let across = vec2(-way.y, way.x);
        for (size, colour) in [(ARROW + 4.0, RIM), (ARROW, MARK)] {
            draw_triangle(at + way * size, at - (way - across) * size * 0.7, at - (way + across) * size * 0.7, colour);
        }
    }
}
