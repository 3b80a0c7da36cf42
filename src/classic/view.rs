//! [`ClassicView`]: the cells that a classic method sees.

use glam::IVec2;

use crate::grid::Grid;

/// The cells that one viewer sees, in a window like that of [`View`](crate::sight::View): the square around the viewer of
/// side 2 · radius + 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicView {
    viewer: IVec2,
    top_left: IVec2,
    grid: Grid<bool>,
}

impl ClassicView {
    /// A window of side 2 · `radius` + 1 in which no cell is seen yet.
    pub(super) fn new(viewer: IVec2, radius: u32) -> Self {
        let side = 2 * radius as usize + 1;
        Self { viewer, top_left: viewer - IVec2::splat(radius as i32), grid: Grid::new(side, side, false) }
    }

    /// Marks the cell at an offset from the viewer as seen.
    #[inline]
    pub(super) fn mark(&mut self, offset: IVec2) {
        if let Some(seen) = self.grid.get_mut(self.viewer - self.top_left + offset) {
            *seen = true;
        }
    }

    /// Returns `true` if the cell at an offset from the viewer is seen.
    #[inline]
    pub(super) fn marked(&self, offset: IVec2) -> bool {
        self.get(self.viewer + offset)
    }

    /// Returns `true` if a cell of the map is seen; `false` outside the radius and off the map.
    #[inline]
    pub fn get(&self, cell: impl Into<IVec2>) -> bool {
        let cell = cell.into();
        self.grid.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(false)
    }

    /// Returns the viewer's cell.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the cell of the window's top left corner, which may be off the map.
    pub fn top_left(&self) -> IVec2 {
        self.top_left
    }

    /// Returns the window. A radius above 1024 is limited to the size of the map, rounded up to a multiple of 256.
    pub fn grid(&self) -> &Grid<bool> {
        &self.grid
    }

    /// Iterates over the cells of the map that are seen, row after row.
    pub fn visible(&self) -> impl Iterator<Item = IVec2> + '_ {
        self.grid.iter().filter(|(_, seen)| **seen).map(|(cell, _)| cell + self.top_left)
    }

    /// Returns the window as visibilities: 1 for seen cells, else 0.
    pub fn to_visibility(&self) -> Grid<f32> {
        self.grid.map(|&seen| if seen { 1.0 } else { 0.0 })
    }
}
