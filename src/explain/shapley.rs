//! The Shapley value: the split of a loss among its causes.

/// Returns the share of each of `causes` players. `left` is what remains if only some players act (bit i: player i).
///
/// The share of a player is the mean, over all orders of the players, of what is lost when it is added (Shapley, "A value for
/// n-person games", 1953). No other split adds up to the whole loss, treats equal players equally, gives nothing to a player
/// without effect, and is linear.
pub(super) fn shares(causes: usize, left: impl Fn(usize) -> f64) -> Vec<f64> {
    let left: Vec<f64> = (0..1 << causes).map(left).collect();
    // The share of orders in which exactly the players of a set S are added before a player: |S|! (n − |S| − 1)! / n!.
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

    /// Each player that acts multiplies what is left by a factor.
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
