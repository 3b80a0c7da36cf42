//! [`HighestPyramid`]: an upper bound of the maximum height within a rectangle of cells.

use glam::IVec2;

use crate::grid::Grid;
use crate::parallel::*;

/// The maximum heights of blocks of cells, each level with blocks of twice the side (maximum mipmaps; A. Tevs, I. Ihrke, H.-P.
/// Seidel, *Maximum mipmaps for fast, accurate, and scalable dynamic height field rendering*, 2008).
#[derive(Clone, Debug)]
pub struct HighestPyramid {
    size: IVec2,
    levels: Vec<Grid<f32>>,
}

/// The binary logarithm of the side of the smallest blocks.
const FIRST_SIDE: u32 = 3;

impl HighestPyramid {
    /// Returns the pyramid of a map; `height` is NaN for nodata cells.
    pub fn new(size: IVec2, height: impl Fn(IVec2) -> f32 + Sync) -> Self {
        let mut levels = vec![blocks(size, 1 << FIRST_SIDE, height)];
        while let Some(finer) = levels.last().filter(|level| level.size().max_element() > 1) {
            levels.push(blocks(finer.size(), 2, |cell| finer[cell]));
        }
        Self { size, levels }
    }

    /// Returns an upper bound of the maximum height between two cells, inclusive: that of the blocks that contain them.
    /// −∞ for nodata.
    #[inline(always)]
    pub(super) fn between(&self, a: IVec2, b: IVec2) -> f32 {
        let (low, high) = (a.min(b).max(IVec2::ZERO), a.max(b).min(self.size - 1));
        let longest = (high - low).max_element().max(1) as u32;
        // Blocks of at least half of the longer side: at most three along each axis.
        let level = longest.ilog2().clamp(FIRST_SIDE, FIRST_SIDE - 1 + self.levels.len() as u32);
        let blocks = &self.levels[(level - FIRST_SIDE) as usize];
        let (low, high) = (low >> level, high >> level);
        let mut highest = f32::NEG_INFINITY;
        for y in low.y..=high.y {
            for value in &blocks.row(y as usize)[low.x as usize..(high.x + 1).max(low.x) as usize] {
                highest = if *value > highest { *value } else { highest };
            }
        }
        highest
    }
}

/// Returns the maximum heights of blocks of some cells a side, ignoring NaN.
fn blocks(size: IVec2, side: i32, height: impl Fn(IVec2) -> f32 + Sync) -> Grid<f32> {
    let count = ((size + side - 1) / side).max(IVec2::ONE);
    let mut blocks = Grid::new(count.x as usize, count.y as usize, f32::NEG_INFINITY);
    blocks.as_mut_slice().par_chunks_mut(count.x as usize).enumerate().for_each(|(row, blocks)| {
        for y in row as i32 * side..((row as i32 + 1) * side).min(size.y) {
            for (i, highest) in blocks.iter_mut().enumerate() {
                for x in i as i32 * side..((i as i32 + 1) * side).min(size.x) {
                    *highest = highest.max(height(IVec2::new(x, y)));
                }
            }
        }
    });
    blocks
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn a_bound_is_at_least_the_greatest_height_and_that_of_some_cell() {
        for size in [ivec2(1, 1), ivec2(7, 40), ivec2(130, 67)] {
            let height = |cell: IVec2| {
                let wild = (cell.x * 7919 + cell.y * 104_729) % 1009;
                if wild < 90 { f32::NAN } else { wild as f32 }
            };
            let pyramid = HighestPyramid::new(size, height);
            for (i, j) in (0..300).map(|i| (i * 37 % 151, i * 53 % 89)) {
                let [a, b] = [ivec2(i, j), ivec2(j, i)].map(|cell| cell % size);
                let within = |low: IVec2, high: IVec2| {
                    let cells = (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| ivec2(x, y)));
                    cells.map(height).fold(f32::NEG_INFINITY, f32::max)
                };
                let (low, high) = (a.min(b), a.max(b));
                let found = pyramid.between(a, b);
                let side = (high - low).max_element().max(8);
                let around = within((low - side).max(IVec2::ZERO), (high + side).min(size - 1));
                assert!(found >= within(low, high) && found <= around, "{size} {a} {b}: {found}, {around}");
            }
        }
    }
}
