//! The camera that follows the walk.
//!
//! ```text
//!  ┌───────────────────────┐   It stands still as long as the walk fits into the frame; else it is pushed along by
//!  │      ┌─────────┐      │   the viewer at the edge of an inner box, and its way is smoothed over the steps before
//!  │      │  •──►   │      │   and after. It never shows what lies off the map.
//!  │      └─────────┘      │
//!  └───────────────────────┘
//! ```

use glam::{IVec2, ivec2};

/// A walk that leaves this share of the frame free on either side needs no camera that moves.
const FREE: i64 = 6;

/// The inner box leaves this share of the frame free on either side.
const PUSHED_AT: i64 = 3;

/// The way of the camera is smoothed twice over so many steps before and after.
const SMOOTHED: usize = 5;

/// The upper left corner of the frame after each step, in pixels of the whole map. `frame` and `map` are in pixels,
/// and `frame` is nowhere larger.
pub(super) fn corners(cells: &[IVec2], map: IVec2, frame: IVec2, pixels_of: impl Fn(i32) -> i64) -> Vec<IVec2> {
    let axis = |of: fn(IVec2) -> i32| {
        let middles: Vec<i64> = cells.iter().map(|&cell| (pixels_of(of(cell)) + pixels_of(of(cell) + 1)) / 2).collect();
        along_axis(&middles, i64::from(of(map)), i64::from(of(frame)))
    };
    let (x, y) = (axis(|cell| cell.x), axis(|cell| cell.y));
    x.into_iter().zip(y).map(|(x, y)| ivec2(x as i32, y as i32)).collect()
}

/// The same for one axis: `middles` of the viewer's cells in pixels.
fn along_axis(middles: &[i64], map: i64, frame: i64) -> Vec<i64> {
    let last = map - frame;
    let (low, high) = middles.iter().fold((i64::MAX, i64::MIN), |(low, high), &at| (low.min(at), high.max(at)));
    if high - low <= frame - 2 * (frame / FREE) {
        return vec![((low + high - frame) / 2).clamp(0, last); middles.len()];
    }
    let free = frame / PUSHED_AT;
    let mut corner = middles[0] - frame / 2;
    let pushed: Vec<i64> = middles
        .iter()
        .map(|at| {
            corner = corner.clamp(at + free - frame, at - free).clamp(0, last);
            corner
        })
        .collect();
    let smooth = smoothed(&smoothed(&pushed));
    // However small the frame, the viewer stays in the picture.
    let edge = frame / 8;
    smooth
        .iter()
        .zip(middles)
        .map(|(corner, at)| *corner.clamp(&(at + edge + 1 - frame), &(at - edge)).clamp(&0, &last))
        .collect()
}

/// The mean over the steps before and after; beyond the ends, the first and last go on.
fn smoothed(way: &[i64]) -> Vec<i64> {
    let reach = SMOOTHED as i64;
    let at = |i: i64| way[i.clamp(0, way.len() as i64 - 1) as usize];
    let count = 2 * reach + 1;
    (0..way.len() as i64)
        .map(|i| ((i - reach..=i + reach).map(at).sum::<i64>() + count / 2).div_euclid(count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(cells: &[IVec2], map: IVec2, frame: IVec2, side: i64) -> Vec<IVec2> {
        let pixels = side as i32;
        corners(cells, map * pixels, frame * pixels, |cell| i64::from(cell) * side)
    }

    #[test]
    fn a_walk_that_fits_is_filmed_by_a_camera_that_stands_still() {
        let walk: Vec<IVec2> = (20..60).map(|x| ivec2(x, 40)).collect();
        let corners = follow(&walk, ivec2(200, 100), ivec2(60, 40), 4);
        assert_eq!(corners, vec![ivec2((20 + 60 - 60) / 2 * 4, (81 * 4 - 160) / 2); 40]);
    }

    #[test]
    fn a_long_walk_is_followed_without_jerks_and_never_lost() {
        let mut walk: Vec<IVec2> = (2..150).map(|x| ivec2(x, 40)).collect();
        walk.extend((10..40).rev().map(|y| ivec2(149, y)));
        walk.extend((0..149).rev().map(|x| ivec2(x, 10)));
        for (frame, side) in [(ivec2(60, 40), 4), (ivec2(9, 7), 8), (ivec2(1, 1), 3), (ivec2(200, 100), 2)] {
            let corners = follow(&walk, ivec2(200, 100), frame, side);
            for (corner, cell) in corners.iter().zip(&walk) {
                let pixel = *cell * side as i32 + side as i32 / 2 - *corner;
                assert!(pixel.cmpge(IVec2::ZERO).all() && pixel.cmplt(frame * side as i32).all(), "{frame} {cell}");
                let end = *corner + frame * side as i32;
                assert!(corner.cmpge(IVec2::ZERO).all() && end.cmple(ivec2(200, 100) * side as i32).all());
            }
            for pair in corners.windows(2) {
                assert!((pair[1] - pair[0]).abs().max_element() <= 2 * side as i32, "a jerk");
            }
        }
    }
}
