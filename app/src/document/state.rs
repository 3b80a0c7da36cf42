//! [`Document`]: a preset, its terrain, its scene and its undo history.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::compared_scene::{ComparedScene, ComparedTo};
use super::preset_diff;
use super::preset_watch::PresetWatch;
use super::snapshot::{Origin, Snapshot};
use super::source::{DocumentOptions, Source};
use super::stage::Stage;
use super::undo_stack::{UndoStack, UndoSteps};
use crate::background::{Latest, Request, Work, WorldRequest, refresh_if_quick};
use crate::host::{ON_PAGE, now};
use farsight::grid::CellRect;
use farsight_scene::export::{ExportOptions, Link, SavedWalk};
use farsight_scene::files::MapSource;
use farsight_scene::paint::Backdrop;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneError};
use glam::IVec2;

/// A preset, its terrain, its scene and its undo history.
pub(crate) struct Document {
    pub(crate) origin: Origin,
    pub(crate) watch: Option<PresetWatch>,
    /// The fault of the preset file.
    pub(crate) file_error: Option<String>,
    pub(crate) source: Source,
    /// The files that the terrain is read from.
    pub(crate) input_files: Vec<PathBuf>,
    /// Names and bytes of opened pictures without a path.
    pub(crate) pictures: Vec<(String, Vec<u8>)>,
    pub(crate) scene: Option<Scene>,
    pub(super) stage: Stage,
    /// Whether the last change continues a step, as with a dragged slider.
    pub(crate) is_dragged: bool,
    pub(crate) comparison: ComparedScene,
    pub(crate) motion: Motion,
    pub(crate) history: UndoStack<Snapshot>,
    /// The number of steps, turns, clock changes and forgets.
    pub(crate) turns: u64,
    /// Changes with every change of a scene.
    pub(crate) revision: u64,
    /// The time of the last field of view in milliseconds.
    pub(super) sight_ms: f64,
    /// Pending errors.
    pub(crate) errors: Vec<String>,
}

/// The current walk, and running time.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    /// The remaining steps.
    pub(crate) route: VecDeque<IVec2>,
    /// The cells of the last steps, up to that of the viewer.
    pub(crate) trail: VecDeque<IVec2>,
    /// Seconds since the last step, and between steps.
    pub(crate) since_step: f32,
    pub(crate) step_seconds: f32,
    pub(crate) time_runs: bool,
    /// Pending minutes of the clock.
    pub(crate) minutes: f64,
    pub(crate) flames: Flames,
}

/// The time of flickering lamps.
#[derive(Debug, Default)]
pub(crate) struct Flames {
    pub(crate) seconds: f64,
    /// Pending seconds of the lamps.
    pub(crate) next: f32,
}

impl Document {
    pub(crate) fn new(options: DocumentOptions) -> Self {
        let DocumentOptions { source, preset, viewer, scene, name, preset_file: file, input_files } = options;
        let mut stage = Stage::Ready;
        if scene.is_none() {
            let ground = source.ground().cloned();
            let request = WorldRequest { preset: preset.clone(), viewer, last_viewer: None, ground };
            // A page is slow to generate a world. A preview would start on another cell.
            stage.make(Request::World(request), ON_PAGE && viewer.is_some(), None);
        }
        let path = file.as_ref().map(|file| file.display().to_string());
        let base = Origin::named(path.as_deref().unwrap_or(&name), &preset).base;
        Self {
            watch: file.as_deref().map(PresetWatch::new),
            origin: Origin { name, base, file },
            file_error: None,
            source,
            input_files,
            pictures: Vec::new(),
            scene: scene.map(|scene| *scene),
            stage,
            is_dragged: false,
            comparison: ComparedScene::default(),
            motion: Motion::default(),
            history: UndoStack::default(),
            turns: 0,
            revision: 0,
            sight_ms: 0.0,
            errors: Vec::new(),
        }
    }

    /// Returns the settings: those of the world in progress, or else of the scene. The scene follows them immediately,
    /// except for its world.
    pub(crate) fn preset(&self) -> &Preset {
        self.stage.preset().or(self.scene.as_ref().map(Scene::preset)).unwrap_or(&self.origin.base)
    }

    /// Returns the settings at the present hour, with lookouts on their present cells.
    pub(crate) fn present_preset(&self) -> Preset {
        match &self.scene {
            Some(scene) => scene.state().under(scene.preset(), self.preset()).applied_to(self.preset()),
            None => self.preset().clone(),
        }
    }

    /// Returns the name of the preset; empty on an opened map of opacities.
    pub(crate) fn name(&self) -> &str {
        &self.origin.name
    }

    /// Returns `true` if the preset was read from this file, or on a page from the text that is kept under this name.
    pub(crate) fn is_from(&self, path: &Path) -> bool {
        self.origin.is_from(path)
    }

    pub(crate) fn map(&self) -> Option<&MapSource> {
        self.source.map()
    }

    /// Returns the files that the terrain is read from.
    #[cfg(test)]
    pub(crate) fn input_files(&self) -> &[PathBuf] {
        &self.input_files
    }

    pub(crate) fn scene(&self) -> Option<&Scene> {
        self.scene.as_ref()
    }

    pub(crate) fn comparison(&self) -> &ComparedScene {
        &self.comparison
    }

    /// Returns a number that changes with every change of a scene.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns a number that changes with every step, turn and passage of time.
    pub(crate) fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns a number that changes with the work of the user: 0 before the first step or change.
    pub(crate) fn work(&self) -> u64 {
        let is_untouched = self.turns == 0 && self.undo_steps().undo == 0;
        if is_untouched { 0 } else { self.revision + self.turns }
    }

    /// Returns the time of the last field of view in milliseconds.
    pub(crate) fn sight_ms(&self) -> f64 {
        self.sight_ms
    }

    /// Returns the fault of the preset file.
    pub(crate) fn file_error(&self) -> Option<&str> {
        self.file_error.as_deref()
    }

    /// Returns `true` if a preset file is watched.
    pub(crate) fn watches_file(&self) -> bool {
        self.watch.is_some()
    }

    /// Removes and returns the pending errors.
    pub(crate) fn take_errors(&mut self) -> Vec<String> {
        std::mem::take(&mut self.errors)
    }

    /// Returns the progress of the world in progress, from 0 to 1.
    pub(crate) fn progress(&self) -> Option<f32> {
        self.stage.latest().map(Latest::progress)
    }

    /// Returns the progress of a slow world, from 0 to 1. Most worlds are too fast for a progress bar.
    pub(crate) fn slow_progress(&self) -> Option<f32> {
        let second = || self.comparison.making.as_ref().and_then(Work::slow_progress);
        self.stage.latest().and_then(Latest::slow_progress).or_else(second)
    }

    pub(crate) fn undo_steps(&self) -> UndoSteps {
        self.history.steps()
    }

    /// Returns the keys that differ from the initial preset.
    pub(crate) fn changed_keys(&self) -> BTreeSet<&'static str> {
        preset_diff::changed_keys(self.preset(), &self.origin.base)
    }

    /// Returns the preset to save. If settings were changed, its description names them instead of repeating that of
    /// the initial preset.
    pub(crate) fn preset_to_save(&self) -> Preset {
        let name_of = |key: &str| key.rsplit('.').next().unwrap_or(key).replace('_', " ");
        let changed: Vec<String> = self.changed_keys().into_iter().map(name_of).collect();
        let preset = self.present_preset();
        match changed.len() {
            0 => preset,
            1..=4 => preset.with_about(format!("{} with another {}.", self.name(), changed.join(", "))),
            count => preset.with_about(format!("{} with {count} settings changed.", self.name())),
        }
    }

    /// Returns `true` if the scene has its views, no world is in progress and no walk is running. Running time does not count.
    pub(crate) fn is_settled(&self) -> bool {
        let is_making = self.stage.is_making() || self.comparison.making.is_some();
        self.scene.is_some() && !is_making && !self.is_stale() && self.motion.route.is_empty()
    }

    /// Returns `true` if views are pending.
    pub(crate) fn is_stale(&self) -> bool {
        !matches!(self.stage, Stage::Failed) && self.scenes().any(Scene::is_stale)
    }

    /// Returns `true` while climate and rivers settle.
    pub(crate) fn is_settling_land(&self) -> bool {
        self.scenes().any(Scene::is_unsettled)
    }

    /// Returns the progress of slow views, or of slow climate and rivers, from 0 to 1.
    pub(crate) fn views_progress(&self) -> Option<f32> {
        match &self.stage {
            Stage::Refreshing(refreshing) => refreshing.work.slow_progress(),
            _ => None,
        }
    }

    fn scenes(&self) -> impl Iterator<Item = &Scene> {
        self.scene.iter().chain(&self.comparison.scene)
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns `true` if the scene has air, woods and hills; dungeons and maps of opacities have none.
    pub(crate) fn has_landscape(&self) -> bool {
        self.scene.as_ref().is_none_or(|scene| scene.world().is_some())
    }

    pub(crate) fn contains(&self, cell: IVec2) -> bool {
        self.scene.as_ref().is_some_and(|scene| CellRect::of_size(scene.size()).contains(cell))
    }

    /// Returns `true` for a door on a cell that the viewer sees or has seen.
    pub(crate) fn knows_door(&self, cell: IVec2) -> bool {
        self.scene.as_ref().is_some_and(|scene| scene.known_door(cell).is_some())
    }

    /// Checks that the scene has a layer.
    pub(crate) fn check_layer(&self, backdrop: Backdrop) -> Result<(), SceneError> {
        match (backdrop, &self.scene) {
            (Backdrop::Layer(layer), Some(scene)) => {
                scene.layer(layer, CellRect::around(scene.viewer(), 0)).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Returns the scene to save. It is an error if it is absent, only a preview, or without its views.
    pub(crate) fn scene_to_save(&self) -> Result<&Scene, &'static str> {
        match &self.scene {
            Some(scene) if scene.is_stale() => Err("the view is still being computed; try again in a moment"),
            Some(scene) if !scene.is_preview() => Ok(scene),
            Some(_) => Err("the world is still being made; try again in a moment"),
            None => Err("there is no scene yet"),
        }
    }

    /// Returns the link to the scene, if any.
    pub(crate) fn link(&self) -> Option<Link> {
        let scene = self.scene.as_ref().filter(|_| !self.stage.is_making())?;
        let mut link = Link::new(&self.origin.name, scene.present_preset());
        (link.viewer, link.map) = (Some(scene.viewer()), self.source.map().cloned());
        Some(link)
    }

    /// Returns a file name without an extension that describes the scene: `farsight-fog-7-120-88`.
    pub(crate) fn file_stem(&self) -> Option<String> {
        let options = ExportOptions::default().with_name(&self.origin.name).with_map(self.source.map().cloned());
        self.scene.as_ref().map(|scene| options.file_stem(scene))
    }

    /// Returns the walk so far, to save it. It is an error without a walk.
    pub(crate) fn saved_walk(&self) -> Result<SavedWalk, &'static str> {
        self.scene_to_save().map(|scene| SavedWalk::of(scene, &self.origin.name, self.source.map()))
    }

    /// Shows a second scene, as soon as the first exists.
    pub(crate) fn compare_with(&mut self, to: ComparedTo) {
        let Some(scene) = &self.scene else {
            self.comparison.to = to;
            return;
        };
        if matches!(to, ComparedTo::Seed(_)) && !self.source.is_generated() {
            self.errors.push("a map has no other worlds to compare with".into());
            return;
        }
        if let Err(error) = self.comparison.open(to, scene) {
            self.errors.push(error);
        }
        self.stage.leave_refresh();
        self.revision += 1;
    }

    pub(crate) fn toggle_comparison(&mut self) {
        match self.comparison.is_open() {
            true => self.end_comparison(),
            false => self.compare_with(self.comparison.to.clone()),
        }
    }

    pub(crate) fn end_comparison(&mut self) {
        self.comparison.close();
        self.stage.leave_refresh();
    }

    /// Changes both scenes.
    pub(crate) fn change_scenes<T, E: Display>(&mut self, change: impl Fn(&mut Scene) -> Result<T, E>) {
        self.turns += 1;
        let from = self.scene.as_ref().map(Scene::viewer);
        if let Some(scene) = &mut self.comparison.scene
            && let Err(error) = changed(scene, &change)
        {
            self.errors.push(error);
        }
        self.change_first_scene(change);
        self.follow_trail(from);
    }

    /// Applies settings to both scenes.
    pub(crate) fn apply(&mut self, preset: Preset) {
        if let Err(error) = self.comparison.apply(&preset) {
            self.errors.push(error);
        }
        self.change_first_scene(|scene| scene.apply(preset));
    }

    /// Sets the clock of both scenes, which can be ahead of that of the settings.
    pub(crate) fn set_hour(&mut self, hour: f64) {
        if let Err(error) = self.comparison.set_hour(hour) {
            self.errors.push(error);
        }
        self.change_first_scene(|scene| scene.set_hour(hour));
    }

    fn change_first_scene<T, E: Display>(&mut self, change: impl FnOnce(&mut Scene) -> Result<T, E>) {
        let Some(scene) = &mut self.scene else { return };
        let start = now();
        match changed(scene, change) {
            Ok(has_views) if has_views => self.sight_ms = (now() - start) * 1000.0,
            Ok(_) => {}
            Err(error) => self.errors.push(error),
        }
        if let Stage::Failed = self.stage {
            self.stage = Stage::Ready;
        }
        self.revision += 1;
    }
}

/// Changes a scene, and refreshes it if that is fast. Returns `true` if its views have changed.
pub(super) fn changed<T, E: Display>(
    scene: &mut Scene,
    change: impl FnOnce(&mut Scene) -> Result<T, E>,
) -> Result<bool, String> {
    scene.defer(change).map_err(|error| error.to_string())?;
    let has_views = scene.has_stale_views();
    refresh_if_quick(scene).map_err(|error| error.to_string())?;
    Ok(has_views && !scene.is_stale())
}
