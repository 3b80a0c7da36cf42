//! The true grade: rays in all directions, each with the ground's height where it crosses a ring, and where it passes
//! from one row beside the axis to the next.
//!
//! ```text
//!   M = 3   o   o  /o   o      A ray crosses ring M at M · t/n cells from the axis, between two cells, and meets the
//!   M = 2     o   / o   o      height between theirs. The horizon of a cell lies between those of the two rays beside
//!   M = 1       o/  o          it: it is interpolated once, at the end, where the fast grade does so at every ring.
//!               @
//! ```
//!
//! Where one of the two would show a cell and the other not, the places at which they met their horizons decide, looked
//! up on the line to the cell itself. (HiXDraw, Xu and others 2019, keeps such contributing points for parents.)

use std::ops::Range;

use glam::IVec2;
use pulp::{Simd, WithSimd};

use super::columns::Columns;
use super::reference_plane::{NOTHING, Ring, wood_leaves};
use super::surface::Sight;
use super::viewshed::Show;
use super::wedge::{Disc, Row, Settle, walk};
use super::woods::Wood;
use crate::grid::AlignedGrid;
use crate::simd::Transpose as Swap;
use crate::simd::dispatch;

/// Cells of a ring that are shown together.
const TOGETHER: usize = 64;

/// The buffers of the true grade.
#[derive(Clone, Debug, Default)]
pub(super) struct Rays {
    /// To either side of the axis, which both have.
    fans: [Fan; 2],
    /// Squares of the number of a ray, and one over it.
    squares: Vec<f32>,
    inverse: Vec<f32>,
    /// Rays to each side of the axis.
    count: usize,
}

/// The rays to one side of the axis of a wedge, from the axis on, and one to spare.
#[derive(Clone, Debug, Default)]
struct Fan {
    /// Steepest slope so far, in metres per ring.
    horizon: Vec<f32>,
    /// The ring at which it was met, or between which; 0 for nothing yet.
    met: Vec<f32>,
    wood: Vec<Wood>,
    /// Heights at a ring.
    heights: Vec<f32>,
    /// Heights where they passed the last row beside the axis, and how far before this ring, in rings: below 1 it was
    /// since the ring before.
    passed: Vec<f32>,
    back: Vec<f32>,
    /// Cover and height of woods at a ring.
    covers: Vec<[f32; 2]>,
    /// Heights and cover of a ring from the axis on, and heights of the ring before.
    ground: Vec<f32>,
    before: Vec<f32>,
    cover: Vec<f32>,
}

/// Writes what is shown of every cell in sight but the viewer's.
pub(super) fn cast(
    sight: &Sight<'_>,
    disc: &Disc,
    show: Show,
    beams: f64,
    rays: &mut Rays,
    columns: &mut Columns,
    out: &mut AlignedGrid,
) {
    rays.make_room(disc, beams, sight.cover.is_some());
    dispatch(Cast { sight, disc, show, rays, columns, out, swap: Swap::new() });
}

/// The work of one call, compiled for the vectors of the processor at hand.
struct Cast<'a, 'g> {
    sight: &'a Sight<'g>,
    disc: &'a Disc,
    show: Show,
    rays: &'a mut Rays,
    columns: &'a mut Columns,
    out: &'a mut AlignedGrid,
    swap: Swap,
}

impl WithSimd for Cast<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { sight, disc, show, rays, columns, out, swap } = self;
        let unsure = [sight.softness, 0.0];
        match show {
            Show::Clearance => {
                let unsure = [f32::INFINITY; 2];
                let kernel = &mut Kernel::<_, false> { sight, rays, unsure, shown: |clearance| clearance };
                walk(sight, disc, columns, swap, out, kernel);
            }
            Show::Visibility if sight.cover.is_some() => {
                let shown = |clearance| sight.left(clearance);
                walk(sight, disc, columns, swap, out, &mut Kernel::<_, true> { sight, rays, unsure, shown });
            }
            Show::Visibility => {
                let shown = |clearance| sight.left(clearance);
                walk(sight, disc, columns, swap, out, &mut Kernel::<_, false> { sight, rays, unsure, shown });
            }
        }
    }
}

impl Rays {
    fn make_room(&mut self, disc: &Disc, beams: f64, woods: bool) {
        let count = ((disc.reach() as f64 * beams).round() as usize).max(1);
        let length = (count + 2).next_multiple_of(TOGETHER);
        if self.count != count {
            *self = Self { count, ..Default::default() };
            self.squares.extend((0..length).map(|ray| (ray as f32).powi(2)));
            self.inverse.extend((0..length).map(|ray| 1.0 / ray as f32));
        }
        for fan in &mut self.fans {
            for values in [&mut fan.horizon, &mut fan.met, &mut fan.heights, &mut fan.passed, &mut fan.back] {
                values.resize(length, 0.0);
            }
            if woods {
                fan.wood.resize(length, Wood::default());
                fan.covers.resize(length, [0.0; 2]);
            }
            for values in [&mut fan.ground, &mut fan.before, &mut fan.cover] {
                values.resize(disc.reach() + 3, 0.0);
            }
        }
    }
}

impl Fan {
    #[inline(always)]
    fn start(&mut self) {
        self.horizon.fill(NOTHING);
        self.met.fill(0.0);
        self.wood.fill(Wood::default());
    }
}

/// The rows of a wedge, one after another.
struct Kernel<'a, 'g, F, const WOODS: bool> {
    sight: &'a Sight<'g>,
    rays: &'a mut Rays,
    /// How far below and above the horizon of its rays a cell is looked up, in metres.
    unsure: [f32; 2],
    shown: F,
}

impl<F: Fn(f32) -> f32, const WOODS: bool> Settle for Kernel<'_, '_, F, WOODS> {
    #[inline(always)]
    fn start(&mut self) {
        for fan in &mut self.rays.fans {
            fan.start();
        }
    }

    #[inline(always)]
    fn settle(&mut self, mut row: Row<'_>) {
        let ring = Ring::of(self.sight, row.m);
        for side in 0..2 {
            self.rays.fans[side].lay_out(&row, side, WOODS);
        }
        self.show(&mut row, &ring);
        self.cross(&row);
        for side in 0..2 {
            self.meet(&ring, &row, side);
        }
    }
}

impl<F: Fn(f32) -> f32, const WOODS: bool> Kernel<'_, '_, F, WOODS> {
    /// What is seen of the cells of a ring.
    #[inline(always)]
    fn show(&mut self, row: &mut Row<'_>, ring: &Ring) {
        let axis = row.sides[0];
        let mut left = [0.0; TOGETHER];
        for first in (0..=axis.max(row.sides[1])).step_by(TOGETHER) {
            // A cell lies between two rays: `ray` and the next, at `rest`/M.
            let (rays, mut shares) = places(first, self.rays.count, row.m);
            for share in &mut shares {
                *share *= ring.unit;
            }
            for side in 0..2 {
                let end = (first + TOGETHER).min(row.sides[side] + 1);
                if first >= end {
                    continue;
                }
                self.show_some(row, ring, side, first..end, (&rays, &shares), &mut left);
                if side == 0 {
                    for (to, left) in row.out[axis + 1 - end..axis + 1 - first].iter_mut().rev().zip(&left) {
                        *to = *left;
                    }
                } else {
                    row.out[axis + first..axis + end].copy_from_slice(&left[..end - first]);
                }
            }
        }
    }

    /// What is seen of some cells to one side that lie between such rays: first what these met, then what of it shows,
    /// so that each step is the same for all.
    #[inline(always)]
    fn show_some(
        &self,
        row: &Row<'_>,
        ring: &Ring,
        side: usize,
        cells: Range<usize>,
        (rays, shares): (&[i32; TOGETHER], &[f32; TOGETHER]),
        left: &mut [f32; TOGETHER],
    ) {
        let (sight, fan, count) = (self.sight, &self.rays.fans[side], self.rays.count);
        let drop = sight.drop as f32;
        let [below, above] = self.unsure.map(|metres| metres * ring.unit);
        let (mut one, mut other, mut ground) = ([0.0f32; TOGETHER], [0.0f32; TOGETHER], [0.0f32; TOGETHER]);
        for i in 0..cells.len() {
            let ray = rays[i] as usize;
            (one[i], other[i]) = (fan.horizon[ray], fan.horizon[ray + 1]);
        }
        ground[..cells.len()].copy_from_slice(&fan.ground[cells.clone()]);
        let (mut targets, mut horizons, mut unsure) = ([0.0f32; TOGETHER], [0.0f32; TOGETHER], [false; TOGETHER]);
        let first = cells.start as i32;
        for i in 0..TOGETHER {
            let aside = (first + i as i32) as f32;
            let rise = (ground[i] - ring.base) - drop * (aside * aside);
            let target = rise * ring.unit + ring.target;
            let (low, high) = if one[i] < other[i] { (one[i], other[i]) } else { (other[i], one[i]) };
            let horizon = one[i] + (other[i] - one[i]) * shares[i];
            (targets[i], horizons[i]) = (target, horizon);
            unsure[i] = (low - below < target) & (target < high + above) & (shares[i] > 0.0);
            left[i] = (self.shown)(ring.clearance(target, horizon));
        }
        for i in 0..cells.len() {
            if unsure[i] {
                // Not plain from both rays alike: what they met is looked up on the line to the cell itself.
                let (ray, unit) = (rays[i] as usize, 1.0 / count as f32);
                let aside = (first + i as i32) as f32;
                let line = Line { row, end: ring.m, aside, outwards: [-1, 1][side] };
                let (low, high) = if one[i] < other[i] { (one[i], other[i]) } else { (other[i], one[i]) };
                let one = line.slope(sight, fan.met[ray], ray as f32 * unit);
                let other = line.slope(sight, fan.met[ray + 1], (ray + 1) as f32 * unit);
                horizons[i] = one.max(other).clamp(low, high);
                left[i] = (self.shown)(ring.clearance(targets[i], horizons[i]));
            }
        }
        if WOODS {
            for (i, left) in left[..cells.len()].iter_mut().enumerate() {
                let ray = rays[i] as usize;
                let wood = fan.wood[ray].between(fan.wood[ray + 1], shares[i]);
                let slant = (first + i as i32) as f32 * ring.unit;
                *left *= wood_leaves(wood, targets[i] - horizons[i], slant, sight.canopy);
            }
        }
    }

    /// Heights and woods where the rays cross a ring, and heights where they pass from row to row before it.
    #[inline(always)]
    fn cross(&mut self, row: &Row<'_>) {
        let count = self.rays.count;
        let lasts = [self.last(row, 0), self.last(row, 1)];
        for first in (0..=lasts[0].max(lasts[1])).step_by(TOGETHER) {
            // A ray crosses between two cells: `cell` and the next, at `rest`/count.
            let (cells, rests) = places(first, row.m, count);
            for (side, &last) in lasts.iter().enumerate().filter(|(_, last)| first <= **last) {
                self.cross_some(row, side, first..(first + TOGETHER).min(last + 1), (&cells, &rests));
            }
        }
    }

    /// The same for some rays to one side.
    #[inline(always)]
    fn cross_some(
        &mut self,
        row: &Row<'_>,
        side: usize,
        rays: Range<usize>,
        (cells, rests): (&[i32; TOGETHER], &[f32; TOGETHER]),
    ) {
        let unit = 1.0 / self.rays.count as f32;
        let high = self.sight.canopy.height;
        let Fan { heights, passed, back, covers, ground, before, cover, .. } = &mut self.rays.fans[side];
        let length = row.m + 3;
        let (ground, before) = (&ground[..length], &before[..length]);
        let (mut near, mut next, mut old) = ([0.0f32; TOGETHER], [0.0f32; TOGETHER], [0.0f32; TOGETHER]);
        for (i, &cell) in cells[..rays.len()].iter().enumerate() {
            let cell = cell as usize;
            [near[i], next[i]] = [ground[cell], ground[cell + 1]];
            old[i] = before[cell];
        }
        let all = rays.start..rays.start + TOGETHER;
        let inverse = &self.rays.inverse[all.clone()];
        let (heights, passed, back) = (&mut heights[all.clone()], &mut passed[all.clone()], &mut back[all]);
        for i in 0..TOGETHER {
            let next = if rests[i] > 0.0 { next[i] } else { near[i] };
            heights[i] = between(near[i], next, rests[i] * unit);
            back[i] = rests[i] * inverse[i];
            passed[i] = between(near[i], old[i], back[i]);
        }
        if WOODS {
            for (i, covers) in covers[rays.clone()].iter_mut().enumerate() {
                let (cell, share) = (cells[i] as usize, rests[i] * unit);
                let next = cell + usize::from(rests[i] > 0.0);
                let over = |cell: usize| high * (cover[cell] * cover[cell]);
                *covers = [between(cover[cell], cover[next], share), between(over(cell), over(next), share)];
            }
        }
    }

    /// The horizons and woods of the rays to one side, with what they met.
    #[inline(always)]
    fn meet(&mut self, ring: &Ring, row: &Row<'_>, side: usize) {
        let n = self.last(row, side) + 1;
        let across = ring.m * (1.0 / self.rays.count as f32);
        let drop = self.sight.drop as f32;
        let (drop_aside, drop_along) = (drop * (across * across), drop * (ring.m * ring.m));
        let eye = self.sight.eye as f32;
        let canopy = self.sight.canopy;
        let fan = &mut self.rays.fans[side];
        let (heights, passed, back) = (&fan.heights[..n], &fan.passed[..n], &fan.back[..n]);
        let (horizon, met, squares) = (&mut fan.horizon[..n], &mut fan.met[..n], &self.rays.squares[..n]);
        let meeting = Meeting { ring: *ring, eye, drop_along, drop_aside };
        if WOODS {
            let (wood, covers) = (&mut fan.wood[..n], &fan.covers[..n]);
            for i in 0..n {
                let before = horizon[i];
                let (rise, higher, at) = meeting.of(heights[i], passed[i], back[i], squares[i], before, met[i]);
                (horizon[i], met[i]) = (higher, at);
                let [cover, over] = covers[i];
                let top = (rise + over) * ring.unit;
                wood[i] = wood[i].above(higher - before).with(canopy.depth * cover, top - higher);
            }
        } else {
            for i in 0..n {
                let (_, higher, at) = meeting.of(heights[i], passed[i], back[i], squares[i], horizon[i], met[i]);
                (horizon[i], met[i]) = (higher, at);
            }
        }
        std::mem::swap(&mut fan.ground, &mut fan.before);
    }

    /// The last ray that crosses a ring where there are cells, or next to them.
    #[inline(always)]
    fn last(&self, row: &Row<'_>, side: usize) -> usize {
        let count = self.rays.count;
        (((row.known[side] + 1) * count).div_ceil(row.m)).min(count)
    }
}

/// How rays meet the ground at a ring, and since the ring before.
struct Meeting {
    ring: Ring,
    eye: f32,
    drop_along: f32,
    drop_aside: f32,
}

impl Meeting {
    /// The rise of the ground over the eye at the ring, and the horizon and where it was met from there on.
    #[inline(always)]
    fn of(&self, height: f32, passed: f32, back: f32, square: f32, before: f32, met: f32) -> (f32, f32, f32) {
        let ring = &self.ring;
        let aside = self.drop_aside * square;
        let rise = (height - ring.base) - aside;
        let slope = rise * ring.unit;
        // It has passed a row since the ring before if it is less than a ring's worth beyond.
        // Nothing is passed before the first ring, though a share of 1 may be rounded to less.
        let m = ring.m - back;
        let m = if back > 0.0 && back < 1.0 && m >= 1.0 { m } else { f32::NAN };
        let share = m * ring.unit;
        let between = ((passed - self.eye) - (self.drop_along + aside) * (share * share)) / m;
        let (higher, at) = if slope > before { (slope, ring.m) } else { (before, met) };
        let (higher, at) = if between > higher { (between, m) } else { (higher, at) };
        (rise, higher, at)
    }
}

/// A line from the eye to a cell.
struct Line<'a, 'r> {
    row: &'a Row<'r>,
    /// The cell's ring, and how far from the axis it lies on which side.
    end: f32,
    aside: f32,
    outwards: i32,
}

impl Line<'_, '_> {
    /// The slope of what a ray met at a ring, or passing a row between two, where this line crosses the same ring or row;
    /// [`NOTHING`] without data, and beyond the cell. `slant` is that of the ray.
    #[cold]
    fn slope(&self, sight: &Sight<'_>, met: f32, slant: f32) -> f32 {
        let own = self.aside / self.end;
        let (m, aside) = if met.fract() == 0.0 {
            (met, own * met)
        } else {
            let row = (met * slant).round();
            (row / own, row)
        };
        // The cell itself is no obstacle, nor is what lies next to the eye.
        if !(m >= 1.0 && m < self.end * (1.0 - 1e-6)) {
            return NOTHING;
        }
        let (outer, beside) = (m.floor(), aside.floor());
        let (p, q) = (m - outer, aside - beside);
        let [out, side] = [self.row.steps[0], self.row.steps[1] * self.outwards];
        let corner = sight.viewer + out * outer as i32 + side * beside as i32;
        let mut height = 0.0;
        for (step, weight) in
            [(IVec2::ZERO, (1.0 - p) * (1.0 - q)), (out, p * (1.0 - q)), (side, (1.0 - p) * q), (out + side, p * q)]
        {
            if weight > 0.0 {
                height += sight.ground.get(corner + step).copied().unwrap_or(f32::NAN) * weight;
            }
        }
        let fall = sight.drop as f32 * (m * m + aside * aside);
        let slope = ((height - sight.eye as f32) - fall) / m;
        if slope > NOTHING { slope } else { NOTHING } // NaN, too
    }
}

/// Where some multiples of `step`, from that of `first` on, stand on a scale whose marks are `mark` apart: the mark
/// before, and how far beyond it. Whole numbers both, and exact.
#[inline(always)]
fn places(first: usize, step: usize, mark: usize) -> ([i32; TOGETHER], [f32; TOGETHER]) {
    /// A number added to this has its whole part in the lowest bits.
    const WHOLE: f32 = 8_388_608.0;
    let (mut marks, mut rests) = ([0; TOGETHER], [0.0; TOGETHER]);
    if (first + TOGETHER) * step > i32::MAX as usize {
        for i in 0..TOGETHER {
            let place = (first + i) * step;
            (marks[i], rests[i]) = ((place / mark) as i32, (place % mark) as f32);
        }
        return (marks, rests);
    }
    let (first, step, inverse, mark) = (first as i32, step as i32, 1.0 / mark as f32, mark as i32);
    for i in 0..TOGETHER {
        let place = (first + i as i32).wrapping_mul(step);
        let nearest = ((place as f32 * inverse + WHOLE).to_bits() as i32).wrapping_sub(WHOLE.to_bits() as i32);
        let rest = place.wrapping_sub(nearest.wrapping_mul(mark));
        let beyond = i32::from(rest < 0);
        marks[i] = nearest - beyond;
        rests[i] = rest.wrapping_add(beyond.wrapping_mul(mark)) as f32;
    }
    (marks, rests)
}

impl Fan {
    /// The ground to one side of the axis; for one cell beside what is known it goes on, farther out is nothing.
    #[inline(always)]
    fn lay_out(&mut self, row: &Row<'_>, side: usize, woods: bool) {
        let (axis, known) = (row.known[0], row.known[side]);
        let lay = |values: &[f32], nothing: f32, out: &mut [f32]| {
            if side == 0 {
                for (slot, value) in out.iter_mut().zip(values[..=axis].iter().rev()) {
                    *slot = *value;
                }
            } else {
                out[..=known].copy_from_slice(&values[axis..]);
            }
            out[known + 1..].fill(nothing);
            out[known + 1] = out[known];
        };
        lay(row.ground, f32::NAN, &mut self.ground[..row.m + 3]);
        if woods {
            lay(row.cover, 0.0, &mut self.cover[..row.m + 3]);
        }
    }
}

#[inline(always)]
fn between(near: f32, next: f32, share: f32) -> f32 {
    near + (next - near) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_whole_numbers_and_exact() {
        // Small ones, fractions that a product misses, and what no 32 bits hold.
        for (first, step, mark) in [
            (0, 1, 1),
            (0, 512, 3),
            (64, 3, 512),
            (448, 511, 512),
            (128, 49, 7),
            (4032, 4095, 4093),
            (16_320, 4093, 16_381),
            (65_472, 65_521, 65_519),
            (40_000, 120_011, 65_521),
        ] {
            let (marks, rests) = places(first, step, mark);
            for i in 0..TOGETHER {
                let place = (first + i) * step;
                assert_eq!((marks[i] as usize, rests[i]), (place / mark, (place % mark) as f32), "{place}/{mark}");
            }
        }
    }
}
