//! [`sweep_band`]: the kernel. It computes up to three neighbouring blocks in the four octants along one axis.

use std::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use super::octant_tiling::RowGroup;
use crate::sight::two_parent::definition::arriving;
use crate::sight_config::OctantSet;
use crate::simd::Vector;

/// All cells of the band up to the diagonal exist and are in sight.
pub(super) const OPEN: u8 = 0;
/// The circle crosses the band.
pub(super) const CIRCLE: u8 = 1;
/// Cells may be missing, the circle may cross the band, and weights may be other than linear.
pub(super) const GENERAL: u8 = 2;

/// The number of the cell on the diagonal if it is in another band. It stays below 0 in all rows.
const NO_DIAGONAL: f32 = -1024.0;

/// The largest number of blocks that are swept together.
pub(super) const MAX_BAND: usize = 3;

/// The values of W lanes, aligned to a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Lanes<const W: usize>(pub(super) [f32; W]);

impl<const W: usize> Default for Lanes<W> {
    fn default() -> Self {
        Self([0.0; W])
    }
}

/// The octants along one axis: backwards and forwards on the side of higher coordinates, then on the side of lower
/// ones.
type AxisOctants<const W: usize> = [Lanes<W>; 4];

/// Returns the octants along columns that share their diagonals with these octants along rows.
#[inline(always)]
pub(super) fn across_diagonals(OctantSet(rows): OctantSet) -> OctantSet {
    OctantSet(rows & 0b0110 | rows >> 3 & 1 | (rows & 1) << 3)
}

/// 1 − opacity of cells around a viewer, row-major or column-major; a value below 0 marks a missing cell.
#[derive(Clone, Copy)]
pub(crate) struct Plane<'a> {
    pub(crate) cells: &'a [f32],
    /// The index of the viewer's cell.
    pub(crate) viewer: usize,
    /// The distance from one row to the next, in values.
    pub(crate) stride: usize,
}

/// The light of the octants along one axis.
#[derive(Clone, Debug)]
pub(super) struct AxisLight<const W: usize> {
    /// The light that passes the last swept row of each block. On the lower side lanes run towards the viewer.
    pub(super) blocks: Vec<AxisOctants<W>>,
    /// The octants with light, for the first block of each band.
    pub(super) lit: Vec<OctantSet>,
    /// The light that passes the outermost vectors of the last band before each row, for the next band.
    pub(super) outermost: Box<[AxisOctants<W>; W]>,
    /// The octants that may have light in `outermost`. The values of others are stale.
    pub(super) inner_lit: OctantSet,
}

impl<const W: usize> Default for AxisLight<W> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            lit: Vec::new(),
            outermost: Box::new([AxisOctants::default(); W]),
            inner_lit: OctantSet::NONE,
        }
    }
}

/// The position of a band in the disc.
pub(super) struct Band<'a, const W: usize> {
    pub(super) group: &'a RowGroup<W>,
    /// M of the group's first row.
    pub(super) first_row: usize,
    /// The rows of the group that exist, without the viewer's own cell.
    pub(super) rows: Range<usize>,
    pub(super) first_block: usize,
    /// `true` if the diagonal is in the band.
    pub(super) has_diagonal: bool,
    /// The octants to be swept.
    pub(super) octants: OctantSet,
    /// The weights of the diagonal parents, starting at the first block, if weights are not linear: for mode
    /// [`GENERAL`].
    pub(super) shares: Option<&'a [[[f32; W]; W]]>,
}

/// The number of values of a row in [`BandColumns`]. Each side of the viewer has half of it: three blocks of 16 lanes, or six of 8.
const ROW_VALUES: usize = 96;

/// The visibilities of a window.
pub(super) struct Output<'a> {
    pub(super) seen: &'a mut [f32],
    /// The index of the viewer's cell.
    pub(super) viewer: usize,
    /// The distance from one row to the next, in values.
    pub(super) stride: usize,
    /// The last row and column in sight, counted from the viewer.
    pub(super) reach: usize,
}

/// The rows of a band on both sides of the viewer, from the viewer outwards. A row starts with the blocks on the side
/// of lower coordinates; those on the side of higher coordinates start at `higher`.
pub(super) struct BandRows<'a> {
    /// The rows on the side of lower coordinates, the nearest last: the first values of each `stride`.
    pub(super) back: &'a mut [f32],
    /// The rows on the side of higher coordinates: the last values of each `stride`.
    pub(super) forward: &'a mut [f32],
    /// The distance from one row to the next, in values.
    pub(super) stride: usize,
    /// The number of values of a row.
    pub(super) span: usize,
    pub(super) higher: usize,
}

impl Output<'_> {
    /// Returns the rows of the window, starting at row `m`, 1 or more, for a band with the cells `first..end`.
    #[inline(always)]
    pub(super) fn rows(&mut self, m: usize, first: usize, end: usize) -> BandRows<'_> {
        let (stride, span) = (self.stride, 2 * end - 1);
        let start = self.viewer - (end - 1);
        let (back, rest) = self.seen.split_at_mut(start - (m - 1) * stride);
        // These end with their span, so that the last row is complete, too.
        let forward = &mut rest[2 * (m - 1) * stride + span..];
        BandRows { back, forward, stride, span, higher: first + end - 1 }
    }
}

impl BandRows<'_> {
    /// Returns W values of octant `k`, `i` rows after the first, `at` values after the first of its side.
    #[inline(always)]
    pub(super) fn vector<const W: usize>(&mut self, k: usize, i: usize, at: usize) -> &mut [f32; W] {
        let row = match k % 2 {
            0 => self.back.rchunks_exact_mut(self.stride).nth(i),
            _ => self.forward.chunks_exact_mut(self.stride).nth(i).map(|row| &mut row[self.stride - self.span..]),
        };
        let start = if k < 2 { self.higher + at } else { at };
        row.and_then(|row| row[start..].first_chunk_mut()).expect("the rows of the band have whole vectors")
    }
}

/// The columns of a band on one side of the viewer, as rows from lower to higher coordinates: each has the blocks of
/// the octant towards lower coordinates, and then those of the other octant.
pub(super) type TurnedColumns<const W: usize> = [[f32; ROW_VALUES]; W];

/// A buffer for a band along columns, on the sides of lower and of higher coordinates. Aligned to a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct BandColumns<const W: usize>([TurnedColumns<W>; 2]);

impl<const W: usize> Default for BandColumns<W> {
    fn default() -> Self {
        Self([[[0.0; ROW_VALUES]; W]; 2])
    }
}

impl<const W: usize> BandColumns<W> {
    /// Returns the rows, starting at `first`.
    #[inline(always)]
    pub(super) fn rows(&mut self, first: usize) -> BandRows<'_> {
        let [back, forward] = &mut self.0;
        let (back, forward) = (back[..W - first].as_flattened_mut(), forward[first..].as_flattened_mut());
        BandRows { back, forward, stride: ROW_VALUES, span: ROW_VALUES, higher: ROW_VALUES / 2 }
    }

    /// Clears some rows.
    pub(super) fn clear(&mut self, rows: Range<usize>) {
        self.0[0][W - rows.end..W - rows.start].as_flattened_mut().fill(0.0);
        self.0[1][rows].as_flattened_mut().fill(0.0);
    }

    /// Returns the side of octant `k`, and the offset of block `b` of a band of `n` in its rows.
    #[inline(always)]
    pub(super) fn block(&self, k: usize, b: usize, n: usize) -> (&TurnedColumns<W>, usize) {
        // Octants towards lower coordinates have the blocks at the axis last.
        (&self.0[k % 2], if k < 2 { ROW_VALUES / 2 + b * W } else { (n - 1 - b) * W })
    }
}

/// Sweeps the `n` blocks of a band. `chained`: the group has other bands.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "a struct of them would be built for each band")]
pub(super) fn run_band<S: Simd, V: Vector<S, W>, const W: usize>(
    simd: S,
    mode: u8,
    n: usize,
    chained: bool,
    band: &Band<'_, W>,
    plane: Plane<'_>,
    out: &mut BandRows<'_>,
    light: &mut AxisLight<W>,
) {
    macro_rules! run {
        ($n:expr, $chained:literal) => {
            match mode {
                OPEN => sweep_band::<S, V, W, OPEN, { $n }, $chained>(simd, band, plane, out, light),
                CIRCLE => sweep_band::<S, V, W, CIRCLE, { $n }, $chained>(simd, band, plane, out, light),
                _ => sweep_band::<S, V, W, GENERAL, { $n }, $chained>(simd, band, plane, out, light),
            }
        };
    }
    // WebAssembly has half the copies, since downloads count more than the few instructions of bands that exchange no light.
    match (n, chained || cfg!(target_family = "wasm")) {
        (1, false) => run!(1, false),
        (1, true) => run!(1, true),
        (2, false) => run!(2, false),
        (2, true) => run!(2, true),
        (_, false) => run!(MAX_BAND, false),
        (_, true) => run!(MAX_BAND, true),
    }
}

/// The terms that all octants of a row share.
struct RowTerms<V, const N: usize> {
    /// The weights of the diagonal parents.
    share: [V; N],
    /// n of the cells.
    distance: [V; N],
    /// The last cell in sight.
    last_cell: V,
    zero: V,
    one: V,
}

/// Sweeps one row of one octant. `passed` is the light that passes the previous row, and on return this row. Returns
/// the outermost vector of the previous row. `edge` is the outermost vector of the previous band, if that has light,
/// and on return that of this band.
#[inline(always)]
fn sweep_row<S: Simd, V: Vector<S, W>, const W: usize, const MODE: u8, const N: usize, const MIRRORED: bool>(
    simd: S,
    passed: &mut [V; N],
    terms: &RowTerms<V, N>,
    transmittance: &[f32],
    seen: &mut [f32],
    edge: Option<(&mut Lanes<W>, bool)>,
) -> V {
    let RowTerms { share, distance, last_cell, zero, one } = terms;
    let transmittance: &[[f32; W]; N] = transmittance.as_chunks().0.first_chunk().expect("a row of the band");
    let seen: &mut [[f32; W]; N] = seen.as_chunks_mut().0.first_chunk_mut().expect("a row of the band");
    let outermost = passed[N - 1];
    let mut neighbour = *zero;
    if let Some((edge, is_lit)) = edge {
        neighbour = V::simd_from(simd, if is_lit { &*edge } else { const { &Lanes([0.0; W]) } }.0);
        edge.0 = outermost.to_array();
    }
    // From the outermost block inwards, since the diagonal parents are in the previous row.
    for b in (0..N).rev() {
        let at = if MIRRORED { N - 1 - b } else { b };
        let straight = passed[b];
        let inwards = if b == 0 { neighbour } else { passed[b - 1] };
        let diagonal = if MIRRORED { straight.shift_down(inwards) } else { straight.shift_up(inwards) };
        let mut arriving = arriving(*one, share[b], straight, diagonal);
        let transmittance = V::simd_from(simd, transmittance[at]);
        let mut passing = arriving * transmittance;
        if MODE == GENERAL {
            let exists = transmittance.simd_ge(*zero);
            passing = exists.select(passing, *zero);
            arriving = exists.select(arriving, *zero);
        }
        if MODE != OPEN {
            arriving = distance[b].simd_le(*last_cell).select(arriving, *zero);
        }
        passed[b] = passing;
        seen[at] = arriving.to_array();
    }
    outermost
}

/// Sweeps the N blocks of a band. `CHAINED`: the group has other bands, which exchange light. Not inlined: the copies
/// would compete for the cache of decoded instructions.
// Plain loops, since LLVM does not inline a closure into a function without these target features. For the same reason
// the octants are named variables, and the body of the loop is a macro.
#[inline(never)]
fn sweep_band<S: Simd, V: Vector<S, W>, const W: usize, const MODE: u8, const N: usize, const CHAINED: bool>(
    simd: S,
    band: &Band<'_, W>,
    plane: Plane<'_>,
    out: &mut BandRows<'_>,
    light: &mut AxisLight<W>,
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            let (zero, one) = (V::simd_from(simd, 0.0f32), V::simd_from(simd, 1.0f32));
            let first_cell = usize::from(band.first_block as u16) * W; // cannot overflow
            let blocks: &mut [AxisOctants<W>; N] =
                light.blocks[band.first_block..].first_chunk_mut().expect("the light of each block");
            let outermost = &mut *light.outermost;
            let inner_lit = light.inner_lit;
            macro_rules! load {
                ($octant:literal) => {{
                    let mut passed = [zero; N];
                    for b in 0..N {
                        passed[b] = V::simd_from(simd, blocks[b][$octant].0);
                    }
                    passed
                }};
            }
            let (mut back, mut forward) = (load!(0), load!(1));
            let (mut back_lower, mut forward_lower) = (load!(2), load!(3));
            let mut ramp = [0.0; W];
            for (i, n) in ramp.iter_mut().enumerate() {
                *n = i as u32 as f32;
            }
            let ramp = V::simd_from(simd, ramp);
            let (mut distance, mut distance_lower) = ([zero; N], [zero; N]);
            for b in 0..N {
                distance[b] = ramp + (first_cell + b * W) as u32 as f32;
                distance_lower[b] = distance[b].reverse();
            }
            let m = band.first_row + band.rows.start;
            let mut on_diagonal = V::simd_from(simd, if band.has_diagonal { m as u32 as f32 } else { NO_DIAGONAL });
            // Rows from the outermost vector on the lower side to that on the higher side.
            let aside = first_cell + N * W - 1;
            let (span, upper) = (2 * aside + 1, aside + first_cell);
            let start = plane.viewer - aside;
            let rows_back = plane.cells[..start - (m - 1) * plane.stride].rchunks_exact(plane.stride);
            // These end with their span, so that the last row is complete, too.
            let rows_forward = plane.cells[start + (m - 1) * plane.stride + span..].chunks_exact(plane.stride);
            let BandRows { stride, span: seen_span, higher, .. } = *out;
            assert!(higher <= seen_span && seen_span <= stride && N * W <= seen_span - higher);
            let (seen_back, seen_forward) = (out.back.rchunks_exact_mut(stride), out.forward.chunks_exact_mut(stride));
            let rows = band.rows.start..band.rows.end.min(W); // with an end, so that the loop has one counter
            let group = band.group;
            let per_row = outermost[rows.clone()]
                .iter_mut()
                .zip(&group.reciprocals[rows.clone()])
                .zip(&group.last_cells[rows.clone()]);
            let mut passed_aside = zero;
            let octants = band.octants;
            macro_rules! sweep_octant {
                ($k:literal, $lower:literal, $passed:ident, $terms:ident, $row:ident, $seen:ident, $edge:ident) => {
                    if octants.contains($k) {
                        let (from, to) = if $lower { (0, 0) } else { (upper, higher) };
                        let (row, seen) = (&$row[from..], &mut $seen[to..]);
                        let edge = if CHAINED { Some((&mut $edge[$k], inner_lit.contains($k))) } else { None };
                        let outermost =
                            sweep_row::<S, V, W, MODE, N, $lower>(simd, &mut $passed, &$terms, row, seen, edge);
                        if CHAINED {
                            passed_aside = passed_aside.max(outermost);
                        }
                    }
                };
            }
            let rows = rows.zip(per_row).zip(rows_back.zip(rows_forward)).zip(seen_back.zip(seen_forward));
            for (((i, ((edge, &reciprocal), &last_cell)), (row_back, row_forward)), (seen_back, seen_forward)) in rows {
                let (reciprocal, last_cell) = (V::simd_from(simd, reciprocal), V::simd_from(simd, last_cell));
                let mut share = distance;
                if let Some(shares) = band.shares
                    && MODE == GENERAL
                {
                    for b in 0..N {
                        share[b] = V::simd_from(simd, shares[b][i]);
                    }
                } else {
                    for b in 0..N {
                        share[b] = distance[b] * reciprocal;
                    }
                    // M · (1/M) may differ from 1. Only the last block of a group has cells on the diagonal.
                    share[N - 1] = distance[N - 1].simd_eq(on_diagonal).select(one, share[N - 1]);
                    on_diagonal += one;
                }
                let (row_back, row_forward) = (&row_back[..span], &row_forward[plane.stride - span..]);
                let (seen_back, seen_forward) = (&mut seen_back[..seen_span], &mut seen_forward[stride - seen_span..]);
                let terms = RowTerms { share, distance, last_cell, zero, one };
                sweep_octant!(0, false, back, terms, row_back, seen_back, edge);
                sweep_octant!(1, false, forward, terms, row_forward, seen_forward, edge);
                let mut share_lower = share;
                for share in &mut share_lower {
                    *share = share.reverse();
                }
                let terms = RowTerms { share: share_lower, distance: distance_lower, last_cell, zero, one };
                sweep_octant!(2, true, back_lower, terms, row_back, seen_back, edge);
                sweep_octant!(3, true, forward_lower, terms, row_forward, seen_forward, edge);
            }
            let mut lit = OctantSet::NONE;
            macro_rules! store {
                ($octant:literal, $passed:ident) => {
                    let mut any = zero;
                    for b in 0..N {
                        blocks[b][$octant].0 = $passed[b].to_array();
                        any = any.max($passed[b]);
                    }
                    if any.simd_gt(zero).any_true() {
                        lit = lit.with($octant);
                    }
                };
            }
            store!(0, back);
            store!(1, forward);
            store!(2, back_lower);
            store!(3, forward_lower);
            light.lit[band.first_block] = lit;
            if CHAINED {
                light.inner_lit = if passed_aside.simd_gt(zero).any_true() { octants } else { OctantSet::NONE };
            }
        },
    );
}
