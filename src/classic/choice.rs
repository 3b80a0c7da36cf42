//! [`ClassicChoice`]: the keys of `[classic]` in a preset.

use serde::{Deserialize, Serialize};

use super::config::{ClassicConfig, ClassicMethod};

/// Whether a classic method takes the place of `sight.method`, and which. Keys of `[classic]`.
///
/// The radius is that of `[sight]`. A classic method answers yes (1) or no (0), and `sight.decay` dims that answer with
/// distance as it dims any other: with decay `none` it stays yes or no.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClassicChoice {
    /// The algorithm; with `None`, written `"none"`, `sight.method` decides.
    #[serde(with = "word")]
    pub method: Option<ClassicMethod>,
    /// The opacity from which a cell is a wall, in [0, 1].
    pub wall_at: f64,
    /// Lines that [`ClassicMethod::RaycastCircle`] casts.
    pub rays: u32,
    /// Whether [`ClassicMethod::RaycastBorder`] shows the walls behind seen floor.
    pub repair: bool,
}

impl Default for ClassicChoice {
    fn default() -> Self {
        let ClassicConfig { wall_at, rays, repair, .. } = ClassicConfig::default();
        Self { method: None, wall_at, rays, repair }
    }
}

impl ClassicChoice {
    /// What the chosen method computes for a radius in cells, if one is chosen.
    pub fn config(&self, radius: u32) -> Option<ClassicConfig> {
        let Self { method, wall_at, rays, repair } = *self;
        method.map(|method| ClassicConfig { method, radius, wall_at, rays, repair })
    }
}

/// The method as a word of a preset, `none` among them.
mod word {
    use serde::de::value::StrDeserializer;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::classic::ClassicMethod;

    const NONE: &str = "none";

    pub(super) fn serialize<S: Serializer>(method: &Option<ClassicMethod>, out: S) -> Result<S::Ok, S::Error> {
        match method {
            Some(method) => method.serialize(out),
            None => out.serialize_str(NONE),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ClassicMethod>, D::Error> {
        let word = String::deserialize(from)?;
        if word == NONE {
            return Ok(None);
        }
        ClassicMethod::deserialize(StrDeserializer::new(&word)).map(Some)
    }
}
