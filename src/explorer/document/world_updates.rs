//! The scene follows the settings; its world is made in the background if it must be.

use super::generation::{Generation, Outcome};
use super::snapshot::Origin;
use super::state::Document;
use crate::explorer::error::ExploreError;
use crate::explorer::view::ViewState;
use crate::paint::Backdrop;
use crate::preset::Preset;
use crate::scene::Scene;
use glam::IVec2;

impl Document {
    /// Takes over settings. The viewer stays on its cell if that is the same place in the new world.
    pub(super) fn adopt(&mut self, preset: Preset) {
        let keeps_viewer = self.has_same_cells(&preset);
        self.adopt_at(preset, keeps_viewer);
    }

    /// Takes over settings. In a new world the viewer stays on its cell, or starts where the view is worth seeing.
    pub(super) fn adopt_at(&mut self, mut preset: Preset, keeps_viewer: bool) {
        if let Some(ground) = &self.ground {
            preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        }
        let old = std::mem::replace(&mut self.preset, preset);
        let has_world = self.map.is_none() || self.ground.is_some();
        let needs_world = match &self.scene {
            Some(scene) => has_world && scene.needs_new_world(&self.preset),
            None => true,
        };
        if !needs_world {
            self.generation = None; // the settings are back at the world that is there
        } else if old.world != self.preset.world || self.generation.is_none() {
            let viewer = self.scene.as_ref().filter(|_| keeps_viewer).map(Scene::viewer);
            self.start_generation(viewer);
        }
        if self.scene.is_some() {
            self.apply_preset();
        }
    }

    /// Returns `true` if a cell is the same place in the world of another preset.
    pub(super) fn has_same_cells(&self, preset: &Preset) -> bool {
        let place = |preset: &Preset| (preset.world.seed, preset.world.width, preset.world.height);
        self.ground.is_some() || place(preset) == place(&self.preset)
    }

    pub(super) fn start_generation(&mut self, viewer: Option<IVec2>) {
        self.generation = Some(Generation::start(self.preset.clone(), viewer, self.ground.clone()));
    }

    /// Adjusts what belongs to another terrain: the walk under way ends, and the comparison starts anew.
    pub(super) fn enter_terrain(&mut self) {
        self.motion.route.clear();
        self.revision += 1;
        if self.comparison.is_open() {
            self.compare_with(self.comparison.to.clone());
        }
    }

    /// Takes over a world that is ready.
    pub(super) fn poll_generation(&mut self, view: &mut ViewState) -> Result<(), ExploreError> {
        let keeps_viewer = self.generation.as_ref().is_some_and(|generation| generation.keeps_viewer);
        match self.generation.as_ref().map(Generation::poll) {
            Some(Outcome::Ready(scene)) => {
                if let Some(walk) = self.generation.take().and_then(|mut generation| generation.walk.take()) {
                    let before = self.snapshot_with_terrain(view);
                    (self.map, self.ground) = (walk.map.clone(), None);
                    self.preset = scene.preset().clone();
                    view.backdrop = Backdrop::Land;
                    self.record_terrain(before);
                    self.set_origin(Origin::named(&walk.name, &self.preset));
                }
                let is_same_cell =
                    keeps_viewer && self.scene.as_ref().is_some_and(|old| old.viewer() == scene.viewer());
                self.scene = Some(*scene);
                if !is_same_cell {
                    view.enter_world();
                }
                self.enter_terrain();
                self.apply_preset(); // settings may have changed meanwhile
                self.finish_restoring(true, view);
                if self.check_layer(view.backdrop).is_err() {
                    view.backdrop = Backdrop::Land;
                }
            }
            Some(Outcome::Failed(error)) => {
                self.generation = None;
                let Some(scene) = &self.scene else { return Err(error) };
                let old_world = scene.preset().world.clone();
                self.restoring = None;
                if !self.return_from_failed_generation(view) {
                    self.preset.world = old_world;
                }
                self.errors.push(error.to_string());
            }
            Some(Outcome::Working) | None => {}
        }
        Ok(())
    }
}
