//! [`SectorPlan`]: the octants that a view in a sector sweeps, and the cells that it clears.

use std::ops::Range;

use glam::DVec2;

use super::sector::Sector;
use super::sector_edges::{RowPart, SectorEdges};
use super::window::Window;

/// The terms of a sector that a view needs, computed once.
#[derive(Clone, Debug)]
pub(super) struct SectorPlan {
    sector: Sector,
    /// The ratios of the sides of cells.
    ratios: DVec2,
    edges: SectorEdges,
    /// The octants that the sector touches, and those of them that are completely inside.
    touched: Octants,
    inside: Octants,
    /// The cells that the last view cleared: most viewers look the same way for a while.
    cleared: Option<ClearedCells>,
}

/// The cells of a window that are in some octants and not in a sector.
#[derive(Clone, Debug)]
struct ClearedCells {
    window_radius: u32,
    in_sight: u32,
    octants: Octants,
    /// Runs of values of the window.
    runs: Vec<Range<usize>>,
}

impl SectorPlan {
    /// Creates the plan of a sector over cells whose sides have these ratios.
    pub(super) fn new(sector: Sector, ratios: DVec2) -> Self {
        // Cells on the edge between two octants are in both.
        const TOUCHING: f64 = 1e-6;
        let (mut touched, mut inside) = (Octants::ALL, Octants::ALL);
        if !sector.is_full() {
            (touched, inside) = (Octants::NONE, Octants::NONE);
            let from = (sector.facing - 0.5 * sector.span).rem_euclid(360.0);
            let to = from + sector.span;
            for k in 0..16 {
                let [start, end] = [k, k + 1].map(|k| 45.0 * f64::from(k));
                if start < to - TOUCHING && end > from + TOUCHING {
                    touched.insert(k as usize % 8);
                }
                if start > from - TOUCHING && end < to + TOUCHING {
                    inside.insert(k as usize % 8);
                }
            }
            if ratios != DVec2::ONE {
                (touched, inside) = (Octants::ALL, Octants::NONE); // octants of cells are not octants on the ground
            }
        }
        Self { sector, ratios, edges: sector.edges(ratios), touched, inside, cleared: None }
    }

    /// Returns `true` if this is the plan of a sector over such cells.
    #[inline]
    pub(super) fn is_of(&self, sector: Sector, ratios: DVec2) -> bool {
        self.sector == sector && self.ratios == ratios
    }

    /// Returns `true` if all directions are in the sector.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.sector.is_full()
    }

    /// Returns the octants that the sector touches.
    #[inline]
    pub(super) fn touched(&self) -> Octants {
        self.touched
    }

    /// Clears the visibilities of a window's cells within `in_sight` that are not in the sector. Only the octants of `lit` can
    /// have visibilities above 0.
    pub(super) fn clip(&mut self, window: &mut Window, in_sight: u32, lit: Octants) {
        let octants = lit.without(self.inside);
        if self.is_full() || octants == Octants::NONE {
            return;
        }
        let kept = self
            .cleared
            .take()
            .filter(|cells| (cells.window_radius, cells.in_sight, cells.octants) == (window.radius, in_sight, octants));
        let cells = kept.unwrap_or_else(|| self.cleared_cells(window, in_sight, octants));
        let own_cell = window.centre();
        let own = window.seen[own_cell];
        let seen = window.seen.values_mut();
        for run in &cells.runs {
            seen[run.clone()].fill(0.0);
        }
        window.seen[own_cell] = own;
        self.cleared = Some(cells);
    }

    #[cold]
    fn cleared_cells(&self, window: &Window, in_sight: u32, octants: Octants) -> ClearedCells {
        let middle = window.radius as i32;
        // From left to right: the octants above the viewer, and those below.
        let [above, below] = [[6, 7, 0, 1], [5, 4, 3, 2]].map(|numbers| {
            let is_cleared = numbers.map(|k| octants.contains(k));
            let first = is_cleared.iter().position(|&is_cleared| is_cleared);
            first.zip(is_cleared.iter().rposition(|&is_cleared| is_cleared))
        });
        let mut runs = Vec::new();
        for (y, columns) in window.rows(in_sight) {
            let dy = y as i32 - middle;
            let octants = match dy {
                ..0 => above,
                0 => Some((0, 3)),
                1.. => below,
            };
            let Some((first, last)) = octants else { continue };
            let (left, right) = (columns.start as i32 - middle, columns.end as i32 - middle);
            let far = dy.abs();
            let start = [left, -far, 0, far][first].clamp(left, right);
            let end = [-far + 1, 1, far + 1, right][last].clamp(start, right);
            let RowPart { from, to, is_gap } = self.edges.row(dy);
            let (from, to) = (from.clamp(start, end), to.clamp(start, end));
            let to = to.max(from);
            let parts = if is_gap { [from..to, to..to] } else { [start..from, to..end] };
            let axis = window.seen.index_of(window.radius as usize, y);
            let place = |dx: i32| axis.wrapping_add_signed(dx as isize);
            runs.extend(
                parts.into_iter().filter(|part| !part.is_empty()).map(|part| place(part.start)..place(part.end)),
            );
        }
        ClearedCells { window_radius: window.radius, in_sight, octants, runs }
    }
}

/// Octants of a viewer, as bits: octant k has the directions from 45° · k to 45° · (k + 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Octants(u8);

impl Octants {
    pub(super) const ALL: Self = Self(0xff);
    const NONE: Self = Self(0);

    fn insert(&mut self, k: usize) {
        self.0 |= 1 << k;
    }

    /// Returns those that are in one of both.
    #[inline]
    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns `true` if octant `k` is among them.
    #[inline(always)]
    pub(super) fn contains(self, k: usize) -> bool {
        self.0 >> k & 1 != 0
    }
}
