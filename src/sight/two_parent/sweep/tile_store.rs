//! Writes a band along columns, which the kernel computed as rows, into the window: one transposed tile for each block.

use std::ops::Range;

use fearless_simd::Simd;

use super::row_band::{AxisOctants, BandColumns, Lanes, Output};
use super::vector::Vector;

/// The place in the window of a block of an octant along columns.
struct TilePlace {
    /// The index of the upper left cell, which wraps below 0 if the first rows are not in the window.
    start: usize,
    /// The rows of the tile that are in the window.
    rows: Range<usize>,
}

impl TilePlace {
    /// The place of block (g, b) in octant k: the octants are left and right of the viewer downwards, then upwards.
    #[inline(always)]
    fn new<const W: usize>(out: &Output<'_>, g: usize, b: usize, k: usize) -> Self {
        let (m, n) = (g * W, b * W);
        let x = if k.is_multiple_of(2) { 0usize.wrapping_sub(m + W - 1) } else { m };
        let inside = (out.reach + 1 - n).min(W);
        let (y, rows) = if k < 2 {
            (n * out.stride, 0..inside)
        } else {
            (0usize.wrapping_sub((n + W - 1) * out.stride), W - inside..W)
        };
        Self { start: out.viewer.wrapping_add(x).wrapping_add(y), rows }
    }
}

/// Writes the blocks `first..first + n` of group `g` in some octants along columns. Those of `shared` have their tile on the
/// diagonal in common with an octant along rows that has light there.
#[inline(never)]
pub(super) fn store_columns<S: Simd, V: Vector<S, W>, const W: usize>(
    simd: S,
    out: &mut Output<'_>,
    g: usize,
    first: usize,
    n: usize,
    [octants, shared]: [AxisOctants; 2],
    columns: &BandColumns<W>,
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            for j in 0..n {
                let b = first + j;
                let merges = |k: usize| b == g && shared.contains(k);
                let tiles = [
                    &columns.0[0][j],
                    &columns.0[1][j],
                    &columns.0[2][n - 1 - j], // the upper octants run towards the axis
                    &columns.0[3][n - 1 - j],
                ];
                if out.reach + 1 - b * W < W {
                    for (k, tile) in tiles.into_iter().enumerate().filter(|(k, _)| octants.contains(*k)) {
                        let place = TilePlace::new::<W>(out, g, b, k);
                        let tile = transpose_tile::<S, V, W>(simd, tile, k.is_multiple_of(2));
                        store_rows::<S, V, W>(simd, out, place, merges(k), &tile);
                    }
                    continue;
                }
                // Named octants: the compiler does not unroll a loop over them.
                macro_rules! store_octants {
                    ($($k:literal)*) => {
                        $(match (octants.contains($k), merges($k)) {
                            (true, true) => store_tile::<S, V, W, $k, true>(simd, out, g, b, tiles[$k]),
                            (true, false) => store_tile::<S, V, W, $k, false>(simd, out, g, b, tiles[$k]),
                            (false, _) => (),
                        })*
                    };
                }
                store_octants!(0 1 2 3);
            }
        },
    );
}

/// Returns the rows of a tile in the window. To the left of the viewer, columns run from right to left.
#[inline(always)]
fn transpose_tile<S: Simd, V: Vector<S, W>, const W: usize>(simd: S, tile: &[Lanes<W>; W], is_left: bool) -> [V; W] {
    let mut columns = [V::simd_from(simd, 0.0f32); W];
    for i in 0..W {
        columns[i] = V::simd_from(simd, tile[if is_left { W - 1 - i } else { i }].0);
    }
    V::transpose(simd, columns)
}

/// Writes a whole tile of octant K. If it `MERGES`, it keeps the larger values; each octant is 0 beyond its diagonal.
#[inline(always)]
fn store_tile<S: Simd, V: Vector<S, W>, const W: usize, const K: usize, const MERGES: bool>(
    simd: S,
    out: &mut Output<'_>,
    g: usize,
    b: usize,
    tile: &[Lanes<W>; W],
) {
    let rows = transpose_tile::<S, V, W>(simd, tile, K.is_multiple_of(2));
    let TilePlace { start, .. } = TilePlace::new::<W>(out, g, b, K);
    let stride = out.stride;
    let mut rest = &mut out.seen[start..][..(W - 1) * stride + W];
    for (t, &row) in rows.iter().enumerate() {
        let (to, later) = rest.split_at_mut(if t + 1 == W { W } else { stride });
        if let Some(to) = to.first_chunk_mut::<W>() {
            *to = if MERGES { row.max(V::simd_from(simd, *to)) } else { row }.to_array();
        }
        rest = later;
    }
}

/// Writes those rows of a tile that are in the window.
#[inline(always)]
fn store_rows<S: Simd, V: Vector<S, W>, const W: usize>(
    simd: S,
    out: &mut Output<'_>,
    place: TilePlace,
    merges: bool,
    tile: &[V; W],
) {
    for i in place.rows {
        let start = place.start.wrapping_add(i * out.stride);
        if let Some(to) = out.seen[start..].first_chunk_mut::<W>() {
            *to = if merges { tile[i].max(V::simd_from(simd, *to)) } else { tile[i] }.to_array();
        }
    }
}

/// Clears the blocks of a band in the octants of `dark`. Those of `shared` have their tile on the diagonal in common with an octant
/// along rows that has light there.
#[cold]
#[inline(never)]
pub(super) fn clear_band<const W: usize, const ROWS: bool>(
    out: &mut Output<'_>,
    g: usize,
    blocks: Range<usize>,
    dark: AxisOctants,
    shared: AxisOctants,
) {
    for b in blocks {
        if ROWS {
            clear_rows::<W>(out, g, b, dark);
        } else {
            clear_columns::<W>(out, g, b, if b == g { dark.without(shared) } else { dark });
        }
    }
}

/// Clears a block of some octants along columns.
fn clear_columns<const W: usize>(out: &mut Output<'_>, g: usize, b: usize, octants: AxisOctants) {
    for k in (0..4).filter(|k| octants.contains(*k)) {
        let TilePlace { start, rows } = TilePlace::new::<W>(out, g, b, k);
        let nearest = if k.is_multiple_of(2) { W - 1 } else { 0 };
        for i in rows {
            if let Some(to) = out.seen[start.wrapping_add(i * out.stride)..].first_chunk_mut::<W>() {
                // The viewer's column is in the octants along rows.
                let on_axis = if g == 0 { to[nearest] } else { 0.0 };
                to.fill(0.0);
                to[nearest] = on_axis;
            }
        }
    }
}

/// Clears a block of some octants along rows.
fn clear_rows<const W: usize>(out: &mut Output<'_>, g: usize, b: usize, octants: AxisOctants) {
    let (m, n) = (g * W, b * W);
    for k in (0..4).filter(|k| octants.contains(*k)) {
        for i in 0..W.min(out.reach + 1 - m) {
            let along = (m + i) * out.stride;
            let axis = if k.is_multiple_of(2) { out.viewer - along } else { out.viewer + along };
            let start = if k < 2 { axis + n } else { axis - (n + W - 1) };
            out.seen[start..][..W].fill(0.0);
        }
    }
}
