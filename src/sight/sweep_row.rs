//! One row of the fast kernel: what is seen of it, and what passes through it to the next.

use pulp::Simd;

use super::Weights;
use super::offsets::diagonal_weight;
use super::tile::WIDE;

/// Places beside a row that may be computed along with it.
pub(super) const PAD: usize = WIDE;

/// What passes through a row and through the row before; the axis of the wedge is in the middle.
#[derive(Clone, Debug, Default)]
pub(super) struct Light {
    before: Vec<f32>,
    now: Vec<f32>,
    middle: usize,
}

/// The shares of the diagonal parents.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// Where they are not a mere ratio.
    table: Option<(Weights, Table)>,
}

/// Shares of the diagonal parent from a formula.
#[derive(Clone, Debug, Default)]
struct Table {
    /// For each M the shares of dx = −n … −1 and 0 … n − 1, where n is M + 1 rounded up to whole vectors.
    shares: Vec<f32>,
    /// Where dx = 0 stands for each M.
    axis: Vec<usize>,
}

impl Table {
    fn extend(&mut self, reach: usize, weights: Weights) {
        for m in self.axis.len()..=reach {
            let n = (m + 1).next_multiple_of(WIDE);
            let share = |dx: usize| diagonal_weight(super::ivec2(dx.min(m) as i32, m as i32), weights);
            self.shares.extend((1..=n).rev().map(share));
            self.axis.push(self.shares.len());
            self.shares.extend((0..n).map(share));
        }
    }
}

impl Shares {
    /// Makes the shares reach out to row `reach`.
    pub(super) fn make_room(&mut self, reach: usize, weights: Weights) {
        if weights == Weights::Linear {
            self.table = None;
            return;
        }
        match &mut self.table {
            Some((known, table)) if *known == weights => table.extend(reach, weights),
            _ => self.table.insert((weights, Table::default())).1.extend(reach, weights),
        }
    }
}

impl Light {
    /// Makes the rows as long as those of a window.
    pub(super) fn make_room(&mut self, radius: usize) {
        self.middle = radius + PAD;
        self.before.resize(2 * self.middle + 1, 0.0);
        self.now.resize(2 * self.middle + 1, 0.0);
    }

    /// Light at the viewer alone. With nothing but 0 around, what is computed beyond a diagonal is 0, too.
    #[inline(always)]
    pub(super) fn start(&mut self) {
        self.before.fill(0.0);
        self.now.fill(0.0);
        self.before[self.middle] = 1.0;
    }

    /// Settles row M of a wedge, which goes `half` cells to each side of the middle of `opacity` and `seen`. Whether any
    /// light passes through it.
    #[inline(always)]
    pub(super) fn settle<S: Simd>(
        &mut self,
        simd: S,
        [m, half]: [usize; 2],
        opacity: &[f32],
        seen: &mut [f32],
        shares: &Shares,
    ) -> bool {
        let Self { before, now, middle } = self;
        let middle = *middle;
        let axis = opacity.len() / 2;
        let whole = (half + 1).next_multiple_of(WIDE).min(axis / WIDE * WIDE);
        let table = shares.table.as_ref().map(|(_, table)| table);
        // Outwards to the left: the diagonal parent stands one to the right.
        let left = Row {
            opacity: &opacity[axis - whole..axis],
            straight: &before[middle - whole..middle],
            diagonal: &before[middle + 1 - whole..=middle],
            seen: &mut seen[axis - whole..axis],
            through: &mut now[middle - whole..middle],
        };
        let mut lit = match table {
            None => left.settle_ratio(simd, m, whole as f32, -1.0),
            Some(table) => left.settle(simd, &table.shares[table.axis[m] - whole..table.axis[m]]),
        };
        let right = Row {
            opacity: &opacity[axis..axis + whole],
            straight: &before[middle..middle + whole],
            diagonal: &before[middle - 1..middle + whole - 1],
            seen: &mut seen[axis..axis + whole],
            through: &mut now[middle..middle + whole],
        };
        lit |= match table {
            None => right.settle_ratio(simd, m, 0.0, 1.0),
            Some(table) => right.settle(simd, &table.shares[table.axis[m]..table.axis[m] + whole]),
        };
        // A window that was cut down to a map ends where its last rows do.
        for distance in whole..=half {
            let unit = 1.0 / m as f32;
            let share = table.map_or(distance as f32 * unit, |table| table.shares[table.axis[m] + distance]);
            for (dx, inwards) in [(distance as isize, -1), (-(distance as isize), 1)] {
                let (cell, place) = (axis.wrapping_add_signed(dx), middle.wrapping_add_signed(dx));
                let arriving = (1.0 - share) * before[place] + share * before[place.wrapping_add_signed(inwards)];
                (seen[cell], now[place]) = pass(arriving, opacity[cell]);
                lit |= now[place] > 0.0;
            }
        }
        if half == m {
            // On the diagonals m · (1/m) may miss 1: their only parent is the diagonal one.
            for (cell, place, parent) in
                [(axis - m, middle - m, middle + 1 - m), (axis + m, middle + m, middle + m - 1)]
            {
                (seen[cell], now[place]) = pass(before[parent], opacity[cell]);
                lit |= now[place] > 0.0;
            }
        }
        std::mem::swap(before, now);
        lit
    }
}

/// One half of a row of a wedge, all parts of the same length.
struct Row<'a> {
    opacity: &'a [f32],
    straight: &'a [f32],
    diagonal: &'a [f32],
    seen: &'a mut [f32],
    through: &'a mut [f32],
}

impl Row<'_> {
    /// Diagonal shares of distance/M, where the distance to the axis starts with `from` and grows by `step`.
    #[inline(always)]
    fn settle_ratio<S: Simd>(self, simd: S, m: usize, from: f32, step: f32) -> bool {
        let mut ramp = [0.0; 16];
        for (i, distance) in ramp.iter_mut().enumerate() {
            *distance = step * i as f32;
        }
        let ramp = S::as_simd_f32s(&ramp).0[0];
        let unit = simd.splat_f32s(1.0 / m as f32);
        let lanes = size_of::<S::f32s>() / size_of::<f32>();
        self.settle_by(simd, |i| {
            let first = simd.splat_f32s(from + step * (i * lanes) as f32);
            simd.mul_f32s(simd.add_f32s(first, ramp), unit)
        })
    }

    /// Diagonal shares from a table.
    #[inline(always)]
    fn settle<S: Simd>(self, simd: S, shares: &[f32]) -> bool {
        let shares = S::as_simd_f32s(shares).0;
        self.settle_by(simd, |i| shares[i])
    }

    /// Whether any light passes.
    #[inline(always)]
    fn settle_by<S: Simd>(self, simd: S, shares: impl Fn(usize) -> S::f32s) -> bool {
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let mut most = zero;
        let parents = S::as_simd_f32s(self.straight).0.iter().zip(S::as_simd_f32s(self.diagonal).0);
        let cells = S::as_mut_simd_f32s(self.seen).0.iter_mut().zip(S::as_mut_simd_f32s(self.through).0);
        let opacity = S::as_simd_f32s(self.opacity).0;
        for (i, (((seen, through), (&straight, &diagonal)), &opacity)) in cells.zip(parents).zip(opacity).enumerate() {
            let share = shares(i);
            let straight = simd.mul_f32s(simd.sub_f32s(one, share), straight);
            let arriving = simd.add_f32s(straight, simd.mul_f32s(share, diagonal));
            let exists = simd.less_than_or_equal_f32s(opacity, one);
            *seen = simd.select_f32s(exists, arriving, zero);
            *through = simd.select_f32s(exists, simd.mul_f32s(arriving, simd.sub_f32s(one, opacity)), zero);
            most = simd.max_f32s(most, *through);
        }
        simd.first_true_m32s(simd.less_than_f32s(zero, most)) < size_of::<S::f32s>() / size_of::<f32>()
    }
}

/// What is seen of a cell, and what passes through it.
#[inline(always)]
fn pass(arriving: f32, opacity: f32) -> (f32, f32) {
    let exists = opacity <= 1.0;
    (if exists { arriving } else { 0.0 }, if exists { arriving * (1.0 - opacity) } else { 0.0 })
}
