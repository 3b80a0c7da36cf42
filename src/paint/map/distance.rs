//! [`DistanceField`]: the distance of pixels to an outline, far from it.

use glam::{Vec2, ivec2, vec2};

use super::resample::{Field, FieldRow, Sampler, linear};
use super::soft_edge::{EdgeRow, SoftEdge};
use super::viewport::Viewport;
use crate::grid::CellRect;

/// The most pixels between the points of the lattice for lines along an outline, and for shadows. Small cells have a finer one.
pub(crate) const FINE_STEP: f32 = 4.0;
pub(crate) const COARSE_STEP: f32 = 8.0;
/// The outline is found this many pixels outside of the picture, too.
const MARGIN: i32 = 72;

/// The distance in pixels to an outline, on a lattice.
pub(crate) struct DistanceField {
    field: Field,
    sampler: Sampler<2>,
}

impl DistanceField {
    /// Computes the distance to an outline from the points on one side of it: inside if `inside`, else outside. On the other side
    /// it is 0.
    ///
    /// Each point of the lattice next to the outline gets the nearest point of the outline. Two passes hand these on from point to
    /// point (Danielsson 1980).
    pub(crate) fn new(viewport: &Viewport, edge: &SoftEdge, (inside, largest_step): (bool, f32)) -> Self {
        let step = viewport.side().clamp(1.0, largest_step) as i32;
        let coarse = viewport.grown(MARGIN).coarse(step);
        let (width, height) = (coarse.width(), coarse.height());
        let edge = SoftEdge::new(&coarse, edge.field().clone());
        let sign = if inside { 1.0 } else { -1.0 };
        let mut depth = vec![0.0; width * height];
        let mut buffers = EdgeRow::default();
        for (y, row) in depth.chunks_exact_mut(width.max(1)).enumerate() {
            edge.fill_distances(coarse.side(), y, &mut buffers, row);
            row.iter_mut().for_each(|depth| *depth *= sign);
        }
        let at = |x: i32, y: i32| {
            let (x, y) = (x.clamp(0, width as i32 - 1), y.clamp(0, height as i32 - 1));
            depth[y as usize * width + x as usize]
        };
        let mut nearest = vec![Vec2::INFINITY; width * height];
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                let own = at(x, y);
                let around = [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)];
                if around.iter().any(|other| (*other > 0.0) != (own > 0.0)) {
                    let slope = vec2(around[1] - around[0], around[3] - around[2]);
                    let to_outline = slope.normalize_or_zero() * own.clamp(-1.0, 1.0);
                    nearest[y as usize * width + x as usize] = vec2(x as f32, y as f32) - to_outline;
                }
            }
        }
        let passes = [
            [ivec2(-1, 0), ivec2(-1, -1), ivec2(0, -1), ivec2(1, -1)],
            [ivec2(1, 0), ivec2(1, 1), ivec2(0, 1), ivec2(-1, 1)],
        ];
        for (forward, steps) in [true, false].into_iter().zip(passes) {
            for i in 0..width * height {
                let i = if forward { i } else { width * height - 1 - i };
                let point = ivec2((i % width) as i32, (i / width) as i32);
                let place = point.as_vec2();
                let (mut best, mut least) = (nearest[i], (nearest[i] - place).length_squared());
                for step in steps {
                    let from = point + step;
                    if from.x >= 0 && from.y >= 0 && from.x < width as i32 && from.y < height as i32 {
                        let candidate = nearest[from.y as usize * width + from.x as usize];
                        let squared = (candidate - place).length_squared();
                        if squared < least {
                            (best, least) = (candidate, squared);
                        }
                    }
                }
                nearest[i] = best;
            }
        }
        let rect = CellRect { min: coarse.origin, max: coarse.origin + coarse.size };
        let field = Field::from_fn(rect, |point| {
            let point = point - coarse.origin;
            let i = point.y as usize * width + point.x as usize;
            let distance = (nearest[i] - point.as_vec2()).length() * step as f32;
            if depth[i] > 0.0 { distance.min(FARTHEST) } else { 0.0 }
        });
        // The points of the lattice are in the middles of squares of pixels.
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

/// Distances are at most this, in pixels, so that they do not depend on what is outside of the margin.
pub(crate) const FARTHEST: f32 = 64.0;

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
                    (distance - expected.clamp(0.0, 64.0)).abs() < 8.0,
                    "{x},{y}: {distance} instead of {expected}"
                );
            }
        }
    }
}
