//! The wedges left and right of large radii, in groups of 128 steps by 48 cells, so that the window is written in rows of
//! 128: what lies far away in memory comes much faster in long rows than in tiles.

use std::arch::x86_64::*;

use super::super::disc::{LANES, Mask};
use super::access::IN_SIGHT;
use super::band::{GROUPS, WAYS};
use super::buffers::{BAND, GROUP, Work};
use super::turn::{load_tile, turn};
use super::wedges::{State, Wedges};

impl Wedges<'_> {
    /// [`sweep`](Self::sweep) of columns, in another order: a band takes light from the steps before it and from the band
    /// between it and the axis, and both are swept before.
    #[target_feature(enable = "avx512f")]
    pub(super) fn sweep_groups<const HOLES: bool>(&self, state: State<'_>) {
        let State { light, lit, written, group, .. } = state;
        for light in light.iter_mut() {
            light.store(_mm512_setzero_ps());
        }
        lit.fill(false);
        let widest = self.aside[0].max(self.aside[1]);
        let mut axis = [1.0; 2];
        let count = self.disc.starts.len() - 1;
        for first in (0..count).step_by(GROUP) {
            let all = first..count.min(first + GROUP);
            let blocks = all.clone().map(|g| self.disc.pieces_of(g)).max().unwrap_or(0);
            let mut flowing = [false; GROUP];
            for b in (0..blocks).step_by(BAND) {
                let mut swept = [0; GROUP];
                let each = group.iter_mut().zip(flowing.iter_mut().zip(&mut swept));
                for (g, (work, (flowing, swept))) in all.clone().zip(each) {
                    let (near, start) = (g * LANES + 1, self.disc.starts[g] + b);
                    let size = BAND.min(self.disc.pieces_of(g).saturating_sub(b));
                    if b == 0 {
                        *flowing = axis != [0.0; 2];
                    }
                    work.axis = axis;
                    let is_on_map = near <= self.far && b * LANES < widest.max(1);
                    if is_on_map && (*flowing || lit[b..b + size].contains(&true)) {
                        let light = &mut light[4 * b..4 * (b + size)];
                        let [aside, ahead] = match size {
                            0 => continue,
                            1 => self.band::<HOLES, GROUPS, 1>(g, b, light, work),
                            2 => self.band::<HOLES, GROUPS, 2>(g, b, light, work),
                            _ => self.band::<HOLES, GROUPS, 3>(g, b, light, work),
                        };
                        axis = work.axis;
                        *flowing = aside;
                        *swept = size;
                        lit[b..b + size].fill(ahead);
                        written[start..start + size].fill(true);
                    } else {
                        work.outer = Default::default();
                        for piece in 0..size {
                            if std::mem::take(&mut written[start + piece]) {
                                self.darken::<GROUPS>(g, b + piece);
                            }
                        }
                    }
                }
                self.turn_group(first, b, &swept, group);
            }
        }
    }

    /// Turns pieces from `b` on of many times sixteen steps, the `first` on, as many of each as were `swept`, and puts what of
    /// them is in sight and on the map into the window: first all are turned, then written row by row.
    #[target_feature(enable = "avx512f")]
    fn turn_group(&self, first: usize, b: usize, swept: &[usize; GROUP], group: &mut [Work]) {
        let pieces = swept.iter().copied().max().unwrap_or(0);
        for (k, &way) in WAYS.iter().enumerate() {
            for j in 0..pieces {
                let mut masks = [[0; LANES]; GROUP];
                for (i, work) in group.iter_mut().enumerate().filter(|(i, _)| j < swept[*i]) {
                    let Some(columns) = self.columns(k, first + i, b + j) else { continue };
                    masks[i] = columns;
                    let tile = work.lines.tile_mut(k, j);
                    let rows = match way < 0 {
                        true => turn(load_tile::<true>(tile)),
                        false => turn(load_tile::<false>(tile)),
                    };
                    for (to, row) in tile.iter_mut().zip(rows) {
                        to.store(row);
                    }
                }
                let top = self.top(k, b + j).wrapping_offset(left(k, first));
                let step = way * LANES as isize;
                for row in 0..LANES {
                    let to = top.wrapping_offset(row as isize * self.seen_row);
                    let from = if k < 2 { row } else { LANES - 1 - row };
                    for (i, (work, masks)) in group.iter().zip(&masks).enumerate() {
                        if masks[from] != 0 {
                            let values = work.lines.tile(k, j)[row].load();
                            self.write::<IN_SIGHT>(to.wrapping_offset(i as isize * step), masks[from], values);
                        }
                    }
                }
            }
        }
    }

    /// For each cell aside of a piece: the steps in which it is in sight and on the map, if there are any cells of the map.
    #[inline(always)]
    fn columns(&self, k: usize, g: usize, b: usize) -> Option<[Mask; LANES]> {
        let (near, before) = (g * LANES + 1, b * LANES);
        if near > self.along[k % 2] || before >= self.aside[k / 2] {
            return None;
        }
        let mut masks = self.disc.columns[usize::from(WAYS[k] < 0)][self.disc.starts[g] + b];
        if near + LANES > self.along[k % 2] + 1 || before + LANES > self.aside[k / 2] {
            self.clip_columns(k, near, before, &mut masks);
        }
        Some(masks)
    }

    /// The topmost row of the window that a piece has, straight above or below the viewer.
    #[inline(always)]
    fn top(&self, k: usize, b: usize) -> *mut f32 {
        let before = (b * LANES) as isize;
        let top = if k < 2 { before + 1 } else { -before - LANES as isize };
        self.seen.wrapping_offset(top * self.seen_row)
    }
}

/// How far to the right of the viewer sixteen steps of an octant begin.
#[inline(always)]
fn left(k: usize, g: usize) -> isize {
    let near = (g * LANES + 1) as isize;
    if WAYS[k] < 0 { -near - LANES as isize + 1 } else { near }
}
