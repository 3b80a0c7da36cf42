//! Euclidean distance transform.

use crate::parallel::*;

use crate::grid::Grid;

/// Returns the exact distance in cells from every cell to the nearest cell of `targets`; infinite if there is none.
///
/// Takes time proportional to the number of cells: distances along columns, then the lower envelope of parabolas along
/// each row.
///
/// # References
/// P. Felzenszwalb and D. Huttenlocher, *Distance transforms of sampled functions*, 2012.
pub(super) fn distance_to(targets: &Grid<bool>) -> Grid<f32> {
    let (width, height) = (targets.width(), targets.height());
    let mut columns = vec![0.0_f32; width * height];
    columns.par_chunks_mut(height).enumerate().for_each(|(x, column)| {
        let mut distance = f32::INFINITY;
        for (y, cell) in column.iter_mut().enumerate() {
            distance = if targets.row(y)[x] { 0.0 } else { distance + 1.0 };
            *cell = distance;
        }
        distance = f32::INFINITY;
        for cell in column.iter_mut().rev() {
            distance = if *cell == 0.0 { 0.0 } else { distance + 1.0 };
            *cell = cell.min(distance);
        }
    });
    let mut grid = Grid::new(width, height, 0.0);
    grid.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let squared = |x: usize| f64::from(columns[x * height + y]) * f64::from(columns[x * height + y]);
        // The lower envelope: parabola `tops[k]` is lowest from `starts[k]` on.
        let (mut tops, mut starts) = (Vec::<usize>::new(), Vec::<f64>::new());
        for x in (0..width).filter(|&x| squared(x).is_finite()) {
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
        for (x, cell) in row.iter_mut().enumerate() {
            while k + 1 < tops.len() && starts[k + 1] <= x as f64 {
                k += 1;
            }
            *cell = tops.get(k).map_or(f32::INFINITY, |&top| {
                let dx = x as f64 - top as f64;
                (dx * dx + squared(top)).sqrt() as f32
            });
        }
    });
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

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
