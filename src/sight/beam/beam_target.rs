//! [`BeamTarget`]: a single cell, and the rays that give it light.

use std::ops::Range;

use glam::IVec2;

use super::beam_list::{BeamList, CellRays};

/// A cell and its octant.
pub(super) struct BeamTarget {
    /// dx in the octant.
    pub(super) column: u32,
    /// dy in the octant.
    pub(super) row: usize,
    /// The lane of the octant.
    pub(super) lane: usize,
    /// The rays that cross the cell or whose sectors it covers.
    rays: Range<usize>,
}

impl BeamTarget {
    /// Creates the target at an offset from the viewer, which is not 0.
    pub(super) fn new(list: &BeamList, offset: IVec2) -> Self {
        let distance = offset.abs().as_uvec2();
        let mirrored = usize::from(offset.x < 0) | usize::from(offset.y < 0) << 1;
        let (column, row, swapped) =
            if distance.x >= distance.y { (distance.x, distance.y, 0) } else { (distance.y, distance.x, 4) };
        let row = row as usize;
        Self { column, row, lane: mirrored | swapped, rays: touched_rays(&list.column(column)[row]) }
    }

    /// Returns the rows of a column that must be computed for the bits of a whole view.
    ///
    /// A cell dims all its rays in the same way, which depends on shadow edges in any of its sectors. So the cells that
    /// touch rays of the target need the edges in all their sectors, and in those of the next column, whose cells are
    /// not wider: the cells that touch these sectors are computed, too, and their neighbours.
    ///
    /// `before` are the rows of the previous column, where the search starts.
    #[inline(always)]
    pub(super) fn rows(&self, cells: &[CellRays], before: Range<usize>) -> Range<usize> {
        let (mut start, mut end) = (before.start.min(cells.len()), before.end.min(cells.len()));
        let mut rays = self.rays.clone();
        while start < cells.len() && touched_rays(&cells[start]).end <= rays.start {
            start += 1;
        }
        while end > start && touched_rays(&cells[end - 1]).start >= rays.end {
            end -= 1;
        }
        for _ in 0..3 {
            while start > 0 && touched_rays(&cells[start - 1]).end > rays.start {
                start -= 1;
            }
            while end < cells.len() && touched_rays(&cells[end]).start < rays.end {
                end += 1;
            }
            let (Some(first), Some(last)) = (cells.get(start), cells[..end].last()) else { break };
            rays = rays.start.min(touched_rays(first).start)..rays.end.max(touched_rays(last).end);
        }
        start..end.max(start)
    }
}

/// Returns the rays that cross a cell or whose sectors it covers. Both ends rise from row to row.
#[inline(always)]
fn touched_rays(cell: &CellRays) -> Range<usize> {
    let (covered, crossed) = (cell.span.rays(), cell.crossed());
    if crossed.is_empty() {
        return covered;
    }
    covered.start.min(crossed.start)..covered.end.max(crossed.end)
}
