//! [`SectorEdges`]: the half-lines between which a sector is.

use std::f64::consts::PI;

use glam::DVec2;

/// The edges of a sector that is not full.
#[derive(Clone, Debug)]
pub(super) struct SectorEdges {
    /// The sector is on the right of this edge, looking outwards.
    first: Edge,
    /// The sector is on the left of this edge, looking outwards.
    last: Edge,
    /// `true` if it is enough to be on the right side of one edge.
    is_wide: bool,
}

/// A part of a row: the columns `from..to`, or all others.
pub(super) struct RowPart {
    pub(super) from: i32,
    pub(super) to: i32,
    pub(super) is_gap: bool,
}

impl RowPart {
    pub(super) fn contains(&self, dx: i32) -> bool {
        (self.from..self.to).contains(&dx) != self.is_gap
    }
}

impl SectorEdges {
    /// Creates the edges in two directions, in degrees, for cells whose sides have these ratios.
    pub(super) fn new([first, last]: [f64; 2], is_wide: bool, ratios: DVec2) -> Self {
        Self { first: Edge::new(first, ratios), last: Edge::new(last, ratios), is_wide }
    }

    /// Returns the part of row `dy` that is in the sector.
    #[inline(always)]
    pub(super) fn row(&self, dy: i32) -> RowPart {
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
#[derive(Clone, Debug)]
struct Edge {
    /// dx for each dy, in units of [`UNIT`].
    slope: i64,
    direction: EdgeDirection,
}

/// The direction of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
enum EdgeDirection {
    /// To rows above the viewer.
    Northward,
    /// To rows below the viewer.
    Southward,
    /// Along the viewer's row.
    Eastward,
    Westward,
}

/// The units in a cell. Integers are faster than rounding, and exact where it matters.
const UNIT: i64 = 1 << 36;

/// The distance from an edge up to which a cell is on it: more than the error of the slope in the largest window.
const ON_EDGE: i64 = UNIT / 10_000_000;

/// The largest slope in cells: an edge that is steeper leaves every window in the first row.
const MAX_SLOPE: f64 = (1 << 26) as f64;

impl Edge {
    fn new(direction_deg: f64, ratios: DVec2) -> Self {
        let (sin, cos) = libm::sincos(direction_deg * (PI / 180.0));
        let direction = match () {
            () if cos.abs() < 1e-12 && sin > 0.0 => EdgeDirection::Eastward,
            () if cos.abs() < 1e-12 => EdgeDirection::Westward,
            () if cos > 0.0 => EdgeDirection::Northward,
            () => EdgeDirection::Southward,
        };
        let slope = (-sin / cos * (ratios.y / ratios.x)).clamp(-MAX_SLOPE, MAX_SLOPE);
        Self { slope: (slope * UNIT as f64) as i64, direction }
    }

    /// Returns the columns `from..to` of row `dy` on the right or on the left of the edge.
    #[inline(always)]
    fn columns(&self, dy: i32, is_right: bool) -> [i32; 2] {
        use EdgeDirection::{Eastward, Northward, Southward, Westward};
        let at = i128::from(self.slope) * i128::from(dy);
        let from = || [cell(at + i128::from(UNIT - 1 - ON_EDGE)), i32::MAX];
        let to = || [i32::MIN, cell(at + i128::from(ON_EDGE)).saturating_add(1)];
        let row = |is_inside: bool| if is_inside || dy == 0 { [i32::MIN, i32::MAX] } else { [i32::MAX, i32::MAX] };
        match (self.direction, is_right) {
            (Northward, true) | (Southward, false) => from(),
            (Northward, false) | (Southward, true) => to(),
            (Eastward, true) | (Westward, false) => row(dy > 0),
            (Eastward, false) | (Westward, true) => row(dy < 0),
        }
    }
}

/// Returns the cell of a place in units, rounded down.
#[inline(always)]
fn cell(place: i128) -> i32 {
    (place >> UNIT.trailing_zeros()).clamp(i32::MIN.into(), i32::MAX.into()) as i32
}
