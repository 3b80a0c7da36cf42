//! A line of sight over the bilinear surface, traced without the code of the crate.

use farsight::glam::{DVec2, IVec2, dvec2};
use farsight::grid::Grid;
use farsight::viewshed::Surface;

use super::gdal::{CURVATURE, Case, EYE_M};

/// Returns the metres by which the ground of a cell is above the horizon on the line to it; infinite for the viewer's
/// neighbours.
///
/// The line crosses columns and rows of cell centres. Between two crossings the surface is a quadratic of the fraction
/// t of the line, determined by three points. The slope h(t)/t of h = a + b t + c t² is maximal at an end or at √(a/c),
/// where its derivative c - a/t² is 0.
pub fn clearance(case: &Case, cell: IVec2) -> f64 {
    let offset = cell - case.viewer;
    if offset.abs().max_element() <= 1 {
        return f64::INFINITY;
    }
    let eye = f64::from(case.ground[case.viewer]) + EYE_M;
    let way = offset.as_dvec2();
    let drop = CURVATURE * (way * case.cell_size).length_squared() / (2.0 * Surface::EARTH_RADIUS_M);
    let rise = |from: DVec2, t: f64| height(&case.ground, from, case.viewer.as_dvec2() + way * t) - eye - drop * t * t;
    let (mut horizon, mut t, mut i, mut j) = (f64::NEG_INFINITY, 0.0, 1, 1);
    let size = offset.abs();
    while t < 1.0 {
        let crossing = |k: i32, cells: i32| if cells == 0 { f64::INFINITY } else { f64::from(k) / f64::from(cells) };
        let (x, y) = (crossing(i, size.x), crossing(j, size.y));
        let end = x.min(y).min(1.0);
        if x <= end + 1e-12 {
            i += 1;
        }
        if y <= end + 1e-12 {
            j += 1;
        }
        if end - t < 1e-12 {
            continue;
        }
        let middle = 0.5 * (t + end);
        let corner = (case.viewer.as_dvec2() + way * middle).floor();
        let [first, half, last] = [t, middle, end].map(|t| rise(corner, t));
        // The quadratic through three points, around the first.
        let length = end - t;
        let c = 2.0 * (first - 2.0 * half + last) / (length * length);
        let b = (last - first) / length - c * (t + end);
        let a = first - t * (b + c * t);
        for (at, rise) in [(t, first), (end, last)] {
            if at > 0.0 && at < 1.0 {
                horizon = horizon.max(rise / at);
            }
        }
        let top = (a / c).sqrt();
        if a < 0.0 && top > t && top < end {
            horizon = horizon.max(a / top + b + c * top);
        }
        t = end;
    }
    rise(cell.as_dvec2(), 1.0) - horizon
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
