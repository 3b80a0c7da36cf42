//! [`ObserverView`]: the view of an observer.

use glam::IVec2;

use crate::grid::Grid;

/// The view of an observer, without light: the window around it and the upper left cell of that.
#[derive(Clone, Debug)]
pub(super) struct ObserverView {
    pub(super) top_left: IVec2,
    pub(super) window: Grid<f32>,
}

impl ObserverView {
    #[inline]
    pub(super) fn visibility(&self, cell: IVec2) -> f32 {
        self.window.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(0.0)
    }
}
