//! [`SectorEdges`]: the half-lines that bound a sector; [`OctantParts`]: the part of each octant between them.

use std::f64::consts::PI;
use std::ops::Range;

use glam::{DVec2, IVec2, ivec2};

/// The edges of a sector.
#[derive(Clone, Debug)]
pub struct SectorEdges {
    /// The sector is on the right of this edge, looking outwards.
    first: Edge,
    /// The sector is on the left of this edge, looking outwards.
    last: Edge,
    /// `true` if the sector is the union of both half-planes, not their intersection.
    is_wide: bool,
}

/// A half-line from the viewer outwards, as a vector whose longer component is [`UNIT`]: integers are exact where it matters.
#[derive(Clone, Copy, Debug)]
struct Edge {
    x: i64,
    y: i64,
}

const UNIT_BITS: u32 = 36;
const UNIT: i64 = 1 << UNIT_BITS;

/// The tolerance for a cell on an edge: above the error of the edge in the largest window.
const ON_EDGE: i64 = UNIT / 10_000_000;

/// The part of a row in a sector: these columns, or all others.
#[derive(Clone, Debug)]
pub struct RowPart {
    /// The columns.
    pub columns: Range<i32>,
    /// `true` for all other columns.
    pub is_gap: bool,
}

impl SectorEdges {
    /// Creates the edges in two directions, in degrees, for cells whose sides have these ratios.
    pub fn new([first, last]: [f64; 2], is_wide: bool, ratios: DVec2) -> Self {
        Self { first: Edge::new(first, ratios), last: Edge::new(last, ratios), is_wide }
    }

    /// Returns `true` if a cell is in the sector.
    pub(crate) fn contains(&self, offset: IVec2) -> bool {
        let is_right = self.first.side(offset) >= -i128::from(ON_EDGE);
        let is_left = self.last.side(offset) <= i128::from(ON_EDGE);
        if self.is_wide { is_right || is_left } else { is_right && is_left }
    }

    /// Returns the edges as half-planes. Their intersection is the sector, or the complement of a wide sector.
    fn half_planes(&self) -> [HalfPlane; 2] {
        let (sign, slack) = if self.is_wide { (-1, -ON_EDGE - 1) } else { (1, ON_EDGE) };
        [(self.first, sign), (self.last, -sign)]
            .map(|(edge, sign)| HalfPlane { normal: [-sign * edge.y, sign * edge.x], slack })
    }

    /// Returns the part of row `dy` that is in the sector, for cells in a window.
    pub fn row(&self, dy: i32) -> RowPart {
        let [a, b] = self.half_planes().map(|half_plane| half_plane.columns(dy));
        RowPart { columns: a.start.max(b.start)..a.end.min(b.end), is_gap: self.is_wide }
    }

    /// Returns the part of octant k, which has the directions from 45° · k to 45° · (k + 1), that is in the sector.
    pub(crate) fn octant(&self, k: usize) -> OctantPart {
        const AXES: [IVec2; 4] = [ivec2(0, -1), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)];
        let (before, after) = (AXES[k / 2], AXES[(k / 2 + 1) % 4]);
        let (along, across) = if k.is_multiple_of(2) { (before, after) } else { (after, before) };
        let (inside, outside) = match self.is_wide {
            true => (OctantPart::Outside, OctantPart::Inside),
            false => (OctantPart::Inside, OctantPart::Outside),
        };
        let (first, last) = (Bound { slope: 0, start: 0 }, Bound { slope: 0, start: MAX_CELL << UNIT_BITS });
        let mut bounds = OctantBounds { first, last, is_gap: self.is_wide, farthest: [1.0; 2] };
        let mut is_crossed = false;
        for half_plane in self.half_planes() {
            let HalfPlane { slack, .. } = half_plane;
            let [on_axis, on_diagonal] = [along, along + across].map(|cell| half_plane.distance(cell));
            // A gap that starts at the axis excludes the axis, since an adjacent octant may contain it.
            if on_axis <= 0 && on_diagonal > 0 && (on_axis < 0 || self.is_wide) {
                // The extension of the edge beyond the viewer bounds less than the other edge.
                if -on_axis >= bounds.first.slope {
                    bounds.first = Bound { slope: -on_axis, start: UNIT - 1 - slack };
                }
            } else if on_axis > 0 && on_diagonal < 0 {
                if bounds.last.start > UNIT || on_axis < bounds.last.slope {
                    bounds.last = Bound { slope: on_axis, start: slack };
                }
            } else if on_axis > 0 || on_diagonal > 0 {
                continue;
            } else {
                return outside; // what is on the edge is in the octant on its other side, too
            }
            is_crossed = true;
        }
        if !is_crossed {
            return inside;
        }
        if !self.is_wide {
            let slope = |bound: Bound| if bound.start > UNIT { 1.0 } else { bound.slope as f64 / UNIT as f64 };
            let [first, last] = [bounds.first, bounds.last].map(slope);
            let radius = |slope: f64| (1.0 + slope * slope).sqrt();
            bounds.farthest = [last / radius(last), (1.0 - first) / radius(first)];
        }
        OctantPart::Bounded(bounds)
    }
}

/// A coordinate beyond every window.
const MAX_CELL: i64 = 1 << 20;

/// The cells on one side of an edge.
struct HalfPlane {
    /// The change of the distance from the edge per cell to the east and per cell to the south, in units.
    normal: [i64; 2],
    /// The tolerance: cells are in the half-plane up to this distance beyond the edge.
    slack: i64,
}

impl HalfPlane {
    fn distance(&self, offset: IVec2) -> i64 {
        self.normal[0] * i64::from(offset.x) + self.normal[1] * i64::from(offset.y)
    }

    /// Returns the columns of row `dy`.
    fn columns(&self, dy: i32) -> Range<i32> {
        let [x, y] = self.normal;
        let at = y * i64::from(dy) + self.slack;
        let cell = |quotient: i64| quotient.clamp(i32::MIN.into(), (i32::MAX - 1).into()) as i32;
        match x {
            1.. => cell(-at.div_euclid(x))..i32::MAX,
            0 if at >= 0 => i32::MIN..i32::MAX,
            0 => i32::MAX..i32::MAX,
            _ => i32::MIN..cell(at.div_euclid(-x)) + 1,
        }
    }
}

impl Edge {
    fn new(direction_deg: f64, ratios: DVec2) -> Self {
        let (sin, cos) = libm::sincos(direction_deg * (PI / 180.0));
        let direction = DVec2::new(sin / ratios.x, -cos / ratios.y);
        let [x, y] = (direction * (UNIT as f64 / direction.abs().max_element())).round().to_array();
        Self { x: x as i64, y: y as i64 }
    }

    /// Returns the distance of a cell from the edge, in units along the axis that is closer to the normal: above 0 on the right.
    fn side(self, offset: IVec2) -> i128 {
        i128::from(self.x) * i128::from(offset.y) - i128::from(self.y) * i128::from(offset.x)
    }
}

/// A set of octants, of all eight or of the four along an axis, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OctantSet(pub(crate) u8);

impl OctantSet {
    pub(crate) const NONE: Self = Self(0);

    /// Returns the union of two sets.
    #[inline(always)]
    pub(crate) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns the intersection of two sets.
    #[inline(always)]
    pub(crate) fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Returns the set with octant `k` added.
    #[inline(always)]
    pub(crate) fn with(self, k: usize) -> Self {
        Self(self.0 | 1 << k)
    }

    /// Returns the difference of two sets.
    #[inline(always)]
    pub(crate) fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns `true` if the set contains octant `k`.
    #[inline(always)]
    pub(crate) fn contains(self, k: usize) -> bool {
        self.0 >> k & 1 != 0
    }
}

/// The parts of the octants of a viewer: octant k has the directions from 45° · k to 45° · (k + 1).
#[derive(Clone, Debug)]
pub(crate) struct OctantParts {
    parts: [OctantPart; 8],
    /// The octants that are not outside.
    touched: OctantSet,
    is_bounded: bool,
}

/// The part of an octant that is in a sector. Row m of an octant has the cells n = 0 to m, counted from its axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OctantPart {
    Outside,
    Inside,
    Bounded(OctantBounds),
}

/// The part of an octant that an edge crosses: in each row, the cells from one bound to the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OctantBounds {
    pub(crate) first: Bound,
    pub(crate) last: Bound,
    /// `true` if the cells outside of the bounds are in the sector.
    pub(crate) is_gap: bool,
    /// The maximum n and m − n in the sector, for a radius of 1.
    pub(crate) farthest: [f64; 2],
}

/// A bound of the cells of an octant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// n for each m, in units of 1 / 2^[`UNIT_BITS`].
    pub(crate) slope: i64,
    /// n for m = 0, in these units.
    pub(crate) start: i64,
}

impl OctantParts {
    pub(crate) fn new(parts: [OctantPart; 8]) -> Self {
        let is_touched = |k: &usize| !matches!(parts[*k], OctantPart::Outside);
        let touched = (0..8).filter(is_touched).fold(OctantSet::NONE, OctantSet::with);
        Self { parts, touched, is_bounded: parts.iter().any(|part| matches!(part, OctantPart::Bounded(_))) }
    }

    /// Creates parts that are whole octants.
    pub(crate) fn whole(octants: OctantSet) -> Self {
        let part = |k: usize| if octants.contains(k) { OctantPart::Inside } else { OctantPart::Outside };
        Self::new(std::array::from_fn(part))
    }

    /// Returns `true` if octant k has cells in the sector.
    #[inline(always)]
    pub(crate) fn touches(&self, k: usize) -> bool {
        self.touched.contains(k)
    }

    /// Returns `true` if an edge crosses an octant.
    #[inline(always)]
    pub(crate) fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// Returns the bounds of octant k if an edge crosses it.
    #[inline(always)]
    pub(crate) fn bounds(&self, k: usize) -> Option<&OctantBounds> {
        match &self.parts[k] {
            OctantPart::Bounded(bounds) => Some(bounds),
            _ => None,
        }
    }
}

impl OctantBounds {
    /// Returns `true` if the cell n of row m is in the sector.
    pub(crate) fn contains(&self, m: usize, n: i32) -> bool {
        (self.first.cell(m)..=self.last.cell(m)).contains(&n) != self.is_gap
    }

    /// Returns the maximum n and the maximum m − n of the cells in the sector, up to a radius: no other cell can pass
    /// light to them.
    #[inline(always)]
    pub(crate) fn farthest(&self, radius: u32) -> [u32; 2] {
        let [aside, behind] = self.farthest;
        [(aside * f64::from(radius)) as u32 + 2, (behind * f64::from(radius)) as u32 + 2]
    }
}

impl Bound {
    /// Returns n for a row.
    #[inline(always)]
    pub(crate) fn cell(self, m: usize) -> i32 {
        ((self.slope * m as i64 + self.start) >> UNIT_BITS) as i32
    }
}
