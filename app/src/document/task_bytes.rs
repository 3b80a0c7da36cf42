//! Tasks as bytes, for the workers of a page.
//!
//! ```text
//! 0 for a world, 1 for a preview, 2 for a saved walk        a byte
//! a world or a preview:
//!   1 and the cell of the viewer, or 0                      a byte and two little-endian i32
//!   the same for the viewer of the world before
//!   1 if there is measured ground                           a byte
//!   the length of the preset, the preset                    a little-endian u32, TOML
//!   the measured ground
//! a saved walk: its file
//! ```

use std::sync::Arc;

use super::task::{Task, WorldRequest};
use farsight::export::SavedWalk;
use farsight::preset::Preset;
use farsight::world::Ground;
use glam::IVec2;

const WORLD: u8 = 0;
const PREVIEW: u8 = 1;
const WALK: u8 = 2;

impl Task {
    /// Returns the task as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (kind, request) = match self {
            Self::World(request) => (WORLD, request),
            Self::Preview(request) => (PREVIEW, request),
            Self::Walk(walk) => return [vec![WALK], walk.to_bytes()].concat(),
        };
        let mut bytes = vec![kind];
        for cell in [request.viewer, request.last_viewer] {
            bytes.push(u8::from(cell.is_some()));
            put_cell(&mut bytes, cell.unwrap_or_default());
        }
        bytes.push(u8::from(request.ground.is_some()));
        let preset = request.preset.to_toml();
        bytes.extend((preset.len() as u32).to_le_bytes());
        bytes.extend(preset.into_bytes());
        bytes.extend(request.ground.iter().flat_map(|ground| ground.to_bytes()));
        bytes
    }

    /// Returns the task, or `None` if the bytes are those of none.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&kind, mut rest) = bytes.split_first()?;
        if kind == WALK {
            return Some(Self::Walk(Arc::new(SavedWalk::from_bytes(rest).ok()?)));
        }
        let mut cell = || {
            let (&is_some, after) = rest.split_first()?;
            let (cell, after) = after.split_first_chunk()?;
            rest = after;
            Some((is_some != 0).then(|| cell_of(*cell)))
        };
        let (viewer, last_viewer) = (cell()?, cell()?);
        let (&has_ground, rest) = rest.split_first()?;
        let (len, rest) = rest.split_first_chunk()?;
        let (preset, ground) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        let preset = Preset::from_toml(std::str::from_utf8(preset).ok()?, "the page").ok()?;
        let ground = if has_ground == 0 { None } else { Some(Arc::new(Ground::from_bytes(ground)?)) };
        let request = WorldRequest { preset, viewer, last_viewer, ground };
        Some(if kind == PREVIEW { Self::Preview(request) } else { Self::World(request) })
    }
}

pub(crate) fn put_cell(bytes: &mut Vec<u8>, cell: IVec2) {
    bytes.extend(cell.to_array().into_iter().flat_map(i32::to_le_bytes));
}

pub(crate) fn cell_of(bytes: [u8; 8]) -> IVec2 {
    let [x, y] = [0, 4].map(|first| std::array::from_fn(|i| bytes[first + i])).map(i32::from_le_bytes);
    IVec2::new(x, y)
}
