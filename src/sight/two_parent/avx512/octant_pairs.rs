//! Two wedges that lie opposite, piece after piece.

use std::ops::Range;

use super::buffers::{BAND, Vector, Work};
use super::octant_tiling::{Disc, LANES};
use super::row_band::ROWS;

/// What is kept of two wedges that lie opposite.
#[derive(Clone, Debug, Default)]
pub(crate) struct Axis {
    /// What passes through the last row, for each piece aside and each octant.
    pub(crate) light: Vec<Vector>,
    /// Whether any does in the pieces of a band, where its first is.
    pub(crate) lit: Vec<bool>,
    /// Whether the window has light in the pieces of a band, where its first is.
    pub(crate) written: Vec<bool>,
}

impl Axis {
    /// Only the viewer's cell is lit: lane n = 0 of the innermost piece of every octant.
    pub(crate) fn start(&mut self) {
        self.light.fill(Vector::default());
        for (k, light) in self.light.iter_mut().take(4).enumerate() {
            light.0[if k < 2 { 0 } else { LANES - 1 }] = 1.0;
        }
        self.lit.fill(false);
        self.lit[0] = true;
    }
}

/// Two wedges that lie opposite: four octants.
pub(crate) struct Wedges<'a> {
    pub(crate) disc: &'a Disc,
    /// The viewer's cell among the opacities, of which rows are this long, and as many lie before and behind.
    pub(crate) cells: *const f32,
    pub(crate) readable: Range<*const f32>,
    pub(crate) cells_row: isize,
    pub(crate) room: [usize; 2],
    /// What stands for the cells of octants beyond the end of the map.
    pub(crate) nothing: *mut f32,
    /// The viewer's cell in the window.
    pub(crate) seen: *mut f32,
    pub(crate) writable: Range<*mut f32>,
    pub(crate) seen_row: isize,
    pub(crate) room_seen: usize,
    /// The window's radius.
    pub(crate) window: usize,
    /// How far the map goes along the axis from the viewer, backwards and forwards.
    pub(crate) along: [usize; 2],
    /// And to the two sides.
    pub(crate) aside: [usize; 2],
    /// The last step.
    pub(crate) far: usize,
}

impl Wedges<'_> {
    /// Sweeps all groups `from` one on.
    #[target_feature(enable = "avx512f")]
    pub(crate) fn sweep<const HOLES: bool, const ORDER: u8>(&self, from: usize, axis: &mut Axis, work: &mut Work) {
        let Axis { light, lit, written } = axis;
        let [one_side, other_side] = self.aside;
        let widest = one_side.max(other_side);
        for (g, pair) in self.disc.starts.windows(2).enumerate().skip(from) {
            let near = g * LANES;
            let mut flowing = false;
            let mut start = pair[0];
            while start < pair[1] {
                let size = BAND.min(pair[1] - start);
                let b = start - pair[0];
                if near <= self.far && b * LANES <= widest && (flowing || lit[b]) {
                    let light = &mut light[4 * b..4 * (b + size)];
                    let [aside, ahead] = match size {
                        1 => self.band::<HOLES, ORDER, 1>(g, b, light, work),
                        2 => self.band::<HOLES, ORDER, 2>(g, b, light, work),
                        _ => self.band::<HOLES, ORDER, 3>(g, b, light, work),
                    };
                    flowing = aside;
                    lit[b] = ahead;
                    written[start] = true;
                } else {
                    work.outer = Default::default();
                    if std::mem::take(&mut written[start]) {
                        self.darken::<ORDER>(g, b..b + size);
                    }
                }
                start += size;
            }
        }
        if self.disc.radius.is_multiple_of(LANES) {
            self.tips::<HOLES, ORDER>([light[0].0[0], light[1].0[0]]);
        }
    }

    /// What is seen of the last cells of the axes, to which so much light comes, if they are in no piece.
    fn tips<const HOLES: bool, const ORDER: u8>(&self, arriving: [f32; 2]) {
        let m = self.disc.radius;
        let step = if ORDER == ROWS { self.seen_row } else { 1 };
        for way in (0..2).filter(|&way| m <= self.along[way]) {
            let offset = [-1, 1][way] * m as isize;
            let exists = !HOLES || self.get(self.cells.wrapping_offset(offset * self.cells_row)) <= 1.0;
            self.put(self.seen.wrapping_offset(offset * step), if exists { arriving[way] } else { 0.0 });
        }
    }

    /// Clears pieces beside each other.
    #[cold]
    fn darken<const ORDER: u8>(&self, g: usize, pieces: Range<usize>) {
        pieces.for_each(|b| self.darken_piece::<ORDER>(g, b));
    }

    fn darken_piece<const ORDER: u8>(&self, g: usize, b: usize) {
        let (first, piece) = (g * LANES, self.disc.starts[g] + b);
        let (along, aside) = if ORDER == ROWS { (self.seen_row, 1) } else { (1, self.seen_row) };
        for (way, sign) in [-1, 1].into_iter().enumerate() {
            for (i, mask) in self.disc.rows[0][piece].iter().enumerate() {
                let m = first + i;
                if m > self.along[way].min(self.far) {
                    continue;
                }
                let row = self.seen.wrapping_offset(sign * m as isize * along);
                for j in (0..LANES).filter(|j| mask >> j & 1 == 1) {
                    let n = b * LANES + j;
                    for (side, to) in self.aside.into_iter().zip([aside, -aside]) {
                        if n <= side {
                            self.put(row.wrapping_offset(n as isize * to), 0.0);
                        }
                    }
                }
            }
        }
    }
}
