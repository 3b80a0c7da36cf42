//! [`HalfCells`]: the length of a path in the viewer's cell and in the target's.
//!
//! A field of view counts the cells between viewer and target, which is right for walls: a wall is visible itself. Air
//! and woods have no surface. A path of M steps from centre to centre crosses half of its first cell and half of its
//! last, so that its length is M cells, not M − 1.
//!
//! The lines of the methods `beam` and `exact` end at points all over the target's cell, and some cross more cells than
//! others: next to a diagonal they cross a corner of the adjacent cell. In even air of the optical depth β a cell their
//! mean is g(β) = Σ w exp(−β L), with L the length of a line between the two cells. The two half cells make up the
//! difference between g and the law exp(−β r). With the mean k₁, the variance k₂ and the third central moment k₃ of L,
//! −ln g = β (k₁ − β k₂/2 + β² k₃/6).

use std::f64::consts::LN_2;
use std::sync::Arc;

use glam::{IVec2, Vec2Swizzles};

use crate::grid::Grid;
use crate::math::exp2_approx;
use crate::sight_config::PathRule;

/// The length of a path in each of its two half cells, in cell widths: `base` + `slope` q + `bend` q², where −q is the sum of log₂
/// of the transmittances of both cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HalfCells {
    pub(super) base: f32,
    pub(super) slope: f32,
    pub(super) bend: f32,
}

/// The maximum q for which the moments are valid: an optical depth of 4 per cell.
const MAX_DEPTH: f32 = 11.5;

impl HalfCells {
    /// Returns the half cells for two parents and a target at an offset: 0 on the viewer's own cell, ½ along an axis.
    ///
    /// With s = r/M for the slant of [`PathRule::PerLength`], the path in each cell is s/2. Two parents raise the cells in between to
    /// the exponent 1 + (s − 1)(M − 1)/M instead of s; the half cells have the difference, so that the total length in
    /// even air is r.
    pub(crate) fn of_steps(offset: IVec2, path: PathRule) -> Self {
        let slant = if path == PathRule::PerLength { 1.0 } else { 0.0 };
        let (dx, dy) = (offset.x.abs() as f32, offset.y.abs() as f32);
        let steps = dx.max(dy);
        if steps == 0.0 {
            return Self::default();
        }
        let extra = ((dx * dx + dy * dy).sqrt() / steps - 1.0) * slant;
        Self { base: 0.5 * (1.0 + extra + extra * ((steps - 1.0) / steps)), ..Self::default() }
    }

    /// Returns the half cells for lines with these weights and lengths between the two cells.
    pub(crate) fn of_lines(offset: IVec2, path: PathRule, lines: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        if offset == IVec2::ZERO {
            return Self::default();
        }
        let whole = match path {
            PathRule::PerCell => f64::from(offset.abs().max_element()),
            PathRule::PerLength => offset.as_dvec2().length(),
        };
        let weight: f64 = lines.clone().map(|(weight, _)| weight).sum();
        let mean = lines.clone().map(|(weight, length)| weight * length).sum::<f64>() / weight;
        let (mut second, mut third) = (0.0, 0.0);
        for (weight, length) in lines {
            let deviation = length - mean;
            second += weight * deviation * deviation;
            third += weight * deviation * deviation * deviation;
        }
        Self {
            base: (0.5 * (whole - mean)) as f32,
            slope: (second / weight * LN_2 / 8.0) as f32,
            bend: (-third / weight * LN_2 * LN_2 / 48.0) as f32,
        }
    }

    /// Returns the transmittance of both half cells, from the sum of log₂ of the transmittances of the two cells.
    pub(crate) fn transmittance(self, log2: f32) -> f32 {
        exp2_approx(self.log2_transmittance(log2))
    }

    /// Returns log₂ of [`transmittance`](Self::transmittance), from −126 to 0.
    #[inline(always)]
    pub(super) fn log2_transmittance(self, log2: f32) -> f32 {
        let depth = if -log2 < MAX_DEPTH { -log2 } else { MAX_DEPTH };
        let exponent = log2 * (self.base + depth * (self.slope + depth * self.bend));
        let exponent = if exponent > -126.0 { exponent } else { -126.0 };
        if exponent < 0.0 { exponent } else { 0.0 }
    }
}

/// The half cells of the paths to all cells in sight.
#[derive(Clone, Debug)]
pub(super) enum HalfCellTable {
    /// The half cells of two parents, by a formula.
    Steps(PathRule),
    /// The half cells of the lines of another method, by (|dx|, |dy|).
    Lines(Arc<Grid<HalfCells>>),
}

impl HalfCellTable {
    /// Creates the table of a method with lines from the half cells of an octant, 0 ≤ dy ≤ dx ≤ `radius`.
    pub(super) fn of_octant(radius: u32, octant: impl FnOnce(&mut dyn FnMut(IVec2, HalfCells))) -> Self {
        let side = radius as usize + 1;
        let mut table = Grid::new(side, side, HalfCells::default());
        octant(&mut |offset, half_cells| {
            table[offset] = half_cells;
            table[offset.yx()] = half_cells;
        });
        Self::Lines(table.into())
    }

    /// Returns the half cells for a target at an offset within the radius; those of the viewer's own cell beyond.
    pub(super) fn at(&self, offset: IVec2) -> HalfCells {
        match self {
            Self::Steps(path) => HalfCells::of_steps(offset, *path),
            Self::Lines(table) => table.get(offset.abs()).copied().unwrap_or_default(),
        }
    }

    /// Returns `true` if both are the same table.
    #[inline]
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Steps(path), Self::Steps(other)) => path == other,
            (Self::Lines(table), Self::Lines(other)) => Arc::ptr_eq(table, other),
            _ => false,
        }
    }
}
