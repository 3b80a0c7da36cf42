//! [`PointKey`]: a number that a file says of a point.

use std::ops::RangeInclusive;

use super::error::ObserverError;

/// A number that a file says of a point: its name in files, its values, and its field.
pub(crate) struct PointKey<T> {
    pub(crate) name: &'static str,
    pub(crate) range: RangeInclusive<f64>,
    pub(crate) unit: &'static str,
    pub(crate) field: fn(&mut T) -> &mut f64,
}

impl<T> PointKey<T> {
    /// Sets the field to a value in range.
    pub(crate) fn set(&self, values: &mut T, value: f64, point: &str) -> Result<(), ObserverError> {
        if self.range.contains(&value) {
            *(self.field)(values) = value;
            return Ok(());
        }
        Err(self.error(point, value.to_string()))
    }

    pub(crate) fn error(&self, point: &str, found: String) -> ObserverError {
        let (low, high) = (self.range.start(), self.range.end());
        let expected = match high.is_finite() {
            true => format!("{low} to {high} {}", self.unit).trim_end().to_owned(),
            false => format!("{low} {} or more", self.unit),
        };
        ObserverError::Value { observer: point.to_owned(), key: self.name, found, expected }
    }
}
