//! Near the viewer, both axes at once: twice as many vectors that do not wait for one another.

use super::access::ALL;
use super::buffers::Work;
use super::octant_pairs::{Axis, Wedges};
use super::octant_tiling::LANES;
use super::row_band::{Band, ROWS};
use super::sweep_block::strip;

/// Sweeps the first groups along both axes, up to the first that has more pieces than there are registers for, or does not
/// lie in the open. The number of groups that are done.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn sweep_jointly<const HOLES: bool>(
    wedges: [&Wedges<'_>; 2],
    axes: &mut [Axis; 2],
    work: &mut Work,
) -> usize {
    if !group::<HOLES, 1>(0, wedges, axes, work) {
        return 0;
    }
    1 + usize::from(group::<HOLES, 2>(1, wedges, axes, work))
}

/// Sweeps a group of N pieces in each octant, along rows and columns, if it lies in the open and is not all dark.
#[target_feature(enable = "avx512f")]
#[inline]
fn group<const HOLES: bool, const N: usize>(
    g: usize,
    wedges: [&Wedges<'_>; 2],
    axes: &mut [Axis; 2],
    work: &mut Work,
) -> bool {
    let [rows, columns] = wedges;
    let [up_and_down, left_and_right] = axes;
    if !(up_and_down.lit[0] && left_and_right.lit[0] && rows.is_open::<N>(g) && columns.is_open::<N>(g)) {
        return false;
    }
    let bands = [&rows.open_band::<N>(g), &columns.open_band::<N>(g)];
    let light = [&mut up_and_down.light[..], &mut left_and_right.light[..]];
    let flows = strip::<HOLES, ALL, ROWS, true, false, N, 2>(wedges, bands, light, work);
    for (axis, [_, ahead]) in axes.iter_mut().zip(flows) {
        axis.lit[0] = ahead;
        axis.written[rows.disc.starts[g]] = true;
    }
    columns.turn_pieces(g, 0..N, true, [LANES; 2], work);
    true
}

impl Wedges<'_> {
    /// Whether the steps of group `g` can be done along both axes at once: N pieces in each octant that are round, all on
    /// the map, and with room around them.
    fn is_open<const N: usize>(&self, g: usize) -> bool {
        let (near, beyond) = (g * LANES, N * LANES);
        let last = near + LANES - 1;
        self.disc.round.get(g) == Some(&true)
            && self.disc.starts[g + 1] - self.disc.starts[g] == N
            && self.along[0].min(self.along[1]) >= last
            && self.reaches_aside(beyond - 1)
            && self.may_read_all(near, last, beyond, [true; 2])
            && self.is_roomy(last, beyond)
    }

    /// A band of all steps of a group that [is open](Self::is_open).
    fn open_band<const N: usize>(&self, g: usize) -> Band<'_> {
        let pieces = self.disc.starts[g]..self.disc.starts[g] + N;
        let (plain, mirrored) = (&self.disc.rows[0][pieces.clone()], &self.disc.rows[1][pieces]);
        let from = usize::from(g == 0); // not the viewer's own cell
        let mut band = self.lay(g * LANES, 0, from, LANES, [true; 2], [plain, plain, mirrored, mirrored]);
        band.diagonal = true;
        band
    }
}
