//! Undoable changes of the settings.

use std::path::PathBuf;
use std::rc::Rc;

use toml::Value;

use super::preset_diff;
use super::preset_watch::PresetWatch;
use super::shown::Shown;
use super::snapshot::{Origin, Snapshot, TerrainState, limit_memory};
use super::stage::Stage;
use super::state::Document;
use super::undo_stack::{Direction, UndoStack};
use crate::host::{now, preset_name};
use farsight::light::Lamp;
use farsight_scene::preset::{PlaceName, Preset, PresetError, shipped};
use glam::IVec2;

/// The maximum number of terrains kept for undo.
const MAX_TERRAINS: usize = 3;

/// The maximum number of cells of a terrain kept for undo, with all layers in memory.
const MAX_TERRAIN_CELLS: i64 = 1 << 20;

impl Document {
    pub(crate) fn snapshot(&self, shown: &Shown) -> Snapshot {
        Snapshot::new(self.preset().clone(), self.origin.clone(), *shown, self.scene.as_ref(), self.turns)
    }

    /// Returns a snapshot with the terrain before a change of terrain; `None` if the terrain is incomplete or too large
    /// to keep.
    pub(crate) fn snapshot_with_terrain(&self, shown: &Shown) -> Option<Snapshot> {
        let scene = self.scene.as_ref().filter(|_| !self.stage.is_making())?;
        if i64::from(scene.size().x) * i64::from(scene.size().y) > MAX_TERRAIN_CELLS {
            return None;
        }
        let (source, input_files) = (self.source.clone(), self.input_files.clone());
        let terrain = TerrainState { source, input_files, scene: scene.clone() };
        Some(self.snapshot(shown).with_terrain(terrain))
    }

    pub(crate) fn record(&mut self, before: Snapshot, key: Option<&'static str>) {
        self.history.push(before, key);
        limit_memory(&mut self.history, self.turns);
    }

    /// Records a change of terrain, given the snapshot with the old terrain. Without a snapshot, it clears the history.
    pub(crate) fn record_terrain(&mut self, before: Option<Snapshot>) {
        self.forget_restored();
        match before {
            Some(before) => {
                self.record(before, None);
                self.history.limit(MAX_TERRAINS, Snapshot::changes_terrain);
            }
            None => self.history = UndoStack::default(),
        }
    }

    /// Changes the settings as one step. Further changes of the same key belong to it until [`end_step`](Self::end_step).
    pub(crate) fn edit(&mut self, preset: Preset, key: Option<&'static str>, shown: &Shown) {
        let hour = (key == Some("clock.hour")).then_some(preset.clock.hour);
        if preset == *self.preset() && hour.is_none() {
            return;
        }
        self.forget_restored();
        self.is_dragged = self.history.has_open_step(key);
        let before = (!self.is_dragged).then(|| self.snapshot(shown));
        if let Some(before) = &before {
            self.record(before.clone(), key);
        }
        self.adopt(preset, before);
        if let Some(hour) = hour {
            self.set_hour(hour);
        }
    }

    /// Changes the preset as a separate step.
    pub(crate) fn edit_with(&mut self, change: impl FnOnce(&mut Preset), shown: &Shown) {
        let mut preset = self.preset().clone();
        change(&mut preset);
        self.edit(preset, None, shown);
    }

    /// Ends a step: the next change is a new step.
    pub(crate) fn end_step(&mut self) {
        self.history.end_step();
        self.is_dragged = false;
        if let Some(making) = self.stage.making_mut() {
            making.latest.end_drag();
        }
    }

    /// Sets a key; `None` removes an optional key.
    pub(crate) fn set(&mut self, key: &'static str, value: Option<Value>, shown: &Shown) {
        let changed = match value {
            Some(value) => self.preset().with([(key, value)]),
            None => self.preset().without(key),
        };
        match changed {
            Ok(preset) => self.edit(preset, Some(key), shown),
            Err(error) => self.errors.push(error.to_string().trim_start_matches("--set: ").to_owned()),
        }
    }

    /// Sets a key from text. An error describes an invalid value.
    pub(crate) fn set_text(&mut self, key: &str, value: &str, shown: &Shown) -> Result<(), String> {
        let mut preset = self.preset().clone();
        preset.set(key, value).map_err(|error| error.with_origin("set").to_string())?;
        self.edit(preset, (key == "clock.hour").then_some("clock.hour"), shown);
        Ok(())
    }

    /// Resets a key, or all keys of a section of the terrain, to the preset. It is an error if the key and the section
    /// are unknown.
    pub(crate) fn reset(&mut self, wanted: &str, shown: &Shown) -> Result<(), String> {
        if !Preset::settings().any(|setting| setting.key == wanted || setting.section() == wanted) {
            return Err(format!("there is no key and no section {wanted:?}"));
        }
        let reset = preset_diff::reset(self.preset(), &self.origin.base, |setting| {
            setting.key == wanted || (setting.section() == wanted && self.source.has(setting))
        });
        match reset {
            Ok(preset) => self.edit(preset, None, shown),
            Err(error) => self.errors.push(error.to_string()),
        }
        Ok(())
    }

    /// Adds to the lists of the preset. It is an error without a scene, or if an entry is invalid on its cell.
    pub(crate) fn add(&mut self, change: impl FnOnce(&mut Preset), shown: &Shown) -> Result<(), String> {
        let mut preset = self.preset().clone();
        change(&mut preset);
        let before = self.snapshot(shown);
        let scene = self.scene.as_mut().ok_or("there is no scene yet")?;
        scene.defer(|scene| scene.apply(preset.clone())).map_err(|error| error.to_string())?;
        self.record(before, None);
        self.adopt(preset, None);
        Ok(())
    }

    /// Opens or closes the door on a cell. It is an error without a door, or if the door is occupied.
    pub(crate) fn toggle_door(&mut self, cell: IVec2, shown: &Shown) -> Result<(), String> {
        let scene = self.scene.as_ref().ok_or("there is no scene yet")?;
        let cells = scene.cells_with_toggled_door(cell).map_err(|error| error.to_string())?;
        self.edit_with(|preset| preset.cells = cells, shown);
        Ok(())
    }

    /// Names the place on a cell, without characters that are invalid in a name. An empty name removes the user's name.
    /// It is an error if the cell is off the map, or the name is unreadable.
    pub(crate) fn name_place(&mut self, cell: IVec2, name: &str, shown: &Shown) -> Result<(), String> {
        if !self.contains(cell) {
            return Err(format!("there is no cell {},{} on the map", cell.x, cell.y));
        }
        let mut preset = self.preset().clone();
        preset.names.retain(|place| place.at != cell);
        let name = PlaceName::cleaned(name);
        if !name.is_empty() {
            preset.names.push(PlaceName::new(cell, name));
        }
        preset.check().map_err(|error| error.to_string())?;
        self.edit(preset, None, shown);
        Ok(())
    }

    /// Replaces the lamp on the same cell. Changes without a pause are one step.
    pub(crate) fn change_lamp(&mut self, lamp: &Lamp, shown: &Shown) {
        let mut preset = self.preset().clone();
        if let Some(old) = preset.lamps.iter_mut().find(|old| old.at == lamp.at) {
            old.clone_from(lamp);
            self.edit(preset, Some("lamps"), shown);
        }
    }

    /// Moves the lamp on a cell. It is an error without a lamp, or if the target cell cannot have a lamp.
    pub(crate) fn move_lamp(&mut self, from: IVec2, to: IVec2, shown: &Shown) -> Result<(), String> {
        if !self.contains(to) {
            return Err(format!(
                "the lamp at {},{} cannot be moved to {},{}: expected a cell of the map",
                from.x, from.y, to.x, to.y
            ));
        }
        let mut preset = self.preset().clone();
        let is_free = from == to || preset.lamps.iter().all(|lamp| lamp.at != to);
        let Some(lamp) = preset.lamps.iter_mut().find(|lamp| lamp.at == from).filter(|_| is_free) else {
            return Err(format!(
                "there is no lamp at {},{} to move to the free cell {},{}",
                from.x, from.y, to.x, to.y
            ));
        };
        lamp.at = to;
        self.edit(preset, Some("lamps"), shown);
        Ok(())
    }

    /// Shows a preset by its name or path. If it has the world of the previous preset, seed and cell do not change, for
    /// comparison; otherwise it uses its own seed. It is an error if no such preset exists.
    pub(crate) fn show_preset(&mut self, name: &str, shown: &Shown) -> Result<(), String> {
        let mut preset = Preset::named(name).map_err(|error| error.to_string())?;
        let origin = match shipped(name) {
            Some(_) => Origin::new(name, &preset),
            None => Origin { file: Some(name.into()), ..Origin::new(&preset_name(name.as_ref()), &preset) },
        };
        if preset.world == self.origin.base.world {
            preset.world.seed = self.preset().world.seed;
        }
        self.switch_preset(preset, origin, shown);
        Ok(())
    }

    /// Shows a preset from a file, and watches the file if it has a path.
    pub(crate) fn show_preset_file(&mut self, preset: Preset, name: &str, file: Option<PathBuf>, shown: &Shown) {
        let origin = Origin { file, ..Origin::new(name, &preset) };
        self.switch_preset(preset, origin, shown);
    }

    /// Changes settings and origin as one step. In another world the viewer starts on a cell with a varied view.
    fn switch_preset(&mut self, mut preset: Preset, origin: Origin, shown: &Shown) {
        if let Some(ground) = self.source.ground() {
            let old = &self.preset().world;
            preset.world.sea_level_m = old.sea_level_m;
            preset = preset.on_ground(ground.elevation_m.size(), old.cell_size_m);
        }
        let before = self.snapshot(shown);
        self.record(before.clone(), None);
        let shares_world = self.origin.base.world == origin.base.world;
        let keeps_viewer = self.source.ground().is_some() || (shares_world && self.has_same_cells(&preset));
        self.set_origin(origin);
        self.adopt_at(preset, keeps_viewer, Some(before));
    }

    pub(crate) fn set_origin(&mut self, origin: Origin) {
        if self.origin.file != origin.file {
            self.watch = origin.file.as_deref().map(PresetWatch::new);
            self.file_error = None;
        }
        self.origin = origin;
    }

    /// Undoes the last step; returns `false` without a step.
    pub(crate) fn undo(&mut self, shown: &mut Shown) -> bool {
        self.step_history(Direction::Undo, shown)
    }

    /// Redoes the step that was undone last; returns `false` without a step.
    pub(crate) fn redo(&mut self, shown: &mut Shown) -> bool {
        self.step_history(Direction::Redo, shown)
    }

    fn step_history(&mut self, direction: Direction, shown: &mut Shown) -> bool {
        let Some(next) = self.history.next(direction) else { return false };
        let way_back =
            if next.changes_terrain() { self.snapshot_with_terrain(shown) } else { Some(self.snapshot(shown)) };
        let has_way_back = way_back.is_some();
        let now = way_back.unwrap_or_else(|| self.snapshot(shown));
        if let Some(then) = self.history.step(direction, has_way_back.then_some(now.clone())) {
            self.restore(then, Some(now), shown);
        }
        true
    }

    /// Keeps initial memory and creatures in the world in progress, instead of restoring those of an undone step.
    fn forget_restored(&mut self) {
        if let Some(making) = self.stage.making_mut() {
            making.restored = None;
        }
    }

    /// Returns to the document before a step that failed.
    pub(crate) fn return_to(&mut self, before: Snapshot, shown: &mut Shown) {
        let is_last_step = self.history.next(Direction::Undo).is_some_and(|step| step.is_same_as(&before));
        if is_last_step {
            self.history.step(Direction::Undo, None); // there is no way back to it
        }
        self.restore(before, None, shown);
    }

    /// Restores a snapshot: settings, terrain and, unless a turn has passed since, memory and creatures. Time
    /// continues: the clock is reset only if it was set in between. `before` is the document to return to if the world
    /// fails.
    pub(crate) fn restore(&mut self, mut then: Snapshot, before: Option<Snapshot>, shown: &mut Shown) {
        if let Some(TerrainState { source, input_files, scene }) = then.take_terrain() {
            (self.source, self.input_files) = (source, input_files);
            (self.scene, self.stage) = (Some(scene), Stage::Ready);
            *shown = then.shown();
            self.enter_terrain();
        }
        self.set_origin(then.origin().clone());
        let (preset, hour) = (then.preset().clone(), then.hour_set_since(self.preset()));
        if self.source.has_world() && self.scene.as_ref().is_none_or(|scene| scene.needs_new_world(&preset)) {
            let follows = self.stage.making_mut().is_some_and(|making| making.latest.follows_in_same_world(&preset));
            if !follows {
                self.make_world(preset.clone(), then.viewer(), before);
            }
            self.apply(preset);
        } else {
            self.adopt(preset, None);
        }
        if let Some(hour) = hour {
            self.set_hour(hour);
        }
        match self.stage.making_mut() {
            Some(making) => making.restored = Some(then),
            None => self.finish_restoring(&then, false, shown),
        }
    }

    /// Restores memory and creatures after the world is complete, and the camera if the world was regenerated.
    pub(crate) fn finish_restoring(&mut self, then: &Snapshot, made_anew: bool, shown: &mut Shown) {
        let Some(scene) = &mut self.scene else { return };
        then.restore_walk(scene, self.turns);
        if made_anew {
            then.restore_camera(scene, shown);
        }
        self.revision += 1;
    }

    /// Reads the preset file if it has changed. It keeps changed settings; all others follow the file. An invalid file
    /// changes nothing, and its error is shown until it is corrected. Returns the name of a file that was read.
    pub(crate) fn reload_changed_preset(&mut self, shown: &Shown) -> Option<String> {
        let watch = self.watch.as_mut()?;
        let name = watch.path.display().to_string();
        let read = watch.poll(now())?;
        let base = &self.origin.base;
        match read.and_then(|newer| Ok((preset_diff::rebased(self.preset(), base, &newer)?, newer))) {
            Ok((preset, newer)) => {
                self.file_error = None;
                let before = (preset != *self.preset()).then(|| self.snapshot(shown));
                if let Some(before) = &before {
                    self.record(before.clone(), None);
                }
                self.origin.base = Rc::new(newer);
                self.adopt(preset, before);
                Some(name)
            }
            Err(error) => {
                self.file_error = Some(file_error(&name, &error));
                None
            }
        }
    }
}

fn file_error(name: &str, error: &PresetError) -> String {
    let words = error.to_string();
    let words = if words.contains(name) { words } else { format!("{name}: {words}") };
    format!("{words}\nThe settings do not change until the file is corrected.")
}
