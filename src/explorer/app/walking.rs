//! What is done on the map: steps, clicks, drags and zoom.

use macroquad::math::Vec2;

use crate::explorer::app::App;
use crate::explorer::command::Tool;
use crate::grid::CellRect;
use glam::IVec2;

impl App {
    pub(super) fn walk(&mut self, step: IVec2) {
        self.change_scene(|scene| scene.step(step));
        self.follow = true;
    }

    pub(super) fn click(&mut self, at: Vec2) {
        let viewport = self.viewport();
        let (Some(scene), Some(camera)) = (&self.scene, &self.camera) else { return };
        let cell = camera.cell_at(at, viewport);
        if self.tools.tool == Tool::Walk {
            self.route = scene.route(scene.viewer(), cell).unwrap_or_default().into();
        } else if CellRect::of_size(scene.size()).contains(cell) {
            self.take_noted(self.tools.used_on(&self.preset, cell), None);
        }
    }

    /// Explains the cell at a place, or lets go of it.
    pub(super) fn pin(&mut self, at: Vec2) {
        if let Some(cell) = self.camera.map(|camera| camera.cell_at(at, self.viewport()))
            && self.is_on_map(cell)
        {
            self.inspector.pin(cell);
        }
    }

    pub(super) fn is_on_map(&self, cell: IVec2) -> bool {
        self.scene.as_ref().is_some_and(|scene| CellRect::of_size(scene.size()).contains(cell))
    }

    pub(super) fn drag(&mut self, by: Vec2) {
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera) {
            camera.drag(by);
            camera.stay_on(scene.size());
            self.follow = false;
        }
    }

    pub(super) fn zoom(&mut self, steps: i32, at: Vec2) {
        let viewport = self.viewport();
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera) {
            camera.zoom_by(steps, at, scene.size(), viewport);
            camera.stay_on(scene.size());
            self.follow = false;
        }
    }

    pub(super) fn centre(&mut self) {
        self.follow = true;
        let viewport = self.viewport();
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera) {
            camera.follow(scene.viewer(), scene.size(), viewport);
        }
    }
}
