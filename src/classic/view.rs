//! [`ClassicView`]: what a classic field of view answers.

use glam::IVec2;

use crate::grid::Grid;

/// Whether each cell around one viewer is seen. The window is that of [`View`](crate::sight::View): the
/// square around the viewer, of side 2 · radius + 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicView {
    viewer: IVec2,
    origin: IVec2,
    grid: Grid<bool>,
}

impl ClassicView {
    /// A window of side 2 · `reach` + 1 in which nothing is seen yet.
    pub(super) fn new(viewer: IVec2, reach: u32) -> Self {
        let side = 2 * reach as usize + 1;
        Self { viewer, origin: viewer - IVec2::splat(reach as i32), grid: Grid::new(side, side, false) }
    }

    /// Marks the cell at an offset from the viewer as seen.
    #[inline]
    pub(super) fn mark(&mut self, offset: IVec2) {
        if let Some(seen) = self.grid.get_mut(self.viewer - self.origin + offset) {
            *seen = true;
        }
    }

    /// Whether the cell at an offset from the viewer is seen.
    #[inline]
    pub(super) fn marked(&self, offset: IVec2) -> bool {
        self.get(self.viewer + offset)
    }

    /// Whether a map cell is seen; `false` outside the radius and off the map.
    #[inline]
    pub fn get(&self, cell: IVec2) -> bool {
        self.grid.get(cell.wrapping_sub(self.origin)).copied().unwrap_or(false)
    }

    /// The cell that the viewer stands on.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// The map cell of the window's top left corner; it may lie off the map.
    pub fn origin(&self) -> IVec2 {
        self.origin
    }

    /// The square window around the viewer, of side 2 · radius + 1. A radius above 1024 is cut
    /// down to what the map can hold, rounded up to a multiple of 256.
    pub fn grid(&self) -> &Grid<bool> {
        &self.grid
    }

    /// The cells that are seen, as map cells, row after row.
    pub fn visible(&self) -> impl Iterator<Item = IVec2> + '_ {
        self.grid.iter().filter(|(_, seen)| **seen).map(|(cell, _)| cell + self.origin)
    }

    /// The window as visibilities: 1 where a cell is seen, else 0.
    pub fn to_visibility(&self) -> Grid<f32> {
        self.grid.map(|&seen| if seen { 1.0 } else { 0.0 })
    }
}
