//! A strip of pieces: eight steps outwards by some times eight cells aside, of all eight octants.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use super::neighbourhood::{Around, AroundMut};
use super::octant_tiling::Group;
use super::transpose::Turn;
use crate::simd::{TILE_SIDE, Tile};

/// Along one axis there are four octants: backwards and forwards, each towards the lower numbers and towards the higher.
const OCTANTS: usize = 4;

/// Pieces that are swept together: as many as there are registers for.
pub(crate) const MOST: usize = 2;

/// What passes through the last row of a piece that was swept, along rows and along columns: n aside in lane n.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Light {
    octants: [[[f32; TILE_SIDE]; OCTANTS]; 2],
    pub(crate) lit: bool,
}

impl Light {
    pub(crate) fn clear(&mut self) {
        if self.lit {
            *self = Self::default();
        }
    }

    /// Only the viewer's cell is lit: n = 0.
    pub(crate) fn start(&mut self) {
        for octant in self.octants.as_flattened_mut() {
            octant[0] = 1.0;
        }
        self.lit = true;
    }
}

/// What passed through the outermost cells of a strip before each step, octant by octant.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Beside([[[f32; TILE_SIDE]; OCTANTS]; 2]);

pub(crate) static DARK: Beside = Beside([[[0.0; TILE_SIDE]; OCTANTS]; 2]);

/// Working space: rows of the octants along columns, piece by piece.
#[derive(Clone, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Work {
    opacity: [[Tile; OCTANTS]; MOST],
    seen: [[Tile; OCTANTS]; MOST],
}

/// What surrounds a strip.
pub(crate) struct Site<'a> {
    /// The last step of all.
    pub(crate) reach: usize,
    pub(crate) group: &'a Group,
    /// The step that is the first of eight, and the cells between axis and strip.
    pub(crate) near: usize,
    pub(crate) before: usize,
    /// The shares of the diagonal parents, if they are not a mere ratio.
    pub(crate) shares: &'a [[f32; TILE_SIDE]],
    pub(crate) ground: Around<'a>,
}

impl Site<'_> {
    /// Which of eight steps there are.
    #[inline(always)]
    fn steps(&self) -> Range<usize> {
        let first = usize::from(self.near == 0); // not the viewer's own cell
        first..TILE_SIDE.min(self.reach + 1 - self.near)
    }

    /// How many cells of piece `b` lie in the window.
    #[inline(always)]
    fn aside(&self, b: usize) -> usize {
        TILE_SIDE.min((self.reach + 1).saturating_sub(self.before + b * TILE_SIDE))
    }

    /// Where eight cells of an octant along rows are, in step `i`.
    #[inline(always)]
    fn in_row(&self, k: usize, b: usize, i: usize) -> [isize; 2] {
        let (m, n) = ((self.near + i) as isize, (self.before + b * TILE_SIDE) as isize);
        [if is_lower(k) { -n - (TILE_SIDE as isize - 1) } else { n }, if k < 2 { -m } else { m }]
    }

    /// Where a tile of an octant along columns begins.
    #[inline(always)]
    fn in_columns(&self, k: usize, b: usize) -> [isize; 2] {
        let (near, n) = (self.near as isize, (self.before + b * TILE_SIDE) as isize);
        [if k < 2 { -near - (TILE_SIDE as isize - 1) } else { near }, if is_lower(k) { -n } else { n }]
    }

    /// Clears a piece in all octants.
    #[cold]
    pub(crate) fn darken(&self, b: usize, seen: &mut AroundMut<'_>) {
        for k in 0..OCTANTS {
            for i in self.steps() {
                *seen.get(self.in_row(k, b, i)) = [0.0; TILE_SIDE];
            }
            seen.put(self.in_columns(k, b), STEPS[k % 2], self.aside(b), &[[0.0; TILE_SIDE]; TILE_SIDE]);
        }
    }
}

/// Whether an octant lies from its axis towards the lower numbers.
#[inline(always)]
fn is_lower(k: usize) -> bool {
    k.is_multiple_of(2)
}

/// Which way the cells of an octant lie from the axis.
const STEPS: [isize; 2] = [-1, 1];

/// Sweeps N pieces beside each other.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'a, S, T, const N: usize> {
    pub(crate) simd: S,
    pub(crate) turn: T,
    pub(crate) site: &'a Site<'a>,
}

// Plain loops: a closure that is handed to a function without wide vectors is called, not inlined.
impl<S: Simd, T: Turn, const N: usize> Strip<'_, S, T, N> {
    /// On the `EDGE`, the diagonal or the circle may lie in them; with `HOLES` there are opacities that stand for no cell;
    /// and the shares of the diagonal parents are a mere ratio, or in a `TABLE`. `inner` passed through the cells beside
    /// them on the inner side before each step, and `outer` is left for the next aside: whether there is anything in it.
    #[inline(always)]
    pub(crate) fn sweep<const HOLES: bool, const TABLE: bool, const EDGE: bool>(
        self,
        seen: &mut AroundMut<'_>,
        light: &mut [Light],
        inner: &Beside,
        outer: &mut Beside,
        work: &mut Work,
    ) -> bool {
        let light: &mut [Light; N] = light.try_into().expect("light of each piece");
        for b in 0..N {
            self.take_columns::<EDGE, 0>(b, work);
            self.take_columns::<EDGE, 1>(b, work);
            self.take_columns::<EDGE, 2>(b, work);
            self.take_columns::<EDGE, 3>(b, work);
        }
        self.pass::<HOLES, TABLE, EDGE, true>(seen, light, inner, outer, work);
        self.pass::<HOLES, TABLE, EDGE, false>(seen, light, inner, outer, work);
        for b in 0..N {
            self.show_columns::<EDGE, 0>(b, work, seen);
            self.show_columns::<EDGE, 1>(b, work, seen);
            self.show_columns::<EDGE, 2>(b, work, seen);
            self.show_columns::<EDGE, 3>(b, work, seen);
        }
        for light in light {
            light.lit = is_lit(&light.octants);
        }
        is_lit(&outer.0)
    }

    /// Opacities of octant K along columns, for each step those of its row.
    #[inline(always)]
    fn take_columns<const EDGE: bool, const K: usize>(self, b: usize, work: &mut Work) {
        let aside = if EDGE { self.site.aside(b) } else { TILE_SIDE };
        let rows = self.site.ground.tile(self.site.in_columns(K, b), STEPS[K % 2], aside);
        let columns = self.turn.turn(self.simd, &rows);
        for i in 0..TILE_SIDE {
            work.opacity[b][K][i] = columns[if K < 2 { TILE_SIDE - 1 - i } else { i }];
        }
    }

    /// Puts what is seen in octant K along columns into the window.
    #[inline(always)]
    fn show_columns<const EDGE: bool, const K: usize>(self, b: usize, work: &Work, seen: &mut AroundMut<'_>) {
        let Self { simd, site, .. } = self;
        let mut columns = [[0.0; TILE_SIDE]; TILE_SIDE];
        for i in 0..TILE_SIDE {
            columns[if K < 2 { TILE_SIDE - 1 - i } else { i }] = work.seen[b][K][i];
        }
        let mut rows = self.turn.turn(simd, &columns);
        let (start, step) = (site.in_columns(K, b), STEPS[K % 2]);
        let aside = if EDGE { site.aside(b) } else { TILE_SIDE };
        if EDGE && site.near == site.before + b * TILE_SIDE {
            // Each octant has nothing but darkness beyond its diagonal.
            let more = seen.to_read().tile(start, step, aside);
            for i in 0..TILE_SIDE {
                rows[i] = f32x8::simd_from(simd, more[i]).max(f32x8::simd_from(simd, rows[i])).into();
            }
        }
        seen.put(start, step, aside, &rows);
    }

    /// Goes the steps of four octants, along `ROWS` or columns.
    #[inline(always)]
    fn pass<const HOLES: bool, const TABLE: bool, const EDGE: bool, const ROWS: bool>(
        self,
        seen: &mut AroundMut<'_>,
        light: &mut [Light; N],
        inner: &Beside,
        outer: &mut Beside,
        work: &mut Work,
    ) {
        let Self { simd, site, .. } = self;
        let axis = usize::from(!ROWS);
        let (inner, outer) = (&inner.0[axis], &mut outer.0[axis]);
        let (zero, one) = (simd.splat_f32x8(0.0), simd.splat_f32x8(1.0));
        let mut distance = [one; N];
        let mut through = [[one; N]; OCTANTS];
        for b in 0..N {
            let mut ramp = [0.0; TILE_SIDE];
            for (i, distance) in ramp.iter_mut().enumerate() {
                *distance = (site.before + b * TILE_SIDE + i) as u32 as f32;
            }
            distance[b] = f32x8::simd_from(simd, ramp);
            for (through, &light) in through.iter_mut().zip(&light[b].octants[axis]) {
                through[b] = f32x8::simd_from(simd, light);
            }
        }
        let steps = site.steps();
        if !ROWS && steps.len() < TILE_SIDE {
            work.seen = Default::default();
        }
        let Group { units, halves, .. } = site.group;
        for i in steps {
            let mut share = [one; N];
            let mut rest = [one; N];
            for b in 0..N {
                share[b] = if TABLE {
                    f32x8::simd_from(simd, site.shares[b * TILE_SIDE + i])
                } else {
                    distance[b] * simd.splat_f32x8(units[i])
                };
                if EDGE && !TABLE {
                    // m · (1/m) may miss 1.
                    let on = distance[b].simd_eq(simd.splat_f32x8((site.near + i) as u32 as f32));
                    share[b] = on.select(one, share[b]);
                }
                rest[b] = one - share[b];
            }
            for k in 0..OCTANTS {
                let last: [f32; TILE_SIDE] = through[k][N - 1].into();
                outer[k][i] = last[TILE_SIDE - 1];
                // From the outermost on, as the diagonal parents are those of the step before.
                for b in (0..N).rev() {
                    let beside = if b == 0 { simd.splat_f32x8(inner[k][i]) } else { through[k][b - 1] };
                    let diagonal = beside.slide::<{ TILE_SIDE - 1 }>(through[k][b]);
                    let mut arriving = rest[b] * through[k][b] + share[b] * diagonal;
                    let opacity = if ROWS { *site.ground.get(site.in_row(k, b, i)) } else { work.opacity[b][k][i] };
                    let mut opacity = f32x8::simd_from(simd, opacity);
                    if ROWS && is_lower(k) {
                        opacity = opacity.reverse();
                    }
                    through[k][b] = arriving * (one - opacity);
                    if HOLES {
                        let exists = opacity.simd_le(one);
                        through[k][b] = exists.select(through[k][b], zero);
                        arriving = exists.select(arriving, zero);
                    }
                    if EDGE {
                        arriving = distance[b].simd_le(simd.splat_f32x8(halves[i])).select(arriving, zero);
                    }
                    if !ROWS {
                        work.seen[b][k][i] = arriving.into();
                    } else if is_lower(k) {
                        *seen.get(site.in_row(k, b, i)) = arriving.reverse().into();
                    } else {
                        *seen.get(site.in_row(k, b, i)) = arriving.into();
                    }
                }
            }
        }
        for b in 0..N {
            for (light, through) in light[b].octants[axis].iter_mut().zip(&through) {
                *light = through[b].into();
            }
        }
    }
}

/// Whether there is any light.
#[inline(always)]
fn is_lit(light: &[[[f32; TILE_SIDE]; OCTANTS]; 2]) -> bool {
    // But for the sign: there is a zero that has one.
    light.as_flattened().as_flattened().iter().fold(0, |any, light| any | light.to_bits()) << 1 != 0
}
