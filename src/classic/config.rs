//! [`ClassicConfig`]: the parameters of a classic field of view; [`ClassicChoice`]: the keys of `[classic]` in a preset.

use serde::{Deserialize, Serialize};

use crate::named_enum::named_enum;
use crate::setters::setters;

/// The parameters of a classic field of view.
///
/// ```
/// use farsight::classic::{ClassicConfig, ClassicMethod, visible};
/// use farsight::OpacityMap;
/// use farsight::glam::ivec2;
/// let map = OpacityMap::from_text("...4#..")?;
/// let lines = ClassicConfig::default().with_method(ClassicMethod::RaycastBorder).with_radius(8).with_wall_at(0.3);
/// let view = visible(&map, ivec2(0, 0), &lines)?;
/// assert!(view.get(ivec2(3, 0)) && !view.get(ivec2(4, 0))); // here a hedge of 0.4 is a wall
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClassicConfig {
    /// The algorithm.
    pub method: ClassicMethod,
    /// Radius of the view in cells: it has the offsets with dx² + dy² ≤ radius².
    pub radius: u32,
    /// The opacity from which a cell is a wall, 0 to 1.
    pub wall_at: f64,
    /// The number of lines of [`ClassicMethod::RaycastCircle`].
    pub rays: u32,
    /// `true` if [`ClassicMethod::RaycastBorder`] shows the walls behind seen floor.
    pub repair: bool,
}

impl Default for ClassicConfig {
    fn default() -> Self {
        Self {
            method: ClassicMethod::Shadowcast,
            radius: Self::DEFAULT_RADIUS,
            wall_at: Self::DEFAULT_WALL_AT,
            rays: Self::DEFAULT_RAYS,
            repair: true,
        }
    }
}

impl ClassicConfig {
    /// About the screen of a roguelike in every direction.
    pub const DEFAULT_RADIUS: u32 = 32;

    /// A cell that blocks half of the light or more is a wall.
    pub const DEFAULT_WALL_AT: f64 = 0.5;

    /// One line a degree, as the method is usually described; it leaves gaps from 47 cells on.
    pub const DEFAULT_RAYS: u32 = 360;

    setters! {
        with_method(method: ClassicMethod), with_radius(radius: u32), with_wall_at(wall_at: f64), with_rays(rays: u32),
        with_repair(repair: bool),
    }
}

named_enum! {
    /// The algorithm of a classic field of view.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum ClassicMethod: "classic method" {
        /// Bresenham lines to every cell of the border of the view, then the walls behind seen floor.
        #[serde(alias = "raycast-border")]
        RaycastBorder = "raycast-border",
        /// Bresenham lines to points on a far circle.
        #[serde(alias = "raycast-circle")]
        RaycastCircle = "raycast-circle",
        /// Recursive shadowcasting: walls narrow intervals of lit slopes, row by row in eight octants.
        #[default]
        #[doc(alias = "shadowcasting")]
        Shadowcast = "shadowcast",
    }
}

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

    use super::ClassicMethod;

    const NONE: &str = "none";

    pub(super) fn serialize<S: Serializer>(method: &Option<ClassicMethod>, out: S) -> Result<S::Ok, S::Error> {
        match method {
            Some(method) => method.serialize(out),
            None => out.serialize_str(NONE),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ClassicMethod>, D::Error> {
        let name = String::deserialize(from)?;
        (name != NONE).then(|| ClassicMethod::deserialize(StrDeserializer::new(&name))).transpose()
    }
}
