//! The fast grade: the horizon of a cell lies between those of its two parents.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::columns::Columns;
use super::surface::{CanopyTerms, Sight};
use super::viewshed::Show;
use super::wedge::{Disc, Row, Settle, walk};
use super::woods::{Wood, left};
use crate::grid::AlignedBuffer;
use crate::grid::AlignedGrid;
use crate::simd::Transpose as Swap;
use crate::simd::{LANES, dispatch};

/// Stands for a horizon where there is nothing yet: far below any slope, and still good to reckon with.
pub(super) const NOTHING: f32 = -1e30;

/// The buffers of the fast grade. In all rows the axis of the wedge is in the middle.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes {
    before: Carried,
    now: Carried,
    /// Distance to the axis, and its square times what curvature takes.
    beside: AlignedBuffer,
    drop: AlignedBuffer,
    middle: usize,
}

/// What is carried from ring to ring.
#[derive(Clone, Debug, Default)]
struct Carried {
    /// Steepest slope so far, in metres per ring.
    horizon: AlignedBuffer,
    depth: AlignedBuffer,
    moment: AlignedBuffer,
    reach: AlignedBuffer,
}

impl Carried {
    fn make_room(&mut self, length: usize, woods: bool) {
        self.horizon.grow_to(length);
        if woods {
            self.depth.grow_to(length);
            self.moment.grow_to(length);
            self.reach.grow_to(length);
        }
    }

    #[inline(always)]
    fn start(&mut self) {
        self.horizon.fill(NOTHING);
        self.depth.fill(0.0);
        self.moment.fill(0.0);
        self.reach.fill(0.0);
    }

    #[inline(always)]
    fn woods(&self, places: &Range<usize>) -> [&[f32]; 3] {
        [&self.depth[places.clone()], &self.moment[places.clone()], &self.reach[places.clone()]]
    }

    /// What stands in one place, in another too.
    #[inline(always)]
    fn repeat(&mut self, from: usize, to: usize, woods: bool) {
        self.horizon[to] = self.horizon[from];
        if woods {
            self.depth[to] = self.depth[from];
            self.moment[to] = self.moment[from];
            self.reach[to] = self.reach[from];
        }
    }
}

/// Writes what is shown of every cell in sight but the viewer's.
pub(super) fn sweep(
    sight: &Sight<'_>,
    disc: &Disc,
    show: Show,
    planes: &mut Planes,
    columns: &mut Columns,
    out: &mut AlignedGrid,
) {
    dispatch(Sweep { sight, disc, show, planes, columns, out, swap: Swap::new() });
}

/// The work of one call, compiled for the vectors of the processor at hand.
pub(super) struct Sweep<'a, 'g> {
    pub(super) sight: &'a Sight<'g>,
    pub(super) disc: &'a Disc,
    pub(super) show: Show,
    pub(super) planes: &'a mut Planes,
    pub(super) columns: &'a mut Columns,
    pub(super) out: &'a mut AlignedGrid,
    pub(super) swap: Swap,
}

impl WithSimd for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { sight, disc, show, planes, columns, out, swap } = self;
        planes.make_room(sight, disc);
        let softer = 1.0 / sight.softness;
        let soft = |ring: &Ring, target, horizon| Sight::soft(ring.clearance(target, horizon), softer);
        let hard = |_: &Ring, target, horizon| Sight::hard(target, horizon);
        let woods = sight.cover.is_some();
        match show {
            Show::Clearance => {
                let shown = |ring: &Ring, target, horizon| ring.clearance(target, horizon);
                walk(sight, disc, columns, swap, out, &mut Kernel::<_, false> { sight, planes, shown });
            }
            Show::Visibility if woods && sight.softness > 0.0 => {
                walk(sight, disc, columns, swap, out, &mut Kernel::<_, true> { sight, planes, shown: soft });
            }
            Show::Visibility if woods => {
                walk(sight, disc, columns, swap, out, &mut Kernel::<_, true> { sight, planes, shown: hard });
            }
            Show::Visibility if sight.softness > 0.0 => {
                walk(sight, disc, columns, swap, out, &mut Kernel::<_, false> { sight, planes, shown: soft });
            }
            Show::Visibility => {
                walk(sight, disc, columns, swap, out, &mut Kernel::<_, false> { sight, planes, shown: hard });
            }
        }
    }
}

impl Planes {
    fn make_room(&mut self, sight: &Sight<'_>, disc: &Disc) {
        let middle = (disc.reach() + 1).next_multiple_of(LANES);
        let length = 2 * middle + 1;
        if self.middle != middle {
            *self = Self { middle, ..Default::default() };
            self.beside.reset(length, 0.0);
            for (place, beside) in self.beside[..length].iter_mut().enumerate() {
                *beside = place.abs_diff(middle) as f32;
            }
            self.drop.reset(length, 0.0);
        }
        for carried in [&mut self.before, &mut self.now] {
            carried.make_room(length, sight.cover.is_some());
        }
        for (drop, beside) in self.drop.iter_mut().zip(self.beside.iter()) {
            *drop = (sight.drop * f64::from(*beside) * f64::from(*beside)) as f32;
        }
    }
}

/// The rows of a wedge, one after another.
struct Kernel<'a, 'g, F, const WOODS: bool> {
    sight: &'a Sight<'g>,
    planes: &'a mut Planes,
    shown: F,
}

impl<F: Fn(&Ring, f32, f32) -> f32, const WOODS: bool> Settle for Kernel<'_, '_, F, WOODS> {
    #[inline(always)]
    fn start(&mut self) {
        self.planes.before.start();
        self.planes.now.start();
    }

    #[inline(always)]
    fn settle(&mut self, row: Row<'_>) {
        let Row { m, sides: [a, b], known, ground, cover, out, .. } = row;
        let Planes { before, now, beside, drop, middle } = &mut *self.planes;
        let middle = *middle;
        let ring = Ring::of(self.sight, m);
        // To one side the diagonal parent stands one place on, to the other one place back.
        for (places, inwards) in [(middle - a..middle, 1), (middle..middle + b + 1, -1isize)] {
            let diagonal = places.start.wrapping_add_signed(inwards)..places.end.wrapping_add_signed(inwards);
            let cells = places.start + known[0] - middle..places.end + known[0] - middle;
            let shown = places.start + a - middle..places.end + a - middle;
            let bare = Bare {
                ground: &ground[cells.clone()],
                straight: &before.horizon[places.clone()],
                diagonal: &before.horizon[diagonal.clone()],
                beside: &beside[places.clone()],
                drop: &drop[places.clone()],
                now: &mut now.horizon[places.clone()],
                out: &mut out[shown],
            };
            if WOODS {
                let woods = Wooded {
                    cover: &cover[cells],
                    straight: before.woods(&places),
                    diagonal: before.woods(&diagonal),
                    depth: &mut now.depth[places.clone()],
                    moment: &mut now.moment[places.clone()],
                    reach: &mut now.reach[places],
                };
                bare.settle_wooded(&ring, self.sight.canopy, woods, &self.shown);
            } else {
                bare.settle(&ring, inwards < 0, &self.shown);
            }
        }
        // On a diagonal the only parent is the diagonal one: beside it stands the same once more.
        if a == m {
            now.repeat(middle - m, middle - m - 1, WOODS);
        }
        if b == m {
            now.repeat(middle + m, middle + m + 1, WOODS);
        }
        std::mem::swap(before, now);
    }
}

/// What all cells of a ring have in common.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    /// Its number M, and 1/M.
    pub(super) m: f32,
    pub(super) unit: f32,
    /// Height of the eye, with what curvature takes on the axis.
    pub(super) base: f32,
    /// Height of the target, per ring.
    pub(super) target: f32,
}

impl Ring {
    pub(super) fn of(sight: &Sight<'_>, m: usize) -> Self {
        let steps = m as f64;
        Self {
            m: m as f32,
            unit: 1.0 / m as f32,
            base: (sight.eye + sight.drop * steps * steps) as f32,
            target: sight.target * (1.0 / m as f32),
        }
    }

    /// Metres by which a target stands over the horizon, from the slopes of both.
    #[inline(always)]
    pub(super) fn clearance(&self, target: f32, horizon: f32) -> f32 {
        (target - horizon) * self.m
    }
}

/// One half of a row, all parts of the same length.
struct Bare<'a> {
    ground: &'a [f32],
    straight: &'a [f32],
    diagonal: &'a [f32],
    beside: &'a [f32],
    drop: &'a [f32],
    now: &'a mut [f32],
    out: &'a mut [f32],
}

#[inline(always)]
fn chunks<const N: usize>(values: &[f32]) -> &[[f32; N]] {
    values.as_chunks().0
}

struct Wooded<'a> {
    cover: &'a [f32],
    straight: [&'a [f32]; 3],
    diagonal: [&'a [f32]; 3],
    depth: &'a mut [f32],
    moment: &'a mut [f32],
    reach: &'a mut [f32],
}

impl Bare<'_> {
    #[inline(always)]
    fn settle(mut self, ring: &Ring, ends_outside: bool, shown: impl Fn(&Ring, f32, f32) -> f32) {
        let n = self.out.len();
        if n < LANES {
            return self.some::<1>(0, n, ring, &shown);
        }
        // From the axis on, and the outermost in one go, some of them once more: nothing that is written here is read.
        let rest = n % LANES;
        let (whole, outermost) = if ends_outside { (0..n - rest, n - LANES..n) } else { (rest..n, 0..LANES) };
        self.some::<LANES>(whole.start, whole.end, ring, &shown);
        if rest > 0 {
            self.some::<LANES>(outermost.start, outermost.end, ring, &shown);
        }
    }

    /// Settles the cells from `start` to `end`, N at once.
    #[inline(always)]
    fn some<const N: usize>(&mut self, start: usize, end: usize, ring: &Ring, shown: &impl Fn(&Ring, f32, f32) -> f32) {
        let (ground, straight) = (chunks::<N>(&self.ground[start..end]), chunks::<N>(&self.straight[start..end]));
        let (diagonal, beside) = (chunks::<N>(&self.diagonal[start..end]), chunks::<N>(&self.beside[start..end]));
        let drop = chunks::<N>(&self.drop[start..end]);
        let now = self.now[start..end].as_chunks_mut::<N>().0;
        let out = self.out[start..end].as_chunks_mut::<N>().0;
        for c in 0..out.len() {
            let (mut horizons, mut seen) = ([0.0; N], [0.0; N]);
            for i in 0..N {
                let horizon = straight[c][i] + (diagonal[c][i] - straight[c][i]) * (beside[c][i] * ring.unit);
                let rise = (ground[c][i] - ring.base) - drop[c][i];
                let slope = rise * ring.unit;
                seen[i] = shown(ring, slope + ring.target, horizon);
                horizons[i] = if slope > horizon { slope } else { horizon };
            }
            (now[c], out[c]) = (horizons, seen);
        }
    }

    #[inline(always)]
    fn settle_wooded(
        self,
        ring: &Ring,
        canopy: CanopyTerms,
        woods: Wooded<'_>,
        shown: impl Fn(&Ring, f32, f32) -> f32,
    ) {
        let n = self.out.len();
        let (ground, straight, diagonal) = (&self.ground[..n], &self.straight[..n], &self.diagonal[..n]);
        let (beside, drop, now) = (&self.beside[..n], &self.drop[..n], &mut self.now[..n]);
        let cover = &woods.cover[..n];
        let [depth_a, moment_a, reach_a] = woods.straight.map(|part| &part[..n]);
        let [depth_b, moment_b, reach_b] = woods.diagonal.map(|part| &part[..n]);
        let (depth, moment, reach) = (&mut woods.depth[..n], &mut woods.moment[..n], &mut woods.reach[..n]);
        for i in 0..n {
            let share = beside[i] * ring.unit;
            let horizon = straight[i] + (diagonal[i] - straight[i]) * share;
            let wood = Wood { depth: depth_a[i], moment: moment_a[i], reach: reach_a[i] }
                .between(Wood { depth: depth_b[i], moment: moment_b[i], reach: reach_b[i] }, share);
            let rise = (ground[i] - ring.base) - drop[i];
            let slope = rise * ring.unit;
            let target = slope + ring.target;
            self.out[i] = shown(ring, target, horizon) * wood_leaves(wood, target - horizon, share, canopy);
            let higher = if slope > horizon { slope } else { horizon };
            let wood = wood.above(higher - horizon);
            let wood = grown(wood, canopy, cover[i], rise, higher, ring);
            (now[i], depth[i], moment[i], reach[i]) = (higher, wood.depth, wood.moment, wood.reach);
        }
    }
}

/// What woods leave of a line to a target whose slope is `over` that of the horizon; `slant` is that of the line on the
/// map, m/M.
#[inline(always)]
pub(super) fn wood_leaves(wood: Wood, over: f32, slant: f32, canopy: CanopyTerms) -> f32 {
    let over = if over > 0.0 { over } else { 0.0 };
    let length = if canopy.per_length { (1.0 + slant * slant).sqrt() } else { 1.0 };
    left(wood.depth_above(over) * length)
}

/// With the wood of a cell.
#[inline(always)]
pub(super) fn grown(wood: Wood, canopy: CanopyTerms, cover: f32, rise: f32, horizon: f32, ring: &Ring) -> Wood {
    let top = (rise + canopy.height * (cover * cover)) * ring.unit;
    wood.with(canopy.depth * cover, top - horizon)
}

#[cfg(test)]
mod tests;
