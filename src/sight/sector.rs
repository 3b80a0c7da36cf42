//! [`Sector`]: the directions in which a viewer looks.

use std::f64::consts::PI;
use std::ops::{Range, RangeInclusive};

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

    /// Returns the edges for cells whose sides have these ratios.
    fn edges(&self, ratios: DVec2) -> SectorEdges {
        let half = 0.5 * self.span;
        SectorEdges {
            first: Edge::new(self.facing - half, ratios),
            last: Edge::new(self.facing + half, ratios),
            is_wide: self.span > 180.0,
        }
    }
}

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

/// The edges of a sector that is not full.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
struct Edge {
    /// dx for each dy, in units of [`UNIT`].
    slope: i64,
    direction: EdgeDirection,
}

/// Where an edge goes.
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
