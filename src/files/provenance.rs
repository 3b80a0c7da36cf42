//! [`Provenance`]: which scene a file shows, so that it can be asked for again.

use std::collections::BTreeMap;
use std::io::{BufRead, Read, Seek};

use serde::{Deserialize, Serialize};

use super::error::{ReadError, WriteError};
use super::map_source::MapSource;
use crate::files::{gif_comment, png_map};
use crate::grid::Grid;

/// Which scene a picture, film or JSON file shows. It holds no time and no folder: the same scene gives the same bytes.
///
/// A picture carries it as JSON in a text chunk with the keyword `farsight`, a `.gif` in a comment that begins so, a
/// JSON file under the key `farsight`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of farsight that wrote it.
    pub version: String,
    /// The resolved preset, as TOML.
    pub preset: String,
    /// The seed of the world.
    pub seed: u64,
    /// The map cell that the viewer stands on.
    pub viewer: [i32; 2],
    /// What was exported: `visibility`, `elevation`, …
    pub layer: String,
    /// The upper left map cell and the size in cells, if not the whole map was exported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<[i32; 4]>,
    /// The map or heightmap that took the place of a generated world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapSource>,
    /// Whatever else the writer had to say, under keys other than the above. Keys of later versions land here, too.
    #[serde(flatten)]
    pub more: BTreeMap<String, serde_json::Value>,
}

impl Provenance {
    /// The keyword of the text chunk of a picture, and the key in a JSON file.
    pub const KEYWORD: &'static str = "farsight";

    /// The key in [`more`](Self::more) of a painted view that was written in the middle of a walk: how many turns had passed.
    /// What was remembered by then, and where creatures had gone, it does not hold.
    pub const WALKED: &'static str = "walked";

    /// What is not as it was when the scene is made again from it, each in words that follow the name of the file: another
    /// version wrote it, or it was written in the middle of a walk.
    pub fn caveats(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.version != env!("CARGO_PKG_VERSION") {
            words.push(format!("was written by farsight {}; it may look different now", self.version));
        }
        if let Some(turns) = self.more.get(Self::WALKED) {
            words.push(format!(
                "was written in the middle of a walk (turn {turns}): what was remembered then, and where creatures had \
                 gone, is not in it and is left out; only a saved walk (.farsight) has it"
            ));
        }
        words
    }

    /// The provenance that the bytes of a picture, film or JSON file carry.
    ///
    /// # Errors
    /// [`ReadError`] if they are none of them, carry none, or one that cannot be understood.
    pub fn decode(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::decode_from(std::io::Cursor::new(bytes), bytes.len() as u64)
    }

    /// The same from a reader that holds `length` bytes.
    pub(super) fn decode_from(mut reader: impl BufRead + Seek, length: u64) -> Result<Self, ReadError> {
        let start = reader.fill_buf()?;
        if start.starts_with(png_map::MAGIC) {
            Self::from_png(reader, length)
        } else if start.starts_with(gif_comment::MAGIC) {
            Self::from_gif(reader)
        } else if start.trim_ascii_start().starts_with(b"{") {
            Self::from_json_file(reader)
        } else {
            Err(ReadError::NoProvenance)
        }
    }

    /// One line of JSON.
    pub(super) fn to_json(&self) -> Result<String, WriteError> {
        Ok(serde_json::to_string(self)?)
    }

    fn from_png(reader: impl BufRead + Seek, length: u64) -> Result<Self, ReadError> {
        let mut reader = png_map::decoder(reader, length)?.read_info().map_err(png_map::fault)?;
        let mut text = chunk_text(reader.info())?;
        if text.is_none() {
            reader.finish().map_err(png_map::fault)?; // some programs write text behind the picture
            text = chunk_text(reader.info())?;
        }
        let text = text.ok_or(ReadError::ForeignFile)?;
        serde_json::from_str(&text).map_err(|error| ReadError::Provenance(error.to_string()))
    }

    fn from_json_file(reader: impl Read) -> Result<Self, ReadError> {
        /// The values are passed over, not kept.
        #[derive(Deserialize)]
        struct File {
            farsight: Option<Provenance>,
        }
        let file: File = serde_json::from_reader(reader).map_err(|error| match error.classify() {
            serde_json::error::Category::Io => ReadError::Io(error.into()),
            _ => ReadError::Provenance(error.to_string()),
        })?;
        file.farsight.ok_or(ReadError::ForeignFile)
    }
}

/// The text of the chunk with our keyword, whichever of the three kinds of text chunk it is.
fn chunk_text(info: &png::Info<'_>) -> Result<Option<String>, ReadError> {
    /// Far more than any preset.
    const LONGEST: usize = 4 << 20;
    if let Some(chunk) = info.utf8_text.iter().find(|chunk| chunk.keyword == Provenance::KEYWORD) {
        let mut chunk = chunk.clone();
        chunk.decompress_text_with_limit(LONGEST).map_err(png_map::fault)?;
        return chunk.get_text().map(Some).map_err(png_map::fault);
    }
    if let Some(chunk) = info.compressed_latin1_text.iter().find(|chunk| chunk.keyword == Provenance::KEYWORD) {
        let mut chunk = chunk.clone();
        chunk.decompress_text_with_limit(LONGEST).map_err(png_map::fault)?;
        return chunk.get_text().map(Some).map_err(png_map::fault);
    }
    let plain = info.uncompressed_latin1_text.iter().find(|chunk| chunk.keyword == Provenance::KEYWORD);
    Ok(plain.map(|chunk| chunk.text.clone()))
}

/// A short name for the size and values of a map, to tell whether a map is the same again: the 64-bit FNV-1a
/// hash in hexadecimal digits. It guards against mistakes, not against malice.
///
/// # References
/// Fowler, Noll, Vo, Eastlake: *The FNV Non-Cryptographic Hash Algorithm*.
pub fn digest(values: &Grid<f32>) -> String {
    let size = [values.width() as u32, values.height() as u32].into_iter().flat_map(u32::to_le_bytes);
    let values = values.as_slice().iter().flat_map(|value| value.to_le_bytes());
    format!("{:016x}", fnv(size.chain(values)))
}

/// The 64-bit FNV-1a hash of some bytes.
pub(crate) fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
