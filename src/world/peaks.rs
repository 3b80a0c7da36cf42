//! The peaks of a field and the saddles between them.

use super::disjoint_sets::DisjointSets;
use super::neighbours::neighbours;
use crate::parallel::*;

/// A local maximum of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    /// Its cell.
    pub(crate) cell: usize,
    pub(crate) value: f32,
    /// The value of the highest saddle to a higher peak; `None` for the highest of its part of the map. Of two peaks of
    /// the same value, the one of the first cell is the higher.
    pub(crate) saddle: Option<f32>,
}

/// No peak.
const NONE: u32 = u32::MAX;

/// Returns the peaks of the cells for which `counts` returns `true`, highest first. Their values must not be NaN.
///
/// Takes the cells in descending order, as if water sank. A cell without a higher neighbour is a peak, and a cell where two
/// islands meet is the saddle of the lower one. Exact, in the time of a sort.
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

/// Returns bits that are in the same order as numbers.
fn ascending_bits(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits(); // without -0
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::test_support::hash_to_unit;

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
