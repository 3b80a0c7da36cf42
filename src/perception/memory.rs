//! [`Memory`]: which cells are in sight, were once, or never.

use glam::IVec2;

use crate::grid::Grid;

/// What is remembered of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum CellMemory {
    /// Never seen; not drawn.
    #[default]
    Hidden,
    /// Seen once; drawn muted, with no creature or item on it.
    Seen,
    /// In sight now.
    Visible,
}

impl CellMemory {
    /// `hidden`, `seen` or `visible`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Seen => "seen",
            Self::Visible => "visible",
        }
    }
}

/// What a viewer remembers of a map. A step touches only the cells that were or are in sight.
#[derive(Clone, Debug)]
pub struct Memory {
    cells: Grid<CellMemory>,
    in_sight: Vec<IVec2>,
}

impl Memory {
    /// Nothing was seen yet, on a map of this many cells.
    pub fn new(width: usize, height: usize) -> Self {
        Self { cells: Grid::new(width, height, CellMemory::Hidden), in_sight: Vec::new() }
    }

    /// Takes in what is seen now: cells that fell out of sight stay as `Seen`, or are forgotten at
    /// once where `remember` is false. Cells off the map are passed over.
    pub fn look(&mut self, visible: impl IntoIterator<Item = IVec2>, remember: bool) {
        let left = if remember { CellMemory::Seen } else { CellMemory::Hidden };
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

    /// What is remembered of a cell; `Hidden` off the map.
    #[inline]
    pub fn get(&self, cell: IVec2) -> CellMemory {
        self.cells.get(cell).copied().unwrap_or_default()
    }

    /// What is remembered of all cells.
    pub fn grid(&self) -> &Grid<CellMemory> {
        &self.cells
    }

    /// Takes up a memory of the same map.
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

    /// Forgets all that is not in sight.
    pub fn forget(&mut self) {
        self.cells.as_mut_slice().fill(CellMemory::Hidden);
        for &cell in &self.in_sight {
            self.cells[cell] = CellMemory::Visible;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn cells_go_from_hidden_to_visible_to_seen_and_back() {
        let mut memory = Memory::new(3, 1);
        memory.look([ivec2(0, 0), ivec2(1, 0), ivec2(9, 9)], true);
        memory.look([ivec2(1, 0)], true);
        let states: Vec<_> = memory.grid().as_slice().iter().map(|s| s.name()).collect();
        assert_eq!(states, ["seen", "visible", "hidden"]);
        memory.look([ivec2(0, 0)], false);
        let states: Vec<_> = memory.grid().as_slice().iter().map(|s| s.name()).collect();
        assert_eq!(states, ["visible", "hidden", "hidden"]);
    }

    #[test]
    fn forgetting_keeps_what_is_in_sight() {
        let mut memory = Memory::new(2, 1);
        memory.look([ivec2(0, 0)], true);
        memory.look([ivec2(1, 0)], true);
        memory.forget();
        assert_eq!(memory.grid().as_slice(), [CellMemory::Hidden, CellMemory::Visible]);
    }
}
