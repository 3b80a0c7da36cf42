//! [`SavedWalk`]: a walk in a file, to go on with another day.
//!
//! The file is text: a first line with the format's number and a checksum of all that follows, and then JSON.
//!
//! ```text
//! farsight walk 1 91c5f2a30b7e4d68
//! {"version":"0.1.0","name":"fog","preset":"…","viewer":[120,88],…}
//! ```
//!
//! A generated world is not in it, for its seed makes it again, and a digest tells whether it is the same; nor is
//! measured ground, whose file must be given again. A map of opacities is.

use glam::IVec2;

use super::body::Body;
use super::error::SavedWalkError;
use crate::files::{MapSource, digest, fnv};
use crate::grid::Grid;
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::{Scene, Terrain, WalkState};
use crate::sight::OpacityMap;

/// A walk as it stands: the preset with its lamps, viewers and hour, where one stands, what one remembers, and every
/// creature with what is known of it. Taken up again, it goes on as if it had never been interrupted.
///
/// ```
/// use farsight::Job;
/// use farsight::preset::Preset;
/// use farsight::export::SavedWalk;
/// use farsight::scene::Scene;
/// use farsight::glam::ivec2;
/// let mut preset = Preset::named("fog")?;
/// (preset.world.width, preset.world.height) = (96, 96);
/// let mut scene = Scene::generate(preset, None, Job::quiet())?;
/// scene.step(ivec2(1, 0))?;
/// let bytes = SavedWalk::of(&scene, "fog", None).to_bytes();
/// let again = SavedWalk::from_bytes(&bytes)?.scene(&Job::quiet())?;
/// assert_eq!(again.viewer(), scene.viewer());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SavedWalk {
    /// The name of the preset, for titles; may be empty.
    pub name: String,
    /// The preset as it is now.
    pub preset: Preset,
    /// The file that took the place of a generated world.
    pub map: Option<MapSource>,
    /// The version of farsight that wrote it.
    pub(super) version: String,
    pub(super) land: Land,
    pub(super) state: WalkState,
}

/// What one walks on.
#[derive(Clone, Debug)]
pub(super) enum Land {
    /// A map of opacities.
    Map(OpacityMap),
    /// A world, or a dungeon: the digest of what can be seen of it.
    Made(String),
}

/// The extension of files with saved walks.
const EXTENSION: &str = "farsight";

/// The first words of every file.
const MAGIC: &str = "farsight walk";

/// The format that is written, and the only one that is read. It changes whenever an older file would no longer lead to
/// the same walk.
const FORMAT: u32 = 1;

impl SavedWalk {
    /// The extension of such files, without a dot.
    pub const EXTENSION: &'static str = EXTENSION;

    /// The longest file that is read, in bytes; what a walk on the largest world remembers takes less.
    pub const LONGEST_FILE: u64 = 1 << 30;

    /// A walk as it stands. `name` is the preset's, for titles; `map` is what took the place of a generated world.
    pub fn of(scene: &Scene, name: &str, map: Option<&MapSource>) -> Self {
        let land = match (scene.terrain(), map) {
            (Terrain::Map(opacity), Some(_)) => Land::Map(opacity.clone()),
            (terrain, _) => Land::Made(digest_of(terrain)),
        };
        Self {
            name: name.to_owned(),
            preset: scene.preset().clone(),
            map: map.cloned(),
            version: env!("CARGO_PKG_VERSION").into(),
            land,
            state: scene.walk_state(),
        }
    }

    /// The bytes of a file. The same walk gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = Body::of(self).to_json();
        let mut bytes = format!("{MAGIC} {FORMAT} {:016x}\n", fnv(body.bytes())).into_bytes();
        bytes.extend_from_slice(body.as_bytes());
        bytes
    }

    /// Reads the bytes of a file, whole or not at all.
    ///
    /// # Errors
    /// [`SavedWalkError`] for a file of another kind or version, and for a damaged one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedWalkError> {
        let head = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let head = std::str::from_utf8(head).map_err(|_| SavedWalkError::Foreign)?;
        let rest = head.strip_prefix(MAGIC).ok_or(SavedWalkError::Foreign)?;
        let (format, checksum) = rest.trim().split_once(' ').ok_or(SavedWalkError::CutShort)?;
        let format: u32 = format.parse().map_err(|_| SavedWalkError::Foreign)?;
        if format != FORMAT {
            return Err(SavedWalkError::OtherFormat { format, known: FORMAT });
        }
        let body = bytes.get(head.len() + 1..).ok_or(SavedWalkError::CutShort)?;
        let found = format!("{:016x}", fnv(body.iter().copied()));
        if found != checksum {
            return Err(SavedWalkError::Damaged { wanted: checksum.to_owned(), found });
        }
        Body::from_json(body)?.into_walk()
    }

    /// Where the viewer stands.
    pub fn viewer(&self) -> IVec2 {
        self.state.viewer
    }

    /// The map of opacities that is in the file, if one walks on such a map.
    pub fn opacity(&self) -> Option<&OpacityMap> {
        match &self.land {
            Land::Map(opacity) => Some(opacity),
            Land::Made(_) => None,
        }
    }

    /// The scene of the walk, as it stood: its world is made again.
    ///
    /// # Errors
    /// [`SavedWalkError::NeedsGround`] for a walk on measured ground, which [`resume`](Self::resume) takes up on a scene
    /// there; [`SavedWalkError::OtherLand`] if the world is no longer the same; [`SavedWalkError::Scene`].
    pub fn scene(&self, job: &Job) -> Result<Scene, SavedWalkError> {
        let (preset, viewer) = (self.preset.clone(), Some(self.viewer()));
        let mut scene = match (&self.land, &self.map) {
            (Land::Map(opacity), _) => Scene::on_map(preset, opacity.clone(), viewer, *job)?,
            (Land::Made(_), Some(map)) => return Err(SavedWalkError::NeedsGround(map.name.clone())),
            (Land::Made(_), None) => Scene::generate(preset, viewer, *job)?,
        };
        self.resume(&mut scene)?;
        Ok(scene)
    }

    /// Takes the walk up on a scene of the same world: preset, viewer, memory and creatures become those of the walk.
    ///
    /// # Errors
    /// [`SavedWalkError::OtherLand`] on another world or map, and [`SavedWalkError::Scene`]; the scene stays as it is.
    pub fn resume(&self, scene: &mut Scene) -> Result<(), SavedWalkError> {
        let same = match (&self.land, scene.terrain()) {
            (Land::Map(opacity), Terrain::Map(given)) => opacity == given,
            (Land::Made(digest), terrain) => *digest == digest_of(terrain),
            (Land::Map(_), Terrain::World(_)) => false,
        };
        if !same || scene.size() != self.state.memory.size() {
            return Err(SavedWalkError::OtherLand { version: self.version.clone() });
        }
        let mut resumed = scene.clone();
        resumed.restore(&self.preset, self.state.clone())?;
        *scene = resumed;
        Ok(())
    }
}

/// What tells whether a world is the same: the digests of all that one can see in it.
fn digest_of(terrain: &Terrain) -> String {
    let of = |fields: &[&Grid<f32>]| {
        let digests: String = fields.iter().map(|field| digest(field)).collect();
        format!("{:016x}", fnv(digests.bytes()))
    };
    match terrain {
        Terrain::World(optics) => {
            let world = optics.world();
            of(&[world.elevation_m(), world.ground_m(), world.humidity(), world.vegetation(), world.temperature_c()])
        }
        Terrain::Map(opacity) => of(&[opacity.grid()]),
    }
}
