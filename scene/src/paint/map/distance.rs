//! [`DistanceField`]: the distance of pixels to a distant outline.

use glam::{IVec2, Vec2, ivec2, vec2};

use super::resample::{Field, FieldRow, Sampler, linear};
use super::soft_edge::{EdgeRow, SoftEdge};
use super::viewport::Viewport;
use crate::world::map_nearest;
use farsight::grid::{CellRect, Grid};

/// The maximum spacing of the lattice in pixels, for lines along an outline and for shadows. Small cells have a finer lattice.
pub(crate) const FINE_STEP: f32 = 4.0;
pub(crate) const COARSE_STEP: f32 = 8.0;
/// The maximum distance in pixels, which makes distances independent of cells far outside the picture.
pub(crate) const FARTHEST: f32 = 64.0;

/// The distance in pixels to an outline, on a lattice.
pub(crate) struct DistanceField {
    field: Field,
    sampler: Sampler<2>,
}

impl DistanceField {
    /// Computes the distance to an outline on one side of it: inside if `inside`, else outside. On the other side it is
    /// 0.
    ///
    /// Each lattice point next to the outline stores the nearest point of the outline. The other lattice points use the
    /// outline points of the nearest of them and of its neighbours.
    pub(crate) fn new(viewport: &Viewport, edge: &SoftEdge, (inside, largest_step): (bool, f32)) -> Self {
        let step = viewport.side().clamp(1.0, largest_step) as i32;
        // A pixel reads lattice points one step outside the picture; these read points of the outline and their
        // neighbours.
        let coarse = viewport.grown(FARTHEST as i32 + 3 * step).coarse(step);
        let (width, height) = (coarse.width(), coarse.height());
        let edge = SoftEdge::new(&coarse, edge.field().clone());
        let sign = if inside { 1.0 } else { -1.0 };
        let mut depth = Grid::new(width, height, 0.0);
        let mut buffers = EdgeRow::default();
        for y in 0..height {
            edge.fill_distances(coarse.side(), y, &mut buffers, depth.row_mut(y));
            depth.row_mut(y).iter_mut().for_each(|depth| *depth *= sign);
        }
        let last = depth.size() - 1;
        let around = |point: IVec2| {
            [-IVec2::X, IVec2::X, -IVec2::Y, IVec2::Y].map(|by| depth[(point + by).clamp(IVec2::ZERO, last)])
        };
        let to_outline = Grid::from_fn(width, height, |point| {
            let (own, around) = (depth[point], around(point));
            if around.iter().all(|other| (*other > 0.0) == (own > 0.0)) {
                return Vec2::INFINITY; // not next to it
            }
            let [left, right, above, below] = around;
            vec2(right - left, below - above).normalize_or_zero() * -own.clamp(-1.0, 1.0)
        });
        let farthest = (FARTHEST / step as f32) as i32 + 3;
        let distances = map_nearest(&to_outline.map(|offset| offset.is_finite()), |point, nearest| {
            if depth[point] <= 0.0 {
                return 0.0;
            }
            let is_near = |nearest: &IVec2| (*nearest - point).length_squared() < farthest * farthest;
            let Some(nearest) = nearest.filter(is_near) else { return FARTHEST };
            let mut squared = f32::INFINITY;
            for near in (-1..=1).flat_map(|y| (-1..=1).map(move |x| nearest + ivec2(x, y))) {
                let offset = to_outline.get(near).copied().unwrap_or(Vec2::INFINITY);
                squared = squared.min(((near - point).as_vec2() + offset).length_squared());
            }
            (squared.sqrt() * step as f32).min(FARTHEST)
        });
        let rect = CellRect { min: coarse.origin, max: coarse.origin + coarse.size };
        let field = Field { rect, values: distances.as_slice().to_vec() };
        // The lattice points are at the centres of squares of pixels.
        let lattice = Viewport { scale: Vec2::splat(step as f32), ..*viewport };
        Self { sampler: Sampler::new(&lattice, &field, [linear, linear]), field }
    }

    /// Prepares a row of pixels for [`at`](Self::at).
    pub(crate) fn load(&self, y: usize, row: &mut FieldRow) {
        self.sampler.load(&self.field, y, row);
    }

    /// Returns the distance of a pixel of the row to the outline in pixels.
    #[inline]
    pub(crate) fn at(&self, x: usize, row: &FieldRow) -> f32 {
        self.sampler.at(x, row)
    }
}

#[cfg(test)]
mod tests {
    use super::super::soft_edge::soft_field;
    use super::*;

    #[test]
    fn the_distance_to_a_disc_is_that_of_a_circle() {
        let viewport = Viewport { origin: ivec2(-200, -200), scale: Vec2::splat(10.0), size: ivec2(400, 400) };
        let disc = Field::from_fn(viewport.cells(10), |cell| (cell.as_vec2() + 0.5).length() < 8.0);
        let edge = SoftEdge::new(&viewport, soft_field(&disc, 1.0));
        let distance = DistanceField::new(&viewport, &edge, (false, FINE_STEP));
        let mut row = FieldRow::default();
        for y in [5, 200, 330] {
            distance.load(y, &mut row);
            for x in 0..400 {
                let distance = distance.at(x, &row);
                let expected = (viewport.place(x, y).length() - 8.0) * 10.0;
                assert!(
                    (distance - expected.clamp(0.0, 64.0)).abs() < 3.0,
                    "{x},{y}: {distance} instead of {expected}"
                );
            }
        }
    }
}
