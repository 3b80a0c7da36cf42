//! [`Split`]: a second method beside the scene's own, on the right of a divider that can be dragged.

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2};
use macroquad::shapes::{draw_circle, draw_rectangle, draw_triangle};

use super::camera::Camera;
use super::canvas::{Canvas, Look};
use crate::compare::ComparedMethod;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};

/// A second method on the same world, seen by the same viewer. It remembers what it saw itself.
pub(super) struct Split {
    contender: ComparedMethod,
    scene: Option<Scene>,
    canvas: Canvas,
    /// Where the divider stands, from 0 at the left to 1 at the right of the map.
    share: f32,
    grabbed: bool,
}

/// The divider is grabbed from so many points of the screen away.
const REACH: f32 = 7.0;

/// It stays so many points inside the map.
const INSET: f32 = 12.0;

/// Where on the divider its handle sits, from the top: the viewer is often in the middle.
const HANDLE: f32 = 0.75;

const LINE: Color = Color::new(1.0, 1.0, 1.0, 1.0);
const EDGE: Color = Color::new(0.05, 0.05, 0.07, 1.0);

impl Default for Split {
    fn default() -> Self {
        Self { contender: ComparedMethod::Beam, scene: None, canvas: Canvas::default(), share: 0.5, grabbed: false }
    }
}

impl Split {
    /// The method on the right, whether it is shown or not.
    pub(super) fn contender(&self) -> ComparedMethod {
        self.contender
    }

    /// The scene on the right, if it is shown.
    pub(super) fn scene(&self) -> Option<&Scene> {
        self.scene.as_ref()
    }

    /// The same, to change it as the scene on the left is changed.
    pub(super) fn scene_mut(&mut self) -> Option<&mut Scene> {
        self.scene.as_mut()
    }

    pub(super) fn is_open(&self) -> bool {
        self.scene.is_some()
    }

    /// Shows what a method sees of a scene.
    pub(super) fn open(&mut self, contender: ComparedMethod, left: &Scene) -> Result<(), SceneError> {
        let mut scene = left.clone();
        scene.apply(contender.over(left.preset()))?;
        self.contender = contender;
        self.scene = Some(scene);
        Ok(())
    }

    /// What will be shown once there is a scene.
    pub(super) fn choose(&mut self, contender: ComparedMethod) {
        self.contender = contender;
    }

    pub(super) fn close(&mut self) {
        self.scene = None;
        self.grabbed = false;
    }

    /// Takes over a preset, but for the method.
    pub(super) fn apply(&mut self, preset: &Preset) -> Result<(), SceneError> {
        match &mut self.scene {
            Some(scene) => scene.apply(self.contender.over(preset)),
            None => Ok(()),
        }
    }

    /// Where the divider stands, in pixels of the map.
    pub(super) fn line(&self, viewport: Rect) -> f32 {
        (viewport.x + self.share * viewport.w).round()
    }

    /// Whether a pixel of the map is on the right of the divider.
    pub(super) fn is_right(&self, at: Vec2, viewport: Rect) -> bool {
        self.is_open() && at.x >= self.line(viewport)
    }

    /// Whether a press here takes the divider.
    pub(super) fn is_near(&self, at: Vec2, viewport: Rect, map_pixels: f32) -> bool {
        self.is_open() && viewport.contains(at) && (at.x - self.line(viewport)).abs() <= REACH * map_pixels
    }

    /// Moves the divider to a pixel of the map, as far as the map reaches.
    pub(super) fn move_to(&mut self, x: f32, viewport: Rect, map_pixels: f32) {
        let inset = (INSET * map_pixels).min(viewport.w / 2.0);
        let x = x.clamp(viewport.x + inset, viewport.right() - inset);
        self.share = (x - viewport.x) / viewport.w;
    }

    /// One frame of the mouse; whether the divider takes it, so that the map does not.
    pub(super) fn take_mouse(&mut self, at: Vec2, pressed: bool, down: bool, free: bool, place: (Rect, f32)) -> bool {
        let (viewport, map_pixels) = place;
        let near = free && self.is_near(at, viewport, map_pixels);
        self.grabbed = self.is_open() && down && (self.grabbed || (pressed && near));
        if self.grabbed {
            self.move_to(at.x, viewport, map_pixels);
        }
        self.grabbed || near
    }

    /// Draws the right side, and the divider.
    pub(super) fn draw(&mut self, camera: &Camera, viewport: Rect, map_pixels: f32, look: Look) {
        let x = self.line(viewport);
        let Some(scene) = &self.scene else { return };
        self.canvas.draw_right_of(x, scene, camera, viewport, map_pixels, look);
        let (x, top, height) = (x / map_pixels, viewport.y / map_pixels, viewport.h / map_pixels);
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
    use crate::perception::Sense;
    use crate::sight::OpacityMap;
    use glam::ivec2;

    const VIEWPORT: Rect = Rect { x: 100.0, y: 0.0, w: 800.0, h: 600.0 };

    fn scene() -> Scene {
        let mut map = OpacityMap::clear(21, 21).unwrap();
        map.set(ivec2(13, 11), 1.0).unwrap();
        Scene::on_map(Preset::default(), map, Some(ivec2(10, 10)), crate::job::Job::quiet()).unwrap()
    }

    #[test]
    fn the_divider_is_dragged_and_stays_on_the_map() {
        let mut split = Split::default();
        let place = (VIEWPORT, 1.0);
        assert!(!split.take_mouse(Vec2::new(500.0, 300.0), true, true, true, place), "closed, it takes nothing");
        split.open(ComparedMethod::Shadowcast, &scene()).unwrap();
        assert_eq!(split.line(VIEWPORT), 500.0);
        assert!(!split.take_mouse(Vec2::new(450.0, 300.0), true, true, true, place), "too far away");
        assert!(split.take_mouse(Vec2::new(504.0, 300.0), true, true, true, place));
        assert!(split.take_mouse(Vec2::new(300.0, 20.0), false, true, false, place), "held, it follows anywhere");
        assert_eq!(split.line(VIEWPORT), 300.0);
        assert!(split.is_right(Vec2::new(301.0, 0.0), VIEWPORT) && !split.is_right(Vec2::new(299.0, 0.0), VIEWPORT));
        split.take_mouse(Vec2::new(5000.0, 20.0), false, true, false, place);
        assert_eq!(split.line(VIEWPORT), 888.0);
        assert!(!split.take_mouse(Vec2::new(300.0, 20.0), false, false, true, place), "released");
        assert_eq!(split.line(VIEWPORT), 888.0);
    }

    #[test]
    fn both_sides_share_a_viewer_but_not_a_method() {
        let left = scene();
        let mut split = Split::default();
        split.open(ComparedMethod::Shadowcast, &left).unwrap();
        let right = split.scene().unwrap();
        assert_eq!(right.viewer(), left.viewer());
        assert_eq!(ComparedMethod::of(right.preset()), ComparedMethod::Shadowcast);
        let behind = ivec2(18, 13); // half in the shadow of the pillar
        assert_ne!(right.visibility(behind), left.visibility(behind));
        let mut preset = left.preset().clone();
        preset.sight.radius = 2;
        split.apply(&preset).unwrap();
        assert_eq!(split.scene().unwrap().sense(ivec2(10, 4)), Sense::Hidden);
        assert_eq!(ComparedMethod::of(split.scene().unwrap().preset()), ComparedMethod::Shadowcast);
        split.close();
        assert!(!split.is_open());
    }
}
