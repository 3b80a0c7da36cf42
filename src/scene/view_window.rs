//! [`ViewWindow`]: the view of a viewer or an observer.

use glam::IVec2;

use crate::grid::Grid;
use crate::sight::View;

/// Visibilities around a viewer, without light: a window and its upper left cell.
#[derive(Clone, Debug)]
pub(super) struct ViewWindow {
    pub(super) top_left: IVec2,
    pub(super) window: Grid<f32>,
}

impl ViewWindow {
    pub(super) fn of(view: &View<'_>) -> Self {
        Self { top_left: view.top_left(), window: view.grid().to_grid() }
    }

    /// Takes over a view. Allocates only if its size is another.
    pub(super) fn copy_from(&mut self, view: &View<'_>) {
        if self.window.size() != view.grid().size() {
            *self = Self::of(view);
            return;
        }
        self.top_left = view.top_left();
        for (y, row) in view.grid().rows().enumerate() {
            self.window.row_mut(y).copy_from_slice(row);
        }
    }

    #[inline]
    pub(super) fn visibility(&self, cell: IVec2) -> f32 {
        self.window.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(0.0)
    }

    /// Iterates over the cells with a visibility above 0.
    pub(super) fn visible(&self) -> impl Iterator<Item = IVec2> {
        self.window.iter().filter(|(_, visibility)| **visibility > 0.0).map(|(offset, _)| offset + self.top_left)
    }
}
