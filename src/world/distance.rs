//! Euclidean distance transform.

use glam::{IVec2, ivec2};

use crate::grid::Grid;
use crate::parallel::*;

/// Returns the exact distance in cells from every cell to the nearest cell of `targets`; infinite if there is none.
pub(super) fn distance_to(targets: &Grid<bool>) -> Grid<f32> {
    map_nearest(targets, |cell, target| {
        target.map_or(f32::INFINITY, |target| (target - cell).as_dvec2().length_squared().sqrt() as f32)
    })
}

/// Returns a value for every cell, which `value` computes from the cell and the nearest cell of `targets`, if there is one.
///
/// Takes time proportional to the number of cells: the nearest target of each column, then the lower envelope of parabolas
/// along each row. Of several targets at the same distance the last column counts.
///
/// # References
/// P. Felzenszwalb and D. Huttenlocher, *Distance transforms of sampled functions*, 2012.
pub(crate) fn map_nearest<T: Copy + Send + Sync>(
    targets: &Grid<bool>,
    value: impl Fn(IVec2, Option<IVec2>) -> T + Sync,
) -> Grid<T> {
    const NONE: i32 = i32::MIN;
    let (width, height) = (targets.width(), targets.height());
    // The row of the nearest target of a column.
    let mut columns = vec![NONE; width * height];
    columns.par_chunks_mut(height).enumerate().for_each(|(x, column)| {
        let mut last = NONE;
        for (y, row) in column.iter_mut().enumerate() {
            last = if targets.row(y)[x] { y as i32 } else { last };
            *row = last;
        }
        last = NONE;
        for (y, row) in column.iter_mut().enumerate().rev() {
            let y = y as i32;
            last = if *row == y { y } else { last };
            if last != NONE && (*row == NONE || last - y < y - *row) {
                *row = last;
            }
        }
    });
    let mut grid = Grid::new(width, height, value(IVec2::ZERO, None));
    grid.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, out)| {
        let target_row = |x: usize| columns[x * height + y];
        let squared = |x: usize| (f64::from(target_row(x)) - y as f64) * (f64::from(target_row(x)) - y as f64);
        // The lower envelope: parabola `tops[k]` is lowest from `starts[k]` on.
        let (mut tops, mut starts) = (Vec::<usize>::new(), Vec::<f64>::new());
        for x in (0..width).filter(|&x| target_row(x) != NONE) {
            let own = squared(x) + (x * x) as f64;
            let mut start = f64::NEG_INFINITY;
            while let (Some(&top), Some(&top_start)) = (tops.last(), starts.last()) {
                start = (own - squared(top) - (top * top) as f64) / (2 * (x - top)) as f64;
                if start > top_start {
                    break;
                }
                tops.pop();
                starts.pop();
                start = f64::NEG_INFINITY;
            }
            tops.push(x);
            starts.push(start);
        }
        let mut k = 0;
        for (x, out) in out.iter_mut().enumerate() {
            while k + 1 < tops.len() && starts[k + 1] <= x as f64 {
                k += 1;
            }
            let target = tops.get(k).map(|&top| ivec2(top as i32, target_row(top)));
            *out = value(ivec2(x as i32, y as i32), target);
        }
    });
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_a_search_over_all_cells() {
        for (width, height) in [(1, 1), (1, 9), (13, 1), (17, 11)] {
            let targets = Grid::from_fn(width, height, |c| (c.x * 7 + c.y * 13) % 19 == 3);
            let distances = distance_to(&targets);
            for (cell, &found) in distances.iter() {
                let all = targets.iter().filter(|&(_, &target)| target);
                let wanted = all.map(|(c, _)| (((c - cell).length_squared()) as f32).sqrt()).reduce(f32::min);
                assert!((found - wanted.unwrap_or(f32::INFINITY)).abs() < 1e-4 || wanted.is_none(), "{cell}");
                assert_eq!(found.is_infinite(), wanted.is_none());
            }
        }
        assert_eq!(distance_to(&Grid::new(2, 2, true))[ivec2(1, 1)], 0.0);
    }
}
