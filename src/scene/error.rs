//! [`SceneError`]: why there is no scene.

use glam::IVec2;

use crate::preset::PresetError;
use crate::sight::SightError;
use crate::world::{DungeonError, WorldError};

/// Why there is no scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The preset is wrong.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The world could not be made.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The dungeon could not be made.
    #[error(transparent)]
    Dungeon(#[from] DungeonError),
    /// The view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// Something that the preset puts on a cell off the map.
    #[error(
        "{what} stands on {},{}, outside the map of {width}x{height} cells; it must lie within 0,0 to {},{}",
        cell.x, cell.y, width - 1, height - 1
    )]
    OffMap {
        /// What: `lamps[1]`, counted from 0.
        what: String,
        /// Where it stands.
        cell: IVec2,
        /// Columns of the map.
        width: i32,
        /// Rows of the map.
        height: i32,
    },
    /// A lamp, a creature or a viewer where nobody measured the ground.
    #[error("{what} stands on {},{}, where the map has no data; put it on a cell that has an elevation", cell.x, cell.y)]
    NoGround {
        /// What: `lamps[1]`, counted from 0.
        what: String,
        /// Where it stands.
        cell: IVec2,
    },
    /// A creature inside a wall.
    #[error("{what} stands on {},{}, inside a wall; put it where one can stand", cell.x, cell.y)]
    InWall {
        /// What: `creatures[1]`, counted from 0.
        what: String,
        /// Where it stands.
        cell: IVec2,
    },
    /// The work ended without an answer.
    #[error("making the world was interrupted")]
    Interrupted,
    /// A layer that a bare map does not have.
    #[error("a map of opacities has no layer {0}; it has visibility, perceived, light and opacity")]
    NoSuchLayer(&'static str),
    /// A picture of more pixels than are painted.
    #[error(
        "a picture of {width}x{height} pixels ({scale} a cell) is too large; at most {limit} pixels are painted: \
        choose a smaller scale or a part of the map"
    )]
    PictureTooLarge {
        /// Pixels a cell.
        scale: u32,
        /// Columns of pixels.
        width: i64,
        /// Rows of pixels.
        height: i64,
        /// The most pixels.
        limit: i64,
    },
}
