//! [`MapSource`]: the files that took the place of a generated world, to be known again.

use serde::{Deserialize, Serialize};

use super::georeference::Georeference;

/// A map file, to be known again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MapSource {
    /// The name of the file, without its folder.
    pub name: String,
    /// The [`digest`](super::digest) of its values.
    pub digest: String,
    /// What else belongs to it, if it is a heightmap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<GroundSource>,
}

/// What belongs to a heightmap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroundSource {
    /// Where the humidity is from; without it, from the climate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub humidity: Option<FieldSource>,
    /// Where the vegetation is from; without it, from the climate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vegetation: Option<FieldSource>,
    /// Where the map lies, if its file says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub georeference: Option<Georeference>,
}

/// Where a field of given ground is from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldSource {
    /// The same value everywhere, from 0 to 1.
    Flat(f32),
    /// A raster.
    File {
        /// The name of the file, without its folder.
        name: String,
        /// The [`digest`](super::digest) of its values.
        digest: String,
    },
}

impl MapSource {
    /// A map of opacities.
    pub fn new(name: impl Into<String>, digest: impl Into<String>) -> Self {
        Self { name: name.into(), digest: digest.into(), ground: None }
    }

    /// Whether it is a heightmap.
    pub fn is_heightmap(&self) -> bool {
        self.ground.is_some()
    }

    /// Where the map lies, if it is a heightmap whose file says so.
    pub fn georeference(&self) -> Option<&Georeference> {
        self.ground.as_ref()?.georeference.as_ref()
    }

    /// The flags of the command line that read its files again, without their folders.
    pub(crate) fn flags(&self) -> Vec<(&'static str, String)> {
        let Some(ground) = &self.ground else { return vec![("map", self.name.clone())] };
        let mut flags = vec![("heightmap", self.name.clone())];
        for (flag, field) in [("humidity", &ground.humidity), ("vegetation", &ground.vegetation)] {
            flags.extend(field.as_ref().map(|field| match field {
                FieldSource::Flat(value) => (flag, value.to_string()),
                FieldSource::File { name, .. } => (flag, name.clone()),
            }));
        }
        flags
    }
}
