//! [`MapFrame`]: the part of the map on the paper.

use glam::{DVec2, IVec2, Vec2};

/// The cells of the map on the paper.
pub(super) struct MapFrame {
    /// The upper left cell.
    pub(super) first: IVec2,
    /// Columns and rows.
    pub(super) cells: IVec2,
    /// The upper left corner in millimetres.
    pub(super) min: Vec2,
    pub(super) mm_per_cell: Vec2,
    /// The denominator of the scale.
    pub(super) scale: f64,
}

impl MapFrame {
    pub(super) fn max(&self) -> Vec2 {
        self.min + self.cells.as_vec2() * self.mm_per_cell
    }

    /// Returns the place on paper of a position in cells.
    pub(super) fn place(&self, at: DVec2) -> Vec2 {
        self.min + (at - self.first.as_dvec2()).as_vec2() * self.mm_per_cell
    }

    pub(super) fn contains(&self, at: Vec2) -> bool {
        at.cmpge(self.min).all() && at.cmple(self.max()).all()
    }
}
