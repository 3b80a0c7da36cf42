//! The names that most programs need: `use farsight::prelude::*;`.

pub use crate::classic::ClassicConfig;
pub use crate::grid::{CellRect, Grid, GridView, TextMap};
pub use crate::light::{Lamp, LightMap};
pub use crate::perception::{CellMemory, Memory, OutOfSight, Thresholds};
#[cfg(feature = "preset")]
pub use crate::preset::Preset;
#[cfg(feature = "preset")]
pub use crate::scene::Scene;
pub use crate::sight::{
    Decay, DecayKind, FieldOfView, Method, OpacityMap, OpacityRows, OwnedView, PathRule, RadiusShape, Sector,
    SightConfig, SightError, View,
};
pub use crate::viewshed::{Surface, Viewshed};
#[cfg(feature = "world")]
pub use crate::world::{World, WorldConfig};
pub use glam::{IVec2, ivec2};
