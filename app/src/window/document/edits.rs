//! Changes of the settings that can be undone.

use std::path::PathBuf;
use std::rc::Rc;

use toml::Value;

use super::generation::Generation;
use super::preset_diff;
#[cfg(not(target_arch = "wasm32"))]
use super::preset_watch::PresetWatch;
use super::snapshot::{Change, Origin, Snapshot, TerrainState, limit_memory};
use super::state::Document;
use super::undo_exclusions::UndoExclusions;
use super::undo_stack::{Direction, UndoStack};
use crate::window::view::ViewState;
use farsight::light::{ClockConfig, Lamp};
use farsight::preset::Preset;
#[cfg(not(target_arch = "wasm32"))]
use farsight::preset::PresetError;
use glam::IVec2;

/// The number of terrains that are kept for undo.
const MAX_TERRAINS: usize = 3;

/// The most cells of a terrain that is kept: all layers of all of them are in memory.
const MAX_TERRAIN_CELLS: i64 = 1 << 20;

impl Document {
    pub(crate) fn snapshot(&self, view: &ViewState) -> Snapshot {
        Snapshot::new(self.preset.clone(), self.origin.clone(), *view, self.scene.as_ref(), self.turns)
    }

    /// Returns a snapshot with the terrain, to leave it; `None` if it is still being made or too large to keep.
    pub(crate) fn snapshot_with_terrain(&self, view: &ViewState) -> Option<Snapshot> {
        let scene = self.scene.as_ref().filter(|_| self.generation.is_none())?;
        if i64::from(scene.size().x) * i64::from(scene.size().y) > MAX_TERRAIN_CELLS {
            return None;
        }
        let (map, input_files) = (self.map.clone(), self.input_files.clone());
        let terrain = TerrainState { map, input_files, ground: self.ground.clone(), scene: scene.clone() };
        let mut snapshot = self.snapshot(view);
        snapshot.terrain = Some(Rc::new(terrain));
        Some(snapshot)
    }

    pub(crate) fn record(&mut self, there: Snapshot, key: Option<&'static str>, exclusions: UndoExclusions) {
        self.keep_before_generation(&there);
        self.history.push(Change { there, exclusions }, key);
        limit_memory(&mut self.history, self.turns);
    }

    /// Records that the terrain is left, given the snapshot with it. Without one, nothing of the past can be undone.
    pub(crate) fn record_terrain(&mut self, before: Option<Snapshot>) {
        self.restoring = None;
        match before {
            Some(before) => {
                self.record(before, None, UndoExclusions::default()); // time does not pass on a terrain that was left
                self.history.limit(MAX_TERRAINS, Change::changes_terrain);
            }
            None => self.history = UndoStack::default(),
        }
    }

    /// Changes the settings as one step. Further changes of the same key belong to it until [`end_step`](Self::end_step).
    pub(crate) fn edit(&mut self, preset: Preset, key: Option<&'static str>, view: &ViewState) {
        if preset == self.preset {
            return;
        }
        self.restoring = None;
        let exclusions = UndoExclusions::of(&self.preset, &preset);
        let open_step = self.history.open_step(key);
        self.is_dragged = open_step.is_some();
        match open_step {
            Some(step) => step.exclusions.intersect(&exclusions),
            None => self.record(self.snapshot(view), key, exclusions),
        }
        self.adopt(preset);
    }

    /// Changes the preset as a step of its own.
    pub(crate) fn edit_with(&mut self, change: impl FnOnce(&mut Preset), view: &ViewState) {
        let mut preset = self.preset.clone();
        change(&mut preset);
        self.edit(preset, None, view);
    }

    /// Ends a step: the next change is a step of its own.
    pub(crate) fn end_step(&mut self) {
        self.history.end_step();
        self.is_dragged = false;
        self.generation.iter_mut().for_each(Generation::end_drag);
    }

    /// Sets a key; `None` leaves an optional one out.
    pub(crate) fn set(&mut self, key: &'static str, value: Option<Value>, view: &ViewState) {
        let changed = match value {
            Some(value) => self.preset.with([(key, value)]),
            None => self.preset.without(key),
        };
        match changed {
            Ok(preset) => self.edit(preset, Some(key), view),
            Err(error) => self.errors.push(error.to_string().trim_start_matches("--set: ").to_owned()),
        }
    }

    /// Sets a key from text. An error says why the value is not valid.
    pub(crate) fn set_text(&mut self, key: &str, value: &str, view: &ViewState) -> Result<(), String> {
        let mut preset = self.preset.clone();
        preset.set(key, value).map_err(|error| error.with_origin("set").to_string())?;
        self.edit(preset, None, view);
        Ok(())
    }

    /// Resets a key, or all keys of a section that the terrain has, to the preset. It is an error if there is
    /// neither.
    pub(crate) fn reset(&mut self, wanted: &str, view: &ViewState) -> Result<(), String> {
        if !Preset::settings().any(|setting| setting.key == wanted || setting.section() == wanted) {
            return Err(format!("there is no key and no section {wanted:?}"));
        }
        let terrain = self.terrain_source();
        let reset = preset_diff::reset(&self.preset, &self.origin.base, |setting| {
            setting.key == wanted || (setting.section() == wanted && terrain.has(setting))
        });
        match reset {
            Ok(preset) => self.edit(preset, None, view),
            Err(error) => self.errors.push(error.to_string()),
        }
        Ok(())
    }

    pub(crate) fn add_to_radius(&mut self, by: i32, view: &ViewState) {
        let radius = (i64::from(self.preset.sight.radius) + i64::from(by)).max(0);
        self.set("sight.radius", Some(Value::Integer(radius)), view);
    }

    /// Shows the world of another seed, unless there is a map.
    pub(crate) fn add_to_seed(&mut self, by: i64, view: &ViewState) {
        if self.map.is_none() {
            let seed = (self.preset.world.seed as i64).saturating_add(by).max(0);
            self.set("world.seed", Some(Value::Integer(seed)), view);
        }
    }

    /// Moves the clock and starts it.
    pub(crate) fn add_hours(&mut self, hours: i32, view: &ViewState) {
        let hour = (self.preset.clock.hour + f64::from(hours)).rem_euclid(ClockConfig::YEAR);
        match self.preset.with([("clock.hour", Value::Float(hour)), ("clock.runs", Value::Boolean(true))]) {
            Ok(preset) => self.edit(preset, Some("clock.hour"), view),
            Err(error) => self.errors.push(error.to_string()),
        }
    }

    /// Adds to the lists of the preset. It is an error if there is no scene, or what is added cannot be there.
    pub(crate) fn add(&mut self, change: impl FnOnce(&mut Preset), view: &ViewState) -> Result<(), String> {
        let mut preset = self.preset.clone();
        change(&mut preset);
        let before = self.snapshot(view);
        let scene = self.scene.as_mut().ok_or("there is no scene yet")?;
        scene.apply(preset.clone()).map_err(|error| error.to_string())?;
        self.record(before, None, UndoExclusions::of(&self.preset, &preset));
        self.adopt(preset);
        Ok(())
    }

    /// Opens or closes the door on a cell. It is an error if there is none, or someone is in it.
    pub(crate) fn toggle_door(&mut self, cell: IVec2, view: &ViewState) -> Result<(), String> {
        let scene = self.scene.as_ref().ok_or("there is no scene yet")?;
        let cells = scene.cells_with_toggled_door(cell).map_err(|error| error.to_string())?;
        self.edit_with(|preset| preset.cells = cells, view);
        Ok(())
    }

    /// Gives the lamp on the same cell other values. Changes without a pause are one step.
    pub(crate) fn change_lamp(&mut self, lamp: &Lamp, view: &ViewState) {
        let mut preset = self.preset.clone();
        if let Some(old) = preset.lamps.iter_mut().find(|old| old.at == lamp.at) {
            old.clone_from(lamp);
            self.edit(preset, Some("lamps"), view);
        }
    }

    /// Moves the lamp on a cell. Returns `false` if there is none, or the other cell has one.
    pub(crate) fn move_lamp(&mut self, from: IVec2, to: IVec2, view: &ViewState) -> bool {
        let mut preset = self.preset.clone();
        let is_free = from == to || preset.lamps.iter().all(|lamp| lamp.at != to);
        match preset.lamps.iter_mut().find(|lamp| lamp.at == from).filter(|_| is_free) {
            Some(lamp) => {
                lamp.at = to;
                self.edit(preset, Some("lamps"), view);
                true
            }
            None => false,
        }
    }

    /// Shows a preset by its name. If it has the world of the preset before, seed and cell stay, so that the two can be
    /// compared; otherwise it brings its own seed. It is an error if there is no such preset.
    pub(crate) fn show_preset(&mut self, name: &str, view: &ViewState) -> Result<(), String> {
        let mut preset = Preset::named(name).map_err(|error| error.to_string())?;
        let origin = Origin::new(name, &preset);
        if preset.world == self.origin.base.world {
            preset.world.seed = self.preset.world.seed;
        }
        self.switch_preset(preset, origin, view);
        Ok(())
    }

    /// Shows a preset from a file, which is watched from now on if it has a path.
    pub(crate) fn show_preset_file(&mut self, preset: Preset, name: &str, file: Option<PathBuf>, view: &ViewState) {
        let origin = Origin { file, ..Origin::new(name, &preset) };
        self.switch_preset(preset, origin, view);
    }

    /// Changes settings and origin as one step. In another world the viewer starts where the view is worth seeing.
    fn switch_preset(&mut self, mut preset: Preset, origin: Origin, view: &ViewState) {
        if let Some(ground) = &self.ground {
            let old = &self.preset.world;
            preset.world.sea_level_m = old.sea_level_m;
            preset = preset.on_ground(ground.elevation_m.size(), old.cell_size_m);
        }
        self.record(self.snapshot(view), None, UndoExclusions::of(&self.preset, &preset));
        let shares_world = self.origin.base.world == origin.base.world;
        let keeps_viewer = self.ground.is_some() || (shares_world && self.has_same_cells(&preset));
        self.set_origin(origin);
        self.adopt_at(preset, keeps_viewer);
    }

    pub(crate) fn set_origin(&mut self, origin: Origin) {
        if self.origin.file != origin.file {
            #[cfg(not(target_arch = "wasm32"))]
            {
                self.watch = origin.file.as_deref().map(PresetWatch::new);
            }
            self.file_error = None;
        }
        self.origin = origin;
    }

    /// Undoes the last step; returns `false` if there is none.
    pub(crate) fn undo(&mut self, view: &mut ViewState) -> bool {
        self.step_history(Direction::Undo, view)
    }

    /// Redoes the step that was undone last; returns `false` if there is none.
    pub(crate) fn redo(&mut self, view: &mut ViewState) -> bool {
        self.step_history(Direction::Redo, view)
    }

    fn step_history(&mut self, direction: Direction, view: &mut ViewState) -> bool {
        let Some(next) = self.history.next(direction) else { return false };
        let way_back =
            if next.changes_terrain() { self.snapshot_with_terrain(view) } else { Some(self.snapshot(view)) };
        let has_way_back = way_back.is_some();
        let now = way_back.unwrap_or_else(|| self.snapshot(view));
        self.keep_before_generation(&now);
        let crossed = self.history.step(direction, |change| {
            let (then, back) = change.cross(now);
            (then, has_way_back.then_some(back))
        });
        if let Some(then) = crossed {
            self.restore(then, view);
        }
        true
    }

    /// Keeps the document before a step, in case that its world cannot be made.
    fn keep_before_generation(&mut self, before: &Snapshot) {
        if self.generation.is_none() {
            self.before_generation = Some(before.clone());
        }
    }

    /// Returns to the document before the step whose world cannot be made, so that preset, map and world belong together.
    /// Returns `false` if there is no such document.
    pub(crate) fn return_from_failed_generation(&mut self, view: &mut ViewState) -> bool {
        let Some(before) = self.before_generation.take() else { return false };
        let is_last_step = self.history.next(Direction::Undo).is_some_and(|step| step.there.is_same_as(&before));
        if is_last_step {
            self.history.step(Direction::Undo, |step| (step, None)); // there is no way back to it
        }
        self.restore(before, view);
        true
    }

    /// Restores a snapshot: settings, terrain, and, unless a turn has passed since, memory and creatures.
    pub(crate) fn restore(&mut self, mut then: Snapshot, view: &mut ViewState) {
        if let Some(terrain) = then.terrain.take() {
            let terrain = Rc::unwrap_or_clone(terrain);
            (self.map, self.input_files, self.ground) = (terrain.map, terrain.input_files, terrain.ground);
            self.preset = terrain.scene.preset().clone();
            (self.scene, self.generation) = (Some(terrain.scene), None);
            *view = then.view;
            self.enter_terrain();
        }
        self.set_origin(then.origin.clone());
        let has_world = self.map.is_none() || self.ground.is_some();
        if has_world && self.scene.as_ref().is_none_or(|scene| scene.needs_new_world(&then.preset)) {
            let is_being_made = self.generation.is_some() && self.preset.world == then.preset.world;
            self.preset = then.preset.clone();
            if !is_being_made {
                self.start_generation(then.viewer);
            }
            if self.scene.is_some() {
                self.apply_preset();
            }
        } else {
            self.adopt(then.preset.clone());
        }
        self.restoring = Some(then);
        if self.generation.is_none() {
            self.finish_restoring(false, view);
        }
    }

    /// Restores memory and creatures once the world is there, and the camera if the world was made anew.
    pub(crate) fn finish_restoring(&mut self, made_anew: bool, view: &mut ViewState) {
        let (Some(then), Some(scene)) = (self.restoring.take(), &mut self.scene) else { return };
        then.restore_walk(scene, self.turns);
        if made_anew && then.viewer == Some(scene.viewer()) {
            (view.camera, view.camera_follows) = (then.view.camera, then.view.camera_follows);
            view.followed = then.view.followed;
        }
        self.revision += 1;
    }

    /// Reads the preset file if it has changed. Changed settings are kept, all others follow the file. A faulty file
    /// changes nothing, and its fault is shown until it is corrected. Returns the name of a file that was read.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn reload_changed_preset(&mut self, seconds: f64, view: &ViewState) -> Option<String> {
        let watch = self.watch.as_mut()?;
        let name = watch.path.display().to_string();
        let read = watch.poll(seconds)?;
        let base = &self.origin.base;
        match read.and_then(|newer| Ok((preset_diff::rebased(&self.preset, base, &newer)?, newer))) {
            Ok((preset, newer)) => {
                self.file_error = None;
                if preset != self.preset {
                    self.record(self.snapshot(view), None, UndoExclusions::of(&self.preset, &preset));
                }
                self.origin.base = Rc::new(newer);
                self.adopt(preset);
                Some(name)
            }
            Err(error) => {
                self.file_error = Some(file_error(&name, &error));
                None
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn file_error(name: &str, error: &PresetError) -> String {
    let words = error.to_string();
    let words = if words.contains(name) { words } else { format!("{name}: {words}") };
    format!("{words}\nThe settings stay as they are until the file is corrected.")
}
