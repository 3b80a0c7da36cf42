//! [`TileMemory`]: what was seen before, for the binary methods.

use glam::IVec2;

use super::view::ClassicView;
use crate::grid::Grid;

/// What a player knows of one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum TileState {
    /// Never seen: drawn as solid black.
    #[default]
    Hidden,
    /// Seen before, not now: drawn muted, without items and creatures.
    Seen,
    /// Seen now: drawn as it is.
    Visible,
}

/// What a player knows of every tile of a map.
///
/// Each turn first turns every visible tile into a seen one, the brute-force way: all tiles of the
/// map are looked at, then what is seen now is made visible again. A turn therefore costs as much
/// as the map is large.
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
    /// A map of which nothing is known.
    pub fn new(width: usize, height: usize) -> Self {
        Self(Grid::new(width, height, TileState::Hidden))
    }

    /// One turn: what was visible is merely seen, then what `view` sees is visible.
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

    /// What is known of a tile; nothing of those off the map.
    pub fn get(&self, cell: IVec2) -> TileState {
        self.0.get(cell).copied().unwrap_or_default()
    }

    /// What is known of every tile.
    pub fn grid(&self) -> &Grid<TileState> {
        &self.0
    }
}
