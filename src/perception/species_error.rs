//! [`SpeciesError`]: a value of a species that is not valid.

use std::fmt::Display;

/// A value of a [`Species`](super::Species) that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {value} is not valid: expected {expected}")]
#[non_exhaustive]
pub struct SpeciesError {
    /// The value's name: `conspicuity`.
    pub key: &'static str,
    /// The given value.
    pub value: String,
    /// The values that are accepted.
    pub expected: String,
}

impl SpeciesError {
    /// Returns an error unless a value is valid.
    pub(super) fn check(
        key: &'static str,
        value: impl Display,
        is_valid: bool,
        expected: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        if is_valid { Ok(()) } else { Err(Self { key, value: value.to_string(), expected: expected() }) }
    }
}
