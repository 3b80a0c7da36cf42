//! The file of a [`SavedWalk`]: a line with the number of the format and a checksum, then JSON.
//!
//! ```text
//! farsight walk 1 91c5f2a30b7e4d68
//! {"version":"0.1.0","name":"fog","preset":"…","viewer":[120,88],…}
//! ```
//!
//! The file holds an opacity map as it is. Of a generated world it holds a digest, because the seed makes the world again.
//! A heightmap must be given again, too.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::saved_walk::{SavedTerrain, SavedWalk, SavedWalkError};
use crate::excerpt::excerpt;
use crate::files::{MAX_CELLS, MapSource, digest_of_parts, fnv1a_64};
use crate::grid::{CellRect, Grid};
use crate::guard_panics::guarded;
use crate::perception::{CellMemory, Creature, PlacedCreature, Recognition, Species};
use crate::preset::Preset;
use crate::scene::WalkState;
use crate::sight::{OpacityMap, Sector};

/// The first words of the file.
const MAGIC: &str = "farsight walk";

/// The format that is written and read. It increases when an older file would no longer lead to the same walk.
const FORMAT: u32 = 1;

impl SavedWalk {
    /// Returns the bytes of the file. The same walk gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let json = serde_json::to_string(&WalkJson::of(self)).expect("names, numbers and lists have a JSON form");
        format!("{MAGIC} {FORMAT} {:016x}\n{json}", fnv1a_64(json.bytes())).into_bytes()
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`SavedWalkError`] for a file of another kind or format, and for a damaged file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedWalkError> {
        let head = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let head = std::str::from_utf8(head).map_err(|_| SavedWalkError::NotAWalk)?;
        let rest = head.strip_prefix(MAGIC).ok_or(SavedWalkError::NotAWalk)?;
        let (format, expected) = rest.trim().split_once(' ').ok_or(SavedWalkError::Truncated)?;
        let format: u32 = format.parse().map_err(|_| SavedWalkError::NotAWalk)?;
        if format != FORMAT {
            return Err(SavedWalkError::UnsupportedFormat { format, supported: FORMAT });
        }
        let json = bytes.get(head.len() + 1..).ok_or(SavedWalkError::Truncated)?;
        let found = format!("{:016x}", fnv1a_64(json.iter().copied()));
        if found != expected {
            return Err(SavedWalkError::Damaged { expected: expected.to_owned(), found });
        }
        let json: WalkJson = guarded(|| serde_json::from_slice(json)).map_err(invalid)?.map_err(invalid)?;
        json.into_walk()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkJson {
    version: String,
    name: String,
    preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    map: Option<MapSource>,
    /// Columns and rows.
    size: IVec2,
    /// The opacities of a map, as the bits of `f32`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opacity: Option<RunLengths>,
    /// The doors of a map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    doors: Vec<IVec2>,
    /// The cells under a roof of a map: 1 for a roof, 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roofs: Option<RunLengths>,
    /// The digest of a world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    world: Option<String>,
    viewer: IVec2,
    /// [`CellMemory`] as a number: 0 hidden, 1 seen, 2 visible.
    memory: RunLengths,
    turn: u64,
    creatures: Vec<CreatureJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CreatureJson {
    kind: String,
    at: IVec2,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sense: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_seen: Option<IVec2>,
    /// The entry of `[[creatures]]` with its species, unless that is a shipped one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry: Option<usize>,
    /// The direction in which a creature with eyes looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facing: Option<f64>,
    /// The notice that a creature with eyes takes of the viewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noticed: Option<String>,
}

fn unless_hidden(recognition: Recognition) -> Option<String> {
    (recognition != Recognition::Hidden).then(|| recognition.name().to_owned())
}

impl WalkJson {
    fn of(walk: &SavedWalk) -> Self {
        let state = &walk.state;
        let (map, world) = match &walk.terrain {
            SavedTerrain::Map(map) => (Some(map), None),
            SavedTerrain::Digest(digest) => (None, Some(digest.clone())),
        };
        let roofs = map.and_then(|map| map.roofs());
        let creature_json = |creature: &Creature| CreatureJson {
            kind: creature.species.name.to_owned(),
            at: creature.cell,
            sense: unless_hidden(creature.recognition),
            last_seen: creature.last_seen,
            entry: match Species::named(creature.species.name) == Some(creature.species) {
                true => None,
                false => walk.preset.creatures.iter().position(|placed| placed.kind == creature.species),
            },
            facing: creature.species.eyes.map(|_| creature.facing),
            noticed: unless_hidden(creature.noticed),
        };
        Self {
            version: walk.version.clone(),
            name: walk.name.clone(),
            preset: walk.preset.to_toml(),
            map: walk.map.clone(),
            size: state.memory.size(),
            opacity: map.map(|map| RunLengths::encode(map.grid().as_slice().iter().map(|o| o.to_bits()))),
            doors: map.map_or_else(Vec::new, |map| map.doors().to_vec()),
            roofs: roofs.map(|roofs| RunLengths::encode(roofs.as_slice().iter().map(|&has_roof| has_roof.into()))),
            world,
            viewer: state.viewer,
            memory: RunLengths::encode(state.memory.as_slice().iter().map(|memory| *memory as u32)),
            turn: state.turn,
            creatures: state.creatures.iter().map(creature_json).collect(),
        }
    }

    fn into_walk(self) -> Result<SavedWalk, SavedWalkError> {
        let preset = Preset::from_toml(&self.preset, "preset")?;
        let IVec2 { x: width, y: height } = self.size;
        if width < 1 || height < 1 || i64::from(width).saturating_mul(height.into()) as u64 > MAX_CELLS {
            return Err(invalid(format!("a size of {width}x{height} cells: expected 1 to {MAX_CELLS} cells")));
        }
        let memory = self.grid_of(&self.memory, "memory", |state| CellMemory::ALL.get(state as usize).copied())?;
        let terrain = match (&self.opacity, &self.world, &self.map) {
            (Some(runs), None, Some(source)) => {
                let opacities = self.grid_of(runs, "opacity", |bits| Some(f32::from_bits(bits)))?;
                let roofs = self.roofs.as_ref().map(|runs| self.grid_of(runs, "roofs", roof_of)).transpose()?;
                if digest_of_parts(&opacities, &self.doors, roofs.as_ref()) != source.digest {
                    return Err(invalid(format!("the opacities are not those of {}", excerpt(&source.name))));
                }
                let map = OpacityMap::try_from(opacities).and_then(|map| map.with_doors(self.doors.iter().copied()));
                let map = map.map_err(invalid)?;
                SavedTerrain::Map(Box::new(match &roofs {
                    Some(roofs) => map.with_roofs(roofs),
                    None => map,
                }))
            }
            (None, Some(digest), _) => SavedTerrain::Digest(digest.clone()),
            _ => return Err(invalid("expected either the opacities of a map or the digest of a world")),
        };
        let creatures =
            self.creatures.iter().map(|creature| self.creature(creature, &preset)).collect::<Result<_, _>>()?;
        let state = WalkState { viewer: self.on_map("viewer", self.viewer)?, memory, turn: self.turn, creatures };
        Ok(SavedWalk { name: self.name, preset, map: self.map, version: self.version, terrain, state })
    }

    fn grid_of<T: Clone>(
        &self,
        runs: &RunLengths,
        name: &str,
        read: impl Fn(u32) -> Option<T>,
    ) -> Result<Grid<T>, SavedWalkError> {
        let [width, height] = self.size.to_array().map(|side| side as usize);
        Grid::from_vec(width, height, runs.decode(width * height, name, read)?).map_err(invalid)
    }

    fn creature(&self, creature: &CreatureJson, preset: &Preset) -> Result<Creature, SavedWalkError> {
        let kind = &creature.kind;
        let own = |entry: usize| preset.creatures.get(entry).map(|placed| placed.kind);
        let species = creature.entry.map_or_else(|| Species::named(kind), own).filter(|species| species.name == kind);
        let species =
            species.ok_or_else(|| invalid(format!("a creature of kind \"{}\" does not exist", excerpt(kind))))?;
        let recognition = |name: &Option<String>| match name {
            None => Ok(Recognition::Hidden),
            Some(name) => name.parse().map_err(invalid),
        };
        let facing = creature.facing.unwrap_or(PlacedCreature::FACING);
        if !Sector::FACING.contains(&facing) {
            return Err(invalid(format!("a creature that faces {facing} degrees")));
        }
        let cell = self.on_map("creature", creature.at)?;
        let last_seen = creature.last_seen.map(|cell| self.on_map("creature last seen", cell)).transpose()?;
        let (recognition, noticed) = (recognition(&creature.sense)?, recognition(&creature.noticed)?);
        Ok(Creature { species, cell, recognition, last_seen, facing, noticed })
    }

    fn on_map(&self, name: &str, cell: IVec2) -> Result<IVec2, SavedWalkError> {
        let (size, IVec2 { x, y }) = (self.size, cell);
        match CellRect::of_size(size).contains(cell) {
            true => Ok(cell),
            false => Err(invalid(format!("{name} {x},{y} is outside the map of {}x{} cells", size.x, size.y))),
        }
    }
}

fn roof_of(number: u32) -> Option<bool> {
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn invalid(message: impl ToString) -> SavedWalkError {
    SavedWalkError::Invalid(message.to_string())
}

/// Run-length encoded values: pairs of a number of equal values and the value.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct RunLengths(Vec<(u64, u32)>);

impl RunLengths {
    fn encode(values: impl Iterator<Item = u32>) -> Self {
        let mut runs: Vec<(u64, u32)> = Vec::new();
        for value in values {
            match runs.last_mut() {
                Some((length, last)) if *last == value => *length += 1,
                _ => runs.push((1, value)),
            }
        }
        Self(runs)
    }

    /// Returns the values, one for each of `cells` cells. `read` returns `None` for a value that is not valid. `name` is
    /// for errors.
    fn decode<T: Clone>(
        &self,
        cells: usize,
        name: &str,
        read: impl Fn(u32) -> Option<T>,
    ) -> Result<Vec<T>, SavedWalkError> {
        // Checked before memory is allocated: a few bytes can claim any length.
        let length = self.0.iter().try_fold(0u64, |sum, (length, _)| sum.checked_add(*length));
        if length != Some(cells as u64) {
            return Err(invalid(format!("{name}: expected {cells} cells")));
        }
        let mut values = Vec::new();
        values
            .try_reserve_exact(cells)
            .map_err(|_| invalid(format!("{name}: {cells} cells do not fit into memory")))?;
        for &(length, value) in &self.0 {
            let value = read(value).ok_or_else(|| invalid(format!("{name}: {value} is not valid")))?;
            values.resize(values.len() + length as usize, value);
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
        let runs = RunLengths::encode(values.into_iter());
        assert_eq!(runs, RunLengths(vec![(3, 7), (1, 0), (2, 1)]));
        assert_eq!(runs.decode(6, "row", Some).unwrap(), values);
    }

    #[test]
    fn a_wrong_length_or_value_is_an_error() {
        for (runs, cells) in [(vec![(3, 7)], 2), (vec![(u64::MAX, 7), (2, 7)], 1), (vec![], 1)] {
            let error = RunLengths(runs).decode(cells, "row", Some).unwrap_err().to_string();
            assert!(error.ends_with(&format!("row: expected {cells} cells")), "{error}");
        }
        let below_7 = |value| (value < 7).then_some(value);
        let error = RunLengths(vec![(1, 7)]).decode(1, "row", below_7).unwrap_err().to_string();
        assert!(error.ends_with("row: 7 is not valid"), "{error}");
    }
}
