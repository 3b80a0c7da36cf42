//! [`RunLengths`]: the cells of a saved walk, as runs of equal values.

use serde::{Deserialize, Serialize};

/// Run-length encoded values: pairs of a number of equal values and the value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunLengths(Vec<(u64, u32)>);

impl RunLengths {
    /// Encodes values in runs of at most `longest`.
    pub(super) fn encode(values: impl Iterator<Item = u32>, longest: u64) -> Self {
        let mut runs: Vec<(u64, u32)> = Vec::new();
        for value in values {
            match runs.last_mut() {
                Some((length, last)) if *last == value && *length < longest => *length += 1,
                _ => runs.push((1, value)),
            }
        }
        Self(runs)
    }

    /// Checks that there is a valid value for each of `cells` cells. `name` is for errors.
    ///
    /// # Errors
    /// A sentence.
    pub(super) fn check(&self, cells: usize, name: &str, is_valid: impl Fn(u32) -> bool) -> Result<(), String> {
        let length = self.0.iter().try_fold(0u64, |sum, (length, _)| sum.checked_add(*length));
        if length != Some(cells as u64) {
            return Err(format!("{name}: expected {cells} cells"));
        }
        match self.0.iter().find(|(_, value)| !is_valid(*value)) {
            Some((_, value)) => Err(format!("{name}: {value} is not valid")),
            None => Ok(()),
        }
    }

    /// Returns the values one after the other, without memory for them.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(length, value)| std::iter::repeat_n(value, length as usize))
    }

    /// Returns the values of a checked number of cells.
    ///
    /// # Errors
    /// A sentence if there is no memory for them. `name` is for this error.
    pub(super) fn decode<T: Clone>(&self, cells: usize, name: &str, read: impl Fn(u32) -> T) -> Result<Vec<T>, String> {
        let mut values = Vec::new();
        values.try_reserve_exact(cells).map_err(|_| format!("{name}: {cells} cells do not fit into memory"))?;
        for &(length, value) in &self.0 {
            values.resize(values.len() + length as usize, read(value));
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
        let runs = RunLengths::encode(values.into_iter(), 9);
        assert_eq!(runs, RunLengths(vec![(3, 7), (1, 0), (2, 1)]));
        assert_eq!(runs.check(6, "row", |_| true), Ok(()));
        assert_eq!(runs.decode(6, "row", |value| value).unwrap(), values);
        assert!(runs.values().eq(values));
        assert_eq!(RunLengths::encode(values.into_iter(), 2), RunLengths(vec![(2, 7), (1, 7), (1, 0), (2, 1)]));
    }

    #[test]
    fn a_wrong_length_or_value_is_an_error() {
        for (runs, cells) in [(vec![(3, 7)], 2), (vec![(u64::MAX, 7), (2, 7)], 1), (vec![], 1)] {
            let error = RunLengths(runs).check(cells, "row", |_| true).unwrap_err();
            assert_eq!(error, format!("row: expected {cells} cells"));
        }
        let error = RunLengths(vec![(1, 7)]).check(1, "row", |value| value < 7).unwrap_err();
        assert_eq!(error, "row: 7 is not valid");
    }
}
