//! [`Still`]: what of hills and woods hangs on no eye, so that for most cells little is left to be done for each.

use pulp::{Simd, WithSimd};

use super::eye::Eye;
use crate::grid::Grid;
use crate::optics::Optics;
use crate::simd::{LANES, dispatch};

/// Of an eye, it knows the law of woods alone: neither where it stands nor how high.
#[derive(Debug)]
pub(super) struct Still {
    /// What a cell lets through of a ray that runs below the tops of its woods all along: its air and its woods.
    pub(super) below_tops: Grid<f32>,
    /// Stretch x of a row has the cells from [`LANES`] · x on, twice that many: there is one around every vector.
    pub(super) stretches: Grid<Stretch>,
}

/// Bounds for a stretch of cells in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// All ground and all tops of woods lie below it, or as high.
    pub(super) highest: f32,
    /// The lowest ground on which there are woods.
    pub(super) ground: f32,
    /// All tops of woods lie above it, or as high.
    pub(super) tops: f32,
}

impl Still {
    pub(super) fn new(optics: &Optics) -> Self {
        let (ground, cover) = (optics.world.ground_m(), optics.world.vegetation());
        let eye = Eye::new(optics, 0.0);
        let mut below_tops = Grid::clone(&optics.air);
        dispatch(BelowTops { eye, cover: cover.as_slice(), cells: below_tops.as_mut_slice() });
        let count = ground.width().div_ceil(LANES);
        let mut stretches = Grid::new(count, ground.height(), Stretch::NONE);
        for y in 0..ground.height() {
            let cells = ground.row(y).chunks(LANES).zip(cover.row(y).chunks(LANES));
            let stretches = stretches.row_mut(y);
            for (slot, (ground, cover)) in stretches.iter_mut().zip(cells) {
                *slot = Stretch::of(&eye, ground, cover);
            }
            for x in 1..count {
                stretches[x - 1] = stretches[x - 1].with(stretches[x]);
            }
        }
        Self { below_tops, stretches }
    }
}

impl Stretch {
    const NONE: Self = Self { highest: f32::NEG_INFINITY, ground: f32::INFINITY, tops: f32::INFINITY };

    /// Cells where nobody measured have neither ground nor woods.
    fn of(eye: &Eye, ground: &[f32], cover: &[f32]) -> Self {
        let mut all = Self::NONE;
        for (&ground, &cover) in ground.iter().zip(cover) {
            let top = ground + eye.canopy_over_ground(cover);
            if cover > 0.0 {
                all = all.with(Self { highest: top, ground, tops: top });
            } else {
                all.highest = greater(all.highest, ground);
            }
        }
        // Sums are rounded to the nearest float: the true ones lie between its neighbours.
        Self { highest: all.highest.next_up(), tops: all.tops.next_down(), ..all }
    }

    fn with(self, other: Self) -> Self {
        Self {
            highest: greater(self.highest, other.highest),
            ground: -greater(-self.ground, -other.ground),
            tops: -greater(-self.tops, -other.tops),
        }
    }
}

/// The first of what is not greater, or not a number.
fn greater(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Makes what air and woods let through of what the air does.
struct BelowTops<'a> {
    eye: Eye,
    cover: &'a [f32],
    cells: &'a mut [f32],
}

impl WithSimd for BelowTops<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (cell, &cover) in self.cells.iter_mut().zip(self.cover) {
            *cell = self.eye.below_tops(*cell, cover);
        }
    }
}
