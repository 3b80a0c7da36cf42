//! Connected regions of cells: a wood, a ridge, a wall.

use std::collections::HashMap;

use glam::{IVec2, ivec2};

/// The smallest opacity of a cell of a region, as a share of the greatest in the corridor.
const MIN_SHARE: f32 = 0.25;

/// The smallest opacity of a cell of a region.
const MIN_OPACITY: f32 = 0.005;

/// Returns the connected regions of opaque cells, by sides or corners, as ascending indices of `cells`.
pub(super) fn regions(cells: &[IVec2], opacity: &[f32]) -> Vec<Vec<usize>> {
    let densest = opacity.iter().copied().fold(0.0, f32::max);
    let min = (densest * MIN_SHARE).max(MIN_OPACITY);
    let mut unassigned: HashMap<IVec2, usize> =
        (0..cells.len()).filter(|&i| opacity[i] >= min).map(|i| (cells[i], i)).collect();
    let mut regions = Vec::new();
    for (i, &cell) in cells.iter().enumerate() {
        if unassigned.remove(&cell).is_none() {
            continue;
        }
        let mut region = vec![i];
        let mut next = 0;
        while let Some(&member) = region.get(next) {
            next += 1;
            for neighbour in (-1..=1).flat_map(|y| (-1..=1).map(move |x| ivec2(x, y))) {
                region.extend(unassigned.remove(&(cells[member] + neighbour)));
            }
        }
        region.sort_unstable();
        regions.push(region);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_cells_are_a_region_and_thin_ones_are_not() {
        let cells: Vec<IVec2> = (0..9).map(|x| ivec2(x, x % 2)).collect();
        let opacity = [0.8, 0.7, 0.1, 0.4, 0.0, 0.2, 0.2, 0.0, 0.19];
        assert_eq!(regions(&cells, &opacity), [vec![0, 1], vec![3], vec![5, 6]]);
        assert!(regions(&cells, &[0.001; 9]).is_empty());
    }
}
