//! What stands in the file of a saved walk.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::error::SavedWalkError;
use super::runs::Runs;
use super::saved_walk::{Land, SavedWalk};
use crate::export::saved_walk::runs;
use crate::files::{MAX_CELLS, MapSource, digest};
use crate::grid::{CellRect, Grid};
use crate::perception::{CellMemory, Creature, Recognition, Species};
use crate::preset::Preset;
use crate::scene::WalkState;
use crate::sight::OpacityMap;

/// The JSON of a saved walk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    version: String,
    name: String,
    preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    map: Option<MapSource>,
    /// Columns and rows.
    size: IVec2,
    /// The opacities of a map, as the bits of their numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opacity: Option<Runs>,
    /// The digest of a world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    world: Option<String>,
    viewer: IVec2,
    /// 0 hidden, 1 seen, 2 visible.
    memory: Runs,
    turn: u64,
    creatures: Vec<SavedCreature>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedCreature {
    kind: String,
    at: IVec2,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sense: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_seen: Option<IVec2>,
}

impl Body {
    pub(super) fn of(walk: &SavedWalk) -> Self {
        let state = &walk.state;
        let (opacity, world) = match &walk.land {
            Land::Map(map) => (Some(runs::encode(map.grid().as_slice().iter().map(|o| o.to_bits()))), None),
            Land::Made(digest) => (None, Some(digest.clone())),
        };
        let saved = |creature: &Creature| SavedCreature {
            kind: creature.species.name.to_owned(),
            at: creature.cell,
            sense: (creature.recognition != Recognition::Hidden).then(|| creature.recognition.name().to_owned()),
            last_seen: creature.last_seen,
        };
        Self {
            version: walk.version.clone(),
            name: walk.name.clone(),
            preset: walk.preset.to_toml(),
            map: walk.map.clone(),
            size: state.memory.size(),
            opacity,
            world,
            viewer: state.viewer,
            memory: runs::encode(state.memory.as_slice().iter().map(|memory| *memory as u32)),
            turn: state.turn,
            creatures: state.creatures.iter().map(saved).collect(),
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("names, numbers and lists of them can always be written")
    }

    pub(super) fn from_json(bytes: &[u8]) -> Result<Self, SavedWalkError> {
        serde_json::from_slice(bytes).map_err(|error| SavedWalkError::Content(error.to_string()))
    }

    /// The walk, if all that it says can be.
    pub(super) fn into_walk(self) -> Result<SavedWalk, SavedWalkError> {
        let preset = Preset::from_toml(&self.preset, "its preset")?;
        let [width, height] = self.size.to_array().map(i64::from);
        if width < 1 || height < 1 || width.saturating_mul(height) as u64 > MAX_CELLS {
            return Err(SavedWalkError::Content(format!("a map of {width}x{height} cells")));
        }
        let (width, height) = (width as usize, height as usize);
        let cells = width * height;
        let on_map = |what: &str, cell: IVec2| match CellRect::of_size(self.size).contains(cell) {
            true => Ok(cell),
            false => {
                let IVec2 { x, y } = cell;
                Err(SavedWalkError::Content(format!("{what} on {x},{y}, off its map of {width}x{height} cells")))
            }
        };
        let memory = runs::decode(&self.memory, cells, "memory", |state| CellMemory::ALL.get(state as usize).copied())?;
        let memory = grid(width, height, memory)?;
        let land = match (&self.opacity, &self.world, &self.map) {
            (Some(runs), None, Some(source)) => {
                let opacities = runs::decode(runs, cells, "map", |bits| Some(f32::from_bits(bits)))?;
                let opacities = grid(width, height, opacities)?;
                if digest(&opacities) != source.digest {
                    return Err(SavedWalkError::Content(format!("its map is not {}", source.name)));
                }
                let map = OpacityMap::try_from(opacities);
                Land::Map(map.map_err(|error| SavedWalkError::Content(format!("its map: {error}")))?)
            }
            (None, Some(digest), _) => Land::Made(digest.clone()),
            _ => return Err(SavedWalkError::Content("it has neither a map nor a world".into())),
        };
        let mut creatures = Vec::with_capacity(self.creatures.len());
        for saved in &self.creatures {
            let species = Species::named(&saved.kind)
                .ok_or_else(|| SavedWalkError::Content(format!("there is no creature {:?}", saved.kind)))?;
            let recognition = match saved.sense.as_deref() {
                None => Recognition::Hidden,
                Some(name) => [Recognition::Glimpsed, Recognition::Identified]
                    .into_iter()
                    .find(|recognition| recognition.name() == name)
                    .ok_or_else(|| SavedWalkError::Content(format!("a creature is {name:?}")))?,
            };
            let cell = on_map("a creature", saved.at)?;
            let last_seen = saved.last_seen.map(|cell| on_map("a creature was seen", cell)).transpose()?;
            creatures.push(Creature { species, cell, recognition, last_seen });
        }
        let state = WalkState { viewer: on_map("the viewer", self.viewer)?, memory, turn: self.turn, creatures };
        Ok(SavedWalk { name: self.name, preset, map: self.map, version: self.version, land, state })
    }
}

fn grid<T>(width: usize, height: usize, values: Vec<T>) -> Result<Grid<T>, SavedWalkError> {
    Grid::from_vec(width, height, values).map_err(|error| SavedWalkError::Content(error.to_string()))
}
