//! [`PlaceName`]: a name that a user gives a place.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::text::acts;

/// A name on the map, an entry of `[[names]]`. In a sea or lake that has a name, or near a summit or river, it replaces that
/// name; elsewhere it is a place of its own. See [`Scene::places`](crate::scene::Scene::places).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlaceName {
    /// The cell.
    pub at: IVec2,
    /// The name: 1 to [`MAX_LENGTH`](Self::MAX_LENGTH) characters, at least one of them a letter or a digit.
    pub name: String,
}

impl PlaceName {
    /// The most characters of a name.
    pub const MAX_LENGTH: usize = 80;

    /// Gives the place at a cell a name.
    pub fn new(at: impl Into<IVec2>, name: impl Into<String>) -> Self {
        Self { at: at.into(), name: name.into() }
    }
}

/// Returns `true` if a place may have this name: it can be read, is on one line, and changes no other text.
pub(crate) fn is_place_name(name: &str) -> bool {
    name.chars().count() <= PlaceName::MAX_LENGTH && name.chars().any(char::is_alphanumeric) && !name.chars().any(acts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_and_on_one_line() {
        let long = "é".repeat(80);
        for name in ["Heron Mere", "Ål", "7", "Sgùrr nan Gillean", "富士山", "O\u{301}r", "\"Quoted\" – and #", &long]
        {
            assert!(is_place_name(name), "{name:?}");
        }
        let longer = "é".repeat(81);
        for name in [
            "",
            " ",
            "—",
            "\u{200B}",
            "two\nlines",
            "tab\t",
            "\u{1b}[2J",
            "a\u{7f}",
            "a\u{85}",
            "a\u{200E}",
            "a\u{202E}b",
            "a\u{2028}b",
            "a\u{2066}b",
            "a\u{61C}b",
            &longer,
        ] {
            assert!(!is_place_name(name), "{name:?}");
        }
    }
}
