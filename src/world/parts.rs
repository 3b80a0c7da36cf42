//! [`Parts`]: the connected parts of land and sea.

use crate::parallel::*;

use super::disjoint_sets::DisjointSets;
use crate::grid::Grid;

/// The connected parts of a field that is positive on land. Land is connected across corners, sea is not.
pub(super) struct Parts {
    /// All runs, row after row.
    runs: Vec<Run>,
    /// The index of the first run of each row, and the number of runs.
    first_of_row: Vec<usize>,
    /// The part of each run: the index of one of its runs.
    part: Vec<u32>,
    /// The number of cells of a part, or [`AT_EDGE`], at the index of that run.
    cells: Vec<u32>,
}

/// The number of cells of parts that touch the edge of the map.
const AT_EDGE: u32 = u32::MAX;

/// Cells of a row that follow each other and are all land or all sea.
#[derive(Clone, Copy)]
pub(super) struct Run {
    index: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) is_land: bool,
}

impl Parts {
    /// Finds the parts.
    pub(super) fn new(land_field: &Grid<f32>) -> Self {
        let (width, height) = (land_field.width(), land_field.height());
        let rows: Vec<Vec<Run>> = (0..height).into_par_iter().map(|y| runs(land_field.row(y))).collect();
        let mut first_of_row = vec![0];
        for row in &rows {
            first_of_row.push(first_of_row[first_of_row.len() - 1] + row.len());
        }
        let mut runs = rows.concat();
        for (index, run) in runs.iter_mut().enumerate() {
            run.index = index as u32;
        }
        let mut sets = DisjointSets::new(runs.len());
        for y in 1..height {
            let (above, here) =
                (&runs[first_of_row[y - 1]..first_of_row[y]], &runs[first_of_row[y]..first_of_row[y + 1]]);
            join_rows(above, here, &mut sets);
        }
        let part: Vec<u32> = (0..runs.len() as u32).map(|run| sets.find(run)).collect();
        let mut cells = vec![0_u32; runs.len()];
        for y in 0..height {
            for run in &runs[first_of_row[y]..first_of_row[y + 1]] {
                let is_at_edge = y == 0 || y + 1 == height || run.start == 0 || run.end == width as u32;
                let cells = &mut cells[part[run.index as usize] as usize];
                *cells = if is_at_edge { AT_EDGE } else { cells.saturating_add(run.end - run.start) };
            }
        }
        Self { runs, first_of_row, part, cells }
    }

    /// Returns the runs of a row.
    pub(super) fn runs_of_row(&self, y: usize) -> &[Run] {
        &self.runs[self.first_of_row[y]..self.first_of_row[y + 1]]
    }

    /// Returns the number of cells of the part of a run; a part that touches the edge of the map has more than any other.
    pub(super) fn cells(&self, run: &Run) -> usize {
        self.cells[self.part[run.index as usize] as usize] as usize
    }
}

/// Returns the runs of a row, without their indices.
fn runs(row: &[f32]) -> Vec<Run> {
    let is_same = |a: &f32, b: &f32| (*a > 0.0) == (*b > 0.0);
    let mut start = 0;
    let runs = row.chunk_by(is_same).map(|cells| {
        let run = Run { index: 0, start, end: start + cells.len() as u32, is_land: cells[0] > 0.0 };
        start = run.end;
        run
    });
    runs.collect()
}

/// Joins the parts of runs of two rows that touch.
fn join_rows(above: &[Run], here: &[Run], sets: &mut DisjointSets) {
    let mut first = 0;
    for run in here {
        // Land also touches at corners.
        let reach = u32::from(run.is_land);
        while above[first].end < run.start {
            first += 1;
        }
        let touching = above[first..].iter().take_while(|other| other.start < run.end + reach);
        for other in touching.filter(|other| other.is_land == run.is_land && other.end + reach > run.start) {
            sets.union(other.index, run.index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::neighbours::{flood_fill, is_at_edge, is_diagonal};
    use crate::world::test_support::hash_to_unit;

    #[test]
    fn parts_are_those_of_a_flood_fill() {
        for (seed, (width, height)) in [(1, 1), (1, 9), (9, 1), (2, 2), (30, 20), (61, 40)].into_iter().enumerate() {
            for share in [0.3, 0.5, 0.6] {
                let field = Grid::from_fn(width, height, |cell| {
                    share - hash_to_unit((cell.x + 1000 * cell.y) as u32 + 77_777 * seed as u32)
                });
                let is_land = |i: usize| field.as_slice()[i] > 0.0;
                let parts = Parts::new(&field);
                let (mut seen, mut part) = (vec![false; width * height], Vec::new());
                for start in 0..width * height {
                    if !seen[start] {
                        flood_fill(start, [width, height], &mut seen, &mut part, |from, direction, to| {
                            (is_land(from) || !is_diagonal(direction)) && is_land(from) == is_land(to)
                        });
                        let at_edge = part.iter().any(|i| is_at_edge(i % width, i / width, width, height));
                        let wanted = if at_edge { AT_EDGE as usize } else { part.len() };
                        for i in &part {
                            let column = (i % width) as u32;
                            let run = parts.runs_of_row(i / width).iter().find(|run| column < run.end).unwrap();
                            assert_eq!(
                                (parts.cells(run), run.is_land),
                                (wanted, is_land(*i)),
                                "{width}x{height} at {i}"
                            );
                        }
                    }
                }
            }
        }
    }
}
