//! [`RowBounds`]: bounds of the heights of some cells in a row.

/// Bounds for a run of cells in a row. Cells with nodata have neither ground nor vegetation.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBounds {
    /// At or above all ground and all canopy tops.
    pub(super) highest: f32,
    /// The lowest ground that has vegetation.
    pub(super) ground: f32,
    /// At or below all canopy tops.
    pub(super) tops: f32,
}

impl RowBounds {
    pub(super) const NONE: Self = Self { highest: f32::NEG_INFINITY, ground: f32::INFINITY, tops: f32::INFINITY };

    /// Computes the bounds of some cells; `canopy_height` is that of full cover.
    pub(super) fn new(canopy_height: f32, ground: &[f32], cover: &[f32]) -> Self {
        let mut all = Self::NONE;
        for (&ground, &cover) in ground.iter().zip(cover) {
            let top = ground + canopy_top(canopy_height, cover);
            if cover > 0.0 {
                all = all.union(Self { highest: top, ground, tops: top });
            } else {
                all.highest = max_not_nan(all.highest, ground);
            }
        }
        // A sum is rounded to the nearest float: the exact one is between its neighbours.
        Self { highest: all.highest.next_up(), tops: all.tops.next_down(), ..all }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self {
            highest: max_not_nan(self.highest, other.highest),
            ground: -max_not_nan(-self.ground, -other.ground),
            tops: -max_not_nan(-self.tops, -other.tops),
        }
    }
}

/// Returns the height of vegetation over its ground; `canopy_height` is that of full cover.
#[inline(always)]
pub(super) fn canopy_top(canopy_height: f32, cover: f32) -> f32 {
    canopy_height * cover * cover
}

/// Returns the greater number, or `a` if one is NaN.
fn max_not_nan(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
