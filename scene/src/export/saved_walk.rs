//! [`SavedWalk`]: a walk with its memory and creatures, which can be resumed.
//! [`RunLengths`]: its cells, run-length encoded.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::creatures::Creature;
use crate::files::{MapSource, digest, fnv1a_64};
use crate::preset::{Preset, PresetError};
use crate::scene::{Scene, SceneError, SceneState, WalkState};
use farsight::Job;
use farsight::grid::Grid;
use farsight::internal::text::{excerpt, excerpt_of};
use farsight::perception::CellMemory;
use farsight::sight::OpacityMap;

/// A walk that can be resumed: the preset with its lamps, observers and hour, the viewer's cell and memory, and all
/// creatures. A loaded walk continues exactly as without the interruption.
///
/// ```
/// use farsight::Job;
/// use farsight_scene::preset::Preset;
/// use farsight_scene::export::SavedWalk;
/// use farsight_scene::scene::Scene;
/// use farsight::glam::ivec2;
/// let mut preset = Preset::named("fog")?;
/// (preset.world.width, preset.world.height) = (96, 96);
/// let mut scene = Scene::generate(preset, None, Job::none())?;
/// scene.step(ivec2(1, 0))?;
/// let bytes = SavedWalk::of(&scene, "fog", None).to_bytes();
/// let loaded = SavedWalk::from_bytes(&bytes)?.to_scene(Job::none())?;
/// assert_eq!(loaded.viewer(), scene.viewer());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SavedWalk {
    /// The name of the preset, for titles. It may be empty.
    pub name: String,
    /// The preset that describes the scene at the end of the walk.
    pub preset: Preset,
    /// The file that replaces a generated world.
    pub map: Option<MapSource>,
    /// The version of farsight that saved the walk.
    pub(super) version: String,
    pub(super) terrain: SavedTerrain,
    pub(super) state: SavedState,
}

/// The state that depends on past turns. The memory stays encoded until there is a scene of its size, because a short
/// file can claim any size.
#[derive(Clone, Debug)]
pub(super) struct SavedState {
    pub(super) viewer: IVec2,
    /// Columns and rows of the map.
    pub(super) size: IVec2,
    /// [`CellMemory`] as a validated number.
    pub(super) memory: RunLengths,
    pub(super) turn: u64,
    pub(super) creatures: Vec<Creature>,
}

impl SavedState {
    fn of(state: WalkState) -> Self {
        let WalkState { viewer, memory, turn, creatures, .. } = state;
        let numbers = memory.as_slice().iter().map(|memory| *memory as u32);
        Self { viewer, size: memory.size(), memory: RunLengths::encode(numbers, u64::MAX), turn, creatures }
    }

    /// Returns the state of a walk with this preset.
    fn decoded(&self, preset: &Preset) -> Result<WalkState, SavedWalkError> {
        let [width, height] = self.size.to_array().map(|side| side as usize);
        let memory_of = |number: u32| CellMemory::ALL.get(number as usize).copied().unwrap_or_default();
        let cells = self.memory.decode(width * height, "memory", memory_of).map_err(SavedWalkError::Invalid)?;
        let memory =
            Grid::from_vec(width, height, cells).map_err(|error| SavedWalkError::Invalid(error.to_string()))?;
        let (scene, creatures) = (SceneState::at_start(preset), self.creatures.clone());
        Ok(WalkState { scene, viewer: self.viewer, memory, turn: self.turn, creatures })
    }
}

/// The terrain of a saved walk.
#[derive(Clone, Debug)]
pub(super) enum SavedTerrain {
    /// An opacity map, which the file contains.
    Map(Box<OpacityMap>),
    /// The digest of a world or dungeon, which is regenerated from the preset or a heightmap.
    Digest(String),
}

/// An error of loading a walk.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedWalkError {
    /// A file of another kind.
    #[error("not a saved walk: expected a file that begins with \"farsight walk\"")]
    NotAWalk,
    /// A format of another version.
    #[error(
        "a saved walk in format {format}, which another version of farsight wrote: farsight {} reads format {supported}",
        env!("CARGO_PKG_VERSION")
    )]
    UnsupportedFormat {
        /// The format of the file.
        format: u32,
        /// The supported format.
        supported: u32,
    },
    /// A truncated file.
    #[error("the saved walk is cut short")]
    Truncated,
    /// Content that does not match its checksum.
    #[error("the saved walk is damaged: the checksum of its content is {found}, expected {}", excerpt(expected))]
    Damaged {
        /// The checksum in the file.
        expected: String,
        /// The checksum of the content.
        found: String,
    },
    /// An invalid value.
    #[error("the saved walk is not valid: {}", excerpt_of(.0, 1000))]
    Invalid(String),
    /// An invalid preset.
    #[error("the saved walk is not valid: {0}")]
    Preset(#[from] PresetError),
    /// A different world or map.
    #[error("the world differs from that of the saved walk, which farsight {} wrote", excerpt(version))]
    OtherWorld {
        /// The version that saved the walk.
        version: String,
    },
    /// A walk on a heightmap, which the file does not contain.
    #[error("the saved walk needs the heightmap {}: give it with --heightmap", excerpt(.0))]
    NeedsHeightmap(String),
    /// The scene could not be created.
    #[error(transparent)]
    Scene(Box<SceneError>),
}

impl From<SceneError> for SavedWalkError {
    fn from(error: SceneError) -> Self {
        Self::Scene(Box::new(error))
    }
}

impl SavedWalk {
    /// The extension of the files, without a dot.
    pub const EXTENSION: &'static str = "farsight";

    /// The maximum size of a file, in bytes. A walk through the largest world takes less.
    pub const MAX_FILE_SIZE: u64 = 1 << 30;

    /// Creates the walk of a scene. `name` is the preset's; `map` is the file that replaces a generated world.
    pub fn of(scene: &Scene, name: &str, map: Option<&MapSource>) -> Self {
        let terrain = match (scene.map_without_changes(), map) {
            (Some(opacity), Some(_)) => SavedTerrain::Map(Box::new(opacity.clone())),
            _ => SavedTerrain::Digest(digest_of(scene)),
        };
        Self {
            name: name.to_owned(),
            preset: scene.present_preset(),
            map: map.cloned(),
            version: env!("CARGO_PKG_VERSION").into(),
            terrain,
            state: SavedState::of(scene.walk_state()),
        }
    }

    /// Returns the viewer's cell.
    pub fn viewer(&self) -> IVec2 {
        self.state.viewer
    }

    /// Returns the opacity map, for a walk on one.
    pub fn opacity(&self) -> Option<&OpacityMap> {
        match &self.terrain {
            SavedTerrain::Map(opacity) => Some(opacity),
            SavedTerrain::Digest(_) => None,
        }
    }

    /// Regenerates the world and returns the scene of the walk.
    ///
    /// # Errors
    /// [`SavedWalkError::NeedsHeightmap`] for a walk on a heightmap: create a scene on it and [`resume`](Self::resume)
    /// the walk. [`SavedWalkError::OtherWorld`] if the preset generates a different world; [`SavedWalkError::Scene`].
    pub fn to_scene(&self, job: Job<'_>) -> Result<Scene, SavedWalkError> {
        let (preset, viewer) = (self.preset.clone(), Some(self.viewer()));
        let mut scene = match (&self.terrain, &self.map) {
            (SavedTerrain::Map(opacity), _) => Scene::from_map(preset, OpacityMap::clone(opacity), viewer, job)?,
            (SavedTerrain::Digest(_), Some(map)) => return Err(SavedWalkError::NeedsHeightmap(map.name.clone())),
            (SavedTerrain::Digest(_), None) => Scene::generate(preset, viewer, job)?,
        };
        self.resume(&mut scene)?;
        Ok(scene)
    }

    /// Continues the walk on a scene of the same world: preset, viewer, memory and creatures become those of the walk.
    ///
    /// # Errors
    /// [`SavedWalkError::OtherWorld`] for another world or map, and [`SavedWalkError::Scene`]. The scene does not change
    /// then.
    pub fn resume(&self, scene: &mut Scene) -> Result<(), SavedWalkError> {
        let is_same = match &self.terrain {
            SavedTerrain::Map(opacity) => scene.map_without_changes().is_some_and(|other| **opacity == *other),
            SavedTerrain::Digest(digest) => *digest == digest_of(scene),
        };
        if !is_same || scene.size() != self.state.size {
            return Err(SavedWalkError::OtherWorld { version: self.version.clone() });
        }
        let mut resumed = scene.clone();
        resumed.restore(&self.preset, self.state.decoded(&self.preset)?)?;
        *scene = resumed;
        Ok(())
    }
}

/// Returns a digest of all visible fields of a terrain, without strokes and changed cells.
fn digest_of(scene: &Scene) -> String {
    let of = |fields: &[&Grid<f32>]| {
        let digests: String = fields.iter().map(|field| digest(field)).collect();
        format!("{:016x}", fnv1a_64(digests.bytes()))
    };
    match (scene.map_without_changes(), scene.world_without_strokes()) {
        (Some(opacity), _) => of(&[opacity.grid()]),
        (None, Some(world)) => {
            of(&[world.elevation_m(), world.ground_m(), world.humidity(), world.vegetation(), world.temperature_c()])
        }
        (None, None) => of(&[]),
    }
}

/// Run-length encoded values: pairs of a count and a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunLengths(Vec<(u64, u32)>);

impl RunLengths {
    /// Encodes values in runs of at most `longest`.
    pub(super) fn encode(values: impl Iterator<Item = u32>, longest: u64) -> Self {
        let mut runs: Vec<(u64, u32)> = Vec::new();
        for value in values {
            match runs.last_mut() {
                Some((length, last)) if *last == value && *length < longest => *length += 1,
                _ => runs.push((1, value)),
            }
        }
        Self(runs)
    }

    /// Checks that there is a valid value for each of `cells` cells. `name` is for errors.
    ///
    /// # Errors
    /// A sentence.
    pub(super) fn check(&self, cells: usize, name: &str, is_valid: impl Fn(u32) -> bool) -> Result<(), String> {
        let length = self.0.iter().try_fold(0u64, |sum, (length, _)| sum.checked_add(*length));
        if length != Some(cells as u64) {
            return Err(format!("{name}: expected {cells} cells"));
        }
        match self.0.iter().find(|(_, value)| !is_valid(*value)) {
            Some((_, value)) => Err(format!("{name}: {value} is not valid")),
            None => Ok(()),
        }
    }

    /// Iterates over the values, without allocation.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(length, value)| std::iter::repeat_n(value, length as usize))
    }

    /// Returns the values of a checked number of cells.
    ///
    /// # Errors
    /// A sentence if they do not fit into memory. `name` is for this error.
    pub(super) fn decode<T: Clone>(&self, cells: usize, name: &str, read: impl Fn(u32) -> T) -> Result<Vec<T>, String> {
        let mut values = Vec::new();
        values.try_reserve_exact(cells).map_err(|_| format!("{name}: {cells} cells do not fit into memory"))?;
        for &(length, value) in &self.0 {
            values.resize(values.len() + length as usize, read(value));
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_a_round_trip() {
        let values = [7, 7, 7, 0, 1, 1];
        let runs = RunLengths::encode(values.into_iter(), 9);
        assert_eq!(runs, RunLengths(vec![(3, 7), (1, 0), (2, 1)]));
        assert_eq!(runs.check(6, "row", |_| true), Ok(()));
        assert_eq!(runs.decode(6, "row", |value| value).unwrap(), values);
        assert!(runs.values().eq(values));
        assert_eq!(RunLengths::encode(values.into_iter(), 2), RunLengths(vec![(2, 7), (1, 7), (1, 0), (2, 1)]));
    }

    #[test]
    fn a_wrong_length_or_value_is_an_error() {
        for (runs, cells) in [(vec![(3, 7)], 2), (vec![(u64::MAX, 7), (2, 7)], 1), (vec![], 1)] {
            let error = RunLengths(runs).check(cells, "row", |_| true).unwrap_err();
            assert_eq!(error, format!("row: expected {cells} cells"));
        }
        let error = RunLengths(vec![(1, 7)]).check(1, "row", |value| value < 7).unwrap_err();
        assert_eq!(error, "row: 7 is not valid");
    }
}
