//! [`CellLine`]: the line from the eye to the centre of one cell.

use glam::IVec2;

use super::quadrants::RingRow;
use super::ring_terms::NO_HORIZON;
use super::surface_terms::SurfaceTerms;

pub(super) struct CellLine<'a, 'r> {
    pub(super) row: &'a RingRow<'r>,
    /// The ring of the cell.
    pub(super) end: f32,
    /// Cells from the axis to the cell.
    pub(super) aside: f32,
    /// The side of the axis.
    pub(super) side: usize,
}

impl CellLine<'_, '_> {
    /// Returns the slope of the ground where this line crosses the ring, or between two rings the row of cells, at which a
    /// ray found its horizon; [`NO_HORIZON`] without data and at or beyond the cell. `ray_slant` is that ray's cells from
    /// the axis per ring.
    #[cold]
    pub(super) fn slope(&self, terms: &SurfaceTerms<'_>, horizon_ring: f32, ray_slant: f32) -> f32 {
        let slant = self.aside / self.end;
        let (m, aside) = if horizon_ring.fract() == 0.0 {
            (horizon_ring, slant * horizon_ring)
        } else {
            let row = (horizon_ring * ray_slant).round();
            (row / slant, row)
        };
        // Neither the cell itself nor what is next to the eye blocks.
        if !(m >= 1.0 && m < self.end * (1.0 - 1e-6)) {
            return NO_HORIZON;
        }
        let (inner_m, inner_aside) = (m.floor(), aside.floor());
        let (p, q) = (m - inner_m, aside - inner_aside);
        let (outwards, sideways) = (self.row.outwards, self.row.sideways * [-1, 1][self.side]);
        let corner = terms.viewer + outwards * inner_m as i32 + sideways * inner_aside as i32;
        let mut height = 0.0;
        for (step, weight) in [
            (IVec2::ZERO, (1.0 - p) * (1.0 - q)),
            (outwards, p * (1.0 - q)),
            (sideways, (1.0 - p) * q),
            (outwards + sideways, p * q),
        ] {
            if weight > 0.0 {
                height += terms.ground.get(corner + step).copied().unwrap_or(f32::NAN) * weight;
            }
        }
        let sides = terms.squared_sides(outwards);
        let drop = terms.drop as f32 * (m * m * sides.along as f32 + aside * aside * sides.aside as f32);
        let slope = ((height - terms.eye as f32) - drop) / m;
        if slope > NO_HORIZON { slope } else { NO_HORIZON } // also for NaN
    }
}
