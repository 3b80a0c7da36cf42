//! [`Provenance`]: the scene that a file shows.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};

use super::map_source::MapSource;
use crate::text::excerpt;

/// The scene that a picture, film or JSON file shows. It holds no time and no folder: the same scene gives the same
/// bytes.
///
/// A picture stores it as JSON in a text chunk with the keyword `farsight`, a `.gif` in a comment that begins with
/// `farsight `, a JSON file under the key `farsight`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The version of farsight that wrote the file.
    pub version: String,
    /// The resolved preset, as TOML.
    pub preset: String,
    /// The seed of the world.
    pub seed: u64,
    /// The map cell of the viewer.
    pub viewer: [i32; 2],
    /// The exported layer: `visibility`, `elevation`, …
    pub layer: String,
    /// The upper left map cell and the size in cells, if only a part of the map was exported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<[i32; 4]>,
    /// The map or heightmap that replaced a generated world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapSource>,
    /// Further entries of the writer, and the keys of later versions.
    #[serde(flatten)]
    pub more: BTreeMap<String, serde_json::Value>,
}

impl Provenance {
    /// The keyword of the text chunk of a picture, and the key in a JSON file.
    pub const KEYWORD: &'static str = "farsight";

    /// The key in [`more`](Self::more) of a painted view that was written during a walk: the number of turns. The
    /// memory of the viewer and the positions of creatures at that time are not stored.
    pub const WALKED: &'static str = "walked";

    /// The comment of a `.gif` begins with this and continues with JSON.
    pub(super) const GIF_COMMENT_PREFIX: &'static str = "farsight ";

    /// Returns the ways in which a scene made again from this differs from the original: another version wrote it, or
    /// it was written during a walk. Each text continues the name of the file.
    pub fn caveats(&self) -> Vec<String> {
        let mut caveats = Vec::new();
        if self.version != env!("CARGO_PKG_VERSION") {
            caveats.push(format!("was written by farsight {}; it may look different now", excerpt(&self.version)));
        }
        if let Some(turns) = self.more.get(Self::WALKED).map(ToString::to_string) {
            let turns = excerpt(&turns);
            caveats.push(format!(
                "was written in the middle of a walk (turn {turns}): what was remembered then, and where creatures had \
                 gone, is not in it and is left out; only a saved walk (.farsight) has it"
            ));
        }
        caveats
    }

    pub(super) fn to_json(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    pub(crate) fn to_gif_comment(&self) -> io::Result<Vec<u8>> {
        Ok([Self::GIF_COMMENT_PREFIX, &self.to_json()?].concat().into_bytes())
    }
}
