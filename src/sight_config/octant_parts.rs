//! [`OctantParts`]: the part of each octant that is in a sector.

/// Some of eight octants, or of the four along an axis, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OctantSet(pub(crate) u8);

impl OctantSet {
    pub(crate) const NONE: Self = Self(0);

    /// Returns these octants and others.
    #[inline(always)]
    pub(crate) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns those that are among others.
    #[inline(always)]
    pub(crate) fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Returns these octants and octant `k`.
    #[inline(always)]
    pub(crate) fn with(self, k: usize) -> Self {
        Self(self.0 | 1 << k)
    }

    /// Returns those that are not among others.
    #[inline(always)]
    pub(crate) fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns `true` if octant `k` is among them.
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
    /// `true` if the cells that are not between the bounds are in the sector.
    pub(crate) is_gap: bool,
    /// The largest n and m − n in the sector, for a radius of 1.
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

pub(crate) const UNIT_BITS: u32 = 36;

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

    /// Returns the largest n and the largest m − n of the cells in the sector, up to a radius: no other cell can take light to
    /// them.
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
