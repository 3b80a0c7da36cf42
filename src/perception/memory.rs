//! [`Memory`]: the cells of a map that are in sight, were in sight before, or never.

use glam::IVec2;

use crate::grid::Grid;
use crate::named_enum::named_enum;

named_enum! {
    /// The state of a cell in the memory of a viewer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    #[repr(u8)]
    pub enum CellMemory: "memory" {
        /// Never seen; not drawn.
        #[default]
        Hidden = "hidden",
        /// Seen before; drawn muted, without creatures.
        Seen = "seen",
        /// In sight now.
        Visible = "visible",
    }
}

/// The treatment of cells and creatures that fall out of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfSight {
    /// The viewer remembers them.
    Remember,
    /// The viewer forgets them at once.
    Forget,
}

/// The map as a viewer remembers it. An update visits only the cells that were or are in sight.
///
/// ```
/// use farsight::perception::{CellMemory, Memory, OutOfSight};
/// use farsight::{FieldOfView, Grid, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let map = OpacityMap::try_from(Grid::<f32>::from_text("...#...")?)?;
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let mut memory = Memory::new(7, 1);
/// for viewer in [ivec2(0, 0), ivec2(6, 0)] {
///     memory.update(fov.compute(&map, viewer)?.at_least(0.25), OutOfSight::Remember);
/// }
/// assert_eq!(memory.get(ivec2(1, 0)), CellMemory::Seen);
/// assert_eq!(memory.get(ivec2(5, 0)), CellMemory::Visible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "fog of war")]
#[doc(alias = "explored")]
#[derive(Clone, Debug)]
pub struct Memory {
    cells: Grid<CellMemory>,
    in_sight: Vec<IVec2>,
}

impl Memory {
    /// The memory of a map of this many cells that is not seen yet.
    pub fn new(width: usize, height: usize) -> Self {
        Self { cells: Grid::new(width, height, CellMemory::Hidden), in_sight: Vec::new() }
    }

    /// Sets the cells that are visible now. Cells off the map are ignored.
    pub fn update(&mut self, visible: impl IntoIterator<Item = IVec2>, out_of_sight: OutOfSight) {
        let left = match out_of_sight {
            OutOfSight::Remember => CellMemory::Seen,
            OutOfSight::Forget => CellMemory::Hidden,
        };
        for cell in self.in_sight.drain(..) {
            self.cells[cell] = left;
        }
        for cell in visible {
            if let Some(state) = self.cells.get_mut(cell) {
                *state = CellMemory::Visible;
                self.in_sight.push(cell);
            }
        }
    }

    /// Returns the state of a cell; `Hidden` off the map.
    #[inline]
    pub fn get(&self, cell: impl Into<IVec2>) -> CellMemory {
        let cell = cell.into();
        self.cells.get(cell).copied().unwrap_or_default()
    }

    /// Returns the state of all cells.
    pub fn grid(&self) -> &Grid<CellMemory> {
        &self.cells
    }

    /// Replaces the memory by a saved one of the same map.
    ///
    /// # Panics
    /// If the map has another size.
    #[cfg(feature = "files")]
    pub(crate) fn restore(&mut self, cells: Grid<CellMemory>) {
        assert_eq!(cells.size(), self.cells.size(), "a memory of another map");
        self.in_sight =
            cells.iter().filter(|(_, state)| **state == CellMemory::Visible).map(|(cell, _)| cell).collect();
        self.cells = cells;
    }

    /// Forgets all cells that are not in sight.
    pub fn forget(&mut self) {
        self.cells.as_mut_slice().fill(CellMemory::Hidden);
        for &cell in &self.in_sight {
            self.cells[cell] = CellMemory::Visible;
        }
    }
}
