//! [`Snapshot`]: the document at a time, with its [`Origin`], for the undo history.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::shown::Shown;
use super::source::Source;
use super::undo_stack::UndoStack;
use crate::background::refresh_if_quick;
use crate::host::preset_name;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, WalkState};
use glam::IVec2;

/// The maximum memory of the walk states of all steps, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The initial preset of the settings.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) name: String,
    /// The preset without changed settings; resets return to it.
    pub(crate) base: Rc<Preset>,
    /// The file of the preset, if it can change.
    pub(crate) file: Option<PathBuf>,
}

impl Origin {
    /// Creates a preset without a file.
    pub(crate) fn new(name: &str, base: &Preset) -> Self {
        Self { name: name.to_owned(), base: Rc::new(base.clone()), file: None }
    }

    /// Creates the origin of a preset by its name, or of the given preset if no preset has that name.
    pub(crate) fn named(name: &str, otherwise: &Preset) -> Self {
        Self::new(name, &Preset::named(name).unwrap_or_else(|_| otherwise.clone()))
    }

    /// Returns `true` if the preset was read from this file, or on a page from the text stored under this name.
    pub(crate) fn is_from(&self, path: &Path) -> bool {
        match &self.file {
            Some(file) => file == path,
            None => preset_name(path) == self.name && Preset::named(&self.name).is_err(),
        }
    }
}

/// The document at a time.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    preset: Preset,
    origin: Origin,
    shown: Shown,
    /// The cell of the viewer.
    viewer: Option<IVec2>,
    /// The hour of the clock.
    hour: Option<f64>,
    /// Hour, memory, creatures and other state that a turn changes; `None` if it would take too much memory.
    state: Option<Rc<WalkState>>,
    /// The turns of the document at that time.
    turns: u64,
    /// The terrain, if the next step replaces it.
    terrain: Option<Rc<TerrainState>>,
}

/// A terrain with its scene.
#[derive(Clone, Debug)]
pub(crate) struct TerrainState {
    pub(crate) source: Source,
    pub(crate) input_files: Vec<PathBuf>,
    pub(crate) scene: Scene,
}

impl Snapshot {
    pub(crate) fn new(preset: Preset, origin: Origin, shown: Shown, scene: Option<&Scene>, turns: u64) -> Self {
        let is_small =
            |scene: &&Scene| (scene.size().x as usize).saturating_mul(scene.size().y as usize) <= MAX_BYTES / 4;
        Self {
            preset,
            origin,
            shown,
            viewer: scene.map(Scene::viewer),
            hour: scene.map(|scene| scene.clock().hour),
            state: scene.filter(is_small).map(|scene| Rc::new(scene.walk_state())),
            turns,
            terrain: None,
        }
    }

    /// Returns the snapshot with the terrain, which the next step replaces.
    pub(crate) fn with_terrain(self, terrain: TerrainState) -> Self {
        Self { terrain: Some(Rc::new(terrain)), ..self }
    }

    pub(crate) fn take_terrain(&mut self) -> Option<TerrainState> {
        self.terrain.take().map(Rc::unwrap_or_clone)
    }

    /// Returns `true` if restoring it leads to a generated world from another terrain.
    pub(crate) fn leads_to_generated_world(&self) -> bool {
        self.terrain.as_ref().is_some_and(|terrain| terrain.source.is_generated())
    }

    pub(crate) fn preset(&self) -> &Preset {
        &self.preset
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn shown(&self) -> Shown {
        self.shown
    }

    pub(crate) fn viewer(&self) -> Option<IVec2> {
        self.viewer
    }

    /// Returns the hour of the clock if the present settings have another initial hour.
    pub(crate) fn hour_set_since(&self, present: &Preset) -> Option<f64> {
        self.hour.filter(|_| self.preset.clock.hour != present.clock.hour)
    }

    /// Restores the camera if the viewer is on the same cell.
    pub(crate) fn restore_camera(&self, scene: &Scene, shown: &mut Shown) {
        if self.viewer == Some(scene.viewer()) {
            (shown.camera, shown.camera_follows) = (self.shown.camera, self.shown.camera_follows);
            shown.followed = self.shown.followed;
        }
    }

    /// Returns `true` if restoring it leads to another terrain.
    pub(crate) fn changes_terrain(&self) -> bool {
        self.terrain.is_some()
    }

    /// Returns `true` if both are snapshots of the same document at the same time.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let is_same_state = match (&self.state, &other.state) {
            (Some(mine), Some(other)) => Rc::ptr_eq(mine, other),
            _ => true, // one of them can have been dropped
        };
        is_same_state && self.turns == other.turns && self.preset == other.preset
    }

    /// Restores the state that depends on past turns in a scene with the preset of this snapshot, unless a turn has
    /// passed since.
    pub(crate) fn restore_walk(&self, scene: &mut Scene, turns: u64) {
        if let Some(state) = &self.state
            && self.viewer == Some(scene.viewer())
            && state.memory.size() == scene.size()
            && self.turns == turns
        {
            let preset = scene.preset().clone();
            // The scene already has this preset.
            let restored = scene.defer(|scene| scene.restore(&preset, (**state).clone()));
            let _ = restored.map(|()| refresh_if_quick(scene));
        }
    }
}

/// Drops the walk states that cannot be restored after a turn, and those of the oldest steps above the memory limit.
pub(crate) fn limit_memory(history: &mut UndoStack<Snapshot>, turns: u64) {
    let mut bytes = 0;
    for restored in history.newest_first() {
        bytes += restored.state.as_deref().map_or(0, size_in_bytes);
        if bytes > MAX_BYTES || restored.turns != turns {
            restored.state = None;
        }
    }
}

/// Returns the approximate size of a walk state.
fn size_in_bytes(state: &WalkState) -> usize {
    size_of_val(state.memory.as_slice()) + size_of_val(&*state.creatures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::undo_stack::MAX_STEPS;
    use farsight::Job;
    use farsight_scene::world::WorldConfig;

    #[test]
    fn a_preset_is_only_from_its_own_file_or_kept_text() {
        let mine = Origin::new("mine", &Preset::default());
        assert!(mine.is_from(Path::new("kept/mine.toml")));
        assert!(!mine.is_from(Path::new("kept/other.toml")));
        assert!(!Origin::new("fog", &Preset::default()).is_from(Path::new("kept/fog.toml")), "fog is shipped");
        let read = Origin { file: Some("kept/fog.toml".into()), ..Origin::new("fog", &Preset::default()) };
        assert!(read.is_from(Path::new("kept/fog.toml")));
        assert!(!read.is_from(Path::new("fog.toml")));
    }

    fn small_world() -> Scene {
        let world = WorldConfig::default().with_width(96).with_height(80);
        Scene::generate(Preset::default().with_world(world), None, Job::none()).unwrap()
    }

    /// Adds a step after some turns.
    fn push_step(history: &mut UndoStack<Snapshot>, scene: &Scene, turns: u64) {
        let preset = Preset::default();
        let origin = Origin::new("", &preset);
        let restored = Snapshot::new(preset, origin, Shown::default(), Some(scene), turns);
        history.push(restored, None);
        limit_memory(history, turns);
    }

    #[test]
    fn walk_states_that_take_too_many_bytes_are_dropped_but_not_the_settings() {
        let (mut history, scene) = (UndoStack::default(), small_world());
        for _ in 0..MAX_STEPS {
            push_step(&mut history, &scene, 0);
        }
        assert_eq!(history.steps().undo, MAX_STEPS);
        let each = size_in_bytes(&scene.walk_state());
        let kept = history.newest_first().filter(|restored| restored.state.is_some()).count();
        assert!(kept * each <= MAX_BYTES && kept > 10, "{kept} of {each} bytes");
    }

    #[test]
    fn walk_states_are_kept_only_for_the_turn_that_can_restore_them() {
        let (mut history, scene) = (UndoStack::default(), small_world());
        let mut kept_after = |turns| {
            push_step(&mut history, &scene, turns);
            history.newest_first().map(|restored| restored.state.is_some()).collect::<Vec<_>>()
        };
        assert_eq!(kept_after(6), [true]);
        assert_eq!(kept_after(6), [true, true]);
        assert_eq!(kept_after(7), [true, false, false]);
        assert_eq!(kept_after(7), [true, true, false, false]);
    }
}
