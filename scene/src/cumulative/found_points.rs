//! [`FoundPoint`]: a point of a file with what the file says of it; [`PointKey`]: a number that a file says of a point.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use glam::DVec2;

use super::error::ObserverError;
use crate::files::ReferenceSystem;

/// The reference system of the points of a file.
pub(super) enum PointSystem {
    /// That of the raster.
    Raster,
    /// Degrees on WGS 84, if all points can be degrees, else that of the raster.
    Wgs84IfPossible,
    /// One that the file names.
    Named(ReferenceSystem),
    /// One that the file names, without a definition.
    Unknown(String),
}

/// The content of a file, before its points are converted.
pub(super) struct FileContent<T> {
    pub(super) found: Vec<FoundPoint<T>>,
    pub(super) system: PointSystem,
    pub(super) not_read: BTreeSet<String>,
}

/// A point of a file.
pub(crate) struct FoundPoint<T> {
    /// The name in messages: `observer 3 (North mast)`.
    pub(crate) label: String,
    /// Its name; empty if it has none.
    pub(crate) name: String,
    /// In the coordinates of the raster.
    pub(crate) position: DVec2,
    pub(crate) values: T,
}

/// The kind of the points of a file: its noun in messages, and its keys.
pub(crate) struct PointKind<T: 'static> {
    pub(crate) noun: &'static str,
    pub(crate) keys: &'static [PointKey<T>],
    /// The default values.
    pub(crate) default: T,
}

impl<T: 'static> PointKind<T> {
    /// Returns the name of a point in messages.
    pub(super) fn label(&self, number: usize, name: &str) -> String {
        if name.is_empty() { format!("{} {number}", self.noun) } else { format!("{} {number} ({name})", self.noun) }
    }
}

/// The error of a text that is no coordinate.
pub(super) fn not_a_number(observer: &str, key: &'static str, found: &str) -> ObserverError {
    let (observer, expected) = (observer.to_owned(), "a coordinate of the raster".to_owned());
    ObserverError::Value { observer, key, found: format!("{found:?}"), expected }
}

/// Parses a number with a decimal point, or with the decimal comma of a spreadsheet in German or French.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let point = text.parse().ok();
    point.or_else(|| {
        let is_decimal = text.matches(',').count() == 1 && !text.contains('.');
        is_decimal.then(|| text.replace(',', ".").parse().ok())?
    })
}

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
