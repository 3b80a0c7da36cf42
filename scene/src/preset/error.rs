//! [`PresetError`]: an error of a preset.

use crate::preset::shipped_names;
use farsight::internal::text::{excerpt, excerpt_of};

/// The maximum length of a parser's message, in characters.
const LONGEST_REASON: usize = 1000;

/// An error of a preset. `origin` is the file, `preset NAME` or `--set`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PresetError {
    /// A name of neither a shipped preset nor a file.
    #[error("preset \"{}\" is not known{hint}: expected {shipped}, or a path to a .toml file", excerpt(name))]
    Unknown {
        /// The name.
        name: String,
        /// ` (did you mean …?)`, or empty.
        hint: String,
        /// All shipped names.
        shipped: String,
    },
    /// A name that is no shipped preset, in a preset inside another file, which cannot extend files.
    #[error(
        "preset \"{}\" is not shipped{hint}: expected {shipped}; a preset inside another file cannot extend a file",
        excerpt(name)
    )]
    NotShipped {
        /// The name.
        name: String,
        /// ` (did you mean …?)`, or empty.
        hint: String,
        /// All shipped names.
        shipped: String,
    },
    /// Presets extend each other in a chain that is too long.
    #[error("{first}: extends: the chain of presets is too long: expected at most {limit} extends")]
    TooDeep {
        /// The first preset.
        first: String,
        /// The maximum number of extended presets.
        limit: usize,
    },
    /// The file cannot be read.
    #[error("{origin}: cannot be read: {reason}")]
    Read {
        /// The path.
        origin: String,
        /// The reason.
        reason: String,
    },
    /// The text is invalid TOML.
    #[error("{origin}: not valid TOML: {}", excerpt_of(reason, LONGEST_REASON))]
    Syntax {
        /// The origin.
        origin: String,
        /// Line, column and what was expected.
        reason: String,
    },
    /// An unknown key.
    #[error("{origin}: unknown key {}{hint}", excerpt(key))]
    UnknownKey {
        /// The origin.
        origin: String,
        /// The key.
        key: String,
        /// `; did you mean …?`, or the keys of the section.
        hint: String,
    },
    /// A value of the wrong type or out of range.
    #[error("{origin}: {}: {}{unit} is not valid: expected {range}", excerpt(key), excerpt(value))]
    Value {
        /// The origin.
        origin: String,
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// The unit after a space, or empty.
        unit: String,
        /// The valid values, with the unit.
        range: String,
    },
    /// An entry of a list without a required key.
    #[error("{origin}: {key} is missing: expected {range}")]
    Missing {
        /// The origin.
        origin: String,
        /// The key, with the index of the entry: `lamps[0].at`.
        key: String,
        /// The valid values, with the unit.
        range: String,
    },
    /// A preset extends a preset that cannot be read.
    #[error("{origin}: extends: {fault}")]
    Extends {
        /// The preset with the key `extends`.
        origin: String,
        /// The error of the other preset.
        fault: Box<PresetError>,
    },
    /// Presets extend each other in a cycle.
    ///
    /// The names from the first to its second occurrence, joined by `extends`, since the window's font has no arrow.
    #[error("extends runs in a circle: {}", excerpt_of(.0, LONGEST_REASON))]
    Cycle(String),
    /// Values that contradict each other.
    #[error("{0}")]
    Contradiction(String),
}

/// The origin of values from no file.
pub(super) const NO_ORIGIN: &str = "preset";

/// The maximum length of a key or name that is compared with the known ones, in bytes. The time grows with its square.
pub(super) const LONGEST_NAME: usize = 100;

/// Returns ` (did you mean …?)` with the most similar shipped preset, or an empty text.
fn hint_at_shipped(name: &str) -> String {
    let similarity = |shipped: &str| strsim::jaro_winkler(shipped, name);
    let candidates = shipped_names().filter(|_| name.len() <= LONGEST_NAME);
    let nearest = candidates.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match nearest {
        Some(nearest) if similarity(nearest) > 0.8 => format!(" (did you mean {nearest:?}?)"),
        _ => String::new(),
    }
}

fn all_shipped() -> String {
    shipped_names().collect::<Vec<_>>().join(", ")
}

impl PresetError {
    pub(crate) fn unknown(name: &str) -> Self {
        let hint = hint_at_shipped(name);
        Self::Unknown { name: name.to_owned(), hint, shipped: all_shipped() }
    }

    pub(super) fn not_shipped(name: &str) -> Self {
        Self::NotShipped { name: name.to_owned(), hint: hint_at_shipped(name), shipped: all_shipped() }
    }

    /// Sets the origin if the error has none yet.
    pub(super) fn with_default_origin(mut self, new: &str) -> Self {
        match &mut self {
            Self::Read { origin, .. }
            | Self::Syntax { origin, .. }
            | Self::UnknownKey { origin, .. }
            | Self::Value { origin, .. }
            | Self::Missing { origin, .. }
                if origin == NO_ORIGIN =>
            {
                new.clone_into(origin);
            }
            Self::Contradiction(reason) => *reason = format!("{new}: {reason}"),
            _ => {}
        }
        self
    }

    /// Replaces the origin of an error about a key: by its flag instead of `--set`.
    pub fn with_origin(mut self, new: &str) -> Self {
        if let Self::Value { origin, .. } | Self::UnknownKey { origin, .. } | Self::Missing { origin, .. } = &mut self {
            new.clone_into(origin);
        }
        self
    }
}
