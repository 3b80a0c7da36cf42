//! [`TileMemory`]: the map as the player knows it, for the classic methods.

use glam::IVec2;

use super::view::ClassicView;
use crate::grid::Grid;

/// The state of one tile in the memory of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum TileState {
    /// Never seen; drawn black.
    #[default]
    Hidden,
    /// Seen before, but not now; drawn muted, without items and creatures.
    Seen,
    /// Seen now; drawn as it is.
    Visible,
}

/// The state of every tile of a map in the memory of a player.
///
/// Each turn visits all tiles of the map, as the source does, so its run time is proportional to the area of the map.
///
/// # References
/// B. M. Andrew, *Field of View in a Tile-Based World*, 2020.
///
/// ```
/// use farsight::classic::{self, ClassicConfig, TileMemory, TileState};
/// use farsight::{Grid, OpacityMap};
/// use farsight::glam::ivec2;
/// let map = OpacityMap::try_from(Grid::<f32>::from_text("..#..")?)?;
/// let config = ClassicConfig::default();
/// let mut memory = TileMemory::new(5, 1);
/// memory.turn(&classic::visible(&map, ivec2(0, 0), &config)?);
/// memory.turn(&classic::visible(&map, ivec2(4, 0), &config)?);
/// assert_eq!(memory.get(ivec2(1, 0)), TileState::Seen);
/// assert_eq!(memory.get(ivec2(2, 0)), TileState::Visible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMemory(Grid<TileState>);

impl TileMemory {
    /// The memory of a map that is not seen yet.
    pub fn new(width: usize, height: usize) -> Self {
        Self(Grid::new(width, height, TileState::Hidden))
    }

    /// Advances one turn: visible tiles become seen, then the tiles that `view` sees become visible.
    pub fn turn(&mut self, view: &ClassicView) {
        for state in self.0.as_mut_slice() {
            if *state == TileState::Visible {
                *state = TileState::Seen;
            }
        }
        for cell in view.visible() {
            if let Some(state) = self.0.get_mut(cell) {
                *state = TileState::Visible;
            }
        }
    }

    /// Returns the state of a tile; `Hidden` off the map.
    pub fn get(&self, cell: IVec2) -> TileState {
        self.0.get(cell).copied().unwrap_or_default()
    }

    /// Returns the state of every tile.
    pub fn grid(&self) -> &Grid<TileState> {
        &self.0
    }
}
