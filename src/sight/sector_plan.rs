//! [`SectorPlan`]: the parts of octants and rows that are in a sector, computed once for many views.

use glam::DVec2;

use super::window::Window;
use crate::sight_config::{OctantPart, OctantParts, RowPart, Sector, SectorEdges};

/// The terms of a sector that a view needs.
#[derive(Clone, Debug)]
pub(super) struct SectorPlan {
    sector: Sector,
    /// The ratios of the sides of cells.
    ratios: DVec2,
    edges: SectorEdges,
    octants: OctantParts,
    /// The parts of rows 0, −1, 1, −2, 2, …, as far as they were needed.
    rows: Vec<[RowPart; 2]>,
}

impl SectorPlan {
    /// Creates the plan of a sector over cells whose sides have these ratios.
    pub(super) fn new(sector: Sector, ratios: DVec2) -> Self {
        let edges = sector.edges(ratios);
        let octant = |k| if sector.is_full() { OctantPart::Inside } else { edges.octant(k) };
        Self { octants: OctantParts::new(std::array::from_fn(octant)), rows: Vec::new(), sector, ratios, edges }
    }

    /// Changes the sector and the ratios.
    #[inline]
    pub(super) fn set(&mut self, sector: Sector, ratios: DVec2) {
        if (self.sector, self.ratios) != (sector, ratios) {
            let mut rows = std::mem::take(&mut self.rows);
            rows.clear();
            *self = Self { rows, ..Self::new(sector, ratios) };
        }
    }

    /// Returns the part of each octant.
    #[inline]
    pub(super) fn octants(&self) -> &OctantParts {
        &self.octants
    }

    /// Clears the visibilities of a window's cells within `in_sight` that are not in the sector.
    #[inline]
    pub(super) fn clip(&mut self, window: &mut Window, in_sight: u32) {
        if !self.sector.is_full() {
            self.clip_rows(window, in_sight);
        }
    }

    fn clip_rows(&mut self, window: &mut Window, in_sight: u32) {
        let middle = window.radius as usize;
        let edges = &self.edges;
        let missing = self.rows.len() as i32..in_sight.min(window.radius) as i32 + 1;
        self.rows.extend(missing.map(|dy| [-dy, dy].map(|dy| edges.row(dy))));
        let own = window.seen[window.centre()];
        for (y, columns) in window.rows(in_sight) {
            let RowPart { columns: part, is_gap } = &self.rows[y.abs_diff(middle)][usize::from(y > middle)];
            let column =
                |dx: i32| (middle as i64 + i64::from(dx)).clamp(columns.start as i64, columns.end as i64) as usize;
            let (start, end) = (column(part.start), column(part.end));
            let row = window.seen.row_mut(y);
            if *is_gap {
                row[start..end.max(start)].fill(0.0);
            } else {
                row[columns.start..start].fill(0.0);
                row[end.max(start)..columns.end].fill(0.0);
            }
        }
        let centre = window.centre();
        window.seen[centre] = own;
    }
}
