//! The most common types: `use farsight_scene::prelude::*;`.

pub use crate::preset::Preset;
pub use crate::scene::Scene;
pub use crate::world::{Dungeon, DungeonConfig, World, WorldConfig};
pub use farsight::prelude::*;
