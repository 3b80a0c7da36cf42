//! The causes of a loss: [`parts_by_cause`] splits the opacity of cells, [`regions`] are connected cells with the same
//! cause, such as a wood, a ridge or a wall, and the Shapley value splits the loss among the causes.

use std::collections::HashMap;

use glam::{IVec2, ivec2};

use crate::explain::Cause;
use crate::scene::{Scene, Terrain};
use farsight::sight::Door;

/// Returns the media of a scene, each with its part of the opacity of every cell.
pub(super) fn parts_by_cause(scene: &Scene, cells: impl Iterator<Item = IVec2>) -> Vec<(Cause, Vec<f32>)> {
    match scene.terrain() {
        Terrain::World(optics) => {
            let eye_m = optics.eye_m(scene.viewer());
            let parts: Vec<_> = cells.map(|cell| optics.breakdown(eye_m, cell)).collect();
            vec![
                (Cause::Ridge, parts.iter().map(|part| part.relief).collect()),
                (Cause::Forest, parts.iter().map(|part| part.vegetation).collect()),
                (Cause::Fog, parts.iter().map(|part| part.fog).collect()),
                (Cause::Haze, parts.iter().map(|part| part.haze).collect()),
            ]
        }
        Terrain::Map(map) => {
            let cause = |cell: IVec2, opacity: f32| match map.door(cell) {
                _ if opacity < 1.0 => Cause::Hedge,
                Some(Door::Closed) => Cause::Door,
                _ => Cause::Wall,
            };
            let opacity = cells.map(|cell| (cell, map.get(cell).unwrap_or(1.0)));
            let cells: Vec<(Cause, f32)> = opacity.map(|(cell, opacity)| (cause(cell, opacity), opacity)).collect();
            let of = |wanted: Cause| {
                let part = |&(cause, opacity): &(Cause, f32)| if cause == wanted { opacity } else { 0.0 };
                (wanted, cells.iter().map(part).collect())
            };
            let mut causes = vec![of(Cause::Wall), of(Cause::Hedge)];
            if cells.iter().any(|(cause, _)| *cause == Cause::Door) {
                causes.push(of(Cause::Door));
            }
            causes
        }
    }
}

/// The smallest opacity of a cell of a region, as a fraction of the maximum in the corridor.
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

/// Returns the share of each of `causes` players. `left` returns the remainder if only some players act (bit i: player
/// i).
///
/// The share of a player is the mean, over all orders of the players, of the loss when it is added (Shapley, "A value for
/// n-person games", 1953). It is the only split that adds up to the whole loss, treats equal players equally, gives
/// nothing to a player without effect, and is linear.
pub(super) fn shares(causes: usize, left: impl Fn(usize) -> f64) -> Vec<f64> {
    let left: Vec<f64> = (0..1 << causes).map(left).collect();
    // The fraction of orders in which exactly the players of a set S precede a player: |S|! (n − |S| − 1)! / n!.
    let weight = |added: u32| {
        let others = causes as u32 - 1 - added;
        (1..=others).fold(1.0 / causes as f64, |weight, i| weight * f64::from(i) / f64::from(added + i))
    };
    let weights: Vec<f64> = (0..causes as u32).map(weight).collect();
    let share = |player: usize| {
        let without = (0..left.len()).filter(|set| set & (1 << player) == 0);
        without.map(|set| weights[set.count_ones() as usize] * (left[set] - left[set | (1 << player)])).sum()
    };
    (0..causes).map(share).collect()
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

    /// Returns a game in which each acting player multiplies the remainder by a factor.
    fn factors(factors: &[f64]) -> impl Fn(usize) -> f64 {
        move |set| factors.iter().enumerate().filter(|(i, _)| set & (1 << i) != 0).map(|(_, factor)| factor).product()
    }

    #[test]
    fn shares_add_up_and_equal_players_have_equal_shares() {
        let found = shares(4, factors(&[0.5, 0.5, 1.0, 0.8]));
        assert!((found.iter().sum::<f64>() - 0.8).abs() < 1e-12, "{found:?}");
        assert!(found[0] == found[1] && found[2] == 0.0 && found[3] < found[0] && found[3] > 0.0, "{found:?}");
    }

    #[test]
    fn two_players_match_a_hand_calculation() {
        // One player loses 0.5, the other 0.4, both 0.7. First or second: (0.5 + 0.3) / 2 and (0.4 + 0.2) / 2.
        let found = shares(2, factors(&[0.5, 0.6]));
        assert!((found[0] - 0.4).abs() < 1e-12 && (found[1] - 0.3).abs() < 1e-12, "{found:?}");
        assert_eq!(shares(1, factors(&[0.25])), [0.75]);
        assert!(shares(0, |_| 1.0).is_empty());
    }

    #[test]
    fn two_walls_in_series_share_the_loss() {
        let found = shares(2, |set| if set == 0 { 1.0 } else { 0.0 });
        assert_eq!(found, [0.5, 0.5]);
    }
}
