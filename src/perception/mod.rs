//! Recognition and memory of a viewer: thresholds of visibility, memory of cells, creatures, further observers.

#[cfg(feature = "world")]
mod config;
#[cfg(feature = "world")]
mod creature;
#[cfg(feature = "world")]
mod creature_watch;
mod memory;
mod recognition;
mod sense;
#[cfg(feature = "world")]
mod species;

#[cfg(feature = "world")]
pub use config::{Observer, PerceptionConfig, PlacedCreature};
#[cfg(feature = "world")]
pub use creature::{Creature, Creatures, Sighting};
#[cfg(feature = "cli")]
pub(crate) use creature_watch::nearest_direction;
#[cfg(feature = "world")]
pub use creature_watch::{CreatureEvent, CreatureWatch};
pub use memory::{CellMemory, Memory, OutOfSight};
pub use recognition::{Recognition, Thresholds};
pub use sense::Sense;
#[cfg(feature = "world")]
pub use species::{Habitat, Species};
