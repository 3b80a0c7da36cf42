//! A fair split of a loss among its causes: the Shapley value.

/// What each of `causes` players has a part in, given what is left when only some of them act (bit i: player i).
///
/// The part of a player is the mean, over all orders in which the players may enter one after the other, of what is lost
/// when it enters (Shapley, "A value for n-person games", 1953). It is the only split that adds up to the whole loss,
/// treats like players alike, gives nothing to one that takes nothing, and is linear. For players that each multiply
/// what is left by a factor, the larger loss always has the larger part.
pub(super) fn parts(causes: usize, left: impl Fn(usize) -> f64) -> Vec<f64> {
    let left: Vec<f64> = (0..1 << causes).map(left).collect();
    // The orders in which exactly the players of a set enter before a certain one, as a share of all: |S|! (n − |S| − 1)! / n!.
    let weight = |entered: u32| {
        let others = causes as u32 - 1 - entered;
        (1..=others).fold(1.0 / causes as f64, |weight, i| weight * f64::from(i) / f64::from(entered + i))
    };
    let weights: Vec<f64> = (0..causes as u32).map(weight).collect();
    let part = |player: usize| {
        let without = (0..left.len()).filter(|set| set & (1 << player) == 0);
        without.map(|set| weights[set.count_ones() as usize] * (left[set] - left[set | (1 << player)])).sum()
    };
    (0..causes).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left when each player that acts multiplies it by a factor.
    fn factors(factors: &[f64]) -> impl Fn(usize) -> f64 {
        move |set| factors.iter().enumerate().filter(|(i, _)| set & (1 << i) != 0).map(|(_, factor)| factor).product()
    }

    #[test]
    fn parts_add_up_and_favour_nobody() {
        let found = parts(4, factors(&[0.5, 0.5, 1.0, 0.8]));
        assert!((found.iter().sum::<f64>() - 0.8).abs() < 1e-12, "{found:?}");
        assert!(found[0] == found[1] && found[2] == 0.0 && found[3] < found[0] && found[3] > 0.0, "{found:?}");
    }

    #[test]
    fn two_by_hand() {
        // Alone 0.5 and 0.4 are lost; together 0.7. First or second: (0.5 + 0.3) / 2 and (0.4 + 0.2) / 2.
        let found = parts(2, factors(&[0.5, 0.6]));
        assert!((found[0] - 0.4).abs() < 1e-12 && (found[1] - 0.3).abs() < 1e-12, "{found:?}");
        assert_eq!(parts(1, factors(&[0.25])), [0.75]);
        assert!(parts(0, |_| 1.0).is_empty());
    }

    #[test]
    fn two_walls_in_series_share_the_loss() {
        let found = parts(2, |set| if set == 0 { 1.0 } else { 0.0 });
        assert_eq!(found, [0.5, 0.5]);
    }
}
