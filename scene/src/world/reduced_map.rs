//! [`ReducedMap`]: subsampled water and heights of a world; and the peaks of its fields, with the saddles between them.

use glam::{IVec2, ivec2};

use super::hydrography::Water;
use super::neighbours::{DisjointSets, neighbours};
use super::world::World;
use farsight::grid::Grid;
use farsight::internal::parallel::*;

/// The maximum number of cells in a search for places.
const MAX_CELLS: usize = 1 << 18;

/// The water and the heights of a world, with a value per block of `stride` × `stride` cells. Labelled places scale
/// with the map, so subsampling loses none.
pub(crate) struct ReducedMap {
    /// Columns and rows of a block; 1 up to 262,144 cells, a world of 512 × 512.
    pub(crate) stride: usize,
    /// The water at the centre of each block.
    pub(crate) water: Grid<Water>,
    /// The highest ground or water of each block, NaN for nodata.
    pub(crate) ground_m: Grid<f32>,
}

impl ReducedMap {
    pub(crate) fn new(world: &World) -> Self {
        let (width, height) = (world.width(), world.height());
        let mut stride = 1;
        while width.div_ceil(stride) * height.div_ceil(stride) > MAX_CELLS {
            stride += 1;
        }
        if stride == 1 {
            return Self { stride, water: world.water().clone(), ground_m: world.ground_m().clone() };
        }
        let (columns, rows) = (width.div_ceil(stride), height.div_ceil(stride));
        let ends = |at: i32, length: usize| at as usize * stride..((at as usize + 1) * stride).min(length);
        let water = Grid::from_fn(columns, rows, |block| world.water()[middle_of(block, stride, world)]);
        let ground_m = Grid::from_fn(columns, rows, |block| {
            let cells = ends(block.y, height).map(|y| &world.ground_m().row(y)[ends(block.x, width)]);
            cells.flatten().copied().fold(f32::NAN, f32::max)
        });
        Self { stride, water, ground_m }
    }

    pub(crate) fn size(&self) -> [usize; 2] {
        [self.water.width(), self.water.height()]
    }

    /// Returns the block of an index.
    pub(crate) fn block(&self, i: usize) -> IVec2 {
        ivec2((i % self.water.width()) as i32, (i / self.water.width()) as i32)
    }

    /// Returns the cell of the world at the centre of a block.
    pub(crate) fn middle(&self, block: IVec2, world: &World) -> IVec2 {
        middle_of(block, self.stride, world)
    }

    /// Returns the highest cell of a block; the first of several.
    pub(crate) fn highest(&self, block: IVec2, world: &World) -> IVec2 {
        let (stride, ground_m) = (self.stride as i32, world.ground_m());
        let cells = (0..stride * stride).map(|i| block * stride + ivec2(i % stride, i / stride));
        let mut highest = (block * stride, f32::NEG_INFINITY);
        for (cell, &height_m) in cells.filter_map(|cell| Some((cell, ground_m.get(cell)?))) {
            if height_m > highest.1 {
                highest = (cell, height_m);
            }
        }
        highest.0
    }
}

fn middle_of(block: IVec2, stride: usize, world: &World) -> IVec2 {
    let last = world.water().size() - 1;
    (block * stride as i32 + stride as i32 / 2).min(last)
}

/// A local maximum of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    /// Its cell.
    pub(crate) cell: usize,
    pub(crate) value: f32,
    /// The value of the highest saddle to a higher peak; `None` for the highest peak of its part of the map. Of two
    /// peaks of the same value, the peak of the first cell counts as higher.
    pub(crate) saddle: Option<f32>,
}

/// No peak.
const NONE: u32 = u32::MAX;

/// Returns the peaks of the cells for which `counts` returns `true`, highest first. Their values must not be NaN.
///
/// Processes the cells in descending order, like falling water. A cell without a higher neighbour is a peak, and a cell
/// that joins two islands is the saddle of the lower one. Exact, in the time of a sort.
pub(crate) fn peaks(values: &[f32], [width, height]: [usize; 2], counts: impl Fn(usize) -> bool) -> Vec<Peak> {
    let mut order: Vec<u64> = (0..values.len())
        .filter(|&i| counts(i))
        .map(|i| u64::from(!ascending_bits(values[i])) << 32 | i as u64)
        .collect();
    order.par_sort_unstable();
    let mut peaks: Vec<Peak> = Vec::new();
    let mut islands = DisjointSets::new(0);
    let mut peak_of_cell = vec![NONE; values.len()];
    for key in order {
        let cell = (key & u64::from(u32::MAX)) as usize;
        let value = values[cell];
        let mut own = NONE;
        for (_, to) in neighbours(cell, width, height) {
            let other = peak_of_cell[to];
            if other == NONE || other == own {
                continue;
            }
            if own == NONE {
                own = other;
                continue;
            }
            let (first, second) = (islands.find(own), islands.find(other));
            // Peaks are numbered from the highest.
            let (higher, lower) = (first.min(second), first.max(second));
            if higher != lower {
                peaks[lower as usize].saddle = Some(value);
                islands.union(lower, higher);
            }
            own = higher;
        }
        if own == NONE {
            own = islands.push();
            peaks.push(Peak { cell, value, saddle: None });
        }
        peak_of_cell[cell] = own;
    }
    peaks
}

/// Returns bits with the same order as the numbers.
fn ascending_bits(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits(); // without -0
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::tests::hash_to_unit;

    #[test]
    fn peaks_have_the_known_saddles() {
        // A range from 9 over a saddle of 4 to 7, over one of 2 to 5; an island of 3 behind a gap (0).
        let values = [9.0, 6.0, 4.0, 7.0, 2.0, 5.0, 0.0, 3.0];
        let found = peaks(&values, [8, 1], |i| values[i] > 0.0);
        let wanted = [(0, 9.0, None), (3, 7.0, Some(4.0)), (5, 5.0, Some(2.0)), (7, 3.0, None)];
        assert_eq!(found, wanted.map(|(cell, value, saddle)| Peak { cell, value, saddle }));
    }

    #[test]
    fn level_ground_and_negative_values_are_ordered() {
        let found = peaks(&[-3.0, -3.0, -5.0, -1.0], [4, 1], |_| true);
        let wanted = [(3, -1.0, None), (0, -3.0, Some(-5.0))];
        assert_eq!(found, wanted.map(|(cell, value, saddle)| Peak { cell, value, saddle }));
        assert_eq!(peaks(&[], [0, 0], |_| true), []);
        assert_eq!(peaks(&[1.0; 9], [3, 3], |_| true).len(), 1);
    }

    /// The definition: the saddle is the highest level at which the peak is still connected to higher ground.
    #[test]
    fn saddles_are_those_of_flood_fills_at_every_level() {
        let (width, height) = (13, 11);
        for seed in 0..20 {
            let values: Vec<f32> =
                (0..width * height).map(|i| (hash_to_unit(seed * 999 + i as u32) * 40.0).floor()).collect();
            for peak in peaks(&values, [width, height], |_| true) {
                let is_higher = |i: usize| values[i] > peak.value || (values[i] == peak.value && i < peak.cell);
                let mut levels: Vec<f32> = values.iter().copied().filter(|value| *value <= peak.value).collect();
                levels.sort_by(f32::total_cmp);
                let connected_at = |level: f32| {
                    let (mut seen, mut part) = (vec![false; values.len()], Vec::new());
                    super::super::neighbours::flood_fill(
                        peak.cell,
                        [width, height],
                        &mut seen,
                        &mut part,
                        |_, _, to| values[to] >= level,
                    );
                    part.iter().any(|&i| is_higher(i))
                };
                assert_eq!(peak.saddle, levels.into_iter().rev().find(|level| connected_at(*level)));
            }
        }
    }
}
