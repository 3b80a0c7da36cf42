//! [`ClassicChoice`]: the keys of `[classic]` in a preset.

use serde::{Deserialize, Serialize};

use super::config::{ClassicConfig, ClassicMethod};
use crate::setting::{Setting, SettingKind};

/// The classic method that replaces `sight.method`, if any. Keys of `[classic]`.
///
/// The radius is that of `[sight]`. A classic method gives 1 or 0 for each cell, and `sight.decay` dims that with
/// distance as usual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
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
    /// The settings of `[classic]`.
    pub const SETTINGS: &'static [Setting] = &[
        Setting {
            key: "classic.method",
            unit: "",
            kind: SettingKind::Choice(&["none", "shadowcast", "raycast_border", "raycast_circle"]),
            help: "An older algorithm in place of sight.method: shrinking arcs of light, lines to the border of the view, or to a far circle.",
        },
        Setting {
            key: "classic.wall_at",
            unit: "",
            kind: SettingKind::Number { min: 0.0, max: 1.0, slider_range: [0.1, 1.0], log: false },
            help: "The opacity from which a cell is a wall to a classic method. Raised, one sees through more.",
        },
        Setting {
            key: "classic.rays",
            unit: "lines",
            kind: SettingKind::Integer { min: 1, max: 65_536, slider_range: [16, 2048] },
            help: "Lines that raycast_circle casts. More leave fewer gaps far away, and cost as much more.",
        },
        Setting {
            key: "classic.repair",
            unit: "",
            kind: SettingKind::Switch,
            help: "Whether raycast_border shows the walls behind seen floor, which its lines alone miss.",
        },
    ];

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
