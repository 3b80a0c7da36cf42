//! [`Sector`]: the directions in which a viewer looks.

use std::f64::consts::PI;
use std::ops::RangeInclusive;

use glam::{DVec2, IVec2};
use serde::{Deserialize, Serialize};

use super::error::SightError;
use super::window::Window;

/// A cone of vision: the directions in which a viewer looks, in degrees.
///
/// A cell is in the sector if its centre is, with the edges; the viewer's own cell always is. By default a viewer looks all around.
///
/// ```
/// use farsight::sight::Sector;
/// use farsight::glam::ivec2;
/// let east = Sector::new(90.0, 90.0); // from north-east to south-east
/// assert!(east.contains(ivec2(5, 0)) && east.contains(ivec2(5, -5)) && !east.contains(ivec2(5, -6)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sector {
    /// The direction of the middle, clockwise from the top of the map: 0 is north, 90 is east.
    #[serde(skip_serializing_if = "is_north")]
    pub facing: f64,
    /// The angle from edge to edge, up to 360 for all directions.
    #[serde(skip_serializing_if = "is_full_turn")]
    pub span: f64,
}

impl Default for Sector {
    fn default() -> Self {
        Self::ALL
    }
}

fn is_north(facing: &f64) -> bool {
    *facing == Sector::ALL.facing
}

fn is_full_turn(span: &f64) -> bool {
    *span == Sector::ALL.span
}

impl Sector {
    /// All directions.
    pub const ALL: Self = Self { facing: 0.0, span: 360.0 };

    /// The valid range of `facing`, in degrees.
    pub const FACING: RangeInclusive<f64> = -360.0..=360.0;

    /// The valid range of `span`, in degrees.
    pub const SPAN: RangeInclusive<f64> = 1.0..=360.0;

    /// Creates a sector from the direction of its middle and its angle, in degrees.
    pub fn new(facing: f64, span: f64) -> Self {
        Self { facing, span }
    }

    /// Returns `true` if all directions are in the sector.
    pub fn is_full(&self) -> bool {
        self.span >= 360.0
    }

    /// Returns `true` if this is the default, which presets leave out.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::ALL
    }

    /// Returns `true` if a cell at an offset from the viewer is in the sector.
    pub fn contains(&self, offset: IVec2) -> bool {
        self.contains_in(offset, DVec2::ONE)
    }

    /// [`contains`](Self::contains) for cells whose sides have these ratios.
    pub(crate) fn contains_in(&self, offset: IVec2, ratios: DVec2) -> bool {
        offset == IVec2::ZERO || self.is_full() || self.edges(ratios).row(offset.y).contains(offset.x)
    }

    /// Checks both angles.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`].
    pub fn check(&self) -> Result<(), SightError> {
        for (key, value, range) in
            [("sight.sector.facing", self.facing, Self::FACING), ("sight.sector.span", self.span, Self::SPAN)]
        {
            if !range.contains(&value) {
                let range = format!("{} to {} °", range.start(), range.end());
                return Err(SightError::OutOfRange { key, value, range });
            }
        }
        Ok(())
    }

    /// Returns the octants that the sector touches.
    pub(super) fn octants(&self) -> Octants {
        let mut octants = Octants(0);
        // Cells on the edge between two octants are in both.
        const TOUCHING: f64 = 1e-6;
        for octant in 0..8 {
            let middle = 45.0 * f64::from(octant) + 22.5;
            let aside = (middle - self.facing + 180.0).rem_euclid(360.0) - 180.0;
            if self.is_full() || aside.abs() < 0.5 * self.span + 22.5 - TOUCHING {
                octants.0 |= 1 << octant;
            }
        }
        octants
    }

    /// Returns the edges for cells whose sides have these ratios.
    fn edges(&self, ratios: DVec2) -> SectorEdges {
        let half = 0.5 * self.span;
        SectorEdges {
            first: Edge::new(self.facing - half, ratios),
            last: Edge::new(self.facing + half, ratios),
            is_wide: self.span > 180.0,
        }
    }

    /// Clears the visibilities of a window's cells within `in_sight` that are not in the sector.
    pub(super) fn clip(&self, window: &mut Window, in_sight: u32, ratios: DVec2) {
        if self.is_full() {
            return;
        }
        let (edges, middle) = (self.edges(ratios), window.radius as i32);
        let own_cell = window.centre();
        let own = window.seen[own_cell];
        for (y, columns) in window.rows(in_sight) {
            let first = columns.start as i32;
            let row = &mut window.seen.row_mut(y)[columns];
            let width = row.len() as i32;
            let column = |dx: i32| dx.saturating_add(middle - first).clamp(0, width) as usize;
            let RowPart { from, to, is_gap } = edges.row(y as i32 - middle);
            let (from, to) = (column(from), column(to));
            if is_gap {
                row[from..to.max(from)].fill(0.0);
            } else {
                row[..from].fill(0.0);
                row[to.max(from)..].fill(0.0);
            }
        }
        window.seen[own_cell] = own;
    }
}

/// Octants of a viewer, as bits: octant k has the directions from 45° · k to 45° · (k + 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Octants(u8);

impl Octants {
    pub(super) const ALL: Self = Self(0xff);

    /// Returns `true` if octant `k` is among them.
    #[inline(always)]
    pub(super) fn contains(self, k: usize) -> bool {
        self.0 >> k & 1 != 0
    }
}

/// The edges of a sector that is not full.
struct SectorEdges {
    /// The sector is on the right of this edge, looking outwards.
    first: Edge,
    /// The sector is on the left of this edge, looking outwards.
    last: Edge,
    /// `true` if it is enough to be on the right side of one edge.
    is_wide: bool,
}

/// A part of a row: the columns `from..to`, or all others.
struct RowPart {
    from: i32,
    to: i32,
    is_gap: bool,
}

impl RowPart {
    fn contains(&self, dx: i32) -> bool {
        (self.from..self.to).contains(&dx) != self.is_gap
    }
}

impl SectorEdges {
    /// Returns the part of row `dy` that is in the sector.
    #[inline(always)]
    fn row(&self, dy: i32) -> RowPart {
        let ([a, b], [c, d]) = (self.first.columns(dy, true), self.last.columns(dy, false));
        if !self.is_wide {
            return RowPart { from: a.max(c), to: b.min(d), is_gap: false };
        }
        // What neither has. Each is unbounded to one side or both.
        let gap = |[from, to]: [i32; 2]| match (from, to) {
            (i32::MIN, to) => [to, i32::MAX],
            (from, _) => [i32::MIN, from],
        };
        let ([a, b], [c, d]) = (gap([a, b]), gap([c, d]));
        RowPart { from: a.max(c), to: b.min(d), is_gap: true }
    }
}

/// A half-line from the viewer outwards.
struct Edge {
    /// dx for each dy.
    slope: f64,
    /// The cosine of the direction: above 0 towards the north. 0 if the edge is along a row.
    northward: f64,
    /// `true` if it is along a row and eastward.
    is_eastward: bool,
}

/// The distance in cells up to which a cell beyond an edge is on it: rounding errors are smaller.
const ON_EDGE: f64 = 1e-7;

impl Edge {
    fn new(direction_deg: f64, ratios: DVec2) -> Self {
        let (sin, cos) = libm::sincos(direction_deg * (PI / 180.0));
        let northward = if cos.abs() < 1e-12 { 0.0 } else { cos };
        Self { slope: -sin / cos * (ratios.y / ratios.x), northward, is_eastward: sin > 0.0 }
    }

    /// Returns the columns `from..to` of row `dy` on the right or on the left of the edge.
    #[inline(always)]
    fn columns(&self, dy: i32, is_right: bool) -> [i32; 2] {
        if self.northward == 0.0 {
            let is_inside = dy == 0 || (dy > 0) == (self.is_eastward == is_right);
            return if is_inside { [i32::MIN, i32::MAX] } else { [i32::MAX, i32::MAX] };
        }
        let on_edge = self.slope * f64::from(dy);
        if (self.northward > 0.0) == is_right {
            [(on_edge - ON_EDGE).ceil() as i32, i32::MAX]
        } else {
            [i32::MIN, ((on_edge + ON_EDGE).floor() as i32).saturating_add(1)]
        }
    }
}
