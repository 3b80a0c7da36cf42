//! [`PlacedCreature`]: a creature on a chosen cell. Entries of `[[creatures]]`.

use glam::IVec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::species::Species;

/// A creature that starts on a chosen cell, besides those that are spawned at random.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlacedCreature {
    /// The cell on which it starts; it wanders from there as all do.
    pub at: IVec2,
    /// Its species.
    #[serde(serialize_with = "write_name", deserialize_with = "read_name")]
    pub kind: &'static Species,
}

impl PlacedCreature {
    /// Places a creature of a species on a cell.
    pub fn new(at: IVec2, kind: &'static Species) -> Self {
        Self { at, kind }
    }
}

fn write_name<S: Serializer>(species: &Species, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(species.name)
}

fn read_name<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Species, D::Error> {
    let name = String::deserialize(from)?;
    Species::named(&name).ok_or_else(|| {
        serde::de::Error::custom(format!("creature {name:?} is not known: expected {}", Species::NAMES.join(", ")))
    })
}
