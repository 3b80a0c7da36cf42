//! [`ClassicChoice`]: the keys of `[classic]` in a preset.

use serde::{Deserialize, Serialize};

use super::config::{ClassicConfig, ClassicMethod};

/// The classic method that replaces `sight.method`, if any. Keys of `[classic]`.
///
/// The radius is that of `[sight]`. A classic method gives 1 or 0 for each cell, and `sight.decay` dims that with
/// distance as usual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ClassicChoice {
    /// The algorithm; with `None`, written `"none"`, `sight.method` decides.
    #[serde(with = "method_or_none")]
    pub method: Option<ClassicMethod>,
    /// The opacity from which a cell is a wall, 0 to 1.
    pub wall_at: f64,
    /// The number of lines of [`ClassicMethod::RaycastCircle`].
    pub rays: u32,
    /// `true` if [`ClassicMethod::RaycastBorder`] shows the walls behind seen floor.
    pub repair: bool,
}

impl Default for ClassicChoice {
    fn default() -> Self {
        let ClassicConfig { wall_at, rays, repair, .. } = ClassicConfig::default();
        Self { method: None, wall_at, rays, repair }
    }
}

impl ClassicChoice {
    /// Returns the parameters of the chosen method for a radius in cells, or `None` if no method is chosen.
    pub fn config(&self, radius: u32) -> Option<ClassicConfig> {
        let Self { method, wall_at, rays, repair } = *self;
        method.map(|method| ClassicConfig { method, radius, wall_at, rays, repair })
    }
}

/// The method in a preset, or `none`.
mod method_or_none {
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
        let name = String::deserialize(from)?;
        if name == NONE {
            return Ok(None);
        }
        ClassicMethod::deserialize(StrDeserializer::new(&name)).map(Some)
    }
}
