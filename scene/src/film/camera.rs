//! [`camera_corners`]: the position of the picture on the map.
//!
//! ```text
//!  ┌───────────────────────┐   If the walk fits into the picture, the camera is fixed. Otherwise the viewer pushes it
//!  │      ┌─────────┐      │   from the edge of an inner box, and the positions are smoothed over the steps before and
//!  │      │  •──►   │      │   after. The picture never leaves the map.
//!  │      └─────────┘      │
//!  └───────────────────────┘
//! ```

use glam::{IVec2, ivec2};

/// The camera does not move for a walk that leaves a margin of 1/6 of the picture on both sides.
const FIXED_MARGIN: i64 = 6;

/// The inner box leaves a margin of 1/3 of the picture on both sides.
const BOX_MARGIN: i64 = 3;

/// The viewer keeps a distance of at least 1/8 of the picture from its edge, except at the edge of the map.
const EDGE_MARGIN: i64 = 8;

/// Positions are averaged, twice, over this many steps before and after.
const SMOOTHING_STEPS: i64 = 5;

/// Returns the upper left corner of the picture after each step, in pixels of the whole map. `map` and `view` are sizes in
/// pixels; the view is not larger than the map. `pixels_of` converts a distance in cells to pixels.
pub(super) fn camera_corners(cells: &[IVec2], map: IVec2, view: IVec2, pixels_of: impl Fn(i32) -> i64) -> Vec<IVec2> {
    let axis = |of: fn(IVec2) -> i32| {
        let centres: Vec<i64> = cells.iter().map(|&cell| (pixels_of(of(cell)) + pixels_of(of(cell) + 1)) / 2).collect();
        along_axis(&centres, i64::from(of(map)), i64::from(of(view)))
    };
    let (x, y) = (axis(|cell| cell.x), axis(|cell| cell.y));
    x.into_iter().zip(y).map(|(x, y)| ivec2(x as i32, y as i32)).collect()
}

/// Returns the corners along one axis. `centres` are those of the viewer's cells, in pixels.
fn along_axis(centres: &[i64], map: i64, view: i64) -> Vec<i64> {
    let max_corner = map - view;
    let (low, high) = centres.iter().fold((i64::MAX, i64::MIN), |(low, high), &at| (low.min(at), high.max(at)));
    if high - low <= view - 2 * (view / FIXED_MARGIN) {
        return vec![((low + high - view) / 2).clamp(0, max_corner); centres.len()];
    }
    let margin = view / BOX_MARGIN;
    let mut corner = centres[0] - view / 2;
    let pushed = centres.iter().map(|at| {
        corner = corner.clamp(at + margin - view, at - margin).clamp(0, max_corner);
        corner
    });
    let smooth = smoothed(&smoothed(&pushed.collect::<Vec<i64>>()));
    let edge = view / EDGE_MARGIN;
    let corners = smooth.iter().zip(centres);
    corners.map(|(corner, at)| *corner.clamp(&(at + edge + 1 - view), &(at - edge)).clamp(&0, &max_corner)).collect()
}

/// Returns the moving average. Beyond the ends, the first and the last value continue.
fn smoothed(values: &[i64]) -> Vec<i64> {
    let at = |i: i64| values[i.clamp(0, values.len() as i64 - 1) as usize];
    let count = 2 * SMOOTHING_STEPS + 1;
    (0..values.len() as i64)
        .map(|i| ((i - SMOOTHING_STEPS..=i + SMOOTHING_STEPS).map(at).sum::<i64>() + count / 2).div_euclid(count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(cells: &[IVec2], map: IVec2, view: IVec2, side: i64) -> Vec<IVec2> {
        let pixels = side as i32;
        camera_corners(cells, map * pixels, view * pixels, |cell| i64::from(cell) * side)
    }

    #[test]
    fn the_camera_does_not_move_for_a_walk_that_fits() {
        let walk: Vec<IVec2> = (20..60).map(|x| ivec2(x, 40)).collect();
        let corners = corners(&walk, ivec2(200, 100), ivec2(60, 40), 4);
        assert_eq!(corners, vec![ivec2((20 + 60 - 60) / 2 * 4, (81 * 4 - 160) / 2); 40]);
    }

    #[test]
    fn the_camera_follows_a_long_walk_smoothly() {
        let mut walk: Vec<IVec2> = (2..150).map(|x| ivec2(x, 40)).collect();
        walk.extend((10..40).rev().map(|y| ivec2(149, y)));
        walk.extend((0..149).rev().map(|x| ivec2(x, 10)));
        for (view, side) in [(ivec2(60, 40), 4), (ivec2(9, 7), 8), (ivec2(1, 1), 3), (ivec2(200, 100), 2)] {
            let corners = corners(&walk, ivec2(200, 100), view, side);
            for (corner, cell) in corners.iter().zip(&walk) {
                let pixel = *cell * side as i32 + side as i32 / 2 - *corner;
                assert!(pixel.cmpge(IVec2::ZERO).all() && pixel.cmplt(view * side as i32).all(), "{view} {cell}");
                let end = *corner + view * side as i32;
                assert!(corner.cmpge(IVec2::ZERO).all() && end.cmple(ivec2(200, 100) * side as i32).all());
            }
            for pair in corners.windows(2) {
                assert!((pair[1] - pair[0]).abs().max_element() <= 2 * side as i32, "a jerk");
            }
        }
    }
}
