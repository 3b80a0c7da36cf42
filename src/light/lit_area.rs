//! [`LitArea`]: the light of one lamp.

use glam::{IVec2, ivec2};

use crate::grid::{CellRect, Grid};
use crate::sight::View;

/// The cells that a lamp lights, each with its share of the lamp's strength: the smallest rectangle that has all of them.
#[derive(Clone, Debug)]
pub(super) struct LitArea {
    top_left: IVec2,
    shares: Grid<f32>,
}

impl LitArea {
    pub(super) fn of(view: &View<'_>) -> Self {
        let grid = view.grid();
        let (mut min, mut max) = (grid.size(), IVec2::ZERO);
        for (y, row) in grid.rows().enumerate() {
            let Some(first) = row.iter().position(|share| *share > 0.0) else { continue };
            let last = row.iter().rposition(|share| *share > 0.0).unwrap_or(first);
            min = min.min(ivec2(first as i32, y as i32));
            max = max.max(ivec2(last as i32, y as i32) + 1);
        }
        let size = (max - min).max(IVec2::ZERO);
        let shares = Grid::from_fn(size.x as usize, size.y as usize, |cell| *grid.get(min + cell).unwrap_or(&0.0));
        Self { top_left: view.top_left() + min, shares }
    }

    /// Returns the smallest rectangle that has all lit cells.
    pub(super) fn frame(&self) -> CellRect {
        CellRect { min: self.top_left, max: self.top_left + self.shares.size() }
    }

    /// Returns the share of the lamp's strength on a cell, in [0, 1].
    #[inline]
    pub(super) fn share(&self, cell: IVec2) -> f32 {
        self.shares.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(0.0)
    }

    /// Returns the shares of a part of a row, from `x` to the right; they must be inside the [`frame`](Self::frame).
    pub(super) fn row(&self, y: i32, x: std::ops::Range<i32>) -> &[f32] {
        let row = self.shares.row((y - self.top_left.y) as usize);
        &row[(x.start - self.top_left.x) as usize..(x.end - self.top_left.x) as usize]
    }

    /// Returns `true` if the opacity of a cell matters to the light of the lamp: light reaches the cell or one next to it.
    pub(super) fn depends_on(&self, cell: IVec2) -> bool {
        let CellRect { min, max } = self.frame();
        let is_near = cell.cmpge(min - 1).all() && cell.cmple(max).all();
        is_near && (-1..=1).any(|y| (-1..=1).any(|x| self.share(cell.wrapping_add(ivec2(x, y))) > 0.0))
    }
}
