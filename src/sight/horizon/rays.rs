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

/// The buffers of the true grade. The ray along the axis is in the middle; beyond the last there is a place to spare.
#[derive(Clone, Debug, Default)]
pub(super) struct Rays {
    /// Steepest slope so far, in metres per ring.
    horizon: Vec<f32>,
    /// The ring at which it was met, or between which; 0 for nothing yet.
    met: Vec<f32>,
    wood: Vec<Wood>,
    /// Squares of the distance of rays to the axis, in rays.
    squares: Vec<f32>,
    /// Heights at a ring, and cover and tops of woods.
    heights: Vec<f32>,
    covers: Vec<[f32; 2]>,
    /// Heights where they pass from one row beside the axis to the next since the ring before, and how far before this
    /// ring, as a share of a ring.
    passed: Vec<[f32; 2]>,
    /// One over the number of a ray.
    inverse: Vec<f32>,
    /// A row of the map with what is missing beside it, and the row before.
    ground: Vec<f32>,
    before: Vec<f32>,
    cover: Vec<f32>,
    /// Rays to each side of the axis.
    count: usize,
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
    pulp::Arch::new().dispatch(Cast { sight, disc, show, rays, columns, out, swap: Swap::new() });
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
        let length = 2 * count + 3;
        if self.count != count {
            *self = Self { count, ..Default::default() };
            self.squares.extend((0..length).map(|place| (place.abs_diff(count + 1) as f32).powi(2)));
            self.horizon.resize(length, NOTHING);
            self.met.resize(length, 0.0);
            self.heights.resize(length, 0.0);
            self.passed.resize(length, [f32::NAN, 0.0]);
            self.inverse.extend((0..=count).map(|ray| 1.0 / ray as f32));
        }
        if woods {
            self.wood.resize(length, Wood::default());
            self.covers.resize(length, [0.0; 2]);
        }
        self.ground.resize(2 * disc.reach() + 5, 0.0);
        self.before.resize(2 * disc.reach() + 5, 0.0);
        self.cover.resize(2 * disc.reach() + 5, 0.0);
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
        self.rays.horizon.fill(NOTHING);
        self.rays.met.fill(0.0);
        self.rays.wood.fill(Wood::default());
    }

    #[inline(always)]
    fn settle(&mut self, mut row: Row<'_>) {
        let ring = Ring::of(self.sight, row.m);
        self.show(&mut row, &ring);
        self.meet(&row, &ring);
    }
}

impl<F: Fn(f32) -> f32, const WOODS: bool> Kernel<'_, '_, F, WOODS> {
    /// What is seen of the cells of a ring.
    #[inline(always)]
    fn show(&mut self, row: &mut Row<'_>, ring: &Ring) {
        let (sight, rays) = (self.sight, &*self.rays);
        let middle = rays.count + 1;
        let (whole, part) = (rays.count / row.m, rays.count % row.m);
        let drop = sight.drop as f32;
        let unit = 1.0 / rays.count as f32;
        let [below, above] = self.unsure.map(|metres| metres * ring.unit);
        for (side, outwards) in [-1isize, 1].into_iter().enumerate() {
            // The cell lies between two rays: `ray` and the next, at `rest`/M.
            let (mut ray, mut rest) = (0, 0);
            for i in 0..=row.sides[side] {
                let step = outwards * i as isize;
                let near = middle.wrapping_add_signed(outwards * ray as isize);
                let next = near.wrapping_add_signed(outwards);
                let share = rest as f32 * ring.unit;
                let (one, other) = (rays.horizon[near], rays.horizon[next]);
                let mut horizon = one + (other - one) * share;
                let ground = row.ground[row.known[0].wrapping_add_signed(step)];
                let rise = (ground - ring.base) - drop * (i * i) as f32;
                let target = rise * ring.unit + ring.target;
                let (low, high) = if one < other { (one, other) } else { (other, one) };
                if share > 0.0 && low - below < target && target < high + above {
                    // Not plain from both rays alike: what they met is looked up on the line to the cell itself.
                    let line = Line { row, end: ring.m, aside: i as f32, outwards: outwards as i32 };
                    let one = line.slope(sight, rays.met[near], ray as f32 * unit);
                    let other = line.slope(sight, rays.met[next], (ray + 1) as f32 * unit);
                    horizon = one.max(other).clamp(low, high);
                }
                let mut left = (self.shown)(ring.clearance(target, horizon));
                if WOODS {
                    let wood = rays.wood[near].between(rays.wood[next], share);
                    left *= wood_leaves(wood, target - horizon, i as f32 * ring.unit, sight.canopy);
                }
                row.out[row.sides[0].wrapping_add_signed(step)] = left;
                ray += whole;
                rest += part;
                if rest >= row.m {
                    rest -= row.m;
                    ray += 1;
                }
            }
        }
    }

    /// What the rays meet on a ring.
    #[inline(always)]
    fn meet(&mut self, row: &Row<'_>, ring: &Ring) {
        let Rays { horizon, met, wood, squares, heights, covers, passed, inverse, ground, before, cover, count } =
            &mut *self.rays;
        let (count, axis) = (*count, row.m + 1);
        let middle = count + 1;
        // Beside the last cell that is known its height goes on for one cell, then there is nothing.
        lay_out(row, row.ground, f32::NAN, &mut ground[..2 * axis + 1]);
        if WOODS {
            lay_out(row, row.cover, 0.0, &mut cover[..2 * axis + 1]);
        }
        let (row_ground, row_before) = (&ground[..2 * axis + 1], &before[..2 * axis - 1]);
        let cover = &cover[..2 * axis + 1];
        let most = row.known[0].max(row.known[1]) + 1;
        let last = (most * count).div_ceil(row.m).min(count);
        let unit = 1.0 / count as f32;
        let canopy = self.sight.canopy;
        // The ray crosses between two cells: `cell` and the next, at `rest`/count.
        let (mut cell, mut rest) = (0, 0);
        for ray in 0..=last {
            let share = rest as f32 * unit;
            let (left, right) = (axis - cell, axis + cell);
            let beside = usize::from(rest > 0);
            let near = [row_ground[left], row_ground[right]];
            heights[middle - ray] = between(near[0], row_ground[left - beside], share);
            heights[middle + ray] = between(near[1], row_ground[right + beside], share);
            // Since the ring before it has passed the row of `cell` if it is less than a ring's worth beyond.
            let back = if 0 < rest && rest < ray { rest as f32 * inverse[ray] } else { f32::NAN };
            let [one, other] = [row_before[left - 1], row_before[right - 1]];
            passed[middle - ray] = [between(near[0], one, back), back];
            passed[middle + ray] = [between(near[1], other, back), back];
            if WOODS {
                for (place, near, next) in [(middle - ray, left, left - beside), (middle + ray, right, right + beside)]
                {
                    let over = |place: usize| canopy.height * (cover[place] * cover[place]);
                    covers[place] = [between(cover[near], cover[next], share), between(over(near), over(next), share)];
                }
            }
            rest += row.m;
            if rest >= count {
                rest -= count;
                cell += 1;
            }
        }
        let places = middle - last..=middle + last;
        let across = ring.m * unit;
        let drop = self.sight.drop as f32 * (across * across);
        let heights = &heights[places.clone()];
        let passed = &passed[places.clone()][..heights.len()];
        let eye = self.sight.eye as f32;
        let met = &mut met[places.clone()][..heights.len()];
        let (horizon, squares) =
            (&mut horizon[places.clone()][..heights.len()], &squares[places.clone()][..heights.len()]);
        if WOODS {
            let (wood, covers) = (&mut wood[places.clone()][..heights.len()], &covers[places][..heights.len()]);
            for i in 0..heights.len() {
                let rise = (heights[i] - ring.base) - drop * squares[i];
                let slope = rise * ring.unit;
                let between = slope_between(passed[i], ring, eye, self.sight.drop as f32, drop * squares[i]);
                let higher = if slope > horizon[i] { slope } else { horizon[i] };
                met[i] = if slope > horizon[i] { ring.m } else { met[i] };
                met[i] = if between > higher { ring.m - passed[i][1] } else { met[i] };
                let higher = if between > higher { between } else { higher };
                let [cover, over] = covers[i];
                let top = (rise + over) * ring.unit;
                wood[i] = wood[i].above(higher - horizon[i]).with(canopy.depth * cover, top - higher);
                horizon[i] = higher;
            }
        } else {
            for i in 0..heights.len() {
                let slope = ((heights[i] - ring.base) - drop * squares[i]) * ring.unit;
                let between = slope_between(passed[i], ring, eye, self.sight.drop as f32, drop * squares[i]);
                let higher = if slope > horizon[i] { slope } else { horizon[i] };
                met[i] = if slope > horizon[i] { ring.m } else { met[i] };
                met[i] = if between > higher { ring.m - passed[i][1] } else { met[i] };
                horizon[i] = if between > higher { between } else { higher };
            }
        }
        std::mem::swap(ground, before);
    }
}

/// The slope of what a ray meets between two rings; NaN for nothing. `aside` is what curvature takes at this ring for the
/// way to the side.
#[inline(always)]
fn slope_between([height, back]: [f32; 2], ring: &Ring, eye: f32, drop: f32, aside: f32) -> f32 {
    let m = ring.m - back;
    let share = m * ring.unit;
    let fall = (drop * (ring.m * ring.m) + aside) * (share * share);
    ((height - eye) - fall) / m
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

/// A row with the axis in the middle; for one cell beside what is known its ends go on, farther out is `nothing`.
#[inline(always)]
fn lay_out(row: &Row<'_>, values: &[f32], nothing: f32, out: &mut [f32]) {
    let axis = out.len() / 2;
    let (start, end) = (axis - row.known[0], axis + row.known[1] + 1);
    out[..start].fill(nothing);
    out[end..].fill(nothing);
    out[start..end].copy_from_slice(values);
    out[start - 1] = out[start];
    out[end] = out[end - 1];
}

#[inline(always)]
fn between(near: f32, next: f32, share: f32) -> f32 {
    near + (next - near) * share
}
