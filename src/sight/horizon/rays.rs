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

use glam::IVec2;
use pulp::{Simd, WithSimd};

use super::Show;
use super::columns::Columns;
use super::fast::{NOTHING, Ring, wood_leaves};
use super::land::Sight;
use super::wedge::{Disc, Row, Settle, walk};
use super::woods::Wood;
use crate::Grid;
use crate::sight::tile::Swap;
use crate::sight::vectors::widest;

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
    out: &mut Grid<f32>,
) {
    rays.make_room(disc, beams, sight.cover.is_some());
    widest(Cast { sight, disc, show, rays, columns, out, swap: Swap::new() });
}

/// The work of one call, compiled for the vectors of the processor at hand.
struct Cast<'a, 'g> {
    sight: &'a Sight<'g>,
    disc: &'a Disc,
    show: Show,
    rays: &'a mut Rays,
    columns: &'a mut Columns,
    out: &'a mut Grid<f32>,
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
        let length = count + 2;
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
            self.show(&mut row, &ring, side);
            self.cross(&row, side);
            self.meet(&ring, &row, side);
        }
    }
}

impl<F: Fn(f32) -> f32, const WOODS: bool> Kernel<'_, '_, F, WOODS> {
    /// What is seen of the cells of a ring to one side.
    #[inline(always)]
    fn show(&mut self, row: &mut Row<'_>, ring: &Ring, side: usize) {
        let (sight, count) = (self.sight, self.rays.count);
        let fan = &self.rays.fans[side];
        let (whole, part, m) = (count / row.m, (count % row.m) as i32, row.m as i32);
        let drop = sight.drop as f32;
        let unit = 1.0 / count as f32;
        let [below, above] = self.unsure.map(|metres| metres * ring.unit);
        let outwards = [-1, 1][side];
        // The cell lies between two rays: `ray` and the next, at `rest`/M.
        let (mut ray, mut rest) = (0usize, 0i32);
        let axis = row.sides[0];
        for (i, &ground) in fan.ground[..=row.sides[side]].iter().enumerate() {
            let share = rest as f32 * ring.unit;
            let [one, other] = [fan.horizon[ray], fan.horizon[ray + 1]];
            let mut horizon = one + (other - one) * share;
            let aside = i as i32 as f32;
            let rise = (ground - ring.base) - drop * (aside * aside);
            let target = rise * ring.unit + ring.target;
            let (low, high) = if one < other { (one, other) } else { (other, one) };
            if low - below < target && target < high + above && share > 0.0 {
                // Not plain from both rays alike: what they met is looked up on the line to the cell itself.
                let line = Line { row, end: ring.m, aside, outwards };
                let one = line.slope(sight, fan.met[ray], ray as f32 * unit);
                let other = line.slope(sight, fan.met[ray + 1], (ray + 1) as f32 * unit);
                horizon = one.max(other).clamp(low, high);
            }
            let mut left = (self.shown)(ring.clearance(target, horizon));
            if WOODS {
                let wood = fan.wood[ray].between(fan.wood[ray + 1], share);
                left *= wood_leaves(wood, target - horizon, aside * ring.unit, sight.canopy);
            }
            row.out[if side == 0 { axis - i } else { axis + i }] = left;
            rest += part;
            let more = rest >= m;
            ray += whole + usize::from(more);
            rest -= m * i32::from(more);
        }
    }

    /// Heights and woods where the rays to one side cross a ring, and heights where they pass from row to row before it.
    #[inline(always)]
    fn cross(&mut self, row: &Row<'_>, side: usize) {
        let count = self.rays.count;
        let last = self.last(row, side);
        let unit = 1.0 / count as f32;
        let high = self.sight.canopy.height;
        let Fan { heights, passed, back, covers, ground, before, cover, .. } = &mut self.rays.fans[side];
        let inverse = &self.rays.inverse[..=last];
        let rays = heights[..=last].iter_mut().zip(&mut passed[..=last]).zip(&mut back[..=last]).zip(inverse);
        // The ray crosses between two cells: `cell` and the next, at `rest`/count.
        let (mut cell, mut rest, m, all) = (0usize, 0i32, row.m as i32, count as i32);
        for (ray, (((height, passed), back), inverse)) in rays.enumerate() {
            let share = rest as f32 * unit;
            let next = cell + usize::from(rest > 0);
            let near = ground[cell];
            *height = between(near, ground[next], share);
            *back = rest as f32 * inverse;
            *passed = between(near, before[cell], *back);
            if WOODS {
                let over = |cell: usize| high * (cover[cell] * cover[cell]);
                covers[ray] = [between(cover[cell], cover[next], share), between(over(cell), over(next), share)];
            }
            rest += m;
            let more = rest >= all;
            cell += usize::from(more);
            rest -= all * i32::from(more);
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
        let mut settle = |i: usize| {
            let before = horizon[i];
            let aside = drop_aside * squares[i];
            let rise = (heights[i] - ring.base) - aside;
            let slope = rise * ring.unit;
            // It has passed a row since the ring before if it is less than a ring's worth beyond.
            // Nothing is passed before the first ring, though a share of 1 may be rounded to less.
            let m = ring.m - back[i];
            let m = if back[i] > 0.0 && back[i] < 1.0 && m >= 1.0 { m } else { f32::NAN };
            let share = m * ring.unit;
            let between = ((passed[i] - eye) - (drop_along + aside) * (share * share)) / m;
            let (higher, at) = if slope > before { (slope, ring.m) } else { (before, met[i]) };
            let (higher, at) = if between > higher { (between, m) } else { (higher, at) };
            (horizon[i], met[i]) = (higher, at);
            (rise, before, higher)
        };
        if WOODS {
            let (wood, covers) = (&mut fan.wood[..n], &fan.covers[..n]);
            for i in 0..n {
                let (rise, before, higher) = settle(i);
                let [cover, over] = covers[i];
                let top = (rise + over) * ring.unit;
                wood[i] = wood[i].above(higher - before).with(canopy.depth * cover, top - higher);
            }
        } else {
            for i in 0..n {
                settle(i);
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
