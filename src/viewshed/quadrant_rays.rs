//! [`QuadrantRays`]: the rays of one quadrant and what they carry from ring to ring.

use super::canopy_state::CanopyState;
use super::clipped_disc::ClippedDisc;
use super::divide_multiples::BATCH;
use super::quadrants::RingRow;
use super::ring_terms::NO_HORIZON;

/// The rays of one quadrant: an octant to each side of the axis.
#[derive(Clone, Debug, Default)]
pub(super) struct QuadrantRays {
    /// Both have a ray along the axis.
    pub(super) octants: [OctantRays; 2],
    /// The squared number of each ray.
    pub(super) squares: Vec<f32>,
    /// 1 over the number of each ray.
    pub(super) inverse: Vec<f32>,
    /// The number of the ray along the diagonal; that of the axis is 0.
    pub(super) count: usize,
}

/// The rays of one octant, from the axis on. One more makes interpolation safe.
#[derive(Clone, Debug, Default)]
pub(super) struct OctantRays {
    /// Steepest slope so far, in metres per ring.
    pub(super) horizon: Vec<f32>,
    /// The ring at which it was found; a fraction between two rings, 0 for none.
    pub(super) horizon_ring: Vec<f32>,
    pub(super) canopy: Vec<CanopyState>,
    /// Elevations where the rays cross the ring.
    pub(super) heights: Vec<f32>,
    /// Elevations where the rays last crossed a row of cells along the axis.
    pub(super) crossing_heights: Vec<f32>,
    /// Rings from there to this ring; below 1 if the crossing is after the previous ring.
    pub(super) crossing_back: Vec<f32>,
    /// Cover and canopy height where the rays cross the ring.
    pub(super) covers: Vec<[f32; 2]>,
    /// Elevations of the cells of the ring, from the axis on.
    pub(super) ground: Vec<f32>,
    /// Elevations of the previous ring.
    pub(super) previous_ground: Vec<f32>,
    /// Cover of the cells of the ring.
    pub(super) cover: Vec<f32>,
}

impl QuadrantRays {
    pub(super) fn make_room(&mut self, disc: &ClippedDisc, beams: f64, has_canopy: bool) {
        let count = ((disc.outermost_ring() as f64 * beams).round() as usize).max(1);
        let length = (count + 2).next_multiple_of(BATCH);
        if self.count != count {
            *self = Self { count, ..Default::default() };
            self.squares.extend((0..length).map(|ray| (ray as f32).powi(2)));
            self.inverse.extend((0..length).map(|ray| 1.0 / ray as f32));
        }
        for rays in &mut self.octants {
            for values in [
                &mut rays.horizon,
                &mut rays.horizon_ring,
                &mut rays.heights,
                &mut rays.crossing_heights,
                &mut rays.crossing_back,
            ] {
                values.resize(length, 0.0);
            }
            if has_canopy {
                rays.canopy.resize(length, CanopyState::default());
                rays.covers.resize(length, [0.0; 2]);
            }
            for values in [&mut rays.ground, &mut rays.previous_ground, &mut rays.cover] {
                values.resize(disc.outermost_ring() + 3, 0.0);
            }
        }
    }

    /// Returns the last ray of a side that crosses a ring among its known cells, or next to them.
    #[inline(always)]
    pub(super) fn last(&self, row: &RingRow<'_>, side: usize) -> usize {
        (((row.known[side] + 1) * self.count).div_ceil(row.m)).min(self.count)
    }
}

impl OctantRays {
    #[inline(always)]
    pub(super) fn start_quadrant(&mut self) {
        self.horizon.fill(NO_HORIZON);
        self.horizon_ring.fill(0.0);
        self.canopy.fill(CanopyState::default());
    }

    /// Copies the cells of a ring on one side of the axis. The last known cell is repeated once; beyond is nodata.
    #[inline(always)]
    pub(super) fn load_row(&mut self, row: &RingRow<'_>, side: usize, has_canopy: bool) {
        let (axis, known) = (row.known[0], row.known[side]);
        let load = |values: &[f32], beyond: f32, out: &mut [f32]| {
            if side == 0 {
                for (slot, value) in out.iter_mut().zip(values[..=axis].iter().rev()) {
                    *slot = *value;
                }
            } else {
                out[..=known].copy_from_slice(&values[axis..]);
            }
            out[known + 1..].fill(beyond);
            out[known + 1] = out[known];
        };
        load(row.ground, f32::NAN, &mut self.ground[..row.m + 3]);
        if has_canopy {
            load(row.cover, 0.0, &mut self.cover[..row.m + 3]);
        }
    }
}
