//! [`RunLengths`]: run-length encoded values.

use serde::{Deserialize, Serialize};

use super::error::SavedWalkError;

/// Run-length encoded values: pairs of a number of equal values and the value.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunLengths(Vec<(u64, u32)>);

impl RunLengths {
    pub(super) fn encode(values: impl Iterator<Item = u32>) -> Self {
        let mut runs: Vec<(u64, u32)> = Vec::new();
        for value in values {
            match runs.last_mut() {
                Some((length, last)) if *last == value => *length += 1,
                _ => runs.push((1, value)),
            }
        }
        Self(runs)
    }

    /// Returns the values, one for each of `cells` cells. `read` returns `None` for a value that is not valid. `name` is
    /// for errors.
    pub(super) fn decode<T: Clone>(
        &self,
        cells: usize,
        name: &str,
        read: impl Fn(u32) -> Option<T>,
    ) -> Result<Vec<T>, SavedWalkError> {
        // Checked before memory is allocated: a few bytes can claim any length.
        let length = self.0.iter().try_fold(0u64, |sum, (length, _)| sum.checked_add(*length));
        if length != Some(cells as u64) {
            return Err(SavedWalkError::Invalid(format!("{name}: expected {cells} cells")));
        }
        let mut values = Vec::with_capacity(cells);
        for &(length, value) in &self.0 {
            let value = read(value).ok_or_else(|| SavedWalkError::Invalid(format!("{name}: {value} is not valid")))?;
            values.resize(values.len() + length as usize, value);
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_a_round_trip() {
        let values = [7, 7, 7, 0, 1, 1];
        let runs = RunLengths::encode(values.into_iter());
        assert_eq!(runs, RunLengths(vec![(3, 7), (1, 0), (2, 1)]));
        assert_eq!(runs.decode(6, "row", Some).unwrap(), values);
    }

    #[test]
    fn a_wrong_length_or_value_is_an_error() {
        for (runs, cells) in [(vec![(3, 7)], 2), (vec![(u64::MAX, 7), (2, 7)], 1), (vec![], 1)] {
            let error = RunLengths(runs).decode(cells, "row", Some).unwrap_err().to_string();
            assert!(error.ends_with(&format!("row: expected {cells} cells")), "{error}");
        }
        let below_7 = |value| (value < 7).then_some(value);
        let error = RunLengths(vec![(1, 7)]).decode(1, "row", below_7).unwrap_err().to_string();
        assert!(error.ends_with("row: 7 is not valid"), "{error}");
    }
}
