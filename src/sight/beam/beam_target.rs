//! [`BeamTarget`]: a single cell, and the rays from which it takes its light.

use std::ops::Range;

use glam::IVec2;

use super::beam_list::{BeamList, CellRays};

/// A cell of the octant, and the octant in which it is.
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

    /// Returns the rows of a column that have to be walked for the bits of a whole view.
    ///
    /// A cell dims all its rays in the same way, and the way depends on edges of shadows in any of its sectors. So the cells that
    /// touch rays of the target need the edges in all their sectors, and in those of the next column, whose cells are at most as
    /// wide: the cells that touch theirs are walked, too, and the neighbours of these.
    #[inline(always)]
    pub(super) fn rows(&self, cells: &[CellRays]) -> Range<usize> {
        let (mut rays, mut rows) = (self.rays.clone(), 0..0);
        for _ in 0..3 {
            let start = cells.partition_point(|cell| touched_rays(cell).end <= rays.start);
            let end = cells.partition_point(|cell| touched_rays(cell).start < rays.end);
            rows = start..end.max(start);
            let (Some(first), Some(last)) = (cells.get(start), cells[..end].last()) else { break };
            rays = rays.start.min(touched_rays(first).start)..rays.end.max(touched_rays(last).end);
        }
        rows
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
