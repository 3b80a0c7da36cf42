//! A frame: where the map is on the screen, the panels around it, and the map itself.

use egui_macroquad::egui;
use macroquad::color::Color;
use macroquad::input::{KeyCode, is_key_pressed};
use macroquad::math::{Rect, Vec2};
use macroquad::window::{clear_background, screen_dpi_scale, screen_height, screen_width};

use crate::compare::ComparedMethod;
use crate::explorer::app::App;
use crate::explorer::canvas::Look;
use crate::explorer::hud;
use crate::explorer::panel;
use crate::explorer::panel::PanelState;
use crate::explorer::regenerate::Generation;
use crate::explorer::turned;
use crate::grid::CellRect;
use crate::paint::Unseen;
use glam::IVec2;

const BEHIND_THE_MAP: Color = Color::new(0.03, 0.03, 0.05, 1.0);

impl App {
    /// Pixels of the map a point of the screen. On a display with small pixels, a pixel of the map
    /// is a square of several, so that its marks and letters keep their size.
    pub(super) fn map_pixels(&self) -> f32 {
        screen_dpi_scale() / self.scale.floor().max(1.0)
    }

    /// The part of the screen that shows the map, above its legend, in pixels of the map.
    pub(super) fn viewport(&self) -> Rect {
        let (rect, scale) = (self.map_rect, self.scale / self.scale.floor().max(1.0));
        let height = rect.height() * scale - self.canvas.legend_height();
        Rect::new(rect.left() * scale, rect.top() * scale, (rect.width() * scale).max(1.0), height.max(1.0))
    }

    /// Nothing is being made, and nobody is on the way.
    pub(super) fn is_idle(&self) -> bool {
        self.scene.is_some() && self.generation.is_none() && self.route.is_empty()
    }

    /// The cell below the pointer, if the pointer is over the map.
    pub(super) fn hovered(&self) -> Option<IVec2> {
        let (scene, camera, at) = (self.scene.as_ref()?, self.camera?, self.hover?);
        let cell = camera.cell_at(at, self.viewport());
        CellRect::of_size(scene.size()).contains(cell).then_some(cell)
    }

    pub(super) fn ui(&mut self) -> (bool, bool) {
        let mut commands = Vec::new();
        let (mut wants_pointer, mut wants_keyboard) = (false, false);
        let hovered = self.hovered();
        self.scale = hud::scale(Vec2::new(screen_width(), screen_height()) * screen_dpi_scale(), screen_dpi_scale());
        egui_macroquad::cfg(|context| context.set_pixels_per_point(self.scale));
        let viewport = self.viewport();
        let map_pixels = self.map_pixels();
        let is_right = self.hover.is_some_and(|at| self.split.is_right(at, viewport));
        let land = self.land();
        let takes_divider = self.hover.is_some_and(|at| self.split.is_near(at, viewport, map_pixels));
        let of = (self.version, is_right && self.split.is_open());
        if let Some(scene) = if of.1 { self.split.scene() } else { self.scene.as_ref() } {
            self.inspector.look(scene, hovered, of);
        }
        let target_y = self
            .camera
            .zip(self.inspector.target())
            .map(|(camera, target)| camera.corner_of(target, viewport).y * self.scale.floor().max(1.0) / self.scale);
        egui_macroquad::ui(|context| {
            let scene = if is_right { self.split.scene() } else { self.scene.as_ref() };
            hud::status(context, scene, hovered, self.sight_ms, self.time_runs);
            if self.show_panel {
                let mut state = PanelState {
                    preset: &self.preset,
                    name: &self.name,
                    turned: turned::turned(&self.preset, &self.base),
                    steps: self.history.steps(),
                    folds: &mut self.kept.now.open,
                    width: &mut self.kept.now.panel_width,
                    backdrop: self.backdrop,
                    reveal: self.reveal,
                    inspects: self.inspector.follows(),
                    land,
                    has_land: self.scene.as_ref().is_none_or(|scene| scene.world().is_some()),
                    split: self.split.is_open(),
                    other: self.split.contender(),
                    time_runs: self.time_runs,
                    tools: &mut self.tools,
                    export_name: &mut self.export_name,
                    preset_file: &mut self.preset_file,
                    walk_file: &mut self.walk_file,
                };
                commands = panel::show(context, &mut state);
            }
            self.map_rect = context.available_rect();
            if let (Some(left), Some(right)) = (&self.scene, self.split.scene()) {
                let titles = [left, right].map(|scene| ComparedMethod::of(scene.preset()).title());
                hud::sides(
                    context,
                    self.map_rect,
                    self.split.line(viewport) * self.scale.floor().max(1.0) / self.scale,
                    titles,
                );
            }
            if takes_divider {
                context.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
            }
            if let Some(fault) = &self.fault {
                hud::fault(context, self.map_rect, fault);
            }
            self.messages.show(context, self.map_rect);
            if let Some(done) = self.generation.as_ref().map(Generation::done) {
                hud::progress(context, self.map_rect, done);
            }
            let legend = self.canvas.legend_height() * self.scale.floor().max(1.0) / self.scale;
            self.inspector.show(context, self.map_rect, target_y, legend);
            if self.show_help {
                hud::help(context, self.map_rect, &mut self.show_help);
            } else {
                hud::hint(context, self.map_rect, legend, self.tools.hint(), self.show_panel);
            }
            if is_key_pressed(KeyCode::Tab) {
                // It shows and hides the panel; it does not also go from one slider to the next and take all keys there.
                context.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
            }
            wants_pointer = context.wants_pointer_input() || context.is_pointer_over_area();
            wants_keyboard = context.wants_keyboard_input();
        });
        for command in commands {
            self.execute_or_show(command);
        }
        (wants_pointer, wants_keyboard)
    }

    /// What is shown, and how.
    pub(super) fn look(&self) -> Look {
        let unseen = if self.reveal { Unseen::Mapped } else { Unseen::Remembered };
        Look { backdrop: self.backdrop, unseen, version: self.version }
    }

    pub(super) fn draw(&mut self) {
        clear_background(BEHIND_THE_MAP);
        let (viewport, map_pixels) = (self.viewport(), self.map_pixels());
        if let (Some(scene), Some(camera)) = (&self.scene, &self.camera) {
            let look = self.look();
            self.canvas.draw(scene, camera, viewport, map_pixels, look);
            self.split.draw(camera, viewport, map_pixels, look);
            self.inspector.draw(camera, viewport, map_pixels);
        }
        egui_macroquad::draw();
    }
}
