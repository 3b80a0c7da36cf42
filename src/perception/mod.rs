//! Recognition and memory of a viewer: thresholds of visibility, memory of cells, creatures, further observers.

mod config;
mod creature;
mod creature_watch;
mod memory;
mod recognition;
mod species;

pub use config::{Observer, PerceptionConfig, PlacedCreature};
pub use creature::{Creature, Creatures, Sighting};
#[cfg(feature = "cli")]
pub(crate) use creature_watch::nearest_direction;
pub use creature_watch::{CreatureEvent, CreatureWatch};
pub use memory::{CellMemory, Memory, OutOfSight};
pub use recognition::{Recognition, Thresholds};
pub use species::{Habitat, Species};
