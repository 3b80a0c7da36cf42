//! The names that most programs need: `use farsight::prelude::*;`.

pub use crate::Job;
pub use crate::grid::{CellRect, DistanceMap, Grid, GridView, Line, TextMap, ToCell};
pub use crate::light::{Falloff, Flicker, Lamp, LampId, LightError, LightMap, Rgb};
pub use crate::perception::{
    CellMemory, Memory, MemoryChanges, OutOfSight, PeripheralVision, Recognition, Sense, TeamView, Thresholds,
};
pub use crate::sight::{
    Decay, Door, FieldOfView, Method, MethodKind, OpacityCells, OpacityError, OpacityMap, OpacityRows, OpacitySource,
    OwnedView, PathRule, RadiusShape, Sector, SightConfig, SightError, View,
};
pub use crate::viewshed::{Surface, Viewshed};
pub use glam::{IVec2, ivec2};
