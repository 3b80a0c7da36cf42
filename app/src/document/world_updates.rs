//! The scene follows the settings; its world is made in the background if it must be.

use super::catching_up::UPDATES_AT_ONCE;
use super::compared_scene::ComparedTo;
use super::generation::{Generation, Outcome};
use super::shown::Shown;
use super::snapshot::Origin;
use super::source::Source;
use super::state::Document;
use super::task::{TaskError, WorldRequest};
use farsight_scene::paint::Backdrop;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use glam::IVec2;

impl Document {
    /// Takes over settings. The viewer stays on its cell if that is the same place in the new world.
    pub(crate) fn adopt(&mut self, preset: Preset) {
        let keeps_viewer = self.has_same_cells(&preset);
        self.adopt_at(preset, keeps_viewer);
    }

    /// Takes over settings. In a new world the viewer stays on its cell, or starts where the view is worth seeing.
    pub(crate) fn adopt_at(&mut self, mut preset: Preset, keeps_viewer: bool) {
        if let Some(ground) = self.source.ground() {
            preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        }
        self.leave_behind(&mut preset);
        let needs_world = match &self.scene {
            Some(scene) => self.source.has_world() && scene.needs_new_world(&preset),
            None => true,
        };
        let viewer = self.scene.as_ref().filter(|_| keeps_viewer).map(Scene::viewer);
        let request = self.world_request(preset.clone(), viewer);
        match &mut self.generation {
            _ if !needs_world => self.generation = None, // the settings are back at the world that is there
            Some(generation) if generation.preset().is_some_and(|wanted| wanted.world == preset.world) => {
                generation.set_preset(preset.clone());
            }
            Some(generation) => generation.follow(request),
            None => self.generation = Some(Generation::start(self.host, request, self.is_dragged)),
        }
        self.apply(preset);
    }

    /// Removes what is placed on cells from a preset with another world, unless the preset brings it: these cells are other places there.
    fn leave_behind(&self, preset: &mut Preset) {
        if self.has_same_cells(preset) {
            return;
        }
        let old = self.preset();
        clear_if_same(&mut preset.lamps, &old.lamps);
        clear_if_same(&mut preset.viewers, &old.viewers);
        clear_if_same(&mut preset.creatures, &old.creatures);
        clear_if_same(&mut preset.strokes, &old.strokes);
        clear_if_same(&mut preset.cells, &old.cells);
        clear_if_same(&mut preset.names, &old.names);
    }

    /// Returns `true` if a cell is the same place in the world of another preset.
    pub(crate) fn has_same_cells(&self, preset: &Preset) -> bool {
        let place = |preset: &Preset| (preset.world.seed, preset.world.width, preset.world.height);
        self.source.ground().is_some() || place(preset) == place(self.preset())
    }

    pub(crate) fn start_generation(&mut self, preset: Preset, viewer: Option<IVec2>) {
        self.generation = Some(Generation::start(self.host, self.world_request(preset, viewer), false));
    }

    fn world_request(&self, preset: Preset, viewer: Option<IVec2>) -> WorldRequest {
        let last_viewer = self.scene.as_ref().map(Scene::viewer);
        WorldRequest { preset, viewer, last_viewer, ground: self.source.ground().cloned() }
    }

    /// Adjusts what belongs to another terrain: the walk under way ends, and the comparison starts anew.
    pub(crate) fn enter_terrain(&mut self) {
        self.motion.route.clear();
        self.motion.trail.clear();
        self.revision += 1;
        if self.comparison.is_open() {
            self.compare_with(self.comparison.to.clone());
        }
    }

    /// Takes over a world that is ready.
    pub(crate) fn poll_generation(&mut self, shown: &mut Shown) -> Result<(), TaskError> {
        let keeps_viewer = self.generation.as_ref().is_some_and(|generation| generation.keeps_viewer);
        let is_first = self.scene.is_none();
        match self.generation.as_mut().map(|generation| generation.poll(is_first)) {
            Some(Outcome::Preview(scene)) => self.show_preview(*scene, shown),
            Some(Outcome::Ready(scene)) => {
                let wanted = self.generation.as_ref().and_then(Generation::preset).unwrap_or(scene.preset()).clone();
                if let Some(walk) = self.generation.take().and_then(|mut generation| generation.walk.take()) {
                    let before = self.snapshot_with_terrain(shown);
                    self.source = Source::of_walk(&walk, None);
                    shown.backdrop = Backdrop::Land;
                    self.record_terrain(before);
                    self.set_origin(Origin::named(&walk.name, scene.preset()));
                }
                let is_same_cell =
                    keeps_viewer && self.scene.as_ref().is_some_and(|old| old.viewer() == scene.viewer());
                self.generation = None;
                if !is_same_cell {
                    shown.enter_world(self.is_alike(&scene));
                }
                self.enter_scene(*scene);
                self.enter_terrain();
                self.apply(wanted); // settings may have changed meanwhile
                self.finish_restoring(true, shown);
                if self.check_layer(shown.backdrop).is_err() {
                    shown.backdrop = Backdrop::Land;
                }
            }
            Some(Outcome::Failed(error)) => {
                self.generation = None;
                let Some(scene) = &self.scene else { return Err(error) };
                let (is_preview, viewer) = (scene.is_preview(), scene.viewer());
                self.restoring = None;
                self.return_from_failed_generation(shown);
                self.errors.push(error.to_string());
                if is_preview && self.generation.is_none() {
                    self.start_generation(self.preset().clone(), Some(viewer));
                }
            }
            Some(Outcome::Working) | None => {}
        }
        Ok(())
    }

    /// Shows a preview of the world, or a world that is followed by a newer one.
    fn show_preview(&mut self, scene: Scene, shown: &mut Shown) {
        let is_same_cell =
            self.scene.as_ref().is_some_and(|old| (old.viewer(), old.size()) == (scene.viewer(), scene.size()));
        if !is_same_cell {
            shown.enter_world(self.is_alike(&scene));
        }
        self.enter_scene(scene);
        self.before_generation = None; // this world could be made
        // A second world takes longer than a preview, and follows with the world itself.
        if !(is_same_cell && matches!(self.comparison.to, ComparedTo::Seed(_))) {
            self.enter_terrain();
        }
        self.apply(self.preset().clone()); // settings may have changed meanwhile
        if self.check_layer(shown.backdrop).is_err() {
            shown.backdrop = Backdrop::Land;
        }
    }

    /// Returns `true` if the world of a scene differs from the present one by its seed at most.
    fn is_alike(&self, scene: &Scene) -> bool {
        let new = &scene.preset().world;
        self.scene.as_ref().is_some_and(|old| old.preset().world.clone().with_seed(new.seed) == *new)
    }

    /// Takes over a scene. Hour and lookouts go on from those of the old one.
    fn enter_scene(&mut self, mut scene: Scene) {
        if let Some(old) = &self.scene
            && let Err(error) = scene.continue_from(old)
        {
            self.errors.push(error.to_string());
        }
        scene.leave_views_over(UPDATES_AT_ONCE);
        self.scene = Some(scene);
    }

    /// Returns `true` if the scene shows the world of the settings, or a preview of it.
    pub(crate) fn has_followed(&self) -> bool {
        self.scene.as_ref().is_some_and(|scene| scene.preset().world == self.preset().world)
    }

    /// Returns `true` if the scene is a preview, which is no scene to save.
    pub(crate) fn shows_preview(&self) -> bool {
        self.generation.is_some() && self.scene.as_ref().is_some_and(Scene::is_preview)
    }
}
fn clear_if_same<T: PartialEq>(items: &mut Vec<T>, old: &[T]) {
    if items.as_slice() == old {
        items.clear();
    }
}
