//! Writes a band along columns, which the kernel computed as rows, into the window: one transposed tile for each block.

use std::ops::Range;

use fearless_simd::Simd;

use super::band::{BandColumns, Output, TurnedColumns};
use crate::sight_config::OctantSet;
use crate::simd::Vector;

/// Returns the index of the upper left cell of block (g, b) in octant `k` along `ROWS` or columns. Even octants are above or to the
/// left of the viewer; octants 2 and 3 run towards lower coordinates. The window has room for all rows of the block.
#[inline(always)]
fn first_cell<const W: usize, const ROWS: bool>(out: &Output<'_>, g: usize, b: usize, k: usize) -> usize {
    let before = |first: usize| 0usize.wrapping_sub(first + W - 1);
    let along = if k.is_multiple_of(2) { before(g * W) } else { g * W };
    let aside = if k < 2 { b * W } else { before(b * W) };
    let (x, y) = if ROWS { (aside, along) } else { (along, aside) };
    out.viewer.wrapping_add(x).wrapping_add(y.wrapping_mul(out.stride))
}

/// Writes the blocks `first..first + n` of group `g` in some octants along columns. The octants of `shared` share their
/// tile on the diagonal with a lit octant along rows.
#[inline(never)]
pub(super) fn store_columns<S: Simd, V: Vector<S, W>, const W: usize>(
    simd: S,
    out: &mut Output<'_>,
    g: usize,
    first: usize,
    n: usize,
    [octants, shared]: [OctantSet; 2],
    columns: &BandColumns<W>,
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            for j in 0..n {
                let b = first + j;
                let merges = |k: usize| b == g && shared.contains(k);
                let tile = |k: usize| columns.block(k, j, n);
                // Named octants, since the compiler does not unroll a loop over them.
                macro_rules! store_octants {
                    ($($k:literal)*) => {
                        $(match (octants.contains($k), merges($k)) {
                            (true, true) => store_tile::<S, V, W, $k, true>(simd, out, g, b, tile($k)),
                            (true, false) => store_tile::<S, V, W, $k, false>(simd, out, g, b, tile($k)),
                            (false, _) => (),
                        })*
                    };
                }
                store_octants!(0 1 2 3);
            }
        },
    );
}

/// Writes a tile of octant K. If it `MERGES`, it keeps the larger values; each octant is 0 beyond its diagonal.
#[inline(always)]
fn store_tile<S: Simd, V: Vector<S, W>, const W: usize, const K: usize, const MERGES: bool>(
    simd: S,
    out: &mut Output<'_>,
    g: usize,
    b: usize,
    (side, first): (&TurnedColumns<W>, usize),
) {
    let mut columns = [V::simd_from(simd, 0.0f32); W];
    for i in 0..W {
        columns[i] = V::simd_from(simd, *side[i][first..].first_chunk().expect("a whole block"));
    }
    let rows = V::transpose(simd, columns);
    let (start, stride) = (first_cell::<W, false>(out, g, b, K), out.stride);
    assert!(stride < u32::MAX as usize); // so that the compiler knows that all rows are in the tile
    let cells = &mut out.seen[start..][..(W - 1) * stride + W];
    for (t, &row) in rows.iter().enumerate() {
        if let Some(to) = cells[t * stride..].first_chunk_mut::<W>() {
            *to = if MERGES { row.max(V::simd_from(simd, *to)) } else { row }.to_array();
        }
    }
}

/// Clears the blocks of a band in the octants of `dark`. The octants of `shared` share their tile on the diagonal with
/// a lit octant along rows.
#[cold]
#[inline(never)]
pub(super) fn clear_band<const W: usize, const ROWS: bool>(
    out: &mut Output<'_>,
    g: usize,
    blocks: Range<usize>,
    dark: OctantSet,
    shared: OctantSet,
) {
    for b in blocks {
        let octants = if !ROWS && b == g { dark.without(shared) } else { dark };
        for k in (0..4).filter(|k| octants.contains(*k)) {
            let start = first_cell::<W, ROWS>(out, g, b, k);
            let nearest = if k.is_multiple_of(2) { W - 1 } else { 0 };
            for i in 0..W {
                if let Some(to) = out.seen[start + i * out.stride..].first_chunk_mut::<W>() {
                    // The viewer's column is in the octants along rows.
                    let on_axis = if g == 0 && !ROWS { to[nearest] } else { 0.0 };
                    to.fill(0.0);
                    to[nearest] = on_axis;
                }
            }
        }
    }
}
