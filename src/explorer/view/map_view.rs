//! [`MapView`]: the map on the screen.

use egui_macroquad::egui;
use macroquad::math::{Rect, Vec2};
use macroquad::window::screen_dpi_scale;

use super::camera::{Camera, ViewState};
use super::canvas::{Canvas, CanvasOptions};
use super::divider::Divider;
use super::inspector::Inspector;
use crate::grid::CellRect;
use crate::paint::{Backdrop, Shading, Unseen};
use crate::perception::CellMemory;
use crate::scene::Scene;
use glam::IVec2;

pub(crate) struct MapView {
    pub(crate) state: ViewState,
    /// `true` if cells that were never seen are muted instead of hidden.
    pub(crate) reveals: bool,
    pub(crate) shading: Shading,
    pub(crate) divider: Divider,
    pub(crate) inspector: Inspector,
    /// The pointer over the map, in pixels of the map view.
    pub(crate) pointer: Option<Vec2>,
    /// The place of the map on the screen, in points of the panels.
    pub(crate) map_rect: egui::Rect,
    /// Pixels per point of the panels.
    pub(crate) pixels_per_point: f32,
    canvas: Canvas,
    right_canvas: Canvas,
}

impl MapView {
    pub(crate) fn new(backdrop: Backdrop, reveals: bool, shading: Shading) -> Self {
        Self {
            state: ViewState { backdrop, ..ViewState::default() },
            reveals,
            shading,
            divider: Divider::default(),
            inspector: Inspector::default(),
            pointer: None,
            map_rect: egui::Rect::ZERO,
            pixels_per_point: 1.0,
            canvas: Canvas::default(),
            right_canvas: Canvas::default(),
        }
    }

    /// Returns the pixels of the map view per point of the screen. On a display with small pixels a pixel of the map view
    /// is a square of several, so that marks and letters keep their size.
    pub(crate) fn map_pixels(&self) -> f32 {
        screen_dpi_scale() / self.pixels_per_point.floor().max(1.0)
    }

    /// Converts pixels of the map view to points of the panels.
    pub(crate) fn to_points(&self, map_pixels: f32) -> f32 {
        map_pixels * self.pixels_per_point.floor().max(1.0) / self.pixels_per_point
    }

    /// Returns the part of the screen with the map, above its legend, in pixels of the map view.
    pub(crate) fn viewport(&self) -> Rect {
        let (rect, scale) = (self.map_rect, self.pixels_per_point / self.pixels_per_point.floor().max(1.0));
        let height = rect.height() * scale - self.canvas.legend_height();
        Rect::new(rect.left() * scale, rect.top() * scale, (rect.width() * scale).max(1.0), height.max(1.0))
    }

    /// Returns the height of the legend in points of the panels.
    pub(crate) fn legend_points(&self) -> f32 {
        self.to_points(self.canvas.legend_height())
    }

    /// Returns the cell at a point, which may be off the map.
    pub(crate) fn cell_at(&self, point: Vec2) -> Option<IVec2> {
        self.state.camera.map(|camera| camera.cell_at(point, self.viewport()))
    }

    /// Returns the cell below the pointer, if it is on the map.
    pub(crate) fn hovered(&self, scene: &Scene) -> Option<IVec2> {
        self.cell_at(self.pointer?).filter(|cell| CellRect::of_size(scene.size()).contains(*cell))
    }

    /// Returns the height of the explained cell on the screen, in points of the panels.
    pub(crate) fn target_y(&self) -> Option<f32> {
        let (camera, target) = self.state.camera.zip(self.inspector.target())?;
        Some(self.to_points(camera.corner_of(target, self.viewport()).y))
    }

    /// Fits the camera to what is seen if there is none yet, and centres the viewer if the camera follows.
    pub(crate) fn update_camera(&mut self, scene: &Scene, revision: u64) {
        let viewport = self.viewport();
        if self.state.camera.is_none() {
            let reach = seen_reach(scene);
            let showing = |viewport| Camera::showing(scene.viewer(), reach, scene.size(), viewport);
            // The height of the legend depends on the camera, and the camera on that height.
            let options = self.canvas_options(showing(viewport), revision);
            self.canvas.update_legend(scene, &options);
            self.state.camera = Some(showing(self.viewport()));
        }
        let viewport = self.viewport();
        if let Some(camera) = self.state.camera.as_mut().filter(|_| self.state.camera_follows) {
            camera.centre_on(scene.viewer(), scene.size(), viewport);
        }
    }

    pub(crate) fn pan(&mut self, scene: Option<&Scene>, by: Vec2) {
        if let (Some(scene), Some(camera)) = (scene, &mut self.state.camera) {
            camera.drag(by);
            camera.stay_on(scene.size());
            self.state.camera_follows = false;
        }
    }

    pub(crate) fn zoom(&mut self, scene: Option<&Scene>, steps: i32, at: Vec2) {
        let viewport = self.viewport();
        if let (Some(scene), Some(camera)) = (scene, &mut self.state.camera) {
            camera.zoom_by(steps, at, scene.size(), viewport);
            camera.stay_on(scene.size());
            (self.state.camera_follows, self.state.has_chosen_zoom) = (false, true);
        }
    }

    /// Draws the map, the second method right of the divider, and the corridor of the inspector.
    pub(crate) fn draw(&mut self, scene: &Scene, right: Option<&Scene>, revision: u64) {
        let Some(camera) = self.state.camera else { return };
        let options = self.canvas_options(camera, revision);
        let (viewport, map_pixels) = (options.viewport, options.map_pixels);
        self.canvas.draw(scene, &options, None);
        if let Some(right) = right {
            self.right_canvas.draw(right, &options, Some(self.divider.column(viewport)));
            self.divider.draw(viewport, map_pixels);
        }
        self.inspector.draw(&camera, viewport, map_pixels);
    }

    fn canvas_options(&self, camera: Camera, revision: u64) -> CanvasOptions {
        CanvasOptions {
            camera,
            viewport: self.viewport(),
            map_pixels: self.map_pixels(),
            backdrop: self.state.backdrop,
            unseen: if self.reveals { Unseen::Mapped } else { Unseen::Remembered },
            shading: self.shading,
            revision,
        }
    }
}

/// The least [`seen_reach`], in cells: around a viewer in the dark the land is still to be recognised.
const MIN_REACH: i32 = 6;

/// Returns how many columns and rows around the viewer hold what is seen.
fn seen_reach(scene: &Scene) -> IVec2 {
    let (CellRect { min, max }, viewer) = (scene.seen_frame(), scene.viewer());
    let cells = (min.y..max.y).flat_map(|y| (min.x..max.x).map(move |x| IVec2::new(x, y)));
    let seen = cells.filter(|&cell| scene.memory(cell) == CellMemory::Visible);
    seen.fold(IVec2::splat(MIN_REACH), |reach, cell| reach.max((cell - viewer).abs()))
}
