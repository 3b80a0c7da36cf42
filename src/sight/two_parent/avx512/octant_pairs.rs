//! [`OctantPairs`]: the two opposite wedges along one axis, each a pair of octants.

use std::ops::Range;

use super::buffers::Vector16;
use super::tiling::Avx512Tiling;
use crate::simd::LANES;

/// The direction of each octant along its axis.
pub(super) const DIRECTIONS: [isize; 4] = [-1, 1, -1, 1];

/// The state of a sweep along one axis.
#[derive(Clone, Debug, Default)]
pub(super) struct AxisState {
    /// The light that passes the last swept row, for each block of a group and each octant.
    pub(super) light: Vec<Vector16>,
    /// For each band, at the index of its first block: `true` if any light passes.
    pub(super) lit: Vec<bool>,
    /// For each band, at the index of its first block: `true` if the window has light in it.
    pub(super) written: Vec<bool>,
}

impl AxisState {
    /// Lights only the viewer's cell: lane n = 0 of the innermost block of every octant.
    pub(super) fn start(&mut self) {
        self.light.fill(Vector16::default());
        for (k, light) in self.light.iter_mut().take(4).enumerate() {
            light.0[if k < 2 { 0 } else { LANES - 1 }] = 1.0;
        }
        self.lit.fill(false);
        self.lit[0] = true;
    }
}

/// Two opposite wedges: four octants.
pub(super) struct OctantPairs<'a> {
    pub(super) tiling: &'a Avx512Tiling,
    /// The viewer's cell among the opacities.
    pub(super) cells: *const f32,
    pub(super) readable: Range<*const f32>,
    /// The distance between rows of opacities, in values.
    pub(super) cells_stride: isize,
    /// The number of opacities before and after the viewer's.
    pub(super) room: [usize; 2],
    /// The row for octants that are off the map.
    pub(super) zero_row: *mut f32,
    /// The viewer's cell in the window.
    pub(super) seen: *mut f32,
    pub(super) writable: Range<*mut f32>,
    /// The distance between rows of the window, in values.
    pub(super) seen_stride: isize,
    /// The smaller number of values in the window before and after the viewer's.
    pub(super) room_seen: usize,
    /// The radius of the window.
    pub(super) window: usize,
    /// The cells of the map along the axis, backwards and forwards.
    pub(super) along: [usize; 2],
    /// The cells of the map on the two sides of the axis.
    pub(super) aside: [usize; 2],
    /// M of the last row.
    pub(super) last_row: usize,
}
