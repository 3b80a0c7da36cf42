//! Lines over the bilinear surface, traced without the code of the crate.

use std::borrow::Cow;

use farsight::glam::{DVec2, IVec2, dvec2};
use farsight::grid::Grid;
use farsight::viewshed::Surface;

/// A line from the eye over a cell: at t, it is `way` · t columns and rows away, and curvature takes `drop` · t².
///
/// The line crosses columns and rows of cell centres. Between two crossings the surface is a quadratic of t, which three points
/// give. The slope h(t)/t of h = a + b t + c t² is greatest at an end or at √(a/c), where its derivative c - a/t² is 0. From an eye
/// on the ground, h(t)/t is b at t = 0.
pub struct TracedLine<'a> {
    /// The heights of ground and obstacles; both ends of the line to a cell are on the ground.
    heights: Cow<'a, Grid<f32>>,
    viewer: IVec2,
    eye: f64,
    way: DVec2,
    drop: f64,
}

impl<'a> TracedLine<'a> {
    /// Returns the line from the eye of a surface, where t = 1 is `way` columns and rows away.
    pub fn new(surface: &Surface<'a>, viewer: IVec2, way: DVec2) -> Self {
        let ground = surface.ground;
        let mut heights = Cow::Borrowed(ground);
        if let Some(obstacles) = surface.obstacles {
            let ends = [viewer, viewer + way.as_ivec2()];
            heights = Cow::Owned(Grid::from_fn(ground.width(), ground.height(), |cell| {
                if ends.contains(&cell) { ground[cell] } else { ground[cell].max(obstacles[cell]) }
            }));
        }
        let metres = (way * dvec2(surface.cell_size.x_m, surface.cell_size.y_m)).length();
        let drop = surface.curvature * metres * metres / (2.0 * Surface::EARTH_RADIUS_M);
        Self { heights, viewer, eye: f64::from(ground[viewer]) + surface.eye_height, way, drop }
    }

    /// Returns the line along an azimuth in degrees, clockwise from north, where t is metres.
    pub fn along(surface: &Surface<'a>, viewer: IVec2, azimuth_deg: f64) -> Self {
        let (sin, cos) = azimuth_deg.to_radians().sin_cos();
        // Along an axis and a diagonal, not beside it.
        let [sin, cos] = [sin, cos].map(|part| (part * 1e15).round() / 1e15);
        let way = dvec2(sin / surface.cell_size.x_m, -cos / surface.cell_size.y_m);
        Self::new(surface, viewer, way)
    }

    /// Returns the greatest slope between t = 0 and an end, or the edge of the map, with or without the slope at the end. −∞ if nothing is
    /// between.
    pub fn greatest_slope(&self, end: f64, with_end: bool) -> f64 {
        let (mut greatest, mut t, mut i, mut j) = (f64::NEG_INFINITY, 0.0, 1, 1);
        while t < end {
            let crossing = |k: i32, way: f64| if way == 0.0 { f64::INFINITY } else { f64::from(k) / way.abs() };
            let (x, y) = (crossing(i, self.way.x), crossing(j, self.way.y));
            let next = x.min(y).min(end);
            let margin = 1e-12 * next;
            i += i32::from(x <= next + margin);
            j += i32::from(y <= next + margin);
            if next - t < margin {
                continue;
            }
            let middle = 0.5 * (t + next);
            let corner = (self.viewer.as_dvec2() + self.way * middle).floor();
            let crosses = dvec2(f64::from(u8::from(self.way.x != 0.0)), f64::from(u8::from(self.way.y != 0.0)));
            let is_after = (corner + crosses).cmpgt((self.heights.size() - 1).as_dvec2()).any();
            if corner.min_element() < 0.0 || is_after {
                break;
            }
            let [first, half, last] = [t, middle, next].map(|t| self.rise(corner, t));
            // The quadratic through three points, around the first.
            let length = next - t;
            let c = 2.0 * (first - 2.0 * half + last) / (length * length);
            let b = (last - first) / length - c * (t + next);
            let a = first - t * (b + c * t);
            for (at, rise) in [(t, first), (next, last)] {
                if at > 0.0 && (at < end || with_end) {
                    greatest = greatest.max(rise / at);
                }
            }
            let top = (a / c).sqrt();
            if a < 0.0 && top > t && top < next {
                greatest = greatest.max(a / top + b + c * top);
            }
            if t == 0.0 && first == 0.0 {
                greatest = greatest.max(b);
            }
            t = next;
        }
        greatest
    }

    /// Returns the height over the eye at t, over the patch with a corner.
    fn rise(&self, corner: DVec2, t: f64) -> f64 {
        height(&self.heights, corner, self.viewer.as_dvec2() + self.way * t) - self.eye - self.drop * t * t
    }
}

/// Returns the metres by which the ground of another cell is above the horizon on the line to it; infinite without a horizon, for a
/// neighbour in the same row or column.
pub fn clearance(surface: &Surface<'_>, viewer: IVec2, cell: IVec2) -> f64 {
    let offset = cell - viewer;
    let line = TracedLine::new(surface, viewer, offset.as_dvec2());
    let target = f64::from(surface.ground[cell]) - line.eye - line.drop;
    match offset.abs().element_sum() {
        1 => f64::INFINITY,
        _ => target - line.greatest_slope(1.0, false),
    }
}

/// Returns the height of a point of the patch with a corner, cells from the upper left.
fn height(ground: &Grid<f32>, corner: DVec2, at: DVec2) -> f64 {
    let share = at - corner;
    let low = corner.as_ivec2();
    let high = (low + 1).min(ground.size() - 1);
    let value = |x: i32, y: i32| f64::from(ground[IVec2::new(x, y)]);
    let weights = [dvec2(1.0 - share.x, share.x), dvec2(1.0 - share.y, share.y)];
    weights[1].x * (weights[0].x * value(low.x, low.y) + weights[0].y * value(high.x, low.y))
        + weights[1].y * (weights[0].x * value(low.x, high.y) + weights[0].y * value(high.x, high.y))
}
