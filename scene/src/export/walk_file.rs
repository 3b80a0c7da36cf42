//! The file of a [`SavedWalk`]: a line with the number of the format and a checksum, then JSON.
//!
//! ```text
//! farsight walk 1 91c5f2a30b7e4d68
//! {"version":"0.1.0","name":"fog","preset":"…","viewer":[120,88],…}
//! ```
//!
//! The file contains an opacity map unchanged. For a generated world it contains a digest, because the seed reproduces
//! the world. A heightmap must be given again.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::saved_walk::{RunLengths, SavedState, SavedTerrain, SavedWalk, SavedWalkError};
use crate::creatures::{Creature, PlacedCreature, Species};
use crate::files::{MAX_CELLS, MapSource, digest_of_parts, fnv1a_64};
use crate::guard_panics::guarded;
use crate::preset::Preset;
use farsight::grid::{CellRect, Grid};
use farsight::internal::text::excerpt;
use farsight::perception::{CellMemory, Recognition};
use farsight::sight::{OpacityMap, Sector};

/// The first words of the file.
const MAGIC: &str = "farsight walk";

/// The number of the format. It increases if an older file would no longer give the same walk.
const FORMAT: u32 = 1;

/// The maximum length of a run of opacities. A run takes at least 9 bytes, so that the memory of a map is proportional
/// to its file even if all its cells are equal.
const LONGEST_OPACITY_RUN: u64 = 8192;

/// The maximum number of cells of a map per byte of its file. A file with the longest runs has 910, a `.png` has up to
/// 1040.
const MAX_CELLS_PER_BYTE: u64 = 1040;

/// The maximum number of turns: more than anyone walks, and far below `u64::MAX`.
const MAX_TURN: u64 = 1 << 53;

/// The maximum number of cells of a map from a file of any length.
const SMALL_MAP: u64 = 1 << 22;

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
        json.into_walk(bytes.len() as u64)
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
    /// `true` if it was identified before it became glimpsed or out of sight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    known: bool,
    /// The entry of `[[creatures]]` with its species, unless it is a shipped species.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry: Option<usize>,
    /// The direction of view of a creature with eyes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facing: Option<f64>,
    /// The recognition of the viewer by a creature with eyes.
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
        let opacities = map.map(|map| map.grid().as_slice().iter().map(|opacity| opacity.to_bits()));
        let creature_json = |creature: &Creature| CreatureJson {
            kind: creature.species.name.to_owned(),
            at: creature.cell,
            sense: unless_hidden(creature.recognition),
            last_seen: creature.last_seen,
            known: creature.is_known && creature.recognition != Recognition::Identified,
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
            size: state.size,
            opacity: opacities.map(|opacities| RunLengths::encode(opacities, LONGEST_OPACITY_RUN)),
            doors: map.map_or_else(Vec::new, |map| map.doors().to_vec()),
            roofs: roofs
                .map(|roofs| RunLengths::encode(roofs.as_slice().iter().map(|&has_roof| has_roof.into()), u64::MAX)),
            world,
            viewer: state.viewer,
            memory: state.memory.clone(),
            turn: state.turn,
            creatures: state.creatures.iter().map(creature_json).collect(),
        }
    }

    /// Returns the walk of a file of `length` bytes. A few bytes can claim any size, so everything is validated before
    /// memory is allocated for the cells of a map; those of the memory stay encoded.
    fn into_walk(self, length: u64) -> Result<SavedWalk, SavedWalkError> {
        let preset = Preset::from_toml(&self.preset, "preset")?;
        let IVec2 { x: width, y: height } = self.size;
        if width < 1 || height < 1 || i64::from(width).saturating_mul(height.into()) as u64 > MAX_CELLS {
            return Err(invalid(format!("a size of {width}x{height} cells: expected 1 to {MAX_CELLS} cells")));
        }
        let cells = width as usize * height as usize;
        if self.turn > MAX_TURN {
            return Err(invalid(format!("turn: {}: expected at most {MAX_TURN}", self.turn)));
        }
        let is_state = |state| CellMemory::ALL.get(state as usize).is_some();
        self.memory.check(cells, "memory", is_state).map_err(invalid)?;
        let terrain = match (&self.opacity, &self.world, &self.map) {
            (Some(runs), None, Some(source)) => {
                if cells as u64 > SMALL_MAP.max(length.saturating_mul(MAX_CELLS_PER_BYTE)) {
                    let words = format!("a map of {width}x{height} cells in a file of {length} bytes");
                    return Err(invalid(format!("{words}: expected at most {MAX_CELLS_PER_BYTE} cells per byte")));
                }
                runs.check(cells, "opacity", |_| true).map_err(invalid)?;
                let roofs = self.roofs.as_ref();
                roofs.map_or(Ok(()), |runs| runs.check(cells, "roofs", |roof| roof <= 1)).map_err(invalid)?;
                let has_roofs = roofs.into_iter().flat_map(RunLengths::values).map(|roof| roof == 1);
                if digest_of_parts(self.size, runs.values().map(f32::from_bits), &self.doors, has_roofs)
                    != source.digest
                {
                    return Err(invalid(format!("the opacities are not those of {}", excerpt(&source.name))));
                }
                let opacities = self.grid_of(runs, "opacity", f32::from_bits)?;
                let roofs = roofs.map(|runs| self.grid_of(runs, "roofs", |roof| roof == 1)).transpose()?;
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
        let (viewer, size) = (self.on_map("viewer", self.viewer)?, self.size);
        let state = SavedState { viewer, size, memory: self.memory, turn: self.turn, creatures };
        Ok(SavedWalk { name: self.name, preset, map: self.map, version: self.version, terrain, state })
    }

    fn grid_of<T: Clone>(
        &self,
        runs: &RunLengths,
        name: &str,
        read: impl Fn(u32) -> T,
    ) -> Result<Grid<T>, SavedWalkError> {
        let [width, height] = self.size.to_array().map(|side| side as usize);
        let cells = runs.decode(width * height, name, read).map_err(invalid)?;
        Grid::from_vec(width, height, cells).map_err(invalid)
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
        let is_known = creature.known || recognition == Recognition::Identified;
        Ok(Creature { species, cell, recognition, last_seen, is_known, facing, noticed })
    }

    fn on_map(&self, name: &str, cell: IVec2) -> Result<IVec2, SavedWalkError> {
        let (size, IVec2 { x, y }) = (self.size, cell);
        match CellRect::of_size(size).contains(cell) {
            true => Ok(cell),
            false => Err(invalid(format!("{name} {x},{y} is outside the map of {}x{} cells", size.x, size.y))),
        }
    }
}

fn invalid(message: impl ToString) -> SavedWalkError {
    SavedWalkError::Invalid(message.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use farsight::Job;
    use glam::ivec2;

    /// Returns a file with another body and its checksum.
    fn with_body(body: &str) -> Vec<u8> {
        format!("{MAGIC} {FORMAT} {:016x}\n{body}", fnv1a_64(body.bytes())).into_bytes()
    }

    fn body_of(walk: &SavedWalk) -> String {
        String::from_utf8(walk.to_bytes()).unwrap().split_once('\n').unwrap().1.to_owned()
    }

    fn walk_on_clear_map(width: usize, height: usize) -> SavedWalk {
        let opacity = OpacityMap::clear(width, height).unwrap();
        let source = MapSource::new("m", crate::files::digest_of_map(&opacity));
        let preset = Preset::bare_kernel();
        let scene = Scene::from_map(preset, opacity, Some(ivec2(3, 3)), Job::none()).unwrap();
        SavedWalk::of(&scene, "", Some(&source))
    }

    #[test]
    fn a_map_without_features_is_written_and_read() {
        let walk = walk_on_clear_map(3000, 2000);
        let read = SavedWalk::from_bytes(&walk.to_bytes()).unwrap();
        assert_eq!(read.opacity(), walk.opacity());
        assert_eq!(read.to_bytes(), walk.to_bytes());
    }

    #[test]
    fn a_short_file_with_a_large_map_is_refused_before_the_map_is_made() {
        let body = body_of(&walk_on_clear_map(80, 60));
        let body = body.replace("\"size\":[80,60]", "\"size\":[16384,16384]");
        let body = body.replace("\"opacity\":[[4800,0]]", "\"opacity\":[[268435456,0]]");
        let memory = body.find("\"memory\":").unwrap();
        let end = memory + body[memory..].find("]]").unwrap() + 2;
        let body = format!("{}\"memory\":[[268435456,0]]{}", &body[..memory], &body[end..]);
        let error = SavedWalk::from_bytes(&with_body(&body)).unwrap_err().to_string();
        assert!(error.contains("a map of 16384x16384 cells in a file of"), "{error}");
    }

    #[test]
    fn a_turn_that_nobody_reaches_is_refused() {
        let body = body_of(&walk_on_clear_map(80, 60));
        let at_turn =
            |turn: u64| SavedWalk::from_bytes(&with_body(&body.replace("\"turn\":0", &format!("\"turn\":{turn}"))));
        let mut scene = at_turn(MAX_TURN).unwrap().to_scene(Job::none()).unwrap();
        scene.step(ivec2(1, 0)).unwrap();
        let error = at_turn(u64::MAX).unwrap_err().to_string();
        assert!(error.ends_with("turn: 18446744073709551615: expected at most 9007199254740992"), "{error}");
    }

    #[test]
    fn other_opacities_than_those_of_the_map_are_refused() {
        let body = body_of(&walk_on_clear_map(80, 60)).replace("[[4800,0]]", "[[4799,0],[1,1065353216]]");
        let error = SavedWalk::from_bytes(&with_body(&body)).unwrap_err().to_string();
        assert!(error.contains("the opacities are not those of m"), "{error}");
    }
}
