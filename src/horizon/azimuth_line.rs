//! [`AzimuthLine`]: the patches that a line from the centre of any cell crosses along an azimuth.

use glam::{DVec2, IVec2, ivec2};

use super::ray::Course;
use crate::grid::CellSize;
use crate::viewshed::Surface;

/// The patches that a line from the centre of a cell crosses along an azimuth, from near to far. Relative to the cell
/// they are the same for all cells of equal size.
#[derive(Clone, Debug)]
pub(crate) struct AzimuthLine {
    /// The step to the next column and row.
    pub(super) step: IVec2,
    pub(super) patches: Vec<LinePatch>,
    /// The coefficient of t² for a twist of 1 m in a patch.
    pub(super) bend_of_twist: f32,
    /// The drop by curvature at a distance of 1 m.
    pub(super) drop: f32,
}

/// A patch between four centres, with the entry and exit points of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePatch {
    /// The offset of its nearest corner.
    pub(super) corner: IVec2,
    pub(super) enters: LinePoint,
    pub(super) leaves: LinePoint,
    /// 1 / distance between both.
    pub(super) inverse_length: f32,
}

/// A point of a line on the edge of a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePoint {
    /// The distance in metres.
    pub(super) at_m: f32,
    /// 1 / distance; NaN at the cell itself, which has no slope.
    pub(super) inverse: f32,
    /// Columns and rows from the corner of the patch along the steps, 0 to 1.
    pub(super) share: [f32; 2],
    /// The drop by curvature in metres.
    pub(super) drop_m: f32,
}

impl AzimuthLine {
    /// Returns the line at an azimuth in degrees, clockwise from north, over a map of a size up to a range in metres.
    pub(super) fn new(
        azimuth_deg: f64,
        cell_size: CellSize,
        curvature: f64,
        map_size: IVec2,
        max_distance_m: f64,
    ) -> Self {
        let course = Course::new(azimuth_deg, cell_size);
        let Course { step, speed, .. } = course;
        let drop = Surface::drop_m(curvature, 1.0);
        let point = |t: f64, crossed: IVec2| {
            let share = (speed * t - crossed.as_dvec2()).clamp(DVec2::ZERO, DVec2::ONE);
            let inverse = if t > 0.0 { (1.0 / t) as f32 } else { f32::NAN };
            LinePoint { at_m: t as f32, inverse, share: share.as_vec2().to_array(), drop_m: (drop * t * t) as f32 }
        };
        let (mut crossed, mut at, mut patches) = (IVec2::ZERO, 0.0, Vec::new());
        while at < max_distance_m && crossed.cmplt(map_size).all() {
            let (end, [crosses_column, crosses_row]) = course.leave(crossed, max_distance_m);
            patches.push(LinePatch {
                corner: step * crossed,
                enters: point(at, crossed),
                leaves: point(end, crossed),
                inverse_length: (1.0 / (end - at)) as f32,
            });
            at = end;
            crossed += ivec2(i32::from(crosses_column), i32::from(crosses_row));
        }
        Self { step, patches, bend_of_twist: (speed.x * speed.y) as f32, drop: drop as f32 }
    }

    /// Returns the number of patches whose corners are within some columns and rows along the steps.
    pub(super) fn patches_within(&self, columns: i32, rows: i32) -> usize {
        let room = ivec2(columns, rows) - self.step.abs();
        self.patches.partition_point(|patch| patch.corner.abs().cmple(room).all())
    }
}
