//! Long rows of equal values, written short: pairs of how many and which.

use super::error::SavedWalkError;

/// Pairs of a number of equal values and the value.
pub(super) type Runs = Vec<(u64, u32)>;

/// The runs of some values.
pub(super) fn encode(values: impl Iterator<Item = u32>) -> Runs {
    let mut runs: Runs = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((count, last)) if *last == value => *count += 1,
            _ => runs.push((1, value)),
        }
    }
    runs
}

/// The values of runs, which must be so many.
pub(super) fn decode<T: Clone>(
    runs: &Runs,
    wanted: usize,
    what: &str,
    read: impl Fn(u32) -> Option<T>,
) -> Result<Vec<T>, SavedWalkError> {
    // Counted before anything is kept: a few bytes may claim to be any number of values.
    let count = runs.iter().try_fold(0u64, |sum, (count, _)| sum.checked_add(*count));
    if count != Some(wanted as u64) {
        return Err(SavedWalkError::Content(format!("its {what} is not of {wanted} cells")));
    }
    let mut values = Vec::with_capacity(wanted);
    for &(count, value) in runs {
        let value = read(value).ok_or_else(|| SavedWalkError::Content(format!("its {what} holds {value}")))?;
        values.resize(values.len() + count as usize, value);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_wrong_counts_do_not() {
        let values = [7, 7, 7, 0, 1, 1];
        let runs = encode(values.into_iter());
        assert_eq!(runs, [(3, 7), (1, 0), (2, 1)]);
        assert_eq!(decode(&runs, 6, "row", Some).unwrap(), values);
        for (runs, wanted) in [(vec![(3, 7)], 2), (vec![(u64::MAX, 7), (2, 7)], 1), (vec![], 1)] {
            let error = decode(&runs, wanted, "row", Some).unwrap_err().to_string();
            assert!(error.ends_with(&format!("its row is not of {wanted} cells")), "{error}");
        }
        let odd = |value| (value < 7).then_some(value);
        assert!(decode(&runs, 6, "row", odd).unwrap_err().to_string().ends_with("its row holds 7"));
    }
}
