//! [`SceneError`]: an error of a scene.

use glam::IVec2;

use crate::preset::PresetError;
use crate::world::{DungeonError, WorldError};
use farsight::sight::{OpacityError, SightError};

/// An error of a scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The preset is invalid.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The world cannot be generated.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The dungeon of the preset cannot be generated.
    #[error("world.{0}")]
    Dungeon(#[from] DungeonError),
    /// The view cannot be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// An entry of the preset is off the map.
    #[error(
        "{what} is at {},{}, outside the map of {width}x{height} cells: expected 0,0 to {},{}",
        cell.x, cell.y, width - 1, height - 1
    )]
    OffMap {
        /// The entry: `lamps[1]`, counted from 0.
        what: String,
        /// Its cell.
        cell: IVec2,
        /// Columns of the map.
        width: i32,
        /// Rows of the map.
        height: i32,
    },
    /// A rectangle outside the map.
    #[error("the cells {},{} to {},{} are outside the map of {width}x{height} cells: expected a part of 0,0 to {},{}",
        min.x, min.y, last.x, last.y, width - 1, height - 1)]
    NoSuchCells {
        /// The first cell.
        min: IVec2,
        /// The last cell.
        last: IVec2,
        /// Columns of the map.
        width: i32,
        /// Rows of the map.
        height: i32,
    },
    /// An entry of the preset is on a nodata cell.
    #[error("{what} is at {},{}, on a nodata cell: expected a cell with an elevation", cell.x, cell.y)]
    NoGround {
        /// The entry: `lamps[1]`, counted from 0.
        what: String,
        /// Its cell.
        cell: IVec2,
    },
    /// A creature is inside a wall.
    #[error("{what} is at {},{}, inside a wall: expected a cell that can be entered", cell.x, cell.y)]
    InWall {
        /// The entry: `creatures[1]`, counted from 0.
        what: String,
        /// Its cell.
        cell: IVec2,
    },
    /// A stroke has a brush of another kind of land.
    #[error("{what}.brush: \"{brush}\" is not valid in {land}: expected {expected}")]
    WrongBrush {
        /// The entry: `strokes[1]`, counted from 0.
        what: String,
        /// The name of the brush.
        brush: &'static str,
        /// The kind of land of the scene.
        land: &'static str,
        /// The brushes of this land.
        expected: String,
    },
    /// An opacity for a cell of a world.
    #[error(
        "{what} is at {},{} of a world, where opacity follows from air, woods and relief: expected an opacity map or a dungeon",
        cell.x, cell.y
    )]
    NoOpacities {
        /// The entry: `cells[1]`, counted from 0.
        what: String,
        /// Its cell.
        cell: IVec2,
    },
    /// An invalid opacity.
    #[error(transparent)]
    Opacity(#[from] OpacityError),
    /// No door on the cell to toggle.
    #[error("there is no door at {},{}: expected a cell drawn as + or ' in a text map", .0.x, .0.y)]
    NoDoor(IVec2),
    /// A door cannot close.
    #[error("the door at {},{} cannot be closed: someone is in it", .0.x, .0.y)]
    BlockedDoor(IVec2),
    /// A layer that opacity maps do not have.
    #[error("layer {0} is not valid on an opacity map: expected visibility, perceived, light or opacity")]
    NoSuchLayer(&'static str),
    /// A view or a picture does not fit into the free memory.
    #[error(
        "{what} needs {} MiB of memory and {} MiB are free: choose a smaller {smaller}",
        needed.div_ceil(1 << 20), available >> 20
    )]
    Memory {
        /// The view or picture.
        what: String,
        /// Its maximum memory in bytes.
        needed: u64,
        /// The free memory in bytes.
        available: u64,
        /// The settings that reduce it.
        smaller: String,
    },
    /// The picture has too many pixels.
    #[error(
        "a picture of {width}x{height} pixels ({scale} per cell) is too large; at most {limit} pixels are painted: \
        choose a smaller scale or a part of the map"
    )]
    PictureTooLarge {
        /// Pixels per cell.
        scale: u32,
        /// Columns of pixels.
        width: i64,
        /// Rows of pixels.
        height: i64,
        /// The maximum number of pixels.
        limit: i64,
    },
}
