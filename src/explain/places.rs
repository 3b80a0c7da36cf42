//! Cells that belong together: a wood, a ridge, a wall.

use std::collections::HashMap;

use glam::{IVec2, ivec2};

/// Cells count as part of a wood that are at least so dense, as a share of the densest in the corridor.
const DENSE: f32 = 0.25;

/// Less than this is not worth a name.
const LEAST_OPACITY: f32 = 0.005;

/// The groups of dense cells that touch, sides or corners, as indices of `cells`, each in order.
pub(super) fn groups(cells: &[IVec2], opacity: &[f32]) -> Vec<Vec<usize>> {
    let densest = opacity.iter().copied().fold(0.0, f32::max);
    let least = (densest * DENSE).max(LEAST_OPACITY);
    let mut ungrouped: HashMap<IVec2, usize> =
        (0..cells.len()).filter(|&i| opacity[i] >= least).map(|i| (cells[i], i)).collect();
    let mut groups = Vec::new();
    for (i, &cell) in cells.iter().enumerate() {
        if ungrouped.remove(&cell).is_none() {
            continue;
        }
        let mut group = vec![i];
        let mut next = 0;
        while let Some(&member) = group.get(next) {
            next += 1;
            for neighbour in (-1..=1).flat_map(|y| (-1..=1).map(move |x| ivec2(x, y))) {
                group.extend(ungrouped.remove(&(cells[member] + neighbour)));
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_touch_are_one_group_and_thin_ones_are_none() {
        let cells: Vec<IVec2> = (0..9).map(|x| ivec2(x, x % 2)).collect();
        let opacity = [0.8, 0.7, 0.1, 0.4, 0.0, 0.2, 0.2, 0.0, 0.19];
        assert_eq!(groups(&cells, &opacity), [vec![0, 1], vec![3], vec![5, 6]]);
        assert!(groups(&cells, &[0.001; 9]).is_empty());
    }
}
