//! [`BlockSweep`]: the kernel for up to two neighbouring blocks, in all eight octants.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use super::neighbourhood::{Neighbourhood, NeighbourhoodMut};
use super::octant_tiling::RowGroup;
use crate::simd::{TILE_SIDE, Tile, transpose};

/// The octants along one axis: backwards and forwards, each to the side of lower and of higher coordinates.
const OCTANTS: usize = 4;

/// The largest number of blocks that are swept together: there are registers for two.
pub(super) const MAX_BLOCKS: usize = 2;

/// The light that passes the last swept row of a block in all octants, along rows and along columns: cell n in lane n.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct PassedLight {
    octants: [[[f32; TILE_SIDE]; OCTANTS]; 2],
    pub(super) lit: bool,
}

impl PassedLight {
    pub(super) fn clear(&mut self) {
        if self.lit {
            *self = Self::default();
        }
    }

    /// Lights only the viewer's cell, n = 0.
    pub(super) fn start(&mut self) {
        for octant in self.octants.as_flattened_mut() {
            octant[0] = 1.0;
        }
        self.lit = true;
    }
}

/// The light that passes the outermost cells of a block before each step, octant by octant.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct OutermostLight([[[f32; TILE_SIDE]; OCTANTS]; 2]);

pub(super) static DARK: OutermostLight = OutermostLight([[[0.0; TILE_SIDE]; OCTANTS]; 2]);

/// Working space: the rows of the octants along columns, block by block.
#[derive(Clone, Debug, Default)]
#[repr(align(32))]
pub(super) struct TransposedBlocks {
    opacity: [[Tile; OCTANTS]; MAX_BLOCKS],
    seen: [[Tile; OCTANTS]; MAX_BLOCKS],
}

/// The place of blocks in the disc, and the opacities.
pub(super) struct BlockInput<'a> {
    /// The last row of the disc.
    pub(super) reach: usize,
    pub(super) group: &'a RowGroup,
    /// M of the first row.
    pub(super) first_row: usize,
    /// n of the first cell.
    pub(super) first_cell: usize,
    /// The shares of the diagonal parents, if the weights are not linear.
    pub(super) shares: &'a [[f32; TILE_SIDE]],
    pub(super) opacity: Neighbourhood<'a>,
}

impl BlockInput<'_> {
    /// The rows of the group that exist, counted from its first.
    #[inline(always)]
    fn rows(&self) -> Range<usize> {
        let first = usize::from(self.first_row == 0); // not the viewer's own cell
        first..TILE_SIDE.min(self.reach + 1 - self.first_row)
    }

    /// The number of cells n of block `b` that are in the window.
    #[inline(always)]
    fn cells(&self, b: usize) -> usize {
        TILE_SIDE.min((self.reach + 1).saturating_sub(self.first_cell + b * TILE_SIDE))
    }

    /// The offset from the viewer of eight cells in row `i`, for an octant along rows.
    #[inline(always)]
    fn row_offset(&self, k: usize, b: usize, i: usize) -> [isize; 2] {
        let (m, n) = ((self.first_row + i) as isize, (self.first_cell + b * TILE_SIDE) as isize);
        [if is_lower(k) { -n - (TILE_SIDE as isize - 1) } else { n }, if k < 2 { -m } else { m }]
    }

    /// The offset from the viewer of a tile, for an octant along columns.
    #[inline(always)]
    fn tile_offset(&self, k: usize, b: usize) -> [isize; 2] {
        let (m, n) = (self.first_row as isize, (self.first_cell + b * TILE_SIDE) as isize);
        [if k < 2 { -m - (TILE_SIDE as isize - 1) } else { m }, if is_lower(k) { -n } else { n }]
    }

    /// Clears a block in all octants.
    #[cold]
    pub(super) fn clear(&self, b: usize, seen: &mut NeighbourhoodMut<'_>) {
        for k in 0..OCTANTS {
            for i in self.rows() {
                *seen.get_mut(self.row_offset(k, b, i)) = [0.0; TILE_SIDE];
            }
            seen.set_tile(self.tile_offset(k, b), SIDES[k % 2], self.cells(b), &[[0.0; TILE_SIDE]; TILE_SIDE]);
        }
    }
}

/// Returns `true` if an octant is on the side of lower coordinates of its axis.
#[inline(always)]
fn is_lower(k: usize) -> bool {
    k.is_multiple_of(2)
}

/// The direction from the axis to the cells of an octant.
const SIDES: [isize; 2] = [-1, 1];

/// Sweeps N neighbouring blocks.
#[derive(Clone, Copy)]
pub(super) struct BlockSweep<'a, S, const N: usize> {
    pub(super) simd: S,
    pub(super) input: &'a BlockInput<'a>,
}

// Plain loops: a closure passed to a function without these target features would be called, not inlined.
impl<S: Simd, const N: usize> BlockSweep<'_, S, N> {
    /// Sweeps the blocks through the rows of their group. `inner` is the light of the neighbours nearer to the axis, and
    /// `outer` receives that for the next blocks; returns `true` if there is any in it.
    ///
    /// `NODATA`: opacities above 1 mean that there is no cell. `TABLE`: the shares come from a table, not from linear
    /// weights. `EDGE`: the diagonal or the circle may cross the blocks.
    #[inline(always)]
    pub(super) fn sweep<const NODATA: bool, const TABLE: bool, const EDGE: bool>(
        self,
        seen: &mut NeighbourhoodMut<'_>,
        light: &mut [PassedLight],
        inner: &OutermostLight,
        outer: &mut OutermostLight,
        columns: &mut TransposedBlocks,
    ) -> bool {
        let light: &mut [PassedLight; N] = light.try_into().expect("one light for each block");
        for b in 0..N {
            self.load_columns::<EDGE, 0>(b, columns);
            self.load_columns::<EDGE, 1>(b, columns);
            self.load_columns::<EDGE, 2>(b, columns);
            self.load_columns::<EDGE, 3>(b, columns);
        }
        self.sweep_axis::<NODATA, TABLE, EDGE, true>(seen, light, inner, outer, columns);
        self.sweep_axis::<NODATA, TABLE, EDGE, false>(seen, light, inner, outer, columns);
        for b in 0..N {
            self.store_columns::<EDGE, 0>(b, columns, seen);
            self.store_columns::<EDGE, 1>(b, columns, seen);
            self.store_columns::<EDGE, 2>(b, columns, seen);
            self.store_columns::<EDGE, 3>(b, columns, seen);
        }
        for light in light {
            light.lit = is_lit(&light.octants);
        }
        is_lit(&outer.0)
    }

    /// Reads the opacities of octant K along columns, transposed.
    #[inline(always)]
    fn load_columns<const EDGE: bool, const K: usize>(self, b: usize, columns: &mut TransposedBlocks) {
        let cells = if EDGE { self.input.cells(b) } else { TILE_SIDE };
        let tile = self.input.opacity.tile(self.input.tile_offset(K, b), SIDES[K % 2], cells);
        let rows = transpose(self.simd, &tile);
        for i in 0..TILE_SIDE {
            columns.opacity[b][K][i] = rows[if K < 2 { TILE_SIDE - 1 - i } else { i }];
        }
    }

    /// Writes the visibility in octant K along columns into the window.
    #[inline(always)]
    fn store_columns<const EDGE: bool, const K: usize>(
        self,
        b: usize,
        columns: &TransposedBlocks,
        seen: &mut NeighbourhoodMut<'_>,
    ) {
        let Self { simd, input } = self;
        let mut rows = [[0.0; TILE_SIDE]; TILE_SIDE];
        for i in 0..TILE_SIDE {
            rows[if K < 2 { TILE_SIDE - 1 - i } else { i }] = columns.seen[b][K][i];
        }
        let mut tile = transpose(simd, &rows);
        let (start, step) = (input.tile_offset(K, b), SIDES[K % 2]);
        let cells = if EDGE { input.cells(b) } else { TILE_SIDE };
        if EDGE && input.first_row == input.first_cell + b * TILE_SIDE {
            // Two octants share this tile; each is 0 beyond its diagonal.
            let other = seen.as_ref().tile(start, step, cells);
            for i in 0..TILE_SIDE {
                tile[i] = f32x8::simd_from(simd, other[i]).max(f32x8::simd_from(simd, tile[i])).into();
            }
        }
        seen.set_tile(start, step, cells, &tile);
    }

    /// Sweeps four octants, along `ROWS` or columns.
    #[inline(always)]
    fn sweep_axis<const NODATA: bool, const TABLE: bool, const EDGE: bool, const ROWS: bool>(
        self,
        seen: &mut NeighbourhoodMut<'_>,
        light: &mut [PassedLight; N],
        inner: &OutermostLight,
        outer: &mut OutermostLight,
        columns: &mut TransposedBlocks,
    ) {
        let Self { simd, input } = self;
        let axis = usize::from(!ROWS);
        let (inner, outer) = (&inner.0[axis], &mut outer.0[axis]);
        let (zero, one) = (simd.splat_f32x8(0.0), simd.splat_f32x8(1.0));
        let mut distance = [one; N];
        let mut through = [[one; N]; OCTANTS];
        for b in 0..N {
            let mut ramp = [0.0; TILE_SIDE];
            for (i, distance) in ramp.iter_mut().enumerate() {
                *distance = (input.first_cell + b * TILE_SIDE + i) as u32 as f32;
            }
            distance[b] = f32x8::simd_from(simd, ramp);
            for (through, &light) in through.iter_mut().zip(&light[b].octants[axis]) {
                through[b] = f32x8::simd_from(simd, light);
            }
        }
        let rows = input.rows();
        if !ROWS && rows.len() < TILE_SIDE {
            columns.seen = Default::default();
        }
        let RowGroup { reciprocals, last_cells, .. } = input.group;
        for i in rows {
            let mut share = [one; N];
            let mut rest = [one; N];
            for b in 0..N {
                share[b] = if TABLE {
                    f32x8::simd_from(simd, input.shares[b * TILE_SIDE + i])
                } else {
                    distance[b] * simd.splat_f32x8(reciprocals[i])
                };
                if EDGE && !TABLE {
                    // M · (1/M) may differ from 1.
                    let on = distance[b].simd_eq(simd.splat_f32x8((input.first_row + i) as u32 as f32));
                    share[b] = on.select(one, share[b]);
                }
                rest[b] = one - share[b];
            }
            for k in 0..OCTANTS {
                let last: [f32; TILE_SIDE] = through[k][N - 1].into();
                outer[k][i] = last[TILE_SIDE - 1];
                // From the outermost block inwards, since the diagonal parents are those of the row before.
                for b in (0..N).rev() {
                    let neighbour = if b == 0 { simd.splat_f32x8(inner[k][i]) } else { through[k][b - 1] };
                    let diagonal = neighbour.slide::<{ TILE_SIDE - 1 }>(through[k][b]);
                    let mut arriving = rest[b] * through[k][b] + share[b] * diagonal;
                    let opacity =
                        if ROWS { *input.opacity.get(input.row_offset(k, b, i)) } else { columns.opacity[b][k][i] };
                    let mut opacity = f32x8::simd_from(simd, opacity);
                    if ROWS && is_lower(k) {
                        opacity = opacity.reverse();
                    }
                    through[k][b] = arriving * (one - opacity);
                    if NODATA {
                        let exists = opacity.simd_le(one);
                        through[k][b] = exists.select(through[k][b], zero);
                        arriving = exists.select(arriving, zero);
                    }
                    if EDGE {
                        arriving = distance[b].simd_le(simd.splat_f32x8(last_cells[i])).select(arriving, zero);
                    }
                    if !ROWS {
                        columns.seen[b][k][i] = arriving.into();
                    } else if is_lower(k) {
                        *seen.get_mut(input.row_offset(k, b, i)) = arriving.reverse().into();
                    } else {
                        *seen.get_mut(input.row_offset(k, b, i)) = arriving.into();
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

/// Returns `true` if there is any light.
#[inline(always)]
fn is_lit(light: &[[[f32; TILE_SIDE]; OCTANTS]; 2]) -> bool {
    // Without the sign bit, because of -0.
    light.as_flattened().as_flattened().iter().fold(0, |any, light| any | light.to_bits()) << 1 != 0
}
