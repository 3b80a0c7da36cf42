//! Neighbours: the eight neighbours of a cell and their direction codes, flood fill over them, [`DisjointSets`] for
//! connected components, and the Euclidean distance transform.

use glam::{IVec2, ivec2};

use farsight::grid::Grid;
use farsight::internal::parallel::*;

/// Offsets of the eight neighbours, clockwise from the right. The index is the direction code; odd codes are diagonal.
pub const NEIGHBOURS: [IVec2; 8] =
    [ivec2(1, 0), ivec2(1, 1), ivec2(0, 1), ivec2(-1, 1), ivec2(-1, 0), ivec2(-1, -1), ivec2(0, -1), ivec2(1, -1)];

/// Offsets of the four neighbours that share an edge with a cell.
pub(super) const EDGE_NEIGHBOURS: [IVec2; 4] = [NEIGHBOURS[0], NEIGHBOURS[2], NEIGHBOURS[4], NEIGHBOURS[6]];

pub(super) fn opposite(direction: u8) -> u8 {
    (direction + 4) % 8
}

pub(super) fn is_diagonal(direction: u8) -> bool {
    direction % 2 == 1
}

/// Returns `true` for cells of the outermost rows and columns.
#[inline]
pub(super) fn is_at_edge(x: usize, y: usize, width: usize, height: usize) -> bool {
    x == 0 || y == 0 || x + 1 == width || y + 1 == height
}

/// Returns the index of the neighbour of cell `i` in a direction; the neighbour must be on the map.
#[inline]
pub(super) fn neighbour(i: usize, direction: u8, width: usize) -> usize {
    let to = NEIGHBOURS[direction as usize];
    (i as isize + to.y as isize * width as isize + to.x as isize) as usize
}

/// Iterates over the neighbours of cell `i` that are on the map: direction and index.
#[inline]
pub(super) fn neighbours(i: usize, width: usize, height: usize) -> impl Iterator<Item = (u8, usize)> {
    // 32-bit division is faster, and a map has fewer cells than 2³².
    let (x, y) = ((i as u32 % width as u32) as usize, (i as u32 / width as u32) as usize);
    neighbours_at(x, y, width, height)
}

/// Iterates over the neighbours of the cell at `x`, `y` that are on the map: direction and index.
#[inline]
pub(super) fn neighbours_at(x: usize, y: usize, width: usize, height: usize) -> impl Iterator<Item = (u8, usize)> {
    let inner = !is_at_edge(x, y, width, height);
    let i = y * width + x;
    (0..8_u8).filter_map(move |direction| {
        let to = NEIGHBOURS[direction as usize];
        let on_map = inner
            || ((0..width as i32).contains(&(x as i32 + to.x)) && (0..height as i32).contains(&(y as i32 + to.y)));
        on_map.then(|| (direction, neighbour(i, direction, width)))
    })
}

/// Fills `component` with the cells that are connected to `start`, and marks them in `seen`. `connects(from, direction,
/// to)` returns `true` if two neighbours belong together.
pub(super) fn flood_fill(
    start: usize,
    [width, height]: [usize; 2],
    seen: &mut [bool],
    component: &mut Vec<usize>,
    connects: impl Fn(usize, u8, usize) -> bool,
) {
    component.clear();
    component.push(start);
    seen[start] = true;
    let mut done = 0;
    while let Some(&i) = component.get(done) {
        done += 1;
        for (direction, to) in neighbours(i, width, height) {
            if !seen[to] && connects(i, direction, to) {
                seen[to] = true;
                component.push(to);
            }
        }
    }
}

/// A union-find structure with path halving.
pub(super) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Creates singleton sets of 0 to `len` − 1.
    pub(super) fn new(len: usize) -> Self {
        Self((0..len as u32).collect())
    }

    /// Adds a singleton set, and returns its number.
    pub(super) fn push(&mut self) -> u32 {
        let added = self.0.len() as u32;
        self.0.push(added);
        added
    }

    /// Returns the representative of the set of `a`.
    pub(super) fn find(&mut self, mut a: u32) -> u32 {
        while self.0[a as usize] != a {
            self.0[a as usize] = self.0[self.0[a as usize] as usize];
            a = self.0[a as usize];
        }
        a
    }

    /// Joins the sets of `a` and `b`; returns `true` if they were different sets.
    pub(super) fn union(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a as usize] = b;
        a != b
    }
}

/// Returns the exact distance in cells from every cell to the nearest cell of `targets`; infinite without targets.
pub(super) fn distance_to(targets: &Grid<bool>) -> Grid<f32> {
    map_nearest(targets, |cell, target| {
        target.map_or(f32::INFINITY, |target| (target - cell).as_dvec2().length_squared().sqrt() as f32)
    })
}

/// Returns a value for every cell, which `value` computes from the cell and the nearest cell of `targets`, if any.
///
/// Takes time proportional to the number of cells: the nearest target of each column, then the lower envelope of parabolas
/// along each row. Of several targets at the same distance, the last column takes precedence.
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
        // The lower envelope: parabola `tops[k]` is lowest starting at `starts[k]`.
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
