//! `named_enum!`: enums whose variants have names that users type.

use crate::text::excerpt;

/// A name that an enum does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} \"{}\" is not known: expected {}", excerpt(given), accepted.join(", "))]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of the name: `layer`.
    pub kind: &'static str,
    /// The given name.
    pub given: String,
    /// The accepted names.
    pub accepted: Vec<&'static str>,
}

impl UnknownName {
    /// Creates the error of a kind of name.
    pub fn new(kind: &'static str, given: &str, accepted: &[&'static str]) -> Self {
        Self { kind, given: given.to_owned(), accepted: accepted.to_vec() }
    }
}

/// Returns the bytes of a name with `_` instead of `-`.
pub const fn underscored<const N: usize>(name: &str) -> [u8; N] {
    let (name, mut word, mut i) = (name.as_bytes(), [0; N], 0);
    while i < N {
        word[i] = if name[i] == b'-' { b'_' } else { name[i] };
        i += 1;
    }
    word
}

/// Declares an enum together with `ALL`, `NAMES`, `WORDS`, `name()` and `FromStr`. `FromStr` accepts underscores
/// instead of hyphens.
///
/// ```ignore
/// named_enum! {
///     /// The part of a map that is written.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum Crop: "crop" {
///         /// All of it.
///         Map = "map",
///         /// The square of the radius around the viewer.
///         Sight = "sight",
///     }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $Enum:ident: $kind:literal {
            $($(#[$variant_meta:meta])* $Variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        $visibility enum $Enum {
            $($(#[$variant_meta])* $Variant,)+
        }

        impl $Enum {
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),+];

            /// Their names.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The names with `_` instead of `-`, as in most files.
            #[allow(dead_code, reason = "not every enum is the choice of a setting")]
            #[doc(hidden)]
            pub const WORDS: &'static [&'static str] = &[$({
                const WORD: [u8; $name.len()] = $crate::internal::named_enum::underscored($name);
                match std::str::from_utf8(&WORD) {
                    Ok(word) => word,
                    Err(_) => unreachable!(),
                }
            }),+];

            /// Returns the name that users type.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }
        }

        impl std::str::FromStr for $Enum {
            type Err = $crate::UnknownName;

            fn from_str(given: &str) -> Result<Self, Self::Err> {
                let name = given.replace('_', "-");
                let found = Self::ALL.iter().copied().find(|value| value.name() == name);
                found.ok_or_else(|| $crate::UnknownName::new($kind, given, Self::NAMES))
            }
        }
    };
}
