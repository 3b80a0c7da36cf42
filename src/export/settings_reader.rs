//! [`SettingsReader`]: reads the settings of an export or a film from its provenance.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::files::Provenance;
use crate::text::excerpt;

/// A setting in a [`Provenance`] is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {} is not valid: expected {expected}", excerpt(value))]
#[non_exhaustive]
pub struct ProvenanceError {
    /// The key: `export.crop`.
    pub key: String,
    /// The value as JSON, `null` if it is missing.
    pub value: String,
    /// The accepted values.
    pub expected: String,
}

pub(crate) struct SettingsReader<'a> {
    group: &'static str,
    settings: &'a Value,
}

impl<'a> SettingsReader<'a> {
    /// `group` is the key of the settings in the provenance.
    pub(crate) fn new(provenance: &'a Provenance, group: &'static str) -> Self {
        Self { group, settings: provenance.more.get(group).unwrap_or(&Value::Null) }
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        !self.value(key).is_null()
    }

    /// Returns the value of a key, or `None` if it is missing or of another type.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        T::deserialize(self.value(key)).ok()
    }

    pub(crate) fn number<T>(&self, key: &str, range: RangeInclusive<T>) -> Result<T, ProvenanceError>
    where
        T: DeserializeOwned + PartialOrd + Display,
    {
        let number = self.get(key).filter(|number| range.contains(number));
        number.ok_or_else(|| self.error(key, &format!("{} to {}", range.start(), range.end())))
    }

    /// Returns the value whose name is under a key.
    pub(crate) fn name<T: Copy>(
        &self,
        key: &str,
        all: &[T],
        name_of: fn(T) -> &'static str,
    ) -> Result<T, ProvenanceError> {
        let found = all.iter().copied().find(|value| self.value(key) == name_of(*value));
        found.ok_or_else(|| self.error(key, &all.iter().map(|value| name_of(*value)).collect::<Vec<_>>().join(", ")))
    }

    pub(crate) fn error(&self, key: &str, expected: &str) -> ProvenanceError {
        let key_in_group = format!("{}.{key}", self.group);
        ProvenanceError { key: key_in_group, value: self.value(key).to_string(), expected: expected.to_owned() }
    }

    fn value(&self, key: &str) -> &'a Value {
        self.settings.get(key).unwrap_or(&Value::Null)
    }
}
