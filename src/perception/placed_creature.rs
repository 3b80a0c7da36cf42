//! [`PlacedCreature`]: a creature with a place of its own. Entries of `[[creatures]]`.

use glam::IVec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::species::Species;

/// A creature that begins on a cell that someone chose, beside those that settle by themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedCreature {
    /// Where it begins; it wanders from there as all do.
    pub at: IVec2,
    /// What it is.
    #[serde(serialize_with = "write_name", deserialize_with = "read_name")]
    pub kind: &'static Species,
}

fn write_name<S: Serializer>(species: &Species, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(species.name)
}

fn read_name<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Species, D::Error> {
    let name = String::deserialize(from)?;
    Species::named(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no creature {name:?}")))
}
