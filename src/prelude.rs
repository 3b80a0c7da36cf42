//! The names that most programs need: `use farsight::prelude::*;`.

pub use crate::grid::{CellRect, DistanceMap, Grid, GridView, Line, TextMap, ToCell};
pub use crate::light::{Flicker, Lamp, LampId, LightMap, Rgb};
pub use crate::perception::{
    CellMemory, Memory, MemoryChanges, OutOfSight, PeripheralVision, Recognition, Sense, TeamView, Thresholds,
};
#[cfg(feature = "scene")]
pub use crate::preset::Preset;
#[cfg(feature = "scene")]
pub use crate::scene::Scene;
pub use crate::sight::{
    Decay, DecayKind, Door, FieldOfView, Method, OpacityCells, OpacityMap, OpacityRows, OpacitySource, OwnedView,
    PathRule, RadiusShape, Sector, SightConfig, SightError, View,
};
pub use crate::viewshed::{Surface, Viewshed};
#[cfg(feature = "scene")]
pub use crate::world::{Dungeon, DungeonConfig, World, WorldConfig};
pub use glam::{IVec2, ivec2};
