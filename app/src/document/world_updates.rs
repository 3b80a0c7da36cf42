//! The scene follows the settings; its world and slow views are computed in the background.

use std::time::Duration;

use super::compared_scene::ComparedTo;
use super::shown::Shown;
use super::snapshot::{Origin, Snapshot};
use super::source::Source;
use super::stage::{Making, Refreshing, Stage};
use super::state::Document;
use crate::background::{LatestOutcome, Request, SceneCopy, Work, WorldRequest};
use farsight_scene::paint::Backdrop;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The time that a frame waits for views. Most are complete by then, and a frame without them would only delay them.
const WAIT_FOR_VIEWS: Duration = Duration::from_millis(20);

impl Document {
    /// Applies settings. The viewer keeps its cell if that is the same place in the new world. `before` is the document
    /// to return to if the world fails.
    pub(crate) fn adopt(&mut self, preset: Preset, before: Option<Snapshot>) {
        let keeps_viewer = self.has_same_cells(&preset);
        self.adopt_at(preset, keeps_viewer, before);
    }

    /// Applies settings. In a new world the viewer keeps its cell, or starts on a cell with a varied view.
    pub(crate) fn adopt_at(&mut self, mut preset: Preset, keeps_viewer: bool, before: Option<Snapshot>) {
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
        match &mut self.stage {
            Stage::Making(_) if !needs_world => self.stage = Stage::Ready, // the settings are back at the present world
            Stage::Making(making) => {
                let is_same_world = making.latest.follows_in_same_world(&preset);
                if !is_same_world {
                    making.latest.follow(request);
                }
            }
            _ if needs_world => self.stage.make(request, self.is_dragged, before),
            _ => {}
        }
        self.apply(preset);
    }

    /// Removes entries on cells from a preset with another world, unless they belong to the preset: these cells are
    /// other places in that world.
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

    /// Starts a world. `before` is the document to return to if it fails.
    pub(crate) fn make_world(&mut self, preset: Preset, viewer: Option<IVec2>, before: Option<Snapshot>) {
        let request = self.world_request(preset, viewer);
        self.stage.make(request, false, before);
    }

    fn world_request(&self, preset: Preset, viewer: Option<IVec2>) -> Request {
        let last_viewer = self.scene.as_ref().map(Scene::viewer);
        Request::World(WorldRequest { preset, viewer, last_viewer, ground: self.source.ground().cloned() })
    }

    /// Resets the state of another terrain: ends the current walk, and restarts the comparison.
    pub(crate) fn enter_terrain(&mut self) {
        self.stage.leave_refresh();
        self.motion.route.clear();
        self.motion.trail.clear();
        self.revision += 1;
        if self.comparison.is_open() {
            self.compare_with(self.comparison.to.clone());
        }
    }

    /// Continues the pending work. It is an error if the first scene fails.
    pub(crate) fn poll(&mut self, shown: &mut Shown) -> Result<(), String> {
        self.begin_refresh();
        let is_first = self.scene.is_none();
        match &mut self.stage {
            Stage::Making(making) => match making.latest.poll(is_first) {
                LatestOutcome::Working => {}
                LatestOutcome::Preview(scene) => {
                    making.before = None; // this world has succeeded
                    self.show_preview(*scene, shown);
                }
                LatestOutcome::Ready(scene) => self.enter_made(*scene, shown),
                LatestOutcome::Failed(error) => return self.return_from_failure(error, shown),
            },
            Stage::Refreshing(Refreshing { is_second, work, .. }) => {
                let (result, seconds, is_second) = (work.poll(WAIT_FOR_VIEWS), work.seconds(), *is_second);
                if let Some(result) = result {
                    self.end_refresh(is_second, result.map(|scene| (*scene, seconds)));
                }
            }
            Stage::Empty | Stage::Ready | Stage::Failed => {}
        }
        if let Some(scene) = &self.scene
            && !self.stage.is_making()
        {
            match self.comparison.poll(scene) {
                Ok(is_new) => self.revision += u64::from(is_new),
                Err(error) => self.errors.push(error),
            }
        }
        Ok(())
    }

    /// Refreshes a stale scene in the background, with its latest change. Does nothing without a stale scene or while a
    /// world is in progress.
    fn begin_refresh(&mut self) {
        if let Stage::Refreshing(Refreshing { is_second, revision, .. }) = &self.stage {
            let scene = if *is_second { &self.comparison.scene } else { &self.scene };
            if scene.as_ref().is_none_or(|scene| !scene.is_stale() || scene.revision() != *revision) {
                self.stage = Stage::Ready; // before the next starts
            }
        }
        let scenes = [(false, &self.scene), (true, &self.comparison.scene)];
        let stale = scenes.into_iter().filter_map(|(is_second, scene)| Some((is_second, scene.as_ref()?)));
        if let Stage::Ready = self.stage
            && let Some((is_second, scene)) = stale.into_iter().find(|(_, scene)| scene.is_stale())
        {
            let work = Work::start(Request::Views(SceneCopy::of(scene, self.source.ground())));
            self.stage = Stage::Refreshing(Refreshing { is_second, revision: scene.revision(), work });
        }
    }

    fn end_refresh(&mut self, is_second: bool, result: Result<(Scene, f64), String>) {
        self.stage = if result.is_ok() { Stage::Ready } else { Stage::Failed };
        match result {
            Ok((scene, _)) if is_second => self.comparison.scene = Some(scene),
            Ok((scene, seconds)) => (self.scene, self.sight_ms) = (Some(scene), seconds * 1000.0),
            Err(error) => self.errors.push(error),
        }
        self.revision += 1;
    }

    /// Shows a complete world.
    fn enter_made(&mut self, scene: Scene, shown: &mut Shown) {
        let Stage::Making(making) = std::mem::replace(&mut self.stage, Stage::Ready) else { return };
        let Making { latest, restored, .. } = *making;
        let request = latest.into_request();
        let wanted = request.world_preset().unwrap_or(scene.preset()).clone();
        let keeps_viewer = request.keeps_viewer();
        if let Request::Walk(walk) = request {
            let before = self.snapshot_with_terrain(shown);
            self.source = Source::of_walk(&walk, None);
            shown.backdrop = Backdrop::Land;
            self.record_terrain(before);
            self.set_origin(Origin::named(&walk.name, scene.preset()));
        }
        let is_same_cell = keeps_viewer && self.scene.as_ref().is_some_and(|old| old.viewer() == scene.viewer());
        if !is_same_cell {
            shown.enter_world(self.is_alike(&scene));
        }
        self.enter_scene(scene);
        self.enter_terrain();
        self.apply(wanted); // settings can have changed meanwhile
        if let Some(then) = restored {
            self.finish_restoring(&then, true, shown);
        }
        if self.check_layer(shown.backdrop).is_err() {
            shown.backdrop = Backdrop::Land;
        }
    }

    /// Returns to the document before the step of a failed world, so that preset, map and world match.
    fn return_from_failure(&mut self, error: String, shown: &mut Shown) -> Result<(), String> {
        let Stage::Making(making) = std::mem::take(&mut self.stage) else { return Ok(()) };
        if self.scene.is_none() {
            return Err(error);
        }
        self.stage = Stage::Ready;
        self.errors.push(error);
        if let Some(before) = making.before {
            self.return_to(before, shown);
        }
        let failed = making.latest.request().world_preset();
        if let Some(scene) = self.scene.as_ref().filter(|scene| scene.is_preview() && !self.stage.is_making())
            && failed.is_none_or(|failed| failed.world != scene.preset().world)
        {
            self.make_world(scene.preset().clone(), Some(scene.viewer()), None);
        }
        Ok(())
    }

    /// Shows a preview of the world, or a stale world.
    fn show_preview(&mut self, scene: Scene, shown: &mut Shown) {
        let is_same_cell =
            self.scene.as_ref().is_some_and(|old| (old.viewer(), old.size()) == (scene.viewer(), scene.size()));
        if !is_same_cell {
            shown.enter_world(self.is_alike(&scene));
        }
        self.enter_scene(scene);
        // A second world is slower than a preview, and follows with the complete world.
        if !(is_same_cell && matches!(self.comparison.to, ComparedTo::Seed(_))) {
            self.enter_terrain();
        }
        self.apply(self.preset().clone()); // settings can have changed meanwhile
        if self.check_layer(shown.backdrop).is_err() {
            shown.backdrop = Backdrop::Land;
        }
    }

    /// Returns `true` if the world of a scene differs from the present world at most by its seed.
    fn is_alike(&self, scene: &Scene) -> bool {
        let new = &scene.preset().world;
        self.scene.as_ref().is_some_and(|old| old.preset().world.clone().with_seed(new.seed) == *new)
    }

    /// Shows a scene. Hour and lookouts continue from those of the old scene.
    fn enter_scene(&mut self, mut scene: Scene) {
        if let Some(old) = &self.scene
            && let Err(error) = scene.defer(|scene| scene.continue_from(old))
        {
            self.errors.push(error.to_string());
        }
        self.scene = Some(scene);
    }

    /// Returns `true` if the scene shows the world of the settings, or a preview of it.
    pub(crate) fn has_followed(&self) -> bool {
        self.scene.as_ref().is_some_and(|scene| scene.preset().world == self.preset().world)
    }

    /// Returns `true` if the scene is a preview, which cannot be saved.
    pub(crate) fn shows_preview(&self) -> bool {
        self.stage.is_making() && self.scene.as_ref().is_some_and(Scene::is_preview)
    }
}

fn clear_if_same<T: PartialEq>(items: &mut Vec<T>, old: &[T]) {
    if items.as_slice() == old {
        items.clear();
    }
}
