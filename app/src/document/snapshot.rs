//! [`Snapshot`]: the document at a time, with its [`Origin`]. [`Change`]: a step of the undo history, with its [`UndoExclusions`].

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::shown::Shown;
use super::source::Source;
use super::undo_stack::UndoStack;
use crate::user_folder::preset_name;
use farsight::preset::Preset;
use farsight::scene::{Scene, WalkState};
use glam::IVec2;

/// The largest number of bytes that the walk states of all steps take.
const MAX_BYTES: usize = 64 << 20;

/// The preset that the settings started from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) name: String,
    /// The preset before any setting was changed; resets return to it.
    pub(crate) base: Rc<Preset>,
    /// The file of the preset, if it has one that can change.
    pub(crate) file: Option<PathBuf>,
}

impl Origin {
    /// A preset without a file.
    pub(crate) fn new(name: &str, base: &Preset) -> Self {
        Self { name: name.to_owned(), base: Rc::new(base.clone()), file: None }
    }

    /// A preset by its name, or the given one if no preset has that name.
    pub(crate) fn named(name: &str, otherwise: &Preset) -> Self {
        Self::new(name, &Preset::named(name).unwrap_or_else(|_| otherwise.clone()))
    }

    /// Returns `true` if the preset was read from this file, or on a page from the text that is kept under this name.
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
    pub(crate) preset: Preset,
    pub(crate) origin: Origin,
    pub(crate) shown: Shown,
    /// The cell of the viewer.
    pub(crate) viewer: Option<IVec2>,
    /// Memory and creatures; `None` if they would take too many bytes.
    state: Option<Rc<WalkState>>,
    /// The turns of the document at that time.
    turns: u64,
    /// The terrain, if the next step leaves it for another.
    pub(crate) terrain: Option<Rc<TerrainState>>,
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
            state: scene.filter(is_small).map(|scene| Rc::new(scene.walk_state())),
            turns,
            terrain: None,
        }
    }

    /// Returns `true` if both are snapshots of the same document at the same time.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let is_same_state = match (&self.state, &other.state) {
            (Some(mine), Some(other)) => Rc::ptr_eq(mine, other),
            _ => true, // one of them may have been dropped
        };
        is_same_state && self.turns == other.turns && self.preset == other.preset
    }

    /// Restores memory and creatures of a scene that has the preset of this snapshot, unless a turn has passed since.
    pub(crate) fn restore_walk(&self, scene: &mut Scene, turns: u64) {
        if let Some(state) = &self.state
            && self.viewer == Some(scene.viewer())
            && state.memory.size() == scene.size()
            && self.turns == turns
        {
            let preset = scene.preset().clone();
            let _ = scene.restore(&preset, (**state).clone()); // the scene has this preset already
        }
    }
}

/// A step of the undo history: the document that it restores, and the parts that stay as they are.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) restored: Snapshot,
    pub(crate) exclusions: UndoExclusions,
}

impl Change {
    /// Returns the restored document, and the change that leads back to the present one.
    pub(crate) fn cross(mut self, present: Snapshot) -> (Snapshot, Self) {
        self.exclusions.keep_in(&mut self.restored.preset, &present.preset);
        (self.restored, Self { restored: present, exclusions: self.exclusions.reversed() })
    }

    /// Returns `true` if crossing leads to another terrain.
    pub(crate) fn changes_terrain(&self) -> bool {
        self.restored.terrain.is_some()
    }
}

/// Drops the walk states that cannot be restored, since a turn has passed, and those of the oldest steps that take too many
/// bytes.
pub(crate) fn limit_memory(history: &mut UndoStack<Change>, turns: u64) {
    let mut bytes = 0;
    for Change { restored, .. } in history.newest_first() {
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

/// The hour and the lookouts that a change did not touch. They move with time and with walks, so undoing the change must not
/// turn back the clock, nor send lookouts that follow back to their old cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct UndoExclusions {
    hour: bool,
    lookouts: Vec<SameLookout>,
}

/// A lookout in the present preset and in the one that is restored, by its indices.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SameLookout {
    present: usize,
    restored: usize,
}

impl UndoExclusions {
    /// Returns what is the same in the preset before a change, which undo restores, and in the present one right after it.
    pub(crate) fn of(restored: &Preset, present: &Preset) -> Self {
        let mut lookouts: Vec<SameLookout> = Vec::new();
        for (i, lookout) in present.viewers.iter().enumerate() {
            let is_free = |j: usize| lookouts.iter().all(|same| same.restored != j);
            let mut same = (0..restored.viewers.len()).filter(|&j| restored.viewers[j] == *lookout && is_free(j));
            if let Some(j) = same.next() {
                lookouts.push(SameLookout { present: i, restored: j });
            }
        }
        Self { hour: restored.clock.hour == present.clock.hour, lookouts }
    }

    /// Keeps only what a further change of the same step does not touch either. No drag changes lookouts.
    pub(crate) fn intersect(&mut self, further: &Self) {
        self.hour &= further.hour;
    }

    /// Keeps the excluded parts of the present preset in the restored one.
    pub(crate) fn keep_in(&self, restored: &mut Preset, present: &Preset) {
        if self.hour {
            restored.clock.hour = present.clock.hour;
        }
        for same in &self.lookouts {
            if let Some(present) = present.viewers.get(same.present)
                && let Some(restored) = restored.viewers.get_mut(same.restored)
            {
                restored.at = present.at;
            }
        }
    }

    /// Returns the exclusions for the way back.
    pub(crate) fn reversed(mut self) -> Self {
        for same in &mut self.lookouts {
            *same = SameLookout { present: same.restored, restored: same.present };
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::undo_stack::MAX_STEPS;
    use farsight::Job;
    use farsight::perception::Observer;
    use farsight::world::WorldConfig;
    use glam::ivec2;

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
        Scene::generate(Preset::default().with_world(world), None, Job::quiet()).unwrap()
    }

    /// Adds a step that was made after some turns.
    fn push_step(history: &mut UndoStack<Change>, scene: &Scene, turns: u64) {
        let preset = Preset::default();
        let origin = Origin::new("", &preset);
        let restored = Snapshot::new(preset, origin, Shown::default(), Some(scene), turns);
        history.push(Change { restored, exclusions: UndoExclusions::default() }, None);
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
        let kept = history.newest_first().filter(|change| change.restored.state.is_some()).count();
        assert!(kept * each <= MAX_BYTES && kept > 10, "{kept} of {each} bytes");
    }

    #[test]
    fn walk_states_are_kept_only_for_the_turn_that_can_restore_them() {
        let (mut history, scene) = (UndoStack::default(), small_world());
        let mut kept_after = |turns| {
            push_step(&mut history, &scene, turns);
            history.newest_first().map(|change| change.restored.state.is_some()).collect::<Vec<_>>()
        };
        assert_eq!(kept_after(6), [true]);
        assert_eq!(kept_after(6), [true, true]);
        assert_eq!(kept_after(7), [true, false, false]);
        assert_eq!(kept_after(7), [true, true, false, false]);
    }

    fn preset(hour: f64, x: &[i32]) -> Preset {
        let mut preset = Preset::default();
        preset.clock.hour = hour;
        preset.viewers = x.iter().map(|&x| Observer::new(ivec2(x, 0)).with_follows(true)).collect();
        preset
    }

    fn restored(exclusions: &UndoExclusions, present: &Preset, mut preset: Preset) -> Preset {
        exclusions.keep_in(&mut preset, present);
        preset
    }

    #[test]
    fn lookouts_are_matched_among_others() {
        let (before, after) = (preset(9.0, &[4, 7, 7]), preset(9.0, &[7, 4, 20, 7]));
        let exclusions = UndoExclusions::of(&before, &after);
        let gone_on = preset(11.0, &[70, 40, 200, 71]);
        assert_eq!(restored(&exclusions, &gone_on, before.clone()), preset(11.0, &[40, 70, 71]));
        let gone_back = preset(13.0, &[41, 72, 73]);
        assert_eq!(restored(&exclusions.reversed(), &gone_back, gone_on), preset(13.0, &[72, 41, 200, 73]));
    }

    #[test]
    fn changed_parts_are_put_back() {
        let (before, after) = (preset(9.0, &[4]), preset(12.0, &[5]));
        let exclusions = UndoExclusions::of(&before, &after);
        assert_eq!(restored(&exclusions, &preset(15.0, &[8]), before.clone()), before);
        let mut dragged = UndoExclusions::of(&before, &before);
        dragged.intersect(&exclusions);
        assert_eq!(restored(&dragged, &preset(15.0, &[8]), before), preset(9.0, &[8]));
    }
}
