//! The sweep near the viewer along both axes at once: twice as many independent dependency chains.

use super::buffers::BandScratch;
use super::mask_mode::{ALL, ROWS};
use super::octant_pairs::{AxisState, OctantPairs};
use super::row_band::RowBand;
use super::sweep_block::sweep_blocks;
use crate::simd::LANES;

/// Sweeps the first one or two groups along both axes, as far as they are [open](OctantPairs::is_open). Returns the number
/// of groups that it swept.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn sweep_both_axes<const NODATA: bool>(
    pairs: [&OctantPairs<'_>; 2],
    axes: &mut [AxisState; 2],
    scratch: &mut BandScratch,
) -> usize {
    if !sweep_group::<NODATA, 1>(0, pairs, axes, scratch) {
        return 0;
    }
    1 + usize::from(sweep_group::<NODATA, 2>(1, pairs, axes, scratch))
}

/// Sweeps a group of N blocks in each octant along rows and columns, if it is open and lit. Returns `true` if it did.
#[target_feature(enable = "avx512f")]
#[inline]
fn sweep_group<const NODATA: bool, const N: usize>(
    g: usize,
    pairs: [&OctantPairs<'_>; 2],
    axes: &mut [AxisState; 2],
    scratch: &mut BandScratch,
) -> bool {
    let [rows, columns] = pairs;
    let [up_and_down, left_and_right] = axes;
    if !(up_and_down.lit[0] && left_and_right.lit[0] && rows.is_open::<N>(g) && columns.is_open::<N>(g)) {
        return false;
    }
    let bands = [&rows.open_band::<N>(g), &columns.open_band::<N>(g)];
    let light = [&mut up_and_down.light[..], &mut left_and_right.light[..]];
    let left = sweep_blocks::<NODATA, ALL, ROWS, true, false, N, 2>(pairs, bands, light, scratch);
    for (axis, left) in axes.iter_mut().zip(left) {
        axis.lit[0] = left.ahead;
        axis.written[rows.tiling.starts[g]] = true;
    }
    columns.transpose_blocks(g, 0..N, true, [LANES; 2], scratch);
    true
}

impl OctantPairs<'_> {
    /// Returns `true` if group `g` can be swept along both axes at once: it has N blocks in each octant, inside the circle, on
    /// the map, and with space around them for whole vectors.
    fn is_open<const N: usize>(&self, g: usize) -> bool {
        let (first, beyond) = (g * LANES, N * LANES);
        let last = first + LANES - 1;
        self.tiling.inside_circle.get(g) == Some(&true)
            && self.tiling.starts[g + 1] - self.tiling.starts[g] == N
            && self.along[0].min(self.along[1]) >= last
            && self.map_reaches_aside(beyond - 1)
            && self.may_read_all(first, last, beyond, [true; 2])
            && self.may_write_all(last, beyond)
    }

    /// The band of all rows of a group that [is open](Self::is_open).
    fn open_band<const N: usize>(&self, g: usize) -> RowBand<'_> {
        let blocks = self.tiling.starts[g]..self.tiling.starts[g] + N;
        let (plain, mirrored) = (&self.tiling.rows[0][blocks.clone()], &self.tiling.rows[1][blocks]);
        let from = usize::from(g == 0); // not the viewer's own cell
        let mut band = self.lay_out(g * LANES, 0, from, LANES, [true; 2], [plain, plain, mirrored, mirrored]);
        band.has_diagonal = true;
        band
    }
}
